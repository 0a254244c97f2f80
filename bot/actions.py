"""Actions: what a person can ask of the table, as values.

An action is declared once, as a frozen dataclass. Each of its fields has a *kind*, which says how the value
is stored. The kinds in `bot.table.asking.kinds` also say how a value is typed, suggested, filled in and read.
A slash command, a button, a menu and a form all become the same action, which is journalled, compared and
carried in a button's id.

A requested action contains names and numbers. `bot.table.asking.reading` replaces them with the things that
they name, and handlers get only such actions. Both are stored in the same way.
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
"""The limit for whole numbers in the database; all of them are smaller."""

Raw = int | float | str | bool | tuple[int, ...] | tuple[str, ...] | None
"""The stored value of a field, or None if it was left out."""

Typed = tuple[tuple[str, str], ...]
"""Texts in a form that can't be read, each with its field, or '' for no field."""

STORED_TYPES = (int, float, str, bool, tuple[int, ...], tuple[str, ...])
"""The types that a stored value can have."""

ODDS = "odds"
"""The switch that asks only for the chances; it is allowed even where the action itself isn't."""

A = TypeVar("A", bound="Action")


class BadId(ValueError):
    """A stored action names an action, a field or a value that doesn't exist."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a person asks the bot to do.

    typed: its slash command, such as `cb shoot`, which the first line of the docstring describes; empty if
    only buttons ask for it. titled: the label of its button; empty to use the words of its command.
    said_first: the options that come first, in this order. asked_first: optional fields
    that matter every time; a form asks for them first, in this order. done_by: the field that says who does
    it, if that isn't the first. secret: if it makes a minor entry, no one else may learn that it was
    requested, undone or redone. answers: the kinds of secret rows that a secret action answers; if such a row
    is undone, the answer is undone too. finishes: the command that it completes; right after that command,
    both are undone and redone as one step. facts: plain fields that people measured or saw, in addition to
    those whose kind says so. If an undone action is repeated with other facts, it was corrected and keeps its
    dice; any other difference makes it another decision. recalled: facts that keep their earlier values if
    they are left out. opens: the key of the form that opens if the command is typed without options. bare:
    its button opens no form; the reply offers the choices. waits_for_dice: it changes what other rolls depend
    on, so it waits until the real dice for them are entered. decision_of: whose decision it is, a
    `bot.table.owners.Owner`; None if the kinds of its fields say so.
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
        """Return whether the action only asks for the chances, so that nothing is done."""
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
    """The kind of an action's field, which says how the field is stored. A plain value has none.

    wire: the type of the stored value. help: its description in a slash command and a form, empty for a field
    that only buttons fill in. called: its name there, if that isn't the field's name. fact: people measured
    or saw it, so it isn't a decision. decides: returns the part that is a decision, if it holds both.
    any_order: how many values make up one item of a list whose order makes no difference, or 0.
    but_where: returns whether the order matters in an action after all. each_of: the list whose order the
    values of this field follow.
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
        """Return the stored form of a value; a stored value is returned unchanged."""
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
        """Return the value with its items in another order."""
        return tuple(value[place] for place in places)


def declared(kind: Kind, default: Any = MISSING) -> Any:
    """Declare a field of an action. default: its value if the field is left out."""
    return field(default=default, metadata={KIND: kind})


def reference_by_number(number: int) -> Any:
    """Return the text by which a requested action names a model with this number."""
    return f"#{number}"


def number_in(text: str, sign: str = "#") -> int | None:
    """Return the number behind a sign, as `reference_by_number` writes it, or None for other words.

    Larger numbers become `MAX_NUMBER`, which no model has: Python refuses numbers of many thousand digits.
    """
    digits = text.removeprefix(sign)
    if not (text.startswith(sign) and digits.isdecimal()):
        return None
    return min(int(digits), MAX_NUMBER) if len(digits) <= len(str(MAX_NUMBER)) else MAX_NUMBER


def reference_by_name(name: str) -> Any:
    """Return the text by which a requested action names a thing with this name."""
    return name


def number_of(model: Any) -> int:
    """Return the number of a model in an action, whether it is a reference or the model itself."""
    return int(model.removeprefix("#")) if isinstance(model, str) else int(model.id)


_SURROGATES = re.compile("[\ud800-\udfff]")

