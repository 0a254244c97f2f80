"""The fight of three against three as its players type it, against its transcript; its pictures.

To write the transcript anew after a change that is meant:
    python -m tests.golden.test_soluna_fight
Read the difference before it is committed.
"""

from __future__ import annotations

from PIL import Image

from tests.golden.transcripts import Golden
from tests.played import Played

GOLDEN = Golden("soluna_fight")


def test_the_fight_is_played_as_written(played: Played) -> None:
    assert GOLDEN.as_played(played) == GOLDEN.kept
    pictures = sorted(played.pictures("soluna_fight").glob("board*.png"))
    assert len(pictures) == 6
    for file in pictures:
        with Image.open(file) as image:
            image.verify()


if __name__ == "__main__":
    GOLDEN.keep(GOLDEN.play())
