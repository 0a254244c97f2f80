"""A side's total in a Challenge where it plays as well as it can: the Buff card that adds most, and a Push.

Owns the play of a whole side as a rule over the dice seam. A player who wants the higher total never has a
reason to hold back: passing is not final, and no card makes a total smaller. Cards of equal value count as
the same; Blocks are not laid.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb, prod

from rules.dice import Dice, Distribution, Solver, answers
from rules.systems.fracd_earth.cards import Card, Held, Laid, best_link, by_value, laid, linked, most, plainly
from rules.systems.fracd_earth.chances import (
    ACE,
    KINDS,
    LINKS,
    Bag,
    Hand,
    Supply,
    bag_of,
    kind_worth,
    lowest_kind,
    own_supply,
    take,
)
from rules.systems.fracd_earth.deck import Deck, Prepared
from rules.systems.fracd_earth.settings import Settings

MAX_THAT_JOIN = 8
"""Kinds of cards that may reinforce, up to which an unknown Buff Hand is counted; standard are six."""

UNSEEN_HANDS = 100
"""Buff Hands that are worth different things, as they are charged."""


@dataclass(frozen=True, slots=True)
class Side:
    """The cards and tokens of a side. hand: `push` if it has a Push token.

    held: its Buff Hand, where that is known; else `unseen` of the cards of `whole`. kinds: a card of each
    kind, in order. links: an Ace may be linked to the Buff Hand. joins: a group acts, so that an unused draw
    card may reinforce.
    """

    supply: Supply
    hand: Hand
    kinds: Held
    held: Held = ()
    links: bool = False
    joins: bool = False
    unseen: int = 0
    whole: Bag = (0,) * KINDS


def own_side(prepared: Prepared, deck: Deck, settings: Settings, *, combined: bool = False) -> Side:
    """Play a side whose cards are known. Rules: FE-HAND-01, FE-HAND-03, FE-DECK-03, FE-DECK-09."""
    hand = Hand(prepared.draw.cards, prepared.draw.penalty, prepared.trait, push=deck.pushes > 0)
    buff_cards = tuple(sorted((plainly(settings.deck[card]) for card in deck.buff_hand), key=by_value))
    links = settings.ace_link == "buff_hand"
    return Side(own_supply(deck, settings), hand, _kinds(settings), buff_cards, links, combined)


def unseen_side(prepared: Prepared, settings: Settings, *, push: bool) -> Side:
    """Return a side of which nothing is known but what it draws and whether it has a Push token.

    Its deck counts as whole, its Buff Hand as dealt from such a deck; an Ace of it is linked to the card that
    follows, and none is laid from the Buff Hand.
    """
    full_deck = bag_of(range(len(settings.deck)), settings)
    hand = Hand(prepared.draw.cards, prepared.draw.penalty, prepared.trait, push=push)
    return Side(Supply(full_deck), hand, _kinds(settings), unseen=settings.buff_hand_size, whole=full_deck)


def _kinds(settings: Settings) -> Held:
    nothing = Card("", "", 0, "", 0, replaces=False)
    cards = {ACE if card.link else card.value: plainly(card) for card in reversed(settings.deck)}
    return tuple(cards.get(kind, nothing) for kind in range(KINDS))


# ------------------------------------------------------------------------------------ one side's choices


def worth_of(side: Side, kind: int, held: Held, joining: Held = ()) -> Fraction:
    """Return the worth of a draw card of that kind; an Ace's is an average over the cards still to draw."""
    if kind != ACE:
        return Fraction(laid(kind, held, side.links, joining).total)
    pile = side.supply.pile if sum(side.supply.pile) else side.supply.discards
    if not sum(pile):
        return Fraction(1 + best_link(held, links=side.links))
    total_worth = sum(
        count * linked(side.kinds[top], held, side.links, joining).total
        for top, count in enumerate(pile)
        if count
    )
    return Fraction(total_worth, sum(pile))


def _joining(side: Side, drawn: Bag, kind: int) -> Held:
    if not side.joins:
        return ()
    return tuple(side.kinds[other] for other in range(KINDS) for _ in range(drawn[other] - (other == kind)))


def kept(side: Side, drawn: Bag, held: Held) -> int:
    """Return the kind of draw card that is kept. Rules: FE-DRAW-03, FE-DRAW-04."""
    if side.hand.penalty:
        return lowest_kind(drawn)
    kinds = [kind for kind in range(KINDS) if drawn[kind]]
    return max(kinds, key=lambda kind: (worth_of(side, kind, held, _joining(side, drawn, kind)), kind))


# ------------------------------------------------------------------------------------ rules


