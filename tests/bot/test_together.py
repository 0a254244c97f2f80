"""What waits for an SQLite file together is written in one transaction, and no fault of one is another's."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import OperationalError

from bot.store.engine import SqliteWriter
from tests.bot.tables import url_of


class Notes:
    """A file with a list of words, and how many transactions were committed."""

    def __init__(self, file: Path) -> None:
        self.file = file
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("CREATE TABLE notes (word TEXT UNIQUE)")
            connection.commit()
        self.writer = SqliteWriter(url_of(file))
        self.commits = 0
        event.listen(self.writer.engine, "commit", self._count)

    def _count(self, _connection: object) -> None:
        self.commits += 1

    async def write(self, word: str) -> str:
        def work(connection: Connection) -> str:
            connection.execute(text("INSERT INTO notes VALUES (:word)"), {"word": word})
            return word

        return await self.writer.run(work)

    @property
    def words(self) -> list[str]:
        with closing(sqlite3.connect(self.file)) as connection:
            return [word for (word,) in connection.execute("SELECT word FROM notes ORDER BY rowid")]

    @asynccontextmanager
    async def kept_busy(self) -> AsyncIterator[None]:
        """Another program holds the lock for writing as long as the block runs, and one work waits for it."""
        await self.writer.run(lambda connection: connection.execute(text("SELECT 1")).scalar())
        with closing(sqlite3.connect(self.file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            waiting = asyncio.create_task(self.writer.run(lambda _connection: None))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            try:
                yield
            finally:
                other.execute("ROLLBACK")
                await waiting
                self.commits -= 2


@pytest.fixture
async def notes(tmp_path: Path) -> AsyncIterator[Notes]:
    notes = Notes(tmp_path / "notes.db")
    yield notes
    await notes.writer.close()


async def all_of(notes: Notes, *words: str, then: Callable[[list[asyncio.Task[str]]], None]) -> list[object]:
    """What each came to, all of them asked for while the writer was busy."""
    async with notes.kept_busy():
        tasks = [asyncio.create_task(notes.write(word)) for word in words]
        await asyncio.sleep(0)
        then(tasks)
    return list(await asyncio.gather(*tasks, return_exceptions=True))


def nothing(_tasks: list[asyncio.Task[str]]) -> None:
    """Goes on."""


async def test_what_waits_is_one_transaction_in_the_order_in_which_it_came(notes: Notes) -> None:
    words = [f"word {number}" for number in range(40)]
    assert await all_of(notes, *words, then=nothing) == words
    assert notes.words == words
    assert notes.commits == 1


async def test_a_fault_of_one_is_told_to_that_one_alone(notes: Notes) -> None:
    one, again, two = await all_of(notes, "one", "one", "two", then=nothing)
    assert (one, two) == ("one", "two")
    assert "UNIQUE" in str(again)
    assert notes.words == ["one", "two"]


async def test_where_the_commit_fails_each_is_tried_by_itself(notes: Notes) -> None:
    outcomes = iter((True, True, False))

    def commit(_connection: object) -> None:
        if not next(outcomes, True):
            raise RuntimeError("the disk is full")

    event.listen(notes.writer.engine, "commit", commit)
    assert await all_of(notes, "one", "two", then=nothing) == ["one", "two"]
    assert notes.words == ["one", "two"]
    assert notes.commits == 3  # the one that failed, and one each


async def test_what_is_not_waited_for_any_more_is_not_written(notes: Notes) -> None:
    def gone(tasks: list[asyncio.Task[str]]) -> None:
        tasks[1].cancel()

    one, two, three = await all_of(notes, "one", "two", "three", then=gone)
    assert (one, three) == ("one", "three")
    assert isinstance(two, asyncio.CancelledError)
    assert notes.words == ["one", "three"]


async def test_the_loop_does_not_wait_for_another_program_that_writes(notes: Notes) -> None:
    await notes.write("before")
    with closing(sqlite3.connect(notes.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writing = asyncio.create_task(notes.write("one"))
        for _ in range(50):
            await asyncio.sleep(0)
        assert not writing.done()
        other.execute("ROLLBACK")
    assert await writing == "one"


async def test_one_that_fails_alone_is_done_once(notes: Notes) -> None:
    done: list[None] = []

    def work(connection: Connection) -> None:
        done.append(None)
        connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    with pytest.raises(OperationalError, match="nowhere"):
        await notes.writer.run(work)
    assert len(done) == 1
    assert await notes.write("one") == "one"
