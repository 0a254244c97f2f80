"""The wall: what everybody may know, and nothing else, in all five games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from tests.page.room import Elements, Phone, Room


async def mission(anna: Phone, bo: Phone) -> list[str]:
    await anna.say("/demo")
    await bo.press("Join...")
    await anna.press("Mission")
    await anna.press("Sabotage")
    return ["Sabotage"]


async def private_roll(system: str, anna: Phone) -> list[str]:
    await anna.say(f"/demo system:{system}")
    await anna.say("/roll 9d7+31 odds:true")
    assert "9d7+31" in await anna.page()
    return ["9d7+31"]


SECRETS: dict[str, Callable[[Phone, Phone], Awaitable[list[str]]]] = {
    "Counterblast, a mission chosen in secret": mission,
    "Infinity, a private roll": lambda anna, _: private_roll("infinity", anna),
    "Warzone, a private roll": lambda anna, _: private_roll("warzone", anna),
    "sol'una, a private roll": lambda anna, _: private_roll("soluna", anna),
    "Frac'd Earth, a private roll": lambda anna, _: private_roll("fracd_earth", anna),
}


@pytest.mark.parametrize("name", SECRETS)
async def test_nothing_secret_stands_on_the_wall(open_room: Room, name: str) -> None:
    anna, bo = await open_room.opener("Anna"), await open_room.join("Bo")
    secrets = await SECRETS[name](anna, bo)
    await anna.say("/encounter status")
    seen = await anna.page()
    assert all(secret in seen for secret in secrets)
    wall = await open_room.wall()
    assert "No game yet" not in wall
    for secret in secrets:
        assert secret not in wall
    assert "Only you can see this" not in wall
    assert not Elements(wall).all("button")


async def test_the_wall_has_turn_bag_orders_crews_and_last_results(open_room: Room) -> None:
    anna, bo = await open_room.opener("Anna"), await open_room.join("Bo")
    await anna.say("/demo")
    await bo.press("Join...")
    await bo.press("Ready")
    await anna.press("Begin")
    await anna.press("Begin anyway")
    await anna.say("/model damage model:Smap wounds:1")
    await anna.page()
    wall = await open_room.wall()
    sections = {each["aria-label"]: words for each, words in Elements(wall).all("section")}
    assert "Turn 1 of 8" in sections["Turn"]
    assert "Bag 15" in sections["Turn"]
    assert "Waiting for" in sections["Turn"]
    assert "Smap takes 1" in sections["Last results"]
    for side, name in (("Lancers", "Sally Starfield"), ("Edo", "Prime Leader")):
        assert name in sections[side]
    pips = [each["aria-label"] for each, _ in Elements(wall).all("span") if each.get("class") == "pips"]
    assert "1 of 2 left" in pips


async def test_odds_asked_in_private_are_not_on_the_wall(open_room: Room) -> None:
    anna = await open_room.opener("Anna")
    await anna.say("/roll 3d6 odds:true")
    await anna.page()
    assert "Exact" not in await open_room.wall()


async def test_before_a_game_the_wall_says_how_people_come_in_and_who_plays(closed_room: Room) -> None:
    """Where phones can't reach this machine, it says what to do; who only asks for a seat isn't named."""
    assert "start the table with --host 0.0.0.0" in await closed_room.wall()
    await closed_room.opener("Anna")
    await closed_room.join("Bo")
    await closed_room.join("Cy", "watch")
    assert "Anna is here. Choose a game on a phone." in await closed_room.wall()


async def test_the_wall_leaves_no_trace(open_room: Room) -> None:
    anna = await open_room.opener("Anna")
    await anna.say("/demo")
    await anna.page()
    world = open_room.table.server.world
    channel = world.channels[open_room.table.server.channel("table")]
    before = list(channel.messages)
    await open_room.wall()
    assert list(channel.messages) == before


async def test_the_wall_lies_over_a_picture_when_asked(open_room: Room) -> None:
    async with open_room.session.get(f"{open_room.url}/wall?transparent=1") as answer:
        assert '<body class="wall clear"' in await answer.text()
    assert '<body class="wall"' in await open_room.wall()
