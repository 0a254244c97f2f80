"""Questions about an action that is not done, and the values that one of its fields may take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.actions import (
    Action,
    BadId,
    Part,
    Raw,
    action_of,
    fields_checksum,
    parse_value,
    part_of_doer,
    parts,
    raw_of,
)
from bot.store.rows import ModelRow
from bot.table.act import ActView
from bot.table.asking.kinds import Asking, Number, Numbers, Offer, Suggested, Switch, TableKind, Text, Token
from bot.table.asking.reading import called, read_leniently, written
from bot.table.asking.server_kinds import Elsewhere
from bot.table.owners import ANYONE
from rules.refusals import Forbidden, InvalidInput

OLD_VERSION_TEXT = "Ask for the odds again; this message is from an older version."

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_WORD_SEPARATOR = "\n"
"""The separator between several words of one field; no word contains it."""


@dataclass(frozen=True, slots=True)
class Compare(Action):
    """The odds of an action beside those of every other way to do it.

    of: the action, as `written` gives it. by: the field that is varied, empty for the first that can be.
    """

    command = "odds.compare"
    decision_of = ANYONE

    of: tuple[str, ...] = ()
    by: str = ""

    @property
    def looks(self) -> bool:
        """Return True: nothing is done."""
        return True


def encode_action(action: Action) -> tuple[str, ...]:
    """Return an action as words: its command, the stamp of its shape, and what is said in each field."""
    command, words = action.command, raw_of(action)
    fields = [
        letter + _encode_raw(words[part.name])
        for letter, part in zip(_LETTERS, parts(command), strict=False)
        if part.name in words
    ]
    return (command, fields_checksum(command), *fields)


def decode_action(words: tuple[str, ...]) -> Action:
    """Return the action that was written. Raises InvalidInput if it was declared differently since."""
    try:
        command, shape, *fields = words
        parts_by_letter = dict(zip(_LETTERS, parts(command), strict=False))
        if shape != fields_checksum(command):
            raise BadId(command)
        values: dict[str, Raw] = {}
        for field in fields:
            part = parts_by_letter[field[:1]]
            text: str | tuple[str, ...] = field[1:]
            if part.wire == tuple[str, ...]:
                text = tuple(field[1:].split(_WORD_SEPARATOR))
            values[part.name] = parse_value(text, part.wire)
        return action_of(command, values)
    except (ValueError, KeyError) as error:
        raise InvalidInput(OLD_VERSION_TEXT) from error


def _encode_raw(raw: Raw) -> str:
    match raw:
        case bool():
            return "1" if raw else "0"
        case float():
            return repr(raw).removesuffix(".0")
        case tuple():
            return (_WORD_SEPARATOR if any(isinstance(value, str) for value in raw) else ",").join(
                map(str, raw)
            )
    return str(raw)


MAX_COMPARED_WAYS = 60
"""Ways of one field that are looked at."""

MAX_RANGE_WIDTH = 12
"""The widest range of whole numbers of which each is a way."""

DISTANCES = (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 60, 96)
"""Distances in inches to compare if no bands are known."""

UNCOMPARED_FIELDS = frozenset({"odds", "ask", "aim"})
"""Fields that say what is told, looked at or asked, not what is done."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to do an action. label: how its field reads; tries: it as it is asked, the likeliest first."""

    label: str
    tries: tuple[Action, ...]
    as_asked: bool = False


def list_comparable_parts(act: ActView, action: Action) -> list[Part]:
    """Return the fields of an action that may have other values: the target first, the acting model last."""
    comparable = [part for part in parts(action.command) if len(list_ways(act, action, part)) > 1]
    doer_part = part_of_doer(action.command)
    return sorted(comparable, key=lambda part: (part == doer_part, not _is_of_models(act, action, part)))


def can_be_compared(act: ActView, action: Action) -> bool:
    """Return whether there is more to compare than what odds tell anyway, with a token and without."""
    return any(not isinstance(part.kind, Token) for part in list_comparable_parts(act, action))


def list_ways(act: ActView, action: Action, part: Part) -> list[Way]:
    """Return every way to say a field, the one that was asked among them. action: in its one form."""
    asked_raw = raw_of(action).get(part.name)
    asked_model = _find_model(act, asked_raw) if _may_name_model(part) else None
    doer_part = part_of_doer(action.command)
    doer_model = _find_first_model(act, raw_of(action).get(doer_part.name)) if doer_part is not None else None
    ways_by_value: dict[Raw, Way] = {}
    for raw, label in list_possible_values(act, action, part):
        model = _find_model(act, raw) if _may_name_model(part) else None
        if (
            doer_model
            and asked_model
            and model
            and (model.side == doer_model.side) != (asked_model.side == doer_model.side)
        ):
            continue
        is_asked = (
            model == asked_model
            if model is not None and asked_model is not None
            else _is_same_value(raw, asked_raw, part)
        )
        if (
            model
            and doer_model
            and doer_model.side == model.side
            and part != doer_part
            and asked_model is None
        ):
            label = f"{label} (yours)"
        option = Way(label, (action,) if is_asked else _build_tries(action, part, raw, model), is_asked)
        ways_by_value.setdefault(model.id if model is not None else raw, option)
        if len(ways_by_value) == MAX_COMPARED_WAYS:
            break
    if ways_by_value and not any(variant.as_asked for variant in ways_by_value.values()):
        ways_by_value[None] = Way(
            asked_model.name if asked_model else _value_words(part, asked_raw), (action,), True
        )
    return list(ways_by_value.values())


