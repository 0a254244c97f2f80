"""Actions: what a person can ask of the table, as values.

An action is declared once, as a frozen dataclass. Each of its fields is of a *kind*, which says how the field
is written down and, at the table (`bot.table.kinds`), how it is read into the thing that it names, suggested,
typed and filled in. A slash command, a button, a menu and a form all become the same action, which is
journalled, compared and carried in a button's id.

An action as it was asked holds what was written: names, numbers. `bot.table.reading` makes of it the same
action with the things themselves, and handlers see only such. Both are written down in the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cache
from hashlib import sha256
from math import isfinite
from typing import Any, ClassVar, TypeVar, get_type_hints

from rules.json_text import compact

ACTIONS: dict[str, type[Action]] = {}
"""Every action class by its command's key."""

MAX_NUMBER = 2**63
"""The limit below which every whole number in the database is."""

Raw = int | float | str | bool | tuple[int, ...] | tuple[str, ...] | None
"""The value of a field as it is written down, or None if it was left out."""

Typed = tuple[tuple[str, str], ...]
"""What was typed into fields of a form and cannot be read: the field, '' for none, and the text."""

WIRES = (int, float, str, bool, tuple[int, ...], tuple[str, ...])
"""The types of what is written down."""

ODDS = "odds"
"""The switch by which only the chances are asked: they may be asked where nothing may be done."""

A = TypeVar("A", bound="Action")


class BadId(ValueError):
    """What was written down names an action, a field or a value that there is not."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something asked of the table.

    typed: the slash command that asks it, `cb shoot`, described by the first line of the docstring; empty
    where only buttons ask. titled: what it is called where it is pressed; empty for the words of its command.
    said_first: the order of its options, where that is not the fields'. asked_first: optional fields that
    matter every time; a form asks them first, in this order. done_by: the field that tells who
    does it, where that is not the first. secret: if it makes a minor entry, no one else may learn that it was
    requested, including undo and redo. answers: kinds of secret rows that a secret one answers; where such a
    row is taken back, it goes too. finishes: the command that it carries through; right after it, both are
    undone and redone as one step. facts: plain fields that people measured or saw, beside those whose kind
    says so. Asked again with others, an undone action was corrected and keeps its dice; any other difference
    is another decision. recalled: the facts that are taken as they were seen before where nothing is said of
    them. opens: the key of the form that opens where it is typed and nothing is said. bare: pressed, it is
    asked as it stands and opens no form: its answer offers what there is to choose. waits_for_dice: it
    changes what others' rolls are made of, and waits until their real dice are entered. decision_of: whose
    decision it is, a `bot.table.owners.Owner`; None where the kinds of its fields say so.
    """

    command: ClassVar[str] = ""
    typed: ClassVar[str] = ""
    titled: ClassVar[str] = ""
    said_first: ClassVar[tuple[str, ...]] = ()
    asked_first: ClassVar[tuple[str, ...]] = ()
    done_by: ClassVar[str] = ""
    secret: ClassVar[bool] = False
    answers: ClassVar[frozenset[str]] = frozenset()
    finishes: ClassVar[str] = ""
    facts: ClassVar[frozenset[str]] = frozenset()
    recalled: ClassVar[frozenset[str]] = frozenset()
    opens: ClassVar[str] = ""
    bare: ClassVar[bool] = False
    waits_for_dice: ClassVar[bool] = False
    decision_of: ClassVar[Any] = None

    @property
    def decides(self) -> str:
        """Return the verdict's name for an action whose outcome people decide and not the rules, or ""."""
        return ""

    @property
    def looks(self) -> bool:
        """Return whether only the chances are asked, so that nothing is done."""
        return bool(getattr(self, ODDS, False))

    @property
    def for_all(self) -> bool:
        """Return whether its button is for everyone, also while it is another side's decision."""
        return False

    def as_typed_action(self) -> Action:
        """Return the action that a slash command means: this one, or the one that its options choose.

        Raises InvalidInput where they do not go together.
        """
        return self

    def __init_subclass__(cls) -> None:
        if vars(cls).get("command"):
            ACTIONS[cls.command] = cls


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """The kind of an action's field, which says how it is written down; a plain value is written as it is.

    wire: the type of what is written. help: the words beside it in a slash command and a form, empty for a
    field that only buttons fill. called: its name there, where that is not the field's. fact: people measured
    or saw it, and it decides nothing. decides: what of it decides, where it tells both. any_order: for a list
    whose order decides nothing, how many values make one of its things, or 0 for any other field. but_where:
    tells of an action whether the order decides after all. each_of: the list in whose order the values of
    this one stand.
    """

    wire: Any = str
    help: str = ""
    called: str = ""
    fact: bool = False
    decides: Callable[[Raw], Raw] | None = None
    any_order: int = 0
    but_where: Callable[[Any], bool] | None = None
    each_of: str = ""

    def write(self, value: Any) -> Raw:
        """Return the one form of a thing; what was written already stays as it is."""
        return value  # type: ignore[no-any-return]

    def always_meant(self, default: Any) -> tuple[Any, ...]:
        """Return what is meant if nothing is entered, alone; empty if the table decides it."""
        return (default,)

    def rank(self, value: Any) -> Any:
        """Return the key by which a thing in a list is sorted: its number, else its written form, else
        None.
        """
        number = getattr(value, "id", getattr(value, "model", value))
        if isinstance(number, int):
            return number
        return (value if isinstance(value, str) else str(self.write((value,)))).casefold()

    def permuted(self, value: Any, places: Sequence[int]) -> Any:
        """Return the value with what it has for each of a list in another order."""
        return tuple(value[place] for place in places)


