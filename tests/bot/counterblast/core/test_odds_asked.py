"""Odds of what is rolled between the attacks and of what is answered: to the asker alone, nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.actions import Action, with_text
from bot.games.counterblast.core.checks import Rally
from bot.games.counterblast.gear.devices import ArmBomb
from bot.games.counterblast.gear.items import UseItem
from bot.games.counterblast.ground.flames import StartFire
from bot.games.counterblast.ground.hazards import RandomHazard
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.strikes import Explode
from bot.games.counterblast.setup.deployment import Terrain
from bot.games.counterblast.shooting.arcs import MasterArc
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.turn.overwatch import Interrupt
from bot.games.counterblast.upkeep.corrections import UpkeepNamed
from bot.games.counterblast.vehicles.vehicle_damage import (
    BlowsUp,
    BurnRiders,
    Careens,
    CriticalDamage,
    FallsDown,
)
from bot.store.rows import ModelRow
from bot.table.session.encounters import NextStep
from tests.bot.counterblast.building.test_build_gear import carries
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, touching, under
from tests.bot.counterblast.upkeep.test_upkeep_flow import ONE_TESTS
from tests.bot.counterblast.vehicles.test_vehicle_play import truck
from tests.bot.counterblast.vehicles.test_vehicle_wrecks import wreck


async def odds(ring: Ring, action: Action, *buttons: str) -> list[str]:
    """The lines of the odds: nothing was rolled or changed, and a button rolls."""
    before = ring.table.state()
    answer = await ring.table.do(ANNA, action)
    assert answer.reply.private
    assert not answer.changed
    assert ring.table.state() == before
    assert "No dice were rolled." in answer.reply.lines, answer.reply.text
    assert "ampled" not in answer.reply.text
    assert [button.label for button in answer.reply.buttons] == list(buttons)
    ring.answer = answer
    return list(answer.reply.lines)


def rides(number: int) -> Callable[[ModelRow], None]:
    def aboard(row: ModelRow) -> None:
        row.counters["rides"] = number

    return aboard


@pytest.mark.rule("CB-HAZ-07")
async def test_a_random_hazard(ring: Ring) -> None:
    lines = await odds(ring, RandomHazard("Sally", odds=True), "Roll", "Change...")
    assert sum("%" in line for line in lines) >= 5


@pytest.mark.rule("CB-GEAR-51")
async def test_arming_a_bomb(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", weapons=("bomb_kit_explosite",)), active("Skip"))
    lines = await odds(
        ring, ArmBomb("Skip", "Bomb", odds=True), "Arm", "Arm with an order token", "Compare", "Change..."
    )
    assert any(line.startswith("armed") for line in lines)
    assert any(line.startswith("goes off at once") for line in lines)


@pytest.mark.rule("CB-GEAR-36")
async def test_an_extinguisher_puts_out_each_inch_at_seven(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", "fire_extinguisher"), active("Skip"))
    await ring.ask(ANNA, StartFire("Hay", 1))
    lines = await odds(ring, UseItem("Skip", "Fire", "Hay", odds=True), "Spray", "Compare", "Change...")
    assert lines[0] == "Hay goes out: 40%"
    await ring.arrange(under("burning", "Wanda"))
    lines = await odds(ring, UseItem("Skip", "Fire", "Wanda", odds=True), "Spray", "Compare", "Change...")
    assert lines[0].startswith("The fire on Wanda Whitestar goes out: ")


async def test_an_item_without_dice_says_so(ring: Ring) -> None:
    await ring.arrange(carries("Skip", "skip_westmoreland", "med_gel"), active("Skip"))
    assert (
        await ring.refused(ANNA, UseItem("Skip", "Med Gel", odds=True))
        == "Med Gel needs no dice, so there are no odds to show."
    )


@pytest.mark.rule("CB-FEAT-16")
async def test_an_explosion(ring: Ring) -> None:
    await ring.arrange(block("Trapper", "kraken"), active("Trapper"))
    number, skip = (await ring.model("Trapper")).id, (await ring.model("Skip")).id
    lines = await odds(ring, Explode(number, near=(skip,), attack=True, odds=True), "Explode")
    assert lines[1].startswith("Skip Westmoreland: hurt ")


@pytest.mark.rule("CB-SETUP-04")
async def test_the_pieces_of_terrain(ring: Ring) -> None:
    assert "before the first turn" in await ring.refused(ANNA, Terrain(4, 4, odds=True))
    await ring.arrange(lambda encounter: setattr(encounter.row, "turn", 0))
    lines = await odds(ring, Terrain(4, 4, odds=True), "Roll", "Change...")
    assert lines[0].startswith("Terrain: 8 to 80 pieces, 44.0 on average")


@pytest.mark.rule("CB-VEH-37")
async def test_passengers_of_a_burning_vehicle(ring: Ring) -> None:
    await truck(ring)
    number = (await ring.model("Prime")).id
    await ring.arrange(change("Trapper", rides(number)), under("burning", "Prime"))
    lines = await odds(ring, BurnRiders("Prime", odds=True), "Roll", "Change...")
    assert lines[1].startswith("Trapper: hurt ")


async def test_who_lies_under_a_template_that_has_landed(ring: Ring) -> None:
    await ring.arrange(block("Sally", "sally_starfield", "grenade"), active("Sally"))
    landed = Template("Sally", "Grenade", distance=6, under="Trapper", partly="Prime", landed=True, odds=True)
    lines = await odds(ring, landed, "Roll", "Compare", "Change...")
    assert not any("on target" in line for line in lines)
    assert any(line.startswith("Trapper: hurt ") for line in lines)


@pytest.mark.rule("CB-CHARGE-04")
async def test_the_shots_before_contact(ring: Ring) -> None:
    await ring.arrange(active("Spawnguard"))
    await ring.ask(BO, Charge("Spawnguard", "Sally", 7))
    assert "Odds" in ring.labels
    before = ring.table.state()
    answer = await ring.table.press(ANNA, ring.answer, "Odds")
    assert answer.reply.private
    assert ring.table.state() == before
    assert answer.reply.lines[1].startswith("Particle Beam Pistol: hurt ")
    assert answer.reply.lines[2].startswith("Particle Beam Pistol (order token +1): hurt ")


@pytest.mark.rule("CB-FEAT-27")
async def test_striking_back(ring: Ring) -> None:
    await ring.arrange(active("Sally"), block("Trapper", "brute"), touching(("Sally", "Trapper")))
    await ring.ask(ANNA, Fight("Sally", "Trapper"), 2, 2, 2, 2, 2, 2)
    assert ring.labels[:2] == ["Strike back", "Odds"]
    before = ring.table.state()
    answer = await ring.table.press(BO, ring.answer, "Odds")
    assert answer.reply.private
    assert answer.reply.lines[0] == "Trapper -> Sally Starfield"
    assert ring.table.state() == before
    ring.answer = answer
    lines = await ring.press(BO, "Strike back", 9, 6, 2, 2, 2, 2, 2, 2)
    assert lines[0] == "Trapper hits Sally Starfield: 3 wounds, and Sally Starfield goes down."


@pytest.mark.rule("CB-PANIC-05", "CB-PANIC-06", "CB-ORDER-05")
async def test_the_panic_tests_of_upkeep(ring: Ring) -> None:
    """Smap, INT 1D+0 at Panic Level 2: only a natural 1 fails, whatever is added."""
    await ring.arrange(*ONE_TESTS)
    lines = await odds(ring, UpkeepNamed(odds=True), "Upkeep")
    assert lines[:4] == [
        "Lancers, Panic Level 2",
        "Chance that Smap holds: 90%",
        "  INT 1D+0 vs 2",
        "  with an order token: 90%",
    ]
    await ring.ask(ANNA, NextStep())
    assert "Odds" in ring.labels
    answer = await ring.table.press(BO, ring.answer, "Odds")
    assert answer.reply.private
    assert answer.reply.lines == tuple(lines)
    assert [button.label for button in answer.reply.buttons] == ["Roll"]


@pytest.mark.rule("CB-BURN-03")
async def test_the_fires_of_upkeep(ring: Ring) -> None:
    """d10: 1 to 3 it grows, 9 or 10 it ends; one higher for every turn that it has burnt."""
    await ring.ask(ANNA, StartFire("Barn"))
    await ring.arrange(*ONE_TESTS)
    lines = await odds(ring, UpkeepNamed(odds=True), "Upkeep")
    assert "Barn: grows 30%, stays 50%, goes out 20%" in lines
    await ring.arrange(lambda encounter: setattr(encounter.row, "turn", 2))
    lines = await odds(ring, UpkeepNamed(odds=True), "Upkeep")
    assert "Barn: grows 20%, stays 50%, goes out 30%" in lines


@pytest.mark.rule("CB-WEAP-24")
async def test_mastering_an_arc_weapon(ring: Ring) -> None:
    """PSI 3D+2 at 8 succeeds at 6: 75 in 100 net; a net 1 turns on its user."""
    await ring.arrange(active("Wanda"), block("Wanda", "acolyte", "arc_rod"))
    lines = await odds(ring, MasterArc("Wanda", "arc_rod", odds=True), "Master the weapon")
    assert [line.split("#")[0].strip() for line in lines[2:5]] == [
        "masters the weapon      75%",
        "fails and can't attack  17%",
        "attacks itself           7%",
    ]


@pytest.mark.rule("CB-VEH-34")
async def test_a_careening_vehicle(ring: Ring) -> None:
    await wreck(ring, over=2)
    await throws(ring, ANNA, CriticalDamage("Prime"), 3)
    assert ring.labels[:2] == ["Careen", "Odds"]
    careens = next(one.action for one in ring.answer.reply.buttons if one.label == "Careen")
    assert isinstance(careens, Careens)
    lines = await odds(ring, replace(careens, odds=True), "Careen")
    assert sum("%" in line for line in lines) > 1
    assert "careens" in (await throws(ring, ANNA, careens))[0]


@pytest.mark.rule("CB-VEH-39")
async def test_a_flyer_that_comes_down(ring: Ring) -> None:
    await wreck(ring, "rocket_bike")
    await throws(ring, ANNA, CriticalDamage("Prime"), 1)
    falls = next(one.action for one in ring.answer.reply.buttons if isinstance(one.action, FallsDown))
    lines = await odds(ring, replace(falls, odds=True), "Fall")
    assert sum("10%" in line for line in lines) == 10


@pytest.mark.rule("CB-VEH-36")
async def test_a_vehicle_that_blows_up(ring: Ring) -> None:
    """Power 7 against one shield die: it is stopped 4 times in 10."""
    await wreck(ring, over=5)
    await throws(ring, ANNA, CriticalDamage("Prime"), 10)
    number, trapper = (await ring.model("Prime")).id, (await ring.model("Trapper")).id
    await ring.arrange(block("Trapper", "edo_spawnling"))
    lines = await odds(ring, BlowsUp(number, near=(trapper,), odds=True), "Explode")
    assert lines[:2] == ["Prime Leader explodes", "Trapper: hurt 60%, down 60%"]


@pytest.mark.rule("CB-OVER-02")
async def test_a_shot_from_overwatch(ring: Ring) -> None:
    await ring.arrange(under("overwatch", "Sally"), active("Trapper"))
    await ring.ask(ANNA, Interrupt())
    assert ring.labels == ["Overwatch: Sally Starfield"]
    shot = replace(ring.answer.reply.buttons[0].action, odds=True)
    assert "How far away is" in await ring.refused(ANNA, shot)
    answer = await ring.table.do(ANNA, with_text(shot, {"distance": "4", "cover": ""}))
    assert answer.reply.private
    assert not answer.changed
    assert "No dice were rolled." in answer.reply.lines
    assert answer.reply.lines[0] == "Sally Starfield -> Trapper"


@pytest.mark.rule("CB-PANIC-08")
async def test_chances_of_a_rally_before_it_acts(ring: Ring) -> None:
    await ring.arrange(under("panicked", "Skip"))
    lines = await odds(ring, Rally("Skip", odds=True), "Roll", "Compare", "Change...")
    assert lines[0].startswith("Skip Westmoreland rallies:")
    assert "CB-COND-07" in await ring.refused(ANNA, Rally("Skip"))
