"""How long it takes to tell which attack is best among twenty foes and five weapons, and what is beside it.

The clock, through the desk, with the patience of the table; and processor time, which other work on the
machine does not lengthen so much.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from bot.actions import Action
from bot.app import open_desk
from bot.games.counterblast.shooting.volleys import Shoot
from bot.store.engine import database_url
from bot.store.migration import migrate
from bot.table.act import Actor
from bot.table.desk import Desk
from bot.table.odds.best import Best
from bot.table.offers.comparisons import Compare, question_words
from bot.table.request import Answer, Request
from bot.table.session.arrivals import AddModel, EquipModel
from bot.table.session.encounters import NextStep, StartDemo

WEAPONS = "Pulsar Rifle, Pulsar Pistol, Arc Rifle, Arc Pistol"
"""Beside the one that Sally carries."""

FOES = (("Trapper", 4), ("Edo Guardling", 4), ("Edo Underling", 4))
TIMES = 3


async def run() -> list[str]:
    """Lines of a table: the best of some times."""
    with tempfile.TemporaryDirectory(prefix="which-") as folder:
        file = Path(folder) / "game.db"
        await migrate(database_url(str(file)))
        async with open_desk(database_url(str(file))) as desk:
            return await _rows(desk)


async def _rows(desk: Desk) -> list[str]:
    number = 0

    async def ask(action: Action, reason: str = "") -> Answer:
        nonlocal number
        number += 1
        anna = Actor(1, "anna", 900, 500, manages=True)
        return await desk.perform(Request(action, anna, number, reason=reason))

    await ask(StartDemo())
    for name, count in FOES:
        assert (await ask(AddModel("Edo", name, count=count))).changed  # type: ignore[arg-type]
    equipped = await ask(EquipModel("Sally", WEAPONS), "to measure")  # type: ignore[arg-type]
    assert equipped.changed, equipped.reply.text
    assert (await ask(NextStep())).changed
    shot = Shoot("Sally", "Trapper", 6.0, 1)
    asked: dict[str, Action] = {
        "/odds best, 20 foes, 5 weapons": Best("Sally"),  # type: ignore[arg-type]
        "Compare by target, 20 foes": Compare(question_words(shot), "target"),
        "Compare by weapon": Compare(question_words(shot), "weapon"),
        "Compare by distance": Compare(question_words(shot), "distance"),
    }
    lines = ["| question | ms | CPU ms | |", "|---|---|---|---|"]
    for name, action in asked.items():
        took, busy, last = [], [], ""
        for _ in range(TIMES):
            start, work = time.perf_counter(), time.process_time()
            answer = await ask(action)
            took.append(1e3 * (time.perf_counter() - start))
            busy.append(1e3 * (time.process_time() - work))
            said = [
                line for line in answer.reply.lines if line.startswith(("Exact", "Sampled", "Not weighed"))
            ]
            assert said, answer.reply.text
            last = ", ".join(said)
        lines.append(f"| {name} | {min(took):.0f} | {min(busy):.0f} | {last.split('. Nothing')[0]} |")
    return lines


if __name__ == "__main__":
    print("\n".join(asyncio.run(run())))
