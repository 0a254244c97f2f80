from fractions import Fraction

import pytest

from rules.dice import Entered, Roller, Solver
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import chances
from rules.systems.fracd_earth import checks as k
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.challenge import Option, check_choices
from rules.systems.fracd_earth.chances import ACE, KINDS, Hand, Supply
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from tests.rules.fracd_earth.build import card, cards, faces_of, kind_of, seat, stacked
from tests.rules.helpers import brute, fed


def check(top, tn=10, buff="", settings=DEFAULTS, pick=None, all_or_nothing=False, **kwargs):
    c = k.begin(seat(1, top, buff, settings=settings, **kwargs), tn, all_or_nothing=all_or_nothing)
    c = k.draw(c, settings)
    return k.select(c, card(pick or top.split()[0], settings), settings)


@pytest.mark.rule("FE-CHK-01", "FE-CHK-03")
def test_results():
    assert [k.check_result(total).verdict for total in (9, 10, 11)] == ["failure", "partial", "success"]
    assert k.check_result(10).achieved
    assert k.check_result(14).success_margin == 4
    assert k.check_result(7).failure_margin == 3
    assert k.check_result(12, 13).margin == -1
    with pytest.raises(InvalidInput):
        k.check_result(3, 61)


@pytest.mark.rule("FE-CHK-04")
def test_all_or_nothing():
    assert not k.check_result(10, all_or_nothing=True).achieved
    assert k.check_result(11, all_or_nothing=True).verdict == "success"


@pytest.mark.rule("FE-CHK-07")
def test_edges_of_a_check():
    assert [k.check_result(10 + margin).edges for margin in (0, 2, 3, 6, -3)] == [0, 0, 1, 2, 0]


@pytest.mark.rule("FE-CHK-02", "FE-CHK-06")
def test_check_is_drawn_selected_and_discarded():
    c = check("3C 8H", net=1, trait=4, pick="8H", buff="4S")
    with pytest.raises(Forbidden):
        k.reinforce(c, card("4S"), DEFAULTS)
    assert k.resolve(c, DEFAULTS).margin == 2
    deck = seats.finish(c.seat).hidden.deck
    assert set(deck.discards) == set(cards("3C 8H"))
    assert deck.buff_hand == cards("4S")
    fresh = k.begin(seat(1, "3C"))
    with pytest.raises(Forbidden):
        k.resolve(fresh, DEFAULTS)
    with pytest.raises(Forbidden):
        k.select(fresh, card("3C"), DEFAULTS)


@pytest.mark.rule("FE-CHK-05")
def test_push_in_a_check():
    c = k.push(check("8H 5D 9D", trait=1), DEFAULTS)
    assert k.resolve(c, DEFAULTS).margin == 4  # 1 + 8 + 5 - 10
    assert c.seat.hidden.deck.pushes == 1
    with pytest.raises(Forbidden):
        k.push(c, DEFAULTS)
    with pytest.raises(Forbidden):
        k.push(check("8H", pushes=0), DEFAULTS)


@pytest.mark.rule("FE-DECK-03")
def test_ace_in_a_check():
    c = check("AS 6D", buff="9C")
    with pytest.raises(Forbidden):
        k.resolve(c, DEFAULTS)
    c = k.link(k.take_link(c, DEFAULTS), card("9C"), DEFAULTS)
    assert k.resolve(c, DEFAULTS).verdict == "partial"


@pytest.mark.rule("FE-DECK-09")
def test_draw_reinforce_in_a_check():
    c = check("9H 3C 5D", net=1, combined=True, buff="2C")
    with pytest.raises(Forbidden):
        k.reinforce(c, card("2C"), DEFAULTS)
    assert k.resolve(k.reinforce(c, card("3C"), DEFAULTS), DEFAULTS).margin == 2
    assert k.resolve(k.push(c, DEFAULTS), DEFAULTS).margin == 4  # 9 + 5: to reinforce is a choice


