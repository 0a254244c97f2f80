"""A campaign as it was: its rows at an earlier game, made again from the journal.

Owns nothing that is kept: what was is what the journal says, with all that was corrected since left out.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from bot.store.book import Book, apply, from_json
from bot.store.row_types import EntrantRow, FixtureRow
from bot.store.rows import Columns, Key
from bot.store.store import Store
from rules.refusals import InvalidInput

Rows = Mapping[str, Mapping[Key, Columns]]


async def _moments(store: Store, scope: int) -> AsyncIterator[tuple[Book, Book]]:
    """The campaign before and after each entry of its journal, oldest first."""
    rows: dict[str, dict[Key, Columns]] = {}
    for entry in await store.all_entries(scope):
        after = apply(rows, from_json(entry.changes_written(), rows))
        yield Book(scope, rows), Book(scope, after)
        rows = after


async def as_it_joined(store: Store, scope: int, entrant: int) -> Book:
    """The campaign as it was when a crew had joined."""
    found = Book(scope, {})
    async for before, after in _moments(store, scope):
        if before.get(EntrantRow, entrant) is None and after.get(EntrantRow, entrant) is not None:
            found = after
    return found


async def as_it_played(store: Store, scope: int, entrant: int, round_number: int) -> tuple[Book, str]:
    """The campaign as a crew went into the game of a round that is reported, and who met.

    Raises InvalidInput where it played none.
    """
    loaded = await store.load(scope)
    now = loaded.book() if loaded else Book(scope, {})
    played = [
        one
        for one in now.all(FixtureRow)
        if one.round == round_number and one.status == "played" and entrant in (one.home, one.away)
    ]
    if not played:
        raise InvalidInput(f"It has no reported game of round {round_number}. Leave round out: as it stands.")
    fixture = played[-1]
    found = now
    async for before, after in _moments(store, scope):
        if not _is_played(before, fixture.id) and _is_played(after, fixture.id):
            found = before
    names = [one.name if (one := now.get(EntrantRow, side)) else "" for side in (fixture.home, fixture.away)]
    return found, " - ".join(names)


def _is_played(book: Book, fixture: int) -> bool:
    row = book.get(FixtureRow, fixture)
    return row is not None and row.status == "played"
