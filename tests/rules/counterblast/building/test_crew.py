""""""

from __future__ import annotations

import pytest

from rules.effects import Assign, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.crew import (
    REROLL_COUNTERS,
    SPECIALTY_NAMES,
    AfterWin,
    Member,
    add_up_points,
    check_crew,
    check_specialties,
    count_allowed_specialties,
    count_extra_tokens,
    count_new_recruits,
    count_psionic_powers,
    find_leader,
    find_outnumbering_sides,
    find_succession,
    find_win_benefits,
    get_command_range,
    has_vehicle_slots,
    is_immune_to_emp,
    list_affiliations_of_types,
    list_alignments,
    lose_leader,
    may_lead,
    may_reroll,
    name_free_recruit,
    name_leader,
    name_size,
    needs_uplink,
    prepare_uplink,
    require_alignment,
    require_uplink_action,
    roll_uplink,
    use_reroll,
)
from rules.systems.counterblast.building.draft import build_profile, start_hero
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import CrewTraits
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.panic import (
    is_disposable,
    panic_level,
    panic_reduction,
    prepare_panic_test,
    prepare_rally,
)
from rules.systems.counterblast.core.profile import Rating
from rules.systems.counterblast.turn.bag import fill
from tests.rules.counterblast.field import model, statblock
from tests.rules.helpers import fed


def member(points, rank="hero", affiliations=("gcw",), **changes):
    return Member(statblock(rank=rank, affiliations=affiliations, **changes), points)


@pytest.mark.rule("CB-CREW-01", "CB-CREW-17")
def test_a_crew_has_a_hero_and_keeps_to_the_point_limit():
    crew = (member(150), member(30, "lackey"), member(20, "lackey"))
    assert add_up_points(crew) == 200
    check_crew(crew, 200, "gcw")
    for wrong, limit in ((crew, 199), (crew[1:], 200)):
        with pytest.raises(Forbidden) as refusal:
            check_crew(wrong, limit, "gcw")
        assert refusal.value.rule == "CB-CREW-01"


@pytest.mark.rule("CB-CREW-01")
def test_lackeys_are_of_the_crews_faction():
    crew = (member(150), member(30, "lackey", ("neiran",)))
    check_crew(crew, 200)
    with pytest.raises(Forbidden):
        check_crew(crew, 200, "gcw")


@pytest.mark.rule("CB-CREW-02")
def test_sizes_of_games():
    assert [name_size(points) for points in (200, 400, 600, 800)] == ["small", "average", "average", "large"]


@pytest.mark.rule("CB-CREW-07")
def test_alignment_needs_more_than_half_of_the_hero_points():
    # six Heroes worth 536 points: 268 are not enough, 269 are
    others = [member(100, affiliations=("gcw",)), member(100, affiliations=("gcw",))]
    enough = [member(269, affiliations=("neiran",)), member(67, affiliations=("gcw",)), *others]
    short = [member(268, affiliations=("neiran",)), member(68, affiliations=("gcw",)), *others]
    assert add_up_points(enough) == add_up_points(short) == 536
    assert list_alignments(enough) == ("neiran",)
    assert list_alignments(short) == ()
    # Lackeys do not count
    assert list_alignments([*short, member(500, "lackey", ("neiran",))]) == ()
    require_alignment(enough, "neiran")
    with pytest.raises(Forbidden):
        require_alignment(enough, "gcw")
    with pytest.raises(InvalidInput):
        require_alignment(enough, "pirates")


@pytest.mark.rule("CB-CREW-08")
@pytest.mark.parametrize(
    ("kind", "affiliations"),
    [
        ("edofleini", {"edofleini"}), ("edokin", {"edofleini"}), ("human", {"gcw"}), ("illyrian", {"gcw"}),
        ("shrinaar", {"gcw"}), ("alanti", {"gcw"}), ("robot", {"gcw", "mekkus"}),
        ("cyberform", {"gcw", "mekkus"}), ("neiran", {"neiran"}), ("beast", {"gcw", "neiran"}),
    ],
)  # fmt: skip
def test_affiliations_by_type(kind, affiliations):
    assert set(list_affiliations_of_types([kind])) == affiliations


@pytest.mark.rule("CB-CREW-07", "CB-CREW-08")
@pytest.mark.parametrize(
    ("template", "faction", "affiliations"),
    [
        ("human", "", ("gcw",)), ("human", "neiran", ("gcw",)), ("robot", "", ("gcw", "mekkus")),
        ("robot", "mekkus", ("mekkus",)), ("vehicle", "neiran", ("neiran",)),
    ],
)  # fmt: skip
def test_a_built_hero_counts_for_the_affiliations_of_its_type(template, faction, affiliations):
    profile = build_profile(start_hero(template, faction=faction))
    assert profile.affiliations == affiliations
    assert list_alignments([Member(profile, 50)]) == affiliations


