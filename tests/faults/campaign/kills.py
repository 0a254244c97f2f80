"""kill -9 under load: a bot that answers several channels at once dies at a random moment, again and again.

A child plays and tells, by lines in a file, what it was asked, answered and told after its start; its parent
kills it, and compares these lines with the journal. What was asked and not answered is asked again, under the
same interaction, as Discord may deliver it.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.engine import URL

from bot.actions import Action
from bot.app import now_ms, open_desk
from bot.store.doctor import examine
from bot.table.act import Actor
from bot.table.desk import Desk
from bot.table.request import Request
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import StartDemo
from bot.table.session.models import DamageModel, NoteModel
from tests.bot.tables import contents, url_of
from tests.faults.campaign.slices import Found

CHANNELS = (500, 501, 502)
AT_ONCE = 6
"""How many people ask at the same time; several of them in one channel."""

LATEST_SECONDS = 0.4
"""How long after its first question a child is killed, at most."""

STARTING_SECONDS = 0.08
"""Who is killed sooner than that is killed while it starts: so long after its birth."""

KILLS_A_GAME = 25
"""After so many kills the games are looked through, and new ones begin."""


@dataclass
class Tally:
    """What a number of kills came to."""

    kills: int = 0
    answered: int = 0
    told: int = 0
    lost: int = 0
    doubled: int = 0
    untold: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.untold or self.faults)

    def found(self) -> Found:
        return Found(Counter({name: getattr(self, name) for name in COUNTED}), self.faults)


MAX_TOLD = 5
"""Refusals of one game that are told."""

COUNTED = ("kills", "answered", "told", "lost", "doubled", "untold")


HURT = (
    "Smap",
    "Sally Starfield",
    "Skip Westmoreland",
    "Wanda Whitestar",
    "Prime Leader",
    "Spawnguard",
    "HOpR Bot",
    "Edo Spawnling",
)
"""Who is given wounds, one after the other."""

MAX_WOUNDS = 99


def wounds_of(number: int) -> int:
    """How many wounds are given under an interaction; none under most."""
    return 1 + number // 9 % MAX_WOUNDS if number % 3 == 0 else 0


def action_of(number: int) -> Action:
    """What is asked under an interaction: the same whenever it is asked, and different for thousands of them,
    since who asks for the same again that was not answered is asked whether it is to be done once more.
    """
    if wounds := wounds_of(number):
        return DamageModel(HURT[number // (9 * MAX_WOUNDS) % len(HURT)], wounds)
    return Roll(f"2d6+{number}") if number % 3 == 1 else NoteModel("Trapper", f"n{number}")


def actor_of(number: int) -> Actor:
    return Actor(100, "anna", 900, CHANNELS[number // 3 % len(CHANNELS)])


class Lines:
    """A file of lines that survive whoever wrote them."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def say(self, what: str, number: int, why: str = "") -> None:
        os.write(self._handle, f"{what} {number} {why}\n".encode())


def heard(path: Path, what: str) -> list[int]:
    if not path.exists():
        return []
    lines = [line.split() for line in path.read_text().splitlines()]
    return [int(line[1]) for line in lines if line[0] == what]


async def live(url: URL, lines: Lines, again: list[int], first: int) -> None:
    async with open_desk(url, lambda: b"\x07" * 32, now_ms) as desk:
        deliveries = desk.store.deliveries
        await deliveries.recover(now_ms() + 10**9)
        told = [entry.interaction_id for entry in deliveries.take_untold()]
        for number in told:
            lines.say("told", number)
        deliveries.arrived(told)
        waiting = [iter(again[place::AT_ONCE]) for place in range(AT_ONCE)]
        await asyncio.gather(*(play(desk, lines, waiting[place], first + place) for place in range(AT_ONCE)))


async def play(desk: Desk, lines: Lines, again: Iterator[int], number: int) -> None:
    for one in again:
        await ask(desk, lines, one)
    while True:
        lines.say("asked", number)
        await ask(desk, lines, number)
        number += AT_ONCE


