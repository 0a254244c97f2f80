from dataclasses import replace

import pytest

from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import combat
from rules.systems.fracd_earth.combat import Share, Situation, alternating, breaks, combined, support
from rules.systems.fracd_earth.deck import Draw
from rules.systems.fracd_earth.modifiers import condition_modifiers, general_modifiers, injured, stacked
from rules.systems.fracd_earth.movement import (
    blocks_detection,
    cover_from,
    crossing_cost,
    ground_of,
    protection_mark,
)
from rules.systems.fracd_earth.profile import CrewEffect, Skill
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from tests.rules.fracd_earth.build import BOLT, FISTS, PIKE, PISTOL, RIFLE, SPEAR, SWORD, figure


def shot(**kwargs):
    given = {"attacker": figure(1), "defender": figure(2, 2), "weapon": RIFLE, "trait": "shoot"}
    return Situation(**given | {"distance_inches": 10} | kwargs)


def fight(**kwargs):
    given = {"attacker": figure(1), "defender": figure(2, 2), "weapon": SWORD, "trait": "fight"}
    return Situation(**given | {"defender_reach": 0.5} | kwargs)


def net(prepared):
    return total(prepared.marks)


def attack_net(situation, settings=DEFAULTS):
    return net(combat.attack(situation, settings))


@pytest.mark.rule("FE-MOD-01", "FE-MOD-02")
def test_rank_and_trait():
    for rank in range(4):
        side = combat.attack(shot(weapon=replace(RIFLE, rank=rank)), DEFAULTS)
        assert (net(side), side.trait) == (rank, 5)
    scout = figure(skills=(Skill("Notice", 2, 6), Skill("Climb", 1)))
    assert total(general_modifiers(scout, "mind", DEFAULTS, skill="Notice").points) == 6
    assert total(general_modifiers(scout, "mind", DEFAULTS, skill="Climb").points) == 3
    assert total(general_modifiers(scout, "mind", DEFAULTS, skill="Climb").marks) == 1


@pytest.mark.rule("FE-MOD-03")
def test_crew_effects_and_stacking():
    effects = (
        CrewEffect("Keen", "sight", "Shoot", 1),
        CrewEffect("Keener", "sight", "Shoot", 2),
        CrewEffect("Steady", "stance", "Shoot", 0, 1),
        CrewEffect("Tough", "hide", "Def", 1),
    )
    shooter = figure(effects=effects)
    side = combat.attack(shot(attacker=shooter), DEFAULTS)
    assert (net(side), side.trait) == (2, 6)
    side = combat.attack(shot(attacker=shooter), Settings(crew_stacking="all"))
    assert (net(side), side.trait) == (3, 6)
    assert stacked(effects[:2], DEFAULTS) == (effects[1],)


@pytest.mark.rule("FE-MOD-04")
def test_injury():
    assert not injured(figure(capacity=10, damage=5))
    assert injured(figure(capacity=10, damage=6))
    assert injured(figure(capacity=10, second_capacity=6, second_damage=4))
    assert not injured(figure(capacity=10, second_capacity=6, second_damage=3))
    hurt = figure(capacity=10, damage=6, second_capacity=6, second_damage=4)
    assert attack_net(shot(attacker=hurt)) == -1  # once
    assert net(combat.defence(shot(defender=hurt), "def", DEFAULTS)) == -1


@pytest.mark.rule("FE-MOD-05")
def test_conditions():
    weak = figure(conditions=(("penalty shoot", 2), ("less shoot", 3), ("penalty fight", 1)))
    side = combat.attack(shot(attacker=weak), DEFAULTS)
    assert (net(side), side.trait) == (-2, 2)
    assert total(condition_modifiers(weak, ("def",)).marks) == 0
    assert total(condition_modifiers(figure(conditions=(("penalty all", 1),)), ("def",)).marks) == -1


@pytest.mark.rule("FE-MOD-06")
def test_situation_modifiers_are_not_stacked_away():
    situation = shot(distance_inches=13, moving=True, supporters=3)
    assert attack_net(situation) == 3 - 1 - 1
    # focus [+], support [+ + +], rank [+ +]: 6 marks, 3 cards and 3 times 2 points
    side = combat.attack(shot(manner="focused", supporters=3, weapon=replace(RIFLE, rank=2)), DEFAULTS)
    assert side.draw == Draw(4, False, 6)


@pytest.mark.rule("FE-CMB-01")
def test_size():
    def defended(size, value=5, settings=DEFAULTS):
        target = figure(2, 2, size=size, traits={"def": value})
        return combat.defence(shot(defender=target), "def", settings)

    assert defended(2).trait == 7
    assert defended(6).trait == 3
    assert defended(7, value=2).trait == 0
    cards = defended(2, settings=Settings(size_mod="cards"))
    assert (cards.trait, net(cards)) == (5, 2)


