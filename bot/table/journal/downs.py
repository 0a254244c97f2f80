"""Who took whom down, read from an encounter's journal.

Only what stands counts: what was undone did not happen. Reads what is written and asks no rule of any game:
a step names who acts and whom it hurts, and whoever hurt a model last took it down.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from bot.store.rows import EncounterRow, ModelRow, SideRow
from bot.store.store import Store
from bot.table.encounter import GONE
from bot.table.game import GAMES, TakesDown
from bot.table.journal.course import MOST_ENTRIES

_NUMBERED = re.compile(r'"#(\d+)"')
"""A model as an action names it."""


@dataclass(frozen=True, slots=True)
class Down:
    """A model that was taken down, and by whom; each with the name and the crew of its side."""

    by: str
    by_side: str
    by_crew: int
    whom: str
    side: str
    crew: int


async def downs_of(store: Store, scope: int) -> list[Down]:
    """Everybody who was taken down by a model of another side, in the order in which it happened.

    Nothing of a game whose journal is longer than `MOST_ENTRIES`, or that does not say what going down is.
    """
    loaded = await store.load(scope)
    book = loaded.book() if loaded is not None else None
    row = book.get(EncounterRow) if book is not None else None
    if book is None or row is None:
        return []
    played = GAMES[row.system]
    if not isinstance(played, TakesDown):
        return []
    steps = await store.altering(scope, (ModelRow.table,), MOST_ENTRIES + 1)
    if len(steps) > MOST_ENTRIES:
        return []
    models = {one.id: one for one in book.all(ModelRow)}
    sides = {one.id: one for one in book.all(SideRow)}
    reading = _Toll({one.id: one.side for one in models.values()})
    for _, _, asked, changes in steps:
        reading.step(asked, json.loads(changes))
    found = []
    for victim, by in reading.fell.items():
        one, other = models[victim], models[by]
        if one.status == GONE and one.left_how in played.downed:
            mine, theirs = sides[other.side], sides[one.side]
            found.append(Down(other.name, mine.name, mine.crew, one.name, theirs.name, theirs.crew))
    return found


class _Toll:
    """The journal, as far as it was read. fell: by whom each model that is out of play was hurt last."""

    def __init__(self, sides: dict[int, int]) -> None:
        self._sides = sides
        self._hurt: dict[int, int] = {}
        self.fell: dict[int, int] = {}

    def step(self, asked: str, changes: list[Any]) -> None:
        """Read one entry further. asked: the fields of its action, as JSON."""
        named = [int(number) for number in _NUMBERED.findall(asked)]
        for table, key, altered in changes:
            if table != ModelRow.table or not isinstance(altered, dict):
                continue
            model = int(key[1])
            by = next((one for one in named if self._sides.get(one, 0) not in (0, self._sides.get(model))), 0)
            before, after = altered.get("damage", (0, 0))
            gone = altered.get("status", ("", ""))[1] == GONE
            if by and (after > before or gone):
                self._hurt[model] = by
            elif after < before:
                self._hurt.pop(model, None)
            if gone and model in self._hurt:
                self.fell[model] = self._hurt[model]
            elif "status" in altered and not gone:
                self.fell.pop(model, None)
