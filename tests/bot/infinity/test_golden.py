"""A whole turn as the terminal shows it, compared with the transcript that was read and found right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCRIPT = "examples/infinity_turn.txt"
GOLDEN = ROOT / "tests" / "golden" / "infinity_turn.txt"


def test_the_scripted_turn_is_told_as_before() -> None:
    """To renew it: run what `command` says, and read the difference before it is kept."""
    command = [sys.executable, "-m", "bot", "play", "--script", SCRIPT, "--seed", "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == GOLDEN.read_text(encoding="utf-8")
