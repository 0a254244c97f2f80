"""What the guides show to be typed can be typed: the examples of the manuals, and those of `:help`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.local.guide import HELP, WELCOME
from tests.started import ROOT, program

EXAMPLES = [("script-language.md", "## An example"), ("playing.md", "## A first game, step by step")]


def words_of(file: Path, text: str, database: Path) -> tuple[str, ...]:
    file.write_text(text, encoding="utf-8")
    return ("-m", "bot", "play", "--script", str(file), "--database", str(database))


@pytest.mark.parametrize(("guide", "heading"), EXAMPLES)
def test_the_guides_example_is_a_script_that_holds(
    file: Path, tmp_path: Path, guide: str, heading: str
) -> None:
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    example = text.partition(f"{heading}\n")[2].split("```")[1]
    assert "expect" in example
    done = program(*words_of(tmp_path / "example.txt", example, file))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [WELCOME, HELP], ids=["welcome", "help"])
def test_every_line_that_is_shown_can_be_typed(file: Path, tmp_path: Path, words: str) -> None:
    shown = re.findall(r"^ *((?:[@#]\w+ )?/.+?)(?:  .*|;|)$", words, re.MULTILINE)
    assert len(shown) > 1
    lines = [
        "/demo",
        "/encounter next",
        *(line for line in shown if line != "/demo"),
    ]
    done = program(*words_of(tmp_path / "shown.txt", "\n".join(lines), file))
    assert (done.returncode, done.stderr) == (0, "")
    assert "(not sent)" not in done.stdout


def test_a_kept_game_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """In a program that starts from nothing, with what another kept on a database that was not there."""
    script, database = tmp_path / "script.txt", tmp_path / "evening.db"
    first = "/demo\n@bo /encounter join Edo\n@bo /model damage Trapper 1\n@bo #attic /demo infinity"
    assert program(*words_of(script, first, database)).returncode == 0
    second = (
        "@bo /encounter status\nexpect Trapper: down\nexpect Edo (bo)\n/undo\nexpect Undone\n"
        "@host /encounter status\nabsent Trapper: down\n@bo #attic /encounter status\nexpect INFINITY"
    )
    command = [sys.executable, *words_of(script, second, database)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
