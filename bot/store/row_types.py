"""The base of all rows, and the rows of campaigns and of requests beside a game.

A row tells the book it belongs to before it is altered, through a weak reference. No undo touches the rows
of requests; a campaign keeps copies of its crews, so that one transaction changes a crew together with
everything else that an encounter brought."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar
from weakref import ref

from rules.counters import AnyCounter

Value: TypeAlias = int | str | bool | None
Key: TypeAlias = tuple[int | str, ...]
Columns: TypeAlias = tuple[Value, ...]

Counters = dict[AnyCounter, int]
Texts = dict[str, str]

V = TypeVar("V")


class Watcher(Protocol):
    """Who is told of rows that are altered."""

    def note(self, row: Any) -> None:
        """Note that a row is about to change."""


Watching = Callable[[], Watcher | None]
"""A weak reference to who watches."""


class Watched:
    """A value that notifies its watcher before anything in it changes; at first it has none."""

    __slots__ = ("__weakref__", "_watching")

    _watching: Watching

    def watched_by(self, watching: Watching) -> None:
        """Set the watcher that is notified from now on."""
        object.__setattr__(self, "_watching", watching)

    def altering(self) -> None:
        """Notify the watcher that the value is about to change."""
        watching = getattr(self, "_watching", None)
        watcher = watching() if watching is not None else None
        if watcher is not None:
            watcher.note(self)

    def __setattr__(self, name: str, value: Any) -> None:
        if _is_same(getattr(self, name, None), value):
            return
        self.altering()
        object.__setattr__(self, name, Noted(self, value) if isinstance(value, dict) else value)


def _is_same(old_value: object, value: object) -> bool:
    """Return whether a plain value is put where the same one stands already, so that nothing is altered."""
    return (
        value is not None and type(old_value) is type(value) and old_value == value and type(value) in _PLAIN
    )


_PLAIN = (int, str, bool)


@dataclass(slots=True)
class Row(Watched):
    """A row of the state. `scope` is the id of the scope it belongs to."""

    table: ClassVar[str]
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "id")

    scope: int

    @property
    def key(self) -> Key:
        """Return the primary key."""
        return tuple(getattr(self, name) for name in self.key_fields)


class Noted(dict[str, V]):
    """A dictionary in a row, which tells of it when it is altered."""

    __slots__ = ("_row",)

    def __init__(self, row: Watched, values: dict[str, V]) -> None:
        super().__init__(values)
        self._row = ref(row)

    def _altering(self) -> None:
        row = self._row()
        if row is not None:
            row.altering()

    def __setitem__(self, key: str, value: V) -> None:
        if _is_same(self.get(key), value):
            return
        self._altering()
        super().__setitem__(key, value)

    def __delitem__(self, key: str) -> None:
        self._altering()
        super().__delitem__(key)

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        self._altering()
        return super().__ior__(other)

    def pop(self, *args: Any) -> Any:
        """See dict."""
        self._altering()
        return super().pop(*args)

    def popitem(self) -> tuple[str, V]:
        """See dict."""
        self._altering()
        return super().popitem()

    def update(self, *args: Any, **more: V) -> None:
        """See dict."""
        self._altering()
        super().update(*args, **more)

    def setdefault(self, *args: Any) -> Any:
        """See dict."""
        self._altering()
        return super().setdefault(*args)

    def clear(self) -> None:
        """See dict."""
        self._altering()
        super().clear()


@dataclass(slots=True)
class WordRow(Row):
    """Words of a player that are open and mixed into the dice, in the order given."""

    table: ClassVar[str] = "words"

    id: int
    user_id: int
    text: str


@dataclass(slots=True)
class SealRow(Row):
    """Words for the dice that a person gave and that are closed. `id`: the entry by which they were given.

    `seal` is the public SHA-256 of `text`, a blank and `salt`; both are empty if the phrase was sealed at
    home and is not `opened` yet.
    """

    table: ClassVar[str] = "seals"

    id: int
    user_id: int
    name: str
    seal: str
    text: str = ""
    salt: str = ""
    opened: bool = False

    @property
    def at_home(self) -> bool:
        """Return whether the words were closed elsewhere, and their SHA-256 alone was given."""
        return not self.salt

    @property
    def shown(self) -> str:
        """Return the public text, which everyone can close again."""
        return f"{self.text} {self.salt}".rstrip()


@dataclass(slots=True)
class WatcherRow(Row):
    """A person who only watches and has never had a seat."""

    table: ClassVar[str] = "watchers"
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "user_id")

    user_id: int
    name: str


@dataclass(slots=True)
class TieRow(Row):
    """A person has had a seat on a side: what the side hid then may be known to that person for good.

    `name`: the side's, since a number may come again after a side was taken back.
    """

    table: ClassVar[str] = "ties"
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "user_id", "side", "name")

    user_id: int
    side: int
    name: str


@dataclass(slots=True)
class AskRow(Row):
    """A request that waits for others: to join a side, to undo, to redo, or to accept an offered crew.

    `kind` is join, undo, redo or crew; `action` the request as command and JSON; `entry` the request's own
    number; `about` the side, or the entry up to which is undone or redone; `of` the people who still have to
    agree, separated by blanks; `refused`: someone refused.
    """

    table: ClassVar[str] = "asks"
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "user_id")

    user_id: int
    name: str
    kind: str
    action: str
    entry: int
    about: int
    of: str = ""
    refused: bool = False


@dataclass(slots=True)
class QuestionRow(Row):
    """An entry that a person questions. `id`: the entry by which it was asked.

    `entry` is the one that is questioned, `number` what the log calls it. `verdict` is stands or wrong, or
    empty before a ruling; `ruling`: why.
    """

    table: ClassVar[str] = "questions"

    id: int
    user_id: int
    name: str
    entry: int
    number: int
    words: str
    verdict: str = ""
    ruling: str = ""
    ruled_by: str = ""


@dataclass(slots=True)
class ReminderRow(Row):
    """A reminder that a person of a campaign asked for, and its channel.

    `kind` is day or waits; `before`: seconds before the day of a fixture, or after which a choice has waited
    long; `ping`: the person is to be pinged, else only named.
    """

    table: ClassVar[str] = "reminders"

    id: int
    user_id: int
    name: str
    channel_id: int
    kind: str
    before: int
    ping: bool = False


@dataclass(slots=True)
class StandInRow(Row):
    """A person who plays the seat of another by that one's word: an account, a phone at the table.

    The person's requests count as those of `as_id`, the owner of the seat; each seat has at most one
    stand-in.
    """

    table: ClassVar[str] = "stand_ins"
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "user_id")

    user_id: int
    name: str
    as_id: int
    as_name: str


@dataclass(slots=True)
class SeatCodeRow(Row):
    """A code with which a person hands over a seat, once. digest: its SHA-256.

    until_ms: when it expires, in milliseconds since 1970.
    """

    table: ClassVar[str] = "seat_codes"
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "as_id")

    as_id: int
    as_name: str
    digest: str
    until_ms: int


@dataclass(slots=True)
class ReadyRow(Row):
    """A player said that their side is ready to begin. `side`: the one that they played then."""

    table: ClassVar[str] = "readies"
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "user_id")

    user_id: int
    side: int


LASTING_TABLES: tuple[type[Row], ...] = (
    WordRow,
    SealRow,
    WatcherRow,
    TieRow,
    AskRow,
    QuestionRow,
    StandInRow,
    SeatCodeRow,
    ReadyRow,
    ReminderRow,
)
"""All of them."""


@dataclass(slots=True)
class CampaignRow(Row):
    """What was agreed. `status` is open, running or ended; `round` 0 before the first.

    `encounters`: rounds agreed. `limit`: points fielded in one encounter, 0 for none. `second_id`: a second
    organiser, 0 for none. `archived`: put away, until it is brought back. `house`: rules of its own in words,
    by their numbers. `zone`: the time zone in which days are typed, by its name; empty for none.
    """

    table: ClassVar[str] = "campaigns"
    key_fields: ClassVar[tuple[str, ...]] = ("scope",)

    guild_id: int
    organiser_id: int
    system: str
    name: str
    commitment: str
    matching: str = "swiss"
    encounters: int = 3
    start_points: int = 0
    limit: int = 0
    status: str = "open"
    round: int = 0
    revealed_seed: str = ""
    settings: Texts = field(default_factory=dict)
    second_id: int = 0
    archived: bool = False
    house: Texts = field(default_factory=dict)
    zone: str = ""

    @property
    def organisers(self) -> tuple[int, ...]:
        """Return the organiser, and the second one if there is one."""
        return (self.organiser_id, self.second_id) if self.second_id else (self.organiser_id,)


@dataclass(slots=True)
class EntrantRow(Row):
    """A crew in a campaign with its player. `crew`: the scope it was copied from; `counters`: balances."""

    table: ClassVar[str] = "entrants"

    id: int
    owner_id: int
    owner: str
    name: str
    crew: int = 0
    status: str = "in"
    traits: Texts = field(default_factory=dict)
    counters: Counters = field(default_factory=dict)


@dataclass(slots=True)
class VeteranRow(Row):
    """A member of a crew in a campaign. `status`: fit, dead, captive or dismissed; `benched`: sits out.

    `counters`: its balances: upgrade points, injuries, encounters still missed, relics.
    """

    table: ClassVar[str] = "veterans"

    id: int
    entrant: int
    name: str
    profile: str
    points: int
    leader: bool = False
    benched: bool = False
    status: str = "fit"
    note: str = ""
    counters: Counters = field(default_factory=dict)


@dataclass(slots=True)
class FixtureRow(Row):
    """Two entrants who meet in a round; `away` 0: the home one rests. `status`: open, played, rest.

    `day`: its date in seconds since 1970, or 0 without one. `report`: the journal's entry that opened the
    report which is open now, or 0. `reporter`: the entrant whose player opened it, 0 for the organiser.
    `thrown`: the last entry that opened a report of it with dice, or 0; a report that is opened again keeps
    them.
    """

    table: ClassVar[str] = "fixtures"

    id: int
    round: int
    home: int
    away: int = 0
    status: str = "open"
    day: int = 0
    report: int = 0
    reporter: int = 0
    thrown: int = 0


@dataclass(slots=True)
class ResultRow(Row):
    """A fixture's result for one entrant. `status`: proposed or confirmed; `facts`: as its game writes
    them.

    `encounter`: the scope it was played in, 0 when entered by hand.
    """

    table: ClassVar[str] = "results"

    id: int
    fixture: int
    entrant: int
    opponent: int
    result: str
    points: int
    status: str = "proposed"
    encounter: int = 0
    facts: Texts = field(default_factory=dict)


@dataclass(slots=True)
class ProposalRow(Row):
    """One line of an open report: what is proposed for an entrant or one of its members (`member` 0).

    `kind` says what `text`, `amount` and `choice` mean; `was` and `editor`: the value before someone changed
    it, and that person.
    """

    table: ClassVar[str] = "proposals"

    id: int
    entrant: int
    member: int
    kind: str
    text: str
    amount: int = 0
    choice: str = ""
    reason: str = ""
    was: str = ""
    editor: str = ""


@dataclass(slots=True)
class LedgerRow(Row):
    """One change of one account. `amount` is what a number changed by, 0 where words changed.

    `entry`: the journal's entry that made it.
    """

    table: ClassVar[str] = "ledger"

    id: int
    entry: int
    entrant: int
    member: int
    account: str
    before: str
    after: str
    amount: int
    actor_id: int
    actor: str
    cause: str


@dataclass(slots=True)
class TaleRow(Row):
    """A player's text about a game, or about a crew if `fixture` is 0."""

    table: ClassVar[str] = "tales"

    id: int
    fixture: int
    entrant: int
    author_id: int
    author: str
    text: str


@dataclass(slots=True)
class ShotRow(Row):
    """A picture that a player adds to a game, with its caption. `digest`: the picture's hash; the
    picture itself is in `bot.store.side_tables` and may be gone.
    """

    table: ClassVar[str] = "shots"

    id: int
    fixture: int
    entrant: int
    author_id: int
    author: str
    words: str
    digest: str


CAMPAIGN_TABLES: tuple[type[Row], ...] = (
    CampaignRow,
    EntrantRow,
    VeteranRow,
    FixtureRow,
    ResultRow,
    ProposalRow,
    LedgerRow,
    TaleRow,
    ShotRow,
)
