""""""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.effects import Assign, Count, Gain, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.counters import ORDERS, Counter
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.turn.activation import (
    ACTION,
    actions_left,
    after_succession,
    check_group,
    choices,
    clear_panic,
    end_activation,
    extra_lackeys,
    gained,
    group_limit,
    is_last_turn,
    may_take,
    needs_activation,
    require_order_of_play,
    spend,
    start_activation,
    starting_tokens,
    take,
    token_limit,
    tokens_kept_by_new_leader,
)
from tests.rules.counterblast.arena import armed
from tests.rules.counterblast.field import model

A = Condition.ACTIVE


def active(*under, spent=0, attacks=0, moves=0, rallied=0, engaged=(), **changes):
    counters = {
        Counter.ACTIONS: spent,
        Counter.ATTACKS: attacks,
        Counter.MOVES: moves,
        Counter.RALLIED: rallied,
    }
    return armed(1, 1, engaged=engaged, under=(A, *under), counters=counters, **changes)


def refuse(fighter, key, text):
    with pytest.raises(Forbidden, match=text):
        may_take(fighter, key)


@pytest.mark.rule("CB-ACT-01")
def test_two_actions_of_which_one_attack():
    assert take(active(), "shoot") == (
        Count("model", 1, Counter.ACTIONS, 1),
        Count("model", 1, Counter.ATTACKS, 1),
    )
    assert may_take(active(spent=1, attacks=1), "move")
    assert may_take(active(spent=1, moves=1), "move")
    refuse(active(spent=1, attacks=1), "shoot", "has already attacked in this activation.")
    refuse(active(spent=2), "move", "has none left")
    assert actions_left(active(spent=1)) == 1


@pytest.mark.rule("CB-ACT-02")
def test_what_actions_cost():
    free = {key for key, action in ACTION.items() if action.cost == 0}
    double = {key for key, action in ACTION.items() if action.cost == 2}
    assert free == {"rally", "order", "scan", "stand_quick"}
    assert double == {"aim", "charge", "overwatch", "run_and_gun", "slash_and_dash", "full_auto", "stand_up"}


@pytest.mark.rule("CB-ACT-03")
def test_what_counts_as_the_attack():
    attacks = {key for key, action in ACTION.items() if action.attack}
    assert attacks == {
        "fight", "shoot", "aim", "charge", "overwatch", "run_and_gun", "slash_and_dash", "full_auto",
        "psionic_attack", "burst",
    }  # fmt: skip
    for key in ("aim", "charge", "overwatch", "run_and_gun", "slash_and_dash"):
        refuse(active(spent=1), key, "costs 2")


@pytest.mark.rule("CB-ACT-04", "CB-ORDER-06")
def test_a_hero_directs_three_lackeys():
    hero = model(1, rank="hero")
    lackeys = tuple(model(number) for number in range(2, 7))
    check_group(hero, lackeys[:3])
    with pytest.raises(Forbidden, match="up to 3"):
        check_group(hero, lackeys[:4])
    check_group(hero, lackeys, tokens=1)
    with pytest.raises(Forbidden, match="is a Hero"):
        check_group(hero, (model(9, rank="hero"),))
    assert group_limit(hero, 2) == 7


@pytest.mark.rule("CB-ACT-05")
def test_a_lackey_directs_its_own_kind():
    check_group(model(1), (model(2), model(3), model(4)))
    other = replace(model(5), profile=replace(model(5).profile, key="brute"))
    with pytest.raises(Forbidden, match="can only direct Lackeys of its own kind"):
        check_group(model(1), (other,))
    assert group_limit(model(1), settings=Settings(lackey_group_max=5)) == 5


