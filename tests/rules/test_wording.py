"""English that several texts share has one form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.wording import ordinal, possessive

ROOT = Path(__file__).parents[2]

NO_NAME = {
    "rules/wording.py",
    "rules/systems/counterblast/building/custom_profile.py",
}
"""The helper itself; a kind of thing that never ends in s."""


@pytest.mark.parametrize(
    ("name", "whose"), [("Sally", "Sally's"), ("Lancers", "Lancers'"), ("Angus", "Angus'")]
)
def test_whose(name: str, whose: str) -> None:
    assert possessive(name) == whose


def test_places_are_counted_as_english_counts_them() -> None:
    counted = "1st 2nd 3rd 4th 10th 11th 12th 13th 20th 21st 22nd 101st 111th"
    assert " ".join(map(ordinal, [1, 2, 3, 4, 10, 11, 12, 13, 20, 21, 22, 101, 111])) == counted


def test_no_text_makes_a_possessive_of_its_own() -> None:
    """What a player may call Angus or Lancers is never followed by a written 's."""
    made = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("bot", "rules")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in NO_NAME
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"\}'s\b", line)
    ]
    assert not made
