"""Who meets whom in a campaign, whatever is played: everybody once, or neighbours in the table.

Random orders come from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from rules.refusals import InvalidInput

MAX_PLAYERS = 16

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Round:
    """Who meets whom in a round, and who rests (0: nobody)."""

    pairs: tuple[Pair, ...]
    rests: int = 0


def round_robin(order: Sequence[int]) -> tuple[Round, ...]:
    """Rounds in which everyone meets everyone once.

    order: the players, as drawn by lot; with an odd number each rests once.
    """
    circle = [*order, *((0,) if len(order) % 2 else ())]
    half, rounds = len(circle) // 2, []
    for _ in range(len(circle) - 1):
        meetings = list(zip(circle[:half], reversed(circle[half:]), strict=True))
        rests = next((one or other for one, other in meetings if not one or not other), 0)
        rounds.append(Round(tuple(pair for pair in meetings if all(pair)), rests))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(rounds)


def swiss(order: Sequence[int], met: Iterable[Pair] = (), rested: Iterable[int] = ()) -> Round:
    """The next round: neighbours in the table meet, without a rematch while that can be avoided.

    order: the players, by lot before the first round, afterwards as the table ranks them. met: pairs that
    have played. rested: who has sat out; with an odd number the lowest who has not rests, without points.
    Raises InvalidInput.
    """
    players = list(order)
    if not 2 <= len(players) <= MAX_PLAYERS:
        raise InvalidInput(f"2 to {MAX_PLAYERS} players are paired.")
    resting, before = 0, frozenset(rested)
    if len(players) % 2:
        resting = next((player for player in reversed(players) if player not in before), players[-1])
        players.remove(resting)
    played = frozenset(frozenset(pair) for pair in met)

    @cache
    def best(left: tuple[int, ...], rematches: int) -> tuple[Pair, ...] | None:
        if not left:
            return ()
        first, others = left[0], left[1:]
        for place, other in enumerate(others):
            again = int(frozenset((first, other)) in played)
            if again > rematches:
                continue
            rest = best(others[:place] + others[place + 1 :], rematches - again)
            if rest is not None:
                return ((first, other), *rest)
        return None

    for allowed in range(len(players)):
        found = best(tuple(players), allowed)
        if found is not None:
            return Round(found, resting)
    raise AssertionError("some pairing always exists")
