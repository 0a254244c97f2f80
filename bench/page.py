"""From a press to every open page, two hundred of them on one process; and what a cold phone loads.

python -m bench.page
"""

from __future__ import annotations

import asyncio
import secrets
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp

from bench.timing import all_heard, percentile
from bot.store.migration import migrate
from tests.bot.tables import url_of
from tests.page.browsers import MISSING, browser, phone
from tests.page.program import program, sat_down
from tests.page.room import Phone, Room, room

PAGES, ROLLS = 200, 40
VISITS = 15
"""Cold visits to each address."""

COLD = """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .reduce((sum, each) => sum + each.transferSize, 0) / 1000"""
PAINTED = """new Promise(done => new PerformanceObserver(found => {
    const first = found.getEntriesByName("first-contentful-paint")[0];
    if (first) done(first.startTime);
}).observe({ type: "paint", buffered: true }))"""


async def measure(pages: int = PAGES, rolls: int = ROLLS) -> tuple[list[float], float]:
    """Milliseconds from each press to each page, sorted; and of processor time for a press, both ends."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.db"
        await migrate(url_of(file))
        async with room(file) as opened:
            return await _measured(opened, pages, rolls)


async def _measured(opened: Room, pages: int, rolls: int) -> tuple[list[float], float]:
    anna = await opened.opener()
    seats = opened.table.seats
    phones = [seats.ask(f"Guest {number}", watches=False) for number in range(50)]
    delays: list[float] = []
    sent = [0.0]
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, read_bufsize=2**20) as session:
        listening = asyncio.Event()
        left = [pages]

        async def listen(phone: Phone) -> None:
            async with phone.events() as answer:
                async for line in answer.content:
                    if line.startswith(b"event: all"):
                        left[0] -= 1
                        if not left[0]:
                            listening.set()
                    elif line.startswith(b"event: put"):
                        delays.append((time.perf_counter() - sent[0]) * 1000)

        url = opened.url
        tasks = [
            asyncio.create_task(
                listen(Phone(session, f"{url}/s/{seats.link(phones[number % 50])}/", opened.idle))
            )
            for number in range(pages)
        ]
        await asyncio.wait_for(listening.wait(), 60)
        began = time.process_time()
        for number in range(rolls):  # the first are cold, as at a table
            sent[0] = time.perf_counter()
            await anna.say("/roll 3d6", once=secrets.token_hex(8))
            await all_heard(delays, pages * (number + 1), 10)
            await asyncio.sleep(0.25)
        cpu = (time.process_time() - began) * 1000 / rolls
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return sorted(delays), cpu


def line(delays: list[float], cpu: float, pages: int = PAGES) -> str:
    """What was measured, as a sentence."""
    half, most = (percentile(delays, part) for part in (0.5, 0.99))
    return (
        f"{pages} pages, {len(delays)} deliveries: p50 {half:.1f} ms, p99 {most:.1f} ms; "
        f"processor time of a press with all its deliveries, server and pages: {cpu:.0f} ms."
    )


async def measure_first_paints(visits: int = VISITS) -> list[str]:
    """A sentence for each address of a table in a process of its own, at which a game has begun.

    Every visit is a window of a browser that was never there: nothing is cached. The figures are the
    browser's own: bytes with their headers, milliseconds from the address to the first words.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with program(Path(folder) / "table.db") as link, browser() as opened:
            await sat_down(opened, link)
            address = link.partition("/s/")[0]
            pages = {"entrance": f"{address}/", "phone in a game": link, "wall": f"{address}/wall"}
            return [await _cold(opened, name, url, visits) for name, url in pages.items()]


async def _cold(opened: Any, name: str, url: str, visits: int) -> str:
    found: list[tuple[float, float]] = []
    for _ in range(visits):
        page = await phone(opened, url, height=844)
        painted = await page.evaluate(PAINTED)
        found.append((painted, await page.evaluate(COLD)))
        await page.context.close()
    paints, sizes = (sorted(each) for each in zip(*found, strict=True))
    return (
        f"{name}: {max(sizes):.0f} kB; first paint p50 {paints[len(paints) // 2]:.0f} ms, "
        f"most {paints[-1]:.0f} ms of {visits} cold visits."
    )


if __name__ == "__main__":
    print(line(*asyncio.run(measure())))
    print(MISSING or "\n".join(asyncio.run(measure_first_paints())))
