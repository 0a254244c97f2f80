"""Forms made from the declarations of actions: filled in with what is likeliest, and read back."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from bot.actions import ACTIONS, Action, Part, Raw, Typed, doer, number_in, parts, raw_of
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
from bot.table.names import harmless, visible
from bot.table.offers.legal_actions import Looking, is_closed, may_be_said, not_asked_again, possible
from rules.refusals import Forbidden, InvalidInput, Missing

SEVERALLY = "several."
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


SEVERAL: dict[str, Several] = {}
"""Commands that may be at several, and how they go on."""


def ticked(values: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return what is ticked in the part of the switches."""
    return (*values.get(ALSO, ()), *values.get(ALSO_MEASURED, ()))


def left_to_draft(action: Action) -> frozenset[str]:
    """Return the fields of an action that its form leaves to the draft: none that was said."""
    several = SEVERAL.get(action.command)
    return several.instead - raw_of(action).keys() if several is not None else frozenset()


def begun(act: Act, action: Action) -> Action | None:
    """Return the draft that continues from the form, or None. Raises InvalidInput, Forbidden."""
    several = SEVERAL.get(action.command)
    return several.begins(act, action) if several is not None else None


MAX_PARTS = 5
MAX_SWITCHES = 10
MAX_STEPS = 5
"""The widest range of whole numbers that are chosen and not typed."""

ALSO = "also."
"""The part that holds the switches."""

ALSO_MEASURED = "also.measured."
"""The same where a board measures some: those are left out, and written into the rest."""

REST = "rest."
"""The part into which the other fields are written."""

FURTHER, FURTHER_REST = "further.", "rest.further."
"""The tick that opens a second form for the other fields, and its part for those without their own."""

SECOND: Typed = (("", ""),)
"""The mark of a button that opens the second form."""

CHANGE = "Change..."
"""The button that opens the form of an action again, filled in with what was said."""

MEASURED = "measured"
"""What is chosen for a fact to be as the board measures it."""

MAX_REST_LENGTH = 300
MAX_TEXT_LENGTH = 100

Chosen = Mapping[str, Sequence[Offer]]
"""Choices for each of `chosen_parts`, by its name."""

NOTHING: Chosen = {}

Tries = Callable[[Part, Raw], bool]

Shape = Literal["menu", "radio", "checks", "line"]


@dataclass(frozen=True, slots=True)
class FormControl:
    """A part of a form. name: the field that it fills, `ALSO` or `REST`. said: its present text.

    several: more than one choice may be made.
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


def changing(action: Action) -> list[Button]:
    """Return the button that opens an action's form, if anything can change and its id has room."""
    button = Button(CHANGE, action, anytime=True, asks=True)
    who = doer(action.command)
    asked = action.typed and any(part != who for part in open_parts(action.command))
    return [button] if asked and has_room(button) else []


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


def begins_with(kind: type[Action]) -> Part | None:
    """Return the field that tells who does it, where it is one of names."""
    who = doer(kind.command)
    return who if who in open_parts(kind.command) and who.wire is str else None


def chosen_parts(command: str) -> tuple[Part, ...]:
    """Return a form's fields for things outside the scope, whose suggestions are read beforehand."""
    return tuple(
        part
        for part in options_of(ACTIONS[command])
        if isinstance(part.kind, Elsewhere) and part.kind.in_forms
    )


