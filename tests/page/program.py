"""The program itself, `python -m bot table`, and two windows that play on it with the keyboard alone.

To play from its start to the end of a whole turn of Counterblast, with the counts:
    python -m tests.page.program
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.page.browsers import browser, card_of, phone
from tests.played import ROOT

LINK = re.compile(r"http://\S+/s/\S+/")
WAITS = re.compile(r"Waiting for (Anna|Bo)")
MAX_TABS = 400
MAX_STEPS = 80
WAY = """(target) => {
    const from = document.activeElement;
    if (from === target) return "";
    if (from === document.body) return "Tab";
    return from.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING ? "Tab" : "Shift+Tab";
}"""
"""The key that brings the focus nearer to an element; empty where it is there."""


@asynccontextmanager
async def program(database: Path, *more: str) -> AsyncIterator[str]:
    """The program on a port of its own, let in whoever comes; gives the opener's secret link."""
    arguments = ("-m", "bot", "table", "--port", "0", "--open", "--database", str(database), *more)
    run = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert run.stdout is not None
    try:
        async for line in run.stdout:
            found = LINK.search(line.decode())
            if found is not None:
                yield found[0]
                break
        else:
            raise AssertionError("the program told no link")
    finally:
        if run.returncode is None:
            run.terminate()
        await run.communicate()


@dataclass
class Window:
    """One person's window, of whom nothing but a keyboard is there. pressed: as Discord would count."""

    page: Any
    pressed: int = 0

    async def reach(self, target: Any) -> None:
        """Go to an element with the tabulator, forwards or back."""
        await target.wait_for(state="visible")
        element = await target.element_handle()
        for _ in range(MAX_TABS):
            key = await self.page.evaluate(WAY, element)
            if not key:
                return
            await self.page.keyboard.press(key)
        raise AssertionError(f"no key leads to {await target.inner_text()}")

    async def enter(self, target: Any) -> None:
        """Go there and press, once the table has answered."""
        await self.reach(target)
        async with self.page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            await self.page.keyboard.press("Enter")
        told = await (await answered.value).json()
        assert "say" not in told, told
        self.pressed += 1

    async def press(self, label: str) -> None:
        await self.enter(self.page.get_by_role("button", name=label, exact=True).last)

    async def choose_first(self) -> None:
        """Press the first button that the panel offers."""
        await self.enter(self.page.locator("#panel .next .buttons button").first)

    async def say(self, line: str) -> None:
        if not await self.page.locator("#said").is_visible():
            await self.reach(self.page.locator("#log-sheet > summary"))
            await self.page.keyboard.press("Enter")
        await self.reach(self.page.locator("#said"))
        await self.page.keyboard.type(line)
        await self.page.keyboard.press("Escape")
        await self.page.keyboard.press("Enter")

    async def sit(self, name: str) -> None:
        await self.reach(self.page.locator("#name"))
        await self.page.keyboard.type(name)
        await self.page.keyboard.press("Enter")
        await self.page.wait_for_selector("#first")

    async def shows(self, words: str) -> None:
        await self.page.locator("#panel", has_text=words).wait_for()


async def sat_down(opened: Any, link: str) -> dict[str, Window]:
    """Anna, who opened the table, and Bo, with a window each, at the beginning of turn 1."""
    address = link.partition("/s/")[0]
    windows = {
        "Anna": Window(await phone(opened, link, width=1000)),
        "Bo": Window(await phone(opened, f"{address}/", width=700)),
    }
    for name, window in windows.items():
        await window.sit(name)
    await windows["Anna"].say("/demo")
    alone = await settled(windows, "")
    await windows["Bo"].press("Join...")
    choosing = await settled(windows, alone)
    await windows["Bo"].press("Ready")
    await settled(windows, choosing)
    await windows["Anna"].press("Begin")
    await windows["Anna"].press("Begin anyway")
    await windows["Anna"].shows("turn 1")
    return windows


async def panel(windows: dict[str, Window]) -> str:
    return await card_of(windows["Anna"].page)


async def settled(windows: dict[str, Window], before: str) -> str:
    """The panel of both windows, once it is another and the same on both. Between two cards it is empty."""
    for _ in range(200):
        shown = [await card_of(each.page) for each in windows.values()]
        if shown[0] == shown[1] and shown[0] not in ("", before):
            return str(shown[0])
        await asyncio.sleep(0.05)
    raise AssertionError(f"nothing came after {before}")


async def activation(windows: dict[str, Window], stands: str) -> str:
    """One step of whom the panel waits for: draw, say who acts, be done, the upkeep; how it stands then."""
    waits = WAITS.search(stands)
    window = windows[waits[1] if waits else "Anna"]
    if "Anyone can begin the Upkeep" in stands:
        await window.press("Upkeep")
        await window.press("Confirm")
    elif "choose who acts" in stands:
        await window.choose_first()
    else:
        await window.press("Draw" if "to draw for" in stands else "End activation")
    return await settled(windows, stands)


async def turn(database: Path) -> str:
    """From the program's start to the end of a turn; what it took."""
    async with program(database) as link, browser() as opened:
        windows = await sat_down(opened, link)
        stands = await panel(windows)
        for _ in range(MAX_STEPS):
            if "Turn 2." in stands:
                break
            stands = await activation(windows, stands)
        pressed = {name: window.pressed for name, window in windows.items()}
        faults = [fault for window in windows.values() for fault in window.page.faults]
        return f"pressed by keyboard: {pressed}, {stands.splitlines()[0]}, faults: {faults or 'none'}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(asyncio.run(turn(Path(folder) / "table.db")) + "\n")
