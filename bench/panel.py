"""What the panel asks of the table: whether each action may be done, and how it would be filled in."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from string import ascii_lowercase

from bench.begun import more_of_the_same, played_on
from bot.actions import ACTIONS, parts
from bot.app import ALL_GAMES, open_desk
from bot.commands.do_command import suggested_lines
from bot.store.book import Book
from bot.store.engine import database_url
from bot.store.migration import migrate
from bot.table.act import Actor
from bot.table.encounter import Encounter
from bot.table.handlers import HANDLERS
from bot.table.offers.forms import title_of
from bot.table.offers.legal_actions import Looking
from bot.table.session.possible_actions import list_kinds
from rules.dice import SEED_BYTES

ROUNDS = 20
FEW = 3


async def run() -> list[str]:
    """A table: each game with so many models, the panel's likely actions, and all actions of one model."""
    lines = [
        "| game | models | likely actions ms | for a model that can't act ms | all actions ms | /do ms "
        "| median /do ms | longest /do ms |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for game in ALL_GAMES:
        book = await _begun(game.key)
        encounter = Encounter(book)
        acting = game.acting(encounter)
        model = next(iter(acting), encounter.models()[0])
        actor = Actor(model.owner_id, "", encounter.row.guild_id, encounter.row.channel_id)
        likely = game.likely
        every = [kind.command for kind in list_kinds(encounter) if not HANDLERS[kind.command].beforehand]
        others = (one for one in encounter.models(model.side) if one not in acting)
        idle = next(others, model)
        few, barred = (_milliseconds(book, actor, one.id, likely) for one in (model, idle))
        many = _milliseconds(book, actor, model.id, every)
        taken = {typed: _suggested(book, actor, model.id, typed) for typed in _typed(book, likely)}
        longest = max(taken, key=lambda typed: taken[typed])
        times = f"{few:.2f} | {barred:.2f} | {many:.1f} | {taken['']:.1f}"
        times += f" | {median(taken.values()):.1f} | {taken[longest]:.1f}"
        times += f" ({f'`{longest}`' if longest else 'nothing'})"
        lines.append(f"| {game.name} | {len(encounter.models())} | {times} |")
    return lines


def _typed(book: Book, likely: Sequence[str]) -> list[str]:
    """Lines while somebody types: nothing yet, each letter, half a name, what is done, and to whom."""
    encounter = Encounter(book)
    heads = [title_of(ACTIONS[command]).lower() for command in likely]
    names = [f'"{model.name}"' for model in (encounter.models()[0], encounter.models()[-1])]
    behind = [f"{head} {name} " for head in heads for name in names]
    short = sorted({model.name[:length].lower() for model in encounter.models() for length in (2, 4)})
    return ["", *ascii_lowercase, *short, *heads, *(f"{head} " for head in heads), *behind, *names]


def _suggested(book: Book, actor: Actor, model: int, typed: str) -> float:
    """What /do suggests behind what is typed, with its chances, after something was done: the best of a few.

    Nothing is kept from one to the next but what the rules keep for all games of a process.
    """
    best = float("inf")
    for _ in range(FEW):
        book.forget_worked_out()
        start = time.process_time()
        suggested_lines(Looking(book, actor), Encounter(book), typed, f"#{model}")
        best = min(best, time.process_time() - start)
    return best * 1000


async def _begun(system: str) -> Book:
    """A sample game in which somebody acts, filled up with more of the same models on both sides."""
    with tempfile.TemporaryDirectory() as folder:
        url = database_url(str(Path(folder) / "panel.db"))
        await migrate(url)
        async with open_desk(url, lambda: bytes(SEED_BYTES)) as desk:
            book = await played_on(desk, system, Actor(1, "anna", 900, 500))
    for row in more_of_the_same(book):
        book.add(row)
    return Book(book.scope, book.snapshot())


def _milliseconds(book: Book, actor: Actor, model: int, commands: Sequence[str]) -> float:
    """CPU time of asking once whether each of these may be done by a model, after something was done: who
    asks again is told what was found. The best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        book.forget_worked_out()
        looking = Looking(book, actor)
        start = time.process_time()
        for command in commands:
            first = next(iter(parts(command)), None)
            said = {first.name: f"#{model}"} if first is not None and first.wire is str else {}
            looking.legal(ACTIONS[command], said)
        best = min(best, time.process_time() - start)
    return best * 1000
