"""What an encounter plays by, and who organises it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.actions import Action, number_in
from bot.replies.fit import MAX_CHOICES, cut
from bot.replies.reply import Blank, Button, Choice, Form, Menu, Reply, form, say
from bot.store.row_types import CampaignRow
from bot.store.rows import EncounterRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import ENDED, Encounter
from bot.table.game import SETS, STILL_WAITS, UNDONE_DICE, Setting, game_of, settings_of, undone_in_place
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import find
from bot.table.owners import organiser
from bot.table.request import OVERRIDE_FORM
from bot.table.waits import name_of
from rules.refusals import Forbidden, InvalidInput

RANGE = re.compile(r"(\d+)\.\.(\d+)")
"""A value that stands for any whole number between two, ends included."""


def setting(known: Callable[[Asking], Sequence[Setting]], *, called: str = "") -> Any:
    """One of the settings that there are, as the game declares it; None: all of them."""
    return fields.among(
        "Which one; none: all", known, lambda one: words(one[0]), what="setting", called=called
    )


def setting_value(about: str, of: str) -> Any:
    """A value of the setting that was said in the field `of`."""

    def names(asking: Asking) -> Sequence[str]:
        return [words(value) for value in asking.before(of)[1] if not RANGE.fullmatch(value)]

    def found(asking: Asking, text: str) -> str:
        return _value_named(asking.before(of, "setting"), text)

    return fields.sought(about, names, found)


def _of_encounter(asking: Asking) -> Sequence[Setting]:
    return known(asking.act.encounter) if asking.act.has_encounter else ()


NUMBER = form("setting-number", "A number", Blank("value", "What it is to be", longest=6))


@dataclass(frozen=True, slots=True)
class Settings(Action):
    """Show or choose the readings that this game is played by.

    `default` as value goes back to it.
    """

    command = SETS
    typed = "encounter settings"
    titled = "Settings"
    bare = True
    decision_of = organiser("changes the settings", shows=lambda action: action.value is None)

    key: Setting | None = setting(_of_encounter, called="setting")
    value: str | None = setting_value("What it is to be, or default", "key")


def words(key: str) -> str:
    """A setting's key as people read it."""
    return key.replace("_", " ")


def current(encounter: Encounter, setting: Setting) -> str:
    """The value that holds now."""
    key, values, _ = setting
    return encounter.setting(key, values[0])


def known(encounter: Encounter) -> Sequence[Setting]:
    """The settings of the encounter."""
    return settings_of(game_of(encounter))


def _value_named(setting: Setting, text: str) -> str:
    """The value that is meant, a number where the setting takes any. Raises InvalidInput."""
    key, values, _ = setting
    plain = text.strip()
    number = number_in(plain, "")
    if plain.casefold() == "default":
        return values[0]
    for value in values:
        bounds = RANGE.fullmatch(value)
        if bounds and number is not None and int(bounds[1]) <= number <= int(bounds[2]):
            return str(number)
    named = [value for value in values if not RANGE.fullmatch(value)]
    try:
        return find(words(plain), named, words, "value")
    except InvalidInput:
        raise InvalidInput(f"{words(key).capitalize()} is one of: {', '.join(map(words, values))}.") from None


@handles(Settings)
def settings(act: Act, action: Settings) -> Reply:
    """Shown to the person who asks; a change is told to everybody."""
    encounter, chosen, value = act.encounter, action.key, action.value
    if chosen is None:
        return _all(act)
    if value is None:
        return _one(act, chosen)
    if encounter.row.status == ENDED:
        raise InvalidInput("This encounter has ended.")
    key, values, about = chosen
    before = current(encounter, chosen)
    if act.undone and key == UNDONE_DICE[0] and undone_in_place(encounter):
        raise InvalidInput(STILL_WAITS)
    if value == values[0]:
        encounter.row.settings.pop(key, None)
    else:
        encounter.row.settings[key] = value
    mark = " (default)" if value == values[0] else ""
    lines = [f"Setting: {words(key)} is {words(value)}{mark}.", about, f"It was {words(before)}."]
    return say(*lines, buttons=[UNDO])


def _all(act: Act) -> Reply:
    encounter = act.encounter
    lines = ["Settings (* not the default):"]
    for setting in known(encounter):
        value = current(encounter, setting)
        mark = "" if value == setting[1][0] else " *"
        lines.append(f"{words(setting[0])}: {words(value)}{mark}")
    told = tuple(lines if len(lines) > 1 else ["This game has no settings."])
    return Reply(told, private=True, menus=_menus(act), replaces=True)


