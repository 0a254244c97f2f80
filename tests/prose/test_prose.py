"""The prose lint: odd habits of language may only become fewer, and spelling is right.

`python -m tests.prose.test_prose` writes the counts of today to `allowed.toml`; `python -m bot texts` prints
the texts with their places.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from bot.texts import ShownText, TextKind, area_of, texts, texts_of
from tests.prose.documents import ROOT, documents, sentences
from tests.prose.habits import HABITS, Habit, habits_in

ALLOWED = Path(__file__).with_name("allowed.toml")

DESCRIPTION_LENGTH = 100
"""Discord's limit for the description of a command or option."""


@pytest.mark.parametrize("habit", HABITS, ids=[habit.name for habit in HABITS])
def test_a_planted_example_is_found(habit: Habit) -> None:
    assert habit in habits_in(habit.odd)
    assert habit not in habits_in(habit.plain)
    assert habit.odd in [text.words for text in texts_of(f"SHOWN = {habit.odd!r}\n", "bot/planted.py")]


@cache
def read() -> tuple[ShownText, ...]:
    return tuple(texts())


def counted() -> dict[str, dict[str, int]]:
    """Return how many texts have an odd habit, by kind and area."""
    found: dict[str, Counter[str]] = {"shown": Counter(), "docstrings": Counter(), "documents": Counter()}
    for text in read():
        kind = "docstrings" if text.kind is TextKind.DOCSTRING else "shown"
        found[kind][area_of(text.path)] += any(habits_in(text.words))
    for document in documents():
        name = document.relative_to(ROOT).as_posix()
        found["documents"][name] += sum(
            1 for words in sentences(document) if any(True for _ in habits_in(words))
        )
    return {kind: dict(sorted(counts.items())) for kind, counts in found.items()}


def test_odd_habits_only_become_fewer() -> None:
    allowed = tomllib.loads(ALLOWED.read_text(encoding="utf-8"))
    now = counted()
    more = {
        f"{kind}, {area}": f"{count} texts, {allowed[kind].get(area, 0)} allowed"
        for kind, areas in now.items()
        for area, count in areas.items()
        if count > allowed[kind].get(area, 0)
    }
    assert more == {}, "see `python -m bot texts --area AREA` and docs/voice.md"


def test_descriptions_are_short() -> None:
    long = [
        text for text in read() if text.kind is TextKind.DESCRIPTION and len(text.words) > DESCRIPTION_LENGTH
    ]
    assert long == []


def test_words_are_spelt_right() -> None:
    names = [document.relative_to(ROOT).as_posix() for document in documents()]
    program = (sys.executable, "-m", "codespell_lib", "--ignore-words-list", IGNORED, *names, "bot", "rules")
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)


IGNORED = "brin,callin,checkin,crystalized,grap,modell,nd,pres,ser,whats"
"""Words that look like mistakes and are names or abbreviations of the games."""


def _written(counts: Mapping[str, Mapping[str, int]]) -> str:
    lines = ["# How many texts with an odd habit each area still has. These numbers may only fall."]
    for kind, areas in counts.items():
        lines += ["", f"[{kind}]", *(f'"{area}" = {count}' for area, count in areas.items() if count)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    ALLOWED.write_text(_written(counted()), encoding="utf-8")
