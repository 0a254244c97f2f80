"""Play random games and set each option of what is done: none may be dropped without a word.

Before a step is done it is tried as it is, and again with one more option. With the same dice it is refused
then, or what is told, the rows or the dice that fall are different.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.actions import Action, Part, parts, to_json
from bot.app import ALL_GAMES
from bot.store.migration import migrate
from bot.table.act import Act
from bot.table.asking.kinds import Switch, TableKind
from bot.table.asking.reading import understood
from bot.table.asking.server_kinds import Elsewhere
from bot.table.handlers import HANDLERS
from bot.table.names import Unclear
from bot.table.offers.legal_actions import Looking
from bot.table.owners import require_owner
from rules.refusals import Forbidden, InvalidInput
from tests.bot.tables import Table, opened, url_of
from tests.conformance.legal_play import Stuck, Wanderer, typed_value

REFUSED = "refused"

ENOUGH = 3
"""So often an option is set before it is said to do nothing."""


class Falling:
    """Dice that fall alike for the same place in a roll, whatever was typed."""

    def __init__(self, number: int) -> None:
        self._dice = random.Random(number)

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        return [self._dice.randint(1, sides) for _ in range(n)]


@dataclass
class Setter:
    """Plays one game, and sets options on the way.

    dropped: each option that changed nothing, with the actions it was set in. told: how often each differed.
    """

    table: Table
    system: str
    number: int
    dropped: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    told: Counter[str] = field(default_factory=Counter)
    switches: set[str] = field(default_factory=set)

    async def play(self, steps: int) -> None:
        """So many steps, with all options of each."""
        self.dice = random.Random(self.number)
        self.game = Wanderer(self.table, self.system, self.number, looks=False)
        await self.game.begin()
        for _ in range(steps):
            if not await self.table.desk.store.running_encounter(self.table.channel):
                return
            before = await self.table.loaded()
            try:
                await self.game.step()
            except Stuck:
                return
            who, action, _ = self.game.told[-1]
            if HANDLERS[action.command].system == self.system and not action.looks:
                await self._set_options(before, who, action)

    async def _set_options(self, loaded: Any, who: str, action: Action) -> None:
        extra = await self.game.read_beforehand(who, action)
        plain = [self._outcome(loaded, who, action, extra, number) for number in range(3)]
        if REFUSED in plain:
            return
        looking = Looking(loaded.book(), self.table.actor(who))
        for part in parts(action.command):
            if not self._may_be_set(action, part):
                continue
            name = f"{action.command} {part.name}"
            if isinstance(part.kind, Switch):
                self.switches.add(name)
            values = [typed_value(part, value) for value in self.game.values_of(looking, action, part)]
            self.dice.shuffle(values)
            tried = []
            for value in [one for one in values if one != part.default][:4]:
                asked = replace(action, **{part.name: value})
                same = all(
                    self._outcome(loaded, who, asked, extra, number) == plain[number] for number in range(3)
                )
                if not same:
                    self.told[name] += 1
                    break
                tried.append(asked)
            else:
                if tried:
                    self.dropped[name].append(f"{who} {tried[0]}")

    def _may_be_set(self, action: Action, part: Part) -> bool:
        kind = part.kind
        typed = isinstance(kind, TableKind) and not isinstance(kind, Elsewhere) and bool(kind.help)
        return typed and part.name != "odds" and getattr(action, part.name) == part.default

    def _outcome(self, loaded: Any, who: str, action: Action, extra: Any, number: int) -> Any:
        """What comes of an action with these dice; nothing of it is kept."""
        book = loaded.book()
        actor = self.table.actor(who)
        act = Act(book, actor, action, lambda _: Falling(number), extra=extra, seed=loaded.seed)
        act.entry = loaded.scope.version + 1
        try:
            handler = HANDLERS[action.command]
            with act.passing():
                asked = act.action.as_typed_action()
                handler.permit(act, asked)
                ready = understood(act, asked)
                require_owner(act, ready)
                reply = handler.run(act, ready)
        except (InvalidInput, Forbidden, Unclear):
            return REFUSED
        fell = act.roller.record if act.roller else ()
        offered = [(one.label, to_json(one.action)) for one in reply.buttons]
        return reply.lines, reply.why, reply.private, offered, fell, book.snapshot()

    def faults(self) -> dict[str, str]:
        """Options that were dropped: switches at once, anything else where no value ever made a difference.

        A number or a name may be the one that is meant anyway.
        """
        return {
            name: each[0]
            for name, each in self.dropped.items()
            if not self.told[name] and (len(each) >= ENOUGH or name in self.switches)
        }


async def set_options(file: Path, system: str, number: int, steps: int) -> Setter:
    async with opened(file) as table:
        setter = Setter(table, system, number)
        await setter.play(steps)
        return setter


def main(argv: Sequence[str] | None = None) -> int:
    """Play as many games as asked and tell what was dropped; 1 where anything was."""
    asked = argparse.ArgumentParser(description="Options that are dropped in random games")
    asked.add_argument("--game", choices=[one.key for one in ALL_GAMES], required=True)
    asked.add_argument("--games", type=int, default=5)
    asked.add_argument("--steps", type=int, default=60)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args(argv)
    told: Counter[str] = Counter()
    dropped: dict[str, list[str]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.db"
        asyncio.run(migrate(url_of(whole)))
        for number in range(given.seed, given.seed + given.games):
            file = Path(folder) / "table.db"
            file.write_bytes(whole.read_bytes())
            setter = asyncio.run(set_options(file, given.game, number, given.steps))
            told += setter.told
            for name, where in setter.dropped.items():
                dropped[name] += where
    lines = [f"{len(told)} options told, {len(dropped)} dropped"]
    for name, each in dropped.items():
        lines.append(f"{name} ({len(each)} of {len(each) + told[name]}): {each[0]}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if dropped else 0


if __name__ == "__main__":
    sys.exit(main())
