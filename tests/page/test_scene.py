"""The bar, the crews and the board beside the card, and when they are drawn again."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from bot.page.frame import drawn
from tests.page.room import Elements, Phone, Room

GAMES = ("counterblast", "infinity", "warzone", "soluna", "fracd_earth")


async def begun(room: Room, system: str = "counterblast") -> tuple[Phone, Phone]:
    """Anna and Bo in the first turn of a sample game."""
    anna, bo = await room.opener("Anna"), await room.join("Bo")
    await anna.say(f"/demo system:{system}")
    await bo.press("Join...")
    await bo.press("Ready")
    await anna.press("Begin")
    if "Begin anyway" in await anna.page():
        await anna.press("Begin anyway")
    await room.rest()
    return anna, bo


def models(page: str) -> dict[str, str]:
    """The models of the crews, each with its classes."""
    found = {}
    for item in re.findall(r'<li class="(model[^"]*)">(.*?)</li>', page, re.DOTALL):
        found[re.findall(r'class="name">([^<]+)', item[1])[0]] = item[0]
    return found


async def test_a_crew_shows_life_who_acts_and_who_has_acted(open_room: Room) -> None:
    anna, bo = await begun(open_room)
    drawer = anna if "Lancers won the roll-off" in await bo.page() else bo
    await drawer.press("Draw")
    side = anna if "draws Lancers" in await anna.page() else bo
    name = "Sally Starfield" if side is anna else "Prime Leader"
    await side.press(name)
    page = await side.page()
    assert models(page)[name] == "model acting"
    assert "Def 8" in page
    await side.press("End activation")
    shown = models(await side.page())
    if shown[name] == "model acting":
        await side.press("End activation")
        shown = models(await side.page())
    assert shown[name] == "model acted"
    await side.say(f"/model damage model:{name} wounds:1")
    pips = [each["aria-label"] for each, _ in Elements(await side.page()).all("span") if "aria-label" in each]
    assert any(re.fullmatch(r"1 of 2 left|4 of 5 left", each) for each in pips)


async def test_a_card_without_a_result_recalls_the_last_one_with_its_dice(open_room: Room) -> None:
    """A card without one opens when the other side's player is waited for."""
    anna, bo = await begun(open_room, "warzone")
    side = anna if "Waiting for Anna" in await anna.page() else bo
    name, target = ("Colonel Voss", "Maelgor") if side is anna else ("Maelgor", "Colonel Voss")
    await side.press(name)
    assert await side.say(f"shoot {target} PB") == (200, {})
    await side.press("Done")
    await side.press("Done")  # it was asked first: actions are left
    card = (await bo.page()).partition('id="panel"')[2].partition("</article>")[0]
    told, _, coming = card.partition('class="next"')
    assert 'class="told past"' in told
    assert "die " in told
    assert "Waiting for" in coming
    sections = Elements(await open_room.wall()).all("section")
    [results] = [words for each, words in sections if each["aria-label"] == "Last results"]
    assert name in results
    assert "Waiting for" not in results


async def test_the_bar_names_the_side_that_is_waited_for(open_room: Room) -> None:
    """Also where another side's model acts, and who is asked answers."""
    anna, bo = await begun(open_room, "fracd_earth")
    asker = anna if "Waiting for Anna" in await anna.page() else bo
    other, name, target = (bo, "Rook", "Thug") if asker is anna else (anna, "Thug", "Rook")
    await asker.press(name)
    assert await asker.say(f"attack {target} 12") == (200, {})
    page = await other.page()
    assert f"Waiting for {'Bo' if asker is anna else 'Anna'}" in page
    [whose] = re.findall(r'<p class="whose side-(\d)" data-users', page)
    assert whose == ("2" if asker is anna else "1")


@pytest.mark.parametrize("system", GAMES)
async def test_every_game_has_a_scene(open_room: Room, system: str) -> None:
    anna, _ = await begun(open_room, system)
    page = await anna.page()
    assert len(models(page)) >= 6
    boards = re.findall(r'src="(/board/\w+\.png)"', page)
    assert len(boards) == (system == "soluna")
    for each in boards:
        async with anna.session.get(open_room.url + each) as answer:
            newest = await answer.read()
            assert answer.content_type == "image/png"
        async with anna.session.get(f"{open_room.url}/board/older.png") as answer:
            assert (await answer.read(), answer.headers["Cache-Control"]) == (newest, "no-store")


async def test_the_scene_is_drawn_again_only_after_something_public(open_room: Room) -> None:
    anna, bo = await begun(open_room)
    await open_room.rest()
    await asyncio.sleep(0.3)
    drawn: list[Any] = []
    open_room.table.server.world.listeners.append(lambda event: drawn.append(event.only_for))
    async with bo.events() as answer:
        await anna.say("/roll 3d6 odds:true")
        await anna.say("/model show model:Smap")
        await open_room.rest()
        await asyncio.sleep(0.3)
        assert None not in drawn
        heard = answer.content.read_nowait().decode()
    assert "event: scene" not in heard


async def test_the_first_screen_offers_every_game_and_both_ways_to_start(open_room: Room) -> None:
    anna = await open_room.opener("Anna")
    lines = {each.get("value", "") for each, _ in Elements(await anna.page()).all("button")}
    for system in GAMES:
        assert f"/demo system:{system}" in lines
    assert await anna.say("/encounter start system:warzone") == (200, {})
    assert "Ultimate Warzone" in await anna.page()
    cy = await open_room.join("Cy", "watch")
    assert "/demo" not in await cy.page()


async def test_a_lone_player_is_waited_for_on_both_sides(open_room: Room) -> None:
    """The side that acts is the model's, though one person plays both."""
    anna = await open_room.opener()
    await anna.say("/demo system:soluna")
    await anna.press("Begin")
    page = await anna.page()
    assert "act with Vey" in page
    user = open_room.table.server.people["anna"].id
    assert f'<p class="whose side-2" data-users="{user}">' in page
    assert "● Hollow Moon. Waiting for Anna to act with Vey." in page


async def test_a_lone_player_of_sample_crews_begins_without_missions(open_room: Room) -> None:
    anna = await open_room.opener()
    await anna.say("/demo system:counterblast")
    await anna.press("Begin")
    page = await anna.page()
    assert "won the roll-off" in page
    assert "roll-off: " in page, "every die that fell is shown"


async def test_a_code_is_shown_only_where_a_phone_can_follow_it() -> None:
    entrance = {"notice": "", "token": "", "anybody": True, "longest": 24}
    shown = ["qr.svg" in drawn("entrance", address=f"http://{one}:1/", **entrance) for one in HOSTS]
    assert shown == [False, False, False, True]


HOSTS = ("127.0.0.1", "localhost", "[::1]", "192.168.1.20")
