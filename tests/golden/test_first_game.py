"""The first game as a player types it, against its transcript; its dice verified from the export alone.

To write the transcript anew after a change that is meant:
    python -m bot play --script examples/first_game.txt --seed 2 > tests/golden/first_game.txt
Read the difference before it is committed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "first_game.txt"
SEED = "2"


def play(*more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bot", "play", "--script", str(SCRIPT), "--seed", SEED, *more]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_first_game_is_played_as_written() -> None:
    done = play()
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout == (ROOT / "tests" / "golden" / "first_game.txt").read_text(encoding="utf-8")


def test_as_json_every_reply_is_one_object() -> None:
    done = play("--json")
    assert done.returncode == 0
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum("goes down" in str(reply.get("text", "")) for reply in replies) >= 2
    assert play("--json").stdout == done.stdout


def test_its_dice_can_be_verified_from_the_export(tmp_path: Path) -> None:
    assert play("--pictures", str(tmp_path)).returncode == 0
    export = tmp_path / "encounter-3.json"
    verify = [sys.executable, "-m", "bot", "verify", str(export)]
    checked = subprocess.run(verify, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "Every face comes from the seed" in checked.stdout
    export.write_bytes(export.read_bytes().replace(b"Sally", b"Sully", 1))
    assert subprocess.run(verify, cwd=ROOT, capture_output=True, check=False).returncode == 1
