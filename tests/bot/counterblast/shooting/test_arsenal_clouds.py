"""Clouds of smoke and ink: kept with the table, met by shots, gone with their turn."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.games.counterblast.gear.items import UseItem
from bot.games.counterblast.setup.surroundings import ShowField
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from bot.table.session.encounters import NextStep
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, Ring, active, block, change


def with_smoke(row: ModelRow) -> None:
    row.profile = json.dumps({"block": "skip_westmoreland", "gear": ["smoke_grenade"]})


async def smoked(ring: Ring) -> None:
    await ring.arrange(change("Skip", with_smoke), active("Skip", "Sally"))
    await ring.ask(ANNA, UseItem("Skip", "Smoke"))


def all_have_acted(encounter: Encounter) -> None:
    for model in encounter.models():
        model.counters["activated"] = 1


@pytest.mark.rule("CB-GEAR-27")
async def test_a_cloud_is_kept_until_the_end_of_the_following_turn(ring: Ring) -> None:
    await smoked(ring)
    assert "smoke: R5, cover 2, until the end of turn 2" in await ring.ask(ANNA, ShowField())
    await ring.arrange(all_have_acted)
    await ring.ask(ANNA, NextStep())
    lines = await ring.ask(ANNA, ConfirmUpkeep())
    assert "The cloud smoke disappears." not in lines
    await ring.arrange(all_have_acted)
    await ring.ask(ANNA, NextStep())
    lines = await ring.ask(ANNA, ConfirmUpkeep())
    assert "The cloud smoke disappears." in lines
    assert await ring.ask(ANNA, ShowField()) == ["There is nothing special on the ground."]


@pytest.mark.rule("CB-GEAR-27", "CB-LOS-02")
async def test_a_shot_across_a_cloud_is_refused_and_one_into_it_meets_its_cover(ring: Ring) -> None:
    await smoked(ring)
    across = Shoot("Sally", "Prime", 4, cloud="smoke")
    assert "blocks line of sight unless one of the models touches it" in await ring.refused(ANNA, across)
    assert "There is no cloud called ink." in await ring.refused(
        ANNA, Shoot("Sally", "Prime", 4, cloud="ink")
    )
    bare = await ring.ask(ANNA, Shoot("Sally", "Prime", 4, odds=True))
    out = await ring.ask(ANNA, Shoot("Sally", "Prime", 4, cloud="smoke: shooter in it", odds=True))
    assert bare[:2] == out[:2], "who stands in it sees out, and its target has no cover"
    lines = await ring.ask(ANNA, Shoot("Sally", "Prime", 4, cloud="smoke: target in it"), 9, 2, 6, 2, 2)
    assert "+2 cover [2] CB-TERR-05" in ring.why, lines
    assert "smoke (the target is in it): cover 2. CB-GEAR-27" in ring.why
    assert any("stopped by the shield" in line for line in lines)


@pytest.mark.rule("CB-FEAT-33")
async def test_an_ink_cloud_gives_cover_3(ring: Ring) -> None:
    await ring.arrange(block("Skip", "cuttleswarm"), active("Skip", "Sally"))
    lines = await ring.ask(ANNA, UseItem("Skip", "Ink"))
    assert lines[0] == "Skip Westmoreland makes a cloud called ink (R3)."
    assert "ink: R3, cover 3, until the end of turn 2" in await ring.ask(ANNA, ShowField())
    await ring.ask(ANNA, Shoot("Sally", "Prime", 4, cloud="ink: both in it"), 2, 2)
    assert "+3 cover [3] CB-TERR-05" in ring.why


@pytest.mark.rule("CB-GEAR-27", "CB-LOS-02")
async def test_a_team_and_a_template_meet_clouds_too(ring: Ring) -> None:
    await smoked(ring)
    team = TeamShot("Sally, Wanda", "Prime", "4", cloud="smoke", odds=True)
    assert "blocks line of sight unless one of the models touches it" in await ring.refused(ANNA, team)
    await ring.arrange(active("Wanda"))
    await throws(ring, ANNA, replace(team, cloud="smoke: target in it", odds=False))
    assert "+2 cover [2] CB-TERR-05" in ring.why
    assert "smoke (the target is in it): cover 2. CB-GEAR-27" in ring.why


@pytest.mark.rule("CB-GEAR-27", "CB-LOS-02", "CB-SHOOT-14")
async def test_a_template_is_lobbed_blind_over_a_cloud(ring: Ring) -> None:
    await smoked(ring)
    await ring.arrange(block("Sally", "sally_starfield", "grenade"))
    across = Template("Sally", "Grenade", distance=6, cloud="smoke", under="Trapper", odds=True)
    assert "blocks line of sight unless one of the models touches it" in await ring.refused(ANNA, across)
    blind = await ring.ask(ANNA, replace(across, sight="blind"))
    assert "No dice were rolled." in blind


@pytest.mark.rule("CB-TERR-05", "CB-TMPL-02")
async def test_models_under_a_template_have_each_its_own_cover(ring: Ring) -> None:
    await ring.arrange(block("Sally", "sally_starfield", "grenade"), active("Sally"))
    under = Template(
        "Sally", "Grenade", distance=6, under="Trapper, Prime", cover=1, covers="Prime=3", landed=True
    )
    wrong = replace(under, covers="Prime=4")
    assert "Smap=2, Trapper=1" in await ring.refused(ANNA, wrong)
    assert ("as wholly or partly under the template. Then enter its cover.") in await ring.refused(
        ANNA, replace(under, covers="Spawnguard=1")
    )
    await throws(ring, ANNA, under)
    prime, trapper = ring.why.split("Trapper:")
    assert "+1 cover [1] CB-TERR-05" in trapper
    assert "+3 cover [3] CB-TERR-05" in prime