def _menus(act: Act) -> tuple[Menu, ...]:
    """All settings, as many to a menu as it can carry, each with what holds now."""
    encounter = act.encounter
    every = [Choice(words(one[0]), words(one[0]), words(current(encounter, one))) for one in known(encounter)]
    does = "Change" if act.is_organiser and encounter.row.status != ENDED else "Look at"
    return tuple(
        Menu(f"{does} one: {some[0].label} ...", Settings(), "key", tuple(some), anytime=True)
        for some in cut(every, MAX_CHOICES)
    )


def _one(act: Act, setting: Setting) -> Reply:
    """What it decides and what holds; for the organiser what it may be instead, by pressing."""
    encounter, (key, values, about) = act.encounter, setting
    value = current(encounter, setting)
    others = [other for other in values if other != value]
    lines = (
        f"{words(key)}: {words(value)}",
        about,
        f"Default: {words(values[0])}",
        f"Others: {', '.join(map(words, others))}",
    )
    may = act.is_organiser and encounter.row.status != ENDED
    ways = (
        [_way(setting, other, OVERRIDE_FORM if not act.organises else None) for other in others]
        if may
        else []
    )
    back = Button("All settings", Settings(), anytime=True)
    return Reply(tuple(line for line in lines if line), private=True, buttons=(*ways, back), replaces=True)


def _way(setting: Setting, value: str, reason: Form | None) -> Button:
    """Return the button that chooses a value. reason: the form that asks why, if that has to be said."""
    if RANGE.fullmatch(value):
        return Button(f"{value}...", Settings(setting), anytime=True, form=NUMBER)
    return Button(words(value), Settings(setting, value), anytime=True, form=reason)


@dataclass(frozen=True, slots=True)
class HandOverGame(Action):
    """Organiser: hand the game over to somebody else."""

    command = "encounter.hand"
    typed = "encounter hand"
    titled = "Hand the game over"
    decision_of = organiser("hands the game over")

    who: int = fields.person("Who organises it from now on", needed=True)


@dataclass(frozen=True, slots=True)
class SecondOrganiserOfGame(Action):
    """Organiser: name a second organiser (leave blank to remove)."""

    command = "encounter.second"
    typed = "encounter second"
    titled = "Game's second organiser"
    decision_of = organiser("names a second organiser")

    who: int = fields.person("Who organises it with you")


@handles(HandOverGame)
def hand_over(act: Act, action: HandOverGame) -> Reply:
    """Tell everybody; the former organiser keeps no rights of an organiser."""
    row = _running(act)
    change_organiser(act, row, action.who)
    return say(f"{name_of(act.encounter, action.who)} organises {row.name} now.", buttons=[UNDO])


@handles(SecondOrganiserOfGame)
def second(act: Act, action: SecondOrganiserOfGame) -> Reply:
    """Let a second person do all that the first may, or take that back."""
    row = _running(act)
    name_second(row, action.who)
    name = name_of(act.encounter, action.who) if action.who else ""
    said = f"{name} organises it too." if name else "It has one organiser again."
    return say(f"{row.name}: {said}", buttons=[UNDO])


def _running(act: Act) -> EncounterRow:
    row = act.encounter.row
    if row.status == ENDED:
        raise InvalidInput("This encounter has ended.")
    return row


def change_organiser(act: Act, row: EncounterRow | CampaignRow, who: int) -> None:
    """Make somebody else the organiser. Raises InvalidInput, Forbidden."""
    if not who or who == row.organiser_id:
        raise InvalidInput("Name somebody else: who organises it from now on?")
    if who == act.actor.user_id and not act.actor.manages:
        raise Forbidden("You can't make yourself the organiser: the first organiser has to hand it over.")
    row.organiser_id = who
    if row.second_id == who:
        row.second_id = 0


def name_second(row: EncounterRow | CampaignRow, who: int) -> None:
    """Name the second organiser; 0 for nobody. Raises InvalidInput."""
    if who == row.organiser_id:
        raise InvalidInput("That person organises it already.")
    if who == row.second_id:
        raise InvalidInput("Nothing changes by that.")
    row.second_id = who