@pytest.mark.rule("CB-BUILD-08", "CB-FEAT-18")
def test_edofleini_lackeys_direct_edokin_and_controlled_models_need_a_hero():
    def kind(number, *types, **changes):
        made = model(number, types=types, **changes)
        return replace(made, profile=replace(made.profile, key=f"kind {number}"))

    check_group(kind(1, "edofleini"), (kind(2, "edokin"), kind(3, "edofleini")))
    with pytest.raises(Forbidden, match="can only direct Lackeys of its own kind"):
        check_group(kind(2, "edokin"), (kind(3, "edofleini"),))
    with pytest.raises(Forbidden, match="Controlled"):
        check_group(kind(1, "edofleini"), (kind(2, "edokin", features=("controlled",)),))
    with pytest.raises(Forbidden, match="Controlled"):
        check_group(model(1, features=("controlled",)), ())


@pytest.mark.rule("CB-ACT-07")
def test_engaged_models_may_direct_panicked_ones_may_not():
    check_group(armed(1, 1, engaged=(9,)), (model(2),))
    with pytest.raises(Forbidden, match="Panicked"):
        check_group(model(1, under=(Condition.PANICKED,)), (model(2),))
    with pytest.raises(Forbidden, match="has already been activated this turn"):
        check_group(model(1), (model(2, activated=True),))
    with pytest.raises(Forbidden, match="another crew"):
        check_group(model(1), (model(2, 2),))
    with pytest.raises(InvalidInput):
        check_group(model(1), (model(2), model(2)))


@pytest.mark.rule("CB-ACT-10")
def test_engaged_models_fight_or_leave():
    held = active(engaged=(2,))
    assert set(choices(held)) == {"fight", "disengage", "rally", "order", "burst"}
    refuse(held, "shoot", "engaged")
    refuse(held, "skill", "engaged")
    assert may_take(active(Condition.PRONE, engaged=(2,)), "stand_up")


@pytest.mark.rule("CB-PANIC-10", "CB-RALLY-01")
def test_a_panicked_model_rallies_first_then_only_runs():
    assert set(choices(active(Condition.PANICKED))) == {"rally", "order"}
    assert set(choices(active(Condition.PANICKED, rallied=1))) == {"move"}
    assert set(choices(active(Condition.PANICKED, rallied=1, engaged=(2,)))) == {"disengage"}


@pytest.mark.rule("CB-COND-06")
def test_a_pinned_model_breaks_free_first():
    assert set(choices(active(Condition.PINNED))) == {"rally", "order", "scan", "break_free"}
    assert may_take(active(Condition.PINNED, spent=1), "break_free")
    assert may_take(active(spent=1), "move")
    refuse(active(), "break_free", "not Pinned")


@pytest.mark.rule("CB-COND-04", "CB-COND-05", "CB-WEAP-29")
def test_an_incapacitated_model_does_nothing_and_misses_its_activation():
    refuse(active(Condition.INCAPACITATED), "move", "Incapacitated")
    refuse(active(damage=2), "rally", "Incapacitated")
    stunned = model(1, under=(Condition.INCAPACITATED,))
    effects = start_activation(stunned)
    assert effects[0] == Assign("model", 1, Counter.ACTIVATED, 1)
    assert effects[1].condition == Condition.INCAPACITATED
    assert effects[1].value == 1
    with pytest.raises(Forbidden, match="down"):
        start_activation(model(1, damage=2))


@pytest.mark.rule("CB-COND-07", "CB-OVER-03", "CB-TURN-03")
def test_an_activation_begins_and_ends():
    waiting = model(1, under=(Condition.OVERWATCH,), counters={Counter.ACTIONS: 2})
    effects = start_activation(waiting)
    assert effects[0] == Assign("model", 1, Counter.ACTIVATED, 1)
    assert Assign("model", 1, Counter.ACTIONS, 0) in effects
    assert Lose(1, Condition.OVERWATCH) in effects
    assert [e.condition for e in effects if isinstance(e, Gain)] == [Condition.ACTIVE]
    assert end_activation(active()) == (Lose(1, Condition.ACTIVE),)
    refuse(model(1), "move", "Activate")


