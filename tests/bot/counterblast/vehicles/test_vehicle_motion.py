"""Vehicles under way: In Motion from turn to turn, Maneuvers, collisions, charges, who rides along."""

from __future__ import annotations

import json

import pytest

from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.movement.climbing import Leap
from bot.games.counterblast.movement.moves import Flee, Move
from bot.games.counterblast.setup.surroundings import SetTable
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.activations import Activate
from bot.games.counterblast.turn.bag import PassDraw
from bot.games.counterblast.turn.overwatch import Overwatch
from bot.games.counterblast.vehicles.collisions import Ram, VehicleCrash
from bot.games.counterblast.vehicles.driving import Drive, Maneuver
from bot.games.counterblast.vehicles.riders import Alight, Board
from bot.table.encounter import Encounter
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, under
from tests.bot.counterblast.vehicles.test_vehicle_play import truck


def built(name: str, kind: str, *weapons: str, size: str = "L") -> Step:
    """The model is a vehicle of that kind, built from the template."""

    def step(encounter: Encounter) -> None:
        draft = {"template": "vehicle", "kind": kind, "size": size, "weapons": list(weapons)}
        encounter.find_model(name).profile = json.dumps({"built": draft})

    return step


def next_turn(encounter: Encounter) -> None:
    """The next turn has begun, and a token of Bo's crew has been drawn."""
    encounter.row.turn += 1
    encounter.row.counters["drawn"] = 2
    for row in encounter.models():
        for key in ("actions spent", "attacks made", "activated", "moves made"):
            row.counters.pop(key, None)


def all_rest(encounter: Encounter) -> None:
    for row in encounter.models():
        for condition in encounter.conditions(row.id):
            if condition.kind == "active":
                encounter.book.remove(condition)


@pytest.mark.rule("CB-VEH-10")
async def test_a_vehicle_in_motion_is_told_so_and_must_drive(ring: Ring) -> None:
    mv = await truck(ring)
    await ring.ask(BO, Drive("Prime", mv))
    await ring.arrange(all_rest, next_turn)
    lines = await ring.ask(BO, Activate(((await ring.model("Prime")).id,)))
    assert (
        f"Prime Leader is In Motion and must drive at least {mv} in straight ahead. It can only turn "
        "with Maneuvers." in lines
    )
    assert "CB-VEH-10" in await ring.refused(BO, PassDraw())
    assert "an action to drive" in await ring.refused(BO, Overwatch("Prime"))
    await ring.ask(BO, Drive("Prime", mv))
    assert (await ring.ask(BO, PassDraw()))[0] == "Done: Prime Leader."


@pytest.mark.rule("CB-VEH-12")
async def test_one_maneuver_check_before_the_path(ring: Ring) -> None:
    mv = await truck(ring)
    await throws(ring, BO, Maneuver("Prime"), 9)
    assert "its Maneuver check this turn" in await ring.refused(BO, Maneuver("Prime"))
    await ring.ask(BO, Drive("Prime", mv, turns=(45, 45), maneuvers=("Turn",)))
    await ring.arrange(all_rest, next_turn, active("Prime"))
    assert "point, but you have" in await ring.refused(
        BO, Drive("Prime", mv, turns=(45,), maneuvers=("Turn",))
    )
    await ring.arrange(change("Prime", lambda row: row.counters.update({"actions spent": 1})))
    assert f"full Mv of {mv}" in await ring.refused(BO, Maneuver("Prime"))  # no action would be left to drive


@pytest.mark.rule("CB-VEH-15", "CB-VEH-19")
async def test_brakes_only_in_motion(ring: Ring) -> None:
    mv = await truck(ring)
    lines = await throws(ring, BO, Maneuver("Prime"), 10, 9)
    assert "Accelerate (1)" in lines
    assert "Hard braking (2)" not in lines
    assert "CB-VEH-15" in await ring.refused(BO, Drive("Prime", mv / 2, maneuvers=("Hard braking",)))
    await ring.ask(BO, Drive("Prime", mv))
    await ring.arrange(all_rest, next_turn, active("Prime"))
    lines = await throws(ring, BO, Maneuver("Prime"), 10, 9)
    assert "Hard braking (2)" in lines
    assert "is In Motion, so it has to travel at least 2 in" in await ring.refused(
        BO, Drive("Prime", 1, maneuvers=("Hard braking",))
    )  # a quarter of Mv 8
    lines = await ring.ask(BO, Drive("Prime", 2, maneuvers=("Hard braking",)))
    assert "It won't be In Motion next turn." in lines


@pytest.mark.rule("CB-VEH-14", "CB-VEH-18")
async def test_accelerating_takes_it_farther(ring: Ring) -> None:
    mv = await truck(ring)
    await throws(ring, BO, Maneuver("Prime"), 9)
    assert f"can travel at most {mv * 3 / 2:g} in." in await ring.refused(
        BO, Drive("Prime", mv * 3 / 2 + 1, 1, maneuvers=("Accelerate",))
    )
    await ring.ask(BO, Drive("Prime", mv * 3 / 2, maneuvers=("Accelerate",)))


