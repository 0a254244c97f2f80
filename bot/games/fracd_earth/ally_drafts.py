"""Who joins an attack, put together by pressing: a Combined attack, Teamwork, who of them is out of reach.

Each is a menu of several, and a form has no room for three of them beside what every attack asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.actions import Action, part_of, raw_of
from bot.games.fracd_earth.area_play import AreaAttack
from bot.games.fracd_earth.attack_play import Attack
from bot.games.fracd_earth.telling import inches
from bot.table.act import Act
from bot.table.asking.kinds import TableKind
from bot.table.asking.reading import called
from bot.table.asking.several import SEVERAL, Several
from bot.table.session.drafting import Draft
from bot.table.session.gathering import Gathered, Gathering, gathering, gathers
from rules.systems.fracd_earth.weapons import Weapon

TEAMWORK = Gathered("support", "Teamwork: who", "Teamwork")
COMBINED = Gathered("group", "Combined attack: who", "Combined")


def _attack(act: Act, action: Attack) -> tuple[str, ...]:
    far = inches(action.distance) if action.distance else "in contact"
    return (
        f"{action.attacker.name}: {action.weapon.title} at {action.target.name}",
        ", ".join((far, *_besides(action, "distance", "weapon"))),
    )


def _area(act: Act, action: AreaAttack) -> tuple[str, ...]:
    told = ("distance", "size", "shape", "weapon")
    return (
        f"{action.attacker.name}: {action.weapon.title}, {action.shape}",
        ", ".join((f"{inches(action.size)}, at {inches(action.distance)}", *_besides(action, *told))),
    )


def _besides(action: Attack | AreaAttack, *told: str) -> Iterator[str]:
    """What else was said of an attack, as a form calls it. told: what stands there already."""
    not_again = {*told, "attacker", "target", "odds", *(one.name for one in _OF_ATTACK)}
    for name, raw in raw_of(action).items():
        part, value = part_of(action.command, name), getattr(action, name)
        if name in not_again or not isinstance(part.kind, TableKind):
            continue
        yield called(part) if raw is True else f"{called(part)} {_word(value)}"


def _word(value: object) -> str:
    """What was said in one field."""
    if isinstance(value, tuple):
        return ", ".join(one.name for one in value)
    return (
        value.title if isinstance(value, Weapon) else f"{value:g}" if isinstance(value, float) else str(value)
    )


def _away(*among: str) -> Gathered:
    """Who of those that help has the target out of range and reach."""
    return Gathered("away", "Of these, out of range and reach", "Out of range and reach", among)


_OF_ATTACK = (COMBINED, TEAMWORK, _away("group", "support"))
_OF_AREA = (TEAMWORK, _away("support"))

gathers(Attack, Gathering(lambda act: _OF_ATTACK, _attack, "Attack"))
gathers(AreaAttack, Gathering(lambda act: _OF_AREA, _area, "Attack"))


def _joined(act: Act, action: Action) -> Draft | None:
    """The draft of an attack by somebody at something."""
    needed = {"attacker", "target"} if isinstance(action, Attack) else {"attacker"}
    return gathering(action) if needed <= raw_of(action).keys() else None


SEVERAL[Attack.command] = Several(
    "With others",
    "Allies who join",
    _joined,
    frozenset(one.name for one in _OF_ATTACK),
)
SEVERAL[AreaAttack.command] = Several(
    "With others", "Allies who join", _joined, frozenset(one.name for one in _OF_AREA)
)
