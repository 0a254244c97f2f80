"""Vehicles that are lost: Critical Damage, burning wrecks, those aboard, crashes; and shots at them."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.counterblast.gear.tasks import Treat
from bot.games.counterblast.psionics.power_choices import AskFreeAttack, FreeAttack
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.bag import DrawToken, PassDraw
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep, RollUpkeep
from bot.games.counterblast.vehicles.collisions import VehicleCrash
from bot.games.counterblast.vehicles.driving import Drive
from bot.games.counterblast.vehicles.vehicle_damage import BurnRiders, CriticalDamage
from bot.table.encounter import Encounter
from bot.table.session.encounters import NextStep
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, hurt, under
from tests.bot.counterblast.vehicles.test_vehicle_motion import built
from tests.bot.counterblast.vehicles.test_vehicle_play import truck


def everybody_has_acted(encounter: Encounter) -> None:
    for row in encounter.models():
        row.counters["activated"] = 1
        for condition in encounter.conditions(row.id):
            if condition.kind == "active":
                encounter.book.remove(condition)


def aboard(name: str, vehicle: int) -> Step:
    return change(name, lambda row: row.counters.update(rides=vehicle))


async def upkeep(ring: Ring) -> list[str]:
    """Upkeep from its first step to the next turn, every die a 9."""
    await ring.arrange(everybody_has_acted)
    await ring.table.do(ANNA, NextStep())
    for who in (ANNA, BO):
        await throws(ring, who, RollUpkeep(), rest=9)
    lines = await throws(ring, ANNA, ConfirmUpkeep(), rest=9)
    done = lines[0].startswith("Upkeep of turn")
    return lines if done else await throws(ring, BO, ConfirmUpkeep(), rest=9)


async def gone(ring: Ring, name: str) -> bool:
    return name not in [row.name for row in (await ring.table.encounter()).models()]


async def wreck(ring: Ring, key: str = "strider", over: int = 0) -> int:
    """Bo's Prime Leader is a vehicle that was disabled a turn ago; its number."""
    await truck(ring, key)
    prime = await ring.model("Prime")
    await ring.arrange(
        hurt("Prime", prime.profile.life + over),
        change("Prime", lambda row: row.counters.update({"turn it went down": 1})),
        lambda encounter: setattr(encounter.row, "turn", 2),
    )
    return prime.id


@pytest.mark.rule("CB-VEH-07", "CB-VEH-32")
async def test_a_wreck_leaves_with_everybody_aboard(ring: Ring) -> None:
    number = await wreck(ring)
    await ring.arrange(aboard("Spawnguard", number))
    lines = await throws(ring, ANNA, CriticalDamage("Prime"), 2)
    assert "If Prime Leader leaves play, its passengers are lost: Spawnguard." in lines
    assert not await gone(ring, "Spawnguard")
    await upkeep(ring)
    assert await gone(ring, "Prime Leader")
    assert await gone(ring, "Spawnguard")
    assert (await ring.table.encounter()).find_model("Spawnguard", gone=True).left_how == "casualty"


@pytest.mark.rule("CB-VEH-35", "CB-VEH-37")
async def test_a_burning_wreck_stays_and_burns_those_aboard(ring: Ring) -> None:
    number = await wreck(ring)
    await ring.arrange(aboard("Spawnguard", number))
    await throws(ring, ANNA, CriticalDamage("Prime"), 9)
    lines = await upkeep(ring)
    assert not await gone(ring, "Prime Leader")
    assert "Prime Leader is burning. If it is an open vehicle, its passengers burn too." in lines
    before = (await ring.model("Spawnguard")).damage
    await throws(ring, ANNA, BurnRiders("Prime"))
    assert "Spawnguard: Power 5" in ring.why
    assert (await ring.model("Spawnguard")).damage == before + 1
    await ring.arrange(lambda encounter: encounter.book.remove(encounter.condition(number, "burning")))
    await upkeep(ring)
    assert await gone(ring, "Prime Leader")