def played(dice: Dice, side: Side, label: str = "draw") -> int:
    """Return the total of a side: trait, the draw card kept with a Buff card laid on it, a Push card.

    Rules: FE-CHAL-03, FE-CHAL-05, FE-CHAL-07, FE-DRAW-04.
    """
    buff_hand = side.held
    if side.unseen:
        cards = dice.draw(side.whole, side.unseen, f"{label}, Buff Hand")
        buff_hand = _buff_hand(side, cards)
    drawn, supply = take(dice, side.supply, side.hand.cards, label)
    kind = kept(side, drawn, buff_hand)
    joining = _joining(side, drawn, kind)
    if kind != ACE:
        best_laid = laid(kind, buff_hand, side.links, joining)
    elif sum(supply.pile) + sum(supply.discards):
        top, supply = take(dice, supply, 1, f"{label}, link")
        best_laid = linked(side.kinds[top.index(1)], buff_hand, side.links, joining)
    else:
        best_laid = laid(
            1 + best_link(buff_hand, links=side.links),
            buff_hand[:-1] if side.links else buff_hand,
            side.links,
            joining,
        )
    pushed = _pushed(dice, supply, best_laid.link, f"{label}, push") if side.hand.push else 0
    return side.hand.trait + best_laid.total + pushed


def _buff_hand(side: Side, cards: Bag) -> Held:
    """Return a Buff Hand of so many cards of each kind; its Aces are not laid."""
    return tuple(side.kinds[kind] for kind in range(ACE) for _ in range(cards[kind]))


def _pushed(dice: Dice, supply: Supply, link: int, label: str) -> int:
    """Worth of a Push card. Rules: FE-CHAL-07, FE-DECK-03."""
    drawn, supply = take(dice, supply, 1, label)
    kind = drawn.index(1)
    if kind != ACE:
        return kind
    if not sum(supply.pile) + sum(supply.discards):
        return 1 + link
    top, _ = take(dice, supply, 1, f"{label}, link")
    return 1 + max(link, kind_worth(top.index(1)))


def clash(dice: Dice, active: Side, reactive: Side) -> int:
    """Return the margin of a Challenge: active total less reactive. Rules: FE-CHAL-03, FE-CHAL-07."""
    active_total = dice.call(played, active, "active")
    return active_total - dice.call(played, reactive, "reactive")


# ------------------------------------------------------------------------------------ their chances


@answers(played)
def _played_chances(solver: Solver, side: Side, label: str = "draw") -> Distribution:
    """Return the chances of `played`, counted over kinds of cards, where the pile lasts and nothing joins."""
    pile_short = sum(side.supply.pile) - side.hand.cards < LINKS
    too_many = side.unseen and sum(1 for card in side.kinds if card.reinforces) > MAX_THAT_JOIN
    if side.joins or pile_short or too_many:
        return solver.walked(played, (side, label))
    trait, untraited = side.hand.trait, replace(side, hand=replace(side.hand, trait=0))
    solver.charge(KINDS * KINDS * (UNSEEN_HANDS if side.unseen else 1))
    totals = _all_ways(untraited)
    all_ways = sum(totals.values())
    return Distribution({trait + total: solver.ratio(count, all_ways) for total, count in totals.items()})


@lru_cache(maxsize=256)
def _all_ways(side: Side) -> dict[int, int]:
    """In how many ways each total comes about, over every Buff Hand that the side may have."""
    totals: dict[int, int] = {}
    selections = _possible_selections(side)
    hands = [comb(cards, side.hand.cards) for cards in range(sum(side.supply.pile) + 1)]
    for number, buff_hand in _buff_hands(side):
        for total, count in _ways(side, buff_hand, selections, hands).items():
            totals[total] = totals.get(total, 0) + number * count
    return totals


def _buff_hands(side: Side) -> list[tuple[int, Held]]:
    """The Buff Hands that a side may have, each with its ways; those that are worth the same are one."""
    if not side.unseen:
        return [(1, side.held)]
    return _unseen_hands(replace(side, supply=Supply(side.whole), hand=Hand(1)))


@lru_cache(maxsize=16)
def _unseen_hands(side: Side) -> list[tuple[int, Held]]:
    ways_by_hand: dict[Held, int] = {}
    hands_by_cards: dict[tuple[int, ...], Held] = {}
    for hand_ways, buff_hand in _cards_that_count(side):
        if hand_ways:
            totals = tuple(most(worth, buff_hand, len(buff_hand)) for worth in range(KINDS))
            buff_hand = hands_by_cards.setdefault(totals, buff_hand)
            ways_by_hand[buff_hand] = ways_by_hand.get(buff_hand, 0) + hand_ways
    return [(ways, held) for held, ways in ways_by_hand.items()]


def _cards_that_count(side: Side) -> Iterator[tuple[int, Held]]:
    """Buff Hands of which nothing is linked: of each way to lay a card only the best counts, so that only
    which kinds are there matters, and of those that merely replace the highest.
    """
    present_kinds = [kind for kind in range(ACE) if side.whole[kind]]
    joins = [kind for kind in present_kinds if side.kinds[kind].reinforces]
    merely = [kind for kind in present_kinds if kind not in joins and side.kinds[kind].replaces]
    idle_cards = sum(side.whole) - sum(side.whole[kind] for kind in (*joins, *merely))
    for number in range(1 << len(joins)):
        chosen_kinds = tuple(kind for place, kind in enumerate(joins) if number >> place & 1)
        others = idle_cards
        yield _count_hands(side, chosen_kinds, others), _cards(side, chosen_kinds)
        for highest in merely:
            hand_ways = -_count_hands(side, chosen_kinds, others)
            others += side.whole[highest]
            yield hand_ways + _count_hands(side, chosen_kinds, others), _cards(side, (*chosen_kinds, highest))


