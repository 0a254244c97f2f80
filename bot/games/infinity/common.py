"""What the handlers of Infinity share: whom an act means, whose turn it is, what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from textwrap import wrap

from bot.actions import Action
from bot.games.infinity import troops, veils
from bot.replies.reply import Button, Menu
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.journal.log import WhyEntry
from rules.counters import CounterName
from rules.effects import Effect
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.infinity.movement import Ground
from rules.systems.infinity.profile import Weapon
from rules.systems.infinity.settings import Settings
from rules.systems.infinity.trooper import Trooper

ACTIVE = CounterName("active side")
"""Counter of the encounter: the side whose Active Turn it is, 0 before the game."""

ORDERS = ("auto", "regular", "irregular", "lieutenant")
"""Words for the Order that pays."""

GROUNDS = {"open": Ground.OPEN, "difficult": Ground.DIFFICULT, "very difficult": Ground.VERY_DIFFICULT}
"""Words for what a trooper stands on."""

WIDTH = 38
"""Columns of a line on a phone."""


def settings(act: Act) -> Settings:
    """The readings that this encounter plays by."""
    return troops.settings_of(act.encounter)


def pointer(one: Trooper) -> str:
    """A trooper in an action: #3 on the table, ~7 in Hidden Deployment."""
    return f"#{one.id}" if one.id > 0 else f"~{-one.id}"


def _own_secrets(act: Act) -> list[veils.Veil]:
    """Veils that the person who asks sees through."""
    encounter = act.encounter
    found = []
    for side in encounter.sides():
        if veils.sees(encounter, act.actor.user_id, side.id):
            found += veils.hidden(encounter, side.id)
            markers = (veils.marker_of(encounter, model.id) for model in encounter.models(side.id))
            found += [veil for veil in markers if veil is not None]
    return found


def _secretly_named(act: Act, text: str) -> int:
    """The id of the veiled trooper of the asker's own that is meant, 0 for none."""
    wanted = " ".join(text.split()).casefold()
    for veil in _own_secrets(act):
        if wanted in (veil.name.casefold(), f"~{veil.row}") and wanted:
            return veil.id
    return 0


def own(act: Act, text: str) -> Trooper:
    """The trooper that is meant, which the asker must play; also one that only the asker's side knows of.

    Raises InvalidInput, NotAllowed.
    """
    encounter = act.encounter
    wanted = " ".join(text.split()).casefold()
    plainly = any(model.name.casefold() == wanted for model in encounter.models())
    number = 0 if plainly else _secretly_named(act, text)
    if number < 0:
        return troops.by_id(encounter, number)
    model = encounter.model(number) if number else encounter.find_model(text, user=act.actor.user_id)
    act.require_model(model)
    if veils.is_marker(encounter, model.id) and not veils.sees(encounter, act.actor.user_id, model.side):
        raise InvalidInput(f"{model.name} is a Marker: nobody but its side acts with it.")
    return troops.trooper(encounter, model)


def seen(act: Act, text: str) -> Trooper:
    """Return the figure that is meant, of any side, under the name that everybody reads.

    Raises InvalidInput, and Forbidden for an enemy Marker.
    """
    model = act.encounter.find_model(text)
    if not veils.sees(act.encounter, act.actor.user_id, model.side):
        _check_figure(act, model)
    return troops.as_shown(act.encounter, model.id)


def _check_figure(act: Act, model: ModelRow) -> None:
    """Raise Forbidden for a Marker."""
    if veils.is_marker(act.encounter, model.id):
        raise Forbidden(f"{model.name} is a Marker: Discover it first.", "INF-SEN-06")


def target_of(act: Act, attacker: Trooper, text: str) -> Trooper:
    """An enemy figure on the table that is meant. Raises InvalidInput, Forbidden."""
    model = act.encounter.find_model(text)
    _check_figure(act, model)
    target = troops.trooper(act.encounter, model)
    if target.side == attacker.side:
        forbid(f"{target.current.name} is on the same side.")
    return target


def again(act: Act, one: Trooper) -> Trooper:
    """The trooper as it stands now."""
    return troops.by_id(act.encounter, one.id)


def on_turn(encounter: Encounter) -> int:
    """The side whose Active Turn it is, 0 while no turns are counted."""
    return encounter.count(ACTIVE) if encounter.row.turn else 0


def is_shooting(weapon: Weapon) -> bool:
    """Whether a weapon is shot or thrown."""
    return not (weapon.close or weapon.hacking)


def is_melee(weapon: Weapon) -> bool:
    """Whether a weapon is for close combat."""
    return weapon.close


def is_program(weapon: Weapon) -> bool:
    """Whether a weapon is a program."""
    return weapon.hacking


def weapon_named(one: Trooper, text: str) -> Weapon:
    """The weapon of a trooper's profile that is meant. Raises InvalidInput."""
    profile, wanted = one.current, text.strip().casefold()
    near = [weapon for weapon in profile.weapons if weapon.name.casefold().startswith(wanted)]
    return near[0] if len(near) == 1 else profile.weapon(text)


def first_weapon(one: Trooper, fits: Callable[[Weapon], bool], what: str) -> Weapon:
    """The first weapon of a trooper's profile that fits. Raises InvalidInput."""
    found = next((weapon for weapon in one.current.weapons if fits(weapon)), None)
    if found is None:
        raise InvalidInput(f"{one.current.name} has nothing to {what} with.")
    return found


@dataclass(slots=True)
class Telling:
    """A reply that is being put together. head: what happened; dice: how; after: what is to follow."""

    head: list[str] = field(default_factory=list)
    dice: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    asked: list[Button] = field(default_factory=list)
    menus: list[Menu] = field(default_factory=list)

    def follow(self, act: Act, effects: Iterable[Effect], *, by: int = 0) -> None:
        """Apply effects and keep what they propose as lines. by: the trooper whose attack they are."""
        proposals = veils.carry(act.encounter, effects, by=by)
        for reason in dict.fromkeys(one.reason for one in proposals):
            self.after += wrap(reason[:1].upper() + reason[1:] + ".", WIDTH)

    def offer(self, label: str, action: Action) -> None:
        """A button that stays good while other things happen."""
        self.asked.append(Button(label, action, "main", anytime=True))

    def lines(self) -> tuple[str, ...]:
        """All lines in reading order."""
        gap = [""] if self.dice else []
        return (*self.head, *gap, *self.dice, *self.after)

    def buttons(self, act: Act, *more: Button) -> tuple[Button, ...]:
        """What follows, then the given ones, then why."""
        why = [Button("Why", WhyEntry(act.entry), anytime=True)] if self.why else []
        return (*self.asked, *more, *why)