@pytest.mark.rule("CB-VEH-31")
async def test_damage_beyond_counts_and_has_odds(ring: Ring) -> None:
    await wreck(ring, over=2)
    lines = await ring.ask(ANNA, CriticalDamage("Prime", odds=True))
    assert any(line.startswith("Explodes") and "30%" in line for line in lines), lines
    lines = await throws(ring, ANNA, CriticalDamage("Prime"), 3)
    assert "careen" in lines[0].casefold()  # 3 + 2
    assert "damage beyond its Life" in ring.why


@pytest.mark.rule("CB-VEH-31")
async def test_repaired_and_disabled_again_it_rolls_again(ring: Ring) -> None:
    await wreck(ring)
    await throws(ring, ANNA, CriticalDamage("Prime"), 1)
    await ring.arrange(active("Trapper"))
    lines = await throws(ring, BO, Treat("Trapper", "engineering", patient="Prime"), rest=9)
    life = (await ring.model("Prime")).profile.life
    assert (await ring.model("Prime")).damage < life, lines
    await ring.arrange(hurt("Prime", life))
    await throws(ring, ANNA, CriticalDamage("Prime"), 1)


@pytest.mark.rule("CB-VEH-33")
async def test_out_of_control_it_runs_its_full_mv(ring: Ring) -> None:
    number = await wreck(ring)
    lines = await throws(ring, ANNA, CriticalDamage("Prime"), 3)
    assert any("8 in straight ahead" in line for line in lines)
    run = next(one.action for one in ring.answer.reply.buttons if one.label == "It hits something...")
    assert run == VehicleCrash(number, 8.0, wild=True)
    skip = (await ring.model("Skip")).id
    await throws(ring, ANNA, VehicleCrash(number, 8.0, (skip,), wild=True))
    assert "+2 8 in CB-VEH-22" in ring.why


@pytest.mark.rule("CB-VEH-39")
async def test_a_flyer_strikes_the_ground_however_short_its_fall(ring: Ring) -> None:
    number = await wreck(ring, "rocket_bike")
    await throws(ring, ANNA, CriticalDamage("Prime"), 1)
    await ring.press(ANNA, "Fall", 3)
    assert ring.answer.reply.lines[0] == "Prime Leader hits the ground 3 in ahead."
    before = (await ring.model("Prime")).damage
    await ring.press(ANNA, "It hits something...")
    assert "Only the ground" in ring.labels
    await ring.press(ANNA, "Only the ground", 9)
    assert (await ring.model("Prime")).damage == before + 1
    assert number


@pytest.mark.rule("CB-VEH-38")
async def test_a_vehicle_in_the_air_flies(ring: Ring) -> None:
    await ring.arrange(built("Prime", "flyer"), active("Prime"))
    assert (await ring.model("Prime")).flies
    mv = (await ring.model("Prime")).profile.mv
    assert "CB-VEH-38" in await ring.refused(BO, Drive("Prime", mv, moves=1, end="on a model"))
    there = Drive("Prime", mv, moves=1, end="on impassable ground")
    assert "CB-TERR-11" in await ring.refused(BO, there)
    lines = await ring.ask(BO, Drive("Prime", mv, moves=1, rugged=(3,), impassable=True))
    told = "It passes over models and all ground. It can't end its move on a model or on Impassable ground."
    assert told in lines


@pytest.mark.rule("CB-VEH-28", "CB-VEH-29", "CB-VEH-30")
async def test_every_target_of_a_shot_counts_by_itself(ring: Ring) -> None:
    mv = await truck(ring)
    number = (await ring.model("Prime")).id
    await ring.arrange(aboard("Trapper", number), active("Sally"))
    shield = (await ring.model("Trapper")).shield
    await throws(ring, ANNA, Shoot("Sally", "Spawnguard", 6, target2="Trapper", distance2=6))
    assert ring.why.count("-1 passenger CB-VEH-28") == 1
    assert "+3 cover [3] CB-TERR-05" in ring.why
    assert f"+{shield} shield" in ring.why or not shield
    await ring.arrange(change("Sally", lambda row: row.counters.clear()))
    await ring.ask(BO, Drive("Prime", mv))
    await ring.ask(ANNA, Shoot("Sally", "Spawnguard", 6, target2="Prime", distance2=6))
    assert ring.labels == ["Across (disadvantage)", "Straight towards or away"]


