"""From a press to every open page: two hundred pages on one process.

python -m bench.page
"""

from __future__ import annotations

import asyncio
import secrets
import tempfile
import time
from pathlib import Path

import aiohttp

from bot.store.migration import migrate
from tests.bot.tables import url_of
from tests.page.room import Phone, Room, room

PAGES, ROLLS = 200, 40


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
            async with asyncio.timeout(10):
                while len(delays) < pages * (number + 1):  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
            await asyncio.sleep(0.25)
        cpu = (time.process_time() - began) * 1000 / rolls
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return sorted(delays), cpu


def line(delays: list[float], cpu: float, pages: int = PAGES) -> str:
    """What was measured, as a sentence."""
    half, most = (delays[int(len(delays) * part)] for part in (0.5, 0.99))
    return (
        f"{pages} pages, {len(delays)} deliveries: p50 {half:.1f} ms, p99 {most:.1f} ms; "
        f"processor time of a press with all its deliveries, server and pages: {cpu:.0f} ms."
    )


if __name__ == "__main__":
    print(line(*asyncio.run(measure())))
