"""Forms made from the declarations of actions: filled in with what is likeliest, and read back."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from bot.actions import ACTIONS, Action, Part, Raw, Typed, number_in, part_of_doer, parts, raw_of
from bot.replies.fit import has_room
from bot.replies.reply import Button, Choice
from bot.table.act import Act
from bot.table.asking.descriptions import GAME_WORDS, needed, options_of
from bot.table.asking.kinds import (
    MAX_CHOICES,
    MAX_OFFER_LENGTH,
    Asking,
    Number,
    Offer,
    OneOf,
    Switch,
    TableKind,
)
from bot.table.asking.offering import own_sides
from bot.table.asking.reading import by_hand, called, written
from bot.table.asking.server_kinds import Elsewhere
from bot.table.asking.table_kinds import split
from bot.table.board.facts import Fact
from bot.table.names import make_harmless, remove_invisible
from bot.table.offers.legal_actions import Looking, is_closed, may_be_said, not_asked_again, possible
from rules.refusals import Forbidden, InvalidInput, Missing

SEVERAL_TICK = "several."
"""What is ticked in a form for it to go on so."""


@dataclass(frozen=True, slots=True)
class Several:
    """How an action that may be at several goes on.

    label: what is ticked in its form. about: what that does, in a line. begins: the draft that goes on from
    what was said, still as it was written; None where there is none, InvalidInput or Forbidden for what it
    cannot keep, or what the action itself would refuse.
    instead: fields that are said in the draft, and not in the form unless they were said before.
    """

    label: str
    about: str
    begins: Callable[[Act, Action], Action | None]
    instead: frozenset[str] = frozenset()


SEVERAL_BY_COMMAND: dict[str, Several] = {}
"""Commands that may be at several, and how they go on."""


def list_ticked_switches(values: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the names of the switches that are ticked."""
    return (*values.get(SWITCHES_PART, ()), *values.get(MEASURED_SWITCHES_PART, ()))


def list_fields_left_to_draft(action: Action) -> frozenset[str]:
    """Return the fields of an action that its form leaves to the draft: none that was said."""
    gathering = SEVERAL_BY_COMMAND.get(action.command)
    return gathering.instead - raw_of(action).keys() if gathering is not None else frozenset()


def begin_draft(act: Act, action: Action) -> Action | None:
    """Return the draft that continues from the form, or None. Raises InvalidInput, Forbidden."""
    gathering = SEVERAL_BY_COMMAND.get(action.command)
    return gathering.begins(act, action) if gathering is not None else None


MAX_PARTS = 5
MAX_SWITCHES = 10
MAX_STEPS = 5
"""The widest range of whole numbers that are chosen and not typed."""

SWITCHES_PART = "also."
"""The part that holds the switches."""

MEASURED_SWITCHES_PART = "also.measured."
"""The same where a board measures some: those are left out, and written into the rest."""

REST_PART = "rest."
"""The part into which the other fields are written."""

FURTHER_TICK, FURTHER_REST = "further.", "rest.further."
"""The tick that opens a second form for the other fields, and its part for those without their own."""

SECOND_FORM: Typed = (("", ""),)
"""The mark of a button that opens the second form."""

CHANGE_LABEL = "Change..."
"""The button that opens the form of an action again, filled in with what was said."""

MEASURED = "measured"
"""What is chosen for a fact to be as the board measures it."""

MAX_REST_LENGTH = 300
MAX_TEXT_LENGTH = 100

Chosen = Mapping[str, Sequence[Offer]]
"""Choices for each of `list_outside_parts`, by its name."""

NO_CHOICES: Chosen = {}

Tries = Callable[[Part, Raw], bool]

Shape = Literal["menu", "radio", "checks", "line"]


@dataclass(frozen=True, slots=True)
class FormControl:
    """A part of a form.

    name: the field that it fills, `SWITCHES_PART` or `REST_PART`. said: its present text. several: more than
    one choice may be made.
    """

    name: str
    label: str
    note: str
    shape: Shape
    choices: tuple[Choice, ...] = ()
    said: tuple[str, ...] = ()
    needed: bool = False
    longest: int = MAX_TEXT_LENGTH
    several: bool = False


