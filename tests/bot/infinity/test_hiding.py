"""Markers and hidden troopers at the table: shown, found, taken up again."""

from __future__ import annotations

import pytest

from bot.games.infinity import concealment, troops
from bot.games.infinity.attack_actions import Fight, Shoot
from bot.games.infinity.hiding_actions import Hide, Mine, Reveal
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.infinity.search_actions import Discover, Sensor
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import ShowModel
from tests.bot.infinity.field import ANNA, BO, Field, profile, under
from tests.bot.tables import Table


async def test_reveal_puts_the_figure_in_its_place(field: Field) -> None:
    lines = await field.ask(BO, Reveal("Prowler"))
    assert lines == ["Camo Marker 1 is revealed as Prowler."]
    lines = await field.ask(ANNA, ShowModel("Prowler"))
    assert "BS 12" in " ".join(lines)
    lines = await field.ask(ANNA, Reveal("Wraith"))
    assert lines == ["Wraith comes out of Hidden Deployment."]
    encounter = await field.table.encounter()
    assert encounter.find_model("Wraith").owner_id == field.table.ids[ANNA]
    assert "is already in the open" in await field.refused(ANNA, Reveal("Wraith"))


async def test_nobody_shoots_a_marker(field: Field) -> None:
    said = await field.refused(ANNA, Shoot("Angus", "Camo Marker 1", 10))
    assert said == "Discover Camo Marker 1 first. It is a Marker.\nRulebook: Sensor (page 90; INF-SEN-06)."


@pytest.mark.rule("INF-BS-05")
async def test_discover(field: Field) -> None:
    lines = await field.ask(ANNA, Discover("Angus", "Camo Marker 1"))
    assert lines[0] == "Angus tries to discover Camo Marker 1."
    lines = await field.pass_on(BO, 10)
    assert lines[0] == "Angus fails to discover Camo Marker 1."
    assert "Angus, Discover: WIP 12 -3 = 9" in lines
    await field.ask(ANNA, Discover("Angus", "Camo Marker 1"))
    lines = await field.pass_on(BO, 8)
    assert lines[0] == "Angus discovers Camo Marker 1. It is Prowler."
    assert "Choose a Marker" in await field.refused(ANNA, Discover("Angus", "Prowler"))


@pytest.mark.rule("INF-SEN-06")
async def test_sensor_helps_to_discover(field: Field) -> None:
    await field.arrange(lambda encounter: None)
    await field.ask(ANNA, NextStep())
    encounter = await field.table.encounter()
    await field.ask(ANNA, Reveal("Wraith"))
    del encounter

    def marker(encounter):  # type: ignore[no-untyped-def]
        concealment.become_marker(encounter, encounter.find_model("Wraith"), troops.Condition.TO_CAMOUFLAGED)

    await field.arrange(marker)
    lines = await field.ask(BO, Discover("Tracker", "TO Marker 1", odds=True))
    assert "-6 target with TO Camouflage" in lines
    assert "+6 sensor" in lines


@pytest.mark.rule("INF-SEN-01", "INF-SEN-03")
async def test_sensor_finds_all_in_the_area_and_tells_nothing_of_others(field: Field) -> None:
    assert "can't use Sensor" in await field.refused(ANNA, Sensor("Angus"))
    await field.ask(ANNA, NextStep())
    await field.ask(BO, Sensor("Tracker"))
    lines = await field.pass_on(ANNA, 20)
    assert lines[0] == "Tracker's Sensor finds everything in its area."
    assert "Tracker, Sensor: WIP 14 +6 = 20" in lines
    await field.ask(BO, Sensor("Tracker"))
    again = await field.pass_on(ANNA, 3)
    assert again[0] == lines[0]


