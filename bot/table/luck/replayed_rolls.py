"""The rolls of a finished game with all their possible results, collected while the journal is replayed.

This module decides which rolls count: those of current, public entries with a value declared by the game. The
referee replays the game in a thread of its own, on a database in memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.store.journal import Entry
from bot.store.rows import SeatRow
from bot.table.encounter import Encounter
from bot.table.luck.outcome_values import Worth, find_worth
from bot.table.referee import checks
from bot.table.referee.checks import Forged
from bot.table.referee.game_replay import Again
from bot.table.throw_purposes import Heard, listening
from rules.dice import Fall, Odds, Solver, TooLarge

MAX_OF_ONE, MAX_OF_ALL = 60_000, 1_000_000
"""Possibilities that one roll is weighed by, and all of a game together; what is beyond them is left out."""


@dataclass(frozen=True, slots=True)
class Wounds:
    """Wounds that a roll dealt, and those that it deals on average. by: the side that deals them."""

    by: int
    came: float
    due: float


@dataclass(frozen=True, slots=True)
class CountedRoll:
    """A roll that counts.

    entry: its place in the journal. turn: 0 before the first. title: its line in the log. side, player: the
    first roller by number, 0 for none. against: the sides and players whose dice opposed it. fall: its value
    for the first roller. chance: the chance of that value or more.
    """

    entry: int
    turn: int
    title: str
    side: int
    player: int
    against: tuple[tuple[int, int], ...]
    fall: Fall
    chance: float
    wounds: Wounds | None = None


@dataclass(frozen=True, slots=True)
class FallenGame:
    """The rolls of a game.

    sides, players: names by number. left_out: rolls that were too large to compute. upto: the last entry that
    could be replayed if it wasn't the last of all; otherwise 0.
    """

    name: str
    rolls: tuple[CountedRoll, ...]
    sides: Mapping[int, str]
    players: Mapping[int, str]
    left_out: int = 0
    upto: int = 0


async def replay_game(
    name: str, document: str, undone: Collection[int], people: Mapping[int, int]
) -> FallenGame:
    """Return how a finished game fell. document: its export; undone: the entries that do not stand.

    people: who is meant by the numbers by which people go in the export.
    """
    fell = await asyncio.to_thread(lambda: asyncio.run(_replay(name, json.loads(document), undone)))

    def number_of(number: int) -> int:
        return people.get(number, number)

    rolls = tuple(
        replace(
            roll,
            player=number_of(roll.player),
            against=tuple((side, number_of(player)) for side, player in roll.against),
        )
        for roll in fell.rolls
    )
    return replace(
        fell, rolls=rolls, players={number_of(person): name for person, name in fell.players.items()}
    )


async def _replay(name: str, export: Mapping[str, Any], undone: Collection[int]) -> FallenGame:
    listener = _RollListener()
    game = Again(checks.restore_names(export), listener.made)
    refereed = 0
    try:
        with listening(listener.hear):
            refereed, _ = await game.play()
    except Forged:
        refereed = listener.last
    finally:
        await game.close()
    rolls = tuple(roll for roll in listener.rolls if roll.entry not in undone)
    is_whole = refereed == len(export["entries"])
    return FallenGame(
        name, rolls, listener.sides, listener.players, listener.left_out, 0 if is_whole else refereed
    )


@dataclass(slots=True)
class _RollListener:
    """What is heard of each entry; of one that was tried several times, only the last try counts."""

    rolls: list[CountedRoll] = field(default_factory=list)
    sides: dict[int, str] = field(default_factory=dict)
    players: dict[int, str] = field(default_factory=dict)
    left_out: int = 0
    last: int = 0
    _encounter: Encounter | None = None
    _heard: list[tuple[Heard, Worth, list[tuple[int, int]], int]] = field(default_factory=list)
    _solver: Solver = field(default_factory=Solver)
    _left: int = MAX_OF_ALL

    def hear(self, roll: Heard) -> None:
        """Hear a roll, which may be asked for again with more real dice."""
        encounter = roll.encounter
        if encounter is not self._encounter:
            self._encounter, self._heard = encounter, []
        worth = find_worth(roll.rule, roll.outcome)
        if worth is None or encounter is None:
            return
        owners = (self._owner(encounter, fell.whose.by) for fell in roll.fell)
        roll_owners = [owner for owner in owners if owner is not None]
        if roll_owners:
            self._heard.append((roll, worth, roll_owners, encounter.row.turn))

    def made(self, entry: Entry) -> None:
        """Note the entry that it led to."""
        heard_rolls, self._heard, self._encounter = self._heard, [], None
        self.last = entry.seq
        if entry.quiet or json.loads(entry.reply).get("private"):
            return
        for heard_roll, worth, owners, turn in heard_rolls:
            roll = self._weigh_roll(entry, heard_roll, worth, owners, turn)
            if roll is not None:
                self.rolls.append(roll)

    def _owner(self, encounter: Encounter, thrower: str) -> tuple[int, int] | None:
        """Return the side and the player of a model or a side, by its name; None where there is none."""
        for side in encounter.sides():
            self.sides[side.id] = side.name
        for seat in encounter.book.all(SeatRow):
            self.players[seat.user_id] = seat.name
        model = next((row for row in encounter.models(gone=True) if row.name == thrower), None)
        if model is not None:
            captain = encounter.captain(model.side)
            return model.side, model.owner_id or (captain.user_id if captain else 0)
        named_side = next((side for side in encounter.sides() if side.name == thrower), None)
        if named_side is None:
            return None
        captain = encounter.captain(named_side.id)
        return named_side.id, captain.user_id if captain else 0

    def _weigh_roll(
        self, entry: Entry, heard_roll: Heard, worth: Worth, owners: list[tuple[int, int]], turn: int
    ) -> CountedRoll | None:
        try:
            odds, due = self._work_out(heard_roll, worth)
        except TooLarge:
            self.left_out += 1
            return None
        came = worth.of(heard_roll.outcome)
        chances = _normalise(odds.chances, came)
        if len(chances) < 2:
            return None
        first = owners[0]
        others = tuple(dict.fromkeys(owner for owner in owners if owner[0] != first[0]))
        chance_at_least = sum(chance for value, chance in chances.items() if value >= came)
        wounds = self._wounds(heard_roll, worth, due, first[0])
        fall = Fall(chances, came)
        return CountedRoll(entry.seq, turn, entry.title, *first, others, fall, chance_at_least, wounds)

    def _work_out(self, heard_roll: Heard, worth: Worth) -> tuple[Odds[Any], float]:
        """Return the possible values of the roll, and the expected wounds. Raises TooLarge."""
        self._solver.anew().work = min(MAX_OF_ONE, self._left)
        try:
            if worth.asked is not None:
                rule, args = worth.asked(*heard_roll.args, **heard_roll.kwargs)
                odds: Odds[Any] = self._solver.solve(rule, *args)
                return odds, odds.mean(float) if worth.dealt else 0.0
            whole: Odds[Any] = self._solver.solve(heard_roll.rule, *heard_roll.args, **heard_roll.kwargs)
            return whole.map(worth.of), whole.mean(worth.dealt) if worth.dealt else 0.0
        finally:
            self._left -= self._solver.spent

    def _wounds(self, heard_roll: Heard, worth: Worth, due: float, side: int) -> Wounds | None:
        if worth.dealt is None:
            return None
        others = [other for other in self.sides if other != side]
        dealer = side if not worth.to_thrower else others[0] if len(others) == 1 else 0
        return Wounds(dealer, worth.dealt(heard_roll.outcome), due) if dealer else None


def _normalise(chances: Mapping[Any, Any], came: float) -> dict[float, float]:
    """Return chances that add up to 1, with the outcome among them however seldom it comes."""
    worths = {float(value): float(chance) for value, chance in chances.items() if chance > 0}
    worths.setdefault(float(came), 1e-12)
    total = sum(worths.values())
    return {value: chance / total for value, chance in worths.items()}
