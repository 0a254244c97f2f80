"""A book that a commit left for who acts next holds just what the database holds, in games of all systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app import ALL_GAMES
from bot.store.book import Book
from bot.store.rows import ROWS
from bot.store.scope import Loaded
from bot.store.store import Store
from tests.conformance.legal_play import played, taken_back

STEPS = 40


def rows(book: Book) -> dict[str, str]:
    return {name: repr(book.all(kind)) for name, kind in ROWS.items()}


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_a_book_that_was_left_is_as_fresh_as_a_new_one(
    file: Path, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, again = Store.book_of, 0

    def looked_at(store: Store, loaded: Loaded) -> Book:
        nonlocal again
        book = left(store, loaded)
        again += bool(book._rows)
        fresh = Book(loaded.scope.id, loaded.snapshot)
        assert rows(book) == rows(fresh)
        assert book.snapshot() == loaded.snapshot
        assert not book.worked_out
        return book

    monkeypatch.setattr(Store, "book_of", looked_at)
    wanderer = await played(file, system, 3, STEPS)
    await taken_back(file, wanderer)
    assert not wanderer.wrong
    assert again > STEPS // 4
