import pytest

from rules.effects import Assign, Count, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.counters import ORDERS
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.turn.activation import (
    after_succession,
    clear_panic,
    extra_lackeys,
    gained,
    kept_after_succession,
    spend,
    starting_tokens,
    token_limit,
)
from tests.rules.counterblast.field import model


def leader(intellect="2D+1", **changes):
    return model(1, 1, rank="hero", leader=True, intellect=intellect, **changes)


def panicked(number, side=1):
    return model(number, side, under=(Condition.PANICKED,))


@pytest.mark.rule("CB-ORDER-01", "CB-FEAT-55")
def test_twice_the_leaders_intellect():
    assert starting_tokens(leader()) == 4
    assert starting_tokens(leader(features=("tactician",))) == 6


@pytest.mark.rule("CB-ORDER-02")
def test_the_limit_is_that_of_the_present_leader():
    assert token_limit(leader("3D")) == 6
    assert token_limit(None) == 0
    assert gained(3, 2, leader()) == 4
    assert gained(5, 1, leader()) == 5


@pytest.mark.rule("CB-ORDER-03")
def test_tokens_are_spent_for_good():
    assert spend(1, 4, 2) == (Count("side", 1, ORDERS, -2), Count("side", 1, "orders spent", 2))
    with pytest.raises(Forbidden, match="has 1 order tokens"):
        spend(1, 1, 2)
    with pytest.raises(InvalidInput):
        spend(1, 1, 0)


@pytest.mark.rule("CB-ORDER-06")
def test_each_token_adds_the_directing_models_level():
    assert extra_lackeys(leader(), 1) == 2
    assert extra_lackeys(model(), 2) == 2


@pytest.mark.rule("CB-ORDER-07")
def test_the_leader_steadies_as_many_as_its_intellect():
    three = tuple(panicked(number) for number in (2, 3, 4))
    assert clear_panic(leader("3D+1"), three, 1) == (
        Count("side", 1, ORDERS, -1),
        Count("side", 1, "orders spent", 1),
        *(Lose(number, Condition.PANICKED) for number in (2, 3, 4)),
    )
    with pytest.raises(Forbidden, match="1 to 2"):
        clear_panic(leader("2D"), three, 1)
    with pytest.raises(Forbidden, match="cannot steady itself"):
        clear_panic(leader(under=(Condition.PANICKED,)), (leader(under=(Condition.PANICKED,)),), 1)
    with pytest.raises(Forbidden, match="no Panicked model"):
        clear_panic(leader(), (panicked(2, 2),), 1)
    with pytest.raises(Forbidden, match="does not lead"):
        clear_panic(model(1), (panicked(2),), 1)
    with pytest.raises(Forbidden, match="has 0"):
        clear_panic(leader(), (panicked(2),), 0)


@pytest.mark.rule("CB-ORDER-08")
def test_a_new_leader_keeps_as_many_as_its_intellect():
    assert kept_after_succession(4, leader("2D+1")) == 2
    assert kept_after_succession(1, leader("2D+1")) == 1
    assert kept_after_succession(5, leader("2D+1"), Settings(order_keep_multiplier=2)) == 4
    assert kept_after_succession(4, None) == 0
    assert after_succession(1, 4, leader("2D+1")) == (Assign("side", 1, ORDERS, 2),)
    assert after_succession(1, 2, leader("2D+1")) == ()
