"""A side that plays its Buff card and its Push well: by hand, and beside every order of cards."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

import pytest

from rules.dice import Solver
from rules.systems.fracd_earth.cards import laid, may_reinforce
from rules.systems.fracd_earth.chances import ACE, KINDS, Hand, Supply
from rules.systems.fracd_earth.deck import Deck, Draw, Prepared
from rules.systems.fracd_earth.playing import Side, clash, own_side, played, unseen_side
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from tests.rules.fracd_earth.build import cards
from tests.rules.helpers import brute
from tests.rules.test_three_readings import agree

ONE = Prepared(Draw(1, penalty=False, points=0), 3, (), ())

KIND = unseen_side(ONE, DEFAULTS, push=False).kinds


def bag(*kinds: int) -> tuple[int, ...]:
    return tuple(kinds.count(kind) for kind in range(KINDS))


def side(hand: Hand, pile: tuple[int, ...], held: tuple[int, ...] = (), **more: object) -> Side:
    known = tuple(KIND[kind] for kind in held)
    return Side(Supply(bag(*pile)), hand, KIND, known, bool(held), **more)  # type: ignore[arg-type]


def exact(one: Side) -> dict[int, Fraction]:
    return dict(Solver(exact=True).solve(played, one).chances)


@pytest.mark.rule("FE-DECK-06", "FE-DECK-07", "FE-DECK-08")
@pytest.mark.parametrize(
    ("worth", "held", "total"),
    [
        # A 2, 3 or 4 joins an equal or higher card, a 5, 6 or 7 an equal or lower one; any card replaces.
        (9, (4,), 13),
        (3, (4,), 4),
        (5, (7,), 12),
        (8, (7,), 8),
        (5, (9,), 9),
        # One Buff card only: the better of joining and replacing.
        (5, (4, 6), 11),
        (4, (3, 10), 10),
        (10, (9,), 10),
        # An Ace that replaces takes the best card held.
        (2, (ACE, 10), 11),
    ],
)
def test_the_best_buff_card(worth: int, held: tuple[int, ...], total: int) -> None:
    assert laid(worth, tuple(KIND[kind] for kind in held), links=True).total == total


@pytest.mark.rule("FE-CHAL-05", "FE-CHAL-07", "FE-DRAW-04")
def test_cards_are_kept_with_the_buff_card_in_mind() -> None:
    # Of 9 and 7 with a 7 in hand the 7 is kept, since the other 7 joins it.
    assert exact(side(Hand(2), (9, 7, 9, 7, 9, 7), (7,))) == {
        14: Fraction(4, 5),
        9: Fraction(1, 5),
    }
    # All tens: 10, joined by the 4, and a Push of 10, with trait 3.
    assert exact(side(Hand(1, trait=3, push=True), (10,) * 6, (4,))) == {27: Fraction(1)}


@pytest.mark.rule("FE-DECK-03")
def test_an_ace_is_linked_so_that_most_comes_of_it() -> None:
    # Ace with the 10 is 11; with the 6 it is 7, which the 7 joins: 14. The 2 is on top.
    pile = (ACE, ACE, ACE, ACE, 2)
    found = exact(side(Hand(1), pile, (10, 6, 7)))
    # A plain 2 is joined by the 7: 9, or replaced by the 10.
    assert found == {14: Fraction(4, 5), 10: Fraction(1, 5)}


HANDS = [Hand(1), Hand(2, trait=2), Hand(2, penalty=True), Hand(1, push=True), Hand(2, trait=1, push=True)]
HELD = [(), (2, 7), (4, 9, ACE)]


@pytest.mark.rule("FE-CHAL-03", "FE-CHAL-05", "FE-CHAL-07", "FE-DECK-03")
@pytest.mark.parametrize("held", HELD, ids=str)
@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_chances_are_those_of_cards_drawn_one_by_one(hand: Hand, held: tuple[int, ...]) -> None:
    one = side(hand, (2, 4, 6, 9, ACE, ACE), held)
    assert exact(one) == brute(played, one)


@pytest.mark.rule("FE-CHAL-03", "FE-CHAL-05", "FE-CHAL-07", "FE-DECK-03")
@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_chances_are_those_of_hands_dealt_and_cards_drawn_one_by_one(hand: Hand) -> None:
    dealt = side(hand, (2, 4, 6, 9, ACE, ACE), unseen=2, whole=bag(2, 3, 6, 9, 9, 10, ACE))
    assert exact(dealt) == brute(played, dealt)


@pytest.mark.rule("FE-DECK-09")
def test_a_group_joins_an_unused_draw_card() -> None:
    # Of fifteen pairs nine are 9 and 4, which joins; three are 9 and 9, where nothing does; three 4 and 4.
    found = exact(side(Hand(2), (9, 9, 9, 4, 4, 4), joins=True))
    assert found == {13: Fraction(9, 15), 9: Fraction(3, 15), 8: Fraction(3, 15)}
    assert exact(side(Hand(2), (9, 9, 9, 4, 4, 4))) == {9: Fraction(12, 15), 4: Fraction(3, 15)}


def test_a_pile_that_runs_out_is_walked() -> None:
    one = Side(Supply(bag(2, ACE), bag(4, 9)), Hand(2, push=True), KIND, (KIND[7],), links=True)
    assert exact(one) == brute(played, one)


@pytest.mark.rule("FE-CHAL-03")
def test_the_three_readings_agree() -> None:
    mine = side(Hand(2, trait=1, push=True), (2, 4, 9, ACE, ACE, 6), (5, 7))
    theirs = side(Hand(1), (3, 9, 10), unseen=1, whole=bag(4, 9))
    agree(clash, mine, theirs, rolls=400)


SMALL = Settings(
    deck=tuple(DEFAULTS.deck[card] for card in cards("3S 9S 9H 5S 7S 10S 10H")), buff_hand_size=2
)


@pytest.mark.rule("FE-HAND-01", "FE-CHAL-05", "FE-CHAL-07")
def test_who_is_not_seen_is_dealt_a_buff_hand_of_a_whole_deck() -> None:
    """Counted here in a way of its own: each Buff Hand, each card drawn, each card pushed."""
    values = [card.value for card in SMALL.deck]
    found: dict[int, Fraction] = {}
    hands = list(combinations(range(7), 2))
    drawn = list(permutations(range(7), 2))
    for hand in hands:
        for card, push in drawn:
            joined = [
                values[card] + values[held] for held in hand if may_reinforce(SMALL.deck[held], values[card])
            ]
            best = max(values[card], *(values[held] for held in hand), *joined)
            total = 3 + best + values[push]
            found[total] = found.get(total, Fraction(0)) + Fraction(1, len(hands) * len(drawn))
    assert exact(unseen_side(ONE, SMALL, push=True)) == found


@pytest.mark.rule("FE-HAND-02", "FE-HAND-03")
def test_a_known_side_plays_with_what_it_holds() -> None:
    deck = Deck(cards("9S 9H 8S 8H 10S"), buff_hand=cards("4S"), pushes=0)
    assert exact(own_side(ONE, deck, DEFAULTS)) == {
        16: Fraction(2, 5), 15: Fraction(2, 5), 17: Fraction(1, 5)
    }  # fmt: skip
    pushed = exact(own_side(ONE, Deck(deck.pile, buff_hand=deck.buff_hand, pushes=1), DEFAULTS))
    assert max(pushed) == 3 + 10 + 4 + 9


@pytest.mark.rule("FE-CHAL-03")
def test_a_clash_of_four_cards_a_side_is_a_small_question() -> None:
    """Counted work, not time; equal sides of whom neither is seen win alike."""
    four = unseen_side(Prepared(Draw(4, penalty=False, points=0), 2, (), ()), DEFAULTS, push=True)
    odds = Solver(work=300_000).solve(clash, four, four)
    assert odds.chance(lambda margin: margin > 0) == pytest.approx(odds.chance(lambda margin: margin < 0))
    assert sum(map(Fraction, odds.chances.values())) == pytest.approx(1)
