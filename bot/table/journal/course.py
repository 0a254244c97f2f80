"""How an encounter went, read from its journal: who was in play turn by turn, and each side's hardest blow.

Only what stands counts: what was undone did not happen. Reads what is written and asks no rule of any game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.store.rows import EncounterRow, ModelRow, layout
from bot.store.store import Store
from bot.table.encounter import GONE
from bot.table.session.numbering import numbers_of

MOST_ENTRIES = 20_000
"""Entries that are read; of a longer game nothing is told, since the half of it would be untrue."""


@dataclass(frozen=True, slots=True)
class Blow:
    """One step that cost a side. entry: its number in the log; turn: 1 or more.

    gone: models that left play by it; not those which an earlier step had hurt and that now are taken off.
    damage: wounds, of each model no more than it had left.
    """

    entry: int
    turn: int
    title: str
    gone: int
    damage: int


@dataclass(frozen=True, slots=True)
class Course:
    """How a game went, by side.

    present: how many models were in play at the end of each turn, from turn 0, which is before the first.
    blows: the step that cost a side most: models first, then damage; of equal ones the earlier.
    """

    present: dict[int, tuple[int, ...]] = field(default_factory=dict)
    blows: dict[int, Blow] = field(default_factory=dict)


async def course_of(store: Store, scope: int, lives: Mapping[int, int]) -> Course:
    """How the encounter of a scope went; empty where its journal is longer than `MOST_ENTRIES`.

    lives: the wounds that each model takes before it goes down, by its id; 0 where nobody can say.
    """
    tables = (EncounterRow.table, ModelRow.table)
    steps = await store.altering(scope, tables, MOST_ENTRIES + 1)
    if len(steps) > MOST_ENTRIES:
        return Course()
    number = await numbers_of(store, scope)
    reading = _Reading(lives)
    for seq, title, _, changes in steps:
        reading.step(number(seq), title, json.loads(changes))
    return Course(reading.present(), reading.blows)


@dataclass(slots=True)
class _Model:
    side: int
    damage: int
    here: bool


@dataclass(slots=True)
class _Reading:
    """The journal, as far as it was read."""

    lives: Mapping[int, int]
    turn: int = 0
    models: dict[int, _Model] = field(default_factory=dict)
    blows: dict[int, Blow] = field(default_factory=dict)
    counts: dict[int, dict[int, int]] = field(default_factory=dict)

    def step(self, entry: int, title: str, changes: list[Any]) -> None:
        """Read one entry further."""
        lost: dict[int, tuple[int, int]] = {}
        before = self.turn
        for table, first, second in changes:
            if table == EncounterRow.table:
                self._lead_on(second)
            elif table == ModelRow.table:
                for side, gone, damage in self._change(first, second):
                    had = lost.get(side, (0, 0))
                    lost[side] = (had[0] + gone, had[1] + damage)
        for side, (gone, damage) in lost.items():
            worst = self.blows.get(side)
            if before and (worst is None or (gone, damage) > (worst.gone, worst.damage)):
                self.blows[side] = Blow(entry, before, title, gone, damage)
        if any(change[0] == ModelRow.table for change in changes):
            self._count()

    def _count(self) -> None:
        now: dict[int, int] = {}
        for model in self.models.values():
            now[model.side] = now.get(model.side, 0) + model.here
        self.counts[self.turn] = now

    def present(self) -> dict[int, tuple[int, ...]]:
        """Every side's models in play by turn; a turn in which nothing changed is as the one before."""
        sides = sorted({model.side for model in self.models.values()})
        found: dict[int, tuple[int, ...]] = {}
        for side in sides:
            held = [0]
            for turn in range(self.turn + 1):
                held.append(self.counts[turn].get(side, 0) if turn in self.counts else held[-1])
            found[side] = tuple(held[1:])
        return found

    def _lead_on(self, second: Any) -> None:
        if isinstance(second, dict):
            self.turn = second["turn"][1] if "turn" in second else self.turn
        elif second:
            self.turn = second[layout(EncounterRow.table).names.index("turn")]

    def _change(self, first: Any, second: Any) -> Iterator[tuple[int, int, int]]:
        """One model's change; gives its side, 1 where it left play, and the damage it took."""
        names = layout(ModelRow.table).names
        if not isinstance(second, dict):
            self.models.pop(int((second or first)[names.index("id")]), None)
            if second:
                row = dict(zip(names, second, strict=False))
                self.models[row["id"]] = _Model(row["side"], row["damage"], row["status"] != GONE)
            return
        number = int(first[1])
        model = self.models[number]
        was_here = model.here
        damage = wounds = 0
        if "damage" in second:
            before, model.damage = second["damage"]
            damage = model.damage - before
            wounds = self._within(number, model.damage) - self._within(number, before)
        if "side" in second:
            model.side = second["side"][1]
        if "status" in second:
            model.here = second["status"][1] != GONE
        is_another = "profile" in second or "name" in second
        hurt = 0 if is_another else max(0, damage)
        fell = was_here and not model.here and (hurt > 0 or not model.damage)
        if fell or hurt:
            yield model.side, int(fell), min(hurt, max(0, wounds))

    def _within(self, model: int, damage: int) -> int:
        """Of so much damage what the model had to lose."""
        return min(damage, self.lives.get(model, 0) or damage)
