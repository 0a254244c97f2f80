"""The pairings of a campaign: everyone plays everyone once, or neighbours in the table meet.

Random orders come from outside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rules.refusals import InvalidInput

MAX_PLAYERS = 16

Pair = tuple[int, int]
RematchCost = tuple[int, tuple[int, ...]]
"""How many pairs met before, and in which rounds they did last, the latest first: less is better."""


@dataclass(frozen=True, slots=True)
class Round:
    """The pairings of a round, and the crew that rests (0: none)."""

    pairs: tuple[Pair, ...]
    rests: int = 0


def pair_round_robin(order: Sequence[int]) -> tuple[Round, ...]:
    """Return rounds in which everyone meets everyone once.

    order: the players, as drawn by lot; with an odd number each rests once.
    """
    player_circle = [*order, *((0,) if len(order) % 2 else ())]
    half, rounds = len(player_circle) // 2, []
    for _ in range(len(player_circle) - 1):
        meetings = list(zip(player_circle[:half], reversed(player_circle[half:]), strict=True))
        resting_player = next((first or other for first, other in meetings if not first or not other), 0)
        rounds.append(Round(tuple(pair for pair in meetings if all(pair)), resting_player))
        player_circle = [player_circle[0], player_circle[-1], *player_circle[1:-1]]
    return tuple(rounds)


def pair_swiss(
    order: Sequence[int], rounds_met: Iterable[Collection[Pair]] = (), rested_players: Iterable[int] = ()
) -> Round:
    """Return the next round: neighbours in the table meet, without a rematch while that can be avoided.

    order: the players, by lot before the first round, afterwards as the table ranks them. rounds_met: who
    met in each round so far, the first round first; of rematches that cannot be avoided, those that lie
    furthest back are played. rested_players: who has sat out; with an odd number the lowest who has not
    rests, without points. Raises InvalidInput.
    """
    players = list(order)
    if not 2 <= len(players) <= MAX_PLAYERS:
        raise InvalidInput(f"You can pair 2 to {MAX_PLAYERS} players.")
    resting_player, rested_before = 0, frozenset(rested_players)
    if len(players) % 2:
        resting_player = next(
            (player for player in reversed(players) if player not in rested_before), players[-1]
        )
        players.remove(resting_player)
    last_met = {frozenset(pair): number for number, pairs in enumerate(rounds_met, 1) for pair in pairs}
    return Round(_pair_with_fewest_rematches(tuple(players), last_met), resting_player)


def _pair_with_fewest_rematches(
    players: tuple[int, ...], last_met: Mapping[frozenset[int], int]
) -> tuple[Pair, ...]:
    """Return all pairs: the fewest rematches, then those longest ago, then neighbours."""

    @cache
    def best(unpaired: tuple[int, ...]) -> tuple[RematchCost, tuple[Pair, ...]]:
        if not unpaired:
            return (0, ()), ()
        first, remaining_players = unpaired[0], unpaired[1:]
        best_pairing: tuple[RematchCost, tuple[Pair, ...]] | None = None
        for place, other in enumerate(remaining_players):
            (count, rounds), later_pairs = best(remaining_players[:place] + remaining_players[place + 1 :])
            last_round_met = last_met.get(frozenset((first, other)))
            if last_round_met is not None:
                count, rounds = count + 1, tuple(sorted((*rounds, last_round_met), reverse=True))
            if best_pairing is None or (count, rounds) < best_pairing[0]:
                best_pairing = (count, rounds), ((first, other), *later_pairs)
            if not count:
                break
        assert best_pairing is not None
        return best_pairing

    return best(players)[1]
