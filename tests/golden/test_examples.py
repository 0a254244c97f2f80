"""What the guides show to be typed can be typed: the example of the script language, and that of `:help`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.local.guide import HELP, WELCOME
from tests.golden.transcripts import ROOT

MANUAL = (ROOT / "docs" / "script-language.md").read_text(encoding="utf-8")


def played(file: Path, text: str) -> subprocess.CompletedProcess[str]:
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "bot", "play", "--script", str(file)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_manuals_example_is_a_script_that_holds(tmp_path: Path) -> None:
    example = MANUAL.partition("## An example")[2].split("```")[1]
    assert "expect" in example
    done = played(tmp_path / "example.txt", example)
    assert (done.returncode, done.stderr) == (0, "")
    assert played(tmp_path / "example.txt", example).stdout == done.stdout


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
    done = played(tmp_path / "shown.txt", "\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    assert "(not sent)" not in done.stdout
