"""A Marker that acts: what may answer it, and that no answer names who stands behind it."""

from __future__ import annotations

import pytest

from bot.games.infinity import concealment, troops
from bot.games.infinity.attack_actions import Shoot
from bot.games.infinity.hiding_actions import Reveal
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import KEEP, NOTHING, React, Resolve
from bot.games.infinity.recovery_actions import Reconnect
from bot.table.game import game_of
from bot.table.journal.log import ShowLog
from bot.table.realdice import EnterFaces
from bot.table.session.encounters import NextStep
from rules.systems.infinity.trooper import Condition
from tests.bot.arranging import Step
from tests.bot.infinity.field import ANNA, BO, Field, profile, under
from tests.bot.tables import all_lines, waits

GEAR = "Rifle B3 DAM 13; Zap B1 DAM 13 HACK; Knife CC B1 DAM PH-1"
SCOUT = f"Angus: MOV 4-4, CC 13, BS 12, PH 10, WIP 13, W 1; {GEAR}"


def behind_a_marker(name: str, state: Condition = Condition.CAMOUFLAGED) -> Step:
    def step(encounter):  # type: ignore[no-untyped-def]
        concealment.become_marker(encounter, encounter.find_model(name), state)

    return step


async def _prowler_moves(field: Field) -> None:
    """Bo's turn: his Marker is activated and moves as a Marker."""
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Prowler"))


@pytest.mark.rule("INF-ORD-09", "INF-SEN-06")
@pytest.mark.parametrize("does", ["shoot", "fight", "hack", "engage"])
async def test_no_aro_attacks_a_marker(field: Field, does: str) -> None:
    await field.arrange(profile("Angus", SCOUT), under("close_combat", "Angus"))
    await _prowler_moves(field)
    said = await field.refused(ANNA, Aro("Angus", does, 2))
    assert "Camo Marker 1 because it is a Marker" in said
    assert "INF-ORD-09" in said
    offered = await field.offered(ANNA, "Angus")
    words = ("Shoot", "Fight", "Hack", "Engage", "Berserk")
    assert not [label for label in offered if label.startswith(words)]
    assert {"Discover", "Dodge", "Wait (with line of fire)", "Nothing"} <= set(offered)


@pytest.mark.rule("INF-ORD-07", "INF-ORD-09")
async def test_who_waited_shoots_a_marker_that_has_shown_itself(field: Field) -> None:
    await _prowler_moves(field)
    await field.choose(ANNA, "Angus", "wait::99")
    await field.ask(ANNA, Resolve())
    await field.ask(BO, Shoot("Prowler", "Angus", 12))
    assert [label for label in await field.offered(ANNA, "Angus") if label.startswith("Shoot")]
    assert "Discover" not in await field.offered(ANNA, "Angus")
    assert "Discover and Sensor only work against a Marker" in await field.refused(
        ANNA, Aro("Angus", "discover")
    )


@pytest.mark.rule("INF-ORD-09")
async def test_discover_in_aro_finds_the_marker(field: Field) -> None:
    await _prowler_moves(field)
    await field.choose(ANNA, "Angus", "discover::+3")
    lines = await field.ask(ANNA, Resolve(rest=NOTHING))
    assert lines[0].startswith("ARO: Angus tries to discover Camo Marker 1,")
    lines = await field.ask(BO, Resolve(), 12)
    # WIP 12, range +3, camouflage -3
    assert "Angus, Discover: WIP 12" in lines
    assert "Angus discovers Camo Marker 1. It is Prowler." in lines
    assert not (await field.trooper("Prowler")).is_marker


@pytest.mark.rule("INF-ORD-09")
async def test_cover_of_the_marker_counts_for_a_discover_in_aro(field: Field) -> None:
    await _prowler_moves(field)
    await field.choose(ANNA, "Angus", "discover::+0")
    await field.press(ANNA, "Mark Camo Marker 1 as in cover")
    await field.ask(ANNA, Resolve(rest=NOTHING))
    lines = await field.ask(BO, Resolve(), 7)
    assert "Angus, Discover: WIP 12 -6 = 6" in lines
    assert "Angus fails to discover Camo Marker 1." in lines
    assert not [line for line in field.heard if "Prowler" in line]


@pytest.mark.rule("INF-ORD-09")
async def test_a_discover_in_aro_is_spent_where_the_marker_shows_itself(field: Field) -> None:
    await _prowler_moves(field)
    await field.choose(ANNA, "Angus", "discover::+0")
    await field.ask(ANNA, Resolve(rest=NOTHING))
    # the Discover was its one ARO: the shot at it is not opposed
    lines = await field.ask(BO, Shoot("Prowler", "Angus", 12), 20, 20)
    assert "Prowler is already revealed, so nothing is rolled." in lines
    assert "Normal Rolls INF-F2F-01" in field.why