@dataclass(frozen=True, slots=True)
class AskForm:
    """The form that a person fills in before an action is asked."""

    title: str
    action: Action
    controls: tuple[FormControl, ...]


@dataclass(frozen=True, slots=True)
class Unread:
    """What was typed into a form and could not be read: the field, '' for none, the text, what is wrong."""

    name: str
    text: str
    sentence: str


def make_change_buttons(action: Action) -> list[Button]:
    """Return the button that opens an action's form, if anything can change and its id has room."""
    button = Button(CHANGE_LABEL, action, anytime=True, asks=True)
    doer_part = part_of_doer(action.command)
    has_fields = action.typed and any(part != doer_part for part in open_parts(action.command))
    return [button] if has_fields and has_room(button) else []


# ------------------------------------------------------------------------------------ made


def title_of(kind: type[Action]) -> str:
    """Return an action's name on buttons: its title, or its command without the game's word."""
    return kind.titled or command_words(kind).capitalize()


def command_words(kind: type[Action]) -> str:
    """Return the words of its command, without the game's."""
    words = kind.typed.split()
    if len(words) > 1 and words[0] in GAME_WORDS:
        words = words[1:]
    return " ".join(words).replace("-", " ")


@cache
def open_parts(command: str) -> tuple[Part, ...]:
    """Return the fields that a person can fill in, required ones first, then in the command's order."""
    return tuple(
        part
        for part in options_of(ACTIONS[command])
        if isinstance(part.kind, TableKind) and not isinstance(part.kind, Elsewhere)
    )


def find_doer_field(kind: type[Action]) -> Part | None:
    """Return the field that tells who does it, where it is one of names."""
    doer_part = part_of_doer(kind.command)
    return doer_part if doer_part in open_parts(kind.command) and doer_part.wire is str else None


def list_outside_parts(command: str) -> tuple[Part, ...]:
    """Return a form's fields for things outside the scope, whose suggestions are read beforehand."""
    return tuple(
        part
        for part in options_of(ACTIONS[command])
        if isinstance(part.kind, Elsewhere) and part.kind.in_forms
    )


