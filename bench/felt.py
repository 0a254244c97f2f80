"""What people wait for over the whole path: the first time in a process of the bot, and again.

A process is fresh for each thing that is asked, and has answered one command in another channel before,
except where it is told to be the first. Meanwhile somebody else asks for what Discord's library answers by
itself.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.path import bot_on, collecting_nothing
from bot.actions import Action
from bot.app import open_desk
from bot.config import Config
from bot.games.counterblast.core.contact import Engage
from bot.local.people import InteractionOutcome, Person
from bot.local.script import Transcript, run, seed_of
from bot.local.seen import EventKind
from bot.local.server import LocalServer
from bot.local.session import Session
from bot.programs import at_the_table
from bot.store.engine import database_url
from bot.store.migration import migrate
from bot.table.act import Actor
from bot.table.request import Request
from bot.table.session.arrivals import AddModel, EquipModel
from bot.table.session.encounters import NextStep, StartDemo

SCRIPT = Path(__file__).parents[1] / "examples" / "full_game.txt"
PROCESSES, AGAIN, PRESSES = 3, 3, 12
WAITED = 300
"""Milliseconds that are wanted at most where nothing else is said."""

BESIDE = 0.01
"""Seconds after which somebody else asks again."""

SHOT = {"model": "Sally Starfield", "target": "Trapper", "distance": 6.0, "cover": 1}
FIFTY: tuple[Any, ...] = (
    *(AddModel("Edo", kind, count=10) for kind in ("Trapper", "Edo Guardling") * 2),
    EquipModel("Sally", "Pulsar Rifle, Pulsar Pistol, Arc Rifle, Arc Pistol"),
    *(Engage("Skip", f"Trapper {number}") for number in range(2, 10)),
)
"""What makes a sample game one of nearly fifty foes, with five weapons, and eight foes around one model."""

TEAM = {"shooters": "Sally, Wanda, HOpR, Dr. Helen, Smap", "target": "Trapper", "distance": "6"}


@dataclass(frozen=True, slots=True)
class Table:
    """The people, and the channels in which their games are."""

    server: LocalServer
    anna: Person

    async def slash(self, channel: str, command: str, **options: Any) -> InteractionOutcome:
        """Send a command as anna."""
        return await self.anna.slash(command, options, channel=channel)

    async def compared(self, command: str, options: dict[str, Any]) -> Ask:
        """Ask for odds; gives what asks for those of every other way."""
        message = await (await self.slash("fifty", command, **options, odds=True)).message(30)
        return lambda: self.anna.press(message, "Compare", stale=True)


Ask = Callable[[], Awaitable[InteractionOutcome]]
Ready = Callable[[Table], Awaitable[Ask]]
"""What comes before, and then what is asked."""


def _typed(channel: str, command: str, **options: Any) -> Ready:
    async def ready(table: Table) -> Ask:
        return lambda: table.slash(channel, command, **options)

    return ready


def _compared(command: str, **options: Any) -> Ready:
    return lambda table: table.compared(command, options)


QUESTIONS: dict[str, Ready] = {
    "`/cb shoot` in a channel not used before": _typed("cold", "cb shoot", **SHOT),
    "`/odds best` with fifty enemies and five weapons": _typed("fifty", "odds best", model="Sally"),
    "Compare a shot over fifty targets": _compared("cb shoot", **SHOT),
    "Compare a team of five over fifty targets": _compared("cb team", **TEAM),
    "odds of disengaging from eight": _typed("fifty", "cb disengage", model="Skip", odds=True),
    "`/odds matchup`, 9 against 12": _typed("table", "odds matchup", crew="Lancers", other="Edo"),
    "`/odds luck`, 493 entries": _typed("table", "odds luck"),
    "`/export`, 493 entries": _typed("table", "export"),
    "a picture by `/sol board`": _typed("soluna", "sol board show"),
}


async def measure() -> list[str]:
    """A table: what is asked, the first time and again, and the longest that somebody else waited."""
    rows = ["| what | goal ms | first ms | again ms | others waited ms |", "|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        async with LocalServer(
            channels=("table", "fifty", "cold", "soluna", "other"), keep_requests=0
        ) as server:
            path = Path(folder) / "felt.db"
            await migrate(database_url(str(path)))
            table = await _played(server, path)
            starts: dict[str, list[float]] = {}
            with collecting_nothing():
                for _ in range(PROCESSES):
                    for name, seconds in (await _started(table, path)).items():
                        starts.setdefault(name, []).append(seconds)
                for (name, wanted), times in zip(STARTS.items(), starts.values(), strict=True):
                    rows.append(f"| {name} | {wanted} | {1e3 * median(times):.0f} | | |")
                for name, ready in QUESTIONS.items():
                    rows.append(await _asked(table, path, name, ready))
    return rows


STARTS = {
    "the first command of a process, `/cb shoot`": 250,
    "the first suggestion of a process, `/do`": 50,
    "from a press until the card is edited, in quick succession: median": WAITED,
    "the same: longest": WAITED,
}
"""What is measured of a process that has done nothing yet, and what is wanted."""


async def _started(table: Table, path: Path) -> dict[str, float]:
    first, suggested, middle, longest = STARTS
    found = {}
    async with bot_on(table.server, path):
        found[first] = await _seconds(lambda: table.slash("other", "cb shoot", **SHOT))
        presses = await _pressed(table)
        found[middle], found[longest] = median(presses), max(presses)
    async with bot_on(table.server, path):
        start = time.perf_counter()
        await table.anna.autocomplete("do", {"line": "f"}, focused="line", channel="fifty")
        found[suggested] = time.perf_counter() - start
    return {name: found[name] for name in STARTS}


async def _pressed(table: Table) -> list[float]:
    """Undo wound after wound, as quickly as the card shows it: seconds until it is edited."""
    for _ in range(PRESSES):
        await (await table.slash("other", "model damage", model="Trapper")).answer(30)
    card = next(
        one for one in reversed(table.anna.messages("other")) if one.only_for is None and one.controls
    )
    return [await _seconds(lambda: table.anna.press(card, "Undo")) for _ in range(PRESSES)]


async def _asked(table: Table, path: Path, name: str, ready: Ready) -> str:
    firsts, agains, others, thinking = [], [], [0.0], False
    for _ in range(PROCESSES):
        async with bot_on(table.server, path):
            await _seconds(lambda: table.slash("other", "cb shoot", **SHOT))
            ask = await ready(table)
            async with _beside(table) as waited:
                outcomes: list[InteractionOutcome] = []
                firsts.append(await _seconds(ask, outcomes))
                agains += [await _seconds(ask) for _ in range(AGAIN)]
            others += waited
            thinking = outcomes[0].events[0].kind is EventKind.THINKING
    first = f"{1e3 * median(firsts):.0f}{', thinking shown' if thinking else ''}"
    return f"| {name} | {WAITED} | {first} | {1e3 * median(agains):.0f} | {1e3 * max(others):.0f} |"


async def _seconds(ask: Ask, outcomes: list[InteractionOutcome] | None = None) -> float:
    start = time.perf_counter()
    outcome = await ask()
    await outcome.answer(30)
    if outcomes is not None:
        outcomes.append(outcome)
    return time.perf_counter() - start


@asynccontextmanager
async def _beside(table: Table) -> AsyncIterator[list[float]]:
    """Meanwhile somebody else asks for little, again and again: the seconds that takes."""
    waited: list[float] = []
    bo, over = table.server.people["bo"], asyncio.Event()

    async def asking() -> None:
        while not over.is_set():
            start = time.perf_counter()
            await (await bo.slash("constant", channel="other")).answer(30)
            waited.append(time.perf_counter() - start)
            await asyncio.sleep(BESIDE)

    task = asyncio.create_task(asking())
    await asyncio.sleep(5 * BESIDE)
    waited.clear()
    try:
        yield waited
    finally:
        over.set()
        await task


async def _played(server: LocalServer, path: Path) -> Table:
    """The long game, one with fifty foes, and others that have just begun."""
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    async with at_the_table(
        server, database_url(str(path)), Config(), seed_of(lines), unhurried=True
    ) as seated:
        await run(lines, Session(server, seated.idle), Transcript(io.StringIO(), lambda file: file.filename))
    anna = server.people["anna"]
    guild = next(iter(server.world.guilds))
    games: dict[str, list[Action]] = {
        "fifty": [StartDemo(), *FIFTY, NextStep()],
        "cold": [StartDemo()],
        "other": [StartDemo()],
        "soluna": [StartDemo("soluna")],
    }
    async with open_desk(database_url(str(path))) as desk:
        number = 0
        for channel, actions in games.items():
            actor = Actor(anna.id, anna.name, guild, server.channel(channel), manages=True)
            for action in actions:
                number += 1
                answer = await desk.perform(Request(action, actor, number, reason="to measure"))
                if not answer.changed:
                    raise ValueError(f"{action}: {answer.reply.text}")
        desk.store.deliveries.arrived(range(1, number + 1))
    return Table(server, anna)


if __name__ == "__main__":
    print("\n".join(asyncio.run(measure())))
