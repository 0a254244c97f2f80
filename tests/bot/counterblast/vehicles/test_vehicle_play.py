"""Vehicles at the table: paths, Maneuvers, collisions, passengers, shots at them, Critical Damage."""

from __future__ import annotations

import pytest

from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.models import block_text
from bot.games.counterblast.vehicles.collisions import Ram
from bot.games.counterblast.vehicles.driving import Drive, Maneuver
from bot.games.counterblast.vehicles.riders import Alight, Board
from bot.games.counterblast.vehicles.vehicle_damage import BurnRiders, CriticalDamage
from bot.table.encounter import Encounter
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, change, hurt, under
from tests.bot.tables import waits


async def truck(ring: Ring, key: str = "strider") -> int:
    """Bo's Prime Leader is a vehicle that is being activated."""
    await ring.arrange(change("Prime", lambda row: setattr(row, "profile", block_text(key))), active("Prime"))
    return (await ring.model("Prime")).profile.mv


@pytest.mark.rule("CB-VEH-09", "CB-VEH-10", "CB-VEH-11", "CB-VEH-12")
async def test_a_path_is_judged_and_remembered(ring: Ring) -> None:
    mv = await truck(ring)
    assert "CB-VEH-09" in await ring.refused(BO, Drive("Prime", mv + 1, moves=1))
    assert "CB-VEH-11" in await ring.refused(BO, Drive("Prime", mv, turns=(90,)))
    assert "CB-VEH-12" in await ring.refused(BO, Drive("Prime", mv, turns=(90,), maneuvers=("Hard turn",)))
    lines = await ring.ask(BO, Drive("Prime", mv, turns=(45,)))
    assert lines[:2] == [f"Prime Leader drives {mv} in.", "It will be In Motion next turn."]
    assert "has already driven this turn." in await ring.refused(BO, Drive("Prime", 1))

    def next_turn(encounter: Encounter) -> None:
        encounter.row.turn = 2
        encounter.find_model("Prime").counters["actions spent"] = 0

    await ring.arrange(next_turn)
    assert "In Motion" in await ring.refused(BO, Drive("Prime", mv - 1))
    assert "CB-VEH-11" in await ring.refused(BO, Drive("Prime", mv, turns=(45,)))
    lines = await throws(ring, BO, Maneuver("Prime"), 9)
    assert "Maneuver point" in lines[0]
    await ring.ask(BO, Drive("Prime", mv, turns=(45,), maneuvers=("Turn",)))


@pytest.mark.rule("CB-VEH-12")
async def test_odds_of_a_maneuver(ring: Ring) -> None:
    await truck(ring)
    lines = await ring.ask(ANNA, Maneuver("Prime", odds=True))
    assert ring.answer.reply.private
    assert any("1 point" in line and "%" in line for line in lines)


@pytest.mark.rule("CB-VEH-21", "CB-VEH-22", "CB-VEH-23", "CB-VEH-26")
async def test_a_collision_by_size_and_distance(ring: Ring) -> None:
    mv = await truck(ring)
    assert "CB-VEH-21" in await ring.refused(BO, Ram("Prime", mv / 2 - 0.5, ("Skip",)))
    assert "CB-VEH-22" in await ring.refused(BO, Ram("Prime", 6, ("Skip",)))
    await ring.ask(BO, Drive("Prime", mv))
    lines = await throws(ring, BO, Ram("Prime", 6, ("Skip",)))
    assert "Skip Westmoreland is pushed aside and falls Prone." in lines
    assert {"Prime Leader: 2 dice vs 9", "Skip Westmoreland: 4 dice vs 7"} <= set(lines)
    assert "+2 smaller base CB-VEH-23" in ring.why
    assert (await ring.model("Skip")).has("prone")


@pytest.mark.rule("CB-VEH-28", "CB-VEH-30")
async def test_moving_vehicles_and_passengers_are_hard_to_hit(ring: Ring) -> None:
    mv = await truck(ring)
    await ring.arrange(active("Sally"))
    await ring.ask(BO, Drive("Prime", mv))
    await ring.ask(ANNA, Shoot("Sally", "Prime", 6))
    assert ring.labels == ["Across (disadvantage)", "Straight towards or away"]
    across, straight = (button.action for button in ring.answer.reply.buttons)
    await throws(ring, ANNA, across)
    assert "-1 moving vehicle CB-VEH-30" in ring.why
    await ring.arrange(change("Sally", lambda row: row.counters.clear()))
    await throws(ring, ANNA, straight)
    assert "CB-VEH-30" not in ring.why
    number = (await ring.model("Prime")).id
    await ring.arrange(
        change("Sally", lambda row: row.counters.clear()),
        change("Trapper", lambda row: row.counters.update(rides=number)),
    )
    await throws(ring, ANNA, Shoot("Sally", "Trapper", 6))
    assert "-1 passenger CB-VEH-28" in ring.why
    assert "CB-TERR-05" in ring.why


