"""What waits for an SQLite file together is written in one transaction, and no fault of one is another's."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import OperationalError

from bot.store.engine import OneWriter
from tests.bot.tables import url_of


class Notes:
    """A file with a list of words, and how many transactions were committed."""

    def __init__(self, file: Path, *, quick: bool) -> None:
        self.file = file
        self.quick = quick
        self.threads: set[threading.Thread] = set()
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("CREATE TABLE notes (word TEXT UNIQUE)")
            connection.commit()
        self.writer = OneWriter(url_of(file))
        self.commits = 0
        event.listen(self.writer.engine, "commit", self._count)

    def _count(self, _connection: object) -> None:
        self.commits += 1

    async def write(self, word: str) -> str:
        def work(connection: Connection) -> str:
            self.threads.add(threading.current_thread())
            connection.execute(text("INSERT INTO notes VALUES (:word)"), {"word": word})
            return word

        return await (self.writer.quickly(work) if self.quick else self.writer.run(work))

    @property
    def words(self) -> list[str]:
        with closing(sqlite3.connect(self.file)) as connection:
            return [word for (word,) in connection.execute("SELECT word FROM notes ORDER BY rowid")]

    @asynccontextmanager
    async def kept_busy(self) -> AsyncIterator[None]:
        """The writer does nothing as long as the block runs."""
        begun, goes_on = threading.Event(), threading.Event()

        def wait(_connection: Connection) -> None:
            begun.set()
            goes_on.wait()

        waiting = asyncio.create_task(self.writer.run(wait))
        await asyncio.to_thread(begun.wait)
        try:
            yield
        finally:
            goes_on.set()
            await waiting
            self.commits -= 1


@pytest.fixture(params=["quick", "long"])
async def notes(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Notes]:
    notes = Notes(tmp_path / "notes.db", quick=request.param == "quick")
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
    outcomes = iter((True, False))

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


async def test_who_waited_on_a_loop_that_has_ended_holds_nobody_up(notes: Notes) -> None:
    async def leave() -> None:
        asyncio.create_task(notes.write("left")).add_done_callback(lambda _task: None)
        await asyncio.sleep(0)

    async with notes.kept_busy():
        await asyncio.to_thread(lambda: asyncio.run(leave()))
    assert await notes.write("here") == "here"
    assert notes.words == ["here"]


async def test_quick_works_are_stated_by_the_loop_and_long_ones_by_a_thread(notes: Notes) -> None:
    await notes.write("one")
    assert threading.current_thread() not in notes.threads, "a connection is opened by the thread"
    notes.threads.clear()
    await notes.write("two")
    assert (threading.current_thread() in notes.threads) == notes.quick
    assert len(notes.threads) == 1


async def test_quick_and_long_works_keep_their_order(notes: Notes) -> None:
    async with notes.kept_busy():
        tasks = []
        for number in range(9):
            notes.quick = number % 3 != 1
            tasks.append(asyncio.create_task(notes.write(str(number))))
            await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert notes.words == [str(number) for number in range(9)]


async def test_the_loop_does_not_wait_for_another_program_that_writes(notes: Notes) -> None:
    await notes.write("before")
    await asyncio.to_thread(notes.writer._idle.wait)
    notes.threads.clear()
    with closing(sqlite3.connect(notes.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writing = asyncio.create_task(notes.write("one"))
        for _ in range(50):
            await asyncio.sleep(0)
        assert not writing.done()
        other.execute("ROLLBACK")
    assert await writing == "one"
    assert threading.current_thread() not in notes.threads


async def test_one_that_fails_alone_is_done_once(notes: Notes) -> None:
    done: list[None] = []

    def work(connection: Connection) -> None:
        done.append(None)
        connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    with pytest.raises(OperationalError, match="nowhere"):
        await (notes.writer.quickly(work) if notes.quick else notes.writer.run(work))
    assert len(done) == 1
    assert await notes.write("one") == "one"


async def test_a_loop_that_ends_before_its_turn_holds_nobody_up(notes: Notes) -> None:
    loop = asyncio.new_event_loop()

    def leave() -> None:
        loop.create_task(notes.write("left")).add_done_callback(lambda _task: None)
        loop.call_soon(loop.stop)
        loop.run_forever()

    async with notes.kept_busy():
        await asyncio.to_thread(leave)
    for _ in iter(lambda: notes.writer._asked is loop, True):
        await asyncio.sleep(0)
    loop.close()
    assert await asyncio.wait_for(notes.write("here"), 20) == "here"
    assert "here" in notes.words