def form_of(
    looking: Looking, action: Action, extra: Any = None, chosen: Chosen = NOTHING, typed: Typed = ()
) -> AskForm:
    """Return the form of an action.

    It is filled in with the fields that the action has; the acting model stays as it is. chosen: the choices
    for each of `chosen_parts`. typed: text that could not be read, which is shown again.
    """
    command = action.command
    said = raw_of(action)
    found = looking.legal(type(action), said, extra)
    likeliest = _without_numbers(found.action, action)
    base = action if found.reason else _on_the_right_side(looking, action, likeliest)
    base = _begun(looking, base)

    def tried(part: Part, value: Raw) -> bool:
        return not looking.refusal_typed(replace(found.action, **{part.name: value}), extra)

    tries = None if found.reason else tried
    fixed = (not_asked_again(command) & set(said)) | left_to_draft(action)
    asked = [
        part
        for part in open_parts(command)
        if part.name not in fixed
        and not _is_clear(looking, action, part)
        and (looking.has_board(action) or not part.kind.on_board)  # type: ignore[attr-defined]
    ]
    facts = {part.name: fact for part in asked if (fact := looking.measured(base, part)) is not None}
    group = ALSO_MEASURED if any(part.name in facts for part in _switches(action)) else ALSO
    every = _switches(action, group)
    switches = [part for part in every if _may_be_ticked(looking, base, part)]
    several = SEVERAL.get(command)
    fields = [part for part in asked if not isinstance(part.kind, Switch)]
    fields.sort(key=_when_asked(type(action)))
    own = [
        _from_outside(action, part, chosen[part.name])
        for part in chosen_parts(command)
        if part.name in chosen
    ]
    room = MAX_PARTS - bool(switches or several) - len(own)

    void = {part.name for part in fields if _is_void(looking, base, part)}

    def controls_of(fields: Iterable[Part], room: int) -> list[FormControl]:
        shown = list[FormControl]()
        for part in fields:
            if len(shown) == room or part.name in void:
                continue
            control = _control(looking, base, part, tries, facts.get(part.name))
            if control is not None:
                shown.append(control)
            elif is_closed(command, part.name) or _steps(part):
                void.add(part.name)
        return shown

    shown = controls_of(fields, room)
    others = [part for part in asked if part not in every and part.name not in void]
    is_whole = all(_is_whole(part, shown) for part in others)
    wanted = {part.name for part in fields if _is_wanted(part)} | set(action.asked_first)
    further = not is_whole and bool(switches) and len(shown) == room and {one.name for one in shown} <= wanted
    if not is_whole and not further:
        del shown[room - 1 :]
    rest = [part for part in others if not _is_whole(part, shown)]
    named = {control.name for control in shown}
    if further and typed == SECOND:
        shown = controls_of((part for part in rest if part.name not in named), MAX_PARTS - 1)
        rest = [part for part in rest if not _is_whole(part, shown)]
        line = replace(_rest(base, rest, raw_of(base)), name=FURTHER_REST)
        return AskForm(title_of(type(action)), action, (*shown, *([line] if rest else [])))
    if switches or several:
        shown.append(_group(looking, base, switches, group, rest if further else ()))
    if rest and not further:
        shown.append(_rest(base, rest, named))
    controls = sorted((*own, *shown), key=lambda one: not one.needed)
    return AskForm(title_of(type(action)), action, tuple(_as_typed(command, controls, typed)))


def _begun(looking: Looking, action: Action) -> Action:
    """Return an action with the first value that is offered in each field that a form begins with."""
    for part in open_parts(action.command):
        assert isinstance(part.kind, TableKind)
        if part.kind.begun and part.name not in raw_of(action):
            offers = looking.offers(action, part.name)
            action = replace(action, **{part.name: offers[0].value}) if offers else action
    return action


def _when_asked(kind: type[Action]) -> Callable[[Part], int]:
    """Return when a form asks a field: what is needed, what matters every time, the rest."""
    usual = {name: place for place, name in enumerate(kind.asked_first, 1)}

    def place(part: Part) -> int:
        first = _is_wanted(part) or part.kind.on_board  # type: ignore[attr-defined]
        return 0 if first else usual.get(part.name, len(usual) + 1)

    return place


def _is_wanted(part: Part) -> bool:
    return isinstance(part.kind, TableKind) and (part.kind.needed or part.kind.wanted)


def _from_outside(action: Action, part: Part, offers: Sequence[Offer]) -> FormControl:
    said = getattr(action, part.name)
    return _chosen(part, offers, (_text(said),) if said else ())