@pytest.mark.rule("FE-DRAW-03")
def test_opponent_picks_in_a_check():
    s = Settings(penalty_hand="opponent_picks")
    c = k.draw(k.begin(seat(1, "3C 8H", net=-1, settings=s)), s)
    assert check_choices(c, 1, s).selectable == ()
    for picker in (None, 1):
        with pytest.raises(Forbidden):
            k.select(c, card("8H"), s, picker)
    assert k.resolve(k.select(c, card("3C"), s, picker=2), s).margin == -7
    plain = k.draw(k.begin(seat(1, "3C 8H", net=1)), DEFAULTS)
    with pytest.raises(Forbidden):
        k.select(plain, card("3C"), DEFAULTS, picker=2)


def test_choices_of_a_check():
    c = k.draw(k.begin(seat(1, "9H 3C 5D", "2C", net=1, combined=True)), DEFAULTS)
    assert check_choices(c, 1, DEFAULTS).selectable == ("9H", "3C")
    picked = k.select(c, card("9H"), DEFAULTS)
    assert check_choices(picked, 1, DEFAULTS).reinforcing == (Option("reinforce", "3C", (12, 0)),)
    with pytest.raises(Forbidden):
        check_choices(c, 2, DEFAULTS)


def bag(**counts):
    """v3=2 means two cards worth 3; ace=1 one Ace."""
    found = [0] * KINDS
    for name, count in counts.items():
        found[ACE if name == "ace" else int(name[1:])] = count
    return tuple(found)


def exact(rule, *args, **kwargs):
    return Solver(exact=True).solve(rule, *args, **kwargs).chances


@pytest.mark.rule("FE-DRAW-01", "FE-DRAW-04")
def test_odds_of_the_best_card():
    # two of 2, 5, 9: the best is 9 in 2 of 3 cases, 5 in one
    found = exact(chances.total, Supply(bag(v2=1, v5=1, v9=1)), Hand(2, trait=1))
    assert found == {10: Fraction(2, 3), 6: Fraction(1, 3)}


@pytest.mark.rule("FE-DRAW-03")
def test_odds_of_the_lowest_card():
    found = exact(chances.total, Supply(bag(v2=1, v5=1, v9=1)), Hand(2, penalty=True))
    assert found == {2: Fraction(2, 3), 5: Fraction(1, 3)}


@pytest.mark.rule("FE-DECK-03")
def test_odds_of_an_ace():
    # Ace first (1/2): links the other card, 4, or the 6 in hand: 7. Four first: 4.
    supply = Supply(bag(v4=1, ace=1))
    assert exact(chances.total, supply, Hand(1, links=(6, 2))) == {7: Fraction(1, 2), 4: Fraction(1, 2)}
    assert exact(chances.total, supply, Hand(1)) == {5: Fraction(1, 2), 4: Fraction(1, 2)}
    # 4 or 9 (1/3 each), or the Ace with the better of 5 in hand and the next card, 4 or 9
    found = exact(chances.total, Supply(bag(v4=1, v9=1, ace=1)), Hand(1, links=(5,)))
    assert found == {4: Fraction(1, 3), 9: Fraction(1, 3), 6: Fraction(1, 6), 10: Fraction(1, 6)}
    assert exact(chances.total, Supply(bag(ace=2)), Hand(1)) == {2: Fraction(1)}
    # an Ace pushed after an Ace: 1 + 6, then 1 + 4 (the 4 went to the hand), only these two cards and a 4
    pushed = exact(chances.total, Supply(bag(v4=1, ace=2)), Hand(1, links=(6,), push=True))
    # Ace, link card 4, push Ace: 7 + 5; Ace, link card Ace, push 4: 7 + 4; 4, push Ace, link card Ace: 4 + 7
    assert pushed == {12: Fraction(1, 3), 11: Fraction(2, 3)}
    # an Ace beside a 9 with nothing to link but a 4: the 9 is the better card
    assert exact(chances.total, Supply(bag(v9=1, ace=1)), Hand(2)) == {9: Fraction(1)}


