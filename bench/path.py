"""The whole path: a person's interaction over HTTP and websocket to the real client, and its answer.

The server and the load run in this process, the bot in another. Beside `/cb shoot` stand a constant, which
Discord's library answers by itself, and a trivial command of the bot: a sentence with a button, which changes
nothing. The ratio to the one is what the bot costs on top of the library, the other tells of the game.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.timing import percentile
from bot.app import open_desk
from bot.local.people import Person
from bot.local.server import LocalServer
from bot.store.engine import database_url
from bot.store.migration import migrate
from bot.table.act import Actor
from bot.table.request import Request
from bot.table.session.encounters import StartDemo

TABLES = 64
HARDY = -1_000_000
"""Damage of the target in the measured encounters: nobody goes down, so that every shot is a whole one."""

COMPILED = Path(tempfile.gettempdir()) / "adjutant-bench-installed"

TICKS = os.sysconf("SC_CLK_TCK")

SHOOT = ("cb shoot", {"model": "Sally Starfield", "target": "Trapper", "distance": 6.0, "cover": 1})
CONSTANT: tuple[str, dict[str, Any]] = ("constant", {})
TRIVIAL = ("order spend", {"use": "+1 to a check"})
COMMANDS = (("constant", CONSTANT), ("trivial", TRIVIAL), ("/cb shoot", SHOOT))


@dataclass(frozen=True, slots=True)
class Load:
    """What one run of a command came to."""

    at_once: int
    per_second: float
    p50_ms: float
    p99_ms: float
    cpu_us: float


def _cpu_seconds(pid: int) -> float:
    parts = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / TICKS


def memory_mib(pid: int) -> float:
    """Resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


@asynccontextmanager
async def bot_on(server: LocalServer, database: Path) -> AsyncIterator[tuple[int, float]]:
    """A bot in a process of its own; gives its number and the seconds until it was ready.

    Its modules are compiled, as they are where it is installed (Dockerfile, deploy): by the first that is
    started here.
    """
    compiled = {"PYTHONPYCACHEPREFIX": str(COMPILED), "PYTHONDONTWRITEBYTECODE": ""}
    compiled["PYTHONNODEBUGRANGES"] = "1"
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bench.botprocess", server.url, str(database)),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | compiled,
    )
    assert process.stdout is not None
    await process.stdout.readline()
    try:
        yield process.pid, time.perf_counter() - began
    finally:
        process.terminate()
        await process.wait()


async def prepared(folder: Path, channels: Sequence[int], people: Sequence[Person], guild: int) -> Path:
    """A database with an encounter of one person in each channel, whose target takes any number of wounds."""
    path = folder / "bench.db"
    url = database_url(str(path))
    await migrate(url)
    async with open_desk(url) as desk:
        for number, (channel, person) in enumerate(zip(channels, people, strict=True)):
            actor = Actor(person.id, person.name, guild, channel, manages=True)
            await desk.perform(Request(StartDemo(), actor, number + 1))
            desk.store.deliveries.arrived([number + 1])
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE models SET damage = ? WHERE name = 'Trapper'", (HARDY,))
        database.commit()
    return path