@pytest.mark.rule("FE-CMB-02", "FE-OBS-03", "FE-OBS-05")
def test_concealment_and_hard_cover():
    for cover, marks in (("none", 0), ("soft", 1), ("hard", 1)):
        assert net(combat.defence(shot(cover=cover), "def", DEFAULTS)) == marks
    assert [protection_mark(cover).amount for cover in ("none", "soft", "hard")] == [0, 0, 1]


@pytest.mark.rule("FE-CMB-03", "FE-ACT-04")
def test_focused():
    side = combat.attack(shot(manner="focused"), DEFAULTS)
    assert (net(side), side.effect_shifts) == (1, 1)
    assert combat.attack(shot(), DEFAULTS).effect_shifts == 0
    for moved in ({"moving": True}, {"ran": True}):
        with pytest.raises(Forbidden):
            combat.attack(shot(manner="focused", **moved), DEFAULTS)


@pytest.mark.rule("FE-CMB-04", "FE-ACT-05", "FE-RNG-01")
def test_quick_moving_and_platform():
    assert attack_net(shot(manner="quick")) == -1
    assert attack_net(shot(moving=True)) == -1
    assert attack_net(shot(platform=True)) == -1
    assert attack_net(shot(manner="quick", moving=True, platform=True)) == -1
    assert attack_net(fight(platform=True)) == 0
    assert attack_net(fight(manner="quick")) == -1


@pytest.mark.rule("FE-CMB-05", "FE-RNG-02")
def test_quick_range():
    combat.refuse_attack(shot(manner="quick", distance_inches=12))
    with pytest.raises(Forbidden, match="12"):
        combat.refuse_attack(shot(manner="quick", distance_inches=12.5))
    combat.refuse_attack(shot(manner="quick", weapon=PISTOL, distance_inches=8))
    with pytest.raises(Forbidden, match="8"):
        combat.refuse_attack(shot(manner="quick", weapon=PISTOL, distance_inches=9))
    combat.refuse_attack(shot(distance_inches=24))
    with pytest.raises(Forbidden):
        combat.refuse_attack(shot(distance_inches=25))


@pytest.mark.rule("FE-CMB-06")
def test_sustained_effects():
    caster = figure(1, sustained=2)
    assert attack_net(shot(attacker=caster, weapon=BOLT, trait="cast")) == -2
    assert attack_net(shot(attacker=caster)) == -2
    assert net(combat.defence(shot(defender=caster), "manv", DEFAULTS)) == -2
    assert total(general_modifiers(caster, "mind", DEFAULTS, skill="notice").marks) == -2


@pytest.mark.rule("FE-CMB-07")
def test_beyond_mid_range():
    assert attack_net(shot(distance_inches=13)) == -1
    assert attack_net(shot(distance_inches=12)) == 0
    assert attack_net(shot(effective_inches=6, distance_inches=4)) == 0
    assert attack_net(shot(effective_inches=6, distance_inches=5)) == -1
    assert attack_net(shot(weapon=BOLT, trait="cast", distance_inches=20)) == 0


@pytest.mark.rule("FE-CMB-08", "FE-RCH-04")
def test_easy_target():
    assert attack_net(fight()) == 0
    assert attack_net(fight(defender_reach=0)) == 1
    assert attack_net(fight(from_behind=True)) == 1
    assert attack_net(fight(weapon=replace(SWORD, abilities=("Touch",)))) == 1
    prone = figure(2, 2, conditions=(("prone", 0),))
    assert attack_net(fight(defender=prone, on_foot_above=True)) == 1
    assert attack_net(fight(defender=prone)) == 0
    assert attack_net(fight(weapon=FISTS, defender_reach=1)) == 1  # inside reach
    assert attack_net(fight(weapon=SWORD, defender_reach=1)) == 0
    both = fight(from_behind=True, defender_reach=0)
    assert attack_net(both) == 1
    assert attack_net(both, Settings(easy_target="per_reason")) == 2
    turned = Settings(easy_target="defender_penalty")
    assert attack_net(both, turned) == 0
    assert net(combat.defence(both, "def", turned)) == -1
    assert attack_net(shot(from_behind=True)) == 0


@pytest.mark.rule("FE-CMB-09", "FE-TEAM-01")
def test_teamwork():
    assert [support(count).amount for count in range(6)] == [0, 1, 2, 3, 3, 3]
    side = combat.attack(shot(weapon=replace(RIFLE, rank=2), supporters=3), DEFAULTS)
    assert side.draw == Draw(4, False, 4)  # net +5
    with pytest.raises(InvalidInput):
        support(-1)


@pytest.mark.rule("FE-CMB-11", "FE-DRAW-02")
def test_sum_of_marks():
    hurt = figure(1, damage=6)
    situation = shot(attacker=hurt, weapon=replace(RIFLE, rank=2), manner="focused", supporters=2)
    side = combat.attack(situation, DEFAULTS)
    assert net(side) == 4
    assert (side.draw.cards, side.draw.points, side.trait) == (4, 2, 7)


