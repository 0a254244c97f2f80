"""The unit of work: whole or not at all, once, on the version that was loaded, one game in a channel."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest
from sqlalchemy import event

from bot.app import now_ms
from bot.store import store as store_module
from bot.store.book import EMPTY_CHAIN, Book, Loaded, changes_between
from bot.store.engine import make_engines
from bot.store.errors import Occupied, Repeated, Stale, Unwritable
from bot.store.journal import NewEntry
from bot.store.reads import CardPlace
from bot.store.rows import EncounterRow, SideRow
from bot.store.store import Store
from tests.bot.tables import contents, url_of

pytestmark = pytest.mark.both_databases

numbers = itertools.count(1)


@pytest.fixture
async def store(file: Path):  # type: ignore[no-untyped-def]
    store = Store(*make_engines(url_of(file)), now_ms)
    yield store
    await store.close()


def draft(interaction: int = 0, **more: object) -> NewEntry:
    number = interaction or next(numbers)
    return NewEntry(number, 500, 1, "Anna", "test", "{}", "a title", '{"lines":["done"]}', **more)  # type: ignore[arg-type]


def encounter(book: Book, channel: int = 500) -> EncounterRow:
    return book.add(EncounterRow(book.scope, channel, 900, "counterblast", "A game", 1, "c0ffee"))


async def write(store: Store, loaded: Loaded, book: Book, **more: object) -> Loaded:
    after = book.snapshot()
    return await store.commit(loaded, after, changes_between(loaded.snapshot, after), draft(**more))  # type: ignore[arg-type]


async def begun(store: Store, channel: int = 500) -> Loaded:
    loaded = await store.new_scope("encounter", 900, channel, b"\x01" * 32)
    book = loaded.book()
    encounter(book, channel)
    return await write(store, loaded, book)


async def test_state_journal_and_version_are_written_together(store: Store, file: Path) -> None:
    loaded = await begun(store)
    assert (loaded.scope.version, loaded.scope.tip) == (1, 1)
    assert loaded.scope.chain != EMPTY_CHAIN
    book = loaded.book()
    book.add(SideRow(book.scope, 1, "Lancers"))
    now = await write(store, loaded, book, interaction=77)
    assert (now.scope.version, now.scope.tip) == (2, 2)
    store.forget(now.scope.id)
    again = await store.load(now.scope.id)
    assert again == now
    entries = await store.all_entries(now.scope.id)
    assert [(entry.seq, entry.parent) for entry in entries] == [(1, 0), (2, 1)]
    assert entries[1].interaction_id == 77
    assert entries[1].changes_written() == [["sides", None, [now.scope.id, 1, "Lancers", 0, "{}", "{}"]]]
    assert contents(file, "sides")["sides"] == [(now.scope.id, 1, "Lancers", 0, "{}", "{}")]


async def test_nothing_is_written_when_the_database_refuses_in_the_middle(store: Store, file: Path) -> None:
    loaded = await begun(store)
    before = contents(file, "sides", "encounters", "journal", "scopes")
    book = loaded.book()
    book.add(SideRow(book.scope, 1, "Lancers"))

    def refuse(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT INTO journal"):
            raise RuntimeError("the disk is full")

    event.listen(store._writer.engine, "before_cursor_execute", refuse)
    with pytest.raises(RuntimeError):
        await write(store, loaded, book)
    assert contents(file, "sides", "encounters", "journal", "scopes") == before


async def test_a_commit_that_fails_leaves_the_next_one_free(store: Store, file: Path) -> None:
    loaded = await begun(store)
    failing = [True]

    def fail(_connection: object) -> None:
        if failing and failing.pop():
            raise RuntimeError("the disk is full")

    event.listen(store._writer.engine, "commit", fail)
    book = loaded.book()
    book.add(SideRow(book.scope, 1, "Lancers"))
    with pytest.raises(RuntimeError):
        await write(store, loaded, book)
    assert contents(file, "sides") == {"sides": []}
    assert (await write(store, loaded, book)).scope.version == 2


async def test_a_change_made_meanwhile_is_found(store: Store, file: Path) -> None:
    loaded = await begun(store)
    other = Store(*make_engines(url_of(file)), now_ms)
    theirs = await other.load(loaded.scope.id)
    assert theirs is not None
    book = theirs.book()
    book.add(SideRow(book.scope, 1, "Edo"))
    await write(other, theirs, book)
    await other.close()
    mine = loaded.book()
    mine.add(SideRow(mine.scope, 1, "Lancers"))
    with pytest.raises(Stale):
        await write(store, loaded, mine)
    fresh = await store.load(loaded.scope.id)
    assert fresh is not None
    assert [side.name for side in fresh.book().all(SideRow)] == ["Edo"]


async def test_one_interaction_is_written_once(store: Store, file: Path) -> None:
    loaded = await write_side(store, await begun(store), "Lancers", interaction=77)
    before = contents(file)
    with pytest.raises(Repeated) as repeated:
        await write_side(store, loaded, "Edo", interaction=77)
    assert repeated.value.entry.seq == 2
    assert contents(file) == before
    other = await begun(store, channel=501)
    with pytest.raises(Repeated):
        await write_side(store, other, "Edo", interaction=77)


async def write_side(store: Store, loaded: Loaded, name: str, interaction: int = 0) -> Loaded:
    book = loaded.book()
    book.add(SideRow(book.scope, book.next_id(SideRow), name))
    return await write(store, loaded, book, interaction=interaction)


async def test_a_channel_has_one_running_encounter(store: Store) -> None:
    first = await begun(store)
    with pytest.raises(Occupied):
        await begun(store)
    elsewhere = await begun(store, channel=501)
    assert await store.running_encounter(501) == elsewhere.scope.id
    book = first.book()
    row = book.get(EncounterRow)
    assert row is not None
    row.status = "ended"
    await write(store, first, book)
    assert await store.running_encounter(500) == 0
    second = await begun(store)
    assert await store.running_encounter(500) == second.scope.id


async def test_what_leaves_memory_is_read_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "KEPT_SCOPES", 3)
    scopes = [await begun(store, channel=number) for number in range(6)]
    assert list(store._kept) == [loaded.scope.id for loaded in scopes[3:]]
    assert [await store.load(loaded.scope.id) for loaded in scopes] == scopes
    await store.load(scopes[4].scope.id)
    await store.load(scopes[0].scope.id)
    assert list(store._kept) == [scopes[5].scope.id, scopes[4].scope.id, scopes[0].scope.id]


async def test_locks_serve_one_after_the_other_and_leave_nothing(store: Store) -> None:
    inside: list[int] = []
    most = 0

    async def work(name: int) -> None:
        nonlocal most
        async with store.alone(name % 2):
            inside.append(name)
            most = max(most, sum(one % 2 == name % 2 for one in inside))
            await asyncio.sleep(0)
            inside.remove(name)

    async with store.alone(0):
        waiting = asyncio.create_task(work(2))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await asyncio.gather(*(work(number) for number in range(20)))
    assert most == 1
    assert store._locks.held == {}


async def test_a_scope_that_was_made_for_nothing_goes(store: Store, file: Path) -> None:
    empty = await store.new_scope("encounter", 900, 500, b"\x02" * 32)
    kept = await begun(store, channel=501)
    await store.discard(empty.scope.id)
    await store.discard(kept.scope.id)
    assert [row[0] for row in contents(file, "scopes")["scopes"]] == [kept.scope.id]
    assert [row[0] for row in contents(file, "seeds")["seeds"]] == [kept.scope.id]
    assert await store.load(empty.scope.id) is None


async def test_panels_are_remembered(store: Store) -> None:
    assert await store.panel(1) is None
    await store.set_panel(1, CardPlace(500, 6000, 7))
    standing = CardPlace(501, 6001, 8, 3, "1:2:over", "100", 9)
    await store.set_panel(1, standing)
    assert await store.panel(1) == standing
    assert (await store.waited_for(8), await store.waited_for(9)) == ([], [1])
    assert await store.panel(2) is None


async def test_readers_cannot_write(store: Store) -> None:
    from sqlalchemy import text
    from sqlalchemy.exc import DBAPIError

    with pytest.raises((DBAPIError, Unwritable), match=r"read-only"):
        await store._as_reader.read(lambda connection: connection.execute(text("DELETE FROM journal")))
