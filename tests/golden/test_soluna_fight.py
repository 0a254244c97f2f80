"""The fight of three against three as its players type it, against its transcript; its pictures.

To write the transcript anew after a change that is meant:
    python -m bot play --script examples/soluna_fight.txt --seed 7 > tests/golden/soluna_fight.txt
Read the difference before it is committed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]


def test_the_fight_is_played_as_written(tmp_path: Path) -> None:
    script = ROOT / "examples" / "soluna_fight.txt"
    command = [sys.executable, "-m", "bot", "play", "--script", str(script), "--seed", "7"]
    done = subprocess.run(
        [*command, "--pictures", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout == (ROOT / "tests" / "golden" / "soluna_fight.txt").read_text(encoding="utf-8")
    pictures = sorted(tmp_path.glob("board*.png"))
    assert len(pictures) == 6
    for file in pictures:
        with Image.open(file) as image:
            image.verify()
