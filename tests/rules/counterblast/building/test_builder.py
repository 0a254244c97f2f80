"""Building: upgrade points, maxima, Features, powers, slots; what is refused and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.builder import (
    add_feature,
    add_gear,
    add_power,
    add_weapon,
    apply_change,
    buy_steps,
    list_draft_faults,
    list_open_features,
    list_open_gear,
    list_open_raises,
    list_open_weapons,
    list_unchecked_features,
    remove_feature,
    remove_item,
)
from rules.systems.counterblast.building.custom_profile import ARM_FIELDS, build_own
from rules.systems.counterblast.building.draft import (
    build_profile,
    count_all_upgrade_points,
    count_spent_points,
    get_feature_cost,
    get_mv_cost,
    get_trait_cost,
    is_open,
    start_hero,
    start_improving,
)
from rules.systems.counterblast.core.fighter import CrewTraits
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Rating, Trait
from rules.systems.counterblast.core.settings import Settings
from tests.rules.counterblast.field import statblock


def refuse(match: str, change, *args, **kwargs):
    with pytest.raises(Forbidden, match=match):
        change(*args, **kwargs)


@pytest.mark.rule("CB-BUILD-01", "CB-BUILD-16")
def test_points_are_template_and_upgrades_and_equipment():
    human = start_hero("human", "Ada")  # 13 points
    assert build_profile(human).points == 13
    human = buy_steps(human, "agility_dice")  # 3 UP
    human = buy_steps(human, "strength_modifier")  # 1 UP
    human = add_feature(human, Trait("quick"))  # 2 UP
    assert count_spent_points(human) == 6
    human = add_weapon(human, "pulsar_pistol")  # 5 points
    assert list(list_draft_faults(human)) == []
    built = build_profile(human)
    assert built.points == 13 + 6 + 5  # the 4 UP left over lapse
    assert built.agility == Rating(2)
    assert built.strength == Rating(1, 1)
    refuse("Upgrade Points, but you have only", buy_steps, human, "intellect_dice", 2)


@pytest.mark.rule("CB-BUILD-17")
def test_inches_defense_and_life_cost_two_and_stack():
    human = buy_steps(buy_steps(buy_steps(start_hero("human"), "defense", 2), "life", 1), "mv", 1)
    assert count_spent_points(human) == 8
    assert (build_profile(human).defense, build_profile(human).life, build_profile(human).mv) == (9, 4, 7)
    assert get_mv_cost(start_hero("illyrian")) == get_mv_cost(start_hero("alanti_pyswan")) == 4
    assert get_mv_cost(start_hero("neiran")) == 2
    once = Settings(hero_defense_stacks=False)
    refuse("You can only raise Defense once.", buy_steps, start_hero("human"), "defense", 2, once)
    with pytest.raises(InvalidInput):
        buy_steps(start_hero("human"), "mv", -1)


@pytest.mark.rule("CB-BUILD-18")
def test_maxima_bind_purchases_by_base_size():
    human = replace(start_hero("human"), earned=40)
    assert build_profile(buy_steps(human, "mv", 2)).mv == 8
    refuse("On this base, Mv can be at most 8", buy_steps, human, "mv", 3)
    refuse("Defense can be at most", buy_steps, human, "defense", 3)
    refuse("On this base, Life can be at most", buy_steps, human, "life", 3)
    refuse("An ability can have at most 4 dice", buy_steps, human, "strength_dice", 4)
    refuse(r"An ability's modifier can be at most \+3", buy_steps, human, "strength_modifier", 4)
    large = replace(start_hero("robot", size="L"), earned=40)
    assert build_profile(buy_steps(large, "mv", 6)).mv == 12
    assert build_profile(buy_steps(large, "life", 3)).life == 7
    bike = start_improving(
        load().profiles.named("Rocket Bike"), 6
    )  # printed Mv 10, beyond the 8 of a medium base
    assert list_draft_faults(bike) == ()
    refuse("On this base, Mv can be at most", buy_steps, bike, "mv")
    assert count_all_upgrade_points(start_hero("human")) == 10
    assert count_all_upgrade_points(human) == 50
    assert count_all_upgrade_points(bike) == 6


@pytest.mark.rule("CB-BUILD-19", "CB-FEAT-53")
def test_a_printed_level_is_raised_for_the_difference():
    scout = start_improving(load().profiles["scout"], 2)
    assert scout.base.feature_level("sure_footed") == 1
    refuse("You can only take", add_feature, scout, Trait("sure_footed", 1))
    two = add_feature(scout, Trait("sure_footed", 2))
    assert count_spent_points(two) == 1
    assert build_profile(two).feature_level("sure_footed") == 2
    assert [trait.level for trait in build_profile(two).features if trait.key == "sure_footed"] == [2]
    assert count_spent_points(add_feature(two, Trait("sure_footed", 3))) == 2
    refuse("no level 4", add_feature, two, Trait("sure_footed", 4))


@pytest.mark.rule("CB-BUILD-19")
def test_features_once_by_level_and_dearer_where_the_type_pays_double():
    human = add_feature(start_hero("human"), Trait("quick"))
    assert build_profile(human).points == 13 + 2
    refuse(
        "You can only take", apply_change, human, replace(human, features=(*human.features, Trait("quick")))
    )
    two = add_feature(start_hero("human"), Trait("sure_footed", 2))
    assert count_spent_points(two) == 2
    three = add_feature(two, Trait("sure_footed", 3))
    assert count_spent_points(three) == 3
    assert build_profile(three).feature_level("sure_footed") == 3
    refuse("no level 4", add_feature, start_hero("human"), Trait("sure_footed", 4))
    assert count_spent_points(remove_feature(three, Trait("sure_footed"))) == 0
    with pytest.raises(InvalidInput):
        remove_feature(human, Trait("tough"))
    doubled = replace(load().features["quick"], doubled_for=("human",))
    assert get_feature_cost(doubled, Trait("quick"), human.base) == 4
    assert get_feature_cost(doubled, Trait("quick"), start_hero("beast").base) == 2
    knack = add_feature(human, Trait("knack", choice="technology"))
    knack = add_feature(knack, Trait("knack", choice="melee"))
    refuse("You can only take Knack 2 times", add_feature, knack, Trait("knack", choice="medicine"))
    refuse("You can only take", add_feature, knack, Trait("knack", choice="melee"))
    refuse("Choose one of these for", add_feature, human, Trait("knack"))


@pytest.mark.rule("CB-BUILD-20")
def test_types_are_open_or_proven():
    proven = Settings(feature_types="proven")
    tough = load().features["tough"]
    human, robot = start_hero("human").base, start_hero("robot").base
    assert is_open(tough, human)
    assert is_open(load().features["disciplined"], robot, proven)  # open to all ten types
    psionic = load().features["psionic"]
    assert not is_open(psionic, robot)
    assert not is_open(psionic, start_hero("vehicle").base)
    minder = load().features["minder"]
    assert is_open(minder, human)
    assert not is_open(minder, human, proven)  # no printed human has it
    draft = add_feature(start_hero("human"), Trait("acid_spit"))
    assert list_unchecked_features(draft) == ("Acid Spit",)
    assert list_unchecked_features(add_feature(start_hero("human"), Trait("disposable"))) == ()
    refuse("Models of this type can't have", add_feature, start_hero("robot"), Trait("psionic", 1))


@pytest.mark.rule("CB-BUILD-04")
def test_alanti_are_aquatic_and_the_pysci_is_psionic():
    for breed in ("alanti_pysgrif", "alanti_pyswan", "alanti_pysci"):
        assert build_profile(start_hero(breed)).has_feature("aquatic")
        assert build_profile(start_hero(breed)).types == ("alanti",)
    pysci = build_profile(start_hero("alanti_pysci"))
    assert pysci.psionic == Rating(3)  # INT 2D and one die
    assert pysci.defense == 7
    plus = Settings(psionic_template_defense="plus1")
    assert build_profile(start_hero("alanti_pysci"), plus).defense == 8
    assert build_profile(start_hero("alanti_pyswan")).psionic is None


@pytest.mark.rule("CB-BUILD-07")
def test_edofleini_and_edokin_begin_psionic_and_hard_to_see():
    edo = start_hero("edofleini")
    assert build_profile(edo).psionic == Rating(3)  # INT 2D and one die
    assert build_profile(edo).has_feature("chameleon")
    better = add_feature(edo, Trait("enhanced_chameleon"))
    assert (count_spent_points(better), build_profile(better).points) == (3, 16 + 3)
    assert not build_profile(better).has_feature("chameleon")
    assert get_trait_cost(start_hero("human"), Trait("enhanced_chameleon")) == 6
    for power in ("calm", "blast", "heal", "scan"):  # three dice and one more
        edo = add_power(edo, power)
    refuse("This model can have at most 4", add_power, edo, "stun")


@pytest.mark.rule("CB-BUILD-06", "CB-BUILD-05")
def test_beasts_and_cyberforms_pick_one_feature_free():
    beast = add_feature(start_hero("beast"), Trait("tough"), as_pick=True)
    assert (count_spent_points(beast), build_profile(beast).points) == (0, 24)
    assert build_profile(beast).has_feature("tough")
    refuse("You have no free Feature left to choose", add_feature, beast, Trait("quick"), as_pick=True)
    cyber = add_feature(start_hero("cyberform"), Trait("scary"), as_pick=True)
    assert build_profile(cyber).points == 17
    assert build_profile(cyber).is_living
    assert not build_profile(cyber).has_feature("fearless")
    refuse(
        "You have no free Feature left to choose",
        add_feature,
        start_hero("human"),
        Trait("quick"),
        as_pick=True,
    )


@pytest.mark.rule("CB-BUILD-05", "CB-FEAT-43")
def test_a_psionic_picked_without_cost_gives_what_a_bought_one_does():
    beast = add_feature(start_hero("beast"), Trait("psionic", 1), as_pick=True)  # INT 2D, Def 8
    assert (count_spent_points(beast), build_profile(beast).psionic, build_profile(beast).defense) == (
        0,
        Rating(3),
        9,
    )
    assert [one.key for one in build_profile(beast).features] == ["psionic"]
    better = add_feature(beast, Trait("psionic", 1))
    assert (count_spent_points(better), build_profile(better).psionic, build_profile(better).defense) == (
        3,
        Rating(4),
        9,
    )
    assert [one.key for one in build_profile(better).features].count("psionic") == 1
    refuse("A psionic rating can have at most 4", add_feature, beast, Trait("psionic", 2))


@pytest.mark.rule("CB-BUILD-05", "CB-FEAT-29")
def test_a_feature_picked_without_cost_counts_as_one_bought():
    swift = add_feature(start_hero("beast"), Trait("fleet"), as_pick=True)  # Mv 6
    assert (count_spent_points(swift), build_profile(swift).mv) == (0, 7)
    sure = add_feature(start_hero("beast"), Trait("sure_footed", 1), as_pick=True)
    higher = add_feature(sure, Trait("sure_footed", 2))  # [1] for 1 UP is there, [2] for 2
    assert (count_spent_points(higher), build_profile(higher).points) == (1, 25)
    assert [(one.key, one.level) for one in build_profile(higher).features] == [("sure_footed", 2)]


@pytest.mark.rule("CB-FEAT-43")
def test_psionic_dice_stand_on_top_of_int_and_defense_rises_once():
    human = buy_steps(start_hero("human"), "intellect_dice")  # INT 2D, 3 UP
    gifted = add_feature(human, Trait("psionic", 2))  # 6 UP
    assert count_spent_points(gifted) == 9
    assert build_profile(gifted).psionic == Rating(4)
    assert build_profile(gifted).defense == 8
    one = add_feature(human, Trait("psionic", 1))
    assert build_profile(one).defense == 8
    more = add_feature(replace(one, earned=10), Trait("psionic", 2))
    assert count_spent_points(more) == 9  # the higher step replaces the lower
    refuse("A psionic rating can have at most 4", add_feature, replace(human, earned=10), Trait("psionic", 3))
    edo = add_feature(start_hero("edofleini"), Trait("psionic", 1))
    assert build_profile(edo).psionic == Rating(4)
    assert build_profile(edo).defense == 7


@pytest.mark.rule("CB-FEAT-29")
def test_fleet_is_an_inch_at_the_price_of_one():
    human = add_feature(start_hero("human"), Trait("fleet"))
    assert (build_profile(human).mv, count_spent_points(human)) == (7, 2)
    assert get_trait_cost(start_hero("illyrian"), Trait("fleet")) == 4
    twice = add_feature(human, Trait("fleet"))
    assert (build_profile(twice).mv, count_spent_points(twice)) == (8, 4)
    refuse("On this base, Mv can be at most 8", add_feature, twice, Trait("fleet"))


@pytest.mark.rule("CB-BUILD-22", "CB-FEAT-61", "CB-WEAP-38")
def test_slots_are_agl_dice_and_specialists_carry_the_big_ones():
    nimble = replace(buy_steps(start_hero("human"), "agility_dice"), base=start_hero("human").base)
    armed = add_weapon(add_weapon(nimble, "pulsar_pistol"), "club")  # AGL 2D: two weapon slots
    refuse("but the model has only", add_weapon, armed, "knife")
    loaded = add_gear(add_gear(armed, "techpad"), "toolkit")
    refuse("but the model has only", add_gear, loaded, "medkit")
    refuse("needs the Weapon Specialist Feature", add_weapon, nimble, "flamethrower")
    expert = add_feature(nimble, Trait("weapon_specialist"))
    assert add_weapon(expert, "flamethrower").weapons == ("flamethrower",)
    refuse("weapon slots", add_weapon, start_hero("human"), "flamethrower")
    assert add_weapon(start_hero("human"), "grenade").weapons == ("grenade",)
    sentry = start_improving(load().profiles.named("GDF Sentry"), 0)
    assert list_draft_faults(sentry) == ()  # AGL 1D and two weapons, as printed
    refuse("weapon slots", add_weapon, sentry, "club")


@pytest.mark.rule("CB-FEAT-45")
def test_the_resourceful_carry_one_item_twice():
    human = buy_steps(start_hero("human"), "agility_dice", 3)
    twice = add_gear(add_gear(human, "med_gel"), "med_gel")
    refuse("can't take Med Gel more than twice", add_gear, twice, "med_gel")
    other = add_gear(twice, "techpad")
    refuse("can't take Techpad more than once", add_gear, other, "techpad")
    neiran = buy_steps(start_hero("neiran"), "agility_dice")
    refuse("can't take Med Gel more than once", add_gear, add_gear(neiran, "med_gel"), "med_gel")


@pytest.mark.rule("CB-GEAR-11", "CB-FEAT-45")
def test_the_resourceful_wear_no_suit_or_helmet_twice():
    human = buy_steps(start_hero("human"), "agility_dice", 2)
    dressed = add_gear(human, "lazsteel_armor")
    assert build_profile(dressed).shield == 1
    refuse("A model can only wear one", add_gear, dressed, "lazsteel_armor")
    refuse("A model can only wear one", add_gear, add_gear(human, "lead_helmet"), "lead_helmet")
    assert (
        build_profile(add_gear(add_gear(human, "personal_force_field"), "personal_force_field")).shield == 2
    )


@pytest.mark.rule("CB-FEAT-34")
def test_a_lackey_has_one_knack():
    lackey = start_improving(statblock(), 8)
    one = add_feature(lackey, Trait("knack", choice="melee"))
    refuse("You can only take Knack once", add_feature, one, Trait("knack", choice="medicine"))


@pytest.mark.rule("CB-PSI-01")
def test_powers_are_counted_from_the_psionic_rating():
    human = add_feature(buy_steps(start_hero("human"), "intellect_dice"), Trait("psionic", 1))  # 3D
    crew = replace(human, crew=CrewTraits(frozenset({"psionic_experiment"})))
    for power in ("calm", "blast", "heal"):
        human, crew = add_power(human, power), add_power(crew, power)
    refuse("This model can have at most 3", add_power, human, "stun")
    crew = add_power(crew, "stun")
    stone = add_gear(crew, "deepstone")
    assert add_power(stone, "scan").powers[-1] == "scan"
    by_int = Settings(psi_powers_from="int")
    two = replace(human, powers=("calm", "blast"))
    refuse("This model can have at most 2", add_power, two, "heal", by_int)
    refuse("Only models with the Psionic Feature", add_power, start_hero("human"), "calm")
    refuse("no psionic power", add_power, two, "juggling")
    refuse("You can only choose each power once.", add_power, two, "calm")


@pytest.mark.rule("CB-VEH-42", "CB-VEH-43", "CB-VEH-41", "CB-GEAR-08")
def test_a_vehicle_is_built_from_its_own_chart():
    tank = start_hero("vehicle", kind="tracked")
    assert build_profile(tank).points == 26
    assert build_profile(tank).types == ("vehicle", "tracked")
    rich = replace(tank, earned=40)
    assert build_profile(buy_steps(rich, "mv", 2)).mv == 8
    refuse("On this base, Mv can be at most 8", buy_steps, rich, "mv", 3)
    refuse("On this base, Life can be at most 8", buy_steps, rich, "life", 4)
    large = replace(start_hero("vehicle", size="L"), earned=40)
    assert build_profile(buy_steps(large, "mv", 4)).mv == 10
    assert build_profile(buy_steps(large, "life", 4)).life == 9
    agile = buy_steps(rich, "agility_dice", 2)  # 4D: 8 slots in any mix
    for gun in ("pulsar_rifle", "slugger_rifle", "neurifle", "sniper_rifle"):
        agile = add_weapon(agile, gun)
    for item in ("scanner", "night_vision", "infrared_optics"):
        agile = add_gear(agile, f"vehicle_{item}")
    agile = add_gear(agile, "lazsteel_plating")
    refuse("but the model has only", add_gear, agile, "targeting_array")
    assert build_profile(agile).shield == 2
    refuse("isn't vehicle gear", add_gear, tank, "techpad")
    refuse("can't be mounted on a vehicle.", add_weapon, tank, "club")
    refuse("for vehicles only", add_weapon, start_hero("human"), "power_ram")


@pytest.mark.rule("CB-VEH-44")
def test_bonded_on_vehicles_is_for_neiran_cavalry():
    rider = start_hero("vehicle", kind="cavalry", faction="neiran")
    assert add_feature(rider, Trait("bonded")).features == (Trait("bonded"),)
    assert add_feature(replace(rider, faction=""), Trait("bonded")).features
    refuse("Vehicles of this faction can't have", add_feature, replace(rider, faction="gcw"), Trait("bonded"))
    for kind in ("flyer", "mech", "tracked", "wheeled"):
        other = start_hero("vehicle", kind=kind, faction="neiran")
        refuse("Models of this type can't have", add_feature, other, Trait("bonded"))
        kept = list_draft_faults(replace(other, features=(Trait("bonded"),)))
        assert [fault.rule for fault in kept] == ["CB-VEH-44"]
    hero = start_hero("human", faction="gcw")
    assert add_feature(hero, Trait("bonded")).features == (Trait("bonded"),)


@pytest.mark.rule("CB-VEH-52")
def test_lancers_mount_what_the_vehicle_chart_opens_to_them():
    lancers = CrewTraits(frozenset({"lancers"}))
    tank = start_hero("vehicle", kind="tracked", faction="mekkus")
    ours = replace(tank, crew=lancers)
    assert add_weapon(ours, "sonic_blaster_rifle").weapons == ("sonic_blaster_rifle",)
    refuse("This crew's faction can't have", add_weapon, tank, "sonic_blaster_rifle")
    refuse("This crew's faction can't have", add_weapon, ours, "autopulsar")
    human = replace(start_hero("human", faction="mekkus"), crew=lancers)
    refuse("This crew's faction can't have", add_weapon, human, "sonic_blaster_rifle")


@pytest.mark.rule("CB-WEAP-06", "CB-GEAR-06")
def test_natural_weapons_are_bought_by_power_and_need_no_slot():
    beast = start_hero("beast", size="S")
    before = build_profile(beast).points
    for power, cost in ((2, 0), (3, 1), (4, 2), (5, 3), (6, 4), (7, 5)):
        assert build_profile(add_weapon(beast, f"natural_p{power}")).points == before + cost
    for power in (2, 3, 4, 5):
        beast = add_weapon(beast, f"natural_p{power}")
    assert build_profile(beast).agility == Rating(2)
    offered = {weapon.key: weapon.reach_inches for weapon in list_open_weapons(beast) if weapon.is_natural}
    assert "natural_p7" in offered
    assert set(offered.values()) == {0}


@pytest.mark.rule("CB-GEAR-05", "CB-GEAR-06")
def test_heroes_swap_equipment_lackeys_and_bodies_do_not():
    hero = start_improving(
        statblock(rank="hero", agility="2D", weapons=("pulsar_pistol", "claw_p4"), points=40), 0
    )
    without = remove_item(hero, "pulsar_pistol")
    assert build_profile(without).points == 35
    assert build_profile(add_weapon(without, "slugger_pistol")).points == 38
    refuse("must keep .* part of its body", remove_item, hero, "claw_p4")
    robot = start_improving(statblock(rank="hero", types=("robot",), weapons=("claw_p4",), points=40), 0)
    assert remove_item(robot, "claw_p4").weapons == ()
    lackey = start_improving(statblock(weapons=("pulsar_pistol",)), 0)
    refuse("Lackeys keep their equipment.", remove_item, lackey, "pulsar_pistol")
    with pytest.raises(InvalidInput):
        remove_item(hero, "club")


@pytest.mark.rule("CB-GEAR-49")
def test_a_watchdog_is_a_small_beast_for_its_own_points():
    dog = add_feature(start_hero("beast", size="S"), Trait("bonded"), as_pick=True)
    owner = add_gear(start_hero("human"), "watchdog", watchdog=dog)
    assert build_profile(owner).points == 13
    refuse("gear slots", add_gear, owner, "techpad")  # it takes the one slot
    refuse("small base", add_gear, start_hero("human"), "watchdog", watchdog=start_hero("beast", size="M"))
    refuse("Build the Watchdog", add_gear, start_hero("human"), "watchdog")
    refuse("Only a Hero", add_gear, start_improving(statblock(), 0), "watchdog", watchdog=dog)
    assert remove_item(owner, "watchdog").watchdog is None


@pytest.mark.rule("CB-CAMP-07")
def test_earned_points_buy_dice_modifiers_and_features_within_the_maxima():
    lackey = start_improving(statblock(points=20), 4)
    better = add_feature(buy_steps(lackey, "strength_dice"), Trait("brave"))
    assert build_profile(better).points == 24
    assert build_profile(better).strength == Rating(2)
    refuse("Upgrade Points, but you have only", buy_steps, better, "agility_modifier")
    with pytest.raises(InvalidInput):
        start_improving(statblock(), -1)


@pytest.mark.rule("CB-BUILD-19", "CB-BUILD-20")
def test_what_may_be_chosen_is_what_is_not_refused():
    poor = replace(buy_steps(start_hero("human"), "agility_dice", 3), features=())  # 1 UP left
    assert dict(list_open_raises(poor)) == {
        "strength_modifier": 1, "agility_modifier": 1, "intellect_modifier": 1,
    }  # fmt: skip
    offered = list_open_features(poor)
    assert (Trait("brave"), 1) in offered
    assert all(cost <= 1 for _, cost in offered)
    armed = [weapon.key for weapon in list_open_weapons(poor)]
    assert "club" in armed
    assert "flamethrower" not in armed  # no Specialist
    assert "pincer_p5_reach2" not in armed  # reach has no price
    worn = [item.key for item in list_open_gear(poor)]
    assert "lazsteel_armor" in worn
    assert "deepstone" not in worn
    assert "heavy_force_field" not in worn


@pytest.mark.parametrize("arm", [{"name": "Claw", "text": "x"}, {"name": "Claw", "group": "x" * 900}])
def test_a_refusal_of_own_values_ends_with_a_whole_word(arm):
    with pytest.raises(InvalidInput) as refusal:
        build_own({"name": "Ogre", "arms": [arm]})
    assert str(refusal.value).endswith((f"{ARM_FIELDS[-1]}.", " not..."))
