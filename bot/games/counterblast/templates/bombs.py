"""Bombs that were armed, and templates that lie on the table until it is said who is under them.

Both are counters of the model that they belong to; what they do is rolled in `template_play`.
"""

from __future__ import annotations

from bot.games.counterblast.core.fighters import weapon_known
from bot.store.rows import ModelRow
from bot.table.encounter import GONE, Encounter, set_counter
from rules.counters import PerPart, PerWord
from rules.systems.counterblast.gear.items import Bomb

BOMB = PerWord("armed bomb:")
"""Counters of a model, by weapon: the turn in which it armed the bomb."""

LANDED: PerPart[str] = PerPart("template waits:")
"""Counters of a model, by weapon and how it is seen: 1 and the cover of those under it."""


def go_off(encounter: Encounter, row: ModelRow, *, turn_over: int = 0) -> None:
    """Let the bombs of a model go off whose time has come: as its next activation ends, or, where it is gone,
    with the end of a later turn. turn_over: the turn that ends, 0 for an activation that ends.

    Rules: CB-GEAR-51.
    """
    turn = max(1, encounter.row.turn)
    for weapon, armed in BOMB.among(row.counters.items()).items():
        bomb = Bomb(weapon, row.id, armed)
        ended = row.id if armed < turn and not turn_over else 0
        if bomb.is_due(ended=ended, turn_over=turn_over, gone=row.status == GONE):
            blow_up(row, bomb.weapon)


def blow_up(row: ModelRow, weapon: str) -> None:
    """A bomb goes off: it lies there until it is said who is under it. Rules: CB-GEAR-51."""
    set_counter(row.counters, BOMB.of(weapon), 0)
    row.counters[LANDED.of(weapon, "in sight")] = 1


def bomb_lines(encounter: Encounter) -> list[str]:
    """Every bomb that is armed and whose it is. Rules: CB-GEAR-51."""
    return [
        f"Armed: {weapon_known(row, weapon).name}, {row.name}"
        for row in encounter.models(gone=True)
        for weapon, armed in sorted(BOMB.among(row.counters.items()).items())
        if armed
    ]


def of_the_gone(encounter: Encounter, turn: int) -> None:
    """As a turn ends, bombs of models that are gone go off. Rules: CB-GEAR-51."""
    for row in encounter.models(gone=True):
        if row.status == GONE:
            go_off(encounter, row, turn_over=turn)
