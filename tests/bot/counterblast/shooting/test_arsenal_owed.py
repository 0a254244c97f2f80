"""What an attack leaves to settle is asked before anybody goes on: arcs, charges, templates, bombs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.gear.devices import ArmBomb
from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.setup.surroundings import ShowField
from bot.games.counterblast.shooting.arcs import ArcLeap
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.coverage import COVER, PLACE, WHOLLY, Engulf
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.counterblast.turn.bag import DrawToken, PassDraw
from bot.games.counterblast.upkeep.upkeep_actions import ConfirmUpkeep
from bot.table.encounter import GONE, Encounter
from bot.table.journal.history import Undo
from bot.table.session.encounters import NextStep
from bot.table.session.models import RemoveModel
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, touching


def drawn(side: int) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.row.counters["drawn"] = side

    return step


def acted(*names: str) -> Step:
    def step(encounter: Encounter) -> None:
        left = {encounter.find_model(name).id for name in names}
        for model in encounter.models():
            model.counters["activated"] = int(model.id not in left)

    return step


# ---------------------------------------------------------------- arcs


@pytest.mark.rule("CB-WEAP-23")
async def test_an_arc_is_told_whom_it_reaches_before_the_activation_ends(ring: Ring) -> None:
    await ring.arrange(drawn(2), active("Prime"))
    await ring.ask(BO, Shoot("Prime", "Skip", 8), 9, 2, 2)
    for way in (PassDraw(), DrawToken()):
        said = await ring.refused(BO, way)
        assert "Which model does the arc from" in said
    await ring.ask(BO, PassDraw())
    await ring.press(BO, "Arc from Skip Westmoreland...")
    assert "Choose the model that the arc reaches. It can be a friend or an enemy." in ring.answer.reply.lines
    spawnguard = (await ring.model("Spawnguard")).id
    await ring.choose(BO, spawnguard, faces=(9, 2))
    assert (await ring.model("Spawnguard")).damage == 1, "a friend is chosen where nobody else is near"
    assert (await ring.ask(BO, PassDraw()))[0] == "Done: Prime Leader."


@pytest.mark.rule("CB-WEAP-23")
async def test_an_arc_leaps_once_and_may_find_nobody(ring: Ring) -> None:
    await ring.arrange(drawn(2), active("Prime"))
    await ring.ask(BO, Shoot("Prime", "Skip", 8), 9, 2, 2)
    await ring.press(BO, "Arc from Skip Westmoreland...")
    asked = ring.answer
    assert "is not yours" in (await ring.table.press(ANNA, asked, "No model within 2 in")).reply.text
    assert (await ring.press(BO, "No model within 2 in")) == ["Prime Leader hits no one else with its arc."]
    prime, skip, wanda = [(await ring.model(name)).id for name in ("Prime", "Skip", "Wanda")]
    assert "That arc has already jumped. Nothing was changed." in await ring.refused(
        BO, ArcLeap(prime, skip, wanda, "arc_rod", 1)
    )
    await ring.ask(BO, PassDraw())


# ---------------------------------------------------------------- striking back, charges


@pytest.mark.rule("CB-FEAT-27")
async def test_who_may_strike_back_is_asked_before_the_attackers_activation_ends(ring: Ring) -> None:
    await ring.arrange(drawn(1), active("Sally"), block("Trapper", "brute"), touching(("Sally", "Trapper")))
    await ring.ask(ANNA, Fight("Sally", "Trapper"), 2, 2, 2, 2, 2, 2)
    lines = await ring.ask(ANNA, PassDraw())
    assert "Trapper can strike back at Sally Starfield." in lines
    assert not ring.answer.reply.private, "its player has to see it"
    assert (await ring.press(BO, "Don't strike back")) == ["Trapper does not strike back."]
    assert (await ring.ask(ANNA, PassDraw()))[0] == "Done: Sally Starfield."


@pytest.mark.rule("CB-CHARGE-06", "CB-CHARGE-04")
async def test_a_charge_that_waits_for_the_shot_is_not_dropped(ring: Ring) -> None:
    await ring.arrange(drawn(1), active("Skip"))
    await ring.ask(ANNA, Charge("Skip", "Edo Underling 2", 7, helpers="nobody"))
    assert "Don't shoot" in ring.labels
    lines = await ring.ask(ANNA, PassDraw())
    assert "Skip Westmoreland's charge at Edo Underling 2 is waiting for an answer." in lines
    assert "Don't shoot" in ring.labels
    assert (await ring.model("Skip")).has("active")


# ---------------------------------------------------------------- templates


@pytest.mark.rule("CB-TMPL-08", "CB-TMPL-01")
async def test_a_template_that_landed_is_resolved_before_the_activation_ends(ring: Ring) -> None:
    await ring.arrange(drawn(1), active("Skip"))
    lines = await ring.ask(ANNA, Template("Skip", "Grenade", distance=6), 8, 2, 2)
    assert "Which models are under the template?" in lines
    told = await ring.refused(ANNA, PassDraw())
    assert "Which models are under the template of Skip Westmoreland's Grenade?" in told
    await ring.ask(ANNA, PassDraw())
    await ring.press(ANNA, "Models under the template (Grenade)...")
    trapper = (await ring.model("Trapper")).id
    await ring.choose(ANNA, trapper * PLACE + WHOLLY)
    await ring.press(ANNA, "Roll", 9)
    assert (await ring.model("Trapper")).damage == 1
    assert (await ring.ask(ANNA, PassDraw()))[0] == "Done: Skip Westmoreland."


@pytest.mark.rule("CB-TERR-05", "CB-TMPL-08")
async def test_each_model_under_a_template_may_have_a_cover_of_its_own(ring: Ring) -> None:
    await ring.arrange(drawn(1), active("Skip"))
    await ring.ask(ANNA, Template("Skip", "Grenade", distance=6), 8, 2, 2)
    trapper, guard = [(await ring.model(name)).id * PLACE for name in ("Trapper", "Spawnguard")]
    await ring.choose(ANNA, trapper + WHOLLY, guard + WHOLLY)
    offered = {choice.label for menu in ring.answer.reply.menus for choice in menu.choices}
    assert {"Trapper: cover 3", "Spawnguard: cover 1"} <= offered
    assert "Cover must be between 0 and 3." in await ring.refused(
        ANNA, replace(ring.answer.reply.menus[0].action, more=(trapper + COVER + 4,))
    )
    await ring.choose(ANNA, trapper + COVER + 3)
    lines = await ring.press(ANNA, "Back")
    assert not any(line.startswith("Cover:") for line in lines), "a step back"
    lines = await ring.choose(ANNA, trapper + COVER + 2)
    assert "Cover: Trapper 2." in lines
    named = ring.answer.reply.menus[0].action
    await ring.ask(BO, RemoveModel("Trapper"))
    assert ("Wholly under the template: Spawnguard.") in await ring.ask(ANNA, named), (
        "one of them left play meanwhile"
    )
    await ring.agreed(BO, Undo())
    await ring.ask(ANNA, named)
    await ring.press(ANNA, "Roll", 9, 2, 2, 2)
    told = ring.why.partition("Spawnguard:")
    assert "+2 cover [2] CB-TERR-05" in told[0]
    assert "CB-TERR-05" not in told[2]


# ---------------------------------------------------------------- bombs

DETONIUM = "bomb_kit_detonium"


def armed(turn: int) -> Step:
    return change("Skip", lambda row: row.counters.update({f"armed bomb:{DETONIUM}": turn}))


@pytest.mark.rule("CB-GEAR-51", "CB-TMPL-20")
async def test_a_bomb_goes_off_by_itself_as_the_next_activation_ends(ring: Ring) -> None:
    await ring.arrange(drawn(1), block("Skip", "skip_westmoreland", DETONIUM), active("Skip"))
    lines = await ring.ask(ANNA, ArmBomb("Skip", "Detonium"), 8, 8)
    assert lines[0] == "Skip Westmoreland arms the Bomb Kit Detonium."
    lines = await ring.ask(ANNA, PassDraw())
    assert not any("who is under it" in line for line in lines), "not in the turn in which it is armed"

    def next_turn(encounter: Encounter) -> None:
        encounter.row.turn = 2

    shown = await ring.ask(ANNA, ShowField())
    assert "Skip Westmoreland's Bomb Kit Detonium is armed" in shown
    # The kit changed hands: the bomb on the table is still its own.
    await ring.arrange(next_turn, drawn(1), block("Skip", "skip_westmoreland"), active("Skip"))
    lines = await ring.ask(ANNA, PassDraw())
    assert lines[0] == "Done: Skip Westmoreland."
    assert "Skip Westmoreland's Bomb Kit Detonium goes off. Which models are under the template?" in lines
    drawer = ANNA if (await ring.table.encounter()).row.counters["drawer"] == 1 else BO
    assert "Bomb Kit Detonium goes off" in (await ring.table.do(drawer, DrawToken())).reply.text
    await ring.press(ANNA, "Models under the template (Bomb Kit Detonium)...")
    sally = (await ring.model("Sally")).id
    await ring.choose(ANNA, sally * PLACE + WHOLLY)
    # 2D+3 at Defense 8, Power 5 against two shield dice.
    lines = await ring.press(ANNA, "Roll", 5, 2, 2, 2)
    assert lines[0] == "Bomb Kit Detonium hits Sally Starfield: 1 wound, 1 Life left."
    assert "Sally Starfield is drained until it has acted." in lines
    assert (await ring.model("Sally")).has("drained")


@pytest.mark.rule("CB-GEAR-51")
async def test_the_bomb_of_a_model_that_is_gone_goes_off_with_the_end_of_the_next_turn(ring: Ring) -> None:
    def gone(encounter: Encounter) -> None:
        row = encounter.find_model("Skip")
        row.status, row.left_how = GONE, "casualty"
        encounter.row.turn = 2

    await ring.arrange(block("Skip", "skip_westmoreland", DETONIUM), armed(2), acted(), gone)
    await ring.ask(ANNA, NextStep())
    lines = await ring.ask(ANNA, ConfirmUpkeep())
    assert not any("goes off" in line for line in lines), "the turn in which it was armed"
    await ring.arrange(acted())
    await ring.ask(ANNA, NextStep())
    lines = await ring.ask(ANNA, ConfirmUpkeep())
    assert "Skip Westmoreland's Bomb Kit Detonium goes off. Which models are under the template?" in lines
    trapper = (await ring.model("Trapper")).id
    skip = (await ring.table.encounter()).find_model("Skip", gone=True).id
    await ring.ask(ANNA, Engulf(skip, DETONIUM, whole=(trapper,)), 9, 9)
    assert (await ring.model("Trapper")).is_down


@pytest.mark.rule("CB-GEAR-51", "CB-CHECK-15")
async def test_a_botched_bomb_explodes_at_once_and_is_resolved_first(ring: Ring) -> None:
    await ring.arrange(drawn(1), block("Skip", "skip_westmoreland", DETONIUM), active("Skip"))
    lines = await ring.ask(ANNA, ArmBomb("Skip", "Detonium"), 1, 2)
    assert lines[0] == "The Bomb Kit Detonium goes off in Skip Westmoreland's hands."
    assert "goes off. Which models are under the template?" in await ring.refused(ANNA, PassDraw())
    await ring.press(ANNA, "Resolve the blast...")
    assert ring.answer.reply.menus[0].prompt == "Wholly under the template"


@pytest.mark.rule("CB-GEAR-51")
async def test_a_bomb_kit_is_armed_and_not_fired(ring: Ring) -> None:
    await ring.arrange(block("Smap", "smap", DETONIUM), active("Smap"))
    assert "CB-GEAR-51" in await ring.refused(ANNA, Template("Smap", "Detonium"))
    assert "carries no template weapon" in await ring.refused(ANNA, Template("Smap"))
