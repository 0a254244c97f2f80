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
    held = tuple(sorted((plainly(settings.deck[card]) for card in deck.buff_hand), key=by_value))
    links = settings.ace_link == "buff_hand"
    return Side(own_supply(deck, settings), hand, _kinds(settings), held, links, combined)


def unseen_side(prepared: Prepared, settings: Settings, *, push: bool) -> Side:
    """Return a side of which nothing is known but what it draws and whether it has a Push token.

    Its deck counts as whole, its Buff Hand as dealt from such a deck; an Ace of it is linked to the card that
    follows, and none is laid from the Buff Hand.
    """
    whole = bag_of(range(len(settings.deck)), settings)
    hand = Hand(prepared.draw.cards, prepared.draw.penalty, prepared.trait, push=push)
    return Side(Supply(whole), hand, _kinds(settings), unseen=settings.buff_hand_size, whole=whole)


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
    found = sum(
        count * linked(side.kinds[top], held, side.links, joining).total
        for top, count in enumerate(pile)
        if count
    )
    return Fraction(found, sum(pile))


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
    held = side.held
    if side.unseen:
        cards = dice.draw(side.whole, side.unseen, f"{label}, Buff Hand")
        held = _buff_hand(side, cards)
    drawn, supply = take(dice, side.supply, side.hand.cards, label)
    kind = kept(side, drawn, held)
    joining = _joining(side, drawn, kind)
    if kind != ACE:
        found = laid(kind, held, side.links, joining)
    elif sum(supply.pile) + sum(supply.discards):
        top, supply = take(dice, supply, 1, f"{label}, link")
        found = linked(side.kinds[top.index(1)], held, side.links, joining)
    else:
        found = laid(
            1 + best_link(held, links=side.links), held[:-1] if side.links else held, side.links, joining
        )
    pushed = _pushed(dice, supply, found.link, f"{label}, push") if side.hand.push else 0
    return side.hand.trait + found.total + pushed


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
    mine = dice.call(played, active, "active")
    return mine - dice.call(played, reactive, "reactive")


# ------------------------------------------------------------------------------------ their chances


@answers(played)
def _played_chances(solver: Solver, side: Side, label: str = "draw") -> Distribution:
    """Return the chances of `played`, counted over kinds of cards, where the pile lasts and nothing joins."""
    short = sum(side.supply.pile) - side.hand.cards < LINKS
    many = side.unseen and sum(1 for card in side.kinds if card.reinforces) > MAX_THAT_JOIN
    if side.joins or short or many:
        return solver.walked(played, (side, label))
    trait, bare = side.hand.trait, replace(side, hand=replace(side.hand, trait=0))
    solver.charge(KINDS * KINDS * (UNSEEN_HANDS if side.unseen else 1))
    ways = _all_ways(bare)
    whole = sum(ways.values())
    return Distribution({trait + total: solver.ratio(count, whole) for total, count in ways.items()})


@lru_cache(maxsize=256)
def _all_ways(side: Side) -> dict[int, int]:
    """In how many ways each total comes about, over every Buff Hand that the side may have."""
    found: dict[int, int] = {}
    taken = _possible_selections(side)
    hands = [comb(cards, side.hand.cards) for cards in range(sum(side.supply.pile) + 1)]
    for number, held in _buff_hands(side):
        for total, count in _ways(side, held, taken, hands).items():
            found[total] = found.get(total, 0) + number * count
    return found


def _buff_hands(side: Side) -> list[tuple[int, Held]]:
    """The Buff Hands that a side may have, each with its ways; those that are worth the same are one."""
    if not side.unseen:
        return [(1, side.held)]
    return _unseen_hands(replace(side, supply=Supply(side.whole), hand=Hand(1)))


@lru_cache(maxsize=16)
def _unseen_hands(side: Side) -> list[tuple[int, Held]]:
    found: dict[Held, int] = {}
    shown: dict[tuple[int, ...], Held] = {}
    for ways, held in _cards_that_count(side):
        if ways:
            totals = tuple(most(worth, held, len(held)) for worth in range(KINDS))
            held = shown.setdefault(totals, held)
            found[held] = found.get(held, 0) + ways
    return [(ways, held) for held, ways in found.items()]


