"""Pistols, rifles and rapid fire at the table, one effect after another; what air and orders change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.setup.surroundings import InWater, SetTable
from bot.games.counterblast.shooting.arcs import MasterArc
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.models import block_text
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from bot.table.realdice import EnterFaces
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, touching, under

GUARDLING = "Edo Guardling"


def bears(name: str, block: str, *weapons: str) -> Step:
    def alter(row: ModelRow) -> None:
        row.profile = block_text(block, weapons)

    return change(name, alter)


def skip(*weapons: str) -> Step:
    return bears("Skip", "skip_westmoreland", *weapons)


# ---------------------------------------------------------------- vacuum and water


@pytest.mark.rule("CB-ENV-07")
async def test_vacuum_is_passed_to_a_shot_a_blow_and_an_arc(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Sally", "Spawnguard"), touching(("Sally", GUARDLING)))
    await ring.ask(ANNA, SetTable(vacuum=1))
    await throws(ring, ANNA, Shoot("Skip", "Prime", 6), 9)
    assert "Power 7, damage 1" in ring.why, "a Pulsar Rifle has 6"
    await throws(ring, ANNA, Fight("Sally", GUARDLING), 9)
    assert "Power 5, damage 1" in ring.why, "a Particle Beam Pistol has 4"
    await ring.ask(ANNA, SetTable(vacuum=0))


@pytest.mark.rule("CB-WEAP-33", "CB-ENV-07")
async def test_slugs_fail_without_air_in_the_hand_too(ring: Ring) -> None:
    await ring.arrange(skip("slugger_pistol"), active("Skip"))
    shot = Shoot("Skip", "Trapper", 4, weapon="Slugger Pistol")
    await ring.ask(ANNA, SetTable(vacuum=1))
    assert "doesn't work in a vacuum" in await ring.refused(ANNA, shot)
    blow = Fight("Skip", "Trapper", "Slugger Pistol", contact=True)
    assert "doesn't work in a vacuum" in await ring.refused(ANNA, blow)
    await ring.ask(ANNA, SetTable(vacuum=0))
    await ring.ask(ANNA, InWater("Skip", 10))
    assert "doesn't work under water" in await ring.refused(ANNA, shot)
    await ring.ask(ANNA, InWater("Skip", 0))
    await throws(ring, ANNA, shot)


# ---------------------------------------------------------------- orders


@pytest.mark.rule("CB-ORDER-05", "CB-ORDER-03")
async def test_a_shot_with_an_order_spends_one_token_for_one_more_on_each_die(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    before = await ring.orders(1)
    lines = await throws(ring, ANNA, Shoot("Skip", "Prime", 6, order=True))
    assert "+1 order token CB-ORDER-05" in ring.why
    assert "AGL 4D+0 vs 7, Pulsar Rifle" in lines
    assert await ring.orders(1) == before - 1

    def spent(encounter: Encounter) -> None:
        encounter.side(1).counters["orders"] = 0

    await ring.arrange(spent, active("Smap"))
    assert "CB-ORDER" in await ring.refused(ANNA, Shoot("Smap", "Prime", 6, order=True))


# ---------------------------------------------------------------- range and damage


@pytest.mark.rule("CB-WEAP-12", "CB-WEAP-14", "CB-FEAT-05")
async def test_a_sniper_rifle_bites_harder_up_close(ring: Ring) -> None:
    await ring.arrange(skip("sniper_rifle"), active("Skip"))
    near = Shoot("Skip", "Prime", 8, weapon="Sniper Rifle")
    await ring.ask(ANNA, Shoot("Skip", "Prime", 8.5, weapon="Sniper Rifle", odds=True))
    assert any("vs 6" in line for line in ring.answer.reply.lines), "7, Knack 1 less, Armor Piercing 1 less"
    await throws(ring, ANNA, near, 9)
    assert "Power 6, damage 2" in ring.why
    assert "-2 Armor Piercing CB-FEAT-05" in ring.why
    assert "long range" not in ring.why
    assert "reaches 16 in" in await ring.refused(ANNA, Shoot("Skip", "Prime", 17, weapon="Sniper Rifle"))


@pytest.mark.rule("CB-WEAP-28", "CB-WEAP-27")
async def test_pulsars_break_machines_and_particles_burn_the_living(ring: Ring) -> None:
    await ring.arrange(bears("Trapper", "hopr_bot"), skip("particle_beam_rifle"), active("Skip", "Smap"))
    await throws(ring, ANNA, Shoot("Smap", "Trapper", 6), 9)
    assert "+1 Pulsar Rifle against machines CB-WEAP-27" in ring.why
    await throws(ring, ANNA, Shoot("Skip", "Prime", 6, weapon="Particle Beam Rifle"), 9)
    assert (await ring.model("Prime")).damage == 2


@pytest.mark.rule("CB-WEAP-26", "CB-SHIELD-03")
async def test_a_gamma_rifle_takes_a_shield_die(ring: Ring) -> None:
    await ring.arrange(skip("gamma_disruptor_rifle"), active("Skip"))
    shot = Shoot("Skip", "Prime", 6, weapon="Gamma Disruptor Rifle")
    await throws(ring, ANNA, shot, 9)
    assert "-1 Gamma Disruptor Rifle CB-WEAP-26" in ring.why


@pytest.mark.rule("CB-WEAP-29", "CB-COND-04")
async def test_a_neuralizer_stuns_and_its_target_is_no_target_any_more(ring: Ring) -> None:
    await ring.arrange(skip("neuralizer_pistol"), active("Skip", "Smap"))
    lines = await throws(ring, ANNA, Shoot("Skip", "Trapper", 4, weapon="Neuralizer Pistol"), 9)
    assert lines[0] == "Skip Westmoreland hits Trapper: stunned."
    trapper = await ring.model("Trapper")
    assert trapper.has("incapacitated")
    assert trapper.damage == 0
    assert "CB-COND-04" in await ring.refused(ANNA, Shoot("Smap", "Trapper", 4))


@pytest.mark.rule("CB-WEAP-30", "CB-FEAT-36")
async def test_a_sonic_rifle_floors_on_a_critical_success(ring: Ring) -> None:
    await ring.arrange(skip("sonic_blaster_rifle"), active("Skip"))
    lines = await throws(ring, ANNA, Shoot("Skip", "Prime", 6, weapon="Sonic Blaster Rifle"), 10)
    assert "Prime Leader is knocked down." in lines
    assert any("pushed back" in line for line in lines)


# ---------------------------------------------------------------- heavy weapons


@pytest.mark.rule("CB-WEAP-34")
async def test_a_heavy_weapon_makes_two_full_rolls_at_one_target_or_two(ring: Ring) -> None:
    await ring.arrange(skip("pulsar_heavy"), active("Skip"))
    odds = await ring.ask(ANNA, Shoot("Skip", "Prime", 6, weapon="Pulsar Heavy", odds=True))
    once = await ring.ask(ANNA, Shoot("Skip", "Prime", 6, odds=True))
    assert odds != once
    two = Shoot("Skip", "Prime", 6, weapon="Pulsar Heavy", target2="Trapper", distance2=6)
    lines = await throws(ring, ANNA, two, 9, 2, 2, 2, 2, 9)
    assert lines.count("AGL 4D-1 vs 7, Pulsar Heavy") == 2, "all dice at each"
    assert (await ring.model("Prime")).damage == 2
    assert (await ring.model("Trapper")).is_down
    assert (await ring.model("Skip")).count("attacks made") == 1
    again = change("Skip", lambda row: row.counters.update({"actions spent": 0, "attacks made": 0}))
    await ring.arrange(again)
    await throws(ring, ANNA, Shoot("Skip", "Prime", 6, weapon="Pulsar Heavy"), 9, 2, 2, 2, 2, 9)
    assert (await ring.model("Prime")).damage == 2 + 4


@pytest.mark.rule("CB-WEAP-32")
async def test_the_odds_of_the_void_name_its_three_ends(ring: Ring) -> None:
    await ring.arrange(skip("void_rifle"), active("Skip"))
    lines = await ring.ask(ANNA, Shoot("Skip", "Trapper", 6, weapon="Void Rifle", odds=True))
    text = "\n".join(lines)
    assert "missed" in text
    assert "spat out and Prone" in text
    assert "lost" in text


@pytest.mark.rule("CB-WEAP-35", "CB-WEAP-36", "CB-ACT-02")
async def test_full_auto_takes_two_actions_and_only_rapid_fire_has_it(ring: Ring) -> None:
    await ring.arrange(skip("autoslugger"), active("Skip", "Smap"))
    assert "can't fire on full auto.\nRulebook: Weapons (pages 39 to 44; CB-WEAP-36)" in await ring.refused(
        ANNA, Shoot("Smap", "Prime", 6, mode="full auto")
    )
    shot = Shoot("Skip", "Prime", 6, weapon="Autoslugger", mode="full auto")
    lines = await throws(ring, ANNA, shot)
    assert "AGL 12D-1 vs 7, Autoslugger" in lines, "4 of its own and 8"
    assert (await ring.model("Skip")).count("actions spent") == 2


@pytest.mark.rule("CB-WEAP-37", "CB-SHOOT-10")
async def test_full_auto_into_a_melee_strays_and_overloads(ring: Ring) -> None:
    await ring.arrange(skip("autoslugger"), active("Skip"), touching(("Smap", "Trapper")))
    shot = Shoot("Skip", "Trapper", 6, weapon="Autoslugger", mode="full auto")
    lines = await throws(ring, ANNA, shot, 1, 1, 1, *[2] * 9, rest=2)
    assert "The Autoslugger overloads: 3 dice against the shooter." in lines
    assert any(line.startswith("stray: 2 ") for line in lines), lines


@pytest.mark.rule("CB-SHOOT-06", "CB-SHOOT-10")
async def test_the_dice_at_the_second_of_two_targets_stray_too(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Smap", "Trapper")))
    shot = Shoot("Skip", "Prime", 6, target2="Trapper", distance2=6, dice=2)
    await ring.ask(ANNA, replace(shot, odds=True))
    assert any(line.startswith("Risk to ") for line in ring.answer.reply.lines)
    lines = await throws(ring, ANNA, shot, 2, 2, 2, 2, 9, 9)
    assert "Skip Westmoreland hits Smap: 2 wounds, and Smap goes down." in lines, lines


@pytest.mark.rule("CB-WEAP-37")
async def test_odds_of_full_auto_tell_what_an_overload_may_do(ring: Ring) -> None:
    await ring.arrange(skip("autoslugger"), active("Skip"))
    shot = Shoot("Skip", "Prime", 6, weapon="Autoslugger", mode="full auto", odds=True)
    lines = await ring.ask(ANNA, shot)
    assert any(line.startswith("Risk to Skip Westmoreland from an overload: hurt ") for line in lines), lines
    lines = await ring.ask(ANNA, replace(shot, mode="shoot"))
    assert not any(line.startswith("Overload") for line in lines)


@pytest.mark.rule("CB-WEAP-37")
async def test_an_overload_does_one_damage_for_each_success_whatever_the_weapon(ring: Ring) -> None:
    await ring.arrange(bears("Sally", "sally_starfield", "particle_multiblaster"), active("Sally"))
    shot = Shoot("Sally", "Trapper", 6, weapon="Multiblaster", mode="full auto")
    await throws(ring, ANNA, shot, 1, *[2] * 9, 9)
    assert (await ring.model("Sally")).damage == 1, "not the 1 more that it does to the living"


@pytest.mark.rule("CB-WEAP-37")
@pytest.mark.parametrize(("shield", "hurt"), [(9, 0), (2, 1)])
async def test_shields_of_the_shooter_help_against_its_own_overload(
    ring: Ring, shield: int, hurt: int
) -> None:
    await ring.arrange(skip("autoslugger"), active("Skip"))
    shot = Shoot("Skip", "Prime", 6, weapon="Autoslugger", mode="full auto")
    await throws(ring, ANNA, shot, 1, *[2] * 11, 8, shield)
    assert (await ring.model("Skip")).damage == hurt


@pytest.mark.rule("CB-WEAP-37")
@pytest.mark.parametrize(("face", "hurt"), [(6, 0), (7, 1)])
async def test_an_overload_has_no_rating_and_pierces_no_armour(ring: Ring, face: int, hurt: int) -> None:
    """Defense 7 is to be reached by the face alone: what pierces the armour of others counts 2 less."""
    await ring.arrange(skip("praetoris_carbine"), active("Skip"))
    shot = Shoot("Skip", "Prime", 6, weapon="Praetoris Carbine", mode="full auto")
    await throws(ring, ANNA, shot, 1, *[2] * 11, face, rest=2)
    assert (await ring.model("Skip")).damage == hurt


# ---------------------------------------------------------------- arcs in strange hands


@pytest.mark.rule("CB-WEAP-24")
async def test_an_arc_weapon_out_of_control_attacks_its_user(ring: Ring) -> None:
    await ring.arrange(bears("Wanda", "acolyte", "arc_rod"), active("Wanda"))
    lines = await throws(ring, ANNA, MasterArc("Wanda", "arc_rod"), 1, 1, 2, rest=9)
    assert lines[0] == "Wanda Whitestar loses control and attacks itself."
    assert any(line.startswith("Wanda Whitestar hits Wanda Whitestar") for line in lines)
    wanda = await ring.model("Wanda")
    assert wanda.damage > 0
    assert (wanda.count("actions spent"), wanda.count("attacks made")) == (2, 1)


@pytest.mark.rule("CB-WEAP-24", "CB-TMPL-13")
async def test_arc_rockets_of_their_own_chart_need_no_mastering(ring: Ring) -> None:
    from bot.games.counterblast.templates.template_attacks import Template

    await ring.arrange(skip("rocket_launcher_arc_burst", "arc_ray_cannon"), active("Skip"))
    ray = Template("Skip", "Arc Ray Cannon", under="Trapper")
    assert "before each attack (1 action, Psionics 8+)." in await ring.refused(ANNA, ray)
    await throws(ring, ANNA, Template("Skip", "Arc Burst", distance=6, under="Trapper"), 8)


@pytest.mark.rule("CB-OVER-03", "CB-OVER-02")
async def test_a_wound_ends_overwatch(ring: Ring) -> None:
    await ring.arrange(under("overwatch", GUARDLING), active("Skip"))
    await ring.ask(ANNA, Shoot("Skip", GUARDLING, 6))
    await ring.table.press(BO, ring.answer, "Nobody reacts")
    await ring.ask(ANNA, EnterFaces((9, 2, 2, 2, 2)))
    assert not (await ring.model(GUARDLING)).has("overwatch")
    assert "is not on Overwatch" in await ring.refused(BO, Shoot(GUARDLING, "Skip", 4, mode="overwatch"))


@pytest.mark.rule("CB-WEAP-37", "CB-SHOOT-10")
async def test_full_auto_into_a_melee_overloads_all_the_same(ring: Ring) -> None:
    await ring.arrange(skip("autoslugger"), active("Skip"), touching(("Smap", "Prime")))
    shot = Shoot("Skip", "Prime", 6, weapon="Autoslugger", mode="full auto")
    lines = await throws(ring, ANNA, shot, *[1] * 12, rest=2)
    assert "The Autoslugger overloads: 12 dice against the shooter." in lines


@pytest.mark.rule("CB-WEAP-34", "CB-ACT-08")
async def test_a_team_of_heavy_weapons_makes_two_full_rolls(ring: Ring) -> None:
    """Both fire twice: two rolls of seven dice; where one does not, the team rolls once."""
    heavy = (block(name, "skip_westmoreland", "pulsar_heavy") for name in ("Skip", "Wanda"))
    await ring.arrange(*heavy, active("Skip", "Wanda"), block("Prime", "kraken"))
    lines = await throws(ring, ANNA, TeamShot("Skip, Wanda", "Prime", "6", weapon="Pulsar Heavy"))
    assert sum("misses" in line for line in lines) == 2
    await ring.arrange(block("Wanda", "wanda_whitestar", "particle_beam_rifle"))
    fresh = {"actions spent": 0, "attacks made": 0}
    await ring.arrange(*(change(name, lambda row: row.counters.update(fresh)) for name in ("Skip", "Wanda")))
    lines = await throws(ring, ANNA, TeamShot("Skip, Wanda", "Prime", "6"))
    assert sum("misses" in line for line in lines) == 1
