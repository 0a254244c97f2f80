"""What an encounter plays by: shown to anybody, chosen by its organiser.

Which readings there are, and what each decides, is said by the game; this knows only their names and values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import Encounter
from bot.table.game import SETS, STILL_WAITS, UNDONE_DICE, Setting, game_of, settings_of, undone_in_place
from bot.table.handlers import handles
from bot.table.journal.history import Undo
from bot.table.names import find
from rules.refusals import InvalidInput

RANGE = re.compile(r"(\d+)\.\.(\d+)")
"""A value that stands for any whole number between two, ends included."""


def any_setting(asking: Asking) -> Sequence[str]:
    """Settings of the game."""
    return [words(one[0]) for one in known(asking.act.encounter)] if asking.act.has_encounter else []


def setting_value(asking: Asking) -> Sequence[str]:
    """Values of the setting that was said."""
    key = asking.so_far["key"]
    if not key or not asking.act.has_encounter:
        return []
    values = setting_named(asking.act.encounter, key)[1]
    return [words(value) for value in values if not RANGE.fullmatch(value)]


@dataclass(frozen=True, slots=True)
class Settings(Action):
    """Show or choose the readings that this game is played by.

    `default` as value goes back to it.
    """

    command = SETS
    typed = "encounter settings"
    titled = "Settings"

    key: str = fields.words("Which one; none: all", any_setting, called="setting")
    value: str = fields.words("What it is to be, or default", setting_value)


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


def setting_named(encounter: Encounter, text: str) -> Setting:
    """The setting that is meant, by its key or its words. Raises InvalidInput."""
    wanted = words(text).strip()
    return find(wanted, list(known(encounter)), lambda setting: words(setting[0]), "setting")


def value_named(setting: Setting, text: str) -> str:
    """The value that is meant, a number where the setting takes any. Raises InvalidInput."""
    key, values, _ = setting
    plain = text.strip()
    if plain.casefold() == "default":
        return values[0]
    for value in values:
        bounds = RANGE.fullmatch(value)
        if bounds and plain.isdecimal() and int(bounds[1]) <= int(plain) <= int(bounds[2]):
            return str(int(plain))
    named = [value for value in values if not RANGE.fullmatch(value)]
    try:
        return find(words(plain), named, words, "value")
    except InvalidInput:
        raise InvalidInput(f"{words(key).capitalize()} is one of: {', '.join(map(words, values))}.") from None


@handles(Settings)
def settings(act: Act, action: Settings) -> Reply:
    """Shown to the person who asks; a change is told to everybody."""
    encounter = act.encounter
    if not action.key:
        return _all(encounter)
    setting = setting_named(encounter, action.key)
    if not action.value:
        return _one(encounter, setting)
    act.require(act.is_organiser, "Only the organiser changes the settings.")
    if encounter.row.status == "ended":
        raise InvalidInput("This encounter has ended.")
    key, values, about = setting
    value = value_named(setting, action.value)
    before = current(encounter, setting)
    if act.undone and key == UNDONE_DICE[0] and undone_in_place(encounter):
        raise InvalidInput(STILL_WAITS)
    if value == values[0]:
        encounter.row.settings.pop(key, None)
    else:
        encounter.row.settings[key] = value
    mark = " (default)" if value == values[0] else ""
    lines = [f"Setting: {words(key)} is {words(value)}{mark}.", about, f"It was {words(before)}."]
    return say(*lines, buttons=[Button("Undo", Undo(), anytime=True)])


def _all(encounter: Encounter) -> Reply:
    lines = ["Settings (* not the default):"]
    for setting in known(encounter):
        value = current(encounter, setting)
        mark = "" if value == setting[1][0] else " *"
        lines.append(f"{words(setting[0])}: {words(value)}{mark}")
    return Reply(tuple(lines if len(lines) > 1 else ["This game has no settings."]), private=True)


def _one(encounter: Encounter, setting: Setting) -> Reply:
    key, values, about = setting
    value = current(encounter, setting)
    others = ", ".join(words(other) for other in values if other != value)
    lines = (f"{words(key)}: {words(value)}", about, f"Default: {words(values[0])}", f"Others: {others}")
    return Reply(tuple(line for line in lines if line), private=True)
