""""""

from __future__ import annotations

import pytest

from rules.dice import Solver
from rules.effects import Gain, Leave
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.impacts import UNHURT, Impact, Suffered
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.shooting.shooting import Mark, Volley, prepare_volley
from rules.systems.counterblast.shooting.templates import (
    SPRAY_INCHES,
    Cast,
    Landing,
    Under,
    Victim,
    after_engulfing,
    after_void,
    blast,
    deliver,
    engulf,
    engulf_wounds,
    last_on_line,
    line,
    prepare_blast,
    prepare_cast,
    prepare_victim,
    prepare_void,
    scatter,
    void,
    void_shot,
)
from tests.rules.counterblast.arena import armed, weapon
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed

GUNNER = armed(1, 1, "rocket_launcher_arc_burst", agility="2D+1")
ROCKET, GRENADE, FLAMER = "rocket_launcher_particle_burst", "grenade", "flamethrower"


def cast(key, inches=6.0, firer=GUNNER, **how):
    return Cast(firer, weapon(key), inches, **how)


def damage(key, target=None, partly=False, cover=0, **how):
    return prepare_victim(cast(key, **how), Under(target or model(2, 2), partly, cover)).victim


@pytest.mark.rule("CB-TMPL-01", "CB-STAT-06")
def test_partly_covered_models_may_escape():
    partly = damage(GRENADE, model(2, 2, agility="2D"), partly=True)
    assert partly.escape == Throw(2, 0, 7)
    assert fed(engulf, [7, 2], partly) == UNHURT
    # no escape on 6 and 2; the one damage die is 6 + 1 at Defense 7
    assert fed(engulf, [6, 2, 6], partly) == Suffered(1, through=1, caught=True)
    assert damage(GRENADE).escape is None


@pytest.mark.rule("CB-TMPL-02", "CB-CHECK-15")
def test_damage_dice_at_the_defense_of_each_model():
    # rating 3D+2 for every affected model
    victims = tuple(Victim(n, None, Throw(3, 2, 7), Impact(None)) for n in (2, 3))
    assert fed(blast, [5, 4, 1, 10, 2, 2, 5], victims) == (
        Suffered(1, through=1, caught=True),
        Suffered(2, through=2, caught=True),
    )
    cannon = damage("gamma_disruptor_cannon", model(2, 2, defense=9))
    assert cannon.damage == Throw(2, 1, 9)


@pytest.mark.rule("CB-TMPL-03", "CB-SHOOT-12")
def test_sprays_are_placed_without_a_roll():
    assert prepare_cast(cast(FLAMER)).needed == 0
    assert prepare_cast(cast(FLAMER)).roll is None
    assert SPRAY_INCHES == (8.0, 2.5)
    with pytest.raises(Forbidden, match="out of sight"):
        prepare_cast(cast(FLAMER, indirect="blind"))


@pytest.mark.rule("CB-TMPL-04")
def test_a_line_goes_on_while_it_wounds():
    victims = tuple(Victim(n, None, Throw(1, 0, 7), Impact(5, shields=1)) for n in (2, 3, 4))
    # wounded; then the wound is stopped by a shield die, and the line ends
    assert fed(line, [8, 2, 8, 5], victims) == (
        Suffered(1, through=1, caught=True),
        Suffered(1, stopped=1, caught=True),
        UNHURT,
    )
    assert prepare_cast(cast("particle_beam_cannon")).needed == 0


@pytest.mark.rule("CB-TMPL-04")
def test_odds_of_a_line():
    victims = tuple(Victim(n, None, Throw(1, 0, 7), Impact(None)) for n in (2, 3))
    # each wound with 4/10, and the second only where the first was wounded
    assert Solver().solve(last_on_line, victims[:1], 1).chance(bool) == pytest.approx(0.4)
    assert Solver().solve(last_on_line, victims, 1).chance(bool) == pytest.approx(0.16)


