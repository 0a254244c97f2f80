"""The rows of the game's state, one dataclass for each table, and how they travel to and from columns.

A *scope* is what is loaded, locked, journalled and undone as one: an encounter, a crew, a campaign, or a
channel where people roll dice without an encounter. Every row belongs to one scope; its key is the scope's
id and a number (or word) of its own. Rows hold plain values; a `dict` field is kept as JSON with sorted keys.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache, lru_cache
from typing import Any, ClassVar, cast, get_type_hints

from bot.store.row_types import CAMPAIGN_TABLES, LASTING_TABLES, Noted, ReminderRow
from bot.store.row_types import AskRow as AskRow
from bot.store.row_types import Columns as Columns
from bot.store.row_types import Counters as Counters
from bot.store.row_types import Key as Key
from bot.store.row_types import QuestionRow as QuestionRow
from bot.store.row_types import ReadyRow as ReadyRow
from bot.store.row_types import Row as Row
from bot.store.row_types import SealRow as SealRow
from bot.store.row_types import SeatCodeRow as SeatCodeRow
from bot.store.row_types import StandInRow as StandInRow
from bot.store.row_types import Texts as Texts
from bot.store.row_types import TieRow as TieRow
from bot.store.row_types import Value as Value
from bot.store.row_types import WatcherRow as WatcherRow
from bot.store.row_types import WordRow as WordRow
from rules.json_text import compact


@dataclass(slots=True)
class EncounterRow(Row):
    """One game in one channel. `status` is setup, playing or ended; `turn` 0 before the first.

    `second_id`: a second organiser, 0 for none. `people`: everyone in its journal, ordered by their numbers;
    written when it ends, so that no file can reorder them.
    """

    table: ClassVar[str] = "encounters"
    key_fields: ClassVar[tuple[str, ...]] = ("scope",)

    channel_id: int
    guild_id: int
    system: str
    name: str
    organiser_id: int
    commitment: str
    status: str = "setup"
    turn: int = 0
    turns: int = 0
    revealed_seed: str = ""
    settings: Texts = field(default_factory=dict)
    counters: Counters = field(default_factory=dict)
    second_id: int = 0
    people: str = ""

    @property
    def organisers(self) -> tuple[int, ...]:
        """Return the organiser, and the second one if there is one."""
        return (self.organiser_id, self.second_id) if self.second_id else (self.organiser_id,)


@dataclass(slots=True)
class SideRow(Row):
    """One side of an encounter: a crew, a sectorial, an army. `crew` is the scope it was taken from, or 0."""

    table: ClassVar[str] = "sides"

    id: int
    name: str
    crew: int = 0
    traits: Texts = field(default_factory=dict)
    counters: Counters = field(default_factory=dict)


@dataclass(slots=True)
class SeatRow(Row):
    """A person in an encounter. `role` is captain, player or spectator; `side` 0 for a spectator.

    `dice` is bot or real: whose dice are thrown for what this person does. `since`: the entry with which the
    person took this seat. `muted`: the person is not mentioned when it is their turn.
    """

    table: ClassVar[str] = "seats"

    id: int
    user_id: int
    name: str
    side: int
    role: str
    dice: str = "bot"
    since: int = 0
    muted: bool = False


@dataclass(slots=True)
class ModelRow(Row):
    """A model in play. `profile` is its statblock as the rule system writes it.

    `status` is play, down or gone; `left_how` is the game's word for how a model that is gone was lost.
    hurt_by: the model that wounded it last, 0 for none; hurt_side: the side that did, 0 for none. They stay
    with a model that is gone, and so tell who took it down.
    """

    table: ClassVar[str] = "models"

    id: int
    side: int
    owner_id: int
    name: str
    profile: str
    damage: int = 0
    status: str = "play"
    left_how: str = ""
    note: str = ""
    counters: Counters = field(default_factory=dict)
    hurt_by: int = 0
    hurt_side: int = 0


@dataclass(slots=True)
class ConditionRow(Row):
    """A condition that a model is under; `value` is its grade, `until` names what ends it."""

    table: ClassVar[str] = "conditions"

    id: int
    model: int
    kind: str
    value: int = 0
    until: str = ""
    source: str = ""
    turn: int = 0


@dataclass(slots=True)
class TokenRow(Row):
    """How many tokens of one kind a bag holds, and how many of them are out of it."""

    table: ClassVar[str] = "tokens"
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "bag", "kind")

    bag: str
    kind: int
    inside: int = 0
    outside: int = 0


@dataclass(slots=True)
class SecretRow(Row):
    """Something only its owner's side may see. `proof` is the hash that was shown when it was hidden."""

    table: ClassVar[str] = "secrets"

    id: int
    owner_id: int
    side: int
    kind: str
    content: str
    proof: str = ""
    revealed: bool = False


@dataclass(slots=True)
class ThingRow(Row):
    """A thing on the table that is not a model: a board, a wall, a cloud. `content`: as its game writes
    it.
    """

    table: ClassVar[str] = "things"

    id: int
    kind: str
    name: str = ""
    content: str = ""
    counters: Counters = field(default_factory=dict)


@dataclass(slots=True)
class PendingRow(Row):
    """A roll that waits for the faces of real dice: what was asked for, and the faces entered so far.

    `id`: the journal's entry that began it, so that none is used twice. reason: why an organiser overrides a
    refusal, or empty. sides: of the dice that are wanted now; told: how many faces the throws before them
    took; asked: the journal's entry that asked for them; thrower: who throws them, by name; wanted: how many,
    and for what. Both are empty where a version before asked. enterers: who entered each of the faces, 0
    where that is not known.
    """

    table: ClassVar[str] = "pendings"

    id: int
    user_id: int
    action: str
    faces: str = ""
    prompt: str = ""
    reason: str = ""
    sides: int = 0
    told: int = 0
    asked: int = 0
    thrower: str = ""
    wanted: str = ""
    enterers: str = ""


