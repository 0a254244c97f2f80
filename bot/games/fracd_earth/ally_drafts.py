"""Who joins an attack, put together by pressing: a Combined attack, Teamwork, whose bases the line crosses.

Each is a menu of several, and a form has no room for four of them beside what every attack asks.
"""

from __future__ import annotations

from bot.actions import Action, raw_of
from bot.games.fracd_earth.area_play import AreaAttack
from bot.games.fracd_earth.attack_play import Attack
from bot.games.fracd_earth.telling import inches
from bot.table.act import Act
from bot.table.asking.several import SEVERAL, Several
from bot.table.session.drafting import Draft
from bot.table.session.gathering import Gathered, Gathering, gathering, gathers

TEAMWORK = Gathered("support", "Teamwork: who", "Teamwork")
COMBINED = Gathered("group", "Combined attack: who", "Combined")
CROSSED = Gathered("line", "Whose bases the line of fire crosses", "In the line")


def _attack(act: Act, action: Attack) -> tuple[str, ...]:
    return (
        f"{action.attacker.name}: {action.weapon.title} at {action.target.name}",
        inches(action.distance) if action.distance else "in contact",
    )


def _area(act: Act, action: AreaAttack) -> tuple[str, ...]:
    return (
        f"{action.attacker.name}: {action.weapon.title}, {action.shape}",
        f"{inches(action.size)}, at {inches(action.distance)}",
    )


def _away(*among: str) -> Gathered:
    """Who of those that help has the target out of range and reach."""
    return Gathered("away", "Of these, out of range and reach", "Out of range and reach", among)


_OF_ATTACK = (COMBINED, TEAMWORK, _away("group", "support"), CROSSED)
_OF_AREA = (TEAMWORK, _away("support"))

gathers(Attack, Gathering(lambda act: _OF_ATTACK, _attack, "Attack"))
gathers(AreaAttack, Gathering(lambda act: _OF_AREA, _area, "Attack"))


def _joined(act: Act, action: Action) -> Draft | None:
    """The draft of an attack by somebody at something."""
    needed = {"attacker", "target"} if isinstance(action, Attack) else {"attacker"}
    return gathering(action) if needed <= raw_of(action).keys() else None


SEVERAL[Attack.command] = Several(
    "With others",
    "Allies who join, bases in the line",
    _joined,
    frozenset(one.name for one in _OF_ATTACK),
)
SEVERAL[AreaAttack.command] = Several(
    "With others", "Allies who join", _joined, frozenset(one.name for one in _OF_AREA)
)
