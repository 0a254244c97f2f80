"""The pages' screens from real games in a real browser, at every size, light and dark.

To take the pictures of `docs/pictures` again:
    python -m tests.page.pictures
To take every screen into a folder, with what axe finds, what does not fit, and what a first visit loads:
    python -m tests.page.pictures FOLDER [GAME ...]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.store.migration import migrate
from tests.bot.tables import url_of
from tests.page.browsers import browser, phone, serious
from tests.page.pressing import GAMES, Pressing, script, seated
from tests.page.room import room
from tests.page.test_turn import played as played_turn

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
FORM, LAST = "modal distance:to 8 in cover:1", "press Roll"
"""The lines of the script before which the form and the wall are taken."""

SIZES = {
    "small": (320, 568),
    "phone": (390, 844),
    "side": (844, 390),
    "tablet": (768, 1024),
    "desktop": (1440, 900),
}
STOPS = {
    "counterblast": (5, 8, 24, 40, 68),
    "infinity": (8, 26),
    "warzone": (8, 60),
    "soluna": (12, 30),
    "fracd_earth": (8, 40),
}
"""Lines of each script after which every screen is taken."""

OUT_OF_SIGHT = """[...document.querySelectorAll('#panel .next button.main, #aside button, .send button')]
    .filter(each => {
        const box = each.getBoundingClientRect();
        return each.checkVisibility() && (box.bottom > innerHeight || box.right > innerWidth || box.top < 0);
    }).map(each => each.textContent)"""
"""What is to be pressed and is below the fold."""

LOADED = """performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
    .reduce((sum, each) => sum + each.transferSize, 0)"""


async def take(file: Path) -> None:
    await migrate(url_of(file))
    lines = script("counterblast")
    form, last = lines.index(FORM), lines.index(LAST)
    with patch("bot.page.serve._reachable_host", lambda _: "192.168.1.20"):  # where phones are shown a code
        await _take(file, lines, form, last)


async def _take(file: Path, lines: list[str], form: int, last: int) -> None:
    async with room(file, seed=7) as opened, browser() as chromium:
        entrance = await phone(chromium, f"{opened.url}/")
        played = await seated(opened, chromium)
        first = await phone(chromium, opened.table.opener, height=844)
        await first.screenshot(path=PICTURES / "page_first.png")
        await played.play(lines[:form])
        await played.page.screenshot(path=PICTURES / "page_form.png")
        await played.play([f"@anna {lines[form]}"])
        await opened.rest()
        await played.page.wait_for_timeout(600)
        await played.page.screenshot(path=PICTURES / "page_phone.png")
        dark = await phone(chromium, opened.table.opener, width=844, height=390, dark=True)
        await dark.screenshot(path=PICTURES / "page_side.png")
        await played.play(lines[form + 1 : last])
        wall = await phone(chromium, f"{opened.url}/wall", width=1280, height=720)
        await wall.locator(".results").wait_for()
        await wall.wait_for_timeout(600)
        await wall.screenshot(path=PICTURES / "page_wall.png")
        await entrance.screenshot(path=PICTURES / "page_entrance.png")


async def take_board(folder: Path) -> None:
    """Play a turn on the board, and keep a model that is dragged and a target that was tapped."""
    file = folder / "board.db"
    await migrate(url_of(file))
    async with room(file, seed=7) as opened, browser() as chromium:
        await played_turn(opened, chromium, folder)
    for kept, taken in (("page_drag", "drag_anna"), ("page_target", "shot_anna")):
        (PICTURES / f"{kept}.png").write_bytes((folder / f"{taken}.png").read_bytes())


async def survey(game: str, folder: Path, file: Path) -> None:
    """Every screen of a game, and what is wrong with it."""
    await migrate(url_of(file))
    lines = script(game)
    async with room(file, seed=7) as opened, browser() as chromium:
        await _look(chromium, f"{opened.url}/", folder / f"{game}_entrance")
        await _look(chromium, f"{opened.url}/wall", folder / f"{game}_wall_before", ("desktop",))
        played = await seated(opened, chromium)
        await _look(chromium, opened.table.opener, folder / f"{game}_first")
        begun = 0
        for stop in STOPS[game]:
            await _played(played, lines[begun:stop])
            begun = stop
            await _look(chromium, played.page.url, folder / f"{game}_{stop}")
            await _look(chromium, f"{opened.url}/wall", folder / f"{game}_wall_{stop}", ("desktop",))


async def _played(played: Pressing, lines: list[str]) -> None:
    speaker = f"@{played.speaker} " if played.speaker else ""
    at = next((place for place, line in enumerate(lines) if line.strip() and line[0] not in "#:"), None)
    if at is not None and not lines[at].startswith("@"):
        lines = [*lines[:at], f"{speaker}{lines[at]}", *lines[at + 1 :]]
    await played.play(lines)
    await played.room.rest()


async def _look(chromium: Any, url: str, path: Path, sizes: tuple[str, ...] = tuple(SIZES)) -> None:
    for size in sizes:
        width, height = SIZES[size]
        for dark in (False, True):
            page = await phone(chromium, url, width=width, height=height, dark=dark)
            await page.wait_for_timeout(500)
            name = f"{path.name}_{size}_{'dark' if dark else 'light'}"
            await page.screenshot(path=path.with_name(f"{name}.png"))
            wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
            hidden = await page.evaluate(OUT_OF_SIGHT)
            found = [*await serious(page), *page.faults, *([f"{wide} too wide"] if wide > 0 else []), *hidden]
            sys.stdout.write(f"{name}: {await page.evaluate(LOADED)} bytes {found or ''}\n")
            sys.stdout.flush()
            await page.context.close()


async def run(arguments: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if not arguments:
            await take(Path(folder) / "table.db")
            await take_board(Path(folder))
            return
        into = Path(arguments[0])
        into.mkdir(parents=True, exist_ok=True)
        for game in arguments[1:] or GAMES:
            await survey(game, into, Path(folder) / f"{game}.db")


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1:]))
