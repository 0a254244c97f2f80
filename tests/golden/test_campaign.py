"""A campaign of four crews and three rounds, and the report of a game with a casualty by presses alone,
against their transcripts.

To write the transcripts anew after a change that is meant:
    python -m tests.golden.test_campaign
Read the difference before it is committed.
"""

from __future__ import annotations

import pytest

from tests.golden.transcripts import Golden
from tests.played import Played

GOLDENS = [Golden("campaign"), Golden("after_battle")]


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_the_campaign_is_played_as_written(golden: Golden, played: Played) -> None:
    assert golden.as_played(played) == golden.kept


if __name__ == "__main__":
    for each in GOLDENS:
        each.keep(each.play())
