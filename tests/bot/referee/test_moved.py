"""A game that was moved to another channel is refereed like any other."""

from __future__ import annotations

import json
from pathlib import Path

from bot.table.referee.game_replay import referee
from tests.bot.house import House
from tests.page.test_seats import exported


async def test_a_game_that_was_moved_follows_from_the_rules(house: House, file: Path) -> None:
    house.server.channel("hall")
    await house.slash("demo")
    await house.press(await house.slash("encounter move", channel="#hall"), "Move the game")
    house.anna.go("hall")
    await house.press(await house.slash("encounter end"), "End the game")
    whole = await exported(file)
    assert (await referee(whole)).refereed == len(json.loads(whole)["entries"])


async def test_a_game_in_a_thread_follows_from_the_rules(house: House, file: Path) -> None:
    demo = await house.slash("demo")
    await house.press(demo, "Play in a thread")
    thread = max(one.id for one in house.server.world.channels.values())
    house.anna.go(thread)
    await house.slash("roll", dice="2d6")
    await house.press(await house.slash("encounter end"), "End the game")
    whole = await exported(file)
    assert (await referee(whole)).refereed == len(json.loads(whole)["entries"])
