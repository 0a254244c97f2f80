"""The house rules of an encounter, and who organises it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from bot.actions import Action, Raw, declared, number_in
from bot.replies.fit import MAX_CHOICES
from bot.replies.reply import Blank, Button, Choice, Form, Menu, Reply, form, say
from bot.store.row_types import CampaignRow
from bot.store.rows import EncounterRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking, Offer
from bot.table.asking.table_kinds import Among
from bot.table.encounter import ENDED, Encounter, EncounterView
from bot.table.game import (
    SETTINGS_COMMAND,
    UNDONE_DICE,
    UNDONE_ROLL_WAITS,
    game_of,
    gives_next_roll_undone_dice,
    list_settings,
)
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import find
from bot.table.owners import organiser
from bot.table.reaction_windows import require_no_dice
from bot.table.request import OVERRIDE_FORM
from bot.table.setting import Setting
from bot.table.waits import name_of
from rules.refusals import Forbidden, InvalidInput, Missing

NUMBER = form("setting-number", "Enter a number", Blank("value", "Number", longest=6))


def setting(known: Callable[[Asking], Sequence[Setting]], *, called: str = "") -> Any:
    """Return a field for one of the settings that there are; None for all of them."""
    kind = _OneSetting(
        help="Setting (leave blank to see all)", things=known, named=_typed, what="setting", called=called
    )
    return declared(kind, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OneSetting(Among[Setting]):
    def read(self, raw: Raw, context: Asking) -> Setting:
        titled = {setting.title.casefold(): setting for setting in self.things(context)}
        return titled.get(str(raw).casefold()) or find(str(raw), self.things(context), _typed, self.what)

    def offers(self, context: Asking) -> Sequence[Offer]:
        return [Offer(_typed(setting), setting.title, setting.about) for setting in self.things(context)]


def _typed(setting: Setting) -> str:
    return words(setting.key)


def setting_value(hint: str, field: str) -> Any:
    """Return a field for a value of the setting that was chosen in the field `of`."""

    def names(context: Asking) -> Sequence[Offer]:
        return [Offer(words(value), label) for value, label in context.before(field).choices]

    def find(context: Asking, text: str) -> str:
        return _value_named(context.before(field, "setting"), text)

    return fields.sought(hint, names, find)


def _of_encounter(context: Asking) -> Sequence[Setting]:
    return known(context.act.encounter) if context.act.has_encounter else ()


@dataclass(frozen=True, slots=True)
class Settings(Action):
    """View or change the house rules of this game.

    `default` as value goes back to the default.
    """

    command = SETTINGS_COMMAND
    typed = "encounter settings"
    titled = "House rules"
    bare = True
    decision_of = organiser("change the settings", shows=lambda action: action.value is None)

    key: Setting | None = setting(_of_encounter, called="setting")
    value: str | None = setting_value('New value, or "default"', "key")


def words(key: str) -> str:
    """Return a key or value as people type it."""
    return key.replace("_", " ")


def known(encounter: EncounterView) -> Sequence[Setting]:
    """Return the settings of the encounter."""
    return list_settings(game_of(encounter))


def house_rules(encounter: Encounter) -> list[str]:
    """Return a line for each setting that is not at its default."""
    return [f"House rule: {rule}" for rule in changed(known(encounter), encounter.row.settings)]


def changed(settings: Sequence[Setting], values: Mapping[str, str]) -> list[str]:
    """Return the title and the sentence of each setting that is not at its default."""
    return [
        f"{setting.title}. {setting.says(values[setting.key])}"
        for setting in settings
        if values.get(setting.key, setting.default) != setting.default
    ]


def choice_lines(setting: Setting, value: str) -> list[str]:
    """Return what a setting changes, its choices, the default and the current one marked, and the page."""
    choices = dict(setting.choices)
    if value not in choices:
        choices[value] = setting.says(value)
    lines = [setting.about]
    for choice, label in choices.items():
        default = " (default)" if choice == setting.default else ""
        lines.append(f"- {label}{default}{' (now)' if choice == value else ''}")
    if setting.number:
        least, highest = setting.bounds
        lines.append(f"You can also enter a number from {least} to {highest}.")
    return [*lines, *([f"Rulebook: {setting.book}."] if setting.book else [])]


def _value_named(setting: Setting, text: str) -> str:
    """Return the value that is meant, a number if the setting takes one. Raises InvalidInput."""
    typed = text.strip()
    if typed.casefold() == "default":
        return setting.default
    for value, label in setting.choices:
        if typed.casefold().removesuffix(".") == label.casefold().removesuffix("."):
            return value
    number = number_in(typed, "")
    if isinstance(number, int) and setting.takes(number):
        return str(number)
    try:
        return find(words(typed), setting.values, words, "value")
    except InvalidInput:
        least, highest = setting.bounds
        values = [
            *map(words, setting.values),
            *([f"a number from {least} to {highest}"] if setting.number else []),
        ]
        raise Missing(f"Choose one of these for {words(setting.key)}: {', '.join(values)}.") from None


@handles(Settings)
def settings(act: Act, action: Settings) -> Reply:
    """Show the settings to the person who asks; announce a change to everyone."""
    encounter, setting, value = act.encounter, action.key, action.value
    if setting is None:
        return _all(act)
    if value is None:
        return _one(act, setting)
    if encounter.row.status == ENDED:
        raise InvalidInput("This game has ended.")
    if setting in game_of(encounter).settings():
        require_no_dice(act)
    value_before = setting.of(encounter)
    if act.undone and setting == UNDONE_DICE and gives_next_roll_undone_dice(encounter):
        raise InvalidInput(UNDONE_ROLL_WAITS)
    if value == setting.default:
        encounter.row.settings.pop(setting.key, None)
    else:
        encounter.row.settings[setting.key] = value
    mark = " (default)" if value == setting.default else ""
    return say(
        f"House rule changed: {setting.title}. {setting.says(value)}{mark}",
        f"Before: {setting.says(value_before)}",
        buttons=[UNDO],
    )


def _all(act: Act) -> Reply:
    encounter = act.encounter
    rules = changed(known(encounter), encounter.row.settings)
    lines = [
        f"House rules of {game_of(encounter).name}",
        *(["Changed in this game:", *(f"- {rule}" for rule in rules)] if rules else []),
        f"All{' other' if rules else ''} settings have their default values.",
        "Choose a setting to read or change it." if _may_change(act) else "Choose a setting to read it.",
    ]
    return Reply(tuple(lines), private=True, menus=_menus(encounter), replaces=True)


def _may_change(act: Act) -> bool:
    return act.is_organiser and act.encounter.row.status != ENDED


def _menus(encounter: Encounter) -> tuple[Menu, ...]:
    """Return menus of all settings, whole groups to a menu as far as they fit."""
    menus: list[tuple[list[str], list[Choice]]] = []
    for heading, group in groupby(known(encounter), key=lambda row: row.group):
        choices = [
            Choice(setting.title, words(setting.key), setting.says(setting.of(encounter)))
            for setting in group
        ]
        if not menus or len(menus[-1][1]) + len(choices) > MAX_CHOICES:
            menus.append(([], []))
        menus[-1][0].append(heading)
        menus[-1][1].extend(choices)
    return tuple(
        Menu(", ".join(headings), Settings(), "key", tuple(choices), anytime=True)
        for headings, choices in menus
    )


def _one(act: Act, setting: Setting) -> Reply:
    """Return what the setting changes and its choices; to the organiser with a button for each."""
    value = setting.of(act.encounter)
    buttons = []
    if _may_change(act):
        reason = None if act.organises else OVERRIDE_FORM
        buttons = [_choose(setting, other, reason) for other in setting.values if other != value]
        if setting.number:
            buttons.append(Button("Enter a number...", Settings(setting), anytime=True, form=NUMBER))
    back_button = Button("All settings", Settings(), anytime=True)
    lines = (setting.title, *choice_lines(setting, value))
    return Reply(lines, private=True, buttons=(*buttons, back_button), replaces=True)


def _choose(setting: Setting, value: str, reason: Form | None) -> Button:
    """Return the button that chooses a value. reason: the form that asks for one, if it is needed."""
    label = setting.says(value).removesuffix(".")
    return Button(label, Settings(setting, value), anytime=True, form=reason)


@dataclass(frozen=True, slots=True)
class HandOverGame(Action):
    """Make someone else the organiser of this game."""

    command = "encounter.hand"
    typed = "encounter hand"
    titled = "Hand the game over"
    decision_of = organiser("hand the game over")

    who: int = fields.person("New organiser", needed=True)


@dataclass(frozen=True, slots=True)
class SecondOrganiserOfGame(Action):
    """Choose or remove a second organiser for this game."""

    command = "encounter.second"
    typed = "encounter second"
    titled = "Second organiser"
    decision_of = organiser("choose a second organiser")

    who: int = fields.person("Second organiser (leave blank to remove)")


@handles(HandOverGame)
def hand_over(act: Act, action: HandOverGame) -> Reply:
    """Make someone else the organiser; the former one loses the rights."""
    row = _running(act)
    change_organiser(act, row, action.who)
    return say(f"{name_of(act.encounter, action.who)} is now the organiser of {row.name}.", buttons=[UNDO])


@handles(SecondOrganiserOfGame)
def second(act: Act, action: SecondOrganiserOfGame) -> Reply:
    """Name a second person with all rights of the first, or remove them."""
    row = _running(act)
    name_second(row, action.who)
    name = name_of(act.encounter, action.who) if action.who else ""
    line = (
        f"{name} is now the second organiser of {row.name}."
        if name
        else f"{row.name} has only one organiser again."
    )
    return say(line, buttons=[UNDO])


def _running(act: Act) -> EncounterRow:
    row = act.encounter.row
    if row.status == ENDED:
        raise InvalidInput("This game has ended.")
    return row


def change_organiser(act: Act, row: EncounterRow | CampaignRow, person: int) -> None:
    """Make another person the organiser. Raises InvalidInput, Forbidden."""
    if not person or person == row.organiser_id:
        raise InvalidInput("Choose someone other than the current organiser.")
    if person == act.actor.user_id and not act.actor.manages:
        raise Forbidden(
            "You can't make yourself the organiser. The first organiser has to hand over the role."
        )
    row.organiser_id = person
    if row.second_id == person:
        row.second_id = 0


def name_second(row: EncounterRow | CampaignRow, person: int) -> None:
    """Name the second organiser, or remove them with 0. Raises InvalidInput."""
    if person == row.organiser_id:
        raise InvalidInput("That person is already the organiser.")
    if person == row.second_id:
        already = "That person is already the second organiser."
        none = "There is no second organiser to remove."
        raise InvalidInput(already if person else none)
    row.second_id = person