@pytest.mark.rule("FE-CHK-02", "FE-CHK-05")
def test_odds_of_a_check():
    supply = Supply(bag(v2=1, v5=1, v9=1))
    found = exact(chances.check, supply, Hand(1, trait=5), 10)
    assert found == {k.CheckResult(margin): Fraction(1, 3) for margin in (-3, 0, 4)}
    pushed = exact(chances.check, supply, Hand(1, push=True), 10)
    # pairs: 2+5, 2+9, 5+9
    assert pushed == {k.CheckResult(margin): Fraction(1, 3) for margin in (-3, 1, 4)}


def test_three_readings_agree():
    """Rolled, fed and solved are one rule; brute force knows nothing of the solver."""
    supply = Supply(bag(v0=1, v4=1, v7=1, ace=2), bag(v3=1, v12=1))
    for hand in (
        Hand(2, trait=3, links=(6, 2)),
        Hand(3, penalty=True),
        Hand(4, push=True, links=(5,)),
        Hand(1),
    ):
        solved = exact(chances.check, supply, hand, 10)
        assert solved == brute(chances.check, supply, hand, 10)
        assert sum(solved.values()) == 1
        rolled = chances.check(Roller(_Last()), supply, hand, 10)
        assert rolled in solved


class _Last:
    def faces(self, n, sides, label):
        return [sides] * n


def test_fed_with_the_real_order_the_rule_is_the_table():
    """The rule on the deck's own order gives what the state machine gives."""
    for top, buff, net in (
        ("8H 3C 9D 2C", "4S", 2),
        ("AS 3C 6D", "9C 2C", 0),
        ("AS KC 2H", "9C 2C", 0),
        ("8H 3C 9D", "", -2),
    ):
        deck = stacked(top, buff)
        hand = chances.hand_of(seat(1, net=net).entry.draw, 5, deck, DEFAULTS)
        kinds = [kind_of(each) for each in deck.pile[: hand.cards + int(top.startswith("A"))]]
        supply = chances.own_supply(deck, DEFAULTS)
        ruled = fed(chances.total, faces_of(supply.pile, kinds), supply, hand)
        picked = {"8H 3C 9D 2C": "9D", "AS 3C 6D": "AS", "AS KC 2H": "AS", "8H 3C 9D": "3C"}[top]
        c = check(top, buff=buff, net=net, trait=5, pick=picked)
        if picked == "AS":
            best = "KC" if "KC" in top else "9C"
            c = k.link(k.take_link(c, DEFAULTS), card(best), DEFAULTS)
        assert ruled == k.resolve(c, DEFAULTS).margin + 10


@pytest.mark.rule("FE-DECK-11")
def test_odds_reach_into_the_discards():
    supply = Supply(bag(v2=1), bag(v5=1, v9=1))
    assert exact(chances.total, supply, Hand(2)) == {5: Fraction(1, 2), 9: Fraction(1, 2)}
    with pytest.raises(Forbidden):
        exact(chances.total, supply, Hand(4))
    assert chances.own_supply(stacked(), Settings(empty_deck="stop")).discards == (0,) * KINDS


def test_a_push_needs_a_token():
    with pytest.raises(Forbidden):
        chances.hand_of(seat(1).entry.draw, 0, stacked(pushes=0), DEFAULTS, push=True)


def test_a_whole_deck_is_solved_in_time():
    deck = stacked()
    hand = chances.hand_of(seat(1, net=3).entry.draw, 5, deck, DEFAULTS)
    supply = chances.own_supply(deck, DEFAULTS)
    odds = Solver().solve(chances.check, supply, hand, 14)
    assert odds.error < 1e-6
    assert 0.5 < odds.chance(lambda result: result.achieved) < 1


def test_faces_are_asked_for():
    entered = Entered([1])
    assert chances.total(Roller(entered), Supply(bag(v7=1, v9=1)), Hand(1)) == 7
    entered.finish()