def _as_typed(command: str, shown: Sequence[FormControl], typed: Typed) -> Iterator[FormControl]:
    """Yield the parts with typed text that could not be read: in its own part, or in the rest's."""
    lines = {control.name for control in shown if control.shape == "line"}
    names = {part.name: f"{called(part)}: " for part in open_parts(command)}
    rest = [f"{names.get(name, '')}{text}" for name, text in typed if name not in lines]
    for control in shown:
        again = rest if control.name == REST else [text for name, text in typed if name == control.name]
        said = (*control.said, *again) if control.name == REST else again
        yield replace(control, said=("  ".join(said),)) if again and control.shape == "line" else control


def _is_clear(looking: Looking, action: Action, part: Part) -> bool:
    """Return whether only one thing can be meant in a field, and nothing else was said."""
    if not (isinstance(part.kind, TableKind) and part.kind.alone):
        return False
    offered = [one.value for one in looking.offers(action, part.name)]
    return len(offered) == 1 and raw_of(action).get(part.name, offered[0]) == offered[0]


def _without_numbers(action: Action, said: Action) -> Action:
    numbers = [part.name for part in parts(action.command) if isinstance(part.kind, Number)]
    return replace(action, **{name: getattr(said, name) for name in numbers})


def _on_the_right_side(looking: Looking, action: Action, said: Action) -> Action:
    """Return what was tried without friends in the place of enemies, or enemies in the place of friends,
    unless the player named them.
    """
    act = looking.act(said)
    if not act.has_encounter:
        return said
    own, named, now = own_sides(act, said), raw_of(action), raw_of(said)
    kinds = {part.name: part.kind for part in open_parts(said.command) if part.name not in named}
    spared = []
    for name, kind in kinds.items():
        side = _side_of(act, now.get(name)) if isinstance(kind, TableKind) else 0
        if side and isinstance(kind, TableKind) and (kind.against if side in own else kind.helps):
            spared.append(name)
    return replace(said, **{name: getattr(action, name) for name in spared})


def _side_of(act: Act, said: Raw | None) -> int:
    with suppress(InvalidInput, Forbidden):
        return act.encounter.find_model(str(said)).side if said else 0
    return 0


def _switches(action: Action, group: str = ALSO) -> tuple[Part, ...]:
    """Return the switches that share one part, with the tick for several if there is one."""
    drafted = left_to_draft(action)
    every = [
        part
        for part in open_parts(action.command)
        if isinstance(part.kind, Switch)
        and part.name not in drafted
        and not (group == ALSO_MEASURED and part.kind.measures is not None)
    ]
    return tuple(every[: MAX_SWITCHES - (action.command in SEVERAL)])


def _may_be_ticked(looking: Looking, action: Action, part: Part) -> bool:
    """Return whether a switch is ticked already, or would not be refused whatever the other fields say."""
    return bool(getattr(action, part.name)) or may_be_said(looking, action, part, written(part, True))


def _is_void(looking: Looking, action: Action, part: Part) -> bool:
    """Return whether an optional field takes only what is offered, and that is nothing or refused."""
    command = action.command
    if not is_closed(command, part.name) or part.name in raw_of(action) or _is_wanted(part):
        return False
    ways = looking.changed(action, {one.name for one in open_parts(command) if _is_wanted(one)})
    offers = looking.offers(action, part.name)
    if offers:
        return isinstance(part.kind, OneOf) and not possible(looking, action, part, offers)
    return not any(looking.offers(way, part.name) for way in ways)


def _is_whole(part: Part, shown: Sequence[FormControl]) -> bool:
    """Return whether a field's own part accepts every value: bands only their ends, free words only the
    likely ones, lists only the first.
    """
    control = next((one for one in shown if one.name == part.name), None)
    if control is None or control.shape == "line":
        return control is not None
    if len(control.choices) == MAX_CHOICES and not isinstance(part.kind, Number):
        return False
    return part.wire is not float and not (isinstance(part.kind, TableKind) and part.kind.freely)


