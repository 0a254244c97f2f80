"""A game that was kept and goes on at the table in a terminal."""

from __future__ import annotations

from pathlib import Path

from tests.started import program


def test_a_kept_game_is_shown_as_it_stands_when_the_terminal_opens(file: Path, tmp_path: Path) -> None:
    script = tmp_path / "begun.txt"
    script.write_text("/demo\n", encoding="utf-8")
    begun = program("-m", "bot", "play", "--script", str(script), "--database", str(file))
    assert begun.returncode == 0, begun.stderr
    again = program("-m", "bot", "play", "--database", str(file))
    assert again.returncode == 0, again.stderr
    assert "Waiting for a player for Edo" in again.stdout
    assert "[2] Begin" in again.stdout
