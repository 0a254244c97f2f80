"""Calls that nobody means well: every action with any values, by any person, at any game; made-up ids.

Each is answered, with what was done or with a sentence, and none ends in a fault of the program.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.actions import ACTIONS, Action, BadId, parts
from bot.app import ALL_GAMES
from bot.ids import Tag, pack, unpack
from bot.store.doctor import examine
from bot.store.migration import migrate
from bot.table.act import Actor
from bot.table.request import Request
from tests.bot.tables import CHANNEL, opened, url_of
from tests.faults.campaign.nearly import NUMBERS, Spiteful, value_of
from tests.faults.campaign.slices import Found, Section, Work

A_FILE = 2000
"""After so many calls a new file begins."""

A_GAME = 250
"""After so many a new game, of any system."""

MAX_SECONDS = 10.0
"""Of the processor's time, for one call: what takes more holds up everybody."""


def any_action(dice: random.Random) -> Action:
    """An action of any kind of the program's; half of its fields as by default, where they have one."""
    own = sorted(command for command, kind in ACTIONS.items() if kind.__module__.startswith("bot."))
    kind = ACTIONS[dice.choice(own)]
    return kind(**{part.name: value_of(part.wire, dice) for part in parts(kind.command)})


def any_id(dice: random.Random) -> str:
    """An id that is made up, or one of ours with some letters altered."""
    if dice.random() < 0.3:
        return "".join(dice.choices(":;,.|~aZ09é\x00 ", k=dice.randint(0, 100)))
    try:
        text = list(pack(Tag(any_action(dice), dice.choice(NUMBERS), dice.choice(NUMBERS))))
    except (BadId, UnicodeError):
        return ""
    for _ in range(dice.randint(0, 3)):
        if text:
            text[dice.randrange(len(text))] = dice.choice(":~0a\x7f")
    return "".join(text)


async def calls(fresh: Callable[[], Path], count: int, seed: int | str) -> Found:
    """So many calls; what came of them, and every fault of the program with where it was."""
    dice, found = random.Random(seed), Found()
    for first in range(0, count, A_FILE):
        file = fresh()
        async with opened(file) as table:
            table.ids.update(anna=100, bo=101)
            for number in range(min(A_FILE, count - first)):
                if number % A_GAME == 0:
                    player = Spiteful(table, dice.choice(ALL_GAMES).key, dice.randrange(2**32))
                    await player.sit_down()
                await _one(player, dice, found)
        found.faults += (await examine(url_of(file))).faults
    return found


async def _one(player: Spiteful, dice: random.Random, found: Found) -> None:
    door = dice.choices((_nearly, _anything, _an_id), (5, 2, 3))[0]
    try:
        with no_longer_than(MAX_SECONDS):
            found.numbers[await door(player, dice)] += 1
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        found.faults.append(f"{door.__name__}: {type(error).__name__} in {where}: {str(error)[:60]!r}")


@contextmanager
def no_longer_than(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in the middle of whatever takes so much of the processor."""

    def over(signum: int, frame: object) -> None:
        raise TimeoutError(f"{seconds:g} s and no end")

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


async def _nearly(player: Spiteful, dice: random.Random) -> str:
    return "nearly right and done" if (await player.call()).changed else "nearly right, refused or shown"


async def _anything(player: Spiteful, dice: random.Random) -> str:
    scope, version = dice.choice((0, 1, 2, *NUMBERS)), dice.choice((-1, 1, *NUMBERS))
    return await _asked(player, dice, any_action(dice), scope, version)


async def _an_id(player: Spiteful, dice: random.Random) -> str:
    try:
        tag = unpack(any_id(dice))
    except BadId:
        return "ids refused"
    return await _asked(player, dice, tag.action, tag.scope, tag.version)


async def _asked(player: Spiteful, dice: random.Random, action: Action, scope: int, version: int) -> str:
    who = Actor(
        dice.choice((100, 101, 102)),
        "x",
        dice.choice((900, 901)),
        dice.choice((CHANNEL, CHANNEL + 1, 7)),
        dice.random() < 0.2,
    )
    number, reason = next(player.table.interactions), dice.choice(("", "", "agreed"))
    answer = await player.table.desk.perform(Request(action, who, number, scope, version, reason))
    return "random values and done" if answer.changed else "random values, refused or shown"


def copies(template: Path, file: Path) -> Callable[[], Path]:
    """A function that gives the same file anew, with nothing in it."""

    def fresh() -> Path:
        for old in file.parent.glob(f"{file.name}*"):
            old.unlink()
        return Path(shutil.copy(template, file))

    return fresh


def counted(found: Found) -> list[str]:
    """What came of the calls, as lines of a report."""
    each = [f"- {fault} ({count} times)" for fault, count in Counter(found.faults).most_common(20)]
    came = ", ".join(f"{name} {number:,}" for name, number in sorted(found.numbers.items()))
    unhandled = f"Errors that nothing handled: {len(found.faults)}."
    return [f"Results: {came}.", unhandled, *(["", *each] if found.faults else [])]


def part(given: argparse.Namespace, folder: Path, work: Work) -> Section:
    template = folder / "hostile-template.db"
    asyncio.run(migrate(url_of(template)))

    def one(first: int, count: int, seed: str) -> Found:
        return asyncio.run(calls(copies(template, folder / "hostile.db"), count, seed))

    work.go_on("Calling", given.calls, A_FILE, given.seed, one)
    lines = (
        f"The desk got {given.calls:,} calls in {work.minutes} minutes, of {len(ACTIONS)} actions in games",
        "of all systems. Half of them were offered by the game, most with one or two values or files that",
        "make no sense. The others had random values or invented ids.",
        *counted(work.found),
    )
    return Section("Hostile calls", lines, not work.found.faults)
