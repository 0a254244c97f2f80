"""What one Buff card can make of a draw card, an Ace with its link among them.

Owns the choice that gives the highest total. Who draws what is the business of `playing`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from rules.systems.fracd_earth.cards import Card, may_reinforce

Held = tuple[Card, ...]
"""Cards of a Buff Hand, without what does not count for a total."""


def plainly(card: Card) -> Card:
    """The card with what counts for a total alone."""
    return replace(card, key="", name="", suit="", force=0)


def by_value(card: Card) -> tuple[int, bool, str, bool]:
    """The order in which a Buff Hand is kept: the highest last."""
    return card.value, card.link, card.reinforces, card.replaces


@dataclass(frozen=True, slots=True, order=True)
class Laid:
    """What a draw card comes to with the Buff card laid on it. link: the best card left for a later Ace."""

    total: int
    link: int


@lru_cache(maxsize=4096)
def laid(worth: int, held: Held, links: bool, joining: Held = ()) -> Laid:
    """The most that a draw card of that worth comes to with one Buff card, or with none.

    joining: unused draw cards that may reinforce too. Rules: FE-DECK-06 to FE-DECK-09, FE-CHAL-05.
    """
    if not links:
        return Laid(most(worth, (*held, *joining), len(held)), 0)
    found = [Laid(worth, best_link(held, links=links))]
    for place, card in enumerate(held):
        rest = held[:place] + held[place + 1 :]
        if may_reinforce(card, worth):
            found.append(Laid(worth + card.value, best_link(rest, links=links)))
        if card.replaces and not card.link:
            found.append(Laid(card.value, best_link(rest, links=links)))
        elif card.replaces:
            found.append(Laid(1 + best_link(rest, links=True), best_link(rest[:-1], links=True)))
    left = best_link(held, links=links)
    found += [Laid(worth + card.value, left) for card in joining if may_reinforce(card, worth)]
    return max(found)


def most(worth: int, cards: Held, held: int) -> int:
    """The same where nothing is linked. held: how many of the cards, the first, are Buff cards."""
    best = worth
    for place, card in enumerate(cards):
        if place < held and card.replaces and not card.link:
            best = max(best, card.value)
        if card.reinforces and may_reinforce(card, worth):
            best = max(best, worth + card.value)
    return best


def best_link(held: Held, *, links: bool) -> int:
    """The most that an Ace may be linked to; 0 where it is not linked to the Buff Hand."""
    return max((card.value for card in held), default=0) if links else 0


@lru_cache(maxsize=4096)
def linked(top: Card, held: Held, links: bool, joining: Held = ()) -> Laid:
    """The most that an Ace comes to when that card is on top of the deck, a Buff card laid on it.

    Rules: FE-DECK-03.
    """
    if not links:
        return laid(1 + top.value, held, links, joining)
    hand = tuple(sorted((*held, top), key=by_value))
    return max(
        laid(1 + card.value, hand[:place] + hand[place + 1 :], links, joining)
        for place, card in enumerate(hand)
    )
