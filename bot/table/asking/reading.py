"""Actions read from what was typed, and written into the id of a button."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, unquote

from bot.actions import (
    ACTIONS,
    Action,
    BadId,
    Part,
    Raw,
    action_of,
    parse_value,
    part_of,
    parts,
    raw_of,
    require_finite,
    require_storable,
    with_sorted_lists,
)
from bot.ids import base36
from bot.table.act import ActView
from bot.table.asking.kinds import Asking, TableKind
from bot.table.asking.server_kinds import Elsewhere
from bot.table.names import OutOfPlay
from rules.refusals import Forbidden, InvalidInput, Missing

if TYPE_CHECKING:
    from bot.store.store import Store
    from bot.table.act import Actor
    from bot.table.board.facts import Fact


A = TypeVar("A", bound=Action)

BY_HAND = "by_hand"
"""The field of an action that names those of its facts that were entered although the board measures them."""

BEYOND_ALL = 10.0**9
"""A number above everything that is measured, so that no sum in a rule becomes too large for a number."""


def called(part: Part) -> str:
    """Return how a field is called in a slash command, a form and a refusal."""
    return part.kind.called or part.name


def understood(act: ActView, action: A) -> A:
    """Return the action with the things that its fields name, as what the act is about.

    Raises InvalidInput, Forbidden.
    """
    if _is_plain(action.command):
        act.action = act.canonical = read_action = with_sorted_lists(action)
        return read_action
    act.action = act.canonical = read_action = read(act, action)
    act.seen_facts = _compared(act, action, read_action)
    if act.action.looks and hasattr(read_action, "odds"):
        act.canonical = replace(read_action, odds=False)  # type: ignore[call-arg]
    return read_action


def with_numbers(asked_action: A, read_action: A) -> A:
    """Return an action as it was asked, with its models by number, so that a new name changes nothing."""
    asked_values, read_values = raw_of(asked_action), raw_of(read_action)
    return replace(asked_action, **{name: read_values[name] for name in asked_values if name in read_values})


@cache
def _is_plain(command: str) -> bool:
    return not any(isinstance(part.kind, TableKind) for part in parts(command))


def read(act: ActView, action: A, *, kept: bool = False) -> A:
    """Return the action with the things that its fields name. Raises InvalidInput, Forbidden.

    kept: see `Asking`.
    """
    values = read_up_to(act, action, "", kept=kept)
    read_so = {name: value for name, value in values.items() if value is not getattr(action, name)}
    return with_sorted_lists(replace(action, **read_so) if read_so else action)


def read_up_to(act: ActView, action: Action, before: str, *, kept: bool = False) -> dict[str, Any]:
    """Return the things of the fields that stand before one. Raises InvalidInput, Forbidden."""
    so_far: dict[str, Any] = {}
    for part in parts(action.command):
        if part.name == before:
            break
        so_far[part.name] = read_part(act, part, getattr(action, part.name), so_far, kept=kept)
    return so_far


def read_leniently(act: ActView, action: Action, before: str) -> dict[str, Any]:
    """Return the things of the fields that stand before one, None for what cannot be read."""
    so_far: dict[str, Any] = {}
    for part in parts(action.command):
        if part.name == before:
            break
        try:
            so_far[part.name] = read_part(act, part, getattr(action, part.name), so_far)
        except (InvalidInput, Forbidden):
            so_far[part.name] = None
    return so_far


def read_part(act: ActView, part: Part, value: Any, so_far: Mapping[str, Any], *, kept: bool = False) -> Any:
    """Return the thing of one field, by the things of those before it. Raises InvalidInput, Forbidden."""
    if part.meant and value is part.default:
        return part.meant[0]
    if isinstance(value, float) and not abs(value) < BEYOND_ALL:
        raise InvalidInput(f"{called(part).capitalize()} is too large. Enter a smaller number.")
    kind = part.kind
    if not isinstance(kind, TableKind):
        return value
    raw = kind.write(value)
    asking = Asking(act, called(part), so_far, kept=kept)
    if raw is None or raw == part.unsaid:
        fact = measured(part, asking)
        default = kind.unsaid(part.default, asking) if fact is None else fact.meant()
        if fact is not None and isinstance(default, float):
            act.measure(default)
        if default is None and kind.needed:
            hint = kind.help.removeprefix("The ").removeprefix("the ") or called(part)
            if hint.lower().startswith(called(part)):
                raise InvalidInput(f"Enter the {hint[0].lower()}{hint[1:]}.")
            raise InvalidInput(f'Fill in "{called(part)}": {hint}{"" if hint.endswith("?") else "."}')
        return default
    try:
        return kind.read(raw, asking)
    except OutOfPlay as refusal:
        if act.action.looks and (kind.against or part.name == "target"):
            no_chance = "An attack on this model has no chance of success."
            raise InvalidInput(f"{refusal.sentence} {no_chance}") from None
        raise


def measured(part: Part, context: Asking) -> Fact | None:
    """Return what the board measures for a field; None without a board, or if it was entered by hand."""
    if not isinstance(part.kind, TableKind) or part.kind.measures is None or not context.act.has_encounter:
        return None
    if part.name in getattr(context.act.action, BY_HAND, ()):
        return None
    return part.kind.measures(context)


@cache
def _measured_parts(command: str) -> tuple[Part, ...]:
    return tuple(
        part for part in parts(command) if isinstance(part.kind, TableKind) and part.kind.measures is not None
    )


def _compared(act: ActView, action: Action, asked_action: Action) -> tuple[str, ...]:
    """Return what the board measured for an action and what was entered instead, in lines for everyone."""
    compared, instead = [], []
    so_far = {part.name: getattr(asked_action, part.name) for part in parts(asked_action.command)}
    for part in _measured_parts(asked_action.command):
        kind = part.kind
        assert isinstance(kind, TableKind)
        assert kind.measures is not None
        fact = kind.measures(Asking(act, called(part), so_far))
        if fact is None:
            continue
        act.seen_pair = fact.of if any(fact.of) else act.seen_pair
        value = so_far[part.name]
        if value == fact.value:
            compared += [fact.words] if fact.words and fact.words not in compared else []
        else:
            name = (kind.labelled or called(part)).replace("_", " ")
            instead.append(f"{name} {_entered(kind.write(value))} (on the board: {fact.words or 'no'})")
    lines = [f"Measured: {', '.join(compared)}."] if compared else []
    return (*lines, *([f"Entered by hand: {', '.join(instead)}."] if instead else []))


def _entered(raw: Raw) -> str:
    if isinstance(raw, bool) or raw is None:
        return "yes" if raw else "no"
    return f"{raw:g}" if isinstance(raw, float) else str(raw)


def by_hand(command: str, entered: Mapping[str, Any]) -> dict[str, Raw]:
    """Return the field that names what was entered by hand although it is what nothing said would mean.

    entered: what was entered, as it is written; None for what was not. Nothing where there is no such field.
    """
    if BY_HAND not in {part.name for part in parts(command)}:
        return {}
    names = [
        part.name
        for part in _measured_parts(command)
        if entered.get(part.name) is not None and entered[part.name] == part.unsaid
    ]
    return {BY_HAND: tuple(names)}


async def typed_action(store: Store, actor: Actor, kind: type[Action], entered: Mapping[str, Any]) -> Action:
    """Return the action that is asked by what was typed, by the fields' names; what is None was not.

    Raises InvalidInput.
    """
    values: dict[str, Raw] = {}
    for name, value in entered.items():
        part = part_of(kind.command, name)
        if isinstance(part.kind, Elsewhere):
            raw = await part.kind.located(store, actor, value or "")
        else:
            raw = None if value is None else written(part, value)
        if raw is not None:
            values[part.name] = raw
    values |= by_hand(kind.command, values)
    return action_of(kind.command, values).as_typed_action()


def written(part: Part, value: Any) -> Raw:
    """Return a typed value as the field is written. Raises InvalidInput."""
    if isinstance(part.kind, TableKind):
        value = part.kind.typed(value)
    if isinstance(value, str) and part.wire is not str:
        if isinstance(part.kind, TableKind) and part.wire == tuple[str, ...]:
            return part.kind.write(value)
        try:
            value = parse_value(value, part.wire)
        except ValueError:
            several = part.wire == tuple[int, ...]
            numbers = 'numbers separated by spaces, such as "10 2",' if several else "a number"
            raise Missing(f'Enter {numbers} for "{called(part)}".') from None
    return part.kind.write(float(value) if part.wire is float and value is not None else value)


def noticed(action: Action, seen_names: set[str]) -> Action:
    """Return the same action; the names of the fields that are looked at come into `seen`.

    Whatever is made of it is an action like any other, and by then all its fields have been looked at.
    """
    watched: Action = object.__new__(_watched(type(action)))
    object.__setattr__(watched, "noticed_action", action)
    object.__setattr__(watched, "noticed_in", seen_names)
    return watched


_WATCHED: dict[type[Action], Any] = {}


def _watched(kind: type[Action]) -> Any:
    if kind not in _WATCHED:
        _WATCHED[kind] = _made(kind)
    return _WATCHED[kind]


def _made(kind: type[Action]) -> type[Action]:
    """Return a subclass whose fields record that they are read; it makes actions of the kind itself."""

    def field(name: str) -> property:
        def look(self: Any) -> Any:
            self.noticed_in.add(name)
            return getattr(self.noticed_action, name)

        return property(look)

    return type(
        kind.__name__,
        (kind,),
        {
            "__slots__": ("noticed_action", "noticed_in"),
            "__eq__": lambda self, other: replace(self) == other,
            "__hash__": kind.__hash__,
            "__new__": lambda cls, *values, **fields: kind(*values, **fields),
            "looks": property(lambda self: self.noticed_action.looks),
            **{part.name: field(part.name) for part in parts(kind.command)},
        },
    )


class Fields(dict[str, Any]):
    """The things of the fields that were read so far. seen: the names of those that are looked at."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def __iter__(self) -> Iterator[str]:
        """Yield the names. Code that copies the values looks at each name and uses none of these methods."""
        return super().__iter__()

    def __getitem__(self, name: str) -> Any:
        """Return the thing of a field."""
        self.seen.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the thing of a field, if it was read."""
        self.seen.add(name)
        return super().get(name, default)

    def values(self) -> Any:
        """Return the things of all fields."""
        self.seen.update(self)
        return super().values()

    def items(self) -> Any:
        """Return all fields and their things."""
        self.seen.update(self)
        return super().items()


LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"

BETWEEN, NUMBERED, ONE_OF = "/", "!", "+"
"""Between fields; before the number of what is written as `#12`; before the place of one of a few words."""


def inside(action: Action) -> str:
    """Return the action as such a word."""
    command, values = action.command, raw_of(action)
    switches = sum(1 << number for number, part in enumerate(_switches(command)) if part.name in values)
    field_texts = [
        LETTERS[number] + _write(values[part.name], part)
        for number, part in enumerate(parts(command))
        if part.name in values and part.wire is not bool
    ]
    return BETWEEN.join([_stamp(command) + (base36(switches) if switches else ""), *field_texts])


def from_inside(command: str, text: str) -> Action:
    """Return the action that is such a word. Raises BadId, also for one of another version."""
    first, *field_texts = text.split(BETWEEN)
    if command not in ACTIONS or first[:2] != _stamp(command):
        raise BadId(text)
    shape, values = parts(command), dict[str, Raw]()
    try:
        switches = int(first[2:] or "0", 36)
        for number, part in enumerate(_switches(command)):
            if switches >> number & 1:
                values[part.name] = not part.default
        for field in field_texts:
            part = shape[LETTERS.index(field[:1] or "?")]
            values[part.name] = _read(field[1:], part)
        return action_of(command, values)
    except (ValueError, LookupError) as error:
        raise BadId(text) from error


@cache
def _switches(command: str) -> tuple[Part, ...]:
    return tuple(part for part in parts(command) if part.wire is bool)


@cache
def _stamp(command: str) -> str:
    shape = ";".join(f"{part.name}:{part.wire}={part.unsaid}{_words(part)}" for part in parts(command))
    number = int.from_bytes(sha256(shape.encode()).digest()[:4])
    return LETTERS[number % 36] + LETTERS[number // 36 % 36]


def _words(part: Part) -> tuple[str, ...]:
    return part.kind.choices if isinstance(part.kind, TableKind) else ()


def _write(value: Any, part: Part) -> str:
    if part.wire == tuple[int, ...]:
        return " ".join(map(base36, value))
    if part.wire == tuple[str, ...]:
        return " ".join(quote(item, safe="'()+", errors="replace") for item in value)
    if part.wire is int:
        return base36(value)
    if part.wire is float:
        return repr(float(value)).removesuffix(".0")
    if value in _words(part):
        return ONE_OF + base36(_words(part).index(value))
    if value[:1] == "#" and value[1:].isdecimal() and value.isascii() and value[1] != "0":
        return NUMBERED + base36(int(value[1:]))
    return quote(value, safe=" '()", errors="replace")


def _read(text: str, part: Part) -> Raw:
    if part.wire == tuple[int, ...]:
        return tuple(require_storable(int(number, 36)) for number in text.split())
    if part.wire == tuple[str, ...]:
        return tuple(map(unquote, text.split(" ")))
    if part.wire is int:
        return require_storable(int(text, 36))
    if part.wire is float:
        return require_finite(float(text))
    if text[:1] == ONE_OF:
        return _words(part)[int(text[1:], 36)]
    return f"#{require_storable(int(text[1:], 36))}" if text[:1] == NUMBERED else unquote(text)
