"""Crews: Push tokens, the underdog, minor figures, the solo priority deck.

Owns what concerns a whole crew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.refusals import InvalidInput
from rules.systems.fracd_earth.cards import Cards
from rules.systems.fracd_earth.profile import Profile
from rules.systems.fracd_earth.settings import Settings

SoloAction = Literal["attack", "defend", "interact", "move"]
SOLO: dict[str, SoloAction] = {
    "clubs": "attack",
    "diamonds": "defend",
    "hearts": "interact",
    "spades": "move",
}


def push_tokens(builds: tuple[int, ...], settings: Settings) -> tuple[int, ...]:
    """Push tokens of each crew: the pool, and the underdog's bonus for the one lowest build total.

    builds: build totals by crew, two or more, 0 to 9999. Raises InvalidInput.
    Rules: FE-HAND-03, FE-CREW-03.
    """
    if len(builds) < 2 or not all(0 <= build <= 9999 for build in builds):
        raise InvalidInput("Two crews or more, each with a build total from 0 to 9999.")
    least = min(builds)
    alone = builds.count(least) == 1
    bonus = settings.underdog_pushes if alone else 0
    return tuple(settings.push_tokens + (bonus if build == least else 0) for build in builds)


def counts_for_victory(profile: Profile) -> bool:
    """Whether the figure counts for victory points; Henchmen and Minions do not.

    Rules: FE-CREW-01, FE-CREW-02.
    """
    return profile.rank == "figure"


@dataclass(frozen=True, slots=True)
class SoloOrder:
    """What an automated figure does: `order` is when (the value), `prefers` how it attacks when equal at
    both.
    """

    action: SoloAction
    order: int
    prefers: Literal["fight", "shoot"]


def solo_order(card: int, deck: Cards) -> SoloOrder:
    """What a card of the priority deck tells one automated figure.

    Raises InvalidInput for a card without a suit, which that deck does not hold. Rules: FE-CREW-04.
    """
    drawn = deck[card]
    if not drawn.suit:
        raise InvalidInput("The priority deck holds no Void and no Flood: draw another card.")
    return SoloOrder(SOLO[drawn.suit], drawn.value, "fight" if drawn.value % 2 == 0 else "shoot")