def build_form(
    looking: Looking, action: Action, extra: Any = None, preset: Chosen = NO_CHOICES, typed: Typed = ()
) -> AskForm:
    """Return the form of an action.

    It is filled in with the fields that the action has; the acting model stays as it is. preset: the choices
    for each of `list_outside_parts`. typed: text that could not be read, which is shown again.
    """
    command = action.command
    values = raw_of(action)
    legal = looking.legal(type(action), values, extra)
    likeliest = _without_numbers(legal.action, action)
    base = action if legal.reason else _clear_wrong_sides(looking, action, likeliest)
    base = _fill_first_offers(looking, base)

    def tried(part: Part, value: Raw) -> bool:
        return not looking.refusal_typed(replace(legal.action, **{part.name: value}), extra)

    usable_tries = None if legal.reason else tried
    fixed = (not_asked_again(command) & set(values)) | list_fields_left_to_draft(action)
    asked_parts = [
        part
        for part in open_parts(command)
        if part.name not in fixed
        and not _has_one_meaning(looking, action, part)
        and (looking.has_board(action) or not part.kind.on_board)  # type: ignore[attr-defined]
    ]
    facts = {part.name: fact for part in asked_parts if (fact := looking.measured(base, part)) is not None}
    asked_parts = [part for part in asked_parts if part.name not in facts or not facts[part.name].settles]
    group = MEASURED_SWITCHES_PART if any(part.name in facts for part in _switches(action)) else SWITCHES_PART
    all_switches = _switches(action, group)
    switches = [part for part in all_switches if _may_be_ticked(looking, base, part)]
    gathering = SEVERAL_BY_COMMAND.get(command)
    fields = [part for part in asked_parts if not isinstance(part.kind, Switch)]
    fields.sort(key=_order_of_asking(type(action)))
    own_parts = [
        _build_outside_control(action, part, preset[part.name])
        for part in list_outside_parts(command)
        if part.name in preset
    ]
    room = MAX_PARTS - bool(switches or gathering) - len(own_parts)

    void = {part.name for part in fields if _is_void(looking, base, part)}

    def controls_of(fields: Iterable[Part], room: int) -> list[FormControl]:
        controls = list[FormControl]()
        for part in fields:
            if len(controls) == room or part.name in void:
                continue
            control = _build_control(looking, base, part, usable_tries, facts.get(part.name))
            if control is not None:
                controls.append(control)
            elif is_closed(command, part.name) or _list_steps(part):
                void.add(part.name)
        return controls

    visible = controls_of(fields, room)
    others = [part for part in asked_parts if part not in all_switches and part.name not in void]
    is_whole = all(_is_whole(part, visible) for part in others)
    needed_names = {part.name for part in fields if _is_wanted(part)} | set(action.asked_first)
    has_more = (
        not is_whole
        and bool(switches)
        and len(visible) == room
        and {control.name for control in visible} <= needed_names
    )
    if not is_whole and not has_more:
        del visible[room - 1 :]
    other_parts = [part for part in others if not _is_whole(part, visible)]
    names = {control.name for control in visible}
    if has_more and typed == SECOND_FORM:
        visible = controls_of((part for part in other_parts if part.name not in names), MAX_PARTS - 1)
        other_parts = [part for part in other_parts if not _is_whole(part, visible)]
        line = replace(_build_rest_control(base, other_parts, raw_of(base)), name=FURTHER_REST)
        return AskForm(title_of(type(action)), action, (*visible, *([line] if other_parts else [])))
    if switches or gathering:
        visible.append(_build_switch_control(looking, base, switches, group, other_parts if has_more else ()))
    if other_parts and not has_more:
        visible.append(_build_rest_control(base, other_parts, names))
    controls = sorted((*own_parts, *visible), key=lambda control: not control.needed)
    return AskForm(title_of(type(action)), action, tuple(_restore_typed_text(command, controls, typed)))


def _fill_first_offers(looking: Looking, action: Action) -> Action:
    """Return an action with the first value that is offered in each field that a form begins with."""
    for part in open_parts(action.command):
        assert isinstance(part.kind, TableKind)
        if part.kind.begun and part.name not in raw_of(action):
            offers = looking.offers(action, part.name)
            action = replace(action, **{part.name: offers[0].value}) if offers else action
    return action


def _order_of_asking(kind: type[Action]) -> Callable[[Part], int]:
    """Return when a form asks a field: what is needed, what matters every time, the rest."""
    usual = {name: place for place, name in enumerate(kind.asked_first, 1)}

    def place(part: Part) -> int:
        is_first = _is_wanted(part) or part.kind.on_board  # type: ignore[attr-defined]
        return 0 if is_first else usual.get(part.name, len(usual) + 1)

    return place


def _is_wanted(part: Part) -> bool:
    return isinstance(part.kind, TableKind) and (part.kind.needed or part.kind.wanted)


def _build_outside_control(action: Action, part: Part, offers: Sequence[Offer]) -> FormControl:
    value = getattr(action, part.name)
    return _build_choice_control(part, offers, (_text(value),) if value else ())


def _restore_typed_text(command: str, controls: Sequence[FormControl], typed: Typed) -> Iterator[FormControl]:
    """Yield the parts with typed text that could not be read: in its own part, or in the rest's."""
    lines = {control.name for control in controls if control.shape == "line"}
    names = {part.name: f"{called(part)}: " for part in open_parts(command)}
    other_lines = [f"{names.get(name, '')}{text}" for name, text in typed if name not in lines]
    for control in controls:
        retyped = (
            other_lines
            if control.name == REST_PART
            else [text for name, text in typed if name == control.name]
        )
        texts = (*control.said, *retyped) if control.name == REST_PART else retyped
        yield replace(control, said=("  ".join(texts),)) if retyped and control.shape == "line" else control


