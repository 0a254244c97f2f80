"""What a line of the bot becomes on a page: a roll of dice, bars of odds, or words."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.page.frame import drawn
from bot.page.messages import ChoiceMenu, MessagePart, ShownMessage
from bot.page.words import blocks
from tests.page.room import Elements


def kinds(text: str) -> list[str]:
    return [each.kind for each in blocks(text, lambda mark, number: number)]


def html(text: str) -> Elements:
    part = MessagePart("words", tuple(blocks(text, lambda mark, number: number)))
    return Elements(drawn("message", shown=ShownMessage(1, private=False, told=[part])))


def dice(text: str) -> list[tuple[str, str, str]]:
    [block] = blocks(text, lambda mark, number: number)
    return [(die.face, die.to, die.outcome) for die in block.dice]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("attack: 4 -> 5 miss, 7 -> 10 success", [("4", "5", "bad"), ("7", "10", "good")]),
        ("attack: 10 (natural 10), 1 (natural 1)", [("10", "", "good"), ("1", "", "bad")]),
        ("Attack: **20** miss (fumble), **14** miss", [("20", "", "bad"), ("14", "", "bad")]),
        ("INT 2D+0 vs 4: 9 success; bonus 2 miss", [("9", "", "good"), ("2", "", "bad")]),
        ("attack: <:d10_7:1234> success", [("7", "", "good")]),
        ("needs 13+: 8 wound, 16 saved,", [("8", "", "good"), ("16", "", "good")]),
        ("5 success, 9 success", [("5", "", "good"), ("9", "", "good")]),
        ("direction: **12** (d12)", [("12", "", "")]),
        ("4 dice: **1**, **5**, **6**", [("1", "", ""), ("5", "", ""), ("6", "", "")]),
        ("Vey rolls 2 dice: **3**, **3** (2 of a kind)", [("3", "", ""), ("3", "", "")]),
        ("5, 6 = 11", [("5", "", ""), ("6", "", "")]),
        ("shield: **3** fails, **9** stops", [("3", "", "bad"), ("9", "", "good")]),
        ("Initiative: **14** +15 = 29, **3** +9 = 12", [("14", "", ""), ("3", "", "")]),
        ("dice: **4**+6 success, **19**+6 critical", [("4", "", "good"), ("19", "", "good")]),
    ],
)  # fmt: skip
def test_a_roll_is_read_into_dice(text: str, found: list[tuple[str, str, str]]) -> None:
    assert dice(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "3 hits",
        "1 wound",
        "Captain Vale: 2 cards, 4 adds",
        "Initiative: 17 (2) against 29 (15)",
        "Bag (13 tokens): Lancers 6, Edo 7",
        "Iron Sow blows up. Everyone within 1 in takes a DM 9 hit.",
        "Sally Starfield: 1 Life left, engaged",
    ],
)
def test_other_lines_stay_words(text: str) -> None:
    assert kinds(text) == ["plain"]


def test_a_roll_is_also_told_in_words_and_by_more_than_its_colour() -> None:
    found = html("attack: 4 -> 5 miss, 7 -> 10 success")
    spans = found.all("span")
    said = [words for each, words in spans if each.get("class") == "hidden"]
    assert said == ["attack: 4 -> 5 miss, 7 -> 10 success"]
    drawn_dice = [(each["class"], words) for each, words in spans if each.get("class", "").startswith("die")]
    assert [name for name, _ in drawn_dice] == ["die bad", "die good"]
    assert "miss" in drawn_dice[0][1]
    assert any(each.get("aria-hidden") == "true" for each, _ in spans)


def test_odds_become_bars_and_other_tables_stay() -> None:
    odds = "```\nno wound  75% ###############\n1 wound   25% #####\nout (3+)  <1%\n```"
    widths: list[Any] = [each["width"] for each, _ in html(odds).all("rect")]
    assert widths == ["75", "25", "1"]
    assert kinds(odds) == ["odds"]
    assert kinds("```\n9 ....\n8 .#..\n```") == ["code"]


def test_how_the_game_stands_is_no_roll() -> None:
    [state] = blocks("-# Vanguard: 5 models · Nightfall: 7 models", lambda mark, number: number)
    assert (state.kind, state.facts) == ("small", ["Vanguard: 5 models", "Nightfall: 7 models"])


def test_a_moment_is_told_by_the_clock_at_the_table() -> None:
    now_seconds = int(datetime.now(UTC).timestamp())
    [line] = blocks(f"The time to react ends <t:{now_seconds}:R>.", lambda mark, number: number)
    told = "".join(span.text for span in line.spans)
    assert re.fullmatch(r"The time to react ends at \d\d:\d\d:\d\d\.", told)
    [line] = blocks("Previous date: <t:1777829400:F>", lambda mark, number: number)
    assert "May 2026, " in "".join(span.text for span in line.spans)


def test_only_the_first_menu_of_a_private_answer_is_open() -> None:
    menus = [
        MessagePart("controls", menus=(ChoiceMenu(title, "v", (), 1, 1, disabled=False),))
        for title in ("What?", "More actions in this game")
    ]
    for private in (True, False):
        shown = drawn("message", shown=ShownMessage(1, private=private, next=menus))
        found = re.findall(r'<details class="menu"( open)?><summary>([^<]*)', shown)
        assert found == [(" open" if private else "", "What?"), ("", "More actions in this game")]
