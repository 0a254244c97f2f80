"""What a person waits for suggestions over the whole path, in the largest game, after something was done."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bench.begun import MODELS, more_of_the_same, played_on
from bench.path import bot_on, collecting_nothing
from bench.timing import percentile
from bot.app import open_desk
from bot.local.people import Person
from bot.local.server import LocalServer
from bot.store.engine import database_url
from bot.store.migration import migrate
from bot.table.act import Actor
from rules.dice import SEED_BYTES

GAME = "counterblast"
FIRST, TIMES = 10, 100

LINES = ("", "f", "ed", "fight ", "fight trap", "shoot trapper ")
OPTIONS = (
    ("cb shoot", "target", {"target": ""}),
    ("cb fight", "target", {"model": "Sally Starfield", "target": "ed"}),
    ("model damage", "model", {"model": ""}),
)


async def measure() -> list[str]:
    """A table: what is asked, and the middle and the longest time to its suggestions."""
    rows = ["| suggestions | p50 ms | longest ms |", "|---|---|---|"]
    asked = [("do", "line", {"line": line}) for line in LINES]
    with tempfile.TemporaryDirectory() as folder:
        async with LocalServer(channels=("table",), keep_requests=0) as server:
            channel = next(one.id for one in server.world.channels.values() if one.name == "table")
            person = server.person("p", admin=True)
            actor = Actor(person.id, person.name, next(iter(server.world.guilds)), channel)
            path = await _prepared(Path(folder), actor)
            async with bot_on(server, path):
                for command, option, options in (*asked, *OPTIONS):
                    times = await _times(person, channel, (command, option, options))
                    said = f"`/{command}`, {option} `{options[option]}`"
                    rows.append(f"| {said} | {percentile(times, 0.5):.1f} | {max(times):.1f} |")
    return rows


async def _times(person: Person, channel: int, asked: tuple[str, str, dict[str, str]]) -> list[float]:
    """Milliseconds, the first ones left out: what a process works out once in its life was done by then."""
    command, option, options = asked
    found = []
    with collecting_nothing():
        for number in range(FIRST + TIMES):
            done = "damage" if number % 2 else "heal"
            outcome = await person.slash(f"model {done}", {"model": "Trapper"}, channel=channel)
            await outcome.answer(30)
            start = time.perf_counter()
            await person.autocomplete(command, options, focused=option, channel=channel)
            found.append((time.perf_counter() - start) * 1000)
    return found[FIRST:]


async def _prepared(folder: Path, actor: Actor) -> Path:
    """A database in which the game is under way, with as many models as there may be."""
    path = folder / "suggesting.db"
    url = database_url(str(path))
    await migrate(url)
    async with open_desk(url, lambda: bytes(SEED_BYTES)) as desk:
        more = more_of_the_same(await played_on(desk, GAME, actor))
    with closing(sqlite3.connect(path)) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(models)")]
        for model in more:
            swapped = {"id": str(model.id), "name": f"'{model.name}'"}
            values = ", ".join(swapped.get(column, column) for column in columns)
            copy = f"INSERT INTO models ({', '.join(columns)}) SELECT {values} FROM models WHERE name = ?"
            database.execute(copy, (model.name.removesuffix(f" {model.id}"),))
        assert database.execute("SELECT count(*) FROM models").fetchone() == (MODELS,)
        database.commit()
    return path