def _has_one_meaning(looking: Looking, action: Action, part: Part) -> bool:
    """Return whether only one thing can be meant in a field, and nothing else was said."""
    if not (isinstance(part.kind, TableKind) and part.kind.alone):
        return False
    offered = [offer.value for offer in looking.offers(action, part.name)]
    return len(offered) == 1 and raw_of(action).get(part.name, offered[0]) == offered[0]


def _without_numbers(action: Action, entered: Action) -> Action:
    numbers = [part.name for part in parts(action.command) if isinstance(part.kind, Number)]
    return replace(action, **{name: getattr(entered, name) for name in numbers})


def _clear_wrong_sides(looking: Looking, action: Action, entered: Action) -> Action:
    """Return what was tried without friends in the place of enemies, or enemies in the place of friends,
    unless the player named them.
    """
    act = looking.act(entered)
    if not act.has_encounter:
        return entered
    own_side_ids, given_values, values = own_sides(act, entered), raw_of(action), raw_of(entered)
    kinds = {part.name: part.kind for part in open_parts(entered.command) if part.name not in given_values}
    cleared_names = []
    for name, kind in kinds.items():
        side = _side_of(act, values.get(name)) if isinstance(kind, TableKind) else 0
        if side and isinstance(kind, TableKind) and (kind.against if side in own_side_ids else kind.helps):
            cleared_names.append(name)
    return replace(entered, **{name: getattr(action, name) for name in cleared_names})


def _side_of(act: Act, value: Raw | None) -> int:
    with suppress(InvalidInput, Forbidden):
        return act.encounter.find_model(str(value)).side if value else 0
    return 0


def _switches(action: Action, group: str = SWITCHES_PART) -> tuple[Part, ...]:
    """Return the switches that share one part, with the tick for several if there is one."""
    drafted = list_fields_left_to_draft(action)
    all_switches = [
        part
        for part in open_parts(action.command)
        if isinstance(part.kind, Switch)
        and part.name not in drafted
        and not (group == MEASURED_SWITCHES_PART and part.kind.measures is not None)
    ]
    return tuple(all_switches[: MAX_SWITCHES - (action.command in SEVERAL_BY_COMMAND)])


def _may_be_ticked(looking: Looking, action: Action, part: Part) -> bool:
    """Return whether a switch is ticked already, or would not be refused whatever the other fields say."""
    return bool(getattr(action, part.name)) or may_be_said(looking, action, part, written(part, True))


def _is_void(looking: Looking, action: Action, part: Part) -> bool:
    """Return whether an optional field takes only what is offered, and that is nothing or refused."""
    command = action.command
    if not is_closed(command, part.name) or part.name in raw_of(action) or _is_wanted(part):
        return False
    variants = looking.changed(action, {blank.name for blank in open_parts(command) if _is_wanted(blank)})
    offers = looking.offers(action, part.name)
    if offers:
        return isinstance(part.kind, OneOf) and not possible(looking, action, part, offers)
    return not any(looking.offers(changed, part.name) for changed in variants)


def _is_whole(part: Part, controls: Sequence[FormControl]) -> bool:
    """Return whether a field's own part accepts every value: bands only their ends, free words only the
    likely ones, lists only the first.
    """
    control = next((candidate for candidate in controls if candidate.name == part.name), None)
    if control is None or control.shape == "line":
        return control is not None
    if len(control.choices) == MAX_CHOICES and not isinstance(part.kind, Number):
        return False
    return part.wire is not float and not (isinstance(part.kind, TableKind) and part.kind.freely)


def _label(part: Part) -> str:
    label = part.kind.labelled if isinstance(part.kind, TableKind) else ""
    return label or called(part).replace("_", " ").capitalize()