@pytest.mark.rule("CB-CREW-03")
def test_one_hero_leads():
    hero, lackey = model(1, rank="hero"), model(2)
    assert name_leader(hero, (hero, lackey)) == (Assign("side", 1, "leader", 1),)
    with pytest.raises(Forbidden) as refusal:
        name_leader(lackey, (hero, lackey))
    assert refusal.value.rule == "CB-CREW-03"
    assert find_leader(1, (lackey, model(3, rank="hero", leader=True))).id == 3
    assert find_leader(2, (model(3, rank="hero", leader=True),)) is None


@pytest.mark.rule("CB-CREW-04", "CB-FEAT-17", "CB-SPEC-09")
def test_command_range():
    assert get_command_range(model(rank="hero")) == 12
    assert get_command_range(model(rank="hero", features=("commanding_presence",))) == 18
    assert get_command_range(model(rank="hero", specialties=("intrepid_explorers",))) == 18


@pytest.mark.rule("CB-CREW-05")
def test_another_hero_follows_a_leader_that_is_removed():
    leader, second = model(1, rank="hero", leader=True), model(2, rank="hero")
    third, lackey, foe = model(3, rank="hero"), model(4), model(5, side=2, rank="hero")
    crew = (leader, second, third, lackey, foe)
    assert find_succession(1, crew, frozenset({2})) is None
    # those removed in the same step cannot follow
    lost = find_succession(1, crew, frozenset({1, 2}))
    assert lost.candidates == (3,)
    effects = lose_leader(lost)
    assert effects[0] == Assign("side", 1, "leader", 0)
    assert isinstance(effects[1], Propose)
    assert effects[1].action == "leader"
    # a leader that is down but on the table still leads
    down = model(1, rank="hero", leader=True, damage=9)
    assert find_leader(1, (down, second)) == down


@pytest.mark.rule("CB-CREW-06")
def test_without_heroes_there_is_no_leader_and_no_order_token():
    crew = (model(1, rank="hero", leader=True), model(2))
    lost = find_succession(1, crew, frozenset({1}))
    assert lost.leaderless
    assert lose_leader(lost) == (Assign("side", 1, "leader", 0), Assign("side", 1, "orders", 0))


def neiran(number, rank="lackey", **changes):
    return model(
        number, rank=rank, types=("neiran",), affiliations=("neiran",), alignment="neiran", **changes
    )


@pytest.mark.rule("CB-CREW-15")
def test_any_neiran_leads_a_neiran_crew_without_heroes():
    hero, lackey, beast = (
        neiran(1, "hero", leader=True),
        neiran(2),
        model(3, types=("beast",), alignment="neiran"),
    )
    assert not may_lead(lackey, (hero, lackey))
    assert may_lead(lackey, (lackey, beast))
    assert not may_lead(beast, (lackey, beast))
    assert not may_lead(model(4, types=("neiran",), alignment="gcw"), (model(4),))
    assert find_succession(1, (hero, lackey, beast), frozenset({1})).candidates == (2,)


@pytest.mark.rule("CB-CREW-14")
def test_outsiders_in_a_neiran_crew_are_disposable():
    beast = model(1, types=("beast",), alignment="neiran")
    assert is_disposable(beast)
    assert not is_disposable(neiran(2))
    assert not is_disposable(model(3, types=("beast",)))
    assert panic_level((beast, neiran(2)), beast.crew) == 1


@pytest.mark.rule("CB-CREW-09", "CB-CREW-16", "CB-STAT-04")
def test_free_recruits_after_a_win():
    assert count_new_recruits(statblock(intellect="2D+1").intellect.value, 0) == 2
    assert count_new_recruits(3, 1) == 2
    assert count_new_recruits(2, 3) == 0
    assert count_new_recruits(0, 0) == 0
    with pytest.raises(InvalidInput):
        count_new_recruits(2, -1)


@pytest.mark.rule("CB-CREW-09", "CB-CREW-16")
def test_whom_a_win_brings():
    lackey, gladiator = statblock(types=("edokin",)), load().profiles["gladiator"]
    assert name_free_recruit("edofleini", lackey) == "Braindrone"
    assert name_free_recruit("neiran", gladiator) == "Gladiator"
    for alignment, profile in (
        ("edofleini", statblock(rank="hero")), ("neiran", lackey), ("gcw", gladiator), ("", gladiator),
    ):  # fmt: skip
        with pytest.raises(Forbidden):
            name_free_recruit(alignment, profile)


