"""kill -9 at every point of every commit: nothing acknowledged is lost, nothing half done, play goes on."""

from __future__ import annotations

import asyncio
import itertools
import pickle
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.store.doctor import examine
from bot.table.request import Request
from bot.table.session.encounters import NextStep, StartDemo
from tests.bot.arranging import arrange
from tests.bot.counterblast.upkeep.test_upkeep_flow import ONE_TESTS
from tests.bot.tables import Table, contents, opened, url_of
from tests.faults import dying
from tests.faults.dying import (
    ANNA,
    BEGINNING,
    FIRST_INTERACTION,
    MOVES,
    UPKEEP,
    Clockwork,
    look_everywhere,
    move,
)
from tests.started import program


@dataclass
class Deaths:
    """Where the database files lie, and the first point at which nobody died."""

    folder: Path
    last: int

    def file(self, point: int) -> Path:
        return self.folder / f"{point}.db"

    def to_go_on(self, point: int) -> Path:
        """A copy of the database, on which play may go on."""
        for end in ("", "-wal"):
            if (left := Path(f"{self.file(point)}{end}")).exists():
                shutil.copy(left, self.folder / f"{point}.on.db{end}")
        return self.folder / f"{point}.on.db"

    def answered(self, point: int) -> list[int]:
        return [int(line) for line in (self.folder / f"{point}.answered").read_text().split()]


async def deaths_of(template: Path, folder: Path, moves: list[Request]) -> Deaths:
    """What deaths at every point of these moves would leave; that it is what they leave is tested here."""

    async def play(file: Path, answered: Path, clockwork: Clockwork) -> None:
        await dying.play(file, answered, clockwork, moves)

    return Deaths(folder, await look_everywhere(template, folder, play))


def kill_everywhere(template: Path, folder: Path, moves: list[Request]) -> Deaths:
    written = folder / "moves"
    written.write_bytes(pickle.dumps(moves))
    done = program("-m", "tests.faults.dying", str(template), str(folder), str(written), patience=120)
    assert done.returncode == 0, done.stderr
    return Deaths(folder, int((folder / "last").read_text()))


@pytest.fixture(scope="module")
def template(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that has begun, in a file without a write-ahead log beside it."""
    file = tmp_path_factory.mktemp("begun") / "begun.db"
    file.write_bytes(migrated.read_bytes())

    async def begin() -> None:
        async with opened(file) as table:
            await table.do(ANNA, StartDemo())
            await table.do(ANNA, NextStep())

    asyncio.run(begin())
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file


@pytest.fixture(scope="module")
def deaths(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Deaths:
    return kill_everywhere(template, tmp_path_factory.mktemp("deaths"), MOVES)


def interactions(file: Path) -> list[int]:
    """The moves that are in the journal, in order."""
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(
            "SELECT interaction_id FROM journal WHERE interaction_id BETWEEN ? AND ? ORDER BY id",
            (FIRST_INTERACTION, FIRST_INTERACTION + 999),
        )
        return [row[0] - FIRST_INTERACTION for row in rows]


async def test_nothing_acknowledged_is_lost_and_nothing_half_done(deaths: Deaths) -> None:
    await check_deaths(deaths, MOVES)


async def test_a_death_leaves_what_stands_in_the_files(
    deaths: Deaths, template: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """At every point, by who was killed there and by who looked at the files while it went on."""
    looked_at = await deaths_of(template, tmp_path_factory.mktemp("looked"), MOVES)
    assert looked_at.last == deaths.last
    for point in range(1, deaths.last + 1):
        killed, looked = deaths.file(point), looked_at.file(point)
        assert deaths.answered(point) == looked_at.answered(point)
        assert interactions(killed) == interactions(looked)
        assert contents(killed) == contents(looked)


async def test_no_death_between_the_presses_of_an_upkeep_changes_it(
    template: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("acted") / "acted.db"
    file.write_bytes(template.read_bytes())
    async with opened(file) as table:
        table.ids["anna"] = ANNA.user_id
        table.interactions = itertools.count(20_000)
        await arrange(table, "anna", *ONE_TESTS)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    deaths = await deaths_of(file, tmp_path_factory.mktemp("upkeeps"), UPKEEP)
    await check_deaths(deaths, UPKEEP)
    async with opened(deaths.file(deaths.last)) as table:
        encounter = await table.encounter()
        assert encounter.row.turn == 2
        assert {row.kind: row.inside for row in encounter.tokens("initiative")}[2] == 9


async def check_deaths(deaths: Deaths, moves: list[Request]) -> None:
    """Wherever it died, what was answered stands, and the rest is made with the same end.

    Deaths that left the same rows after the same answers are one: it is gone on from there once.
    """
    end = contents(deaths.file(deaths.last))
    assert interactions(deaths.file(deaths.last)) == list(range(len(moves)))
    assert deaths.last > 5 * len(moves)
    unheard, left = 0, set[str]()
    for point in range(1, deaths.last):
        file, answered = deaths.file(point), deaths.answered(point)
        kept = interactions(file)
        assert kept[: len(answered)] == answered
        assert len(kept) - len(answered) in (0, 1)
        unheard += len(kept) - len(answered)
        rows = repr((answered, contents(file)))
        if rows in left:
            continue
        left.add(rows)
        file = deaths.to_go_on(point)
        assert (await examine(url_of(file))).faults == ()
        async with opened(file) as table:
            for number in range(len(answered), len(moves)):
                await move(table.desk, number, moves)
        assert interactions(file) == list(range(len(moves)))
        assert without_scopes(contents(file)) == without_scopes(end)
    assert unheard == len(moves), "each move died once between its commit and its answer"


def without_scopes(rows: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """All rows but the number of their scope: one that died with its first action leaves a number unused."""
    return {table: [row[1:] for row in found] for table, found in rows.items()}


async def test_buttons_from_before_the_death_work_after_it(deaths: Deaths) -> None:
    point = next(point for point in range(1, deaths.last) if deaths.answered(point) == [0, 1])
    async with opened(deaths.file(point)) as table:
        table.ids["anna"] = ANNA.user_id
        table.interactions = itertools.count(20_000)
        again = await move(table.desk, 1, MOVES)
        assert again.repeated
        undone = await table.press("anna", again, "Again")
        assert undone.changed


async def test_a_game_that_died_while_it_began_can_begin_again(
    migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    deaths = await deaths_of(migrated, tmp_path_factory.mktemp("beginnings"), BEGINNING)
    assert deaths.last > 8
    left = {repr(contents(deaths.file(point))): point for point in range(1, deaths.last)}
    assert 1 < len(left) < 8
    for point in left.values():
        assert (await examine(url_of(deaths.file(point)))).faults == ()
        async with opened(deaths.file(point)) as table:
            answer = await move(table.desk, 0, BEGINNING)
            assert answer.reply.lines[0] == "This is a sample game of Counterblast."
            assert (answer.changed, answer.repeated) in ((True, False), (False, True))
            await check_game(table)
        assert (await examine(url_of(deaths.file(point)))).faults == ()


async def check_game(table: Table) -> None:
    encounter = await table.encounter()
    assert len(encounter.models()) == 15
    assert len(contents(table.file, "encounters")["encounters"]) == 1
