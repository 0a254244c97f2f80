from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Gain, Lose, Propose
from rules.refusals import Forbidden
from rules.systems.warzone.attacks import AttackResult, attack, save_die, save_margin, saves
from rules.systems.warzone.close_combat import (
    BreakAway,
    Strike,
    after_break_away,
    after_striking,
    attackers_allowed,
    break_away,
    charge,
    prepare_break_away,
    prepare_strike,
    side_modifiers,
)
from rules.systems.warzone.model import expire
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.settings import Settings
from tests.rules.helpers import brute, fed
from tests.rules.warzone.build import PLAIN, RIFLE, SWORD, model


def strike(attacker=None, target=None, weapon=SWORD, **more):
    return Strike(attacker or model(1), target or model(2, side=2, squad=2), weapon, **more)


def limit(*args, **kwargs):
    return prepare_strike(strike(*args, **kwargs), PLAIN).limit


@pytest.mark.rule("WZ-CC-01", "WZ-DMG-01")
def test_strike_then_armour():
    numbers = prepare_strike(strike(), PLAIN)
    # CC 8; sword 6 + ST 5 = 11 against AR 22: 11 or less saves
    assert (numbers.limit, numbers.dm, numbers.ar, numbers.shots) == (8, 11, 22, 1)
    assert fed(attack, [8, 11], numbers).wounds == 0
    assert fed(attack, [8, 12], numbers).wounds == 1
    assert fed(attack, [9], numbers).wounds == 0
    odds = Solver(exact=True).solve(attack, numbers).chances
    assert odds == brute(attack, numbers)
    assert sum(p for result, p in odds.items() if result.wounds) == Fraction(8, 20) * Fraction(9, 20)
    with pytest.raises(Forbidden):
        limit(weapon=RIFLE)


@pytest.mark.rule("WZ-CRIT-03")
def test_natural_1_hits_without_more_dm():
    weak = prepare_strike(strike(model(1, cc=0)), PLAIN)
    assert fed(attack, [1, 11], weak) == AttackResult(1, 1, 0, False)
    hard = prepare_strike(strike(), Settings(cc_crit_dm=4))
    assert fed(attack, [1, 11], hard).wounds == 1


@pytest.mark.rule("WZ-CC-02")
@pytest.mark.parametrize(("attackers", "bonus"), [(1, 0), (2, 1), (3, 2), (4, 3), (7, 3)])
def test_several_attackers(attackers, bonus):
    assert limit(attackers=attackers) == 8 + bonus


@pytest.mark.rule("WZ-CC-03", "WZ-CC-09")
def test_charge_bonus():
    charger = model(1, [("charged", 2)])
    assert limit(charger) == 9
    plain = charge(model(1), model(2, side=2), PLAIN)
    assert Gain(1, "charged", 2, "activation") in plain
    across = charge(model(1), model(2, side=2), PLAIN, across_cover=True)
    assert across == (Gain(1, "engaged"), Gain(2, "engaged"))
    assert not any(isinstance(effect, Propose) for effect in plain)
    included = charge(model(1), model(2, side=2), Settings(charge_includes_attack=True))
    assert any(isinstance(effect, Propose) and effect.action == "fight" for effect in included)
    assert Lose(1, "charged") in after_striking(charger, PLAIN, fumbled=False)
    kept = after_striking(charger, Settings(charge_bonus_scope="activation"), fumbled=False)
    assert Lose(1, "charged") not in kept
    assert Lose(1, "charged") in expire(charger, "activation")


@pytest.mark.rule("WZ-CC-03", "WZ-MOVE-01", "WZ-SYS-04")
def test_who_may_not_charge():
    for charger, rule in (
        (model(1, ["prone"]), "WZ-MOVE-01"),
        (model(1, counters=[("system.engine", 3)]), "WZ-SYS-04"),
    ):
        with pytest.raises(Forbidden) as refusal:
            charge(charger, model(2, side=2), PLAIN)
        assert refusal.value.rule == rule


@pytest.mark.rule("WZ-CC-04")
def test_first_attack_from_concealment():
    hidden = model(1, ["concealed"])
    assert limit(hidden) == 10
    assert Lose(1, "concealed") in after_striking(hidden, PLAIN, fumbled=False)


@pytest.mark.rule("WZ-CC-05", "WZ-UNH-04", "WZ-UNH-05")
def test_nerves_of_the_attacker():
    assert limit(model(1, ["panicked"])) == 5
    assert limit(model(1, ["broken"])) == 2
    assert limit(model(1, ["broken"]), enemy_in_sight=False) == 8
    assert limit(model(1, ["broken", "forced_regression"])) == 0
    assert limit(model(1, ["broken", "derangement"])) == 2
    assert limit(target=model(2, ["broken"])) == 8


@pytest.mark.rule("WZ-CC-06", "WZ-PRES-01", "WZ-PRES-02")
def test_presence():
    assert limit(model(1, ["minimized"])) == 6
    assert limit(target=model(2, ["minimized"])) == 8
    assert limit(target=model(2, ["prone"])) == 12
    with pytest.raises(Forbidden) as refusal:
        limit(model(1, ["prone"]))
    assert refusal.value.rule == "WZ-CC-06"


