"""The pictures of the pages in `docs/pictures`, from a real game in a real browser.

To take them anew:
    python -m tests.page.pictures
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from bot.store.migrate import migrate
from tests.bot.tables import url_of
from tests.page.browsers import browser, phone, play_first_turns, press, sit
from tests.page.room import room

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


async def take(file: Path) -> None:
    await migrate(url_of(file))
    async with room(file) as opened, browser() as chromium:
        entrance = await phone(chromium, f"{opened.url}/")
        anna = await phone(chromium, opened.table.opener)
        await sit(anna, "Anna")
        bo = await phone(chromium, f"{opened.url}/", dark=True)
        await sit(bo, "Bo")
        wall = await phone(chromium, f"{opened.url}/wall", width=1280, height=720)
        side = await play_first_turns(opened, anna, bo)
        await side.screenshot(path=PICTURES / "page_form.png")
        await press(side, "Send")
        await opened.rest()
        await side.wait_for_timeout(500)
        await side.screenshot(path=PICTURES / "page_phone.png")
        await wall.screenshot(path=PICTURES / "page_wall.png")
        await entrance.screenshot(path=PICTURES / "page_entrance.png")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(take(Path(folder) / "table.db"))
