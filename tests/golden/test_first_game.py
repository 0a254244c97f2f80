"""The first game as a player types it, against its transcript; its dice verified from the export alone.

To write the transcript anew after a change that is meant:
    python -m tests.golden.test_first_game
Read the difference before it is committed.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.golden.transcripts import Golden
from tests.played import Played
from tests.started import program

GOLDEN = Golden("first_game")


def test_the_first_game_is_played_as_written(played: Played) -> None:
    assert GOLDEN.as_played(played) == GOLDEN.kept


def test_as_json_every_reply_is_one_object(file: Path) -> None:
    """Of a shorter game, with forms and private replies."""
    shown = Golden("pressed_setup").play("--json", "--database", str(file))
    replies = [json.loads(line) for line in shown.splitlines()]
    assert {reply["kind"] for reply in replies} == {"message", "edit", "delete", "modal"}
    assert {reply["seen_by"] for reply in replies} == {"everyone", "anna", "bo"}
    assert "Secret phrase for the dice" in {reply["form"]["title"] for reply in replies if "form" in reply}
    assert sum("Lancers: 7 models" in str(reply.get("text", "")) for reply in replies) >= 2


def test_its_dice_can_be_verified_from_the_export(played: Played, tmp_path: Path) -> None:
    export = Path(shutil.copy(played.pictures("first_game") / "encounter-3.json", tmp_path))
    verify = ("-m", "bot", "verify", str(export))
    checked = program(*verify)
    assert checked.returncode == 0, checked.stderr
    assert "Every face that the bot rolled comes from the seed" in checked.stdout
    export.write_bytes(export.read_bytes().replace(b"Sally", b"Sully", 1))
    assert program(*verify).returncode == 1


if __name__ == "__main__":
    GOLDEN.keep(GOLDEN.play())
