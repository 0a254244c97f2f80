"""A database is copied whole into an empty one of either kind, looked through, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy
from sqlalchemy import Insert, Table
from sqlalchemy.engine import URL

from bot import __main__ as command_line
from bot.store import copying, doctor
from bot.store.copying import copy
from bot.store.doctor import examine
from bot.store.errors import StoreError
from bot.store.schema import metadata
from bot.table.journal.history import Redo, Undo
from bot.table.session.encounters import StartDemo
from bot.table.session.models import DamageModel
from tests.bot.tables import ELSEWHERE, contents, opened, url_of
from tests.bot.test_doctor import database as database
from tests.bot.test_doctor import played_once as played_once
from tests.postgres import Postgres

TABLES = [table.name for table in metadata.sorted_tables]


@pytest.fixture
def empty(postgres: Postgres, tmp_path: Path) -> Iterator[Path]:
    """A database of the server's with nothing in it."""
    url = postgres.database()
    file = tmp_path / f"empty{ELSEWHERE}"
    file.write_text(url.render_as_string(hide_password=False))
    yield file
    postgres.drop(url)


def address(file: Path) -> str:
    return url_of(file).render_as_string(hide_password=False)


async def test_there_and_back_is_the_same_and_play_goes_on(
    database: Path, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "ROWS", 7)
    told: list[tuple[int, int]] = []
    there = await copy(url_of(database), url_of(empty), lambda done, of: told.append((done, of)))
    assert told[-1] == (there.rows, there.rows)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    back = tmp_path / "back.db"
    assert await copy(url_of(empty), url_of(back)) == there
    assert contents(back, *TABLES) == contents(database, *TABLES)
    for one in (empty, back):
        assert (await examine(url_of(one))).faults == ()
        async with opened(one, 50) as table:
            table.ids.update(anna=100, bo=101)
            table.interactions = iter(range(20_001, 20_100))
            await table.done("anna", DamageModel("Smap", 1))
            await table.done("anna", Undo())
            await table.done("anna", Redo())
            elsewhere = table.actor("anna", channel=501)
            await table.done(elsewhere, StartDemo())
        assert (await examine(url_of(one))).faults == ()


def test_the_command_copies_and_looks_through_what_it_copied(
    file: Path, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(["copy", address(file), address(empty)]) == 0
    said = capsys.readouterr().out
    assert "Rows copied: 0." in said
    assert "The copy was checked and is in order." in said


async def test_what_is_not_empty_is_not_written_over(file: Path, elsewhere: Path, tmp_path: Path) -> None:
    for one in (file, elsewhere):
        async with opened(one) as table:
            await table.done("anna", StartDemo())
    before = contents(elsewhere, *TABLES)
    with pytest.raises(StoreError, match="not empty"):
        await copy(url_of(file), url_of(elsewhere))
    with pytest.raises(StoreError, match="not empty"):
        await copy(url_of(elsewhere), url_of(file))
    assert contents(elsewhere, *TABLES) == before
    with pytest.raises(StoreError, match="FROM and TO are the same"):
        await copy(url_of(file), url_of(file))
    with pytest.raises(StoreError, match="no database at"):
        await copy(url_of(tmp_path / "missing.db"), url_of(elsewhere))


@pytest.mark.parametrize("there", [True, False])
async def test_what_was_stopped_is_begun_again(
    database: Path, elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    monkeypatch.setattr(copying, "ROWS", 7)
    source, target = database, elsewhere
    if not there:
        await copy(url_of(database), url_of(elsewhere))
        source, target = elsewhere, tmp_path / "back.db"

    def stop(done: int, _of: int) -> None:
        if done > 20:
            raise KeyError("stopped")

    with pytest.raises(KeyError, match="stopped"):
        await copy(url_of(source), url_of(target), stop)
    assert not any(contents(target, *TABLES).values())
    await copy(url_of(source), url_of(target))
    assert contents(target, *TABLES) == contents(database, *TABLES)


@pytest.mark.parametrize("there", [True, False])
async def test_who_stops_it_while_rows_are_written_reads_that_nothing_was_kept(
    database: Path, elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """Ctrl-C cancels it; the connection is then busy with a batch."""
    source, target = database, elsewhere
    if not there:
        await copy(url_of(database), url_of(elsewhere))
        source, target = elsewhere, tmp_path / "back.db"
    stopped: list[bool] = []
    with monkeypatch.context() as patch:
        patch.setattr(copying, "ROWS", 7)

        def insert(table: Table) -> Insert:
            if table.name == "journal" and not stopped:
                stopped.append(copies.cancel())
            return sqlalchemy.insert(table)

        patch.setattr(copying, "insert", insert)
        copies = asyncio.create_task(copy(url_of(source), url_of(target)))
        with pytest.raises(copying.CopyStopped, match=r"^Stopped\. Nothing was copied") as stop:
            await copies
    assert not stop.value.is_whole
    assert not any(contents(target, *TABLES).values())
    await copy(url_of(source), url_of(target))
    assert contents(target, *TABLES) == contents(database, *TABLES)


async def test_who_stops_it_when_all_is_kept_reads_that(
    database: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = copying._has

    async def stopped_first(target: URL, counts: dict[str, int]) -> bool:
        monkeypatch.setattr(copying, "_has", real)
        copies.cancel()
        await asyncio.sleep(1)
        return False

    monkeypatch.setattr(copying, "_has", stopped_first)
    copies = asyncio.create_task(copy(url_of(database), url_of(elsewhere)))
    with pytest.raises(copying.CopyStopped) as stop:
        await copies
    assert stop.value.is_whole
    assert contents(elsewhere, *TABLES) == contents(database, *TABLES)


@pytest.mark.parametrize(
    ("module", "work", "stopped", "said"),
    [
        (
            copying,
            "copy",
            copying.CopyStopped(is_whole=False),
            "Stopped. Nothing was copied; start the copy again",
        ),
        (copying, "copy", copying.CopyStopped(is_whole=True), "All rows have been copied"),
        (doctor, "examine", doctor.Stopped(7), "doctor --from 7"),
    ],
)
def test_the_command_says_what_was_kept_when_it_is_stopped(
    file: Path,
    empty: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    module: ModuleType,
    work: str,
    stopped: Exception,
    said: str,
) -> None:
    async def stops(*_: object) -> None:
        raise stopped

    monkeypatch.setattr(module, work, stops)
    assert command_line.main(["copy", address(file), address(empty)]) == 130
    assert said in capsys.readouterr().err