@pytest.mark.rule("CB-TURN-03", "CB-BAG-07", "CB-BAG-09")
def test_each_model_is_activated_once_per_turn():
    with pytest.raises(Forbidden, match="has already been activated this turn"):
        start_activation(model(1, activated=True))
    assert needs_activation(model(1))
    assert not needs_activation(model(1, activated=True))
    assert not needs_activation(model(1, damage=2))


@pytest.mark.rule("CB-HIDE-03")
def test_a_second_move_ends_hiding():
    assert Lose(1, Condition.HIDDEN) not in take(active(Condition.HIDDEN), "move")
    assert Lose(1, Condition.HIDDEN) in take(active(Condition.HIDDEN, moves=1, spent=1), "move")


@pytest.mark.rule("CB-MOVE-07", "CB-MOVE-08", "CB-FEAT-44")
def test_standing_up_takes_two_actions_or_none():
    prone = active(Condition.PRONE)
    assert take(prone, "stand_up") == (Count("model", 1, Counter.ACTIONS, 2), Lose(1, Condition.PRONE))
    refuse(prone, "stand_quick", "not Quick")
    quick = active(Condition.PRONE, features=("quick",))
    assert take(quick, "stand_quick") == (Lose(1, Condition.PRONE),)
    refuse(active(), "stand_up", "not Prone")
    refuse(prone, "drop_prone", "is already Prone.")


@pytest.mark.rule("CB-TURN-01")
def test_a_game_has_eight_turns():
    assert is_last_turn(8)
    assert not is_last_turn(7)
    assert is_last_turn(6, 6)
    assert not is_last_turn(50, 0)
    with pytest.raises(InvalidInput):
        may_take(active(), "dance")


@pytest.mark.rule("CB-ACT-06")
def test_members_of_a_group_act_one_after_the_other():
    first, second = active(), replace(active(), id=2, name="Second")
    require_order_of_play(first, None, activation_begun=True)
    require_order_of_play(first, first, activation_begun=True)
    require_order_of_play(first, second, activation_begun=False)
    require_order_of_play(first, model(2), activation_begun=True)
    with pytest.raises(Forbidden, match="has already begun to act"):
        require_order_of_play(first, second, activation_begun=True)


@pytest.mark.rule("CB-FEAT-25")
def test_drained_machines_perform_no_actions():
    refuse(active(Condition.DRAINED, types=("robot",)), "move", "drained")
    refuse(active(Condition.DRAINED, types=("cyberform",)), "skill", "drained")
    assert may_take(active(Condition.DRAINED), "move")


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
    with pytest.raises(Forbidden, match=r"only 1 order token \(you need 2"):
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
    with pytest.raises(Forbidden, match="up to 2 models"):
        clear_panic(leader("2D"), three, 1)
    with pytest.raises(Forbidden, match="can't rally itself this way"):
        clear_panic(leader(under=(Condition.PANICKED,)), (leader(under=(Condition.PANICKED,)),), 1)
    with pytest.raises(Forbidden, match="is not a Panicked model of this crew"):
        clear_panic(leader(), (panicked(2, 2),), 1)
    with pytest.raises(Forbidden, match="Only the crew's leader can rally others, not"):
        clear_panic(model(1), (panicked(2),), 1)
    with pytest.raises(Forbidden, match=r"no order tokens left \(you need 1"):
        clear_panic(leader(), (panicked(2),), 0)


@pytest.mark.rule("CB-ORDER-08")
def test_a_new_leader_keeps_as_many_as_its_intellect():
    assert tokens_kept_by_new_leader(4, leader("2D+1")) == 2
    assert tokens_kept_by_new_leader(1, leader("2D+1")) == 1
    assert tokens_kept_by_new_leader(5, leader("2D+1"), Settings(order_keep_multiplier=2)) == 4
    assert tokens_kept_by_new_leader(4, None) == 0
    assert after_succession(1, 4, leader("2D+1")) == (Assign("side", 1, ORDERS, 2),)
    assert after_succession(1, 2, leader("2D+1")) == ()
