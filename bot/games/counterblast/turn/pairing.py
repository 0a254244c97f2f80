"""Who is whose partner: Bonded Heroes and Beasts, owners and their Watchdogs, as the rows keep it.

Owns finding pairs and what the loss of an owner does to its dog; the actions of pairs are in `pair_play`.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.counterblast.core.fighters import fighter, fighters
from bot.games.counterblast.missions.mission_state import RESERVE
from bot.table.encounter import GONE, IN_PLAY, Encounter
from rules.effects import Effect, Leave, Propose
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.turn.activation import after_owner_removed, bonds, is_watchdog_of

DOG = "'s dog"
"""How the name of a Watchdog goes on after its owner's."""


def partner_of(encounter: Encounter, model: Fighter) -> Fighter | None:
    """The partner of a model, while it is in play. Rules: CB-FEAT-08, CB-GEAR-50."""
    number = model.count(Counter.PARTNER)
    row = encounter.model(number) if number else None
    return fighter(encounter, row) if row is not None and row.status == IN_PLAY else None


def pair(encounter: Encounter, one: Fighter, other: Fighter) -> None:
    """Keep the two as a pair."""
    encounter.model(one.id).counters[Counter.PARTNER] = other.id
    encounter.model(other.id).counters[Counter.PARTNER] = one.id


def pair_off(encounter: Encounter, side: int) -> None:
    """Keep every pair of a crew that is beyond doubt: a Watchdog by its owner's name, or the only one there
    is; a Bonded Hero and Beast where there is one of each. Rules: CB-FEAT-08, CB-GEAR-49.
    """
    single = [model for model in fighters(encounter, side, gone=True) if not model.count(Counter.PARTNER)]
    owners = [model for model in single if model.has_gear("watchdog")]
    for owner in owners:
        dogs = [model for model in single if is_watchdog_of(owner, model)]
        named = [dog for dog in dogs if dog.name.startswith(f"{owner.name[:22]}{DOG}")]
        strays = [dog for dog in dogs if not dog.has_feature("bonded")] if len(owners) == 1 else []
        for dog in (named or (strays if len(strays) == 1 else []))[:1]:
            pair(encounter, owner, dog)
            single.remove(dog)
    found = bonds(tuple(model for model in single if model not in owners))
    if len(found) == 1:
        pair(encounter, *found[0])


def is_stray(encounter: Encounter, model: Fighter) -> bool:
    """Whether it is a Watchdog whose owner has left play. Rules: CB-GEAR-50."""
    number = model.count(Counter.PARTNER)
    row = encounter.model(number) if number else None
    if row is None or row.status != GONE or row.left_how == RESERVE:
        return False
    return is_watchdog_of(fighter(encounter, row), model)


def owners_lost(encounter: Encounter, effects: Iterable[Effect]) -> tuple[list[Effect], list[Propose]]:
    """What becomes of the Watchdogs of those who have left play, and how it is told. Rules: CB-GEAR-50."""
    found: list[Effect] = []
    for effect in effects:
        if not isinstance(effect, Leave):
            continue
        number = encounter.model(effect.model).counters.get(Counter.PARTNER, 0)
        row = encounter.model(number) if number else None
        if row is not None and row.status == IN_PLAY and is_stray(encounter, fighter(encounter, row)):
            found += after_owner_removed(fighter(encounter, row))
    told = [one for one in found if isinstance(one, Propose)]
    return [one for one in found if not isinstance(one, Propose)], told
