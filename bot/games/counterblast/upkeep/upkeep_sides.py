"""Whose decisions an open Upkeep holds: each side rolls, answers, corrects and confirms for itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.counterblast.upkeep.upkeep_draft import OF_MODEL, OF_SIDE, Upkeep
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.session.waiting import players_of


def own_sides(act: Act) -> set[int]:
    """The sides for which the person who asks decides."""
    return {side.id for side in act.encounter.sides() if act.decides_for(side.id)}


def require_models(act: Act, models: Iterable[int]) -> None:
    """Refuse everybody who does not play the sides of these models. Raises NotAllowed."""
    for side in dict.fromkeys(act.encounter.model(number).side for number in models):
        require_side(act, side)


def require_side(act: Act, side: int) -> None:
    """Refuse everybody who does not play a side, where anybody does. Raises NotAllowed."""
    if act.encounter.deciders(side):
        act.require_side(side)


def corrected_side(encounter: Encounter, kind: str, about: str) -> int:
    """The side that a correction is about; 0 for one that all players may make."""
    if kind in OF_SIDE:
        return int(about)
    return encounter.model(int(about)).side if kind in OF_MODEL else 0


def may_correct(act: Act, kind: str, about: str) -> bool:
    """Whether a correction is the decision of the person who asks."""
    side = corrected_side(act.encounter, kind, about)
    return not side or act.decides_for(side)


def by_players(encounter: Encounter, sides: Iterable[int]) -> Sequence[list[int]]:
    """These sides, those together that the same people play."""
    found: dict[frozenset[int], list[int]] = {}
    for side in sides:
        found.setdefault(encounter.deciders(side), []).append(side)
    return list(found.values())


def still_to_roll(open_one: Upkeep) -> list[int]:
    """The sides whose tests have not been rolled, in order."""
    encounter = open_one.encounter
    return list(dict.fromkeys(encounter.model(test.model).side for test in open_one.unrolled))


def waiting_line(open_one: Upkeep) -> list[str]:
    """Who has to roll, or to confirm, where not everybody has."""
    encounter = open_one.encounter
    if open_one.proposal.vacant:
        return []
    if sides := still_to_roll(open_one):
        several = len(by_players(encounter, (side.id for side in encounter.sides()))) > 1
        return [f"To roll: {players_of(encounter, sides)}."] if several else []
    if open_one.is_ready and open_one.draft.agreed:
        return [f"To confirm: {players_of(encounter, open_one.undecided)}."]
    return []