def _cards(side: Side, kinds: tuple[int, ...]) -> Held:
    return tuple(sorted((side.kinds[kind] for kind in kinds), key=by_value))


def _count_hands(side: Side, chosen_kinds: tuple[int, ...], others: int) -> int:
    """Hands with each of these kinds, and else only cards of so many others: by inclusion and exclusion."""
    hand_ways = 0
    for left_out in range(1 << len(chosen_kinds)):
        missing = left_out.bit_count()
        cards = others + sum(side.whole[kind] for n, kind in enumerate(chosen_kinds) if not left_out >> n & 1)
        hand_ways += (-1) ** missing * comb(cards, side.unseen)
    return hand_ways


@dataclass(frozen=True, slots=True)
class _Taken:
    """The pile without a Push: which kinds are left, in how many ways it is taken and the links go on.

    pushed: as `_pushes` gives it. unlinked, linked: ways of the further cards where a plain card is kept, and
    where an Ace is, each link apart.
    """

    bag: Bag
    pushed: tuple[int, int]
    unlinked: int
    linked: int


def _possible_selections(side: Side) -> list[_Taken]:
    pile, cards = side.supply.pile, side.hand.cards
    slots = 3 if side.hand.push else 1
    tops = [kind for kind in range(KINDS) if pile[kind]]
    selections = []
    for removed, pushed in _pushes(side, tops):
        bag, number, free_cards = _without(pile, removed)
        unlinked = number * prod(free_cards - cards - n for n in range(slots - len(removed)))
        linked_rest = number * prod(free_cards - 1 - cards - n for n in range(slots - len(removed) - 1))
        if number:
            selections.append(_Taken(tuple(bag), pushed, unlinked, linked_rest))
    return selections


def _ways(side: Side, held: Held, selections: list[_Taken], hands: list[int]) -> dict[int, int]:
    """In how many ways each total comes about with that Buff Hand. hands: of so many cards, by their number.

    Cards come in any order with the same chance, so the Push and the links are taken out first; which kind is
    kept of a hand drawn from the rest follows from how many cards are liked less.
    """
    pile, order = side.supply.pile, _liked(side, held)
    order = [kind for kind in order if pile[kind]]
    less_liked = frozenset(order[: order.index(ACE)]) if pile[ACE] else frozenset()
    numbered = {kind: laid(kind, held, side.links) for kind in order if kind != ACE}
    ace = {top: linked(side.kinds[top], held, side.links) for top in order} if pile[ACE] else {}
    totals: dict[int, int] = {}
    for selection in selections:
        lower = 0
        for kind in order:
            of_kind = selection.bag[kind]
            if of_kind and kind != ACE:
                _add(
                    totals,
                    numbered[kind],
                    selection.pushed,
                    selection.unlinked * (hands[lower + of_kind] - hands[lower]),
                )
            elif of_kind:
                for top, card in ace.items():
                    if selection.bag[top]:
                        aces, worse = of_kind - (top == ACE), lower - (top in less_liked)
                        draw_ways = (
                            selection.bag[top] * selection.linked * (hands[worse + aces] - hands[worse])
                        )
                        _add(totals, card, selection.pushed, draw_ways)
            lower += of_kind
    return totals


def _add(totals: dict[int, int], card: Laid, pushed: tuple[int, int], draw_ways: int) -> None:
    """pushed: what a Push is worth, and at least as an Ace that may be linked to the best card left."""
    if draw_ways > 0:
        value, linking = pushed
        total = card.total + (1 + max(card.link, linking) if linking >= 0 else value)
        totals[total] = totals.get(total, 0) + draw_ways


def _pushes(side: Side, tops: list[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, int]]]:
    """The cards that a Push may take, and what it is worth: its value, or -1 and the link of an Ace."""
    if not side.hand.push:
        yield (), (0, -1)
        return
    for kind in tops:
        if kind != ACE:
            yield (kind,), (kind, -1)
        else:
            for top in tops:
                yield (ACE, top), (0, kind_worth(top))


def _liked(side: Side, held: Held) -> list[int]:
    if side.hand.penalty:
        return sorted(range(KINDS), key=lambda kind: (kind_worth(kind), kind), reverse=True)
    return sorted(range(KINDS), key=lambda kind: (worth_of(side, kind, held), kind))


def _without(pile: Bag, removed: tuple[int, ...]) -> tuple[list[int], int, int]:
    """Return the pile without some cards, in how many ways they are taken, and how many are left."""
    bag, number = list(pile), 1
    for kind in removed:
        number *= bag[kind]
        bag[kind] -= 1
    return (bag if number else [0] * KINDS), number, sum(pile) - len(removed)