@pytest.mark.rule("CB-VEH-30")
async def test_a_team_is_asked_and_vehicles_are_not_hindered(ring: Ring) -> None:
    mv = await truck(ring)
    await ring.ask(BO, Drive("Prime", mv))
    await ring.arrange(active("Sally", "Skip", "Wanda"))
    await ring.ask(ANNA, TeamShot("Sally,Skip", "Prime", "6"))
    assert ring.labels == ["Across (disadvantage)", "Straight towards or away"]
    await throws(ring, ANNA, ring.answer.reply.buttons[0].action)
    assert ring.why.count("-1 moving vehicle CB-VEH-30") == 2
    await ring.arrange(block("Wanda", "rocket_bike"))
    await throws(ring, ANNA, Shoot("Wanda", "Prime", 6))
    assert "CB-VEH-30" not in ring.why


@pytest.mark.rule("CB-VEH-30")
async def test_overwatch_is_asked_how_the_vehicle_moves(ring: Ring) -> None:
    mv = await truck(ring)
    await ring.ask(BO, Drive("Prime", mv))
    await ring.arrange(under("overwatch", "Sally"))
    await ring.ask(ANNA, Shoot("Sally", "Prime", 6, mode="overwatch"))
    across = ring.answer.reply.buttons[0]
    assert across.anytime
    assert (await ring.model("Sally")).has("overwatch")
    await throws(ring, ANNA, across.action)
    assert "-1 moving vehicle CB-VEH-30" in ring.why
    assert not (await ring.model("Sally")).has("overwatch")


@pytest.mark.rule("CB-VEH-30")
async def test_the_odds_say_how_it_is_taken_to_move(ring: Ring) -> None:
    mv = await truck(ring)
    await ring.ask(BO, Drive("Prime", mv))
    lines = await ring.ask(ANNA, Shoot("Sally", "Prime", 6, odds=True))
    assert "This assumes that Prime Leader moves across the line of fire." in lines
    straight = next(
        one
        for one in ring.answer.reply.buttons
        if one.label == "Odds if it moves straight towards or away from the shooter"
    )
    lines = await ring.ask(ANNA, straight.action)
    assert "This assumes that Prime Leader moves across the line of fire." not in lines


@pytest.mark.rule("CB-PSI-08")
async def test_a_free_shot_knows_cover_and_the_dark(ring: Ring) -> None:
    sally, prime = (await ring.model("Sally")).id, (await ring.model("Prime")).id
    await ring.arrange(
        change("Sally", lambda row: row.counters.update({f"free attack on:{prime}": 1})),
        lambda encounter: encounter.row.counters.update(dark=1),
    )
    await ring.ask(ANNA, AskFreeAttack(sally, prime))
    await throws(ring, ANNA, FreeAttack(sally, prime, 6.0, cover=2))
    assert "+2 cover [2] CB-TERR-05" in ring.why
    assert "dark" in ring.why


@pytest.mark.rule("CB-VEH-31")
@pytest.mark.parametrize("going_on", [PassDraw(), DrawToken(), NextStep()])
async def test_critical_damage_is_rolled_before_the_game_goes_on(ring: Ring, going_on: Action) -> None:
    await wreck(ring)
    await ring.arrange(everybody_has_acted)
    await ring.ask(BO, going_on)
    assert ring.answer.reply.lines[1] == "Prime Leader is disabled. Roll Critical Damage."
    assert ring.labels == ["Critical Damage"]
    await ring.press(BO, "Critical Damage", 2)
    assert "disabled" not in (await ring.table.do(BO, going_on)).reply.text


@pytest.mark.rule("CB-VEH-31")
async def test_the_attacker_rolls_critical_damage(ring: Ring) -> None:
    """Anna's attack disabled Bo's vehicle: the die is asked of her, and he does not roll it."""
    await wreck(ring)
    await ring.arrange(change("Prime", lambda row: setattr(row, "hurt_side", 1)))
    assert await ring.refused(BO, CriticalDamage("Prime")) == "Only anna can do this for Lancers."
    asked = await ring.table.do(ANNA, CriticalDamage("Prime"))
    assert asked.reply.lines[0].startswith("anna throws 1 d10 for Prime Leader's roll on the Critical Damage")