@pytest.mark.rule("CB-VEH-20", "CB-VEH-30")
async def test_after_a_u_turn_it_stands_but_has_moved(ring: Ring) -> None:
    mv = await truck(ring)
    await throws(ring, BO, Maneuver("Prime"), 10, 9)
    assert "CB-VEH-20" in await ring.refused(BO, Drive("Prime", mv - 1, maneuvers=("U-turn",)))
    lines = await ring.ask(BO, Drive("Prime", mv, maneuvers=("U-turn",)))
    assert "It won't be In Motion next turn." in lines
    await ring.arrange(active("Sally"))
    await ring.ask(ANNA, Shoot("Sally", "Prime", 6))
    assert ring.labels == ["Across (disadvantage)", "Straight towards or away"]


@pytest.mark.rule("CB-VEH-02", "CB-VEH-09")
async def test_ground_takes_inches_and_moves_are_counted(ring: Ring) -> None:
    await ring.arrange(built("Prime", "tracked"), active("Prime"))
    mv = (await ring.model("Prime")).profile.mv
    assert "CB-VEH-09" in await ring.refused(BO, Drive("Prime", mv, moves=1, rugged=(2,)))
    await ring.ask(BO, Drive("Prime", mv, rugged=(2,)))  # two Moves suffice
    assert (await ring.model("Prime")).count("actions spent") == 2
    assert "-2 ground 1, Rugged [2] CB-TERR-12" in ring.why


@pytest.mark.rule("CB-VEH-09", "CB-VEH-05")
async def test_vehicles_drive_and_riders_get_out_first(ring: Ring) -> None:
    await truck(ring)
    number = (await ring.model("Prime")).id
    await ring.arrange(active("Trapper"), change("Trapper", lambda row: row.counters.update(rides=number)))
    assert "/vehicle drive" in await ring.refused(BO, Move("Prime"))
    assert "/vehicle leave" in await ring.refused(BO, Move("Trapper"))


@pytest.mark.rule("CB-VEH-08")
async def test_wheels_do_not_jump(ring: Ring) -> None:
    await ring.arrange(built("Prime", "wheeled"), active("Prime"))
    assert "no legs" in await ring.refused(BO, Leap("Prime", 2))


@pytest.mark.rule("CB-VEH-10", "CB-VEH-21")
async def test_what_stops_it_ends_its_motion(ring: Ring) -> None:
    await ring.arrange(block("Prime", "scutter"), active("Prime"), block("Skip", "strider"))
    await ring.ask(BO, Drive("Prime", 6))
    assert (await ring.model("Prime")).count("In Motion in turn") == 2
    lines = await throws(ring, BO, Ram("Prime", 5, ("Skip",)))
    assert "Prime Leader stops after moving 5 in and won't be In Motion next turn." in lines
    assert "Prime Leader and Skip Westmoreland are engaged." in lines
    assert (await ring.model("Prime")).count("In Motion in turn") == 0
    assert "has driven 5 in so far this turn (you entered 6 in)" in await ring.refused(
        BO, Ram("Prime", 6, ("Sally",))
    )


@pytest.mark.rule("CB-VEH-25", "CB-VEH-26")
async def test_pushing_through_it_goes_on_to_the_next(ring: Ring) -> None:
    await truck(ring)
    await ring.ask(BO, Drive("Prime", 8))
    await throws(ring, BO, Ram("Prime", 5, ("Skip", "Wanda")))
    assert (await ring.model("Skip")).has("prone")
    assert (await ring.model("Wanda")).has("prone")
    assert "It hits something else..." in ring.labels
    assert (await ring.model("Prime")).count("In Motion in turn") == 2


@pytest.mark.rule("CB-VEH-26")
async def test_a_measured_footprint_pushes_too(ring: Ring) -> None:
    await ring.arrange(built("Prime", "tracked", size="M"), active("Prime"))
    mv = (await ring.model("Prime")).profile.mv
    await ring.ask(BO, Drive("Prime", mv))
    await throws(ring, BO, Ram("Prime", mv, ("Skip",), footprint=2))
    assert (await ring.model("Skip")).has("prone")


@pytest.mark.rule("CB-VEH-04", "CB-VEH-21")
async def test_cavalry_never_collides(ring: Ring) -> None:
    await ring.arrange(built("Prime", "cavalry"), active("Prime"))
    mv = (await ring.model("Prime")).profile.mv
    await ring.ask(BO, Drive("Prime", mv))
    assert "It hits something..." not in ring.labels
    assert "CB-VEH-04" in await ring.refused(BO, Ram("Prime", mv, ("Skip",)))
    await ring.arrange(all_rest, next_turn, active("Trapper"))
    assert "stand still" in await ring.refused(BO, Board("Prime", "Trapper"))
    await ring.arrange(next_turn)
    await ring.ask(BO, Board("Prime", "Trapper"))
    assert "can only carry one passenger." in await ring.refused(BO, Board("Prime", "Spawnguard"))


