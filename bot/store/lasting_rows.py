"""Rows beside the game: what people are, ask and give, which no undo and no redo touches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.store.row import Row


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

    `seal` is the SHA-256 that everybody reads, of `text` with a blank and `salt` behind it; both are empty
    where the words were closed at home and are not `opened` yet.
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
        """Whether the words were closed elsewhere, and their SHA-256 alone was given."""
        return not self.salt

    @property
    def shown(self) -> str:
        """The words as everybody can close them again."""
        return f"{self.text} {self.salt}".rstrip()


@dataclass(slots=True)
class WatcherRow(Row):
    """Somebody who only watches and never had a seat."""

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
    """What a person has asked of others and waits for: to join a side, to undo, to redo; or a crew that is
    offered to them.

    `kind` is join, undo, redo or crew; `action` what was asked, as command and JSON; `entry` the ask's own
    number; `about` the side, or the entry up to which is undone or redone; `of` who still has to agree, with
    blanks between; `refused`: somebody said no.
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

    `entry` is the one that is questioned, `number` what the log calls it. `verdict` is stands or wrong, empty
    while nobody has ruled; `ruling`: why.
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
    """What a person of a campaign wants to be reminded of, and in which channel.

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

    What the person asks is done as by `as_id`, whose the seat is; each seat has one stand-in at most.
    """

    table: ClassVar[str] = "stand_ins"
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "user_id")

    user_id: int
    name: str
    as_id: int
    as_name: str


@dataclass(slots=True)
class SeatCodeRow(Row):
    """A code by which a person gives the seat to somebody else, once. digest: its SHA-256.

    until_ms: when it is no good any more, in milliseconds since 1970.
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