def _label(part: Part) -> str:
    named = part.kind.labelled if isinstance(part.kind, TableKind) else ""
    return named or called(part).replace("_", " ").capitalize()


def _control(
    looking: Looking, action: Action, part: Part, tries: Tries | None, fact: Fact | None
) -> FormControl | None:
    """Return the part for one field, or None if nothing can be offered and it is optional.

    tries: whether a number is possible there with the likeliest in all the rest; None where nothing is.
    fact: what the board measures there, None for nothing.
    """
    kind = part.kind
    assert isinstance(kind, TableKind)
    if fact is not None:
        return _as_measured(looking, action, part, fact)
    now = raw_of(action).get(part.name)
    steps = _steps(part)
    said = _default(part, steps) if now in (None, "", ()) else (_text(now),)
    if steps:
        steps = [step for step in steps if step in said or tries is None or tries(part, int(step))]
        if tuple(steps) == said and not kind.needed:
            return None
        return _chosen(part, [Offer(step, step) for step in steps], said)
    offers = _distinct(looking.meant(action, part))
    if isinstance(kind, Number) and offers:
        return _chosen(part, offers, () if now is None else said)
    several = bool(kind.joins) and not kind.freely
    each_apart = part.wire == tuple[str, ...] and not several
    if each_apart and part.name in action.asked_first:
        return FormControl(part.name, _label(part), kind.help, "line", said=said, longest=MAX_REST_LENGTH)
    if each_apart or not (offers or kind.needed or not kind.suggests):
        return None
    if offers and kind.notation:
        likely = said or ((_text(offers[0].value),) if kind.needed else ())
        return FormControl(
            part.name, _label(part), kind.help, "line", (), likely, kind.needed, MAX_REST_LENGTH
        )
    if not offers:
        return FormControl(part.name, _label(part), kind.help, "line", said=said, needed=kind.needed)
    good = possible(looking, action, part, offers)
    only = tuple(_text(one.value) for one in good) == said and isinstance(kind, OneOf)
    if not needed(part) and (only or not (good or said)):
        return None
    each = split(said[0].replace(kind.joins, ",")) if several and said else said
    shown = tuple(name for one in each for name in _as_offered(looking, action, good, (one,)))
    return _chosen(part, good, shown, several=several)


def _as_measured(looking: Looking, action: Action, part: Part, fact: Fact) -> FormControl:
    """Return the part for a field that the board measures: as measured, unless something else is chosen.

    What is measured goes with whatever target is chosen in the same form.
    """
    kind, now = part.kind, raw_of(action).get(part.name)
    assert isinstance(kind, TableKind)
    steps = _steps(part)
    offers = [Offer(step, step) for step in steps] or _distinct(looking.offers(action, part.name))
    words = fact.words or "none"
    if fact.of[1]:
        words = f"{words} to {looking.act(action).encounter.model(fact.of[1]).name}"
    if not offers:
        said = () if now is None else (_text(now),)
        note = f"Leave blank to measure it ({words})"
        return FormControl(part.name, _label(part), note, "line", said=said)
    control = _chosen(
        part,
        [Offer(MEASURED, f"Measured: {words}"), *offers],
        (MEASURED if now is None else _text(now),),
    )
    return replace(control, needed=False)


def _default(part: Part, steps: Sequence[str]) -> tuple[str, ...]:
    """Return the default value if it can be shown: one of a few, words, a number.

    A number that must be said has none, nor has one out of its bounds, nor a distance of nothing.
    """
    kind, unsaid = part.kind, _text(part.unsaid) if part.unsaid is not None else ""
    assert isinstance(kind, TableKind)
    if unsaid in (*steps, *kind.choices):
        return (unsaid,)
    if isinstance(kind, Number) and isinstance(part.unsaid, int | float):
        means = bool(part.unsaid) or part.wire is int
        return (unsaid,) if means and not kind.needed and kind.holds(part.unsaid) else ()
    return (unsaid,) if unsaid and part.wire is str and not kind.needed else ()


