"""The board: from a drag to every open page, the cost of its picture, and of a move beside a roll.

python -m bench.board
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aiohttp

from bench.timing import percentile
from bot.app import open_desk
from bot.replies.reply import Attachment
from bot.store.migration import migrate
from bot.table.act import Actor
from bot.table.board import showing
from bot.table.encounter import Encounter
from bot.table.referee.film import list_stages, make_film
from bot.table.request import Request
from bot.table.rolling.rolls import Roll
from bot.table.session.board_actions import ChooseTable, DeploySide, MoveModel
from bot.table.session.encounters import StartDemo
from tests.bot.tables import url_of
from tests.page.room import Phone, room

PHONES, DRAGS, ROUNDS = 20, 60, 200
ACTOR = Actor(100, "anna", 10, 20, manages=True)


async def _laid(desk: Any) -> Callable[[Any], Awaitable[Any]]:
    number = 0

    async def perform(action: Any) -> Any:
        nonlocal number
        number += 1
        answer = await desk.perform(Request(action, ACTOR, number, 1))
        desk.store.deliveries.arrived([number])
        return answer

    for action in (StartDemo(), ChooseTable(), DeploySide("Lancers"), DeploySide("Edo")):
        assert (await perform(action)).changed, action
    return perform


async def costs() -> list[str]:
    """Return processor times of a picture, of a film and of a move, in lines."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.db"
        await migrate(url_of(file))
        async with open_desk(url_of(file)) as desk:
            perform = await _laid(desk)
            loaded = await desk.store.load(1)
            assert loaded is not None
            made, drawn = [], showing.picture(Encounter(loaded.book()))
            for _ in range(20):
                began = time.process_time()
                drawn = showing.picture(Encounter(loaded.book()))
                assert drawn.content
                made.append((time.process_time() - began) * 1000)
            rolled = await _each(perform, lambda number: Roll("1d6"))
            moves = [MoveModel("Sally", f"0.5 {way}") for way in ("north", "south")]
            with patch.object(showing, "picture", lambda *_: Attachment("board.png", "", b"")):
                bare = await _each(perform, lambda number: moves[number % 2])
            whole = await _each(perform, lambda number: moves[number % 2])
            found = list(list_stages(1, await desk.store.all_entries(1)))
            began = time.process_time()
            moving = make_film(found)
            filmed = time.process_time() - began
    return [
        f"A picture of a board with 15 models: {percentile(sorted(made), 0.5):.0f} ms of processor time, "
        f"{len(drawn.content) / 1000:.0f} kB.",
        f"A film of {len(found)} steps: {filmed:.1f} s in a thread of its own, {len(moving) / 1000:.0f} kB.",
        f"A move on the board: {bare:.2f} ms of processor time without its picture ({bare / rolled:.1f} "
        f"times the {rolled:.2f} ms of a die roll), {whole:.2f} ms with all that the picture shows "
        f"({whole / rolled:.1f} times). The picture is drawn when it is sent.",
    ]


async def _each(perform: Callable[[Any], Awaitable[Any]], action: Callable[[int], Any]) -> float:
    for number in range(10):
        await perform(action(number))
    began = time.process_time()
    for number in range(ROUNDS):
        await perform(action(number))
    return (time.process_time() - began) * 1000 / ROUNDS


async def drags() -> tuple[list[float], float]:
    """Return milliseconds from each drag to each page that shows it, and of the server's processor."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.db"
        await migrate(url_of(file))
        async with room(file) as opened:
            anna = await opened.opener()
            for line in ("/demo", "/board table", "/board deploy side:Lancers"):
                assert await anna.say(line) == (200, {}), line
                await anna.page()
            number = re.findall(r'data-own="(\d+):', await anna.page())[0]
            seats = opened.table.seats
            links = [seats.link(seats.ask(f"Guest {one}", watches=True)) for one in range(PHONES)]
            phones = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bench.board", opened.url, *links, stdout=subprocess.PIPE
            )
            assert phones.stdout is not None
            for _ in links:
                assert await phones.stdout.readline() == b"ready\n"
            delays: list[float] = []
            began = time.process_time()
            for drag in range(DRAGS):
                await asyncio.sleep(0.3)
                sent = time.monotonic()
                await anna.say(f"/board move model:#{number} where:0.5 {'north' if drag % 2 else 'south'}")
                async with asyncio.timeout(20):
                    shown = [float(await phones.stdout.readline()) for _ in links]
                delays += [(moment - sent) * 1000 for moment in shown]
            cpu = (time.process_time() - began) * 1000 / DRAGS
            phones.kill()
            await phones.wait()
    return sorted(delays), cpu


async def listen(url: str, links: list[str]) -> None:
    """Be the phones of these links, and print the moment at which each has the newest board."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, read_bufsize=2**20) as session:
        await asyncio.gather(
            *(_listen(Phone(session, f"{url}/s/{link}/", asyncio.Event().wait)) for link in links)
        )


async def _listen(phone: Phone) -> None:
    ready = False
    async with phone.events() as answer:
        async for line in answer.content:
            if line.startswith(b"event: all"):
                ready = True
                print("ready", flush=True)
            if b'"ground":' in line and ready:
                async with phone.session.get(f"{phone.url}ground") as got:
                    await got.read()
                print(time.monotonic(), flush=True)


async def lines() -> list[str]:
    """Return what was measured."""
    found, cpu = await drags()
    half, most = percentile(found, 0.5), percentile(found, 0.99)
    times = f"p50 {half:.0f} ms, p99 {most:.0f} ms; {cpu:.0f} ms of the server's processor time"
    said = f"From a drag until {PHONES} phones show it: {times}."
    return [said, *await costs()]


if __name__ == "__main__":
    if sys.argv[1:]:
        asyncio.run(listen(sys.argv[1], sys.argv[2:]))
    else:
        print("\n".join(asyncio.run(lines())))
