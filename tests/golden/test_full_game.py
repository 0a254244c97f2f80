"""A whole game of eight turns between two crews, against its transcript (without the panels between).

To write the transcript anew after a change that is meant:
    python -m tests.golden.test_full_game
Read the difference before it is committed.
"""

from __future__ import annotations

from tests.golden.transcripts import Golden

GOLDEN = Golden("full_game")

PANEL = ("panel changed:", "COUNTERBLAST  turn", "message changed:")


def without_panels(transcript: str) -> str:
    """The answers alone: what the panel shows follows from them; the first game shows it."""
    kept = []
    for block in transcript.split("\n\n"):
        lines = block.split("\n")
        cut = next((place for place, line in enumerate(lines) if line.startswith(PANEL)), len(lines))
        if lines[:cut]:
            kept.append("\n".join(lines[:cut]))
    return "\n\n".join(kept).rstrip("\n") + "\n"


def test_the_whole_game_is_played_as_written() -> None:
    assert without_panels(GOLDEN.play()) == GOLDEN.kept


if __name__ == "__main__":
    GOLDEN.keep(without_panels(GOLDEN.play()))