@pytest.mark.rule("CB-TMPL-05")
def test_a_round_template_needs_one_success_or_two_at_long_range():
    near, far = prepare_cast(cast(ROCKET, 12)), prepare_cast(cast(ROCKET, 12.5))
    assert (near.throws, near.needed, near.width) == ((Throw(2, 1, 7),), 1, 3)
    assert (far.throws, far.needed) == ((Throw(2, 1, 7),), 2)
    penalty = prepare_cast(cast(ROCKET, 12.5), Settings(template_long_penalty=True))
    assert penalty.throws == (Throw(2, 0, 7),)
    assert fed(deliver, [6, 2], near.throws, 1, 3) == Landing("on the spot")
    assert fed(deliver, [6, 2, 9, 1], far.throws, 2, 3) == Landing("scattered", 9, 3)
    with pytest.raises(Forbidden, match="reaches 24 in"):
        prepare_cast(cast(ROCKET, 25))


@pytest.mark.rule("CB-TMPL-06")
def test_a_critical_failure_centres_it_on_the_firer():
    assert fed(deliver, [1, 3], (Throw(2, 1, 7),), 1, 3) == Landing("on the firer")


@pytest.mark.rule("CB-TMPL-07")
def test_scatter_by_widths():
    def inches(face, width=5):
        return fed(scatter, [12, face], width).inches

    assert [inches(face) for face in (1, 3, 4, 6, 7, 10)] == [5, 5, 10, 10, 15, 15]
    assert inches(7, 3) == 9
    odds = Solver().solve(scatter, 3)
    assert odds.chance(lambda landing: landing.inches == 9) == pytest.approx(0.4)
    assert odds.chance(lambda landing: landing.clock == 12) == pytest.approx(1 / 12)


@pytest.mark.rule("CB-TMPL-08")
def test_grenades_need_one_success_at_5():
    thrown = prepare_cast(cast(GRENADE, 8))
    assert (thrown.throws, thrown.needed, thrown.width) == ((Throw(2, 1, 5),), 1, 3)


@pytest.mark.rule("CB-SHOOT-13", "CB-FEAT-48")
def test_indirect_fire_with_a_spotter():
    eyes = model(3, 1, features=("spotter",))
    grenade = prepare_cast(cast(GRENADE, 8, indirect="spotter", spotter=eyes))
    assert (grenade.throws[0].target, grenade.needed) == (7, 1)
    assert prepare_cast(cast(ROCKET, 20, indirect="spotter", spotter=eyes)).needed == 2
    for wrong in (None, model(3, 1), model(3, 2, features=("spotter",))):
        with pytest.raises(Forbidden, match="Spotter"):
            prepare_cast(cast(ROCKET, indirect="spotter", spotter=wrong))


@pytest.mark.rule("CB-SHOOT-12", "CB-SHOOT-14")
def test_indirect_fire_without_a_spotter_always_scatters():
    blind = prepare_cast(cast(ROCKET, indirect="blind"))
    assert blind.throws == ()
    assert fed(deliver, [3, 5], blind.throws, blind.needed, blind.width) == Landing("scattered", 3, 6)


@pytest.mark.rule("CB-SHOOT-15")
def test_everybody_may_escape_indirect_fire():
    assert damage(ROCKET, indirect="blind").escape == Throw(1, 0, 7)


@pytest.mark.rule("CB-TMPL-10", "CB-WEAP-25")
def test_flames_hurt_the_sealed_less():
    bare = damage(FLAMER)
    assert (bare.damage, bare.impact.power) == (Throw(2, 2, 7), 7)
    for sealed in (
        model(2, 2, gear=("envirosuit",)),
        model(2, 2, types=("robot",)),
        model(2, 2, types=("cyberform",)),
    ):
        less = damage(FLAMER, sealed)
        assert (less.damage, less.impact.power) == (Throw(1, 1, 7), 5)
    with pytest.raises(Forbidden, match="under water"):
        prepare_cast(cast(FLAMER, underwater=True))


