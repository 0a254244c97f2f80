"""One card and what active cards are worth: links, reinforcement, replacement, Buff cards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

from rules.refusals import Forbidden, InvalidInput

Suit = Literal["", "clubs", "diamonds", "hearts", "spades"]
Reinforces = Literal["", "higher", "lower"]

SUITS: tuple[Suit, ...] = get_args(Suit)
REINFORCES: tuple[Reinforces, ...] = get_args(Reinforces)
MAX_VALUE = 20
MAX_FORCE = 9


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the deck.

    `value` is 0 to 20, an Ace's own being 1; `suit` is empty for the two special cards; `force` counts Force
    icons, 0 to 9. `link` marks an Ace. `reinforces` names the draw cards it may join. `replaces` and `blocks`
    say whether it may take the draw card's place, or remove an opponent's card.
    Rules: FE-DECK-02, FE-DECK-04, FE-DECK-05.
    """

    key: str
    name: str
    value: int
    suit: Suit
    force: int
    link: bool = False
    reinforces: Reinforces = ""
    replaces: bool = True
    blocks: bool = False


Cards = tuple[Card, ...]
"""The make-up of a deck; a card's number is its place here."""


@dataclass(frozen=True, slots=True)
class Group:
    """An active card, or an Ace with the card linked to it: one thing that cannot be played apart."""

    card: int
    linked: int | None = None

    @property
    def cards(self) -> tuple[int, ...]:
        """Return the numbers of its cards."""
        return (self.card,) if self.linked is None else (self.card, self.linked)


@dataclass(frozen=True, slots=True)
class Active:
    """The face-up cards of one side: its draw card or what replaced it, a reinforcement, a Push card."""

    draw: Group | None = None
    reinforcement: Group | None = None
    push: Group | None = None

    @property
    def groups(self) -> tuple[Group, ...]:
        """Return everything that counts."""
        return tuple(group for group in (self.draw, self.reinforcement, self.push) if group is not None)

    @property
    def cards(self) -> tuple[int, ...]:
        """Return the numbers of all cards that count."""
        return tuple(card for group in self.groups for card in group.cards)


def card_number(cards: Cards, text: str) -> int:
    """Return the number of a card by key or name, such as "9H" or "9 of hearts". Raises InvalidInput."""
    card_text = text.strip().casefold()
    for place, card in enumerate(cards):
        if card_text in (card.key.casefold(), card.name.casefold()):
            return place
    raise InvalidInput(f'Enter cards such as "9H", "AS" or "FLOOD" (there is no card {text.strip()[:30]!r}).')


def worth(cards: Cards, group: Group) -> int:
    """Return the worth of the group: the card's value or, for an Ace, 1 plus the value of the linked card.

    An Ace linked to an Ace is worth 2. Raises Forbidden where a card that is no Ace has a link.
    Rules: FE-DECK-02, FE-DECK-03.
    """
    if group.linked is None:
        return cards[group.card].value
    if not cards[group.card].link:
        raise Forbidden("Only an Ace can link to another card.", "FE-DECK-03")
    return cards[group.card].value + cards[group.linked].value


def active_worth(cards: Cards, active: Active) -> int:
    """Return the worth of everything that is face up for one side. Rules: FE-DECK-06, FE-CHAL-07."""
    return sum(worth(cards, group) for group in active.groups)


def suits(cards: Cards, group: Group) -> frozenset[Suit]:
    """Return the suits that are active: of both cards where two are linked. Rules: FE-DECK-03, FE-DECK-05."""
    return frozenset(cards[card].suit for card in group.cards if cards[card].suit)


def force(cards: Cards, group: Group) -> int:
    """Force icons that are active: of both cards where two are linked. Rules: FE-DECK-03, FE-DECK-04."""
    return sum(cards[card].force for card in group.cards)


def may_reinforce(card: Card, draw_value: int) -> bool:
    """Return whether the card may join a draw card (or linked pair) of that value. Rules: FE-DECK-06."""
    if card.reinforces == "higher":
        return draw_value >= card.value
    return card.reinforces == "lower" and draw_value <= card.value