def _build_control(
    looking: Looking, action: Action, part: Part, tries: Tries | None, fact: Fact | None
) -> FormControl | None:
    """Return the control for one field, or None if nothing can be offered and it is optional.

    tries: whether a number is possible there with the likeliest in all the rest; None where nothing is.
    fact: what the board measures there, None for nothing.
    """
    kind = part.kind
    assert isinstance(kind, TableKind)
    if fact is not None:
        return _build_measured_control(looking, action, part, fact)
    current = raw_of(action).get(part.name)
    steps = _list_steps(part)
    texts = _list_default_texts(part, steps) if current in (None, "", ()) else (_text(current),)
    if steps:
        steps = [step for step in steps if step in texts or tries is None or tries(part, int(step))]
        if tuple(steps) == texts and not kind.needed:
            return None
        return _build_choice_control(part, [Offer(step, step) for step in steps], texts)
    offers = _distinct(looking.meant(action, part))
    if isinstance(kind, Number) and offers:
        return _build_choice_control(part, offers, () if current is None else texts)
    takes_several = bool(kind.joins) and not kind.freely
    each_apart = part.wire == tuple[str, ...] and not takes_several
    if each_apart and part.name in action.asked_first:
        return FormControl(part.name, _label(part), kind.help, "line", said=texts, longest=MAX_REST_LENGTH)
    if each_apart or not (offers or kind.needed or not kind.suggests):
        return None
    if offers and kind.notation:
        likely_texts = texts or ((_text(offers[0].value),) if kind.needed else ())
        return FormControl(
            part.name, _label(part), kind.help, "line", (), likely_texts, kind.needed, MAX_REST_LENGTH
        )
    if not offers:
        return FormControl(part.name, _label(part), kind.help, "line", said=texts, needed=kind.needed)
    usable = possible(looking, action, part, offers)
    is_only_choice = tuple(_text(offer.value) for offer in usable) == texts and isinstance(kind, OneOf)
    if not needed(part) and (is_only_choice or not (usable or texts)):
        return None
    entries = split(texts[0].replace(kind.joins, ",")) if takes_several and texts else texts
    offered_texts = tuple(
        name for entry in entries for name in _match_offers(looking, action, usable, (entry,))
    )
    return _build_choice_control(part, usable, offered_texts, takes_several=takes_several)


def _build_measured_control(looking: Looking, action: Action, part: Part, fact: Fact) -> FormControl:
    """Return the part for a field that the board measures: as measured, unless something else is chosen.

    What is measured goes with whatever target is chosen in the same form.
    """
    kind, current = part.kind, raw_of(action).get(part.name)
    assert isinstance(kind, TableKind)
    steps = _list_steps(part)
    offers = [Offer(step, step) for step in steps] or _distinct(looking.offers(action, part.name))
    words = fact.words or "none"
    if fact.of[1]:
        words = f"{words} to {looking.act(action).encounter.model(fact.of[1]).name}"
    if not offers:
        texts = () if current is None else (_text(current),)
        note = f"Leave blank to use the measured value ({words})"
        return FormControl(part.name, _without_default(_label(part)), note, "line", said=texts)
    control = _build_choice_control(
        part,
        [Offer(MEASURED, f"Measured: {words}"), *offers],
        (MEASURED if current is None else _text(current),),
    )
    return replace(control, label=_without_default(control.label), needed=False)


def _without_default(label: str) -> str:
    """Return a label without what its field means blank, as it means what is measured."""
    return re.sub(r",? ?\(?default: [^)]*(\)?)", lambda match: match[1] if "(" not in match[0] else "", label)


def _list_default_texts(part: Part, steps: Sequence[str]) -> tuple[str, ...]:
    """Return the default value if it can be shown: one of a few, words, a number.

    A number that must be said has none, nor has one out of its bounds, nor a distance of nothing.
    """
    kind, unsaid = part.kind, _text(part.unsaid) if part.unsaid is not None else ""
    assert isinstance(kind, TableKind)
    if unsaid in (*steps, *kind.choices):
        return (unsaid,)
    if isinstance(kind, Number) and isinstance(part.unsaid, int | float):
        is_meaningful = bool(part.unsaid) or part.wire is int
        return (unsaid,) if is_meaningful and not kind.needed and kind.holds(part.unsaid) else ()
    return (unsaid,) if unsaid and part.wire is str and not kind.needed else ()


