"""Totals from what is left in a player's own deck, as rules over the dice seam.

Owns the drawing rules: one hand with the best or the lowest card kept, Aces and a Push, compared with a
Target Number or with another hand. Rolled, they draw at random; fed with faces they replay a known
order; solved, they give the odds. Cards travel as counts by kind, kind k being a card worth k and `ACE` an
Ace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb

from rules.dice import Dice, Distribution, Solver, answers
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.cards import MAX_VALUE
from rules.systems.fracd_earth.checks import CheckResult, check_result
from rules.systems.fracd_earth.deck import Deck, Draw, check_push
from rules.systems.fracd_earth.settings import Settings

ACE = MAX_VALUE + 1
KINDS = MAX_VALUE + 2

HIGHEST_FIRST = range(MAX_VALUE, -1, -1)
"""The kinds of cards that are no Aces."""

LINKS = 3
"""Most cards that follow a hand: the link of an Ace, a Push, and the link of that."""

Bag = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Supply:
    """Cards that may still come: the Draw Deck, and the discards that follow when it is empty."""

    pile: Bag
    discards: Bag = (0,) * KINDS


@dataclass(frozen=True, slots=True)
class Hand:
    """What is drawn: `cards` 1 to 4, the lowest kept where `penalty`; `trait` is added; `links` are the
    values in the Buff Hand, best first, that an Ace may use (none where it links to the top card); `push`
    adds a card.
    """

    cards: int
    penalty: bool = False
    trait: int = 0
    links: tuple[int, ...] = ()
    push: bool = False


def bag_of(cards: Iterable[int], settings: Settings) -> Bag:
    """Return the counts by kind of some cards of the deck."""
    counts = [0] * KINDS
    for number in cards:
        card = settings.deck[number]
        counts[ACE if card.link else card.value] += 1
    return tuple(counts)


def own_supply(deck: Deck, settings: Settings) -> Supply:
    """Return the cards that the owner of the deck may still draw. Rules: FE-DECK-11."""
    if settings.empty_deck == "stop":
        return Supply(bag_of(deck.pile, settings))
    return Supply(bag_of(deck.pile, settings), bag_of(deck.discards, settings))


def hand_of(draw: Draw, trait: int, deck: Deck, settings: Settings, *, push: bool = False) -> Hand:
    """Return the hand that a player would draw now. Rules: FE-DRAW-01, FE-DRAW-03, FE-DECK-03."""
    links: tuple[int, ...] = ()
    if settings.ace_link == "buff_hand":
        links = tuple(sorted((settings.deck[card].value for card in deck.buff_hand), reverse=True))
    if push:
        check_push(deck)
    return Hand(draw.cards, draw.penalty, trait, links, push)


def kind_worth(kind: int) -> int:
    """Return the worth of a card of that kind alone; an Ace is worth 1. Rules: FE-DECK-02."""
    return 1 if kind == ACE else kind


def take(dice: Dice, supply: Supply, count: int, label: str) -> tuple[Bag, Supply]:
    """Draw from the pile, then from the shuffled discards; gives what came and what is left.

    Raises Forbidden where cards run out. Rules: FE-DECK-11.
    """
    pile_size = sum(supply.pile)
    if count > pile_size + sum(supply.discards):
        raise Forbidden("There are no cards left to draw.", "FE-DECK-11")
    if count <= pile_size:
        drawn = _drawn(dice, supply.pile, count, label)
        return drawn, Supply(_less(supply.pile, drawn), supply.discards)
    redrawn = _drawn(dice, supply.discards, count - pile_size, f"{label}, shuffled again")
    return _plus(supply.pile, redrawn), Supply(_less(supply.discards, redrawn))


def _drawn(dice: Dice, bag: Bag, count: int, label: str) -> Bag:
    """Draw from the kinds that are there: fewer kinds are solved faster, and no face changes its meaning."""
    kinds = tuple(kind for kind in range(KINDS) if bag[kind])
    drawn_by_kind = dict(zip(kinds, dice.draw(tuple(bag[kind] for kind in kinds), count, label), strict=True))
    return tuple(drawn_by_kind.get(kind, 0) for kind in range(KINDS))


def _last_link(dice: Dice, supply: Supply, best: int, label: str) -> int:
    """Worth of an Ace whose link ends the drawing: cards not above the best in hand are one kind.

    The kinds keep their order, so that faces mean the same cards as in `take`.
    """
    bag = supply.pile if sum(supply.pile) else supply.discards
    if not sum(bag):
        return 1 + best
    better_kinds = [kind for kind in range(best + 1, ACE) if bag[kind]]
    groups = (sum(bag[: best + 1]), *(bag[kind] for kind in better_kinds), bag[ACE])
    worths = (best, *better_kinds, max(best, 1))
    return 1 + worths[dice.draw(groups, 1, f"{label}, link").index(1)]


def best_kind(drawn: Bag, supply: Supply, links: tuple[int, ...]) -> int:
    """Return the kind worth most on average; an Ace counts 1 plus its expected link.

    Rules: FE-DRAW-04, FE-DECK-03.
    """
    best_number = max((kind for kind in range(ACE) if drawn[kind]), default=-1)
    if not drawn[ACE]:
        return best_number
    return ACE if expected_ace(supply, links) >= best_number else best_number


def expected_ace(supply: Supply, links: tuple[int, ...]) -> Fraction:
    """Return an Ace's average worth: 1 plus the better of the Buff Hand's best card and the next card."""
    best = links[0] if links else 0
    cards_left = supply.pile if sum(supply.pile) else supply.discards
    if not sum(cards_left):
        return Fraction(1 + best)
    worths = sum(count * max(best, kind_worth(kind)) for kind, count in enumerate(cards_left))
    return 1 + Fraction(worths, sum(cards_left))


def lowest_kind(drawn: Bag) -> int:
    """Return the kind of lowest value; an Ace counts 1. Rules: FE-DRAW-03."""
    return min((kind for kind in range(KINDS) if drawn[kind]), key=kind_worth)


def _linked(
    dice: Dice, supply: Supply, links: tuple[int, ...], label: str
) -> tuple[int, Supply, tuple[int, ...]]:
    """An Ace with its link: the top card joins the Buff Hand, the best card there is linked."""
    if not sum(supply.pile) + sum(supply.discards):
        return 1 + (links[0] if links else 0), supply, links[1:]
    drawn, supply = take(dice, supply, 1, f"{label}, link")
    linkable = tuple(sorted((*links, kind_worth(drawn.index(1))), reverse=True))
    return 1 + linkable[0], supply, linkable[1:]


def draw_card(
    dice: Dice, supply: Supply, hand: Hand, label: str = "draw"
) -> tuple[int, Supply, tuple[int, ...]]:
    """Draw a hand and keep one card; gives its worth, and where a Push follows what is left to draw and link.

    Rules: FE-DRAW-01, FE-DRAW-03, FE-DRAW-04, FE-DECK-03.
    """
    if not 1 <= hand.cards <= 4:
        raise InvalidInput(f"A Draw Hand has 1 to 4 cards (you entered {hand.cards}).")
    drawn, supply = take(dice, supply, hand.cards, label)
    kind = lowest_kind(drawn) if hand.penalty else best_kind(drawn, supply, hand.links)
    if kind != ACE:
        return kind, supply, hand.links
    if not hand.push:
        return _last_link(dice, supply, max(hand.links, default=0), label), supply, ()
    return _linked(dice, supply, hand.links, label)


def push_card(dice: Dice, supply: Supply, links: tuple[int, ...] = (), label: str = "push") -> int:
    """Draw one Push card and return its worth. Rules: FE-CHAL-07, FE-CHK-05, FE-DECK-03."""
    drawn, supply = take(dice, supply, 1, label)
    kind = drawn.index(1)
    return _last_link(dice, supply, max(links, default=0), label) if kind == ACE else kind


def total(dice: Dice, supply: Supply, hand: Hand, label: str = "draw") -> int:
    """Return the total of one side: trait, kept card, and a Push card where one is spent.

    Rules: FE-CHAL-03, FE-CHAL-07, FE-CHK-02, FE-CHK-05.
    """
    if not hand.push:
        return hand.trait + draw_card(dice, supply, hand, label)[0]
    value, supply_left, links = dice.call(draw_card, supply, hand, label)
    return hand.trait + value + dice.call(push_card, supply_left, links, f"{label}, push")


def check(dice: Dice, supply: Supply, hand: Hand, tn: int, *, all_or_nothing: bool = False) -> CheckResult:
    """Play a whole Check. Rules: FE-CHK-01, FE-CHK-02, FE-CHK-03, FE-CHK-04, FE-CHK-05."""
    return check_result(dice.call(total, supply, hand), tn, all_or_nothing=all_or_nothing)


@answers(total)
def _total_chances(solver: Solver, supply: Supply, hand: Hand, label: str = "draw") -> Distribution:
    """Return the chances of `total`, counted over the hands that may come, where the pile lasts."""
    remaining = sum(supply.pile) - hand.cards
    if not 1 <= hand.cards <= 4 or remaining < LINKS:
        return solver.walked(total, (supply, hand, label))
    if hand.trait or label:
        untraited = solver.distribution(total, (supply, replace(hand, trait=0), ""), {})
        return Distribution({hand.trait + value: p for value, p in untraited.items()}, whole=untraited.whole)
    totals: dict[int, int] = {}
    for number, drawn in _hands(supply.pile, hand.cards):
        solver.charge(KINDS)
        undrawn = [a - b for a, b in zip(supply.pile, drawn, strict=True)]
        kind = lowest_kind(drawn) if hand.penalty else _kind_kept(drawn, undrawn, hand.links)
        if kind == ACE:
            _with_ace(totals, number, undrawn, hand)
        elif hand.push:
            _with_push(totals, kind, number * (remaining - 2), remaining, undrawn, max(hand.links, default=0))
        else:
            totals[kind] = totals.get(kind, 0) + number * remaining
    all_ways = sum(totals.values())
    return Distribution({value: solver.ratio(count, all_ways) for value, count in totals.items() if count})


@lru_cache(maxsize=2)
def _hands(pile: Bag, cards: int) -> tuple[tuple[int, Bag], ...]:
    """Every hand of so many cards, and in how many ways it comes; of both sides of one question."""
    hands_by_room: dict[int, list[tuple[int, Bag]]] = {cards: [(1, ())]}
    later_cards = sum(pile)
    for of_kind in pile:
        later_cards -= of_kind
        following: dict[int, list[tuple[int, Bag]]] = {}
        for room, partial_hands in hands_by_room.items():
            for count in range(max(0, room - later_cards), min(of_kind, room) + 1):
                choices = comb(of_kind, count)
                longer_hands = [(ways * choices, (*drawn, count)) for ways, drawn in partial_hands]
                following.setdefault(room - count, []).extend(longer_hands)
        hands_by_room = following
    return tuple(hands_by_room[0])


def _kind_kept(drawn: Bag, undrawn: list[int], links: tuple[int, ...]) -> int:
    best_number = next((kind for kind in HIGHEST_FIRST if drawn[kind]), -1)
    if not drawn[ACE]:
        return best_number
    best = links[0] if links else 0
    worth = sum(count * max(best, kind) for kind, count in enumerate(undrawn[:ACE])) + undrawn[ACE] * max(
        best, 1
    )
    return ACE if worth >= (best_number - 1) * sum(undrawn) else best_number


def _with_ace(totals: dict[int, int], number: int, undrawn: list[int], hand: Hand) -> None:
    """An Ace is kept: every card it may link to, and the Push that may follow."""
    remaining = sum(undrawn)
    for kind, count in enumerate(undrawn):
        if not count:
            continue
        links = sorted((*hand.links, kind_worth(kind)), reverse=True)
        if hand.push:
            undrawn[kind] -= 1
            _with_push(
                totals,
                1 + links[0],
                number * count,
                remaining - 1,
                undrawn,
                links[1] if len(links) > 1 else 0,
            )
            undrawn[kind] += 1
        else:
            totals[1 + links[0]] = totals.get(1 + links[0], 0) + number * count


def _with_push(
    totals: dict[int, int], worth: int, number: int, remaining: int, undrawn: list[int], best: int
) -> None:
    """A card is kept and a Push drawn of those left; an Ace links to the next card or the best in hand."""
    for kind in range(ACE):
        if undrawn[kind]:
            value = worth + kind
            totals[value] = totals.get(value, 0) + number * undrawn[kind] * (remaining - 1)
    aces = number * undrawn[ACE]
    if aces:
        for kind in range(ACE):
            if undrawn[kind]:
                value = worth + 1 + max(best, kind)
                totals[value] = totals.get(value, 0) + aces * undrawn[kind]
        value = worth + 1 + max(best, 1)
        totals[value] = totals.get(value, 0) + aces * (undrawn[ACE] - 1)


def _less(bag: Bag, drawn: Bag) -> Bag:
    return tuple(a - b for a, b in zip(bag, drawn, strict=True))


def _plus(bag: Bag, drawn: Bag) -> Bag:
    return tuple(a + b for a, b in zip(bag, drawn, strict=True))
