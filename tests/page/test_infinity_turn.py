"""A turn of Infinity on the board in two browsers: no distance, cover or template is typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.table.offers.forms import MEASURED
from tests.page.browsers import MISSING, phone
from tests.page.room import Phone, Room, room

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=MISSING or "a browser is there"),
    pytest.mark.asyncio(loop_scope="module"),
]

MOST_PRESSES = 3
"""Presses of a shot: its target, its form, and the roll; or the question, the trooper and its answer."""

FACTS = ("distance", "cover", "own_cover", "under", "unseen", "sight", "second_distance")
"""Fields of a form that nobody may have to fill in."""

PLACES = {
    "Anna": {"Angus": "19 11.3", "Doc Ruiz": "30 4"},
    "Bo": {"Tracker": "18 29.5", "Morph": "20 29.5", "Leaper": "12 26", "Brute": "34 28"},
}


CARD_AND_RELOADED = """async () => {
    const text = await (await fetch(location.href)).text();
    const pages = [document, new DOMParser().parseFromString(text, "text/html")];
    return pages.map(page => page.querySelector("#panel .told").textContent.trim());
}"""


@dataclass
class Player:
    """A person with a browser. secrets: names that the page must never show. pressed: since the last shot."""

    page: Any
    room: Room
    secrets: tuple[str, ...]
    pressed: int = 0

    async def press(self, words: str) -> None:
        """Press a button of these words: in the form, in what only this person sees, on board or card."""
        self.pressed += 1
        await (await self._button(words)).click()
        await self.rest()

    async def _button(self, words: str) -> Any:
        said = re.escape(words)
        for _ in range(50):
            for place in ("dialog[open]", "#aside", "#ground-act", "#panel"):
                buttons = self.page.locator(f"{place} button:visible:not(:disabled)")
                for pattern in (rf"^\s*{said}\s*$", rf"^\s*{said}\b"):
                    found = buttons.filter(has_text=re.compile(pattern))
                    if await found.count():
                        return found.first
            await self.page.wait_for_timeout(100)
        raise AssertionError(f"{words} is not to be seen")

    async def rest(self) -> None:
        """Wait until both the bot and the page are at rest; nothing hidden is on the page then, and the card
        tells what it would tell if the page were loaded again.
        """
        await self.room.rest()
        await self.page.wait_for_timeout(120)
        content = await self.page.content()
        for secret in self.secrets:
            assert secret not in content, secret
        card, reloaded = await self.page.evaluate(CARD_AND_RELOADED)
        assert card == reloaded

    async def model(self, name: str) -> tuple[float, float, Any]:
        base = self.page.locator(f"circle.base[aria-label^='{name}']")
        await base.wait_for()
        box = await base.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, base

    async def tap(self, name: str) -> None:
        x, y, _ = await self.model(name)
        self.pressed += 1
        await self.page.mouse.click(x, y)
        await self.rest()

    async def drag(self, name: str, east: float, north: float) -> None:
        """Drag a model so many inches."""
        x, y, base = await self.model(name)
        scale = await base.evaluate("one => one.getScreenCTM().a")
        await self.page.mouse.move(x, y)
        await self.page.mouse.down()
        for part in (0.3, 0.6, 1):
            await self.page.mouse.move(x + part * east * scale, y - part * north * scale)
        await self.page.mouse.up()

    async def move(self, name: str, east: float, north: float) -> None:
        """Move a model as its Skill: drag it, and press once."""
        await self.drag(name, east, north)
        await self.press("Move")

    async def shoot(self, target: str, how: str = "Shoot") -> None:
        """Attack whoever is tapped, as the form stands."""
        self.pressed = 0
        await self.tap(target)
        await self.press(how)
        form = self.page.locator("dialog[open] form")
        await form.wait_for()
        for name in FACTS:
            for one in await form.locator(
                f"[name='f:{name}']:checked, input[type=text][name='f:{name}']"
            ).all():
                assert await one.get_attribute("value") in ("", MEASURED), name
        await self.press("Send")
        assert self.pressed <= MOST_PRESSES

    async def react(self, trooper: str, does: str) -> None:
        """Answer with a trooper, and let the others pass."""
        self.pressed = 0
        await self.press("React")
        told = await self.page.locator("#aside article").inner_text()
        assert told.count("Only you can see this") == 1, told
        if not await self.page.locator("#aside summary", has_text=f"Choose an ARO for {trooper}").count():
            await self.press(trooper)
        await self.press(does)
        assert self.pressed <= MOST_PRESSES
        await self.press("Nobody else reacts")

    async def told(self, words: str) -> None:
        await self.page.locator("main", has_text=words).wait_for(timeout=5000)


async def set_up(opened: Room) -> tuple[Phone, Phone]:
    """A table of two people up to the first Order, with a hidden trooper that has a place."""
    anna, bo = await opened.opener("Anna"), await opened.join("Bo")

    async def say(who: Phone, *lines: str) -> None:
        for line in lines:
            status, answer = await who.say(line)
            assert (status, "say" in answer) == (200, False), (line, answer)
            await who.page()

    await say(anna, "/demo infinity")
    await bo.press("Join...")
    await say(anna, "/board table table:Streets", "/board deploy side:Vanguard")
    await say(bo, "/board deploy side:Nightfall")
    for who, name in ((anna, "Anna"), (bo, "Bo")):
        await say(who, *(f"/board place model:{model} where:{at}" for model, at in PLACES[name].items()))
    await say(anna, "/board hide side:Vanguard who:Wraith where:10 6")
    await bo.press("Ready")
    for label in ("Begin", "Play first", "First turn"):
        await anna.page()
        await anna.press(label)
    return anna, bo


OWED = re.compile(r"^(Guts Roll|Dogged|Pass Guts Roll)")


async def _settle(*players: Player) -> None:
    """Make the rolls that are owed before the next Order."""
    for one in players:
        for _ in range(4):
            owed = one.page.locator("#panel button:visible:not(:disabled)", has_text=OWED)
            if not await owed.count():
                break
            await owed.first.click()
            await one.rest()


async def _at(player: Player, name: str) -> tuple[float, float, float]:
    _, _, base = await player.model(name)
    east, north, radius = [float(await base.get_attribute(each)) for each in ("cx", "cy", "r")]
    return east, north, radius


async def test_a_turn_is_played_in_two_browsers(file: Path, chromium: Any) -> None:
    async with room(file, seed=7) as opened:
        hers, his = await set_up(opened)
        anna = Player(await phone(chromium, hers.url, height=844), opened, ("Prowler",))
        bo = Player(await phone(chromium, his.url, width=1280, height=800), opened, ("Wraith",))
        await anna.page.locator("svg.board").wait_for()
        assert "Wraith hidden at" in await anna.page.content()

        # Angus moves into sight of three, one of whom shoots, and shoots back.
        await anna.move("Angus", 0, 3.7)
        await bo.react("Tracker", "Shoot with Rifle")
        await anna.shoot("Tracker")
        await bo.told("Measured: 13.6 in")
        await _settle(bo, anna)

        # A grenade at Morph reaches Tracker, too.
        await anna.tap("Angus")
        await anna.shoot("Morph", "Shoot (Grenade)")
        await bo.told("Also under the template: Tracker")
        await bo.press("Nobody reacts")
        await anna.press("Done")
        await _settle(bo, anna)
        for _ in range(2):
            await anna.press("End turn")
        await bo.told("Nightfall's turn")

        # Leaper comes nearer; only Anna reads that Wraith might see it. Then it assaults Angus.
        await bo.move("Leaper", 2.8, -4.4)
        await anna.press("React")
        assert "Wraith (hidden)" in await anna.page.locator("#aside").inner_text()
        await anna.press("Nobody reacts")
        await bo.press("Done")
        await bo.tap("Leaper")
        await bo.shoot("Angus", "Assault")
        for each in (anna, bo):
            one, other = await _at(each, "Leaper"), await _at(each, "Angus")
            assert ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5 < one[2] + other[2] + 0.03
        await anna.react("Angus", "Dodge")
        await _settle(anna, bo)

        # The Marker moves and stays one.
        await bo.move("Camo Marker 1", 0, -2)
        await anna.press("Nobody reacts")
        await bo.press("Done")
        for _ in range(2):
            await bo.press("End turn")
        await anna.told("Round 2")
        assert [fault for each in (anna, bo) for fault in each.page.faults] == []