def reinforce(cards: Cards, active: Active, card: int) -> Active:
    """Join a card to the draw card. Raises Forbidden where it may not. Rules: FE-DECK-06, FE-DECK-08."""
    if active.reinforcement is not None:
        raise Forbidden("Only one card can reinforce.", "FE-DECK-08")
    if active.draw is None:
        raise Forbidden("There is no draw card to reinforce.", "FE-DECK-06")
    value = worth(cards, active.draw)
    if not may_reinforce(cards[card], value):
        raise Forbidden(
            (
                f"{cards[card].name} can't reinforce a card worth {value}. A 2, 3 or 4 reinforces an "
                "equal or higher card, and a 5, 6 or 7 an equal or lower one."
            ),
            "FE-DECK-06",
        )
    return replace(active, reinforcement=Group(card))


def substitute(cards: Cards, active: Active, card: int) -> Active:
    """Put a card in the draw card's place. Raises Forbidden where it may not.

    Rules: FE-DECK-07, FE-DECK-08.
    """
    if active.reinforcement is not None:
        raise Forbidden("You can't both reinforce and replace.", "FE-DECK-08")
    if active.draw is None:
        raise Forbidden("There is no draw card to replace.", "FE-DECK-07")
    if not cards[card].replaces:
        raise Forbidden(f"{cards[card].name} can't replace a draw card.", "FE-DECK-07")
    return replace(active, draw=Group(card))


def link(cards: Cards, group: Group, card: int) -> Group:
    """Link a card to an Ace. Raises Forbidden for other cards and for a second link. Rules: FE-DECK-03."""
    if not cards[group.card].link:
        raise Forbidden("Only an Ace can link to another card.", "FE-DECK-03")
    if group.linked is not None:
        raise Forbidden("This Ace is already linked.", "FE-DECK-03")
    return Group(group.card, card)


Held = tuple[Card, ...]
"""Cards of a Buff Hand, without what does not count for a total."""


def plainly(card: Card) -> Card:
    """Return the card with what counts for a total alone."""
    return replace(card, key="", name="", suit="", force=0)


def by_value(card: Card) -> tuple[int, bool, str, bool]:
    """Return the order in which a Buff Hand is kept: the highest last."""
    return card.value, card.link, card.reinforces, card.replaces


@dataclass(frozen=True, slots=True, order=True)
class Laid:
    """The worth of a draw card with the Buff card laid on it. link: the best card left for a later Ace."""

    total: int
    link: int


@lru_cache(maxsize=4096)
def laid(worth: int, held: Held, links: bool, joining: Held = ()) -> Laid:
    """Return the most that a draw card of that worth comes to with one Buff card, or with none.

    joining: unused draw cards that may reinforce too. Rules: FE-DECK-06 to FE-DECK-09, FE-CHAL-05.
    """
    if not links:
        return Laid(most(worth, (*held, *joining), len(held)), 0)
    options = [Laid(worth, best_link(held, links=links))]
    for place, card in enumerate(held):
        others = held[:place] + held[place + 1 :]
        if may_reinforce(card, worth):
            options.append(Laid(worth + card.value, best_link(others, links=links)))
        if card.replaces and not card.link:
            options.append(Laid(card.value, best_link(others, links=links)))
        elif card.replaces:
            options.append(Laid(1 + best_link(others, links=True), best_link(others[:-1], links=True)))
    link = best_link(held, links=links)
    options += [Laid(worth + card.value, link) for card in joining if may_reinforce(card, worth)]
    return max(options)


def most(worth: int, cards: Held, held: int) -> int:
    """Return the same where nothing is linked. held: how many of the cards, the first, are Buff cards."""
    best = worth
    for place, card in enumerate(cards):
        if place < held and card.replaces and not card.link:
            best = max(best, card.value)
        if card.reinforces and may_reinforce(card, worth):
            best = max(best, worth + card.value)
    return best


def best_link(held: Held, *, links: bool) -> int:
    """Return the highest value that an Ace may be linked to; 0 if it may not be linked to the Buff Hand."""
    return max((card.value for card in held), default=0) if links else 0


@lru_cache(maxsize=4096)
def linked(top: Card, held: Held, links: bool, joining: Held = ()) -> Laid:
    """Return the most that an Ace comes to when that card is on top of the deck, a Buff card laid on it.

    Rules: FE-DECK-03.
    """
    if not links:
        return laid(1 + top.value, held, links, joining)
    hand = tuple(sorted((*held, top), key=by_value))
    return max(
        laid(1 + card.value, hand[:place] + hand[place + 1 :], links, joining)
        for place, card in enumerate(hand)
    )
