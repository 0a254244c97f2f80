"""The Warzone battle as its players type it, against its transcript.

To write the transcript anew after a change that is meant:
    python -m bot play --script examples/warzone_battle.txt --seed 7 > tests/golden/warzone_battle.txt
Read the difference before it is committed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_battle_is_played_as_written() -> None:
    script = ROOT / "examples" / "warzone_battle.txt"
    command = [sys.executable, "-m", "bot", "play", "--script", str(script), "--seed", "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout == (ROOT / "tests" / "golden" / "warzone_battle.txt").read_text(encoding="utf-8")