@dataclass(slots=True)
class ThrowerRow(Row):
    """The dice that a person uses in a crew or campaign: bot or real. In an encounter the seat says it."""

    table: ClassVar[str] = "throwers"

    id: int
    user_id: int
    dice: str = "bot"


@dataclass(slots=True)
class CrewRow(Row):
    """A crew that its owner keeps between encounters."""

    table: ClassVar[str] = "crews"
    key_fields: ClassVar[tuple[str, ...]] = ("scope",)

    guild_id: int
    owner_id: int
    system: str
    name: str
    status: str = "kept"
    traits: Texts = field(default_factory=dict)
    counters: Counters = field(default_factory=dict)


@dataclass(slots=True)
class MemberRow(Row):
    """A member of a crew. `points` is what it costs in the game's own currency."""

    table: ClassVar[str] = "members"

    id: int
    name: str
    profile: str
    points: int
    leader: bool = False
    note: str = ""
    counters: Counters = field(default_factory=dict)


@dataclass(slots=True)
class ProfileRow(Row):
    """A statblock that a server keeps for itself, as its rule system writes it, or the layout of a table.

    system: the key of its game, or `board` for a layout. author_id: the person who saved it.
    """

    table: ClassVar[str] = "profiles"

    id: int
    system: str
    name: str
    text: str
    points: int
    author_id: int


@dataclass(slots=True)
class ShownGamesRow(Row):
    """The games whose commands a server shows: their keys with commas between them."""

    table: ClassVar[str] = "shown_games"
    key_fields: ClassVar[tuple[str, ...]] = ("scope",)

    systems: str = ""


_TABLES: tuple[type[Row], ...] = (
    EncounterRow,
    WordRow,
    SealRow,
    SideRow,
    SeatRow,
    WatcherRow,
    TieRow,
    AskRow,
    QuestionRow,
    StandInRow,
    SeatCodeRow,
    ReadyRow,
    ModelRow,
    ConditionRow,
    TokenRow,
    SecretRow,
    ThingRow,
    PendingRow,
    ThrowerRow,
    CrewRow,
    MemberRow,
    ProfileRow,
    ShownGamesRow,
    *CAMPAIGN_TABLES,
    ReminderRow,
)

ROWS: Mapping[str, type[Row]] = {kind.table: kind for kind in _TABLES}

LASTING = frozenset(kind.table for kind in LASTING_TABLES)
"""Tables that no undo and no redo touches: what people are, ask and give beside the game."""

SCOPES: Mapping[str, tuple[str, ...]] = {
    "encounter": (
        "encounters",
        "words",
        "seals",
        "sides",
        "seats",
        "watchers",
        "ties",
        "asks",
        "questions",
        "stand_ins",
        "seat_codes",
        "readies",
        "models",
        "conditions",
        "tokens",
        "secrets",
        "things",
        "pendings",
    ),
    "crew": ("crews", "members", "asks", "pendings", "throwers"),
    "channel": (),
    "library": ("profiles", "shown_games"),
    "campaign": (*(kind.table for kind in CAMPAIGN_TABLES), "asks", "pendings", "throwers", "reminders"),
}
"""Which tables each kind of scope is made of."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the fields of a row class map to columns, in order."""

    names: tuple[str, ...]
    types: tuple[Any, ...]
    json_places: tuple[int, ...]
    setters: tuple[Callable[[Row, Any], None], ...]
    defaults: tuple[Value, ...]
    """The default of each column, or None if it must be given."""


@cache
def layout(table: str) -> Layout:
    """Return the columns of a table's row class."""
    kind = ROWS[table]
    hints = get_type_hints(kind)
    names = tuple(part.name for part in fields(kind))
    types = tuple(hints[name] for name in names)
    json_places = tuple(place for place, column_type in enumerate(types) if column_type in (Counters, Texts))
    setters = tuple(getattr(kind, name).__set__ for name in names)
    defaults = tuple(_default(part) for part in fields(kind))
    return Layout(names, types, json_places, setters, defaults)


def _default(part: Field[Any]) -> Value:
    if part.default_factory is not MISSING:
        return "{}"
    return None if part.default is MISSING else cast(Value, part.default)


def to_columns(row: Row) -> Columns:
    """Return the row as column values."""
    shape = layout(row.table)
    values: list[Any] = [getattr(row, name) for name in shape.names]
    for place in shape.json_places:
        values[place] = compact(values[place]) if values[place] else "{}"
    return tuple(values)


def from_columns(table: str, columns: Columns) -> Row:
    """Return the row of a table with these column values."""
    row: Row = object.__new__(ROWS[table])
    fill(row, columns)
    return row


def fill(row: Row, columns: Columns) -> None:
    """Set a row to these column values without notifying its watcher."""
    shape = layout(row.table)
    values: list[Any] = list(columns)
    for place in shape.json_places:
        values[place] = Noted(row, _read(values[place]))
    for set_value, value in zip(shape.setters, values, strict=True):
        set_value(row, value)


@lru_cache(maxsize=4096)
def _read(text: str) -> dict[str, Any]:
    fields_read: dict[str, Any] = json.loads(text)
    return fields_read
