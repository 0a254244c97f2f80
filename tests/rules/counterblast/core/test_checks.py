"""Checks of several unlike throws: the shorter way to their chances, beside every die in turn."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.dice import Die, Solver
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import (
    CheckResult,
    Throw,
    merge_throws,
    prepare,
    reroll_failed_dice,
    roll_check_again,
    throw,
)
from rules.systems.counterblast.core.dice_pools import initiative_check, prepare_check
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.settings import Settings
from tests.rules.counterblast.arena import armed, reasons
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed

UP = Modifier(1, "a")
DOWN = Modifier(-1, "b")


@pytest.mark.rule("CB-CHECK-01", "CB-STAT-02")
def test_each_die_alone_with_the_modifier_against_the_target():
    # 2D+1 at 7: 6 + 1 reaches it, 5 + 1 does not; the sum is of no interest
    assert fed(check, [6, 5], 2, 1, 7).net == 1
    assert fed(check, [5, 5], 2, 1, 7).net == 0
    assert fed(check, [6, 9], 2, 1, 7).net == 2


@pytest.mark.rule("CB-CHECK-02")
def test_modifiers_are_added_up_and_apply_to_bonus_dice():
    ready = prepare(
        (Modifier(2, "STR"),), (), (Modifier(2, "x"), Modifier(-1, "y")), (Modifier(7, "target"),)
    )
    assert ready.throw == Throw(2, 1, 7)
    # the bonus die 6 + 1 reaches 7 as well
    assert fed(throw, [10, 2, 6], (ready.throw,)).net == 2


def check(dice, pool, modifier, target):
    return throw(dice, (Throw(pool, modifier, target),))


def pool_of(dice, edges, **settings):
    return prepare(dice, edges, (), (Modifier(7, "target"),), **settings).throw.pool


@pytest.mark.rule("CB-CHECK-03", "CB-CHECK-04")
def test_advantage_and_disadvantage_are_a_die_more_or_less():
    assert pool_of((Modifier(2, "AGL"),), (UP,)) == 3
    assert pool_of((Modifier(2, "AGL"),), (DOWN,)) == 1


@pytest.mark.rule("CB-CHECK-05")
def test_disadvantage_with_one_die_keeps_the_lower_of_two():
    # 1D+2 at 7: 10 and 6 keep the 6, which makes 8
    assert fed(check, [10, 6], 0, 2, 7) == CheckResult(1)
    assert fed(check, [1, 10], 0, 2, 7).critical_failure
    assert fed(check, [10, 10, 9], 0, 2, 7) == CheckResult(2)


@pytest.mark.rule("CB-CHECK-05")
def test_odds_of_the_lower_of_two():
    # both at least 7: (4/10)^2 = 16/100 for one success, of these 1/100 are two 10s
    odds = brute(check_of_one_wave, 0, 0, 7)
    assert sum(p for result, p in odds.items() if result.net) == Fraction(16, 100)
    # a 1 on either die is kept: 1 - (9/10)^2 = 19/100
    assert sum(p for result, p in odds.items() if result.critical_failure) == Fraction(19, 100)


def check_of_one_wave(dice, pool, modifier, target):
    return check(Short(dice), pool, modifier, target)


class Short:
    """Dice whose bonus dice earn no further ones, so that every face can be walked."""

    def __init__(self, dice):
        self.dice = dice

    def pool(self, n, die, label):
        bonus = die.bonus and Die(die.bonus.tallies, die.bonus.facets, waves=0, shift=die.shift)
        return self.dice.pool(n, Die(die.tallies, die.facets, bonus, waves=1, shift=die.shift), label)

    def __getattr__(self, verb):
        return getattr(self.dice, verb)


@pytest.mark.parametrize(("pool", "modifier", "target"), [(0, 0, 7), (1, 1, 8), (2, -1, 7), (3, 0, 9)])
def test_solver_agrees_with_every_face_walked(pool, modifier, target):
    solved = Solver(exact=True).solve(check_of_one_wave, pool, modifier, target)
    assert dict(solved.chances) == brute(check_of_one_wave, pool, modifier, target)


@pytest.mark.rule("CB-CHECK-07")
def test_sources_of_advantage_add_up_and_each_counts_once():
    one, two = (Modifier(1, "dice"),), (Modifier(2, "dice"),)
    other = Modifier(-1, "c")
    assert pool_of(one, (DOWN,)) == 0
    assert pool_of(two, (DOWN,)) == 1
    assert pool_of(two, (DOWN, other)) == 0
    assert pool_of(one, (UP, DOWN)) == 1
    assert pool_of(two, (DOWN, DOWN)) == 1
    assert pool_of(two, (DOWN, other), advantage_stacks=False) == 1
    assert pool_of(two, (UP, Modifier(1, "d"), DOWN), advantage_stacks=False) == 2


@pytest.mark.rule("CB-CHECK-06")
def test_a_failed_check_is_rolled_again_once_for_better_or_worse():
    throws = (Throw(2, 0, 7),)
    assert fed(roll_check_again, [8, 2], throws).net == 1
    assert fed(roll_check_again, [3, 2, 1, 4], throws).score == -1
    # single dice: one miss and the natural 1 of 7, 3, 1 (score 0) rolled again as 8 and 2
    assert fed(reroll_failed_dice, [8, 2], CheckResult(0), 1, 1, Throw(1, 0, 7)) == CheckResult(2)
    with pytest.raises(InvalidInput):
        fed(reroll_failed_dice, [], CheckResult(0), 0, 0, Throw(1, 0, 7))


@pytest.mark.rule("CB-CHECK-06")
def test_odds_of_a_check_rolled_again():
    # one die at 7 succeeds with 4/10; rolled again when it fails: 4/10 + 6/10 * 4/10 = 64/100
    odds = Solver().solve(roll_check_again, (Throw(1, 0, 7),))
    assert odds.chance(lambda result: result.net >= 1) == pytest.approx(0.64)


@pytest.mark.rule("CB-CHECK-08")
def test_without_a_psionic_rating_no_psionic_check():
    with pytest.raises(Forbidden, match="no psionic rating"):
        prepare_check(model(), "PSI", 7)
    assert prepare_check(model(psionic="2D+1"), "PSI", 7, skill="psionics").throw == Throw(2, 1, 7)
    assert prepare_check(model(intellect="2D"), "INT", 7, skill="medicine").throw == Throw(2, 0, 7)


@pytest.mark.rule("CB-CHECK-09")
def test_a_natural_10_succeeds_whatever_the_target():
    assert fed(check, [10, 2], 1, -3, 12).net == 1
    assert fed(check, [9], 1, 0, 12).net == 0


@pytest.mark.rule("CB-CHECK-10")
def test_natural_10s_chain_bonus_dice():
    assert fed(check, [10, 10, 10, 2], 1, 0, 7).net == 3


@pytest.mark.rule("CB-CHECK-11", "CB-CHECK-14")
def test_natural_1s_cancel_but_not_on_bonus_dice():
    assert fed(check, [1, 8, 9], 3, 5, 7).net == 1
    assert fed(check, [10, 1], 1, 9, 7).net == 1
    assert fed(check, [1, 1, 8], 3, 0, 7).net_ones == 1
    assert fed(check, [1, 8, 8], 3, 0, 7).net_ones == 0


@pytest.mark.rule("CB-CHECK-12")
def test_a_10_cancelled_by_a_1_still_earns_its_bonus_die():
    assert fed(check, [1, 10, 8], 2, 0, 7).net == 1
    failed = fed(check, [1, 10, 3], 2, 0, 7)
    assert failed.net == 0
    assert not failed.critical_failure


@pytest.mark.rule("CB-CHECK-13")
def test_critical_failure_when_1s_outnumber_successes_before_cancelling():
    assert fed(check, [1, 1, 8], 3, 0, 8).critical_failure
    assert not fed(check, [1, 8], 2, 0, 8).critical_failure
    assert not fed(check, [2, 3], 2, 0, 8).critical_failure


@pytest.mark.rule("CB-ACT-08")
def test_dice_of_a_team_form_one_pool_with_their_own_modifiers():
    throws = (Throw(2, 1, 7), Throw(1, 0, 7))
    # 6 + 1 succeeds, 1 cancels; the other model's 6 + 0 misses
    assert fed(throw, [6, 1, 6], throws).score == 0
    # the surplus 1 of the first model cancels the success of the other
    assert fed(throw, [1, 2, 7], throws).score == 0
    assert merge_throws((Throw(2, 1, 7), Throw(3, 1, 7), Throw(0, 1, 7))) == (Throw(5, 1, 7), Throw(0, 1, 7))
    team = Solver(exact=True).solve(throw, (Throw(2, 1, 7), Throw(1, 1, 7)))
    assert dict(team.chances) == dict(Solver(exact=True).solve(throw, (Throw(3, 1, 7),)).chances)


@pytest.mark.rule("CB-SPEC-06", "CB-FEAT-20")
def test_dependable_equipment_forgives_one_natural_1():
    assert fed(throw, [1, 8], (Throw(2, 0, 7, dependable=True),)).score == 1
    assert fed(throw, [1, 1, 8], (Throw(3, 0, 7, dependable=True),)).score == 0
    assert fed(throw, [4, 8], (Throw(2, 0, 7, dependable=True),)).score == 1
    defender = model(specialties=("galactic_defenders",))
    assert prepare_check(defender, "INT", 7, skill="medicine", with_equipment=True).throw.dependable
    assert not prepare_check(defender, "INT", 7).throw.dependable


@pytest.mark.rule("CB-ORDER-05")
def test_an_order_token_adds_1_to_every_die_of_one_check():
    ready = prepare_check(model(intellect="2D"), "INT", 7, order_token=True)
    assert ready.throw.modifier == 1
    assert reasons(ready.modifiers) == {"order token": 1}


@pytest.mark.rule("CB-STAT-03", "CB-STAT-06")
def test_the_ability_that_a_check_rolls():
    able = model(strength="3D", agility="2D+1", intellect="4D")
    assert prepare_check(able, "STR", 5).throw == Throw(3, 0, 5)
    assert prepare_check(able, "INT", 5).throw == Throw(4, 0, 5)
    assert initiative_check(able, 5).throw == Throw(2, 1, 5)
    by_intellect = initiative_check(able, 5, settings=Settings(initiative_check_ability="INT"))
    assert by_intellect.throw == Throw(4, 0, 5)


@pytest.mark.rule("CB-STAT-04")
def test_the_value_of_an_ability_is_its_dice():
    assert model(intellect="2D+1").profile.intellect.value == 2
    assert model(intellect="3D+1").profile.intellect.value == 3


@pytest.mark.rule("CB-FEAT-12", "CB-FEAT-21", "CB-FEAT-37", "CB-FEAT-56", "CB-FEAT-58", "CB-FEAT-63")
def test_features_that_give_advantage():
    def pool(feature, ability="INT", **how):
        return prepare_check(model(features=(feature,), psionic="1D"), ability, 7, **how).throw.pool

    assert pool("brave", nerve="panic") == 2
    assert pool("brave") == 1
    assert pool("disciplined") == 2
    assert pool("disciplined", skill="medicine") == 1
    assert pool("disciplined", skill="medicine", settings=Settings(disciplined_skill_checks=True)) == 2
    assert pool("master_mechanic", skill="engineering") == 2
    assert pool("surgeon", skill="medicine") == 2
    assert pool("surgeon", skill="technology") == 1
    assert pool("tech_savvy", skill="technology") == 2
    assert pool("focused", ability="PSI", skill="psionics") == 2


@pytest.mark.rule("CB-FEAT-11", "CB-FEAT-23", "CB-FEAT-42")
def test_features_that_make_a_9_critical():
    def from_face(feature, skill, ability="INT"):
        return prepare_check(
            model(features=(feature,), psionic="1D"), ability, 7, skill=skill
        ).throw.critical_from

    assert from_face("brainiac", "psionics", "PSI") == 9
    assert from_face("doc", "medicine") == 9
    assert from_face("doc", "technology") == 10
    assert from_face("prodigy", "technology") == 9
    assert fed(throw, [9, 9, 2], (Throw(1, 0, 12, critical_from=9),)).score == 2


@pytest.mark.rule("CB-WEAP-18")
def test_the_scepter_adds_its_bearers_level_to_intellect():
    leader = armed(1, 1, "neiran_scepter", rank="hero", intellect="2D")
    assert prepare_check(leader, "INT", 7).throw.modifier == 2
    assert prepare_check(leader, "AGL", 7).throw.modifier == 0


@pytest.mark.rule("CB-COND-02", "CB-PANIC-11")
def test_conditions_burden_checks():
    assert prepare_check(model(agility="2D", under=(Condition.PANICKED,)), "AGL", 7).throw.pool == 1
    blinded = model(intellect="2D", under=(Condition.BLINDED,))
    assert prepare_check(blinded, "INT", 7, needs_sight=True).throw.pool == 1
    assert prepare_check(blinded, "INT", 7).throw.pool == 2


@pytest.mark.rule("CB-CHECK-15")
def test_criticals_switched_off():
    rally_like = fed(throw, [10, 1, 3], (Throw(3, 0, 7),), criticals=False)
    assert rally_like == CheckResult(1)


TEAMS = [
    ((Throw(1, 0, 7), Throw(1, 2, 7)), ()),
    ((Throw(1, 0, 7), Throw(1, 2, 7)), ("criticals", "misses")),
    ((Throw(1, 0, 7, dependable=True), Throw(1, 1, 6)), ()),
    ((Throw(1, 0, 7, dependable=True), Throw(1, 1, 6, dependable=True)), ("criticals",)),
]


@pytest.mark.rule("CB-CHECK-01", "CB-ACT-08", "CB-SPEC-06")
@pytest.mark.parametrize(("team", "count"), TEAMS, ids=str)
def test_a_team_is_added_up_as_its_dice_fall(team: tuple[Throw, ...], count: tuple[str, ...]) -> None:
    expected = brute(throw, team, count=count)
    solved = Solver(exact=True).solve(throw, team, count=count)
    assert dict(solved.chances) == expected


@pytest.mark.parametrize("count", [(), ("criticals",)])
def test_a_team_with_empty_pools_and_wider_criticals_comes_to_what_the_rule_does(
    count: tuple[str, ...],
) -> None:
    team = (Throw(2, 0, 7, critical_from=9), Throw(0, 1, 6), Throw(2, 2, 8, dependable=True))
    walked = Solver().walked(throw, (team,), {"count": count})
    solved = Solver().solve(throw, team, count=count)
    for outcome in {*walked, *solved.chances}:
        assert solved.chances.get(outcome, 0) == pytest.approx(walked.get(outcome, 0), abs=1e-8)


def test_twelve_unlike_with_criticals_are_a_small_question() -> None:
    """Counted work: the table works out three million possibilities."""
    team = tuple(Throw(2 + n % 3, n % 5, 7, critical_from=10 - n % 2) for n in range(12))
    assert (
        Solver(work=600_000).solve(throw, team, count=("criticals",)).chance(lambda got: got.net > 2) > 0.99
    )