async def ask(desk: Desk, lines: Lines, number: int) -> None:
    answer = await desk.perform(Request(action_of(number), actor_of(number), number))
    if answer.changed or answer.repeated:
        lines.say("answered", number)
        desk.store.deliveries.arrived([number])
    else:
        lines.say("refused", number, f"{answer.refusal}: {' '.join(answer.reply.lines)}")


def one_life(url: URL, path: Path, again: list[int], first: int, seconds: float) -> None:
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(live(url, Lines(path), again, first))
        finally:
            os._exit(1)
    if seconds > STARTING_SECONDS:
        _wait_for_load(path)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise RuntimeError("a child ended before it was killed")


def _wait_for_load(path: Path) -> None:
    """Until the child is asked something, or for a while."""
    before = len(heard(path, "asked"))
    for _ in range(1000):
        if len(heard(path, "asked")) > before:
            return
        time.sleep(0.01)


@contextmanager
def copied(template: Path) -> Iterator[Path]:
    file = template.with_name("killed.db")
    shutil.copy(template, file)
    yield file
    for end in ("", "-wal", "-shm"):
        Path(f"{file}{end}").unlink(missing_ok=True)


def campaign(
    fresh: Callable[[], object],
    folder: Path,
    kills: int,
    seed: int | str,
    between: Callable[[int], None] = lambda kill: None,
) -> Tally:
    """Kill so often, and compare. fresh: a context manager that gives a database with nothing in it."""
    dice, tally = random.Random(seed), Tally()
    while tally.kills < kills:
        with fresh() as file:  # type: ignore[attr-defined]
            path, url = folder / "lines", url_of(file)
            path.unlink(missing_ok=True)
            asyncio.run(_begin(url))
            for _ in range(min(KILLS_A_GAME, kills - tally.kills)):
                _one_kill(url, path, dice)
                tally.kills += 1
                between(tally.kills)
            asyncio.run(_look(url, file, path, tally))
    return tally


def _one_kill(url: URL, path: Path, dice: random.Random) -> None:
    """One more life, which begins with what the last one was asked and did not answer."""
    done = {*heard(path, "answered"), *heard(path, "refused")}
    asked = heard(path, "asked")
    first = max(asked, default=999) + AT_ONCE + 1
    one_life(url, path, sorted(set(asked) - done), first, dice.uniform(0, LATEST_SECONDS))


async def _begin(url: URL) -> None:
    async with open_desk(url, lambda: b"\x07" * 32, now_ms) as desk:
        for place, channel in enumerate(CHANNELS):
            answer = await desk.perform(Request(StartDemo(), Actor(100, "anna", 900, channel), 1 + place))
            assert answer.changed
            desk.store.deliveries.arrived([1 + place])


async def _look(url: URL, file: Path, path: Path, tally: Tally) -> None:
    """After the last life: what was answered stands once, what was not is told."""
    rows = contents(file, "journal", "models", "undelivered")
    stands = [int(str(row[8])) for row in rows["journal"]]
    answered, told = set(heard(path, "answered")), set(heard(path, "told"))
    async with open_desk(url, lambda: b"\x07" * 32, now_ms) as desk:
        await desk.store.deliveries.recover(now_ms() + 10**9)
        told |= {entry.interaction_id for entry in desk.store.deliveries.take_untold()}
    damage = sum(int(str(row[6])) for row in rows["models"] if row[4] in HURT)
    asked_for = sum(wounds_of(number) for number in stands if number >= 1000)
    unanswered = {number for number in stands if number >= 1000} - answered
    tally.answered += len(answered)
    tally.told += len(told)
    tally.lost += len(answered - set(stands)) + (damage < asked_for)
    tally.doubled += len(stands) - len(set(stands)) + (damage > asked_for)
    tally.untold += len(unanswered - told)
    refused = [line for line in path.read_text().splitlines() if line.startswith("refused ")]
    tally.faults += refused[:MAX_TOLD]
    tally.faults += (await examine(url)).faults