def _value_words(part: Part, raw: Raw) -> str:
    name = called(part).replace("_", " ")
    match raw:
        case None | "" | ():
            return f"no {name}"
        case float():
            return f"{raw:g} in"
        case tuple():
            return ", ".join(map(str, raw))
        case int():
            return f"{name} {raw}"
    return str(raw)


def list_possible_values(act: ActView, action: Action, part: Part) -> Iterator[tuple[Raw, str]]:
    """Yield what may be said in a field, and how it reads."""
    kind, name = part.kind, called(part)
    if (
        not isinstance(kind, TableKind)
        or isinstance(kind, Elsewhere)
        or part.name in UNCOMPARED_FIELDS
        or not kind.help
    ):
        return
    if isinstance(kind, Switch):
        for answer, words in ((True, "with"), (False, "without")):
            yield written(part, answer) or part.unsaid, f"{words} {name}".replace("_", " ")
        return
    if isinstance(kind, Numbers) or (isinstance(kind, Text) and not isinstance(kind, Suggested)):
        return
    for offer in _list_offers(act, action, part, kind):
        try:
            yield written(part, offer.value), offer.label
        except InvalidInput:
            continue


def _list_offers(act: ActView, action: Action, part: Part, kind: TableKind) -> Sequence[Offer]:
    so_far = read_leniently(act, action, part.name)
    typed_names = kind.write(getattr(action, part.name)) if part.wire == tuple[str, ...] else ()
    typed = "".join(f"{name}, " for name in typed_names) if isinstance(typed_names, tuple) else ""
    try:
        offers = kind.offers(Asking(act, called(part), so_far, typed))
    except (InvalidInput, Forbidden):
        return []
    return offers or (_list_number_offers(part, kind) if isinstance(kind, Number) else [])


def _list_number_offers(part: Part, kind: Number) -> list[Offer]:
    """Return each number of a narrow range, or some distances of a wide one."""
    if part.wire is float and kind.least is not None and kind.least >= 0:
        return [Offer(float(inches), f"{inches} in") for inches in DISTANCES if kind.holds(inches)]
    if kind.least is None or kind.most is None or kind.most - kind.least > MAX_RANGE_WIDTH:
        return []
    return [Offer(n, f"{called(part)} {n}") for n in range(int(kind.least), int(kind.most) + 1)]


def _build_tries(action: Action, part: Part, raw: Raw, model: ModelRow | None) -> tuple[Action, ...]:
    """Return the action with each value of a field.

    For another model, what was seen of it before comes first.
    """
    varied_action: Action = replace(action, **{part.name: raw})
    if model is None:
        return (varied_action,)
    facts = action.recalled - {part.name}
    cleared_facts = {
        fact_part.name: fact_part.unsaid for fact_part in parts(action.command) if fact_part.name in facts
    }
    return (replace(varied_action, **cleared_facts), varied_action) if cleared_facts else (varied_action,)


def _is_of_models(act: ActView, action: Action, part: Part) -> bool:
    return _may_name_model(part) and _find_model(act, raw_of(action).get(part.name)) is not None


def _may_name_model(part: Part) -> bool:
    return part.wire is str


def _find_model(act: ActView, raw: Raw) -> ModelRow | None:
    if not isinstance(raw, str) or not raw or not act.has_encounter:
        return None
    try:
        return act.encounter.find_model(raw)
    except InvalidInput:
        return None


def _find_first_model(act: ActView, raw: Raw) -> ModelRow | None:
    """Return the model that is named, or the first of several, None if none is."""
    if isinstance(raw, str):
        raw = raw.partition(",")[0].strip()
    return _find_model(act, raw[0] if isinstance(raw, tuple) and raw else raw)


def _is_same_value(raw: Raw, asked_raw: Raw, part: Part) -> bool:
    """Return whether a field is said as it was asked."""
    if isinstance(raw, str) and isinstance(asked_raw, str):
        return raw.casefold() == asked_raw.casefold()
    return raw == (part.unsaid if asked_raw is None else asked_raw)
