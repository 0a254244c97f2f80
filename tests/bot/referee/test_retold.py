"""An exported game is told as each person saw it: secrets to their owners, all of it to everybody."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from bot import __main__ as command_line
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.table.journal.log import Export
from bot.table.referee.checks import Forged
from bot.table.referee.game_replay import referee
from bot.table.referee.replay_story import EVERYBODY, WATCHER, retold
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import EndEncounter, JoinEncounter, StartDemo
from tests.bot.tables import opened

SECRET = "Sabotage"


@pytest.fixture(scope="module")
def game(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Bo chooses a mission in secret, before Anna rolls and the game ends."""
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("secret") / "table.db"))

    async def whole() -> bytes:
        async with opened(file) as table:
            await table.done("anna", StartDemo())
            await table.done("bo", JoinEncounter("Edo"))
            await table.done("bo", ChooseSecretly(SECRET))
            await table.done("anna", Roll("3d6"))
            await table.done("anna", EndEncounter())
            return (await table.do("bo", Export())).reply.files[0].data

    return asyncio.run(whole())


@pytest.mark.parametrize(
    ("name", "sees"), [("bo", True), (EVERYBODY, True), ("anna", False), (WATCHER, False)]
)
def test_who_chose_in_secret_sees_it_alone_until_everybody_may(name: str, sees: bool, game: bytes) -> None:
    before_the_end = retold(game, name)
    end = next(place for place, line in enumerate(before_the_end) if "the game has ended" in line)
    told = "\n".join(before_the_end[:end])
    assert (SECRET in told) is sees


def test_what_was_chosen_in_secret_is_refereed_too(game: bytes) -> None:
    assert asyncio.run(referee(game)).whole


def test_nobody_of_that_name_and_changed_files_are_refused(game: bytes) -> None:
    sentence = r"No one in this file is called cy\. Choose anna, bo, watcher or everybody"
    with pytest.raises(Forged, match=sentence):
        retold(game, "cy")
    with pytest.raises(Forged):
        retold(game.replace(b"Sabotage", b"Scouting"), "bo")


def test_the_command_line_tells_it(game: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(game)
    assert command_line.main(["replay", str(file), "--as", "bo"]) == 0
    assert SECRET in capsys.readouterr().out
    assert command_line.main(["replay", str(file), "--as", "cy"]) == 1
    assert "No one in this file is called cy" in capsys.readouterr().err
