"""Show me: a game to try is played step by step, each step one that anybody could press."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.actions import ACTIONS
from bot.app import ALL_GAMES
from bot.games.counterblast.turn.bag import LetRestPass
from bot.local.seen import Message
from bot.store.doctor import examine
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from tests.bot.house import House
from tests.bot.tables import Table, url_of

SYSTEMS = [game.key for game in ALL_GAMES]
MAX_LENGTH = 16
ANSWERED_FIRST = ("infinity", "fracd_earth")
"""Where no die falls before the other side has answered, so that the undo comes before the dice."""


async def steps(house: House, start: Message) -> list[str]:
    """The words of every step until the lesson says that it is over."""
    shown = await house.press(start, "Show me how to play")
    told = [shown.content]
    for _ in range(MAX_LENGTH):
        if not any(one.label == "Next step" for one in shown.controls):
            break
        shown = await house.press(shown, "Next step")
        told.append(shown.content)
    return told


@pytest.mark.parametrize("system", SYSTEMS)
async def test_each_game_is_shown_with_odds_dice_and_undo(house: House, file: Path, system: str) -> None:
    told = await steps(house, await house.slash("demo", system=system))
    text = " ".join(" ".join(told).split())
    assert told[0].startswith("This lesson plays a round of this\ngame")
    assert told[1].startswith("**Lesson, step 1.**")
    assert "that opens" not in text, "a menu that opens is named by the button that opens it"
    for said in ("tick Odds", "below the chances", "Press Undo", "gets the same dice"):
        assert said in text, said
    for words in told:
        plain = re.sub(r"<(/\w+):\d+>", r"\1", words.replace("*", ""))
        assert all(len(line) <= 38 for line in plain.splitlines())
    entries = await house.desk.store.all_entries(1)
    assert {"undo"} <= {entry.kind for entry in entries}
    again = [entry for entry in entries if entry.repeats]
    assert again or system in ANSWERED_FIRST, "the same action had the same dice"
    assert "lesson" not in {entry.command for entry in entries}
    assert all(entry.command in ACTIONS for entry in entries)
    assert not (await examine(url_of(file))).faults


async def test_a_turn_is_shown_to_its_upkeep(house: House, file: Path) -> None:
    """The others pass, in one step that everybody reads and an undo takes back."""
    told = " ".join(" ".join(await steps(house, await house.slash("demo"))).split())
    assert "the other models pass" in told
    assert "Press Upkeep on the panel." in told
    assert "Press Confirm below the result." in told
    assert (await house.panel()).content.count("turn 2 of 8")
    commands = [entry.command for entry in await house.desk.store.all_entries(1)]
    assert commands.count("bag.rest") == commands.count("cb.upkeep.confirm") == 1
    assert not (await examine(url_of(file))).faults


async def test_who_plays_one_side_lets_nobody_else_pass(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    for who in ("anna", "bo"):
        assert "can do this for" in await table.refused(who, LetRestPass())


async def test_a_step_is_seen_by_all_and_its_words_by_the_reader_alone(house: House) -> None:
    announced = await house.press(await house.slash("demo"), "Show me how to play")
    assert len(await house.desk.store.all_entries(1)) == 1, "nothing happens before the first step"
    shown = await house.press(announced, "Next step")
    assert shown.ephemeral
    await house.quiet()
    assert any("Turn 1 of 8" in one.content for one in house.public)
    before = shown.id
    shown = await house.press(shown, "Next step")
    assert shown.id == before, "one message is edited"


async def test_it_can_be_left_and_taken_over(house: House) -> None:
    shown = await house.press(await house.slash("demo"), "Show me how to play")
    left = await house.press(await house.press(shown, "Next step"), "Leave")
    assert left.content.startswith("You have left the lesson.")
    entries = len(await house.desk.store.all_entries(1))
    drawn = await house.press(await house.panel(), "Draw")
    assert "draws" in drawn.content
    shown = await house.press(await house.press(left, "Show me more of the game"), "Next step")
    assert "Lesson, step 1" in shown.content
    assert len(await house.desk.store.all_entries(1)) > entries + 1


async def test_who_does_not_play_is_shown_nothing(house: House) -> None:
    told = await house.press(await house.slash("demo"), "Show me how to play", house.bo)
    assert told.content.startswith("Only players of this game can use its lesson.")
    assert len(await house.desk.store.all_entries(1)) == 1


async def test_nobody_is_moved_for(house: House) -> None:
    start = await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    await steps(house, start)
    acted = {entry.actor for entry in await house.desk.store.all_entries(1) if entry.command == "bag.act"}
    assert acted <= {"Anna"}


async def test_the_lesson_opens_a_hand_and_tells_what_its_buttons_are_for(house: House) -> None:
    """An attack of Frac'd Earth goes on to the cards: the menu that a private reply has is chosen from."""
    shown = await house.press(await house.slash("demo", system="fracd_earth"), "Show me how to play")
    told = shown.content
    for _ in range(10):
        shown = await house.press(shown, "Next step")
        told += f"\n{shown.content}"
    words = " ".join(told.split())
    assert "The defender chooses the Trait to defend with, then draws its cards." in words
    assert "that Cards opens" in words
