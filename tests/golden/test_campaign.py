"""A campaign of four crews and three rounds, from creation to final standings, against its transcript.

To write the transcript anew after a change that is meant:
    python -m bot play --script examples/campaign.txt --seed 5 > tests/golden/campaign.txt
Read the difference before it is committed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "campaign.txt"


def test_the_campaign_is_played_as_written() -> None:
    command = [sys.executable, "-m", "bot", "play", "--script", str(SCRIPT), "--seed", "5"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout == (ROOT / "tests" / "golden" / "campaign.txt").read_text(encoding="utf-8")
