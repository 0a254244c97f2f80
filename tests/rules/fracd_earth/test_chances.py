"""Totals from a deck: the shorter way to their chances, beside every order in which cards may come."""

import pytest

from rules.dice import Solver
from rules.systems.fracd_earth.chances import ACE, KINDS, Hand, Supply, total
from tests.rules.helpers import brute


def pile(*kinds: int) -> Supply:
    return Supply(tuple(kinds.count(kind) for kind in range(KINDS)))


HANDS = [
    Hand(1),
    Hand(2, trait=3),
    Hand(2, penalty=True),
    Hand(2, links=(7, 2)),
    Hand(1, push=True),
    Hand(2, trait=1, links=(5,), push=True),
    Hand(2, penalty=True, links=(9, 6), push=True),
]


@pytest.mark.rule("FE-CHAL-03", "FE-CHAL-07", "FE-DECK-03")
@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_totals_are_those_of_cards_drawn_one_by_one(hand: Hand) -> None:
    supply = pile(2, 4, 4, 9, ACE, ACE)
    assert dict(Solver(exact=True).solve(total, supply, hand).chances) == brute(total, supply, hand)


def test_a_pile_that_runs_out_is_walked() -> None:
    supply = Supply(pile(2, ACE).pile, pile(4, 9).pile)
    hand = Hand(2, push=True)
    assert dict(Solver(exact=True).solve(total, supply, hand).chances) == brute(total, supply, hand)
