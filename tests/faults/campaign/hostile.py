"""Calls that nobody means well: every action with any values, by any person, at any game; made-up ids.

Each is answered, with what was done or with a sentence, and none ends in a fault of the program.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path

from bot.actions import ACTIONS, Action, BadId
from bot.app import ALL_GAMES
from bot.ids import Tag, pack, unpack
from bot.progress import Told, progress, unheard
from bot.store.doctor import examine
from bot.store.migrate import migrate
from bot.table.act import Actor
from bot.table.request import Request
from bot.table.session.encounters import StartDemo
from tests.bot.tables import Table, opened, url_of
from tests.faults.campaign.section import Section

assert ALL_GAMES

CHANNELS = (500, 501)
A_GAME = 2000
"""After so many calls a new game begins, on a new file."""

NUMBERS = (0, 1, -1, 2, 3, 7, 99, 1000, 2**31, 2**53, 2**63 - 1, -(2**63), 10**12)
WORDS = (
    "",
    " ",
    "Smap",
    "smap",
    "Trapper",
    "Edo",
    "Lancers",
    "nobody",
    "all",
    "1d6",
    "999999d999999",
    "((((((((((1",
    "@everyone",
    "<@1>",
    "```",
    "\ud800",
    "\x00",
    "\u202egnp",
    "; DROP TABLE journal; --",
    "%s%n{0}{x}",
    "../../etc/passwd",
    "é" * 50,
    "x" * 4000,
    "-1",
    "1e309",
    "nan",
    "2,3,4",
    "a>b,c>d",
    "{}",
    '{"a":[[[[[[[1]]]]]]]}',
)


def value_of(kind: str, dice: random.Random) -> object:
    """Any value of a field's kind."""
    if kind.startswith("int"):
        return dice.choice(NUMBERS)
    if kind == "bool":
        return dice.random() < 0.5
    if kind == "float":
        return dice.choice((0.0, -1.0, 0.5, 6.0, 1e308, 12.34567))
    if kind == "tuple[int, ...]":
        return tuple(dice.choices(NUMBERS, k=dice.randint(0, 4)))
    if kind == "tuple[str, ...]":
        return tuple(dice.choices(WORDS, k=dice.randint(0, 4)))
    return dice.choice(WORDS)


def any_action(dice: random.Random) -> Action:
    """An action of any kind of the program's; half of its fields as by default, where they have one."""
    own = sorted(command for command, kind in ACTIONS.items() if kind.__module__.startswith("bot."))
    kind = ACTIONS[dice.choice(own)]
    return kind(**{part.name: value_of(str(part.type), dice) for part in fields(kind)})


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


async def calls(
    fresh: Callable[[], Path], count: int, seed: int, told: Told = unheard
) -> tuple[Counter[str], list[str]]:
    """So many calls; what came of them, and every fault of the program with where it was."""
    dice, found, faults = random.Random(seed), Counter[str](), list[str]()
    done = 0
    while done < count:
        file = fresh()
        async with opened(file) as table:
            for channel in CHANNELS:
                await table.do(Actor(100, "anna", 900, channel), StartDemo())
            for _ in range(min(A_GAME, count - done)):
                done += 1
                told(done, count)
                await _one(table, dice, found, faults)
        faults += (await examine(url_of(file))).faults
    return found, faults


async def _one(table: Table, dice: random.Random, found: Counter[str], faults: list[str]) -> None:
    action = None
    try:
        if dice.random() < 0.3:
            try:
                tag = unpack(any_id(dice))
            except BadId:
                found["ids refused"] += 1
                return
            action, scope, version = tag.action, tag.scope, tag.version
        else:
            action, scope, version = (
                any_action(dice),
                dice.choice((0, 1, 2, *NUMBERS)),
                dice.choice((-1, 1, *NUMBERS)),
            )
        who = Actor(
            dice.choice((100, 101, 102)),
            "x",
            dice.choice((900, 901)),
            dice.choice((*CHANNELS, 7)),
            manages=dice.random() < 0.2,
        )
        answer = await table.desk.perform(
            Request(action, who, next(table.interactions), scope, version, dice.choice(("", "", "agreed")))
        )
        found["done" if answer.changed else "refused or shown"] += 1
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        faults.append(
            f"{type(action).__name__}: {type(error).__name__} in {Path(place.filename).name}:{place.lineno}"
        )


def copies(template: Path, file: Path) -> Callable[[], Path]:
    """A function that gives the same file anew, with nothing in it."""

    def fresh() -> Path:
        for old in file.parent.glob(f"{file.name}*"):
            old.unlink()
        return Path(shutil.copy(template, file))

    return fresh


def counted(found: Counter[str], faults: Sequence[str]) -> list[str]:
    """What came of the calls, as lines of a report."""
    each = [f"- {fault} ({count} times)" for fault, count in Counter(faults).most_common(20)]
    came = ", ".join(f"{name} {number:,}" for name, number in sorted(found.items()))
    return [f"What came of them: {came}.", f"Unhandled: {len(faults)}.", *(["", *each] if faults else [])]


def part(given: argparse.Namespace, folder: Path) -> Section:
    """The part of the campaign."""
    template = folder / "hostile-template.db"
    asyncio.run(migrate(url_of(template)))
    began = time.monotonic()
    with progress("Calling", " calls") as told:
        found, faults = asyncio.run(
            calls(copies(template, folder / "hostile.db"), given.calls, given.seed, told)
        )
    lines = (
        f"{given.calls:,} calls in {(time.monotonic() - began) / 60:.1f} minutes, of {len(ACTIONS)}",
        "actions with any values and of ids that were made up, by the desk.",
        *counted(found, faults),
    )
    return Section("Hostile calls", lines, not faults)
