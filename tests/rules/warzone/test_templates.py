from dataclasses import replace
from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Gain, Harm, Leave, Propose
from rules.refusals import Forbidden
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.ranged import Shot, prepare_shot
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.templates import (
    Deviation,
    TemplateAttack,
    TemplateResult,
    after_template,
    blast,
    deviation,
    direction,
    on_vehicle,
    prepare_template,
    template_attack,
)
from rules.systems.warzone.vehicles import Hull, attack_vehicle
from tests.rules.helpers import brute, fed
from tests.rules.warzone.build import PLAIN, RIFLE, model

MORTAR = Weapon("Mortar", 12, 1, (0,) * 5, flags=("template",))
FLAME = Weapon("Flamer", 12, 1, (0,) * 5, flags=("template", "no_roll", "no_deviation"))


def shot(weapon=MORTAR, firer=None):
    return Shot(firer or model(1), model(2, side=2), weapon, 20)


@pytest.mark.rule("WZ-TMPL-01")
def test_a_hit_strikes_everyone_under_the_template():
    friend, foe = model(3, ar=20), model(4, side=2, ar=22)
    numbers = prepare_template(shot(), (friend, foe), PLAIN)
    assert (numbers.limit, numbers.dm, numbers.armours) == (8, 12, (20, 22))
    result = fed(template_attack, [8, 9, 10], numbers)  # saves on 8 and on 10
    assert result == TemplateResult(Grade.SUCCESS, (1, 0))
    effects = after_template(shot(), (friend, foe), result, PLAIN)
    assert effects[:2] == (Harm(3, 1), Leave(3, "casualty"))
    with pytest.raises(Forbidden):
        prepare_template(shot(RIFLE), (), PLAIN)
    with pytest.raises(Forbidden):
        prepare_shot(shot(), PLAIN)


@pytest.mark.rule("WZ-TMPL-01", "WZ-VEH-02", "WZ-CRIT-02")
def test_a_vehicle_under_the_template_breaks_as_vehicles_do():
    tank, grunt = model(5, traits=("vehicle",), wd=4, ar=24), model(3, ar=20)
    numbers = prepare_template(shot(), (tank, grunt), PLAIN)
    assert numbers.armours == (20,)
    result = fed(template_attack, [8, 8], numbers)
    proposed = after_template(shot(), (tank, grunt), result, PLAIN)[0]
    assert isinstance(proposed, Propose)
    assert (proposed.action, proposed.model) == ("vehicle_hit", 5)
    # AR 24 - DM 12: a 14 fails by 2, steering; DM 16 with a natural 1: a 9 fails by 1, cosmetic
    assert fed(attack_vehicle, [14], on_vehicle(tank, numbers, PLAIN), Hull(4)).hull.hits[0] == 1
    critical = on_vehicle(tank, numbers, PLAIN, critical=True)
    assert fed(attack_vehicle, [9], critical, Hull(4)).hull == Hull(3)


@pytest.mark.rule("WZ-CRIT-02")
def test_natural_1_adds_4_dm_for_everyone():
    numbers = TemplateAttack(8, 12, (20, 22))
    # DM 16: saves on 4 and on 6
    assert fed(template_attack, [1, 5, 6], numbers).wounds == (1, 0)
    assert fed(template_attack, [1, 4, 7], numbers).wounds == (0, 1)
    jet = prepare_template(shot(FLAME, model(1, ["fumbled"])), (model(4),), PLAIN)
    assert fed(template_attack, [10], jet) == TemplateResult(Grade.SUCCESS, (0,))
    kept = after_template(shot(FLAME, model(1, ["fumbled"])), (), TemplateResult(Grade.SUCCESS), PLAIN)
    assert Gain(1, "fumbled", 0, "its next attack roll") in kept


@pytest.mark.rule("WZ-TMPL-02", "WZ-DEV-01")
def test_a_miss_deviates():
    numbers = TemplateAttack(8, 12, (20, 22))
    result = fed(template_attack, [9, 17, 3], numbers)
    assert result.deviation == Deviation(3, 12, 7)
    proposal = next(e for e in after_template(shot(), (), result, PLAIN) if isinstance(e, Propose))
    assert proposal.action == "blast"
    assert "7 in away, towards 3 o'clock" in proposal.reason
    assert fed(blast, [8, 9], 12, (20, 20)) == (0, 1)
    fumble = fed(template_attack, [20, 10, 12], numbers)
    assert (fumble.grade, fumble.deviation) == (Grade.FUMBLE, Deviation(12, 12, 0))
    assert Gain(1, "fumbled", 0, "its next attack roll") in after_template(shot(), (), fumble, PLAIN)
    assert fed(template_attack, [9], TemplateAttack(8, 12, (), sides=0)) == TemplateResult(Grade.FAILURE)


@pytest.mark.rule("WZ-DEV-01")
def test_deviation():
    assert fed(deviation, [10, 12], 12) == Deviation(12, 12, 0)
    assert fed(deviation, [20, 6], 12).inches == 0
    assert fed(deviation, [19, 3], 12).degrees == 90
    assert Deviation(12, 12, 0).degrees == 0
    assert (Deviation(1, 8, 2).degrees, str(Deviation(3, 8, 2))) == (0, "2 in away, towards E")
    assert str(Deviation(90, 360, 5)) == "5 in away, at 90 degrees"
    assert fed(direction, [4], 8).degrees == 135
    odds = brute(deviation, 8)
    assert set(odds.values()) == {Fraction(1, 80)}
    assert Solver(exact=True).solve(deviation, 8).chances == odds
    compass = prepare_template(shot(), (), Settings(deviation_direction="compass8"))
    assert compass.sides == 8


@pytest.mark.parametrize(
    "numbers", [TemplateAttack(8, 12, (20, 22)), TemplateAttack(6, 12, (25,), hits=2, sides=0, fumbled=True)]
)
@pytest.mark.rule("WZ-TMPL-01", "WZ-TMPL-02", "WZ-CRIT-02")
def test_template_solved_equals_brute_force(numbers):
    assert Solver(exact=True).solve(template_attack, numbers).chances == brute(template_attack, numbers)


def test_the_odds_of_one_model_do_not_depend_on_the_others() -> None:
    numbers = TemplateAttack(8, 12, (14, 20, 16), 2)
    both = Solver(exact=True).solve(template_attack, numbers)
    for place, ar in enumerate(numbers.armours):
        alone = Solver(exact=True).solve(template_attack, replace(numbers, armours=(ar,)))
        assert (
            alone.map(lambda done: done.wounds).chances
            == both.map(
                lambda done, k=place: done.wounds[k : k + 1]  # type: ignore[misc]
            ).chances
        )