def declared(kind: Kind, default: Any = MISSING) -> Any:
    """Return a field of an action of that kind. default: the thing that it is where nothing is said."""
    return field(default=default, metadata={KIND: kind})


def numbered(number: int) -> Any:
    """Return a model by its number, as an action names it before it is read."""
    return f"#{number}"


def number_in(text: str, sign: str = "#") -> int | None:
    """Return the number behind a sign, as `numbered` writes it, or None for other words.

    What is larger than any number that is kept is `MAX_NUMBER`, by which nothing is called: of many thousand
    digits Python makes no number.
    """
    digits = text.removeprefix(sign)
    if not (text.startswith(sign) and digits.isdecimal()):
        return None
    return min(int(digits), MAX_NUMBER) if len(digits) <= len(str(MAX_NUMBER)) else MAX_NUMBER


def worded(name: str) -> Any:
    """Return a thing known by its words, as an action names it before it is read."""
    return name


def number_of(model: Any) -> int:
    """Return the number of a model that an action names, read or as it is written down."""
    return int(model.removeprefix("#")) if isinstance(model, str) else int(model.id)


_HALF = re.compile("[\ud800-\udfff]")

KIND = "kind"
"""The key under which a dataclass field keeps its kind."""


@dataclass(frozen=True, slots=True)
class Part:
    """One field of an action: its name, its kind, what it is where nothing is said, and that written down.

    meant: see `Kind.always_meant`.
    """

    name: str
    kind: Kind
    default: Any
    unsaid: Raw
    meant: tuple[Any, ...]

    @property
    def wire(self) -> Any:
        """Return the type of what is written."""
        return self.kind.wire


@cache
def parts(command: str) -> tuple[Part, ...]:
    """Return the fields of an action, in order."""
    kind = ACTIONS[command]
    hints = get_type_hints(kind)
    return tuple(_part(field, hints[field.name]) for field in fields(kind))


@cache
def has_chances(command: str) -> bool:
    """Return whether the chances of an action may be asked."""
    return any(part.name == ODDS for part in parts(command))