@pytest.mark.rule("CB-TMPL-10", "CB-BURN-09")
def test_who_did_not_escape_flames_burns_wounded_or_not():
    flames = cast(FLAMER)
    unhurt = fed(engulf, [2, 2], damage(FLAMER))
    assert unhurt == Suffered(0, caught=True)
    burning = [effect.condition for effect in after_engulfing(flames, model(2, 2), unhurt)]
    assert burning == ["burning"]
    wounded = fed(engulf, [9, 2], damage(FLAMER))
    assert "burning" in [
        getattr(one, "condition", "") for one in after_engulfing(flames, model(2, 2), wounded)
    ]
    escaped = fed(engulf, [7, 2], damage(FLAMER, model(2, 2, agility="2D"), partly=True))
    assert after_engulfing(flames, model(2, 2), escaped) == ()
    assert after_engulfing(flames, model(2, 2, gear=("envirosuit",)), unhurt) == ()


@pytest.mark.rule("CB-TMPL-12", "CB-TMPL-15", "CB-WEAP-27")
def test_particle_templates_hurt_the_living_more():
    assert damage("particle_beam_cannon").impact.extra == 1
    assert damage("particle_beam_cannon").damage == Throw(2, 1, 7)
    assert damage(ROCKET).impact.extra == 3
    assert damage(ROCKET).damage == Throw(1, 2, 7)
    assert damage(ROCKET, model(2, 2, types=("robot",))).impact.extra == 0


@pytest.mark.rule("CB-TMPL-11")
def test_the_gamma_cannon_takes_three_shield_dice():
    assert damage("gamma_disruptor_cannon", model(2, 2, shield=2), cover=2).impact.shields == 1
    assert prepare_cast(cast("gamma_disruptor_cannon")).width == 3


@pytest.mark.rule("CB-TMPL-13", "CB-TMPL-19", "CB-TMPL-22")
def test_arc_templates():
    for key, rating in (
        ("rocket_launcher_arc_burst", (1, 3)),
        ("arc_ray_cannon", (1, 3)),
        ("bomb_kit_ultonium_charge", (4, 3)),
    ):
        victim = damage(key)
        assert (victim.damage.pool, victim.damage.modifier) == rating
        effects = after_engulfing(cast(key), model(2, 2), Suffered(1, through=1))
        assert [effect.action for effect in effects if hasattr(effect, "action")] == ["arc"]


@pytest.mark.rule("CB-TMPL-22")
def test_the_ultonium_charge():
    """R5, 4D+3 at Power 7, and Arc bonus attacks."""
    bomb = weapon("bomb_kit_ultonium_charge")
    assert (bomb.template, bomb.template_inches, bomb.power) == ("R", 5, 7)
    thrown = damage("bomb_kit_ultonium_charge").damage
    assert (thrown.pool, thrown.modifier) == (4, 3)
    assert "arc" in bomb.effects


@pytest.mark.rule("CB-TMPL-14")
def test_the_neuralizer_rocket_stuns():
    victim = damage("rocket_launcher_neuralizer")
    assert victim.damage == Throw(1, 2, 7)
    (stunned,) = after_engulfing(cast("rocket_launcher_neuralizer"), model(2, 2), Suffered(1, through=1))
    assert stunned.condition == Condition.INCAPACITATED


@pytest.mark.rule("CB-TMPL-16", "CB-WEAP-31")
def test_void_removes_whoever_fails():
    ready = prepare_void(cast("void_cannon"), Under(model(2, 2, agility="2D")))
    assert ready.throw == Throw(2, 0, 7)
    assert fed(void, [7, 2], ready.throw) == "edge"
    assert fed(void, [6, 2], ready.throw) == "removed"
    assert prepare_void(cast("void_cannon"), Under(model(2, 2), partly=True)) is None
    assert fed(void, [], None) == "edge"
    assert after_void(model(2), "removed") == (Leave(2, "casualty"),)
    (knocked,) = after_void(model(2), "edge")
    assert knocked.condition == Condition.PRONE
    assert prepare_cast(cast("void_cannon")).width == 5
    with pytest.raises(Forbidden, match="doesn't roll damage dice"):
        damage("void_cannon")