@contextmanager
def collecting_nothing() -> Iterator[None]:
    """No garbage is collected in this process meanwhile: the server's own would stand in the bot's times."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def load(
    people: Sequence[Person],
    channels: Sequence[int],
    command: tuple[str, dict[str, Any]],
    total: int,
    pid: int,
) -> Load:
    """Send a command so many times, as many at once as there are people, each in a channel of its own."""
    name, options = command
    times: list[float] = []
    left = iter(range(total))

    async def one(person: Person, channel: int) -> None:
        for _ in left:
            start = time.perf_counter()
            outcome = await person.slash(name, options, channel=channel)
            message = (await outcome.answer(30)).message
            if message is not None and message.only_for is not None and command is SHOOT:
                raise ValueError(f"the shot was refused: {message.text}")
            times.append(time.perf_counter() - start)

    cpu, began = _cpu_seconds(pid), time.perf_counter()
    with collecting_nothing():
        await asyncio.gather(*(one(p, c) for p, c in zip(people, channels, strict=False)))
        spent = time.perf_counter() - began
    used = _cpu_seconds(pid) - cpu
    return Load(
        len(people),
        total / spent,
        percentile(times, 0.5) * 1e3,
        percentile(times, 0.99) * 1e3,
        used / total * 1e6,
    )


async def measure(total: int) -> tuple[list[tuple[str, Load]], float, float]:
    """Each command at 1, 16 and 64 at once; the seconds to ready; the memory afterwards."""
    names = [f"table-{number}" for number in range(TABLES)]
    rows: list[tuple[str, Load]] = []
    with tempfile.TemporaryDirectory() as folder:
        async with LocalServer(channels=names, keep_requests=0) as server:
            channels = [channel.id for channel in server.world.channels.values() if channel.name in names]
            people = [server.person(f"p{number}", admin=True) for number in range(TABLES)]
            path = await prepared(Path(folder), channels, people, next(iter(server.world.guilds)))
            async with bot_on(server, path):
                pass
            async with bot_on(server, path) as (pid, ready):
                for name, command in COMMANDS:
                    await load(people[:4], channels, command, 100, pid)
                    for at_once in (1, 16, 64):
                        count = total if at_once > 1 else total // 2
                        rows.append((name, await load(people[:at_once], channels, command, count, pid)))
                memory = memory_mib(pid)
    return rows, ready, memory


async def measure_journals(sizes: Sequence[int], total: int) -> list[tuple[int, Load]]:
    """`/cb shoot`, one at a time, in an encounter whose journal is so long already."""
    found = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            async with LocalServer(channels=("table",), keep_requests=0) as server:
                channel = next(c.id for c in server.world.channels.values() if c.name == "table")
                person = server.person("p", admin=True)
                path = await prepared(Path(folder), [channel], [person], next(iter(server.world.guilds)))
                lengthen(path, size)
                async with bot_on(server, path) as (pid, _):
                    await load([person], [channel], SHOOT, 50, pid)
                    found.append((size, await load([person], [channel], SHOOT, total, pid)))
    return found


def lengthen(path: Path, size: int) -> None:
    """Fill an encounter's journal with entries that changed nothing, up to a size."""
    with closing(sqlite3.connect(path)) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(journal)")]
        first = database.execute(f"SELECT {', '.join(columns)} FROM journal LIMIT 1").fetchone()
        row = dict(zip(columns, first, strict=True)) | {"changes": "[]", "touches": ""}
        del row["id"]
        marks = ", ".join("?" * len(row))
        for seq in range(2, size + 1):
            row |= {"seq": seq, "parent": seq - 1, "interaction_id": 10_000_000 + seq}
            database.execute(f"INSERT INTO journal ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
        database.execute("UPDATE scopes SET version = ?, tip = ?", (size, size))
        database.commit()


async def measure_encounters(count: int) -> float:
    """Memory of a bot that keeps so many encounters, after a command in each of 64 of them."""
    names = [f"table-{number}" for number in range(TABLES)]
    with tempfile.TemporaryDirectory() as folder:
        async with LocalServer(channels=names, keep_requests=0) as server:
            channels = [channel.id for channel in server.world.channels.values() if channel.name in names]
            here = channels[: min(count, TABLES)]
            people = [server.person(f"p{number}", admin=True) for number in range(len(here))]
            path = await prepared(Path(folder), here, people, next(iter(server.world.guilds)))
            multiply(path, count - len(here))
            async with bot_on(server, path) as (pid, _):
                await load(people, here, SHOOT, 4 * len(here), pid)
                return memory_mib(pid)


def multiply(path: Path, count: int) -> None:
    """Copy the first encounter so many times into channels of their own."""
    with closing(sqlite3.connect(path)) as database:
        tables = ("scopes", "encounters", "sides", "seats", "models", "conditions", "tokens", "journal")
        scope = database.execute("SELECT min(scope) FROM encounters").fetchone()[0]
        highest = database.execute("SELECT max(id) FROM scopes").fetchone()[0]
        columns = {
            table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")] for table in tables
        }
        columns["journal"].remove("id")
        for number in range(1, count + 1):
            new = highest + number
            changed = {"scope": str(new), "channel_id": str(new), "interaction_id": str(-new)}
            for table, names in columns.items():
                key = "id" if table == "scopes" else "scope"
                swapped = changed | {key: str(new)} if table == "scopes" else changed
                values = ", ".join(swapped.get(name, name) for name in names)
                copy = f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM {table}"
                database.execute(f"{copy} WHERE {key} = ?", (scope,))
        database.commit()