def with_whole_letters(action: Action) -> Action:
    """Return the action without halves of letters in its texts, which nothing could write down."""
    mended: dict[str, Any] = {}
    for part in parts(action.command):
        value = getattr(action, part.name)
        if isinstance(value, str | tuple) and (whole := _whole(value)) is not value:
            mended[part.name] = whole
    return replace(action, **mended) if mended else action


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        has_half = not value.isascii() and _HALF.search(value)
        return value.encode("utf-8", "replace").decode() if has_half else value
    if any(isinstance(item, str) and not item.isascii() for item in value):
        return tuple(_whole(item) for item in value)
    return value


def _part(field: Field[Any], hint: Any) -> Part:
    kind = field.metadata.get(KIND) or Kind(wire=hint)
    if kind.wire not in WIRES:
        raise TypeError(
            f"the field {field.name} needs a kind, because values of type {hint} cannot be stored"
        )
    always_meant = kind.always_meant(field.default)
    return Part(field.name, kind, field.default, kind.write(field.default), always_meant)


@cache
def doer(command: str) -> Part | None:
    """Return the field that says who does an action, if someone does: the named one, or the first."""
    every, part_name = parts(command), ACTIONS[command].done_by
    return part_of(command, part_name) if part_name else next(iter(every), None)


def done_by(command: str, doer_value: Raw) -> dict[str, Raw]:
    """Return the field that says who does an action, filled in; empty without such a field or a name.

    A field that takes no name gets none, because no one does an action that begins with a number.
    """
    part = doer(command)
    fits = part is not None and (part.wire is str) == isinstance(doer_value, str)
    return {part.name: doer_value} if part is not None and fits and doer_value else {}


def part_of(command: str, name: str) -> Part:
    """Return one field of an action. Raises BadId for one that it does not have."""
    part = _parts_by_name(command).get(name)
    if part is None:
        raise BadId(name)
    return part


@cache
def _parts_by_name(command: str) -> Mapping[str, Part]:
    return {part.name: part for part in parts(command)}


@cache
def facts_of(command: str) -> frozenset[str]:
    """Return the fields that people measured or saw."""
    return ACTIONS[command].facts | {part.name for part in parts(command) if part.kind.fact}


@cache
def _both(command: str) -> Mapping[str, Callable[[Raw], Raw]]:
    """The fields that tell a fact and a decision in one, each with what of it decides."""
    return {part.name: part.kind.decides for part in parts(command) if part.kind.decides is not None}


