"""A whole turn of Infinity as its players type it, against its transcript.

To write the transcript anew after a change that is meant:
    python -m tests.golden.test_infinity_turn
Read the difference before it is committed.
"""

from __future__ import annotations

from tests.golden.transcripts import Golden
from tests.played import Played

GOLDEN = Golden("infinity_turn")


def test_the_turn_is_played_as_written(played: Played) -> None:
    assert GOLDEN.as_played(played) == GOLDEN.kept


if __name__ == "__main__":
    GOLDEN.keep(GOLDEN.play())