def _as_offered(
    looking: Looking, action: Action, offers: Sequence[Offer], said: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what was entered; a model by its number if offered so, else by name."""
    number = number_in(said[0]) if said else None
    if number is None:
        return said
    act = looking.act(action)
    for value in (_text(one.value) for one in offers if act.has_encounter):
        with suppress(InvalidInput, Forbidden):
            if act.encounter.find_model(value).id == number:
                return (value,)
    return said


def _chosen(
    part: Part, offers: Sequence[Offer], said: tuple[str, ...], *, several: bool = False
) -> FormControl:
    kind = part.kind
    assert isinstance(kind, TableKind)
    choices = tuple(Choice(one.label, _text(one.value), one.note) for one in offers[:MAX_CHOICES])
    others = tuple(Choice(one, one) for one in said if one not in {choice.value for choice in choices})
    choices = (*others, *choices)[:MAX_CHOICES]
    few = 2 <= len(choices) <= MAX_STEPS and (kind.needed or bool(said)) and not several
    shape: Shape = "radio" if few else "menu"
    return FormControl(part.name, _label(part), kind.help, shape, choices, said, kind.needed, several=several)


def _steps(part: Part) -> list[str]:
    kind = part.kind
    if not isinstance(kind, Number) or part.wire is not int or kind.least is None or kind.most is None:
        return []
    if part.unsaid is None or not 1 <= kind.most - kind.least <= MAX_STEPS:
        return []
    return [str(number) for number in range(int(kind.least), int(kind.most) + 1)]


def _distinct(offers: Sequence[Offer]) -> list[Offer]:
    by_value = {_text(one.value): one for one in reversed(offers)}
    found = dict.fromkeys(_text(one.value) for one in offers)
    return [by_value[value] for value in found if 0 < len(value) <= MAX_OFFER_LENGTH]


def _group(
    looking: Looking, action: Action, switches: Sequence[Part], name: str, rest: Sequence[Part]
) -> FormControl:
    """Return the ticks. rest: fields that a second form asks."""
    choices = [Choice(_label(part), part.name, part.kind.help) for part in switches]
    if (several := SEVERAL.get(action.command)) is not None:
        choices.append(Choice(several.label, SEVERALLY, several.about))
    if rest:
        choices.append(
            Choice("More options", FURTHER, f"Next: {', '.join(map(called, rest))}"[:MAX_TEXT_LENGTH])
        )
    act = looking.act(action)
    said = tuple(
        part.name
        for part in switches
        if isinstance(part.kind, Switch)
        and part.kind.ticked(getattr(action, part.name), Asking(act, called(part)))
    )
    return FormControl(name, "Options", "Tick all that apply", "checks", tuple(choices), said)


def _rest(action: Action, rest: Sequence[Part], shown: Collection[str]) -> FormControl:
    """Return one line for all fields without a part of their own."""
    now = raw_of(action)
    said = "  ".join(
        f"{called(part)}: {_text(now[part.name])}"
        for part in rest
        if part.name in now and part.name not in shown
    )
    first, *others = (called(part) for part in rest)
    also = f". You can also enter {', '.join(others)}" if others else ""
    note = f"Anything else? For example {first}: ...{also}"
    return FormControl(REST, "More", note, "line", said=(said,) if said else (), longest=MAX_REST_LENGTH)


def _text(raw: Raw) -> str:
    if isinstance(raw, tuple):
        return ", ".join(str(one) for one in raw)
    return f"{raw:g}" if isinstance(raw, float) else str(raw)


# ------------------------------------------------------------------------------------ read


def filled(action: Action, values: Mapping[str, Sequence[str]]) -> tuple[Action, list[Unread]]:
    """Return the action with what was filled in, and what of it could not be read.

    values: of each part, by its name. In a field that could not be read nothing is said.
    """
    command = action.command
    said: dict[str, Raw | None] = {}
    wrong: list[Unread] = []
    by_name = {part.name: part for part in open_parts(command)}
    by_name |= {part.name: part for part in chosen_parts(command)}
    for name, given in values.items():
        if name in (REST, FURTHER_REST):
            said |= dict.fromkeys(_stood_in_rest(action, values) if name == REST else ())
            _written_out(command, " ".join(given), said, wrong)
        elif name in by_name:
            _take(by_name[name], ", ".join(given).strip(), said, wrong)
    hand = by_hand(command, said)
    for group in {ALSO, ALSO_MEASURED} & values.keys():
        ticks = {part.name: written(part, part.name in values[group]) for part in _switches(action, group)}
        said = {**ticks, **said}
    said |= hand
    unsaid = {part.name: part.default for part in parts(command)}
    kept = {name: unsaid[name] if value is None else value for name, value in said.items()}
    return replace(action, **kept), wrong


def _stood_in_rest(action: Action, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Return the fields that were in the last line; a value that was deleted from the line is removed."""
    group = ALSO_MEASURED if ALSO_MEASURED in values else ALSO
    elsewhere = not_asked_again(action.command) | values.keys()
    elsewhere |= {part.name for part in _switches(action, group)}
    for part in open_parts(action.command):
        if part.name in raw_of(action).keys() - elsewhere:
            assert isinstance(part.kind, TableKind)
            if not part.kind.alone:
                yield part.name


def _take(part: Part, text: str, said: dict[str, Raw | None], wrong: list[Unread]) -> None:
    """Read the text of one field, or report what is wrong with it."""
    if text == MEASURED and isinstance(part.kind, TableKind) and part.kind.measures is not None:
        said[part.name] = None
        return
    try:
        said[part.name] = written(part, bounded(part, text)) if text else None
    except InvalidInput as refusal:
        said[part.name] = None
        wrong.append(Unread(part.name, text, refusal.sentence))


def bounded(part: Part, text: str) -> Any:
    """Return what was typed, as a number where one is due. Raises InvalidInput, also out of its bounds."""
    kind = part.kind
    if not isinstance(kind, Number):
        return text
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        raise Missing(f"Enter a number for {_label(part)} (you entered {text[:20]}).") from None
    whole = part.wire is not int or number.is_integer()
    if not whole or not kind.holds(number):
        whole_one = "" if part.wire is float else "a whole number, "
        raise InvalidInput(f"{_label(part)} must be {whole_one}{kind.bounds} (you entered {number:g}).")
    return int(number) if part.wire is int else number


def _is_notation(part: Part) -> bool:
    return isinstance(part.kind, TableKind) and part.kind.notation


_PAIR = re.compile(r"([A-Za-z_]\w*)\s*:\s*(.*?)(?=\s+[A-Za-z_]\w*\s*:|$)", re.DOTALL)


def _written_out(command: str, text: str, said: dict[str, Raw | None], wrong: list[Unread]) -> None:
    """Read what was written as `name: value`, or tell what is wrong with it."""
    if not text.strip():
        return
    named = {called(part).casefold(): part for part in open_parts(command)}
    pairs = _PAIR.findall(text.strip())
    if not pairs:
        missing = f"Enter a name and its value under More, for example {next(iter(named))}: ..."
        wrong.append(Unread("", text.strip(), missing))
    for name, value in pairs:
        part = named.get(name.casefold())
        if part is None:
            unknown = f"There is no {name} here. Under More you can enter {', '.join(named)}."
            wrong.append(Unread("", f"{name}: {value.strip()}", unknown))
        elif isinstance(part.kind, Switch):
            said[part.name] = written(part, value.strip().casefold() in ("yes", "true", "on", "1"))
        else:
            words = visible(value) if _is_notation(part) else harmless(value)
            _take(part, words.strip(), said, wrong)