@pytest.mark.rule("CB-TMPL-17")
def test_the_sonic_cannon_is_a_spray_of_two_dice():
    assert damage("sonic_blaster_cannon").damage == Throw(2, 0, 7)
    assert prepare_cast(cast("sonic_blaster_cannon")).needed == 0


@pytest.mark.rule("CB-TMPL-18")
def test_the_deep_grenade():
    ready = prepare_void(cast("deep_grenade"), Under(model(2, 2)))
    assert ready.throw.target == 7
    assert prepare_cast(cast("deep_grenade")).throws[0].target == 5


@pytest.mark.rule("CB-TMPL-20", "CB-FEAT-24", "CB-FEAT-25", "CB-CREW-11")
def test_emp():
    detonium = damage("bomb_kit_detonium")
    assert (detonium.damage, detonium.impact.power) == (Throw(2, 3, 7), 5)
    effects = after_engulfing(cast("bomb_kit_detonium"), model(2, 2, life=3), Suffered(1, through=1))
    assert any(isinstance(e, Gain) and e.condition == Condition.DRAINED for e in effects)
    burst = cast("emp_burst_r8")
    mekkus = model(4, 2, affiliations=("mekkus",), alignment="mekkus")
    ready = prepare_blast(burst, (Under(model(2, 2)), Under(mekkus)))
    assert [prepared.target.id for prepared in ready] == [2]
    hired = Under(model(5, 2, affiliations=("mekkus",), alignment="gcw"))
    assert prepare_blast(burst, (hired,))
    assert after_engulfing(burst, mekkus, Suffered(1, through=1)) == ()
    assert ready[0].victim.damage == Throw(2, 2, 7)
    (drained,) = after_engulfing(burst, model(2, 2), Suffered(1, through=1))
    assert drained.condition == Condition.DRAINED
    assert prepare_cast(Cast(armed(1, 1, engaged=(5,)), weapon("emp_burst_r8"))).needed == 0


@pytest.mark.rule("CB-TMPL-21")
def test_explosite_drives_back():
    explosite = damage("bomb_kit_explosite")
    assert (explosite.damage, explosite.impact.power) == (Throw(3, 3, 7), 6)
    effects = after_engulfing(cast("bomb_kit_explosite"), model(2, 2), Suffered(1, through=0))
    assert [effect.action for effect in effects if hasattr(effect, "action")] == ["knockback"]


@pytest.mark.rule("CB-FEAT-62")
def test_neuro_pulse_stuns_around_its_bearer():
    (stunned,) = after_engulfing(cast("neuro_pulse_r4"), model(2, 2), Suffered(1, through=1))
    assert stunned.condition == Condition.INCAPACITATED


def test_odds_under_a_blast_and_doubles_refused():
    odds = Solver().solve(engulf_wounds, Victim(2, None, Throw(1, 0, 7), Impact(None)), 1)
    assert odds.chances[1] == pytest.approx(0.4)
    with pytest.raises(InvalidInput):
        prepare_blast(cast(GRENADE), (Under(model(2, 2)), Under(model(2, 2))))


@pytest.mark.rule("CB-WEAP-32")
def test_a_void_rifle_treats_its_target_as_wholly_covered():
    hunter = armed(1, 1, "void_rifle", agility="2D")
    ready = prepare_volley(Volley(hunter, (Mark(model(2, 2), weapon("void_rifle"), 6),))).rolls[0]
    escape = Throw(1, 0, 7)
    assert fed(void_shot, [6, 2], ready.throws, escape) == "missed"
    assert fed(void_shot, [7, 2, 7], ready.throws, escape) == "edge"
    assert fed(void_shot, [7, 2, 6], ready.throws, escape) == "removed"
    assert fed(void_shot, [7, 2], ready.throws, None) == "removed"
    assert after_void(model(2), "missed") == ()