def _cards_that_count(side: Side) -> Iterator[tuple[int, Held]]:
    """Buff Hands of which nothing is linked: of each way to lay a card only the best counts, so that only
    which kinds are there matters, and of those that merely replace the highest.
    """
    there = [kind for kind in range(ACE) if side.whole[kind]]
    joins = [kind for kind in there if side.kinds[kind].reinforces]
    merely = [kind for kind in there if kind not in joins and side.kinds[kind].replaces]
    never = sum(side.whole) - sum(side.whole[kind] for kind in (*joins, *merely))
    for number in range(1 << len(joins)):
        chosen = tuple(kind for place, kind in enumerate(joins) if number >> place & 1)
        others = never
        yield _just(side, chosen, others), _cards(side, chosen)
        for highest in merely:
            ways = -_just(side, chosen, others)
            others += side.whole[highest]
            yield ways + _just(side, chosen, others), _cards(side, (*chosen, highest))


def _cards(side: Side, kinds: tuple[int, ...]) -> Held:
    return tuple(sorted((side.kinds[kind] for kind in kinds), key=by_value))


def _just(side: Side, there: tuple[int, ...], others: int) -> int:
    """Hands with each of these kinds, and else only cards of so many others: by inclusion and exclusion."""
    found = 0
    for left_out in range(1 << len(there)):
        out = left_out.bit_count()
        cards = others + sum(side.whole[kind] for n, kind in enumerate(there) if not left_out >> n & 1)
        found += (-1) ** out * comb(cards, side.unseen)
    return found


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
    found = []
    for out, pushed in _pushes(side, tops):
        bag, number, free = _without(pile, out)
        unlinked = number * prod(free - cards - n for n in range(slots - len(out)))
        linked_rest = number * prod(free - 1 - cards - n for n in range(slots - len(out) - 1))
        if number:
            found.append(_Taken(tuple(bag), pushed, unlinked, linked_rest))
    return found


def _ways(side: Side, held: Held, taken: list[_Taken], hands: list[int]) -> dict[int, int]:
    """In how many ways each total comes about with that Buff Hand. hands: of so many cards, by their number.

    Cards come in any order with the same chance, so the Push and the links are taken out first; which kind is
    kept of a hand drawn from the rest follows from how many cards are liked less.
    """
    pile, order = side.supply.pile, _liked(side, held)
    order = [kind for kind in order if pile[kind]]
    less_liked = frozenset(order[: order.index(ACE)]) if pile[ACE] else frozenset()
    plain = {kind: laid(kind, held, side.links) for kind in order if kind != ACE}
    ace = {top: linked(side.kinds[top], held, side.links) for top in order} if pile[ACE] else {}
    found: dict[int, int] = {}
    for one in taken:
        below = 0
        for kind in order:
            here = one.bag[kind]
            if here and kind != ACE:
                _add(found, plain[kind], one.pushed, one.unlinked * (hands[below + here] - hands[below]))
            elif here:
                for top, card in ace.items():
                    if one.bag[top]:
                        aces, less = here - (top == ACE), below - (top in less_liked)
                        ways = one.bag[top] * one.linked * (hands[less + aces] - hands[less])
                        _add(found, card, one.pushed, ways)
            below += here
    return found


def _add(found: dict[int, int], card: Laid, pushed: tuple[int, int], ways: int) -> None:
    """pushed: what a Push is worth, and at least as an Ace that may be linked to the best card left."""
    if ways > 0:
        value, linking = pushed
        total = card.total + (1 + max(card.link, linking) if linking >= 0 else value)
        found[total] = found.get(total, 0) + ways


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


def _without(pile: Bag, out: tuple[int, ...]) -> tuple[list[int], int, int]:
    """Return the pile without some cards, in how many ways they are taken, and how many are left."""
    bag, number = list(pile), 1
    for kind in out:
        number *= bag[kind]
        bag[kind] -= 1
    return (bag if number else [0] * KINDS), number, sum(pile) - len(out)
