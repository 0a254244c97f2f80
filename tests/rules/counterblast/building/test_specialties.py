import pytest

from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.crew import (
    NAMES,
    REROLLED,
    AfterWin,
    after_reroll,
    after_win,
    check_specialties,
    extra_tokens,
    may_reroll,
    outnumbering_sides,
    psionic_powers,
    specialties_allowed,
)
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import CrewTraits
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.panic import (
    panic_level,
    panic_reduction,
    prepare_panic_test,
    prepare_rally,
)
from rules.systems.counterblast.core.profile import Rating
from rules.systems.counterblast.turn.bag import fill
from tests.rules.counterblast.field import model


def crew(*specialties, **changes):
    return CrewTraits(frozenset(specialties), **changes)


@pytest.mark.rule("CB-SPEC-01", "CB-CREW-10")
@pytest.mark.parametrize(
    ("points", "allowed"), [(150, 1), (200, 1), (299, 1), (300, 2), (350, 2), (398, 2), (420, 3), (800, 7)]
)
def test_how_many_specialties(points, allowed):
    assert specialties_allowed(points) == allowed
    assert specialties_allowed(points, gcw_aligned=True) == allowed + 1


@pytest.mark.rule("CB-SPEC-01", "CB-CREW-10")
def test_too_many_or_unknown_specialties_are_refused():
    two = crew("lancers", "pirates")
    check_specialties(two, 350)
    check_specialties(crew("lancers", "pirates", alignment="gcw"), 200)
    with pytest.raises(Forbidden) as refusal:
        check_specialties(two, 299)
    assert refusal.value.rule == "CB-SPEC-01"
    with pytest.raises(InvalidInput):
        check_specialties(crew("gardeners"), 900)
    with pytest.raises(InvalidInput):
        specialties_allowed(-1)


def test_the_names_are_those_of_the_data():
    assert {note.key: note.name for note in load().specialties} == NAMES


@pytest.mark.rule("CB-SPEC-12")
def test_marauders_choose_strength_or_agility_once():
    strong, quick = crew("marauders", marauder="strength"), crew("marauders", marauder="agility")
    for traits, ability in ((strong, "STR"), (quick, "AGL")):
        check_specialties(traits, 200)
        for other in ("STR", "AGL", "INT"):
            assert prepare_check(model(crew=traits), other, 5).throw.modifier == int(other == ability)
    with pytest.raises(Forbidden):
        check_specialties(crew("marauders"), 200)


@pytest.mark.rule("CB-SPEC-02", "CB-SPEC-13", "CB-SPEC-21")
@pytest.mark.parametrize(
    ("specialty", "skill"),
    [
        ("emergency_medical_team", "medicine"),
        ("engineering_team", "engineering"),
        ("science_team", "technology"),
    ],
)
def test_heroes_re_roll_one_failed_check_of_their_teams_skill_in_an_encounter(specialty, skill):
    hero = model(rank="hero", specialties=(specialty,))
    assert may_reroll(hero, skill)
    assert [may_reroll(hero, other) for other in ("medicine", "engineering", "technology")].count(True) == 1
    assert not may_reroll(model(specialties=(specialty,)), skill)  # a Lackey
    assert not may_reroll(model(rank="hero"), skill)
    (mark,) = after_reroll(hero, skill)
    assert not may_reroll(
        model(rank="hero", specialties=(specialty,), counters={mark.key: mark.amount}), skill
    )
    assert mark.key == REROLLED.of(skill)


@pytest.mark.rule("CB-SPEC-05", "CB-PANIC-03")
def test_galactic_defenders_lower_the_panic_level_but_not_below_0():
    defenders = crew("galactic_defenders")
    lost = (model(1, rank="hero"), model(2))
    assert panic_level(lost, crew()) == 3
    assert panic_level(lost, defenders) == 2
    assert panic_level((), defenders) == 0
    assert [part.rule for part in panic_reduction(defenders)] == ["CB-SPEC-05"]


@pytest.mark.rule("CB-SPEC-09")
def test_intrepid_explorers_are_brave():
    explorer = model(specialties=("intrepid_explorers",), intellect="2D")
    assert prepare_panic_test(explorer, 3).throw.pool == 3
    assert prepare_rally(model(under=("panicked",), specialties=("intrepid_explorers",))).throw.pool == 2
    assert prepare_check(explorer, "INT", 7).throw.pool == 2  # no other INT check


@pytest.mark.rule("CB-SPEC-10", "CB-SPEC-22")
def test_lancers_and_scouting_parties_have_two_more_tokens():
    assert extra_tokens(crew()) == 0
    assert extra_tokens(crew("lancers")) == extra_tokens(crew("scouting_party")) == 2
    assert extra_tokens(crew("lancers", "scouting_party")) == 4
    assert fill((3, 4), (extra_tokens(crew("lancers")), 0)).tokens == (5, 4)


@pytest.mark.rule("CB-SPEC-15", "CB-SPEC-22")
def test_features_given_by_specialties():
    hero, lackey = model(rank="hero", specialties=("pirates",)), model(specialties=("pirates",))
    for feature in ("ferocious", "scary"):
        assert hero.has_feature(feature)
        assert not lackey.has_feature(feature)
    assert model(specialties=("scouting_party",)).has_feature("infiltrator")


@pytest.mark.rule("CB-SPEC-16")
def test_who_outnumbers_whom_in_a_melee():
    two, one = (model(1), model(2)), model(3, side=2)
    assert outnumbering_sides((*two, one)) == {1}
    assert outnumbering_sides((two[0], one)) == set()
    # those out of action do not count
    assert outnumbering_sides((two[0], model(2, damage=9), one)) == set()
    # more than all the opponents together
    assert outnumbering_sides((*two, one, model(4, side=3))) == set()


@pytest.mark.rule("CB-SPEC-18")
def test_a_psionic_experiment_adds_a_modifier_and_a_power():
    traits = crew("psionic_experiment")
    assert psionic_powers(traits, Rating.parse("2D+1")) == 3
    assert psionic_powers(crew(), Rating.parse("2D+1")) == 2
    psion = model(crew=traits, psionic="2D")
    assert prepare_check(psion, "PSI", 7, skill="psionics").throw.modifier == 1


def won(specialty, *survivors, leader=True):
    return after_win(crew(specialty), survivors, leader_survived=leader)


@pytest.mark.rule("CB-SPEC-03")
def test_an_emergency_medical_team_with_a_medic_left():
    team = "emergency_medical_team"
    assert won(team, model(features=("doc",))) == AfterWin(casualty_all=1)
    assert won(team, model(features=("surgeon",)), leader=False) == AfterWin(casualty_all=1)
    assert won(team, model(powers=("heal",))) == AfterWin(casualty_all=1)
    assert won(team, model()) == AfterWin()
    assert won(team, model(features=("doc",), damage=2)) == AfterWin()


@pytest.mark.rule("CB-SPEC-14")
def test_an_engineering_team_with_a_fixer_left():
    assert won("engineering_team", model(features=("master_mechanic",))) == AfterWin(casualty_robots=1)
    assert won("engineering_team", model()) == AfterWin()


@pytest.mark.rule("CB-SPEC-11", "CB-SPEC-17", "CB-SPEC-20")
def test_what_needs_the_leader_on_the_table():
    assert won("lancers") == AfterWin(softer=True)
    assert won("pirates") == AfterWin(harsher=True)
    assert won("salvage_team") == AfterWin(searches=1)
    for specialty in ("lancers", "pirates", "salvage_team"):
        assert won(specialty, leader=False) == AfterWin()
