"""What was measured and seen last: the distance of two models, cover between them, cover where one hid.

Kept as counters of the models until one of them moves, by whatever means; used where somebody does not say
it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.store.rows import ModelRow
from bot.table.encounter import Encounter, set_counter
from rules.counters import CounterName, PerNumber
from rules.effects import Assign, Count, Effect, Leave, Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter

AS_BEFORE = -1
"""A distance or a cover that is not said again."""

APART = PerNumber("apart:")
"""Counters of the model with the lower id, by the other: tenths of an inch between the two, and 1."""
COVER = PerNumber("cover from:")
"""Counters of a model, by another: its cover against that one, and 1."""
BEHIND = CounterName("cover where it hid")
"""Counter of a model: the cover of the place where it hid."""


MOVING = (Counter.MOVES, Counter.HEIGHT, Counter.RIDES, Counter.UNDERGROUND)
"""Counters that change where a model moves: on the ground, up or down, into a vehicle or out of it."""

CARRIED_OFF = ("move", "throw", "knockback", "lift")
"""Proposals by which a model is moved out of turn."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """How far a target is and what cover it has; told: what of it was said before and not again."""

    target: int
    inches: float
    cover: int
    told: str = ""


def seen(
    encounter: Encounter,
    shooter: Fighter,
    target: Fighter,
    inches: float,
    cover: int,
    so_far: Sequence[Sighting] = (),
) -> Sighting:
    """Distance and cover of a target as they were said, or as they were last. AS_BEFORE: not said.

    so_far: targets of the same attack; one that is named again stands where it was just said to stand.
    Raises InvalidInput for a distance that nobody has said yet.
    """
    same = next((one for one in so_far if one.target == target.id and inches == cover == AS_BEFORE), None)
    if same is not None:
        return replace(same, told="")
    parts = []
    if inches == AS_BEFORE:
        before = inches_between(encounter, shooter.id, target.id)
        if before is None:
            raise InvalidInput(f"How far is {target.name}? Say it once: distance, in inches.")
        inches = before
        parts.append(f"{inches:g} in")
    if cover == AS_BEFORE:
        cover = cover_of(encounter, shooter.id, target.id)
        parts += [f"cover {cover}"] if cover else []
    told = f"{target.name} as before: {', '.join(parts)}" if parts else ""
    return Sighting(target.id, inches, cover, told)


def inches_between(encounter: Encounter, one: int, other: int) -> float | None:
    """The last distance of two models, None where nobody said any since one of them moved."""
    first, second = sorted((one, other))
    kept = encounter.model(first).counters.get(APART.of(second), 0)
    return (kept - 1) / 10 if kept else None


def cover_of(encounter: Encounter, shooter: int, target: int) -> int:
    """The cover that a target last had against a shooter, or where it hid; 0 where nobody said any."""
    kept = encounter.model(target).counters.get(COVER.of(shooter), 0)
    return kept - 1 if kept else cover_where_hidden(encounter, target)


def cover_where_hidden(encounter: Encounter, model: int) -> int:
    """The cover of the place where a model hid and still is; 0 where it did not hide."""
    return encounter.model(model).counters.get(BEHIND, 0)


def remember(encounter: Encounter, shooter: int, place: Sighting) -> None:
    """Keep what was said of two models, inches to the tenth."""
    first, second = sorted((shooter, place.target))
    set_counter(encounter.model(first).counters, APART.of(second), round(place.inches * 10) + 1)
    set_counter(encounter.model(place.target).counters, COVER.of(shooter), place.cover + 1)


def hide_behind(encounter: Encounter, model: int, cover: int) -> None:
    """Keep the cover of the place where a model hides."""
    set_counter(encounter.model(model).counters, BEHIND, cover)


def forget_moved(encounter: Encounter, effects: Iterable[Effect]) -> None:
    """Forget what was said of every model that these effects move, or take out of play."""
    for effect in effects:
        if isinstance(effect, Count | Assign) and effect.owner == "model" and effect.key in MOVING:
            forget(encounter, effect.id)
        elif isinstance(effect, Leave) or (isinstance(effect, Propose) and effect.action in CARRIED_OFF):
            forget(encounter, effect.model)


def forget(encounter: Encounter, model: int) -> None:
    """A model has moved, with whoever rides in it: nothing that was said of them holds any more, and nothing
    of others seen from them. 0: nobody.
    """
    everybody = encounter.models(gone=True)
    for row in everybody:
        if model and row.counters.get(Counter.RIDES, 0) == model:
            _forget(everybody, row.id)
    _forget(everybody, model)


def _forget(everybody: Sequence[ModelRow], model: int) -> None:
    for row in everybody:
        stale = (APART.of(model), COVER.of(model))
        if row.id == model:
            keys = [key for key in row.counters if APART.counts(key) or COVER.counts(key) or key == BEHIND]
        else:
            keys = [key for key in row.counters if key in stale]
        for key in keys:
            del row.counters[key]
