"""A real browser for tests and pictures: Chromium as the system has it, driven by playwright.

The same engine without windows, `chromium-headless-shell`, is taken where the system has it: it costs half.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.page.room import Room

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

CHROMIUM = next((found for name in NAMES if (found := shutil.which(name))), None)

try:
    import axe_core_python

    AXE = next(Path(axe_core_python.__file__).parent.glob("axe*.js")).read_text(encoding="utf-8")
except ImportError:
    AXE = ""

LEFT_OUT = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "PreloadTopChromeWebUI",
    "SpareRendererForSitePerProcess",
    # What playwright leaves out by itself; the browser heeds only the last such list.
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
)
"""What a browser with windows does for whoever sits before it: a page of its own, for the address that is
typed, takes longer to load in each window than the table does; and so on."""

try:
    from playwright.async_api import async_playwright
except ImportError:
    async_playwright = None  # type: ignore[assignment]

MISSING = "" if CHROMIUM and async_playwright else "no Chromium, or no playwright, on this machine"


@asynccontextmanager
async def browser() -> AsyncIterator[Any]:
    async with async_playwright() as driver:
        flags = ["--no-sandbox", f"--disable-features={','.join(LEFT_OUT)}"]
        opened = await driver.chromium.launch(executable_path=CHROMIUM, args=flags)
        try:
            yield opened
        finally:
            await opened.close()


async def phone(opened: Any, url: str, *, width: int = 390, height: int = 780, dark: bool = False) -> Any:
    """A phone's page at an address; what its console complains of is kept in `page.faults`."""
    like = {"viewport": {"width": width, "height": height}, "color_scheme": "dark" if dark else "light"}
    left = next((each for each in _left.get(opened, ()) if each.like == like), None)
    if left is None:
        page = await _new(opened, like)
    else:
        _left[opened].remove(page := left)
        await page.set_viewport_size(like["viewport"])
    await page.goto(url)
    return page


_left: dict[Any, list[Any]] = {}
"""Pages that tests of a browser left, by browser: a new window takes longer than most of them."""


async def _new(opened: Any, like: dict[str, Any]) -> Any:
    page = await (await opened.new_context(**like, has_touch=True)).new_page()
    page.like, page.faults = like, []
    page.on("console", lambda said: page.faults.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    return page


async def leave(opened: Any) -> None:
    """Have every phone forget whose it was and where; whoever asks for one like it gets it as new."""
    _left[opened] = [context.pages[0] for context in opened.contexts]
    for page in _left[opened]:
        await page.unroute_all()
        await page.goto("about:blank")
        await page.context.clear_cookies()
        await page.context.set_offline(False)
        page.faults.clear()


async def serious(page: Any) -> list[str]:
    """What axe finds that is serious or worse, once the dice have fallen."""
    await page.evaluate("Promise.all(document.getAnimations().map(each => each.finished))")
    await page.evaluate(AXE)
    found = await page.evaluate("axe.run()")
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:120]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


CARD = """panel => [
    ...[...panel.querySelectorAll('.told, .state, .next > p')].map(one => one.textContent),
    ...[...panel.querySelectorAll('.next button')].map(one => one.textContent).sort(),
].join('\\n')"""


async def card_of(page: Any) -> str:
    """The words of the card that everyone reads, wherever the buttons stand that are for one person."""
    return for_all(await page.locator("#panel").evaluate(CARD)).strip()


def for_all(card: str) -> str:
    """The words of a card without those that others read beside a button: whose it is."""
    return re.sub(r" \(only \w+\)|, only \w+(?=\))", "", card)


async def sit(page: Any, name: str) -> None:
    """Sit down at the table, whose page is there with its script then."""
    await page.fill("#name", name)
    await page.get_by_role("button", name="Sit down").click()
    await page.wait_for_selector("#panel", state="attached")
    await page.wait_for_load_state()


async def type_line(page: Any, line: str) -> None:
    """Type a line below the log, which is pulled up first where it is down."""
    if not await page.locator("#said").is_visible():
        await page.locator("#log-sheet > summary").click()
    await page.fill("#said", line)
    await page.keyboard.press("Enter")


async def press(page: Any, label: str) -> None:
    """Press the last button of that label that can be seen."""
    await page.get_by_role("button", name=label, exact=True).last.click()


async def pick(page: Any, menu: str, option: str) -> None:
    """Open the last menu of that title, if it isn't open, and choose."""
    details = page.locator("details.menu", has=page.locator("summary", has_text=menu)).last
    if not await details.evaluate("each => each.open"):
        await details.locator("summary").click()
    await details.locator("div[role=group] button", has_text=option).first.click()


async def play_first_turns(room: Room, anna: Any, bo: Any) -> Any:
    """From `/demo` to a shot, on two phones; the phone of whoever shot."""
    await press(anna, "Counterblast")
    await bo.wait_for_selector("#panel >> text=Join...")
    await press(bo, "Join...")
    await anna.wait_for_selector("#panel >> text=Bo now plays Edo.")
    await room.rest()
    await press(bo, "Ready")
    await room.rest()
    await press(anna, "Begin")
    await press(anna, "Begin anyway")
    await bo.wait_for_selector("#panel >> text=won the roll-off")
    await room.rest()
    first = anna if await anna.get_by_text("Lancers won the roll-off").count() else bo
    await press(first, "Draw")
    await bo.wait_for_selector("#panel >> text=choose who acts")
    await room.rest()
    side = anna if await anna.get_by_text("draws a token for Lancers").count() else bo
    await press(side, "Sally Starfield" if side is anna else "Prime Leader")
    await side.wait_for_selector("#panel >> text=Shoot")
    await room.rest()
    await press(side, "Shoot")
    await side.wait_for_selector("dialog[open] form")
    await side.locator("dialog fieldset", has_text="Distance").locator("label").nth(1).click()
    return side