KIND = "kind"
"""The key under which a dataclass field keeps its kind."""


@dataclass(frozen=True, slots=True)
class Part:
    """One field of an action: its name, its kind, its default, and the default as it is stored.

    meant: see `Kind.always_meant`.
    """

    name: str
    kind: Kind
    default: Any
    unsaid: Raw
    meant: tuple[Any, ...]

    @property
    def wire(self) -> Any:
        """Return the type of the stored value."""
        return self.kind.wire


@cache
def parts(command: str) -> tuple[Part, ...]:
    """Return the fields of an action, in order."""
    kind = ACTIONS[command]
    hints = get_type_hints(kind)
    return tuple(_part(field, hints[field.name]) for field in fields(kind))


@cache
def has_chances(command: str) -> bool:
    """Return whether an action can show its chances first."""
    return any(part.name == ODDS for part in parts(command))


def without_broken_characters(action: Action) -> Action:
    """Return the action with lone surrogates in its texts replaced, because they can't be stored."""
    repaired_values: dict[str, Any] = {}
    for part in parts(action.command):
        value = getattr(action, part.name)
        if isinstance(value, str | tuple) and (repaired := _replace_surrogates(value)) is not value:
            repaired_values[part.name] = repaired
    return replace(action, **repaired_values) if repaired_values else action


def _replace_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        has_half = not value.isascii() and _SURROGATES.search(value)
        return value.encode("utf-8", "replace").decode() if has_half else value
    if any(isinstance(item, str) and not item.isascii() for item in value):
        return tuple(_replace_surrogates(item) for item in value)
    return value


def _part(field: Field[Any], hint: Any) -> Part:
    kind = field.metadata.get(KIND) or Kind(wire=hint)
    if kind.wire not in STORED_TYPES:
        raise TypeError(
            f"the field {field.name} needs a kind, because values of type {hint} cannot be stored"
        )
    always_meant = kind.always_meant(field.default)
    return Part(field.name, kind, field.default, kind.write(field.default), always_meant)


@cache
def part_of_doer(command: str) -> Part | None:
    """Return the field that says who does an action, if someone does: the named one, or the first."""
    all_parts, doer_name = parts(command), ACTIONS[command].done_by
    return part_of(command, doer_name) if doer_name else next(iter(all_parts), None)


def done_by(command: str, doer_value: Raw) -> dict[str, Raw]:
    """Return the field that says who does an action, filled in; empty without such a field or a name.

    A field that takes no name gets none, because no one does an action that begins with a number.
    """
    part = part_of_doer(command)
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
def _deciding_writers(command: str) -> Mapping[str, Callable[[Raw], Raw]]:
    """Return the fields that hold both a fact and a decision, each with a function for its decision."""
    return {part.name: part.kind.decides for part in parts(command) if part.kind.decides is not None}


