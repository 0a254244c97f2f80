"""Two processes on one PostgreSQL beside one: `python -m bench.processes`; prints what RESULTS.md holds.

The processes answer through the desk, without Discord. What they take of a processor is counted by each for
itself, so that other work on the machine plays less of a part; the server's own share is not in it.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
import time

from bot.app import open_desk
from bot.store.doctor import examine
from bot.store.engine import database_url
from bot.store.migration import migrate
from bot.table.act import Actor
from bot.table.request import Request
from bot.table.session.encounters import StartDemo
from bot.table.session.models import DamageModel
from tests.postgres import serving

COMMANDS = 600
CHANNELS = tuple(range(500, 508))
SHARED = 900
ROUNDS = 3


def actor(channel: int) -> Actor:
    return Actor(100, "anna", 900, channel)


async def child(database: str, first: int, channels: list[int], count: int) -> dict[str, float]:
    """Answer so many commands, all channels at once; what that took."""
    async with open_desk(database_url(database)) as desk:
        numbers = itertools.count(first)

        async def play(channel: int, times: int) -> int:
            done = 0
            for _ in range(times):
                request = Request(DamageModel("Smap", 1), actor(channel), next(numbers))
                done += (await desk.perform(request)).changed
            return done

        await asyncio.gather(*(play(channel, 3) for channel in set(channels)))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        busy, began = time.process_time(), time.perf_counter()
        done = await asyncio.gather(*(play(channel, count // len(channels)) for channel in channels))
        return {
            "done": sum(done),
            "busy": time.process_time() - busy,
            "took": time.perf_counter() - began,
        }


def together(database: str, first: int, *shares: tuple[list[int], int]) -> list[dict[str, float]]:
    """One process for each share, begun at the same moment."""
    running = []
    for place, (channels, count) in enumerate(shares):
        words = (database, str(first + place * 100_000), json.dumps(channels), str(count))
        command = [sys.executable, "-m", "bench.processes", *words]
        running.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    for one in running:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in running:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    return [json.loads(one.communicate()[0]) for one in running]


async def begin(database: str) -> None:
    async with open_desk(database_url(database)) as desk:
        for place, channel in enumerate((*CHANNELS, SHARED)):
            assert (await desk.perform(Request(StartDemo(), actor(channel), 1 + place))).changed


def measure() -> list[str]:
    """The lines of the page."""
    numbers = itertools.count(1_000_000, 1_000_000)
    half = len(CHANNELS) // 2
    with serving("fsync=on") as server:
        url = server.database()
        database = url.render_as_string(hide_password=False)
        asyncio.run(migrate(url))
        asyncio.run(begin(database))
        alone, both = [], []
        for _ in range(ROUNDS):
            alone.append(together(database, next(numbers), (list(CHANNELS), COMMANDS)))
            shares = ((list(CHANNELS[:half]), COMMANDS // 2), (list(CHANNELS[half:]), COMMANDS // 2))
            both.append(together(database, next(numbers), *shares))
        shared = together(database, next(numbers), ([SHARED] * 4, 100), ([SHARED] * 4, 100))
        faults = asyncio.run(examine(url)).faults
    one = min(sum(part["busy"] for part in run) / sum(part["done"] for part in run) for run in alone)
    two = min(sum(part["busy"] for part in run) / sum(part["done"] for part in run) for run in both)
    wall_one = max(COMMANDS / run[0]["took"] for run in alone)
    wall_two = max(COMMANDS / max(part["took"] for part in run) for run in both)
    effects = int(sum(part["done"] for part in shared))
    return [
        "| processes | processor time for each command | commands per second of wall time |",
        "|---|---|---|",
        f"| one | {one * 1000:.2f} ms | {wall_one:.0f} |",
        f"| two | {two * 1000:.2f} ms | {wall_two:.0f} |",
        "",
        f"Going by processor time, two processes with a core each do {2 * one / two:.2f} times the work of",
        f"one. When both carried out 200 commands in one channel at once, there were {effects} effects,",
        f"and `doctor` found {len(faults)} faults.",
    ]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        given = sys.argv[1:]
        result = asyncio.run(child(given[0], int(given[1]), json.loads(given[2]), int(given[3])))
        sys.stdout.write(json.dumps(result) + "\n")
    else:
        sys.stdout.write("\n".join(measure()) + "\n")