@pytest.mark.rule("INF-SEN-04", "INF-SS-04")
async def test_back_into_camouflage_takes_an_entire_order_and_no_sensor_near(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.ask(BO, Reveal("Prowler"))
    await field.arrange(under("surprise_used", "Prowler"))
    lines = await field.ask(BO, Hide("Prowler", "camouflaged"))
    assert lines[0] == "Prowler goes back into hiding."
    assert "It spends an Order from Combat Group 1 (5 left)." in lines
    assert "anna: choose your AROs (60 seconds)." in lines
    lines = await field.pass_on(ANNA)
    assert lines[0] == "Prowler becomes Camo Marker 1."
    encounter = await field.table.encounter()
    marker = encounter.find_model("Camo Marker 1")
    assert not troops.trooper(encounter, marker).has("surprise_used")
    await field.ask(BO, NextStep())
    await field.ask(ANNA, Reveal("Wraith"))
    said = await field.refused(ANNA, Hide("Wraith", "to", sensor=8))
    assert "An enemy with Sensor is within 8 in.\nRulebook: Sensor (page 90; INF-SEN-04)" in said
    await field.ask(ANNA, Hide("Wraith", sensor=8.5))
    assert (await field.pass_on(BO))[0] == "Wraith becomes TO Marker 1.", "Hidden Deployment is over"
    assert "can't become a Camouflage Marker" in await field.refused(ANNA, Hide("Angus", "camouflaged"))


@pytest.mark.rule("INF-SS-02", "INF-SS-04")
async def test_surprise_out_of_hiding_and_only_once(field: Field) -> None:
    lines = await field.ask(ANNA, Shoot("Wraith", "Commander Voss", 40))
    assert lines[:2] == ["Wraith shoots at Commander Voss.", "Sniper Rifle, 40 in"]
    assert "It attacks from hiding, so this is a Surprise Shot." in lines
    lines = await field.react(BO, "Commander Voss", "dodge:", 20, 20, 20)
    assert "Commander Voss, PH 11 -3 = 8, 1 die" in lines
    assert (await field.trooper("Wraith")).has("surprise_used")
    lines = await field.ask(ANNA, Shoot("Wraith", "Commander Voss", 40))
    assert "It attacks from hiding, so this is a Surprise Shot." not in lines


@pytest.mark.rule("INF-CC-03", "INF-SIX-03")
async def test_surprise_attack_in_close_combat(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.spend(BO, SpendOrder("Prowler"), rest="keep")
    lines = await field.ask(BO, Fight("Prowler", "Angus"))
    assert "Camo Marker 1 is revealed as Prowler." in lines
    lines = await field.react(ANNA, "Angus", "fight:Knife", 20, 20)
    assert "Angus, CC 13 -6 = 7, 1 die" in lines


async def test_deployment_may_be_changed_before_the_game_only(table: Table) -> None:
    field = Field(table)
    await field.ask(ANNA, StartDemo("infinity"))
    await field.ask(BO, JoinEncounter("Nightfall"))
    await field.ask(ANNA, Hide("Wraith", "to"))
    lines = await field.ask(ANNA, Mine())
    assert "TO Marker 1 is Wraith" in lines
    await field.ask(ANNA, Hide("Wraith", "hidden"))
    await field.ask(ANNA, Hide("Wraith", "figure"))
    await field.ask(ANNA, Hide("Wraith"))
    lines = await field.ask(ANNA, Mine())
    assert lines[-1] == "Wraith is in Hidden Deployment"
    assert "no skill" in await field.refused(ANNA, Hide("Angus"))
    assert "needs TO Camouflage for Hidden Deployment" in await field.refused(BO, Hide("Prowler", "hidden"))


async def test_a_hidden_lieutenant_keeps_the_office_when_it_comes_out(field: Field) -> None:
    def office(encounter):  # type: ignore[no-untyped-def]
        concealment.appoint(encounter, 1, concealment.hidden_troopers(encounter, 1)[0].id, 0)

    await field.arrange(office)
    await field.ask(ANNA, Reveal("Wraith"))
    encounter = await field.table.encounter()
    assert concealment.lieutenant_of(encounter, 1) == encounter.find_model("Wraith").id
    assert (await field.trooper("Wraith")).lieutenant


@pytest.mark.rule("INF-SEN-05")
async def test_the_area_of_a_sensor_takes_in_its_sniffers(field: Field) -> None:
    await field.arrange(profile("Morph", "Morph: BS 11, WIP 12, W 1; Rifle B3 DAM 13; Skills Sniffer"))
    await field.ask(ANNA, NextStep())
    lines = await field.ask(BO, Sensor("Tracker"))
    assert lines[:2] == [
        "Tracker uses Sensor on everything within 8 in.",
        "The area also includes everything within 8 in of these Sniffers: Morph",
    ]


@pytest.mark.rule("INF-SS-02")
async def test_nobody_goes_into_hidden_deployment_in_the_game(field: Field) -> None:
    for state in ("hidden", "figure"):
        assert "only use Hidden Deployment while deploying" in await field.refused(ANNA, Hide("Angus", state))


@pytest.mark.rule("INF-BS-05", "INF-BS-06")
async def test_the_range_of_a_discover_is_no_visibility_for_whoever_reacts(field: Field) -> None:
    lines = await field.ask(ANNA, Discover("Angus", "Camo Marker 1", range_mod=-3))
    assert "bo: choose your AROs (60 seconds)." in lines
    await field.choose(BO, "Seedling", "shoot:Combi Rifle:16")
    lines = await field.pass_on(BO, 20, 20)
    assert "Seedling misses Angus." in lines
    assert "Angus, Discover: WIP 12 -6 = 6" in lines
    assert "Seedling, BS 11 +3 = 14, 1 die" in lines
    assert "visibility" not in field.why