@pytest.mark.rule("CB-VEH-05", "CB-VEH-06", "CB-VEH-01")
async def test_passengers_board_at_a_stop_and_leap_off(ring: Ring) -> None:
    mv = await truck(ring)
    assert "no Transport" in await ring.refused(BO, Board("Prime", "Trapper"))
    await ring.arrange(under("borrowed feature: transport", "Prime"))
    await ring.ask(BO, Board("Prime", "Trapper", 1))
    assert "can carry at most 1" in await ring.refused(BO, Board("Prime", "Spawnguard", 1))
    assert "is not in a vehicle." in await ring.refused(BO, Alight("Spawnguard"))
    await ring.ask(BO, Drive("Prime", mv))
    assert "stand still" in await ring.refused(BO, Board("Prime", "Spawnguard", 2))
    lines = await throws(ring, BO, Alight("Trapper"))
    assert lines[0].startswith("Trapper is unhurt by leaping off Prime Leader")
    assert (await ring.model("Trapper")).count("rides") == 0


@pytest.mark.rule("CB-VEH-31", "CB-VEH-35")
async def test_critical_damage_once_burning_stays(ring: Ring) -> None:
    await truck(ring)
    life = (await ring.model("Prime")).profile.life
    assert "is not a disabled vehicle." in await ring.refused(ANNA, CriticalDamage("Prime"))
    await ring.arrange(hurt("Prime", life))
    lines = await throws(ring, ANNA, CriticalDamage("Prime"), 9)
    assert (await ring.model("Prime")).has("burning"), lines
    assert "Prime Leader stays on the table until the fire is out." in lines
    assert "Critical Damage has already been rolled for" in await ring.refused(ANNA, CriticalDamage("Prime"))


@pytest.mark.rule("CB-VEH-36", "CB-VEH-07")
async def test_an_exploding_vehicle_takes_its_passengers(ring: Ring) -> None:
    await truck(ring)
    prime = await ring.model("Prime")
    await ring.arrange(
        hurt("Prime", prime.profile.life + 3),
        change("Trapper", lambda row: row.counters.update(rides=prime.id)),
    )
    await throws(ring, ANNA, CriticalDamage("Prime"), 9)
    assert "Explode..." in ring.labels
    await ring.press(ANNA, "Explode...")
    skip = (await ring.model("Skip")).id
    answer = await ring.table.choose(ANNA, ring.answer, str(skip))
    while waits(answer):
        answer = await ring.entered(ANNA, ((2,)))
    names = [model.name for model in (await ring.table.encounter()).models()]
    assert "Prime Leader" not in names
    assert "Trapper" not in names
    assert (await ring.model("Skip")).damage == 1
    assert (await ring.model("Skip")).has("burning")


@pytest.mark.rule("CB-VEH-37")
async def test_passengers_of_a_burning_vehicle_burn_once_a_turn(ring: Ring) -> None:
    await truck(ring)
    number = (await ring.model("Prime")).id
    await ring.arrange(
        under("burning", "Prime"), change("Spawnguard", lambda row: row.counters.update(rides=number))
    )
    await throws(ring, BO, BurnRiders("Prime"), rest=5)
    assert "Power 5" in ring.why
    assert "CB-VEH-37" in await ring.refused(BO, BurnRiders("Prime"))


@pytest.mark.rule("CB-VEH-31", "CB-VEH-34", "CB-VEH-39")
async def test_a_disabled_flyer_careens_and_comes_down(ring: Ring) -> None:
    await truck(ring, "rocket_bike")
    life = (await ring.model("Prime")).profile.life
    await ring.arrange(hurt("Prime", life))
    await throws(ring, ANNA, CriticalDamage("Prime"), 6)
    assert {"Careen", "Fall"} <= set(ring.labels)
    careen = next(one.action for one in ring.answer.reply.buttons if one.label == "Careen")
    falls = next(one.action for one in ring.answer.reply.buttons if one.label == "Fall")
    lines = await throws(ring, ANNA, careen, 1, 5, 9)
    assert lines[0].startswith("Prime Leader careens ")
    lines = await throws(ring, ANNA, falls, 7)
    assert lines[0] == "Prime Leader hits the ground 7 in ahead."
    assert "There is nothing left to roll for" in await ring.refused(ANNA, falls)


@pytest.mark.rule("CB-VEH-31")
async def test_the_shot_that_disables_a_vehicle_offers_the_roll(ring: Ring) -> None:
    await truck(ring)
    life = (await ring.model("Prime")).profile.life
    await ring.arrange(hurt("Prime", life - 1), active("Skip"))
    await throws(ring, ANNA, Shoot("Skip", "Prime", 5), 9, 9, 9)
    assert "Critical Damage" in ring.labels