@cache
def fields_checksum(command: str) -> str:
    """Return a checksum of an action's fields and their defaults."""
    shape = ";".join(f"{part.name}:{part.wire}={_format_default(part.unsaid)}" for part in parts(command))
    number = int.from_bytes(sha256(shape.encode()).digest()[:4])
    return _DIGITS[number % 36] + _DIGITS[number // 36 % 36]


def _format_default(raw: Raw) -> str:
    return "" if raw is None or raw in ("", ()) else repr(raw)


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


# ------------------------------------------------------------------------------------ written down


def with_sorted_lists(action: A) -> A:
    """Return the action with every list sorted whose order makes no difference.

    Fields in the order of such a list are sorted with it.
    """
    changed_values: dict[str, Any] = {}
    for part, same_order in _sortable_parts(action.command):
        kind, values = part.kind, getattr(action, part.name)
        size = kind.any_order
        is_unsortable = not isinstance(values, tuple) or len(values) < 2 * size or len(values) % size
        if is_unsortable or (kind.but_where is not None and kind.but_where(action)):
            continue
        groups = [values[start : start + size] for start in range(0, len(values), size)]
        ranks = [[kind.rank(item) for item in group] for group in groups]
        if any(None in rank for rank in ranks):
            continue
        places = sorted(range(len(groups)), key=lambda place: ranks[place])
        if places == [*range(len(groups))]:
            continue
        changed_values[part.name] = tuple(item for place in places for item in groups[place])
        for dependent_part in same_order:
            value = getattr(action, dependent_part.name)
            if value and (not isinstance(value, tuple) or len(value) == len(places)):
                changed_values[dependent_part.name] = dependent_part.kind.permuted(value, places)
    return replace(action, **changed_values) if changed_values else action


@cache
def _sortable_parts(command: str) -> tuple[tuple[Part, tuple[Part, ...]], ...]:
    all_parts = parts(command)
    return tuple(
        (part, tuple(part_beside for part_beside in all_parts if part_beside.kind.each_of == part.name))
        for part in all_parts
        if part.kind.any_order
    )


def raw_of(action: Action) -> dict[str, Raw]:
    """Return the stored values of an action: its fields in their normal form, without the defaults."""
    values: dict[str, Raw] = {}
    for name, default, write, unsaid in _field_writers(action.command):
        value = getattr(action, name)
        if value is default:
            continue
        raw = write(value)
        if raw is not None and raw != unsaid:
            values[name] = raw
    return values


@cache
def _field_writers(command: str) -> tuple[tuple[str, Any, Callable[[Any], Raw], Raw], ...]:
    """Return the name, default, writer and stored default of each field of an action, in order."""
    return tuple((part.name, part.default, part.kind.write, part.unsaid) for part in parts(command))


def action_of(command: str, values: Mapping[str, Raw]) -> Action:
    """Return the action that has these stored values. Raises BadId for what does not exist."""
    if command not in ACTIONS:
        raise BadId(command)
    return ACTIONS[command](**{part_of(command, name).name: value for name, value in values.items()})


def decision_json(action: Action) -> str:
    """Return the action as canonical JSON without facts, which decides what dice it gets."""
    return full_and_decision_json(action)[1]


def full_and_decision_json(action: Action) -> tuple[str, str]:
    """Return the action as canonical JSON, and the same without facts: see `decision_json`."""
    raw, facts = raw_of(action), facts_of(action.command)
    full_json, writers = compact(raw), _deciding_writers(action.command)
    if facts.isdisjoint(raw) and writers.keys().isdisjoint(raw):
        return full_json, full_json
    decided = {name: value for name, value in raw.items() if name not in facts}
    return full_json, compact(
        {name: writers[name](value) if name in writers else value for name, value in decided.items()}
    )


def to_json(action: Action) -> str:
    """Return the action's fields as canonical JSON, without the defaults."""
    return compact(raw_of(action))


def from_json(command: str, text: str) -> Action:
    """Return the requested action from JSON. Raises BadId for a command or a field that does not exist."""
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
    changed_values = {}
    for name, typed in values.items():
        part = part_of(action.command, name)
        if typed or part.wire not in (int, float):
            changed_values[part.name] = parse_value(typed, part.wire)
    return replace(action, **changed_values)


def parse_value(typed: str | tuple[str, ...], wire: Any) -> Raw:
    """Return a value from what a person chose or typed. Raises ValueError."""
    if wire in (tuple[int, ...], tuple[str, ...]):
        return _parse_items(typed, wire)
    text = typed if isinstance(typed, str) else ",".join(typed)
    return _parse_scalar(text.strip(), wire)


def _parse_items(typed: str | tuple[str, ...], wire: Any) -> tuple[Any, ...]:
    """Return the values chosen in a menu, or numbers typed with spaces or commas between them."""
    if wire == tuple[str, ...]:
        return (typed,) if isinstance(typed, str) else typed
    items: Iterable[str] = typed.replace(",", " ").split() if isinstance(typed, str) else typed
    return tuple(require_storable(int(item)) for item in items)


def _parse_scalar(text: str, wire: Any) -> Raw:
    if wire is bool:
        return text.lower() in ("1", "true", "yes")
    if wire is int:
        return require_storable(int(text))
    if wire is float:
        return require_finite(float(text))
    return text


def require_finite(number: float) -> float:
    """Return the number. Raises ValueError if it is none or infinite."""
    if not isfinite(number):
        raise ValueError(number)
    return number


def require_storable(number: int) -> int:
    """Return the number. Raises ValueError if the database cannot store it."""
    if not -MAX_NUMBER <= number < MAX_NUMBER:
        raise ValueError(number)
    return number