@pytest.mark.rule("INF-ORD-09", "INF-SEN-01")
async def test_sensor_in_aro_finds_all_near(field: Field) -> None:
    await field.arrange(profile("Angus", f"{SCOUT}; Skills Sensor"))
    await _prowler_moves(field)
    assert "Sensor (within 8 in)" in await field.offered(ANNA, "Angus")
    assert "Sensor (within 8 in)" not in await field.offered(ANNA, "Hammer")
    assert "only reaches 8 in" in await field.refused(ANNA, Aro("Angus", "sensor", 9))
    await field.choose(ANNA, "Angus", "sensor::8")
    await field.ask(ANNA, Resolve(rest=NOTHING))
    lines = await field.ask(BO, Resolve(), 19)
    assert "Angus, Sensor: WIP 13 +6 = 19" in lines
    assert "Camo Marker 1 is revealed as Prowler." in lines


async def test_sensor_does_not_find_impersonation(field: Field) -> None:
    await field.arrange(profile("Angus", f"{SCOUT}; Skills Sensor"))
    await field.arrange(behind_a_marker("Tracker", Condition.IMPERSONATION))
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Tracker"))
    assert "Sensor (within 8 in)" not in await field.offered(ANNA, "Angus")
    assert "Discover" in await field.offered(ANNA, "Angus")


async def test_searching_answers_a_marker_only(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    assert "Discover and Sensor only work against a Marker" in await field.refused(
        BO, Aro("Tracker", "discover")
    )
    assert not [label for label in await field.offered(BO, "Tracker") if "Discover" in label]


@pytest.mark.parametrize("does", ["change facing", "dodge"])
async def test_no_answer_to_a_marker_tells_who_it_is(field: Field, does: str) -> None:
    await _prowler_moves(field)
    await field.ask(ANNA, Aro("Angus", does, 6))
    told = all_lines((await field.table.do(ANNA, Resolve(rest=NOTHING))).reply)
    asked = await field.table.do(BO, Resolve())
    assert waits(asked)  # the prompt for real dice is read by everybody
    told += all_lines(asked.reply)
    answer = await field.table.do(BO, EnterFaces((1,)))
    told += [*all_lines(answer.reply), *answer.reply.why]
    told += all_lines((await field.table.do(ANNA, ShowLog())).reply)
    encounter = await field.table.encounter()
    told += game_of(encounter).panel(encounter).lines
    assert [line for line in told if "Angus" in line]
    assert not [line for line in told if "Prowler" in line]


@pytest.mark.rule("INF-ORD-07")
async def test_an_aro_lost_by_waiting_is_not_given_back(field: Field) -> None:
    await _prowler_moves(field)
    await field.choose(ANNA, "Angus", "wait::99")
    await field.ask(ANNA, Resolve(rest=KEEP))
    lines = await field.ask(BO, SpendOrder("Prowler"))
    assert "Angus loses its delayed ARO." in lines
    # the others could not react yet; Angus has had its ARO
    answer = await field.table.do(ANNA, React())
    names = [choice.label for choice in answer.reply.menus[-1].choices]
    assert "Hammer" in names
    assert "Angus" not in names
    said = await field.refused(ANNA, Aro("Angus", "dodge", 6))
    assert "Rulebook: Orders (INF-ORD-05)" in said
    encounter = await field.table.encounter()
    assert not [line for line in game_of(encounter).panel(encounter).lines if "ARO" in line]


@pytest.mark.rule("INF-ORD-07")
async def test_a_marker_that_waited_in_vain_stays_a_marker(field: Field) -> None:
    await field.arrange(behind_a_marker("Angus"))
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Camo Marker 1"))
    encounter = await field.table.encounter()
    number = next(one.id for one in encounter.models(1) if concealment.is_marker(encounter, one.id))
    name = encounter.model(number).name
    await field.table.done(ANNA, React(0, number, "wait::99"))
    await field.ask(ANNA, Resolve(rest=KEEP))
    lines = await field.ask(BO, SpendOrder("Camo Marker 1"))
    assert f"{name} loses its delayed ARO." in lines
    assert not [line for line in field.heard if "Angus" in line]


async def test_an_engineer_does_not_name_its_own_marker(field: Field) -> None:
    text = "Hammer: MOV 4-4, CC 13, BS 12, PH 10, WIP 12, W 1; Rifle B3 DAM 13; Skills Engineer"
    await field.arrange(profile("Hammer", text), under("isolated", "Angus"), behind_a_marker("Angus"))
    heard = len(field.heard)
    await field.ask(ANNA, Reconnect("Hammer", "Camo Marker 2"))
    await field.pass_on(BO, 3)
    assert not [line for line in field.heard[heard:] if "Angus" in line]
    encounter = await field.table.encounter()
    marker = next(one for one in encounter.models(1) if concealment.is_marker(encounter, one.id))
    assert not troops.trooper(encounter, marker).has("isolated")
    await field.ask(ANNA, Reveal("Angus"))
