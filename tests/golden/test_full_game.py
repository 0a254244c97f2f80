"""A whole game of eight turns between two crews, against its transcript (without the panels between).

To write the transcript anew after a change that is meant:
    python -m tests.golden.test_full_game
Read the difference before it is committed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "full_game.txt"
GOLDEN = ROOT / "tests" / "golden" / "full_game.txt"
SEED = "4"

PANEL = ("panel changed:", "COUNTERBLAST  turn", "message changed:")


def played() -> str:
    command = [sys.executable, "-m", "bot", "play", "--script", str(SCRIPT), "--seed", SEED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0
    return without_panels(done.stdout)


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
    assert played() == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(played(), encoding="utf-8")
