"""Plain dice and plain measures: roll-offs, chart dice, base sizes.

Owns measures for all other topics that are not checks; knows no models and no conditions.
"""

from __future__ import annotations

from functools import cache

from rules.dice import Dice, Ranks, Stop
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import SIDES
from rules.systems.counterblast.core.impacts import damage_die, tough_roll
from rules.systems.counterblast.core.profile import SIZES, Size

CLOCK = 12


MAX_PLAYERS = 8
ROLL_OFF_ROUNDS = 12
"""Ties re-rolled so often; after that one die of as many sides as players are tied decides, as fairly."""

SPAN_INCHES = 3
"""Every full 3 in fallen, drifted or driven into something is one die of damage."""

Groups = tuple[tuple[int, ...], ...]

_HIGHEST_FIRST = Ranks(tuple(range(1, SIDES + 1)))


def _players(players: int) -> None:
    if not 2 <= players <= MAX_PLAYERS:
        raise InvalidInput(f"A roll-off needs 2 to {MAX_PLAYERS} players (you entered {players}).")


def _first_group(state: tuple[int, ...], rank: int, counts: tuple[int, ...]) -> Stop[tuple[int, ...]]:
    return Stop(tuple(place for place, count in enumerate(counts) if count))


def _next_group(state: Groups, rank: int, counts: tuple[int, ...]) -> Groups:
    return (*state, tuple(place for place, count in enumerate(counts) if count))


@cache
def _hands(players: int) -> tuple[tuple[int, Ranks], ...]:
    return ((1, _HIGHEST_FIRST),) * players


def roll_off(dice: Dice, players: int, rounds: int = ROLL_OFF_ROUNDS) -> int:
    """Roll one d10 each; the highest wins, and ties for highest roll again.

    players: 2 to 8. rounds: how often ties are rolled again. Gives the winner's place, 0 for the first
    player. Raises InvalidInput. Rules: CB-GEN-01, CB-CHECK-17, CB-SETUP-08.
    """
    _players(players)
    if rounds == 0:
        return dice.face(players, "tie-breaker") - 1
    start: tuple[int, ...] = ()
    tied = dice.sweep(_hands(players), _first_group, start, "roll-off")
    if len(tied) == 1:
        return tied[0]
    return tied[dice.call(roll_off, len(tied), rounds - 1)]


def roll_order(dice: Dice, players: int, rounds: int = ROLL_OFF_ROUNDS) -> tuple[int, ...]:
    """Roll one d10 for each player, re-roll ties among themselves, and return all places, best first.

    players: 2 to 8. Gives the players' places, best roll first. Raises InvalidInput.
    Rules: CB-SETUP-06, CB-CHECK-17.
    """
    _players(players)
    if rounds == 0:
        return dice.call(_shuffled, players)
    start: Groups = ()
    order: list[int] = []
    for group in dice.sweep(_hands(players), _next_group, start, "roll-off"):
        if len(group) == 1:
            order.append(group[0])
        else:
            order += [group[place] for place in dice.call(roll_order, len(group), rounds - 1)]
    return tuple(order)


def _shuffled(dice: Dice, players: int) -> tuple[int, ...]:
    undrawn = list(range(players))
    order = []
    while len(undrawn) > 1:
        order.append(undrawn.pop(dice.face(len(undrawn), "tie-breaker") - 1))
    return (*order, *undrawn)


def chart_roll(dice: Dice, addition: int, label: str) -> int:
    """Roll one d10 for a chart, plus what the chart adds.

    It is not a check: there are no successes, bonus dice or critical failures.

    Rules: CB-CHECK-17.
    """
    return dice.face(SIDES, label) + addition


def size_steps(larger: Size, smaller: Size) -> int:
    """Return the steps by which the first base is larger than the second; below 0 if it is smaller.

    Rules: CB-GEN-03.
    """
    return SIZES.index(larger) - SIZES.index(smaller)


def distance_dice(inches: float) -> int:
    """Damage dice for a distance fallen, drifted or driven: one for every full 3 in.

    inches: 0 or more. Raises InvalidInput. Rules: CB-FALL-03, CB-VEH-22.
    """
    if not 0 <= inches <= 1000:
        raise InvalidInput("A distance must be between 0 and 1000 in.")
    return int(inches // SPAN_INCHES)


def struck_dice(inches: float, mover: Size, struck: Size) -> int:
    """Damage dice on a model that another one fell on or ran into.

    One for every full 3 in, and one more for every step by which the mover's base is larger; 0 under 3 in. A
    smaller mover adds nothing. Raises InvalidInput. Rules: CB-FALL-04, CB-FALL-05, CB-VEH-22, CB-VEH-23.
    """
    number = distance_dice(inches)
    return number + max(0, size_steps(mover, struck)) if number else 0


def impact(dice: Dice, number: int, defense: int, label: str, *, tough: bool = False) -> int:
    """Roll wounds by falling or running into something: so many dice against Defense, a wound a success.

    number: 0 or more. No shield dice are rolled against it; a Tough model may still ignore wounds.
    Rules: CB-FALL-03, CB-VEH-22, CB-SHIELD-04, CB-CHECK-15, CB-FEAT-59.
    """
    if number == 0:
        return 0
    wounds = dice.pool(number, damage_die(0, defense), label)[0]
    return wounds - tough_roll(dice, wounds) if tough else wounds
