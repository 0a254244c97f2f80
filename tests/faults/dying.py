"""A program that plays moves against a database and is killed in the middle, at each point in turn.

python -m tests.faults.dying TEMPLATE FOLDER MOVES: for each point a child of its own plays the pickled
requests of the file MOVES on a copy of TEMPLATE and kills itself there with SIGKILL; moves that were answered
are in FOLDER/<point>.answered, one number a line. Ends with the first point that is never reached, whose
child plays to the end. What each leaves behind is what stands in the files at that moment: `look_everywhere`
plays once and keeps that of every point.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import shutil
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import event

from bot.actions import Action
from bot.app import ALL_GAMES
from bot.games.counterblast.upkeep.corrections import UpkeepNamed
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep, RollUpkeep
from bot.games.counterblast.upkeep.upkeep_steps import Correct
from bot.store.book import Loaded
from bot.store.engine import database_url, make_engines
from bot.store.store import Store
from bot.table.act import Actor
from bot.table.desk import Desk
from bot.table.journal.history import Redo, Undo
from bot.table.request import Answer, Request
from bot.table.rolling.rolls import Roll
from bot.table.rosters.crews import CreateCrew
from bot.table.session.encounters import StartDemo
from bot.table.session.models import DamageModel

assert ALL_GAMES

ANNA = Actor(100, "anna", 900, 500)


def by_anna(*actions: Action) -> list[Request]:
    return [Request(action, ANNA, 0) for action in actions]


MOVES = by_anna(DamageModel("Smap", 1), Roll("4d10"), Undo(2), Redo(), CreateCrew("The Fine"))
BEGINNING = by_anna(StartDemo())
UPKEEP = by_anna(
    UpkeepNamed(),
    Correct("bag", "2", "9", "a scout came in"),
    RollUpkeep(),
    ConfirmUpkeep(),
    Undo(),
    Redo(),
)
"""One step of several presses, undone and redone."""

FIRST_INTERACTION = 1000


class Clockwork:
    """Counts what passes, and tells it each time. passed: how much has."""

    def __init__(self, told: Callable[[int], None]) -> None:
        self.passed = 0
        self._told = told

    def hear(self, statement: str) -> None:
        """A statement is about to be carried out."""
        if statement.startswith(("BEGIN", "INSERT", "UPDATE", "DELETE")):
            self.pass_by()

    def pass_by(self, *_: object) -> None:
        self.passed += 1
        self._told(self.passed)


def death_at(last: int) -> Clockwork:
    """Kills the process when the count is reached."""

    def told(passed: int) -> None:
        if passed == last:
            os.kill(os.getpid(), signal.SIGKILL)

    return Clockwork(told)


async def look_everywhere(
    template: Path, folder: Path, play: Callable[[Path, Path, Clockwork], Awaitable[None]]
) -> int:
    """Play once, on a copy of TEMPLATE; as children that die leave it, in FOLDER, what they would leave.

    play: plays on a file, writes down what was answered, with a clockwork. Gives the point after the last, at
    which lies how it ended.
    """

    def keep(point: int) -> None:
        for end in (".db", ".db-wal", ".answered"):
            if (standing := folder / f"played{end}").exists():
                shutil.copy(standing, folder / f"{point}{end}")

    clockwork = Clockwork(keep)
    shutil.copy(template, folder / "played.db")
    await play(folder / "played.db", folder / "played.answered", clockwork)
    keep(clockwork.passed + 1)
    return clockwork.passed + 1


class DyingStore(Store):
    """A store that may die before every statement, before every commit and after it."""

    def __init__(self, file: Path, clockwork: Clockwork) -> None:
        writer, reader = make_engines(database_url(str(file)))
        event.listen(writer.engine, "connect", lambda made, _: made.set_trace_callback(clockwork.hear))
        event.listen(writer.engine, "commit", clockwork.pass_by)
        super().__init__(writer, reader, lambda: 1_700_000_000_000)
        self._clockwork = clockwork

    async def commit(self, *given: Any, **named: Any) -> Loaded:
        """Commit, and perhaps die before anybody hears of it."""
        done = await super().commit(*given, **named)
        self._clockwork.pass_by()
        return done


async def move(desk: Desk, number: int, moves: list[Request]) -> Answer:
    """Make one move, under the interaction that is its own."""
    return await desk.perform(replace(moves[number], interaction=FIRST_INTERACTION + number))


async def play(file: Path, answered: Path, clockwork: Clockwork, moves: list[Request]) -> None:
    store = DyingStore(file, clockwork)
    desk = Desk(store, lambda: b"\x07" * 32)
    with answered.open("w") as told:
        for number in range(len(moves)):
            await move(desk, number, moves)
            told.write(f"{number}\n")
            told.flush()
    await store.close()


def main(template: Path, folder: Path, moves: list[Request]) -> None:
    """One child for each point, until one lives. What moves load is there before the first is born."""
    rehearsal = Path(shutil.copy(template, folder / "rehearsal.db"))
    asyncio.run(play(rehearsal, folder / "rehearsal.answered", death_at(0), moves))
    for point in range(1, 1000):
        file = Path(shutil.copy(template, folder / f"{point}.db"))
        child = os.fork()
        if child == 0:
            asyncio.run(play(file, folder / f"{point}.answered", death_at(point), moves))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            (folder / "last").write_text(str(point))
            sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), pickle.loads(Path(sys.argv[3]).read_bytes()))
