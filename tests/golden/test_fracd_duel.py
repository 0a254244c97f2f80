"""A Frac'd Earth duel as its players type it, against its transcript.

To write the transcript anew after a change that is meant:
    python -m bot play --script examples/fracd_duel.txt --seed 8 > tests/golden/fracd_duel.txt
Read the difference before it is committed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_duel_is_fought_as_written() -> None:
    script = ROOT / "examples" / "fracd_duel.txt"
    command = [sys.executable, "-m", "bot", "play", "--script", str(script), "--seed", "8"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout == (ROOT / "tests" / "golden" / "fracd_duel.txt").read_text(encoding="utf-8")
