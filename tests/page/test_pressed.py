"""The pressed games in real browsers: two phones and a wall, press for press as on Discord."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.browsers import MISSING, phone
from tests.page.pressing import GAMES, script, seated
from tests.page.room import room

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=MISSING or "a browser is there"),
    pytest.mark.asyncio(loop_scope="module"),
]

SHOWN = {
    "counterblast": "Turn 2 of 8",
    "infinity": "Infinity",
    "warzone": "Ultimate Warzone",
    "soluna": "sol'una",
    "fracd_earth": "Frac'd Earth",
}
"""What the wall shows at the end of the opening."""


LEGIBLE = """[
    [...document.querySelectorAll('section')].filter(each => each.scrollHeight > each.clientHeight + 2)
        .map(each => each.className),
    Math.min(...[...document.querySelectorAll('section *')]
        .map(each => parseFloat(getComputedStyle(each).fontSize)))
]"""
"""The sections that do not fit the wall's screen, and the size of its smallest letters."""


def opening(game: str) -> Iterator[str]:
    """Counterblast's whole first turn; of the other games the first two flows."""
    flows = 0
    for line in script(game):
        flows += line == "# end"
        if line == "# Turn 2.":
            return
        yield line
        if flows == 2 and game != "counterblast":
            return


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_pressed_on_two_phones(file: Path, chromium: Any, game: str) -> None:
    async with room(file, seed=7) as opened:
        wall = await phone(chromium, f"{opened.url}/wall", width=1920, height=1080)
        played = await seated(opened, chromium)
        await played.play(opening(game))
        assert played.pressed == played.due > 0
        await wall.locator("section[aria-label=Turn]", has_text=SHOWN[game]).wait_for()
        assert await wall.evaluate("document.documentElement.scrollHeight") == 1080
        lost, smallest = await wall.evaluate(LEGIBLE)
        assert lost == []
        assert smallest >= 1080 / 50
        public = "[...document.querySelectorAll('article.public')].map(each => each.id)"
        anna, bo = [await each.evaluate(public) for each in played.phones.values()]
        assert anna == bo
        for page in (wall, *played.phones.values()):
            assert page.faults == []
        assert await played.phones["bo"].evaluate("document.documentElement.scrollWidth") <= 320
