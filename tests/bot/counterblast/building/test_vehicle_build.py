"""Vehicles built at the table: template, maxima, slots, legal menus; and their gear and weapons in play."""

from __future__ import annotations

import json

import pytest

from bot.games.counterblast.building.hero_building import NameThing, OpenStep
from bot.games.counterblast.building.hero_drafts import FinishHero
from bot.games.counterblast.gear.items import UseItem
from bot.games.counterblast.gear.tasks import Work
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.models import read_block
from bot.games.counterblast.vehicles.driving import Maneuver
from bot.table.encounter import Encounter
from tests.bot.arranging import Step
from tests.bot.counterblast.building.test_build_hero import begun, member, shown
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, hurt, touching
from tests.bot.tables import Table


async def offered(table: Table, crew: int, step: str) -> set[str]:
    """Every choice of a step, page by page."""
    found: set[str] = set()
    for page in range(6):
        menus = (await table.do(ANNA, OpenStep(crew, step, page))).reply.menus
        found |= {choice.value for choice in menus[0].choices} if menus else set()
    return found


@pytest.mark.rule("CB-VEH-40", "CB-VEH-41", "CB-VEH-42", "CB-VEH-43", "CB-VEH-03")
async def test_points_slots_and_maxima(table: Table) -> None:
    crew = await begun(table, "Vehicle", "Truck", kind="tracked", base="M")
    lines = (await shown(table, crew)).lines
    assert "Mv 6, STR 2D+0, AGL 2D+0" in lines
    assert "Def 7, Life 5, Shield 0D" in lines
    assert "4 of 4 slots free" in lines  # 2 for each AGL die
    lines = (await shown(table, crew, "Mv", "Mv")).lines
    assert lines[:2] == (
        "Truck: Vehicle (tracked), base M, 30 points",
        "4 of 10 Upgrade Points spent",
    )
    assert "CB-VEH-43" in await table.refused(ANNA, NameThing(crew, "Mv"))  # 8 for Medium
    lines = (await shown(table, crew, "AGL dice")).lines
    assert "6 of 6 slots free" in lines
    lines = (await shown(table, crew, "Life")).lines
    assert lines[1] == "9 of 10 Upgrade Points spent"
    assert "mv" not in await offered(table, crew, "raise")
    await table.done(ANNA, FinishHero(crew))
    truck = read_block((await member(table, crew, "Truck")).profile).profile
    assert (truck.mv, truck.life, truck.agility.dice, truck.points) == (8, 6, 3, 35)


@pytest.mark.rule("CB-VEH-44", "CB-VEH-45", "CB-VEH-52")
async def test_menus_offer_what_vehicles_may_have(table: Table) -> None:
    crew = await begun(table, "Vehicle", "Truck", kind="tracked")
    weapons = await offered(table, crew, "weapon")
    assert {"power_ram", "mounted_pincers"} <= weapons
    assert not {"particle_beam_pistol", "lazblade", "long_rifle"} & weapons
    gear = await offered(table, crew, "gear")
    assert {"vehicle_force_field", "vehicle_scanner", "computer_backup"} <= gear
    assert not {"med_gel", "envirosuit", "personal_force_field"} & gear
    features = {value.partition(":")[0] for value in await offered(table, crew, "feature")}
    assert {"brave", "knockback", "scary"} <= features
    assert "bonded" not in features  # Neiran Cavalry only
    assert "There is no upgrade or item called" in await table.refused(
        ANNA, NameThing(crew, "Particle Beam Pistol")
    )


def built(name: str, kind: str, weapons: tuple[str, ...] = (), gear: tuple[str, ...] = ()) -> Step:
    def step(encounter: Encounter) -> None:
        draft = {
            "template": "vehicle",
            "kind": kind,
            "size": "L",
            "weapons": list(weapons),
            "gear": list(gear),
        }
        encounter.find_model(name).profile = json.dumps({"built": draft})

    return step


@pytest.mark.rule("CB-VEH-46")
async def test_plates_and_fields_add_up(ring: Ring) -> None:
    for gear, dice in (
        (("vehicle_force_field", "lazsteel_plating"), 4),
        (("xenon_insulation", "lazsteel_plating"), 3),
        (("lead_shielding",), 1),
        (("mantle_armor",), 1),
    ):
        await ring.arrange(built("Prime", "tracked", (), gear))
        assert (await ring.model("Prime")).shield == dice, gear


@pytest.mark.rule("CB-VEH-47", "CB-VEH-48", "CB-VEH-49")
async def test_sensors_and_computers_add_to_their_checks(ring: Ring) -> None:
    gear = ("targeting_array", "onboard_computer", "maintenance_system", "vehicle_infrared_optics")
    await ring.arrange(built("Sally", "tracked", ("slugger_rifle",), gear), active("Sally"))
    await ring.arrange(built("Prime", "tracked", (), ("chameleon_screen",)))
    await throws(ring, ANNA, Shoot("Sally", "Prime", 6, cover=2))
    assert "+1 Targeting Array CB-VEH-48" in ring.why
    assert "-1 Infrared Optics" in ring.why
    assert "Enhanced Chameleon" in ring.why
    await ring.ask(ANNA, Maneuver("Sally", 12, odds=True))
    assert "INT 2D+1 vs 7" in ring.answer.reply.lines
    await throws(ring, ANNA, Work("Sally", "engineering", task="gate"))
    assert "+1 Maintenance System" in ring.why


@pytest.mark.rule("CB-VEH-49", "CB-VEH-50")
async def test_smoke_and_repairs_from_its_own_gear(ring: Ring) -> None:
    gear = ("smoke_screen_launcher", "computer_backup", "engineer_operator")
    await ring.arrange(built("Prime", "tracked", (), gear), active("Prime"), hurt("Prime", 3))
    lines = await ring.ask(BO, UseItem("Prime", "Smoke Screen Launcher"))
    assert lines[0] == "Prime Leader makes a cloud called smoke (R5)."
    assert (await ring.model("Prime")).count("actions spent") == 0
    await ring.ask(BO, UseItem("Prime", "Computer Backup"))
    await ring.ask(BO, UseItem("Prime", "Engineer Operator"))
    prime = await ring.model("Prime")
    assert prime.damage == 1
    assert prime.count("actions spent") == 2
    await ring.arrange(lambda encounter: encounter.find_model("Prime").counters.pop("actions spent"))
    assert "used" in await ring.refused(BO, UseItem("Prime", "Computer Backup"))


@pytest.mark.rule("CB-VEH-51", "CB-VEH-53")
async def test_mounted_arms_reach(ring: Ring) -> None:
    gear = ("vehicle_extraction_tool",)
    arms = ("mounted_lazblade", "mounted_pincers")
    await ring.arrange(built("Prime", "mech", arms, gear), touching(("Prime", "Skip")))
    prime = await ring.model("Prime")
    reach = {weapon.name: (weapon.power, weapon.reach_inches) for weapon in prime.weapons}
    assert reach == {"Mounted Lazblade": (5, 1), "Mounted Pincers": (6, 1), "Extraction Tool": (3, 2)}
