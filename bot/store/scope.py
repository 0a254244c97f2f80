"""A scope as it stands: its place in the journal, its rows, and the secret of its dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.store.book import Book, Snapshot
from bot.store.row import Columns, Key

EMPTY_CHAIN = "0" * 64


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a scope stands; the columns of the same names are described in the schema."""

    id: int
    kind: str
    guild_id: int
    channel_id: int
    version: int = 0
    tip: int = 0
    rolls: int = 0
    open_dice: int = 0
    chain: str = EMPTY_CHAIN
    moved: int = 0
    shown: str = EMPTY_CHAIN


@dataclass(frozen=True, slots=True)
class Loaded:
    """A scope with its rows and the secret of its dice (empty where it has none).

    written: the rows that are written otherwise than they are read, as they are written. forgotten: how many
    people were forgotten before it was read: where more are by now, its names may be theirs.
    """

    scope: Scope
    snapshot: Snapshot
    seed: bytes = b""
    written: Mapping[tuple[str, Key], Columns] = field(default_factory=dict)
    forgotten: int = 0

    def book(self) -> Book:
        """A fresh book of these rows."""
        return Book(self.scope.id, self.snapshot)


@dataclass(frozen=True, slots=True)
class UndoneDice:
    """Which undone entries a commit adds, forgets, closes (their faces are used up) or opens again."""

    add: tuple[tuple[int, str, bool], ...] = ()
    forget: tuple[int, ...] = ()
    spend: tuple[int, ...] = ()
    reopen: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.add or self.forget or self.spend or self.reopen)