@pytest.mark.rule("CB-VEH-21", "CB-VEH-54")
async def test_a_charge_rams_and_the_power_ram_takes_a_die(ring: Ring) -> None:
    await ring.arrange(built("Prime", "tracked", "power_ram"), active("Prime"))
    charge = Charge("Prime", "Skip", 5, helpers="nobody")
    lines = await ring.ask(ANNA, Charge("Prime", "Skip", 5, helpers="nobody", odds=True))
    assert "Prime Leader, no dice vs 7:" in lines or "Prime Leader, 0 dice vs 7:" in lines
    await throws(ring, BO, charge)
    assert "-1 Power Ram CB-VEH-54" in ring.why
    assert "+2 smaller base CB-VEH-23" in ring.why
    assert "on a charge" in ring.why
    assert "It hits something else..." in ring.labels
    assert "has already driven this turn." in await ring.refused(BO, Drive("Prime", 3))


@pytest.mark.rule("CB-VEH-25")
async def test_a_charge_that_hits_several_models_says_once_how_the_vehicle_stops(ring: Ring) -> None:
    await ring.arrange(built("Prime", "tracked", size="M"), active("Prime"))
    prime, others = (
        (await ring.model("Prime")).id,
        [(await ring.model(name)).id for name in ("Wanda", "Smap")],
    )
    await throws(ring, BO, Charge("Prime", "Skip", 5, helpers="nobody"))
    told = []
    for other in others:
        told += await throws(ring, BO, VehicleCrash(prime, 5, (other,), aside=True, ram=True))
        assert not any(line.startswith("Prime Leader:") for line in told), "its own dice were rolled"
    assert sum("stops after moving" in line for line in told) == 1


@pytest.mark.rule("CB-VEH-21")
async def test_a_charge_ends_when_the_collision_takes_its_target(ring: Ring) -> None:
    await truck(ring)
    life = (await ring.model("Skip")).profile.life
    await ring.arrange(change("Skip", lambda row: setattr(row, "damage", life - 1)))
    lines = await throws(ring, BO, Charge("Prime", "Skip", 4, helpers="nobody"), 2, 9, 9, 9)
    assert "The charge ends." in lines
    assert (await ring.model("Skip")).is_down


@pytest.mark.rule("CB-VEH-08", "CB-VEH-10")
async def test_the_move_of_run_and_gun_is_driven(ring: Ring) -> None:
    await ring.arrange(block("Sally", "rocket_bike"), active("Sally"))
    lines = await throws(ring, ANNA, Shoot("Sally", "Prime", 6, mode="run and gun"))
    assert "Sally Starfield can now make its Move with /vehicle drive." in lines
    lines = await ring.ask(ANNA, Drive("Sally", 10))
    assert "It will be In Motion next turn." in lines
    assert (await ring.model("Sally")).count("actions spent") == 2


@pytest.mark.rule("CB-VEH-09", "CB-VEH-07")
async def test_fleeing_it_takes_its_riders(ring: Ring) -> None:
    await truck(ring)
    number = (await ring.model("Prime")).id
    await ring.arrange(
        under("panicked", "Prime"),
        change("Prime", lambda row: row.counters.update({"rally tried": 1})),
        change("Trapper", lambda row: row.counters.update(rides=number)),
    )
    await ring.ask(BO, Flee("Prime"))
    lines = await ring.press(BO, "Prime Leader reaches the edge")
    assert lines[0] == "Prime Leader has fled."
    assert "Trapper is lost with the vehicle." in lines
    encounter = await ring.table.encounter()
    assert encounter.find_model("Trapper", gone=True).left_how == "casualty"


@pytest.mark.rule("CB-VEH-05", "CB-VEH-06")
async def test_what_was_agreed_is_kept_and_a_leap_has_odds(ring: Ring) -> None:
    mv = await truck(ring)
    await ring.arrange(under("borrowed feature: transport", "Prime"))
    lines = await ring.ask(BO, Board("Prime", "Trapper", 2))
    assert "Passengers aboard: 1 of 2." in lines
    await ring.ask(BO, Board("Prime", "Spawnguard"))
    await ring.ask(BO, Drive("Prime", mv - 2))  # it stops: below its full Mv
    assert await ring.ask(BO, Alight("Trapper")) == ["Trapper gets out of Prime Leader."]
    lines = await ring.ask(ANNA, Alight("Spawnguard", 6, odds=True))
    assert any(line.startswith("2 dice against") for line in lines)
    assert any("no wound" in line and "%" in line for line in lines)
    await throws(ring, BO, Alight("Spawnguard", 6))
    assert "+2 6 in CB-VEH-06" in ring.why


@pytest.mark.rule("CB-ENV-02")
async def test_the_odds_of_a_path_tell_whether_it_drifts(ring: Ring) -> None:
    mv = await truck(ring)
    asks = Drive("Prime", mv, odds=True)
    lines = await ring.ask(ANNA, asks)
    assert "No dice are rolled." in lines
    await ring.ask(ANNA, SetTable(gravity=2))
    lines = await ring.ask(ANNA, asks)
    assert any(line.startswith("stays on the ground") for line in lines)
    assert ring.labels[0] == "Drive"
