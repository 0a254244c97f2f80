"""Seasons with all that happens, against their transcripts, and their ledgers: six crews over five rounds of
Counterblast; four crews and a late one over three rounds of Infinity, whose lists are secret.

To write the transcripts anew after a change that is meant:
    python -m tests.golden.test_season
Read the difference before it is committed.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.doctor import examine
from tests.bot.tables import url_of
from tests.golden.transcripts import Golden
from tests.played import Played

SEASONS = {
    Golden("season"): ("correction of round 2", 6),
    Golden("season_infinity"): ("correction of round 1", 4),
}
"""What each corrects, and how many balances that changes."""

each = pytest.mark.parametrize("golden", SEASONS, ids=lambda one: one.name)


@each
def test_the_season_is_played_as_written(golden: Golden, played: Played) -> None:
    assert golden.as_played(played) == golden.kept


@each
async def test_its_ledger_adds_up_before_and_after_the_correction(
    golden: Golden, played: Played, tmp_path: Path
) -> None:
    """Every entry begins where the one before ended, and every balance is the sum of its entries."""
    correction, changed = SEASONS[golden]
    file = played.database(golden.name, tmp_path / "season.db")
    assert (await examine(url_of(file))).faults == ()
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(
            "SELECT entrant, member, account, before, after, amount, cause FROM ledger ORDER BY id"
        ).fetchall()
        balances = {
            number: json.loads(counters)
            for number, counters in connection.execute("SELECT id, counters FROM entrants")
        }
    stands: dict[tuple[int, int, str], int] = defaultdict(int)
    corrected = 0
    for entrant, member, account, before, after, amount, cause in rows:
        if not amount:
            continue
        key = (entrant, member, account)
        assert stands[key] == int(before), cause
        stands[key] += amount
        assert stands[key] == int(after), cause
        corrected += cause.startswith(correction)
    assert corrected == changed
    for number, counters in balances.items():
        sums = {key[2]: amount for key, amount in stands.items() if key[:2] == (number, 0) and amount}
        assert counters == sums


if __name__ == "__main__":
    for season in SEASONS:
        season.keep(season.play())
