"""The headline of a reply is bold on Discord, and nothing typed can close or open the bold."""

import pytest

from bot.replies.fit import LONGEST_MESSAGE, messages
from bot.replies.reply import say
from bot.replies.weight import weighed


def test_the_headline_is_bold_where_more_follows() -> None:
    assert weighed(["Sally hits", "2 hits"]) == ["**Sally hits**", "2 hits"]
    assert weighed(["Sally hits"]) == ["Sally hits"]


@pytest.mark.parametrize(
    "first", ["", "```", "a ** b", "a \\* b", "ends in \\", " set in", "`code`", "# head"]
)
def test_a_line_that_could_break_the_bold_stays_as_it_is(first: str) -> None:
    assert weighed([first, "more"]) == [first, "more"]


def test_the_marks_count_toward_the_length_and_only_the_first_message_has_them() -> None:
    parts = messages(say("Headline", *["x" * 90] * 60))
    assert all(len(part.text) <= LONGEST_MESSAGE for part in parts)
    assert [part.text.startswith("**") for part in parts] == [True, False, False]