@cache
def stamp(command: str) -> str:
    """Return a checksum of an action's fields and their defaults."""
    shape = ";".join(f"{part.name}:{part.wire}={_said(part.unsaid)}" for part in parts(command))
    number = int.from_bytes(sha256(shape.encode()).digest()[:4])
    return _DIGITS[number % 36] + _DIGITS[number // 36 % 36]


def _said(raw: Raw) -> str:
    return "" if raw is None or raw in ("", ()) else repr(raw)


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


# ------------------------------------------------------------------------------------ written down


def in_one_order(action: A) -> A:
    """Return the action with every list whose order decides nothing in its one order.

    Fields in the order of such a list are sorted with it.
    """
    changed: dict[str, Any] = {}
    for part, same_order in _lists(action.command):
        kind, values = part.kind, getattr(action, part.name)
        size = kind.any_order
        unfit = not isinstance(values, tuple) or len(values) < 2 * size or len(values) % size
        if unfit or (kind.but_where is not None and kind.but_where(action)):
            continue
        groups = [values[start : start + size] for start in range(0, len(values), size)]
        ranks = [[kind.rank(item) for item in group] for group in groups]
        if any(None in rank for rank in ranks):
            continue
        places = sorted(range(len(groups)), key=lambda place: ranks[place])
        if places == [*range(len(groups))]:
            continue
        changed[part.name] = tuple(item for place in places for item in groups[place])
        for other in same_order:
            value = getattr(action, other.name)
            if value and (not isinstance(value, tuple) or len(value) == len(places)):
                changed[other.name] = other.kind.permuted(value, places)
    return replace(action, **changed) if changed else action


@cache
def _lists(command: str) -> tuple[tuple[Part, tuple[Part, ...]], ...]:
    every = parts(command)
    return tuple(
        (part, tuple(part_beside for part_beside in every if part_beside.kind.each_of == part.name))
        for part in every
        if part.kind.any_order
    )


def raw_of(action: Action) -> dict[str, Raw]:
    """Return what is written down of an action: its fields in their normal form, without the defaults."""
    values: dict[str, Raw] = {}
    for name, default, write, unsaid in _written_by(action.command):
        value = getattr(action, name)
        if value is default:
            continue
        raw = write(value)
        if raw is not None and raw != unsaid:
            values[name] = raw
    return values


@cache
def _written_by(command: str) -> tuple[tuple[str, Any, Callable[[Any], Raw], Raw], ...]:
    """How each field of an action is written, in order: its name, default, writer, and what says nothing."""
    return tuple((part.name, part.default, part.kind.write, part.unsaid) for part in parts(command))


def action_of(command: str, values: Mapping[str, Raw]) -> Action:
    """Return the action of which these values were written. Raises BadId for what does not exist."""
    if command not in ACTIONS:
        raise BadId(command)
    return ACTIONS[command](**{part_of(command, name).name: value for name, value in values.items()})


def decision(action: Action) -> str:
    """Return the action as canonical JSON without facts, which decides what dice it gets."""
    return asked_and_decided(action)[1]


def asked_and_decided(action: Action) -> tuple[str, str]:
    """Return the action as canonical JSON, and the same without facts: see `decision`."""
    raw, facts = raw_of(action), facts_of(action.command)
    whole, writers = compact(raw), _both(action.command)
    if facts.isdisjoint(raw) and writers.keys().isdisjoint(raw):
        return whole, whole
    decided = {name: value for name, value in raw.items() if name not in facts}
    return whole, compact(
        {name: writers[name](value) if name in writers else value for name, value in decided.items()}
    )


def to_json(action: Action) -> str:
    """Return the action's fields as canonical JSON, those that say nothing left out."""
    return compact(raw_of(action))


def from_json(command: str, text: str) -> Action:
    """Return the action again, as it was asked. Raises BadId for a command or a field that does not exist."""
    values = json.loads(text)
    if not isinstance(values, dict):
        raise BadId(command)
    return action_of(
        command, {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    )


def with_text(action: A, values: Mapping[str, str | tuple[str, ...]]) -> A:
    """Return the action with fields that a person chose or typed; a number left empty is unchanged.

    Raises ValueError for a number that is none, BadId for a field that the action does not have.
    """
    changed = {}
    for name, typed in values.items():
        part = part_of(action.command, name)
        if typed or part.wire not in (int, float):
            changed[part.name] = value_in(typed, part.wire)
    return replace(action, **changed)


def value_in(typed: str | tuple[str, ...], wire: Any) -> Raw:
    """Return a value from what a person chose or typed. Raises ValueError."""
    if wire in (tuple[int, ...], tuple[str, ...]):
        return _items(typed, wire)
    text = typed if isinstance(typed, str) else ",".join(typed)
    return _scalar(text.strip(), wire)


def _items(typed: str | tuple[str, ...], wire: Any) -> tuple[Any, ...]:
    """What was chosen in a menu, or numbers typed with spaces or commas between them."""
    if wire == tuple[str, ...]:
        return (typed,) if isinstance(typed, str) else typed
    items: Iterable[str] = typed.replace(",", " ").split() if isinstance(typed, str) else typed
    return tuple(kept(int(item)) for item in items)


def _scalar(text: str, wire: Any) -> Raw:
    if wire is bool:
        return text.lower() in ("1", "true", "yes")
    if wire is int:
        return kept(int(text))
    if wire is float:
        return finite(float(text))
    return text


def finite(number: float) -> float:
    """Return the number. Raises ValueError if it is none or infinite."""
    if not isfinite(number):
        raise ValueError(number)
    return number


def kept(number: int) -> int:
    """Return the number. Raises ValueError if the database cannot store it."""
    if not -MAX_NUMBER <= number < MAX_NUMBER:
        raise ValueError(number)
    return number
