"""A season of six crews over five rounds, with all that happens, against its transcript; and its ledger.

To write the transcript anew after a change that is meant:
    python -m tests.golden.test_season
Read the difference before it is committed.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

from bot.store.doctor import examine
from tests.bot.tables import url_of
from tests.golden.transcripts import Golden
from tests.played import Played

GOLDEN = Golden("season")


def test_the_season_is_played_as_written(played: Played) -> None:
    assert GOLDEN.as_played(played) == GOLDEN.kept


async def test_its_ledger_adds_up_before_and_after_the_correction(played: Played, tmp_path: Path) -> None:
    """Every entry begins where the one before ended, and every balance is the sum of its entries."""
    file = played.database("season", tmp_path / "season.db")
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
        corrected += cause.startswith("correction of round 2")
    assert corrected == 6
    for number, counters in balances.items():
        sums = {key[2]: amount for key, amount in stands.items() if key[:2] == (number, 0) and amount}
        assert counters == sums


if __name__ == "__main__":
    GOLDEN.keep(GOLDEN.play())
