"""Objective Tokens, markers and searches: what several missions share.

Owns who holds a token and when it drops, where markers may lie, and searches whose successes add up. What
each mission asks for and gives is in `missions`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import hypot

from rules.counters import PerWord
from rules.effects import Assign, Effect
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import CheckResult
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.wording import times

HELD = PerWord("token:")
"""Start of the encounter's counter `token:<name>`: the id of the model that holds it, 0 for nobody."""


# ------------------------------------------------------------------------------------------- tokens


def take_token(model: Fighter, token: str, *, in_contact: bool, location: bool = False) -> tuple[Effect, ...]:
    """A model takes a token by moving into base contact; those that mark a place never move.

    Raises Forbidden otherwise. Rules: CB-MISS-03, CB-SALV-04.
    """
    if location:
        raise Forbidden("That token marks a place and never moves.", "CB-MISS-03")
    if not in_contact:
        raise Forbidden(f"{model.name} must move into base contact with it.", "CB-MISS-03")
    if model.is_incapacitated or model.has(Condition.PANICKED):
        forbid(f"{model.name} can hold nothing now.", "CB-MISS-03")
    return (Assign("encounter", 0, HELD.of(token), model.id),)


def dropped(model: Fighter, token: str, *, casualty: bool = False) -> tuple[Assign, ...]:
    """A token drops where its holder was when that one is removed as a casualty or becomes Panicked.

    Rules: CB-MISS-03, CB-SALV-04.
    """
    if not casualty and not model.has(Condition.PANICKED):
        return ()
    return (Assign("encounter", 0, HELD.of(token), 0),)


# ------------------------------------------------------------------------------------------- markers


@dataclass(frozen=True, slots=True)
class MarkerSpot:
    """A marker's place in inches, and how far it lies from each deployment area that matters."""

    x: float
    y: float
    zone_inches: tuple[float, ...] = ()


def require_spots(
    spots: tuple[MarkerSpot, ...],
    number: int,
    zone_inches: float,
    apart_inches: float,
    rule: str = "CB-MISS-20",
) -> None:
    """Refuse, with Forbidden, markers too few or many, too near a deployment area or one another.

    zone_inches, apart_inches: the least distances; exactly so far is allowed. rule: of the mission.
    Rules: CB-MISS-20, CB-MISS-26, CB-MISS-28, CB-MISS-30.
    """
    if len(spots) != number:
        raise Forbidden(f"Place {times(number, 'marker')}, not {len(spots)}.", rule)
    for place, spot in enumerate(spots):
        if any(inches < zone_inches for inches in spot.zone_inches):
            raise Forbidden(f"Markers lie {zone_inches:g} in or more from that deployment area.", rule)
        for other in spots[:place]:
            if hypot(spot.x - other.x, spot.y - other.y) < apart_inches:
                raise Forbidden(f"Markers lie {apart_inches:g} in or more apart.", rule)


# ------------------------------------------------------------------------------------------- searches


@dataclass(frozen=True, slots=True)
class Search:
    """A place searched, scouted or sabotaged: successes stored, turn of the last check, closed or not."""

    stored: int = 0
    last_turn: int = 0
    closed: bool = False


def require_search(
    search: Search, turn: int, inches: float, reach: float, *, once_a_turn: bool, rule: str = "CB-MISS-22"
) -> None:
    """Refuse, with Forbidden, a check at a place that is closed, too far away, or was tried this turn.

    turn: 1 or more. reach: 0 for base contact. rule: of the mission.
    Rules: CB-MISS-22, CB-MISS-27, CB-MISS-28, CB-MISS-31.
    """
    if turn < 1:
        raise InvalidInput("Turns are counted from 1.")
    if search.closed:
        raise Forbidden("Nothing more can be done at this place.", rule)
    if inches > reach:
        where = f"within {reach:g} in" if reach else "in base contact"
        raise Forbidden(f"The model must be {where} of the marker.", rule)
    if once_a_turn and search.last_turn == turn:
        raise Forbidden("One check for each place in a turn.", rule)


def searched(search: Search, result: CheckResult, turn: int) -> Search:
    """A place after a check: successes are stored, a critical failure closes it.

    Rules: CB-MISS-22, CB-MISS-31.
    """
    if result.critical_failure:
        return replace(search, last_turn=turn, closed=True)
    return replace(search, stored=search.stored + result.net, last_turn=turn)


def sabotaged(search: Search, result: CheckResult, turn: int, *, several: bool = False) -> Search:
    """A sabotaged place after a check: a critical failure takes stored successes back, one for each net 1.

    several: with more than one marker a place allows no attempt after its first success.
    Rules: CB-MISS-27, CB-MISS-28.
    """
    if result.critical_failure:
        return replace(search, stored=max(0, search.stored - result.net_ones), last_turn=turn)
    done = search.closed or (several and result.net > 0)
    return Search(search.stored + result.net, turn, done)


def stored(places: Iterable[Search]) -> int:
    """Successes of all places added up. Rules: CB-MISS-22, CB-MISS-28, CB-MISS-32."""
    return sum(place.stored for place in places)
