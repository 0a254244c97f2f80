"""Death at every point in the middle of a Challenge: nothing is lost, no card doubled, and it goes on."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.games.fracd_earth.players import deck_of, player_rows
from bot.store.doctor import examine
from tests.bot.fracd_earth.duel import Duel
from tests.bot.fracd_earth.dying import FIRST_INTERACTION, MOVES, move, play
from tests.bot.tables import Table, contents, opened, url_of
from tests.faults.dying import look_everywhere


@pytest.fixture(scope="module")
def template(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that has begun, in a file without a write-ahead log beside it."""
    file = tmp_path_factory.mktemp("begun") / "begun.db"
    file.write_bytes(migrated.read_bytes())

    async def begin() -> None:
        async with opened(file) as table:
            await Duel.open(table)

    asyncio.run(begin())
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file


async def _whole(table: Table) -> None:
    encounter = await table.encounter()
    for row in player_rows(encounter):
        assert sorted(deck_of(encounter, row.id).cards) == list(range(54))


async def test_a_challenge_survives_death_at_every_point(template: Path, tmp_path: Path) -> None:
    """Deaths that left the same rows after the same answers are one."""
    folder = tmp_path / "deaths"
    folder.mkdir()
    last = await look_everywhere(template, folder, play)
    assert last > 8 * MOVES
    end = contents(folder / f"{last}.db")
    unheard, left = set(), set[str]()
    for point in range(1, last):
        file = folder / f"{point}.db"
        heard = len((folder / f"{point}.answered").read_text().split())
        rows = repr((heard, contents(file)))
        if rows in left:
            continue
        left.add(rows)
        assert (await examine(url_of(file))).faults == ()
        async with opened(file) as table:
            await _whole(table)
            kept = [
                number
                for number in range(MOVES)
                if await table.desk.store.answered(FIRST_INTERACTION + number)
            ]
            unheard.add(len(kept) - heard)
            for number in range(heard, MOVES):
                answer = await move(table.desk, number)
                assert answer.changed or answer.repeated
            await _whole(table)
        assert contents(file) == end
    assert unheard == {0, 1}, "some die before the commit, some after it and before the answer"
