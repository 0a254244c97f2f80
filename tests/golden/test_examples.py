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


def words_of(file: Path, text: str) -> tuple[str, ...]:
    file.write_text(text, encoding="utf-8")
    return ("-m", "bot", "play", "--script", str(file))


@pytest.mark.parametrize(("guide", "heading"), EXAMPLES)
def test_the_guides_example_is_a_script_that_holds(tmp_path: Path, guide: str, heading: str) -> None:
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    example = text.partition(f"{heading}\n")[2].split("```")[1]
    assert "expect" in example
    done = program(*words_of(tmp_path / "example.txt", example))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [WELCOME, HELP], ids=["welcome", "help"])
def test_every_line_that_is_shown_can_be_typed(tmp_path: Path, words: str) -> None:
    shown = re.findall(r"^ *((?:[@#]\w+ )?/.+?)(?:  .*|;|)$", words, re.MULTILINE)
    assert len(shown) > 1
    lines = [
        "/demo",
        "/encounter next",
        'press "Begin without"',
        *(line for line in shown if line != "/demo"),
    ]
    done = program(*words_of(tmp_path / "shown.txt", "\n".join(lines)))
    assert (done.returncode, done.stderr) == (0, "")
    assert "(not sent)" not in done.stdout


def test_a_kept_game_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """By two programs, each of which starts from nothing."""

    def played(text: str) -> subprocess.CompletedProcess[str]:
        words = words_of(tmp_path / "script.txt", text)
        command = [sys.executable, *words, "--database", str(tmp_path / "evening.db")]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    first = "/demo\n@bo /encounter join Edo\n@bo /model damage Trapper 1\n@bo #attic /demo infinity"
    assert played(first).returncode == 0
    second = (
        "@bo /encounter status\nexpect Trapper: down\nexpect Edo (bo)\n/undo\nexpect Undone\n"
        "@host /encounter status\nabsent Trapper: down\n@bo #attic /encounter status\nexpect INFINITY"
    )
    done = played(second)
    assert (done.returncode, done.stderr) == (0, "")