@pytest.mark.rule("CB-CREW-11", "CB-CREW-12")
def test_mekkus_models_mind_no_emp_and_carry_like_vehicles():
    mekkus = model(1, types=("robot",), affiliations=("mekkus",), alignment="mekkus")
    other = model(2, types=("robot",), affiliations=("gcw", "mekkus"), alignment="gcw")
    assert is_immune_to_emp(mekkus)
    assert has_vehicle_slots(mekkus)
    assert not mekkus.profile.is_vehicle
    assert not is_immune_to_emp(other)
    assert not has_vehicle_slots(other)
    assert has_vehicle_slots(model(3, types=("vehicle", "wheeled")))


@pytest.mark.rule("CB-CREW-13", "CB-FEAT-60")
def test_crews_without_living_heroes_need_an_uplink():
    machine = {"types": ("robot",), "rank": "hero"}
    robot, node = model(1, **machine), model(2, **machine, features=("uplink_node",))
    robots = (statblock(**machine),)
    assert needs_uplink(1, robots, (robot,))
    assert not needs_uplink(1, robots, (robot, node))
    assert needs_uplink(1, robots, (robot, model(2, **machine, features=("uplink_node",), damage=9)))
    assert needs_uplink(1, robots, (robot, model(2, side=2, **machine, features=("uplink_node",))))
    assert needs_uplink(1, robots, (robot, model(3)))  # a Living Lackey does not help
    for kind in ("human", "cyberform"):
        assert not needs_uplink(1, (*robots, statblock(rank="hero", types=(kind,))), (robot,))


@pytest.mark.rule("CB-CREW-13", "CB-FEAT-60")
def test_without_uplink_a_success_at_5_allows_one_move_and_the_closest_target():
    ready = prepare_uplink(model(types=("robot",), intellect="2D"))
    assert ready.throw == Throw(2, 0, 5)
    assert fed(roll_uplink, [5, 3], (ready.throw,)) is True
    assert fed(roll_uplink, [4, 3], (ready.throw,)) is False
    require_uplink_action("move")
    require_uplink_action("shoot")
    for wrong in (("move", 1, True), ("shoot", 0, False), ("charge", 0, True), ("skill", 0, True)):
        with pytest.raises(Forbidden):
            require_uplink_action(wrong[0], moves_made=wrong[1], targets_closest=wrong[2])


def crew(*specialties, **changes):
    return CrewTraits(frozenset(specialties), **changes)


@pytest.mark.rule("CB-SPEC-01", "CB-CREW-10")
@pytest.mark.parametrize(
    ("points", "allowed"), [(150, 1), (200, 1), (299, 1), (300, 2), (350, 2), (398, 2), (420, 3), (800, 7)]
)
def test_how_many_specialties(points, allowed):
    assert count_allowed_specialties(points) == allowed
    assert count_allowed_specialties(points, gcw_aligned=True) == allowed + 1


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
        count_allowed_specialties(-1)


def test_the_names_are_those_of_the_data():
    assert {note.key: note.name for note in load().specialties} == SPECIALTY_NAMES


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
    (mark,) = use_reroll(hero, skill)
    assert not may_reroll(
        model(rank="hero", specialties=(specialty,), counters={mark.key: mark.amount}), skill
    )
    assert mark.key == REROLL_COUNTERS.of(skill)


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
    assert count_extra_tokens(crew()) == 0
    assert count_extra_tokens(crew("lancers")) == count_extra_tokens(crew("scouting_party")) == 2
    assert count_extra_tokens(crew("lancers", "scouting_party")) == 4
    assert fill((3, 4), (count_extra_tokens(crew("lancers")), 0)).tokens == (5, 4)


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
    assert find_outnumbering_sides((*two, one)) == {1}
    assert find_outnumbering_sides((two[0], one)) == set()
    # those out of action do not count
    assert find_outnumbering_sides((two[0], model(2, damage=9), one)) == set()
    # more than all the opponents together
    assert find_outnumbering_sides((*two, one, model(4, side=3))) == set()


@pytest.mark.rule("CB-SPEC-18")
def test_a_psionic_experiment_adds_a_modifier_and_a_power():
    traits = crew("psionic_experiment")
    assert count_psionic_powers(traits, Rating.parse("2D+1")) == 3
    assert count_psionic_powers(crew(), Rating.parse("2D+1")) == 2
    psion = model(crew=traits, psionic="2D")
    assert prepare_check(psion, "PSI", 7, skill="psionics").throw.modifier == 1


def won(specialty, *survivors, leader=True):
    return find_win_benefits(crew(specialty), survivors, leader_survived=leader)


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