def _match_offers(
    looking: Looking, action: Action, offers: Sequence[Offer], texts: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what was entered; a model by its number if offered so, else by name."""
    number = number_in(texts[0]) if texts else None
    if number is None:
        return texts
    act = looking.act(action)
    for value in (_text(offer.value) for offer in offers if act.has_encounter):
        with suppress(InvalidInput, Forbidden):
            if act.encounter.find_model(value).id == number:
                return (value,)
    return texts


def _build_choice_control(
    part: Part, offers: Sequence[Offer], texts: tuple[str, ...], *, takes_several: bool = False
) -> FormControl:
    kind = part.kind
    assert isinstance(kind, TableKind)
    choices = tuple(Choice(offer.label, _text(offer.value), offer.note) for offer in offers[:MAX_CHOICES])
    others = tuple(Choice(text, text) for text in texts if text not in {choice.value for choice in choices})
    choices = (*others, *choices)[:MAX_CHOICES]
    has_buttons = 2 <= len(choices) <= MAX_STEPS and (kind.needed or bool(texts)) and not takes_several
    shape: Shape = "radio" if has_buttons else "menu"
    return FormControl(
        part.name, _label(part), kind.help, shape, choices, texts, kind.needed, several=takes_several
    )


def _list_steps(part: Part) -> list[str]:
    kind = part.kind
    if not isinstance(kind, Number) or part.wire is not int or kind.least is None or kind.most is None:
        return []
    if part.unsaid is None or not 1 <= kind.most - kind.least <= MAX_STEPS:
        return []
    return [str(number) for number in range(int(kind.least), int(kind.most) + 1)]


def _distinct(offers: Sequence[Offer]) -> list[Offer]:
    by_value = {_text(offer.value): offer for offer in reversed(offers)}
    distinct = dict.fromkeys(_text(offer.value) for offer in offers)
    return [by_value[value] for value in distinct if 0 < len(value) <= MAX_OFFER_LENGTH]


def _build_switch_control(
    looking: Looking, action: Action, switches: Sequence[Part], name: str, other_parts: Sequence[Part]
) -> FormControl:
    """Return the ticks. other_parts: fields that a second form asks."""
    choices = [Choice(_label(part), part.name, part.kind.help) for part in switches]
    if (gathering := SEVERAL_BY_COMMAND.get(action.command)) is not None:
        choices.append(Choice(gathering.label, SEVERAL_TICK, gathering.about))
    if other_parts:
        choices.append(
            Choice("More options", FURTHER_TICK, ", ".join(map(called, other_parts))[:MAX_TEXT_LENGTH])
        )
    act = looking.act(action)
    ticked = tuple(
        part.name
        for part in switches
        if isinstance(part.kind, Switch)
        and part.kind.ticked(getattr(action, part.name), Asking(act, called(part)))
    )
    return FormControl(name, "Options", "Tick all that apply", "checks", tuple(choices), ticked)


def _build_rest_control(
    action: Action, other_parts: Sequence[Part], control_names: Collection[str]
) -> FormControl:
    """Return one line for all fields without a part of their own."""
    values = raw_of(action)
    text = "  ".join(
        f"{called(part)}: {_text(values[part.name])}"
        for part in other_parts
        if part.name in values and part.name not in control_names
    )
    first_name, *others = (called(part) for part in other_parts)
    also = f" You can also enter {', '.join(others)}." if others else ""
    note = f"Enter other values like this: `{first_name}: ...`.{also}"
    return FormControl(REST_PART, "More", note, "line", said=(text,) if text else (), longest=MAX_REST_LENGTH)


def _text(raw: Raw) -> str:
    if isinstance(raw, tuple):
        return ", ".join(str(item) for item in raw)
    return f"{raw:g}" if isinstance(raw, float) else str(raw)


# ------------------------------------------------------------------------------------ read


def read_form(action: Action, values: Mapping[str, Sequence[str]]) -> tuple[Action, list[Unread]]:
    """Return the action with what was filled in, and what of it could not be read.

    values: of each part, by its name. In a field that could not be read nothing is said.
    """
    command = action.command
    read_values: dict[str, Raw | None] = {}
    unread: list[Unread] = []
    by_name = {part.name: part for part in open_parts(command)}
    by_name |= {part.name: part for part in list_outside_parts(command)}
    for name, texts in values.items():
        if name in (REST_PART, FURTHER_REST):
            read_values |= dict.fromkeys(_list_fields_in_rest(action, values) if name == REST_PART else ())
            _read_pairs(command, " ".join(texts), read_values, unread)
        elif name in by_name:
            _read_field(by_name[name], ", ".join(texts).strip(), read_values, unread)
    entered_by_hand = by_hand(command, read_values)
    for group in {SWITCHES_PART, MEASURED_SWITCHES_PART} & values.keys():
        ticks = {part.name: written(part, part.name in values[group]) for part in _switches(action, group)}
        read_values = {**ticks, **read_values}
    read_values |= entered_by_hand
    unsaid = {part.name: part.default for part in parts(command)}
    kept_values = {name: unsaid[name] if value is None else value for name, value in read_values.items()}
    return replace(action, **kept_values), unread


def _list_fields_in_rest(action: Action, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Return the fields that were in the last line; a value that was deleted from the line is removed."""
    group = MEASURED_SWITCHES_PART if MEASURED_SWITCHES_PART in values else SWITCHES_PART
    elsewhere = not_asked_again(action.command) | values.keys()
    elsewhere |= {part.name for part in _switches(action, group)}
    for part in open_parts(action.command):
        if part.name in raw_of(action).keys() - elsewhere:
            assert isinstance(part.kind, TableKind)
            if not part.kind.alone:
                yield part.name


def _read_field(part: Part, text: str, read_values: dict[str, Raw | None], unread: list[Unread]) -> None:
    """Read the text of one field, or report what is wrong with it."""
    if text == MEASURED and isinstance(part.kind, TableKind) and part.kind.measures is not None:
        read_values[part.name] = None
        return
    try:
        read_values[part.name] = written(part, parse_bounded(part, text)) if text else None
    except InvalidInput as refusal:
        read_values[part.name] = None
        unread.append(Unread(part.name, text, refusal.sentence))


def parse_bounded(part: Part, text: str) -> Any:
    """Return what was typed, as a number where one is due. Raises InvalidInput, also out of its bounds."""
    kind = part.kind
    if not isinstance(kind, Number):
        return text
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        raise Missing(f"Enter a number for {_label(part)} (you entered {text[:20]}).") from None
    is_allowed = part.wire is not int or number.is_integer()
    if not is_allowed or not kind.holds(number):
        whole_one = "" if part.wire is float else "a whole number, "
        raise InvalidInput(f"{_label(part)} must be {whole_one}{kind.bounds} (you entered {number:g}).")
    return int(number) if part.wire is int else number


def _is_notation(part: Part) -> bool:
    return isinstance(part.kind, TableKind) and part.kind.notation


_PAIR = re.compile(r"([A-Za-z_]\w*)\s*:\s*(.*?)(?=\s+[A-Za-z_]\w*\s*:|$)", re.DOTALL)


def _read_pairs(command: str, text: str, read_values: dict[str, Raw | None], unread: list[Unread]) -> None:
    """Read what was written as `name: value`, or tell what is wrong with it."""
    if not text.strip():
        return
    parts_by_name = {called(part).casefold(): part for part in open_parts(command)}
    pairs = _PAIR.findall(text.strip())
    if not pairs:
        missing = f"Enter an option and its value under More, like this: `{next(iter(parts_by_name))}: ...`"
        unread.append(Unread("", text.strip(), missing))
    for name, value in pairs:
        part = parts_by_name.get(name.casefold())
        if part is None:
            names = ", ".join(parts_by_name)
            unknown = f"There is no option called {name} here. Under More, you can enter {names}."
            unread.append(Unread("", f"{name}: {value.strip()}", unknown))
        elif isinstance(part.kind, Switch):
            read_values[part.name] = written(part, value.strip().casefold() in ("yes", "true", "on", "1"))
        else:
            words = remove_invisible(value) if _is_notation(part) else make_harmless(value)
            _read_field(part, words.strip(), read_values, unread)
