"""A whole game of eight turns between two crews, against its transcript (without the panels between).

To write the transcript anew after a change that is meant:
    python -m tests.golden.test_full_game
Read the difference before it is committed.
"""

from __future__ import annotations

from tests.golden.transcripts import Golden
from tests.played import Played

GOLDEN = Golden("full_game", panels=False)


def test_the_whole_game_is_played_as_written(played: Played) -> None:
    assert GOLDEN.as_played(played) == GOLDEN.kept


if __name__ == "__main__":
    GOLDEN.keep(GOLDEN.play())
