"""Somebody fishes for dice, cards and bags through random games: nobody ever gets a second result by himself.

After every step in which something fell, the person who took it tries all that needs nobody else's word:
undo, redo, another step in between, the lists of the action in another order, other measures, real dice
instead of the bot's, a question on the way. Whenever the same decision is asked again, each throw has to show
the faces that it showed before; whatever goes back into a hidden order has to need the word of somebody else.

    python -m tests.conformance.fishing --game counterblast --games 1000 --steps 40 --seed 1
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.actions import ACTIONS, Action, action_of, done_by, facts_of, parts, raw_of
from bot.app import ALL_GAMES
from bot.games.fracd_earth.players import CARDS_KIND
from bot.store.journal import Entry
from bot.store.migration import migrate
from bot.store.rows import LASTING, SecretRow
from bot.table.asking.table_kinds import split
from bot.table.encounter import Encounter
from bot.table.game import UNDO_OF_OTHERS, UNDONE_DICE, game_of
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.history import Redo, Undo
from bot.table.journal.log import ShowLog
from bot.table.offers.legal_actions import Looking
from bot.table.request import Answer
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import NextStep, Ready
from bot.table.session.possible_actions import list_acting
from bot.table.session.settings import Settings
from tests.bot.tables import Table, opened, url_of
from tests.conformance.legal_play import Stuck, Wanderer

TOLD_EVERY = 20
"""After so many games the numbers so far are told."""

TURNS = 4
"""How often somebody comes back to one decision."""

Faces = dict[str, list[tuple[int, int]]]
"""What fell for each purpose, in order."""


def faces_of(entry: Entry) -> Faces:
    """The faces of an entry by their purposes."""
    found: Faces = defaultdict(list)
    for sides, face, purpose in entry.faces_bound():
        found[purpose].append((sides, face))
    return found


def agree(first: Faces, second: Faces) -> bool:
    return all(
        one == other
        for purpose in first.keys() & second.keys()
        for one, other in zip(first[purpose], second[purpose], strict=False)
    )


@dataclass
class Fisher:
    """Plays one game at random, and fishes on the way.

    strictly: undone dice stay in their place. caught: what was fished for and got. tried: what was tried.
    """

    table: Table
    system: str
    number: int
    strictly: bool = False
    caught: list[str] = field(default_factory=list)
    tried: Counter[str] = field(default_factory=Counter)

    async def play(self, steps: int) -> None:
        self.dice = random.Random(self.number)
        self.game = Wanderer(self.table, self.system, self.number, looks=False)
        await self.game.begin()
        anna, _ = self.game.people
        await self.table.done(anna, Settings(UNDO_OF_OTHERS.key, UNDO_OF_OTHERS.values[0]))
        if self.strictly:
            await self.table.done(anna, Settings(UNDONE_DICE.key, UNDONE_DICE.values[1]))
        if self.number // 2 % 2 == 0:
            await self._begin_at_once()
        for _ in range(steps):
            if not await self.table.desk.store.running_encounter(self.table.channel):
                return
            self.game.stands = None
            before = (await self.table.loaded()).scope.version
            try:
                await self._step()
            except Stuck:
                return
            entry = await self._rolled_since(before)
            if entry is not None:
                who, action, _ = self.game.told[-1]
                await self._fish(who, action, entry)

    async def _begin_at_once(self) -> None:
        """Lead the game on to its first turn, as far as nothing else is wanted first: a game of every other
        pair begins so, whatever its steps would set up.
        """
        anna, bo = self.game.people
        await self.table.do(bo, Ready())
        for _ in range(TURNS):
            await self.table.do(anna, NextStep())

    async def _step(self) -> None:
        """Do what a model that acts now is likely to do: most dice fall there. Else any. Raises Stuck."""
        _, book, _ = await self.game._stands()
        encounter = Encounter(book)
        ways = [
            (command, f"#{model.id}")
            for model in list_acting(encounter)
            for command in game_of(encounter).likely
            if self.dice.random() < 0.5
        ]
        self.dice.shuffle(ways)
        for command, model in ways:
            for who in self.game.people:
                kind = ACTIONS[command]
                extra = await self.game.read_beforehand(who, kind())
                found = Looking(book, self.table.actor(who)).legal(kind, done_by(command, model), extra)
                if not found.reason:
                    await self.game._do(who, found.action.as_typed_action())
                    return
        await self.game.step()

    async def _rolled_since(self, before: int) -> Entry | None:
        """The last step of the game since then, where something fell in it or something hidden changed."""
        loaded = await self.table.loaded() if await self._runs() else None
        if loaded is None or loaded.scope.version == before:
            return None
        entry = await self.table.desk.store.entry(loaded.scope.id, loaded.scope.version)
        assert entry is not None
        of_the_game = entry.kind == "do" and not entry.minor
        if not of_the_game or HANDLERS[entry.command].place is not Place.ENCOUNTER:
            return None
        return entry if entry.faces != "[]" or f'["{SecretRow.table}"' in entry.changes else None

    async def _runs(self) -> bool:
        return bool(await self.table.desk.store.running_encounter(self.table.channel))

    # ------------------------------------------------------------- fishing

    async def _fish(self, who: str, action: Action, entry: Entry) -> None:
        seen: dict[str, Faces] = {entry.action_key: faces_of(entry)}
        after = await self._rows()
        for _ in range(TURNS):
            piles = await self._piles(who)
            if not await self._alone(who, Undo()):
                self.tried["asks for a word"] += 1
                return
            now = await self._piles(who)
            if any(pile != now.get(number, pile) for number, pile in piles.items()):
                self.caught.append(f"{who} {action}: known cards lie on the deck again, and nobody was asked")
            if self.dice.random() < 0.3 and await self._alone(who, Redo()):
                self.tried["redo"] += 1
                if await self._rows() != after:
                    self.caught.append(f"{who} {action}: redo gives something else")
                continue
            if not await self._aside(who):
                return
            asked, kind = self._varied(action)
            answer = await self._asks(who, asked, kind)
            again = await self._entry(answer)
            if again is None:
                return
            self.tried[kind] += 1
            self._compare(seen, again, f"{who} {kind} {asked}")
            if kind == "real dice":  # saying so is a step of its own
                return
            after = await self._rows()
            action = asked

    async def _asks(self, who: str, action: Action, kind: str) -> Answer:
        real = kind == "real dice"
        if real:
            await self.table.do(who, DiceMode("real"))
        answer = await self.table.do(who, action)
        if real:
            await self.table.do(who, DiceMode("bot"))
        return answer

    async def _entry(self, answer: Answer) -> Entry | None:
        if not answer.changed or not answer.scope:
            return None
        entry = await self.table.desk.store.entry(answer.scope, answer.version)
        return None if entry is None or entry.minor or entry.kind != "do" else entry

    def _compare(self, seen: dict[str, Faces], again: Entry, words: str) -> None:
        """Whether what was seen of this decision falls again, and nothing else for any of its throws."""
        known, now = seen.setdefault(again.action_key, {}), faces_of(again)
        if not agree(known, now):
            self.caught.append(f"{words}: {known} first, then {now}")
        for purpose, faces in now.items():
            known[purpose] = max(known.get(purpose, []), faces, key=len)

    async def _alone(self, who: str, action: Action) -> bool:
        """Undo or redo, where nobody else is asked; whether it was done."""
        before = (await self.table.loaded()).scope.tip
        await self.table.do(who, action)
        return await self._runs() and (await self.table.loaded()).scope.tip != before

    async def _aside(self, who: str) -> bool:
        """Look something up, or take a step in between and take it back again; whether that was done."""
        if self.dice.random() < 0.5:
            await self.table.do(who, ShowLog())
        if self.dice.random() < 0.5:
            self.game.stands = None
            tip = (await self.table.loaded()).scope.tip
            try:
                await self.game.step()
            except Stuck:
                return True
            by = self.game.told[-1][0]
            while await self._runs() and (await self.table.loaded()).scope.tip != tip:
                if not await self._alone(by, Undo()):
                    return False
            self.tried["a step in between"] += 1
        return await self._runs()

    def _varied(self, action: Action) -> tuple[Action, str]:
        """The same decision said otherwise, with the word for how."""
        ways = ["correction withdrawn", "another order", "other measures"]
        if self.system != "fracd_earth":  # it knows no real cards
            ways.append("real dice")
        way = self.dice.choice(ways)
        values: dict[str, Any] = dict(raw_of(action))
        if way == "another order":
            values |= {name: self._shuffled(action, name, value) for name, value in values.items()}
        if way == "other measures":
            values |= {
                part.name: float(values.get(part.name) or 0) + 0.1
                for part in parts(action.command)
                if part.wire is float and part.name in facts_of(action.command) and part.name in values
            }
        return action_of(action.command, values), way

    def _shuffled(self, action: Action, name: str, value: Any) -> Any:
        kind = next(part.kind for part in parts(action.command) if part.name == name)
        beside = any(part.kind.each_of == name for part in parts(action.command))
        if not kind.any_order or kind.but_where is not None or beside:
            return value
        things = [*split(value)] if isinstance(value, str) else [*value]
        each = kind.any_order if not isinstance(value, str) else 1
        groups = [things[start : start + each] for start in range(0, len(things), each)]
        self.dice.shuffle(groups)
        flat = [one for group in groups for one in group]
        return ", ".join(flat) if isinstance(value, str) else tuple(flat)

    # ------------------------------------------------------------- what is hidden

    async def _rows(self) -> str:
        """The game as its rows have it, without what no undo touches."""
        loaded = await self.table.loaded()
        rows = {table: rows for table, rows in loaded.snapshot.items() if table not in LASTING and rows}
        return json.dumps(
            {table: [[*key, *of[key]] for key in sorted(of)] for table, of in sorted(rows.items())}
        )

    async def _piles(self, who: str) -> dict[int, list[int]]:
        """What lies in a hidden order in the decks of a person; none in games without cards."""
        rows = (await self.table.encounter()).book.all(SecretRow)
        own = [
            one for one in rows if one.kind == CARDS_KIND and one.owner_id == self.table.actor(who).user_id
        ]
        return {row.id: json.loads(row.content)["deck"]["pile"] for row in own}


async def fish(file: Path, system: str, number: int, steps: int, *, strictly: bool) -> Fisher:
    async with opened(file) as table:
        fisher = Fisher(table, system, number, strictly)
        await fisher.play(steps)
        return fisher


def tell(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def main(argv: Sequence[str] | None = None) -> int:
    """Play as many games as asked and tell at once what was fished for; 1 where something was caught."""
    asked = argparse.ArgumentParser(description="Fishing for dice in random games")
    asked.add_argument("--game", choices=[one.key for one in ALL_GAMES], required=True)
    asked.add_argument("--games", type=int, default=100)
    asked.add_argument("--steps", type=int, default=40)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args(argv)
    tried: Counter[str] = Counter()
    caught: list[str] = []
    last = given.seed + given.games - 1
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.db"
        asyncio.run(migrate(url_of(whole)))
        for number in range(given.seed, last + 1):
            file = Path(folder) / "table.db"
            file.write_bytes(whole.read_bytes())
            fisher = asyncio.run(fish(file, given.game, number, given.steps, strictly=number % 2 == 0))
            tried += fisher.tried
            caught += [f"game {number}: {one}" for one in fisher.caught]
            tell(*(f"game {number}: {one}" for one in fisher.caught))
            if number % TOLD_EVERY == 0 or number == last:
                played = number - given.seed + 1
                tell(f"{given.game}: {played} games, {sum(tried.values())} tries, caught {len(caught)}")
    tell(f"Tried: {dict(tried)}")
    return 1 if caught else 0


if __name__ == "__main__":
    sys.exit(main())
