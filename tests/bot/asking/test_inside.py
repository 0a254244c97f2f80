"""An action as a word in a field of another: it comes back as it was, or is refused as of another version."""

from __future__ import annotations

import random

import pytest

from bot.actions import BadId, raw_of, without_broken_characters
from bot.games.warzone.shots import Template
from bot.table.asking.reading import from_inside, inside
from tests.faults.campaign.hostile import any_action


@pytest.mark.parametrize("seed", range(20))
def test_every_action_comes_back_as_it_was(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(50):
        action = without_broken_characters(any_action(dice))
        assert raw_of(from_inside(action.command, inside(action))) == raw_of(action)


def test_it_takes_few_characters() -> None:
    said = Template("#20000", "#20012", "27.5", cover="soft", weapon="#2", hidden=True)  # type: ignore[arg-type]
    assert len(inside(said)) < 35


@pytest.mark.parametrize("text", ["", "zz", "x", "!!/0", "\x00"])
def test_what_is_of_another_version_is_refused(text: str) -> None:
    with pytest.raises(BadId):
        from_inside(Template.command, text)
    with pytest.raises(BadId):
        from_inside("nothing", text)


def test_what_was_altered_is_refused_or_says_something_else() -> None:
    dice = random.Random(7)
    word = inside(Template("#12", "Bex", "8", cover="soft", gap=2.5))  # type: ignore[arg-type]
    for _ in range(300):
        letters = list(word)
        letters[dice.randrange(len(letters))] = dice.choice("/+!~0az ")
        try:
            from_inside(Template.command, "".join(letters))
        except BadId:
            continue
