"""The pictures of the pages in `docs/pictures`, from a real game in a real browser.

To take them anew:
    python -m tests.page.pictures
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from bot.store.migration import migrate
from tests.bot.tables import url_of
from tests.page.browsers import browser, phone
from tests.page.pressing import script, seated
from tests.page.room import room

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
FORM, LAST = "modal distance:to 8 in cover:1", "press Roll"
"""The lines of the script before which the form, and after which phone and wall are taken."""


async def take(file: Path) -> None:
    await migrate(url_of(file))
    lines = script("counterblast")
    form, last = lines.index(FORM), lines.index(LAST) + 1
    async with room(file, seed=7) as opened, browser() as chromium:
        entrance = await phone(chromium, f"{opened.url}/")
        played = await seated(opened, chromium)
        wall = await phone(chromium, f"{opened.url}/wall", width=1280, height=720)
        await played.phones["anna"].locator("details.seats summary").click()
        await played.play(lines[:form])
        await played.page.screenshot(path=PICTURES / "page_form.png")
        await played.play([f"@anna {lines[form]}"])
        await opened.rest()
        await played.page.screenshot(path=PICTURES / "page_phone.png")
        await played.play(lines[form + 1 : last])
        await wall.locator("img").wait_for()
        await wall.wait_for_timeout(500)
        await wall.screenshot(path=PICTURES / "page_wall.png")
        await entrance.screenshot(path=PICTURES / "page_entrance.png")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(take(Path(folder) / "table.db"))
