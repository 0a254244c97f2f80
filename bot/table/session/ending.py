"""How an encounter that ends is told: each side's losses, its hardest moment, and a picture of the course."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.replies.reply import Button
from bot.store.rows import SideRow
from bot.table.encounter import GONE, Encounter
from bot.table.journal.course import Blow, Course
from rules.wording import times

FOLLOW_UPS: list[Callable[[Encounter], Sequence[Button]]] = []
"""What is offered when an encounter has ended, by whatever it belongs to."""


def follow_ups(encounter: Encounter) -> list[Button]:
    """All of it."""
    return [button for follow in FOLLOW_UPS for button in follow(encounter)]


def losses(encounter: Encounter) -> list[str]:
    """Who of every side is out of play at the end, however that came."""
    lines = []
    for side in encounter.sides():
        everybody = encounter.models(side.id, gone=True)
        gone = [model.name for model in everybody if model.status == GONE]
        if everybody:
            names = f": {', '.join(gone)}" if gone else ""
            said = f"{side.name}: {len(gone)} of {len(everybody)} out of play{names}."
            lines.append(said)
    return lines


def moments(encounter: Encounter, course: Course) -> list[str]:
    """The step that cost each side most, between two the other's best; nothing where nothing was lost."""
    sides = encounter.sides()
    lines: list[str] = []
    for side in sides:
        blow = course.blows.get(side.id)
        if blow is None:
            continue
        lines.append(f"{_whose(side, sides)}: {cost(blow)}, turn {blow.turn}.")
        lines.append(f"  Entry {blow.entry}: {blow.title}")
    return lines


def by_turn(encounter: Encounter, course: Course) -> list[str]:
    """How many of each side were in play turn by turn; for sides of which the journal tells it."""
    lines: list[str] = []
    for side in encounter.sides():
        counts = counts_of(encounter, course, side.id)
        if counts:
            lines.append(f"{side.name} by turn: {' '.join(map(str, counts))}")
    return lines


def counts_of(encounter: Encounter, course: Course, side: int) -> tuple[int, ...]:
    """How many of a side were in play at the end of each turn from turn 0; empty where that is not known."""
    counts = course.present.get(side, ())
    here = len(encounter.models(side))
    return counts if len(counts) > 1 and counts[-1] == here else ()


def _whose(side: SideRow, sides: Sequence[SideRow]) -> str:
    others = [other for other in sides if other.id != side.id]
    best = f", best for {others[0].name}" if len(others) == 1 else ""
    return f"Worst for {side.name}{best}"


def cost(blow: Blow) -> str:
    """What a step cost: `2 out of play, 5 wounds`."""
    parts = [f"{blow.gone} out of play"] if blow.gone else []
    parts += [times(blow.damage, "wound")] if blow.damage else []
    return ", ".join(parts)