@pytest.mark.rule("FE-MOV-02")
def test_running_costs_the_main_attack_a_card():
    assert attack_net(shot(ran=True)) == -1
    assert attack_net(shot(ran=True, manner="quick")) == -1


@pytest.mark.rule("FE-DEF-01", "FE-DEF-02", "FE-CMB-10")
def test_defence():
    assert combat.defence(shot(), "def", DEFAULTS).trait == 5
    assert combat.defence(shot(), "manv", DEFAULTS).trait == 4
    with pytest.raises(InvalidInput):
        combat.defence(shot(), "fight", DEFAULTS)
    with pytest.raises(Forbidden):
        combat.defence(shot(defender=figure(2, conditions=(("inactive", 0),))), "def", DEFAULTS)


@pytest.mark.rule("FE-DET-01")
def test_hidden_target():
    with pytest.raises(Forbidden):
        combat.attack(shot(hidden=True), DEFAULTS)


def test_fight_needs_reach():
    with pytest.raises(Forbidden):
        combat.attack(fight(distance_inches=1), DEFAULTS)
    with pytest.raises(Forbidden):
        combat.attack(fight(weapon=RIFLE), DEFAULTS)
    combat.attack(fight(weapon=PIKE, distance_inches=2), DEFAULTS)
    combat.attack(fight(weapon=SPEAR, distance_inches=1), DEFAULTS)


@pytest.mark.rule("FE-TEAM-02")
def test_alternating_attacks():
    assert alternating(2, (1, 2, 3), (2, 3)) == 0
    with pytest.raises(Forbidden):
        alternating(1, (1, 2), (2, 1))
    with pytest.raises(InvalidInput):
        alternating(3, (1, 2), (4,))


@pytest.mark.rule("FE-TEAM-03")
def test_combined():
    assert combined((Share(2, 2), Share(3, 1))) == Share(3, 2)
    assert combined((Share(1, 0, 1, 0), Share(1, 0, 0, 1))) == Share(1, 0, 1, 1)


@pytest.mark.rule("FE-OBS-01", "FE-OBS-02")
def test_crossing():
    assert [crossing_cost(size) for size in (1, 2, 3, 4)] == ["half_move", "half_move", "move", "move"]
    with pytest.raises(Forbidden):
        crossing_cost(5)


@pytest.mark.rule("FE-OBS-03", "FE-OBS-04")
def test_obstacle_ground():
    assert ground_of("soft") == "rough"
    assert ground_of("dense") == "difficult"
    with pytest.raises(InvalidInput):
        ground_of("hard")


@pytest.mark.rule("FE-OBS-08", "FE-TER-07")
def test_when_cover_counts():
    assert [cover_from(kind) for kind in ("soft", "dense", "hard")] == ["soft", "none", "hard"]
    assert [cover_from(kind, adjacent_and_sees=True) for kind in ("soft", "hard")] == ["none", "none"]


@pytest.mark.rule("FE-OBS-06")
def test_detection_blocking_cover():
    assert blocks_detection("hard", fully_covered=True, looking_out=False)
    assert not blocks_detection("hard", fully_covered=True, looking_out=True)
    assert not blocks_detection("soft", fully_covered=True, looking_out=False)
    assert not blocks_detection("hard", fully_covered=False, looking_out=False)


@pytest.mark.rule("FE-ACT-07")
def test_a_base_in_the_line_of_sight():
    for situation in (shot(crossed=("Thug",)), shot(weapon=BOLT, trait="cast", crossed=("Thug",))):
        with pytest.raises(Forbidden, match="Thug's base"):
            combat.attack(situation, DEFAULTS)
    with pytest.raises(InvalidInput):
        combat.attack(fight(crossed=("Thug",)), DEFAULTS)


@pytest.mark.rule("FE-CMB-05", "FE-CMB-07", "FE-RCH-03", "FE-ACT-02")
@pytest.mark.parametrize(
    "weapon", [SWORD, SPEAR, FISTS, RIFLE, PISTOL, BOLT], ids=lambda weapon: weapon.title
)
@pytest.mark.parametrize("manner", ["basic", "quick"])
def test_nothing_changes_between_the_breaks_of_a_weapon(weapon, manner):
    trait = "cast" if weapon.suit else "fight" if weapon.range_inches is None else "shoot"

    def told(inches):
        situation = Situation(figure(1), figure(2, 2), weapon, trait, manner, inches)
        try:
            return attack_net(situation)
        except Forbidden:
            return "refused"

    limits = breaks(weapon)
    for before, limit in zip((-0.25, *limits), limits, strict=False):
        steps = [before + 0.25 * step for step in range(1, int((limit - before) * 4) + 1)]
        assert len({told(inches) for inches in steps}) == 1, (before, limit)
    assert told(limits[-1] + 0.25) == "refused"