@pytest.mark.rule("WZ-CC-07", "WZ-CRIT-04")
def test_after_a_fumble():
    numbers = prepare_strike(strike(model(1, ["fumbled"])), PLAIN)
    assert fed(attack, [5], numbers) == AttackResult(0, 0, 0, False)
    assert fed(attack, [4, 20], numbers).hits == 1
    assert Gain(1, "fumbled", 0, "its next attack roll") in after_striking(model(1), PLAIN, fumbled=True)


@pytest.mark.rule("WZ-CC-08")
def test_secondary_attack():
    assert limit(secondary=True) == 4


@pytest.mark.rule("WZ-CC-10", "WZ-CC-11", "WZ-CC-12")
def test_how_many_may_attack():
    assert attackers_allowed(2, (2,), PLAIN) == 4
    assert attackers_allowed(3, (2,), PLAIN) == 5
    assert attackers_allowed(2, (2, 5), PLAIN) == 1
    assert attackers_allowed(0, (9,), PLAIN) == 1
    assert attackers_allowed(3, (2,), PLAIN, place="wall") == 3
    assert attackers_allowed(3, (2,), Settings(wall_rounding="down"), place="wall") == 2
    doorway = [attackers_allowed(2, (size,), PLAIN, place="doorway") for size in (1, 2, 3)]
    assert doorway == [2, 2, 1]


@pytest.mark.rule("WZ-DMG-07")
def test_strength_adds_to_damage():
    claws = Weapon("Claws", 9, flags=("close", "natural"))
    assert prepare_strike(strike(weapon=claws), PLAIN).dm == 9
    assert prepare_strike(strike(), Settings(cc_adds_st=False)).dm == 6


@pytest.mark.rule("WZ-DMG-01", "WZ-DMG-02", "WZ-DMG-03", "WZ-DMG-05")
def test_armour_save():
    assert fed(saves, [9, 10], 2, 22, 13) == 1  # 9 or less saves
    assert fed(saves, [5, 6], 2, 22, 17) == 1  # critical: 5 or less
    assert fed(saves, [1, 2], 2, 10, 15) == 1  # only a natural 1
    assert fed(saves, [20], 1, 33, 13) == 0  # 20 need not fail
    assert fed(saves, [20], 1, 32, 13) == 1
    assert save_margin(14, 24, 15) == 5
    assert save_margin(1, 10, 15) == 0
    assert sum(facet.adds[0] for facet in save_die(9).facets) == 11
    assert Solver(exact=True).solve(saves, 2, 22, 13).chances == brute(saves, 2, 22, 13)


@pytest.mark.rule("WZ-BREAK-01", "WZ-BREAK-02")
def test_breaking_away():
    small, big = model(1, cc=8, st=5, sz=2), model(2, side=2, cc=10, st=7, sz=4)
    numbers = prepare_break_away(small, (big,), PLAIN)
    assert numbers == BreakAway((15,), (17,))
    assert fed(break_away, [10, 7], numbers) is True  # 25 against 24
    assert fed(break_away, [10, 9], numbers) is False
    assert fed(break_away, [10, 8, 12, 3], numbers) is True  # 25 each, again
    assert prepare_break_away(small, (), PLAIN).theirs == ()
    assert fed(break_away, [], prepare_break_away(small, (), PLAIN)) is True
    # 2 behind: 153 of 400 win, 18 tie
    defender = BreakAway((15,), (17,), reroll_ties=False)
    assert brute(break_away, defender)[True] == Fraction(153, 400)
    assert Solver(exact=True).solve(break_away, defender).chances == brute(break_away, defender)
    assert abs(Solver().solve(break_away, numbers).chances[True] - 153 / 382) < 1e-9
    bigger = prepare_break_away(big, (small,), PLAIN)
    assert bigger == BreakAway((17,), (13,))


@pytest.mark.rule("WZ-BREAK-01", "WZ-PRES-02")
def test_break_away_modifiers_and_several_opponents():
    held = model(1, ["prone", "panicked"], cc=9)
    assert sum(each.amount for each in side_modifiers(held, PLAIN)) == -4 - 3  # 9 counts 5
    assert sum(each.amount for each in side_modifiers(held, Settings(half_cc_rounding="down"))) == -5 - 3
    assert sum(each.amount for each in side_modifiers(model(1, ["minimized"]), PLAIN)) == -2
    two = BreakAway((10, 10), (10, 10))
    assert fed(break_away, [10, 5, 10, 5], two) is True
    assert fed(break_away, [10, 5, 5, 10], two) is False
    assert fed(break_away, [5, 10], two) is False


@pytest.mark.rule("WZ-BREAK-03", "WZ-BREAK-01")
def test_after_breaking_away():
    leaver, opponent = model(1, ["engaged"]), model(2, ["engaged"], side=2)
    assert after_break_away(leaver, (opponent,), PLAIN, broke_away=False) == ()
    assert after_break_away(leaver, (opponent,), PLAIN, broke_away=True) == (
        Lose(1, "engaged"),
        Lose(2, "engaged"),
    )
    assert (
        after_break_away(leaver, (), Settings(breakaway_includes_move=True), broke_away=True)[1].action
        == "move"
    )


@pytest.mark.rule("WZ-BREAK-04")
def test_vehicles_leave_without_a_test():
    tank = model(1, traits=("vehicle",))
    assert prepare_break_away(tank, (model(2, side=2),), PLAIN).theirs == ()
