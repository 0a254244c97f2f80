"""A whole turn of Counterblast on the board, in a phone and on a desktop, by pressing and dragging alone.

To see it, with a picture after each step:
    python -m tests.page.test_turn FOLDER
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.store.migration import migrate
from tests.bot.tables import url_of
from tests.page.browsers import MISSING, browser, card_of, phone, sit
from tests.page.room import Room, room

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=MISSING or "a browser is there"),
    pytest.mark.asyncio(loop_scope="module"),
]

FACTS = "distance|cover|covers|inches|sight|under|partly|spot|terrain|rugged|unseen|bearing"
"""Fields of forms that the board measures."""
MOST_PRESSES = 3
"""Of a shot: choose the target, choose the attack, confirm its form."""
MOST_STEPS = 150

WATCH = f"""window.entered = [];
addEventListener("input", (event) => {{
  const one = event.target;
  const typed = !["radio", "checkbox", "hidden"].includes(one.type) && one.id !== "name";
  if (event.isTrusted && (typed || /^f:({FACTS})$/.test(one.name))) window.entered.push(one.name || one.id);
}}, true);"""
"""Notes every field into which something is typed, and every measured one in which something is chosen."""

SCALE = """(one) => one.getBoundingClientRect().width / one.viewBox.baseVal.width"""


@dataclass
class Player:
    """One person before a screen. told: everything that only this person was shown."""

    page: Any
    room: Room
    pressed: int = 0
    told: set[str] = field(default_factory=set)

    async def press(self, label: str, within: str = "#panel") -> None:
        """Press the last button of that label in a part of the page, by default the card."""
        await self.page.locator(within).get_by_role("button", name=label, exact=True).last.click()
        self.pressed += 1
        await self.rest()

    async def rest(self) -> None:
        await self.room.rest()
        await self.page.wait_for_timeout(60)
        private = self.page.locator(":is(#aside, .private) .told > :first-child")
        self.told |= {text for text in await private.all_text_contents() if text}

    async def card(self) -> str:
        return " ".join((await card_of(self.page)).split())

    async def offers(self, label: str) -> bool:
        return await self.page.get_by_role("button", name=label, exact=True).count() > 0

    async def _base(self, name: str) -> Any:
        title = self.page.locator("title", has_text=re.compile(rf"^\s*{re.escape(name)}(,|\s*$)"))
        base = self.page.locator("#ground circle.base[data-number]").filter(has=title).first
        await base.wait_for()
        return base

    async def _middle(self, name: str) -> tuple[float, float]:
        """The middle of a base on the screen, once it has stopped moving there."""
        before, box = None, await (await self._base(name)).bounding_box()
        while box is None or box != before:
            await self.page.wait_for_timeout(60)
            before, box = box, await (await self._base(name)).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def where(self, name: str) -> tuple[float, float]:
        """Where a model stands: inches from the west and the south."""
        base, svg = await self._base(name), self.page.locator("#ground svg.board")
        depth = float(await svg.get_attribute("data-depth"))
        return float(await base.get_attribute("cx")), depth - float(await base.get_attribute("cy"))

    async def stands(self, name: str, at: tuple[float, float]) -> None:
        """Wait until the board shows a model at a place."""
        for _ in range(100):
            if await self.where(name) == pytest.approx(at, abs=0.3):
                return
            await self.page.wait_for_timeout(30)
        assert await self.where(name) == pytest.approx(at, abs=0.3), name

    async def tap(self, name: str) -> None:
        """Tap an enemy, once the board shows who acts: what is measured is shown."""
        await self.page.locator("#ground .drawing[data-acting]:not([data-acting=''])").first.wait_for()
        await self.page.mouse.click(*await self._middle(name))
        self.pressed += 1
        await self.page.locator("#aside", has_text=re.compile(f"to {name}: ")).wait_for()
        await self.rest()

    async def drag(self, name: str, to: tuple[float, float]) -> str:
        """Drag a model to a place; what is said of it."""
        (x, y), (east, north) = await self._middle(name), await self.where(name)
        dots = await self.page.locator("#ground svg.board").evaluate(SCALE)
        end = x + (to[0] - east) * dots, y - (to[1] - north) * dots
        await self.page.mouse.move(x, y)
        await self.page.mouse.down()
        for part in (0.3, 0.7, 1.0):
            await self.page.mouse.move(x + (end[0] - x) * part, y + (end[1] - y) * part)
        await self.page.mouse.up()
        return str(await self.page.text_content("#ground-says"))


@dataclass
class Turn:
    """Two players on one board.

    shots: the presses of each attack; seen: what has happened; folder: of pictures, none without it.
    """

    room: Room
    anna: Player
    bo: Player
    folder: Path | None = None
    shots: dict[str, int] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    steps: int = 0

    async def card(self) -> str:
        """The card, once both have the same."""
        for _ in range(100):
            await self.room.rest()
            one, other = await self.anna.card(), await self.bo.card()
            if one == other:
                return one
            await asyncio.sleep(0.03)
        raise AssertionError((one, other))

    async def look(self, what: str = "") -> None:
        """Take pictures of both screens if they are wanted, under a number or what is to be seen."""
        self.steps += 1
        if self.folder is not None:
            await asyncio.sleep(0.5)
            for name, player in (("anna", self.anna), ("bo", self.bo)):
                await player.page.screenshot(path=self.folder / f"{what or f'{self.steps:03}'}_{name}.png")

    async def set_up(self) -> None:
        anna, bo = self.anna, self.bo
        await anna.page.get_by_role("button", name="Counterblast").first.click()
        await bo.press("Join...")
        await anna.press("Set up...")
        await anna.press("Shared board", "#aside")
        await anna.press("Send", "dialog[open]")
        await anna.press("Deploy Lancers")
        await bo.press("Deploy Edo")
        for player, name, to in STANDS(anna, bo):
            await player.drag(name, to)
            await player.press("Place here", "#ground-act")
            await player.stands(name, to)
        await self.look()
        await bo.press("Ready")
        await anna.press("Begin")
        await anna.press("Begin anyway", "#aside")
        await self.card()

    async def attack(self, player: Player, target: str, how: str, name: str) -> None:
        """Tap a target, choose the attack, confirm its form."""
        player.pressed = 0
        await player.tap(target)
        await self.look(name)
        await player.press(how, "#aside")
        await self.look()
        if how in ("Shoot", "Charge"):
            assert f" in to {target}" in await player.page.text_content("dialog[open]")
        await player.press("Send", "dialog[open]")
        self.shots[name] = player.pressed
        await self.look()

    async def play(self) -> None:
        """From the first draw to the end of the Upkeep."""
        for _ in range(MOST_STEPS):
            card = await self.card()
            if "turn 2 of" in card.casefold():
                self.seen.add("upkeep")
                return
            await self._step(card)
            await self.look()
        raise AssertionError(card)

    async def _step(self, card: str) -> None:
        waits = re.findall(r"Waiting for (Anna|Bo)", card)
        player = self.bo if waits and waits[-1] == "Bo" else self.anna
        if "whether to react" in card:
            await self._react(player)
        elif "choose who acts" in card:
            await self._activate(player)
        elif m := re.search(r"Waiting for \w+ to (press Go on|draw for)", card):
            await player.press("Draw" if m[1] == "draw for" else "Go on")
        elif "Anyone can begin the Upkeep" in card or await player.offers("Upkeep"):
            await player.press("Upkeep")
            await player.press("Confirm")
        elif await player.offers("End activation"):
            await player.press("End activation")
        else:
            raise AssertionError(card)

    async def _react(self, player: Player) -> None:
        shot = "Overwatch: Wanda Whitestar"
        if not await player.offers(shot):
            await player.press("Nobody reacts")
            return
        player.pressed = 0
        await player.press(shot)
        await self.look()
        await player.press("Send", "dialog[open]")
        self.shots["Overwatch"] = player.pressed
        self.seen.add("reaction")

    async def _activate(self, player: Player) -> None:
        plans = LANCERS if player is self.anna else EDO
        for name, plan in plans.items():
            if await player.page.locator("#panel").get_by_role("button", name=name, exact=True).count():
                await player.press(name)
                await self.look()
                await plan(self, player)
                return
        raise AssertionError(await player.card())


def STANDS(anna: Player, bo: Player) -> list[tuple[Player, str, tuple[float, float]]]:
    """Where models are dragged before the game begins, so that the first turn has everything."""
    return [
        (anna, "Skip Westmoreland", (27.0, 10.0)),
        (anna, "Sally Starfield", (24.0, 12.0)),
        (bo, "Edo Underling", (30.0, 16.0)),
        (bo, "Edo Underling 2", (32.0, 17.0)),
        (bo, "Edo Guardling", (17.0, 13.0)),
        (bo, "Trapper", (25.0, 18.0)),
    ]


async def _skip(turn: Turn, player: Player) -> None:
    """A move in the activation, and a grenade at two models that stand together."""
    said = await player.drag("Skip Westmoreland", (27.0, 12.0))
    assert "moves 2.0 in of 6 in" in said, said
    await turn.look("drag")
    await player.press("Move", "#ground-act")
    await turn.look()
    assert "moves 2 in" in await player.card()
    await turn.attack(player, "Edo Underling", "Template", "template")
    assert "under the template: Edo Underling" in await player.card()


async def _sally(turn: Turn, player: Player) -> None:
    await turn.attack(player, "Trapper", "Shoot", "shot")
    assert re.search(r"Measured: [\d.]+ in, cover \d", await player.card())


async def _smap(turn: Turn, player: Player) -> None:
    """A fight, if it is engaged by the charge."""
    if await player.page.locator("#panel").get_by_role("button", name="Fight", exact=True).count():
        await turn.attack(player, "Edo Guardling", "Fight", "fight")


async def _wanda(turn: Turn, player: Player) -> None:
    await player.press("Overwatch")
    assert "Wanda Whitestar is on Overwatch" in await player.card()
    turn.seen.add("Overwatch")


async def _guardling(turn: Turn, player: Player) -> None:
    """A charge, which is a melee."""
    await turn.attack(player, "Smap", "Charge", "charge")
    turn.seen.add("melee")


async def _trapper(turn: Turn, player: Player) -> None:
    """A move over a low wall."""
    said = await player.drag("Trapper", (24.2, 14.0))
    assert "across low wall (1 in high)" in said, said
    await player.press("Move", "#ground-act")


async def _nothing(turn: Turn, player: Player) -> None:
    """End the activation at once."""


LANCERS = {
    "Wanda Whitestar": _wanda,
    "Skip Westmoreland": _skip,
    "Sally Starfield": _sally,
    "Smap": _smap,
    **dict.fromkeys(("Dr. Helen Salinger", "HOpR Bot", "GDF Medical Officer"), _nothing),
}
EDO = {
    "Edo Guardling": _guardling,
    "Trapper": _trapper,
    **dict.fromkeys(("Edo Underling", "Edo Underling 2", "Edo Guardling 2"), _nothing),
    **dict.fromkeys(("Edo Spawnling", "Spawnguard", "Prime Leader"), _nothing),
}


async def played(opened: Room, chromium: Any, folder: Path | None = None) -> Turn:
    pages = [
        await phone(chromium, opened.table.opener, height=844),
        await phone(chromium, f"{opened.url}/", width=1280, height=800),
    ]
    for page in pages:
        page.set_default_timeout(10_000)
        await page.add_init_script(WATCH)
        await page.reload()
    anna, bo = (Player(page, opened) for page in pages)
    await sit(anna.page, "Anna")
    await sit(bo.page, "Bo")
    turn = Turn(opened, anna, bo, folder)
    await turn.set_up()
    await turn.play()
    return turn


async def test_a_turn_is_played_in_two_browsers_without_a_measured_field(file: Path, chromium: Any) -> None:
    async with room(file, seed=7) as opened:
        turn = await played(opened, chromium)
        assert turn.seen == {"Overwatch", "reaction", "melee", "upkeep"}
        assert turn.shots.keys() == {"template", "shot", "charge", "fight", "Overwatch"}
        assert max(turn.shots.values()) <= MOST_PRESSES, turn.shots
        for one, other in ((turn.anna, turn.bo), (turn.bo, turn.anna)):
            assert await one.page.evaluate("window.entered") == []
            assert one.page.faults == []
            shown = await other.page.content()
            assert one.told, "something was shown to one of them alone"
            assert not [text for text in one.told - other.told if text in shown]


async def _see(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as kept:
        file = Path(kept) / "table.db"
        await migrate(url_of(file))
        async with room(file, seed=7) as opened, browser() as chromium:
            turn = await played(opened, chromium, folder)
            sys.stdout.write(json.dumps([turn.shots, sorted(turn.seen), turn.steps]) + "\n")


if __name__ == "__main__":
    asyncio.run(_see(Path(sys.argv[1])))
