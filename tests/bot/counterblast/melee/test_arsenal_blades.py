"""Weapons in melee at the table: which one is taken, what it adds, what a botch gives the other side."""

from __future__ import annotations

import pytest

from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.state.models import block_text
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, touching, under

GUARDLING = "Edo Guardling"
IN_CONTACT = (active("Skip"), touching(("Skip", GUARDLING)))


def first_weapons(encounter: Encounter) -> None:
    """Play by the reading that the first weapon carried fights."""
    encounter.row.settings["melee_weapon"] = "first"


def skip(*weapons: str) -> Step:
    def alter(row: ModelRow) -> None:
        row.profile = block_text("skip_westmoreland", weapons)

    return change("Skip", alter)


# ---------------------------------------------------------------- which weapon


@pytest.mark.rule("CB-FIGHT-01", "CB-WEAP-10", "CB-GEAR-04")
async def test_by_a_setting_the_first_weapon_carried_fights_unless_another_is_named(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"), touching(("Spawnguard", "Skip")), first_weapons)
    lines = await ring.ask(BO, Fight("Spawnguard", "Skip", odds=True))
    assert "STR 3D+3 vs 7, Arc Pistol" in lines
    lines = await ring.ask(BO, Fight("Spawnguard", "Skip", "Arc Halberd", odds=True))
    assert "STR 3D+3 vs 7, Arc Halberd" in lines


@pytest.mark.rule("CB-FIGHT-01")
async def test_a_charge_is_fought_with_the_weapon_that_the_setting_means(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"))
    lines = await ring.ask(BO, Charge("Spawnguard", "Skip", 6, odds=True))
    assert "STR 3D+4 vs 7, Arc Halberd" in lines
    await ring.arrange(first_weapons)
    lines = await ring.ask(BO, Charge("Spawnguard", "Skip", 6, odds=True))
    assert "STR 3D+4 vs 7, Arc Pistol" in lines


@pytest.mark.rule("CB-FIGHT-01", "CB-WEAP-10")
async def test_the_best_weapon_in_this_fight_is_taken_unless_another_is_named(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"), touching(("Spawnguard", "Skip")))
    lines = await ring.ask(BO, Fight("Spawnguard", "Skip", odds=True))
    assert "STR 3D+3 vs 7, Arc Halberd" in lines
    lines = await ring.ask(BO, Fight("Spawnguard", "Skip", "Arc Pistol", odds=True))
    assert "STR 3D+3 vs 7, Arc Pistol" in lines


@pytest.mark.rule("CB-WEAP-02", "CB-WEAP-11")
async def test_a_rifle_fights_at_minus_1_and_comes_last(ring: Ring) -> None:
    # The Guardling is a Chameleon: 1 less as well.
    await ring.arrange(*IN_CONTACT)
    lines = await ring.ask(ANNA, Fight("Skip", GUARDLING, odds=True))
    assert any(line == "STR 3D-1 vs 8, Bare hands" for line in lines), "they serve better than a rifle"
    lines = await ring.ask(ANNA, Fight("Skip", GUARDLING, "Pulsar Rifle", odds=True))
    assert any(line == "STR 3D-2 vs 8, Pulsar Rifle" for line in lines)
    await ring.arrange(skip("neuralizer_baton", "knife"))
    lines = await ring.ask(ANNA, Fight("Skip", GUARDLING, odds=True))
    assert any(line.endswith(", Knife") for line in lines), "a blade that wounds before a baton that stuns"


@pytest.mark.rule("CB-FIGHT-01", "CB-WEAP-16", "CB-WEAP-20")
async def test_what_is_best_depends_on_the_enemy_and_on_the_charge(ring: Ring) -> None:
    """A lazknife does 1 more to the living, a pulsar pistol to machines; a shashar charges better."""
    living, machine = (block("Prime", key) for key in ("prime_leader", "gdf_heavy_combot"))
    await ring.arrange(active("Skip"), skip("pulsar_pistol", "lazknife"), living)
    armed = {}
    for name, whom in (("living", living), ("machine", machine)):
        await ring.arrange(whom)
        lines = await ring.ask(ANNA, Fight("Skip", "Prime", odds=True))
        armed[name] = lines[1].split(", ")[1]
    assert armed == {"living": "Lazknife", "machine": "Pulsar Pistol"}
    await ring.arrange(skip("pincer_p6", "shashar"), living)
    resting = (await ring.ask(ANNA, Fight("Skip", "Prime", odds=True)))[1]
    charging = await ring.ask(ANNA, Charge("Skip", "Prime", 5, helpers="nobody", odds=True))
    assert resting.endswith(", Pincer Pwr6")
    assert any(line.endswith(", Shashar") for line in charging)


@pytest.mark.rule("CB-FIGHT-01", "CB-CHARGE-01")
async def test_a_charge_strikes_with_what_its_odds_said(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"))
    odds = await ring.ask(BO, Charge("Spawnguard", "Smap", 5, helpers="nobody", odds=True))
    assert any(line.endswith(", Arc Halberd") for line in odds)
    lines = await throws(ring, BO, Charge("Spawnguard", "Smap", 5, helpers="nobody"), 2)
    assert any(line.endswith(", Arc Halberd") for line in lines), lines


@pytest.mark.rule("CB-FIGHT-01")
async def test_a_defender_holds_off_with_what_serves_it_best(ring: Ring) -> None:
    """A rifle fights at -1; the blade that it also carries does not."""
    await ring.arrange(skip("knife"), active("Spawnguard"), touching(("Spawnguard", "Skip")))
    lines = await ring.ask(BO, Fight("Spawnguard", "Skip", odds=True))
    plain = lines[2]
    lines = await ring.ask(BO, Fight("Spawnguard", "Skip", defence="Pulsar Rifle", odds=True))
    assert plain == "against STR 3D+0 vs 8"
    assert lines[2] == "against STR 3D-1 vs 8"


@pytest.mark.rule("CB-FIGHT-01", "CB-FIGHT-02")
async def test_one_weapon_serves_best_in_all_blows_of_a_model(ring: Ring) -> None:
    foes = (GUARDLING, "Trapper")
    await ring.arrange(skip("neiran_glaive"), active("Skip"), touching(*(("Skip", foe) for foe in foes)))
    lines = await throws(ring, ANNA, Melee(text=f"Skip>{GUARDLING}, Skip>Trapper"), 2)
    assert sum(line.startswith("STR 2D") and line.endswith(", Neiran Glaive") for line in lines) == 2, lines


@pytest.mark.rule("CB-FIGHT-01", "CB-FEAT-25")
async def test_a_drained_blade_stays_in_its_sheath(ring: Ring) -> None:
    await ring.arrange(under("drained", "Spawnguard"), active("Spawnguard"), touching(("Spawnguard", "Skip")))
    lines = await ring.ask(BO, Fight("Spawnguard", "Skip", odds=True))
    assert "STR 3D+3 vs 7, Bare hands" in lines
    assert "is drained" in await ring.refused(BO, Fight("Spawnguard", "Skip", "Arc Halberd"))


@pytest.mark.rule("CB-WEAP-11")
async def test_heavy_rifles_do_not_fight_in_melee(ring: Ring) -> None:
    await ring.arrange(skip("pulsar_heavy"), *IN_CONTACT)
    assert "CB-WEAP-11" in await ring.refused(ANNA, Fight("Skip", GUARDLING, "Pulsar Heavy"))


# ---------------------------------------------------------------- what blades add


@pytest.mark.parametrize(
    ("weapon", "dice"),
    [
        pytest.param("neiran_glaive", "STR 4D-1", marks=pytest.mark.rule("CB-WEAP-17")),
        pytest.param("shrequoro", "STR 3D+0", marks=pytest.mark.rule("CB-WEAP-39")),
    ],
)
async def test_a_blade_betters_the_roll(ring: Ring, weapon: str, dice: str) -> None:
    await ring.arrange(skip(weapon), *IN_CONTACT)
    lines = await ring.ask(ANNA, Fight("Skip", GUARDLING, odds=True))
    assert any(line.startswith(dice) for line in lines), lines


@pytest.mark.rule("CB-WEAP-20", "CB-CHARGE-07")
async def test_a_shashar_adds_one_on_a_charge(ring: Ring) -> None:
    await ring.arrange(skip("shashar"), active("Skip"))
    lines = await ring.ask(ANNA, Charge("Skip", "Trapper", 4, "Shashar", helpers="nobody", odds=True))
    assert any(line.startswith("STR 3D+1") for line in lines), "charge 1, blade 1, Chameleon -1"


@pytest.mark.rule("CB-WEAP-15", "CB-WEAP-22", "CB-FEAT-36")
async def test_a_double_glaive_wounds_twice_and_floors_on_a_critical_success(ring: Ring) -> None:
    await ring.arrange(skip("praetoris_double_glaive"), active("Skip"), touching(("Skip", "Prime")))
    lines = await throws(ring, ANNA, Fight("Skip", "Prime", "Praetoris Double Glaive"), 10)
    assert (await ring.model("Prime")).damage == 2
    assert "Prime Leader is knocked down." in lines


@pytest.mark.rule("CB-WEAP-16")
async def test_a_lazknife_cuts_the_living_deeper(ring: Ring) -> None:
    await ring.arrange(skip("lazknife"), active("Skip"), touching(("Skip", "Prime")))
    await throws(ring, ANNA, Fight("Skip", "Prime", "Lazknife"), 9)
    assert (await ring.model("Prime")).damage == 2
    assert await ring.hurt_by("Prime") == "Skip Westmoreland"


@pytest.mark.rule("CB-WEAP-21", "CB-WEAP-29")
async def test_a_baton_stuns(ring: Ring) -> None:
    await ring.arrange(skip("neuralizer_baton"), active("Skip"), touching(("Skip", "Prime")))
    lines = await throws(ring, ANNA, Fight("Skip", "Prime", "Neuralizer Baton"), 9)
    assert lines[0] == "Skip Westmoreland hits Prime Leader: stunned."
    assert (await ring.model("Prime")).damage == 0


@pytest.mark.rule("CB-WEAP-07", "CB-WEAP-08")
async def test_reach_strikes_from_a_distance_and_only_so_far(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"))
    assert "CB-WEAP-07" in await ring.refused(BO, Fight("Spawnguard", "Skip", "Arc Halberd", inches=2.5))
    await throws(ring, BO, Fight("Spawnguard", "Skip", "Arc Halberd", inches=2), 9)
    assert (await ring.model("Skip")).damage == 1


# ---------------------------------------------------------------- botches


@pytest.mark.rule("CB-FIGHT-10")
async def test_a_botch_is_told_with_what_it_gives_the_other_side(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Skip", "Prime")))
    # Skip: one success. The Prime Leader: two natural 1s, no success.
    lines = await throws(ring, ANNA, Fight("Skip", "Prime", "Pulsar Rifle"), 10, 2, 2, 2, 1, 1)
    assert "Prime Leader rolls a critical failure. Skip Westmoreland gains 2 successes." in lines
    assert (await ring.model("Prime")).damage == 3
