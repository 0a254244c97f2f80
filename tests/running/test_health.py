"""The heartbeat: its folder is made; where it cannot be written the bot lives on and says so once."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot import __main__ as command_line
from bot import health
from bot.health import beat, is_alive

ROOT = Path(__file__).parents[2]


async def until(what: object) -> None:
    for _ in range(500):
        if what():  # type: ignore[operator]
            return
        await asyncio.sleep(0.01)
    raise AssertionError("never")


async def test_the_folder_is_made_and_the_file_goes_with_the_bot(tmp_path: Path) -> None:
    file = tmp_path / "run" / "adjutant" / "alive"
    async with beat(str(file)):
        await until(file.exists)
        assert is_alive(str(file))
    assert not file.exists()
    assert not is_alive(str(file))


async def test_a_heart_that_cannot_be_written_beats_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(health, "BEAT_SECONDS", 0.01)
    (tmp_path / "full").write_text("doesn't exist")
    file = tmp_path / "full" / "alive"
    with caplog.at_level(logging.WARNING):
        async with beat(str(file)):
            await asyncio.sleep(0.1)
            assert [one.levelname for one in caplog.records] == ["WARNING"]
            (tmp_path / "full").unlink()
            await until(lambda: is_alive(str(file)))
    assert "alive cannot be written" in caplog.text


def test_asking_whether_it_lives_loads_nothing_of_the_bot(tmp_path: Path) -> None:
    """A container asks every half minute, and a small machine takes seconds to load a bot."""
    heart = tmp_path / "alive"
    (tmp_path / "config.toml").write_text(f"health_file = '{heart}'")
    program = (
        "import sys; from bot.__main__ import main; status = main(['health']); "
        "sys.exit(status or 10 * bool({'discord', 'sqlalchemy', 'aiohttp'} & {*sys.modules}))"
    )

    def status() -> int:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        asked = [sys.executable, "-c", program]
        return subprocess.run(asked, cwd=tmp_path, env=environment, check=False).returncode

    assert status() == 1
    heart.touch()
    assert status() == 0


def test_where_no_file_is_named_nothing_is_said_to_live(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "config.toml"
    settings.touch()
    monkeypatch.chdir(tmp_path)  # a folder that was just written to is no heart either
    assert command_line.main(["--config", str(settings), "health"]) == 1
    assert "Set health_file in the settings to check whether the bot is running" in capsys.readouterr().err
