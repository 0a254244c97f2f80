"""Reading waits for nobody: neither for another program that holds the database nor for who writes here."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import text

from bot.store import store as store_module
from bot.store.doctor import examine
from bot.store.engine import SqliteWriter, make_engines
from bot.store.store import Store
from bot.table.journal.log import ShowLog
from bot.table.rolling.dice_settings import DiceMode, ShowDice
from bot.table.rosters.crews import CreateCrew, ListCrews, ShowCrew
from bot.table.session.encounters import ShowEncounter, StartDemo
from bot.table.session.models import DamageModel, ShowModel
from tests.bot.arranging import arrange
from tests.bot.house import House
from tests.bot.tables import Table, opened, url_of

pytestmark = pytest.mark.crowded


@asynccontextmanager
async def held(file: Path) -> AsyncIterator[None]:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def impatient(store: Store, milliseconds: int) -> None:
    """How long this program waits to write while another one does."""
    cast(SqliteWriter, store._writer).patience_ms = milliseconds


async def test_what_is_only_read_is_answered_while_another_program_writes(file: Path) -> None:
    async with opened(file, crowded=True) as table:
        await table.done("anna", StartDemo())
        crew = (await table.done("anna", CreateCrew("The Fine"))).scope
        ids = table.ids
    async with opened(file, crowded=True) as table:
        table.ids = ids
        impatient(table.desk.store, 60_000)
        async with held(file):
            for action in (ShowDice(), ShowEncounter(), ShowLog(), ShowModel("Smap"), ListCrews()):
                answer = await asyncio.wait_for(table.do("anna", action), 30)
                assert answer.reply.private, action
                assert not answer.changed
            assert "The Fine" in (await table.do("anna", ShowCrew(crew))).reply.text


async def test_reading_goes_past_those_who_wait_to_write_in_the_same_game(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "TURN_SECONDS", 0.01)
    async with opened(file, crowded=True) as table:
        await table.done("anna", StartDemo())
        impatient(table.desk.store, 60_000)
        async with held(file):
            writing = [asyncio.ensure_future(table.do("anna", DamageModel("Smap"))) for _ in range(2)]
            await asyncio.sleep(0)
            for action in (ShowDice(), ShowEncounter(), ShowModel("Smap")):
                shown = await asyncio.wait_for(table.do("anna", action), 30)
                assert shown.reply.private
            assert "1/2" not in (await table.do("anna", ShowModel("Smap"))).reply.text
            assert not any(one.done() for one in writing)
        said = [answer.reply.lines[0] for answer in await asyncio.gather(*writing)]
        assert said[0] == "Smap takes 1 wound (1 of 2 life left)."
        assert said[1].startswith("Smap takes 1 wound (0 of 2 life left)")
    assert (await examine(url_of(file))).faults == ()


async def test_what_everybody_reads_waits_for_its_turn_though_it_alters_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In public the table is told as it stands when all that was asked before is done."""
    monkeypatch.setattr(store_module, "TURN_SECONDS", 0.01)
    async with opened(file, crowded=True) as table:
        await table.done("anna", StartDemo())
        impatient(table.desk.store, 60_000)
        async with held(file):
            writing = asyncio.ensure_future(table.do("anna", DamageModel("Smap")))
            await asyncio.sleep(0)
            public = asyncio.ensure_future(arrange(table, "anna"))
            for _ in range(5):
                await asyncio.wait_for(table.do("anna", ShowModel("Smap")), 30)
            assert not writing.done()
            assert not public.done()
        assert (await writing).changed
        told = await public
        assert (told.reply.private, told.changed) == (False, False)


async def test_what_alters_or_rolls_waits_for_its_turn(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told what was then not so: only what is private and changes nothing goes past."""
    monkeypatch.setattr(store_module, "TURN_SECONDS", 0.01)
    async with opened(file, crowded=True) as table:
        await table.done("anna", StartDemo())
        impatient(table.desk.store, 60_000)
        async with held(file):
            first = asyncio.ensure_future(table.do("anna", DamageModel("Smap")))
            await asyncio.sleep(0)
            mode = asyncio.ensure_future(table.do("anna", DiceMode("bot")))
            await asyncio.sleep(0.1)
            assert not first.done()
            assert not mode.done()
        await asyncio.gather(first, mode)


async def test_who_cannot_write_is_told_why(file: Path) -> None:
    async with opened(file, crowded=True) as table:
        await table.done("anna", StartDemo())
        impatient(table.desk.store, 1)
        async with held(file):
            said = await table.refused("anna", DamageModel("Smap"))
        assert said == "Try again in a moment; another program is using the database.\nNothing was changed."
        await table.done("anna", DamageModel("Smap"))


async def test_suggestions_and_reading_on_discord_do_not_wait_either(house: House, file: Path) -> None:
    await house.slash("demo")
    await house.quiet()
    await house.restart()
    impatient(house.desk.store, 60_000)
    async with held(file):
        assert "dice" in (await house.slash("dice show")).content
        found = await house.anna.autocomplete("model damage", {"model": "sk"}, focused="model")
        assert [choice.name for choice in found] == ["Skip Westmoreland"]


async def test_what_was_read_while_somebody_wrote_is_not_kept(table: Table) -> None:
    await table.done("anna", StartDemo())
    store = table.desk.store
    scope = await store.running_encounter(table.channel)
    store.forget(scope)
    reading = asyncio.ensure_future(store.load(scope))
    await asyncio.sleep(0)
    again = await store.load(scope)
    await table.done("anna", DamageModel("Smap"))
    await reading
    assert again is not None
    now = await store.load(scope)
    assert now is not None
    assert now.scope.version == 2


async def test_what_runs_is_waited_for_when_the_database_is_closed(file: Path) -> None:
    """SQLite crashes where its connection is closed by one thread while another one uses it."""
    writer, reader = make_engines(url_of(file))
    working = [asyncio.create_task(writer.run(lambda it: it.execute(text("SELECT 1")).scalar()))]
    await asyncio.sleep(0)
    await writer.close()
    assert await asyncio.gather(*working) == [1]
    await reader.close()
