"""Discord itself misbehaves: limits, errors, cut and late answers, a gateway that drops out, calls twice.

A person rolls on and on at a local server, each roll with a number of its own. Afterwards every number that
is in the journal was told, and every number that was told is in the journal, once.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bot.local.faults import ANSWERS, Trouble
from bot.local.outcomes import NotAnswered
from bot.local.seen import Event
from bot.store.doctor import examine
from bot.store.migration import migrate
from tests.bot.house import House
from tests.bot.tables import url_of
from tests.faults.campaign.hostile import copies
from tests.faults.campaign.slices import Found, Section, Work

A_GAME = 200
"""After so many rolls they are looked through, and a new game begins."""

AT_ONCE = 4
SHARE = 0.4
"""Of the rolls, how many meet a trouble."""

ROUTES = (ANSWERS, ANSWERS, "* /channels/*/messages*", "*")
STATUSES = (400, 401, 403, 404, 429, 500, 502, 503)


@dataclass
class Tally:
    """What a number of rolls came to."""

    rolls: int = 0
    stood: int = 0
    told_after: int = 0
    met: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.untold or self.faults)

    def found(self) -> Found:
        numbers = Counter({name: getattr(self, name) for name in COUNTED})
        numbers.update({name: len(getattr(self, name)) for name in MUST_NOT})
        numbers.update({f"{MET}{name}": times for name, times in self.met.items()})
        return Found(numbers, self.faults)


COUNTED = ("rolls", "stood", "told_after")
MUST_NOT = ("lost", "doubled", "untold")
MET = "met "


def _arm(house: House, dice: random.Random, tally: Tally) -> None:
    trouble = dice.choice(
        [one for one in Trouble if one is not Trouble.CLOUDFLARE_429 or dice.random() < 0.2]
    )
    house.server.faults.arm(
        trouble, dice.choice(ROUTES), seconds=dice.choice((0.01, 0.05)), status=dice.choice(STATUSES)
    )
    tally.met[str(trouble)] += 1


async def _roll(house: House, number: int, dice: random.Random) -> None:
    deliveries = 2 if dice.random() < 0.2 else 1
    outcome = await house.anna.slash("roll", {"dice": f"0*d6+{number}"}, deliveries=deliveries)
    with suppress(NotAnswered):
        await outcome.answer(1.0)


def _listen(house: House) -> set[int]:
    """Return the numbers that a message shows from now on; a card that moves or is edited tells once more."""
    told = set[int]()

    def hear(event: Event) -> None:
        if event.message is not None:
            told.update(int(found) for found in re.findall(r"\bAnna: (\d{4,})", event.message.text))

    house.server.world.listeners.append(hear)
    return told


async def calls(fresh: Callable[[], Path], count: int, seed: int | str, storms: int = 50) -> Tally:
    """So many rolls. storms: after so many the gateway drops out."""
    dice, tally = random.Random(seed), Tally()
    while tally.rolls < count:
        file = fresh()
        async with House.open(file) as house:
            told = _listen(house)
            await house.slash("demo")
            await house.quiet()
            for _ in range(0, min(A_GAME, count - tally.rolls), AT_ONCE):
                if dice.random() < SHARE:
                    _arm(house, dice, tally)
                numbers = range(1000 + tally.rolls, 1000 + tally.rolls + AT_ONCE)
                if tally.rolls % storms < AT_ONCE:
                    tally.met["gateway cut"] += 1
                    house.server.gateway.abort()
                await asyncio.gather(*(_roll(house, number, dice) for number in numbers))
                tally.rolls += AT_ONCE
            house.server.faults.clear()
            await house.quiet()
            before = set(told)
            await house.restart()
            await house.quiet()
            _look(file, before, told, tally)
        tally.faults += (await examine(url_of(file))).faults
    return tally


def _look(file: Path, before: set[int], after: set[int], tally: Tally) -> None:
    with closing(sqlite3.connect(file)) as connection:
        inputs = [str(row[0]) for row in connection.execute("SELECT input FROM journal")]
    written = [int(found[1]) for one in inputs if (found := re.search(r"d6\+(\d{4,})", one))]
    stood = Counter(written)
    tally.stood += len(written)
    tally.told_after += len(after - before)
    tally.lost += [str(number) for number in after if number not in stood]
    tally.doubled += [str(number) for number, times in stood.items() if times > 1]
    tally.untold += [str(number) for number in stood if number not in after]


def part(given: argparse.Namespace, folder: Path, work: Work) -> Section:
    """The part of the campaign: a fiftieth of the calls, since many of them wait."""
    template = folder / "troubles-template.db"
    asyncio.run(migrate(url_of(template)))

    def one(first: int, count: int, seed: str) -> Found:
        return asyncio.run(calls(copies(template, folder / "troubles.db"), count, seed)).found()

    work.go_on("Rolling through troubles", given.calls // 50, A_GAME, given.seed, one)
    numbers, faults = work.found.numbers, work.found.faults
    met = ", ".join(f"{name[len(MET) :]} {numbers[name]:,}" for name in sorted(numbers) if MET in name)
    cells = [*(numbers[name] for name in (*COUNTED, *MUST_NOT)), len(faults)]
    lines = (
        f"{AT_ONCE} rolls at once on a local server, through the real client. A fifth of them are",
        f"delivered twice. The server made this trouble: {met}. *Kept* means in the journal. *Lost* means",
        "reported, but missing from the journal. *Doubled* means twice in the journal. *Untold* means in",
        "the journal, but reported to nobody, not even after the next start.",
        "",
        "| rolls | kept | reported after a start | lost | doubled | untold | faults | minutes |",
        "|---|---|---|---|---|---|---|---|",
        f"| {' | '.join(f'{cell:,}' for cell in cells)} | {work.minutes} |",
    )
    return Section("Troubles on the way", lines, not any(cells[len(COUNTED) :]))
