"""Infiltrators and what scouting earned, from deployment to the call from reserve; Controlled models."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.common import count_left_to_act
from bot.games.counterblast.setup.deployment import Deploy
from bot.games.counterblast.setup.infiltration import CallIn, Placed, Reserve, Scout, Watch
from bot.games.counterblast.turn.activations import Activate
from bot.table.encounter import Encounter
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, block, gifted, under


def at_turn(turn: int) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.row.turn = turn

    return step


def drawn(side: int) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.row.counters["drawn"] = side

    return step


def scouted(count: int) -> Step:
    def step(encounter: Encounter) -> None:
        encounter.side(1).counters["scouted infiltrators"] = count

    return step


async def ids(ring: Ring, *names: str) -> tuple[int, ...]:
    return tuple([(await ring.model(name)).id for name in names])


async def deployed(ring: Ring) -> list[str]:
    """Roll who chooses, and let Lancers go first."""
    await ring.ask(ANNA, Deploy(), 9, 2)
    return await ring.press(ANNA, "Lancers deploys first")


@pytest.mark.rule("CB-FEAT-31", "CB-FEAT-32", "CB-SETUP-10")
async def test_deployment_asks_for_reserve_and_overwatch(ring: Ring) -> None:
    await ring.arrange(at_turn(0), gifted("Skip", "infiltrator"), gifted("Smap", "infiltrator"))
    lines = await deployed(ring)
    assert (
        "3. Lancers sets up its Infiltrators (Skip Westmoreland, Smap) more than 8 in from objectives, "
        "enemies and enemy deployment zones."
    ) in lines
    assert [menu.prompt for menu in ring.answer.reply.menus] == [
        "Infiltrators to keep in reserve",
        "Infiltrators to start on Overwatch",
    ]
    skip, smap = await ids(ring, "Skip", "Smap")
    await ring.choose(ANNA, skip)
    assert (await ring.table.encounter()).find_model("Skip", gone=True).left_how == "reserve"
    await ring.ask(ANNA, Placed((smap,), watch=True))
    assert (await ring.model("Smap")).has("overwatch")
    assert "is not yours" in await ring.refused(BO, Placed((smap,), watch=True))


@pytest.mark.rule("CB-MISS-33", "CB-SETUP-10")
async def test_scouting_makes_one_model_an_infiltrator(ring: Ring) -> None:
    await ring.arrange(at_turn(0))
    assert "CB-MISS-33" in await ring.refused(ANNA, Scout("Skip"))
    await ring.arrange(scouted(1))
    await deployed(ring)
    assert ring.answer.reply.menus[0].prompt == "Model that becomes an Infiltrator by scouting"
    await ring.ask(ANNA, Scout("Skip"))
    await ring.ask(ANNA, Watch("Skip"))
    assert (await ring.model("Skip")).has("overwatch")
    assert "CB-MISS-33" in await ring.refused(ANNA, Scout("Wanda"))


@pytest.mark.rule("CB-FEAT-32")
async def test_the_leader_is_offered_the_call_and_the_model_acts(ring: Ring) -> None:
    await ring.arrange(at_turn(0), gifted("Smap", "infiltrator"))
    await ring.ask(ANNA, Reserve("Smap"))
    await ring.arrange(at_turn(2), drawn(1))
    leader = next(model for model in [await ring.model("Sally")] if model.leader)
    await ring.ask(ANNA, Activate((leader.id,)))
    assert "Call in Smap" in ring.labels
    lines = await ring.press(ANNA, "Call in Smap", 5, 2)
    assert lines[:2] == ["Smap can enter from any table edge.", "Smap acts with Sally Starfield."]
    assert (await ring.model("Smap")).has("active")


@pytest.mark.rule("CB-FEAT-32", "CB-ACT-04")
async def test_a_call_counts_as_one_whom_the_leader_directs(ring: Ring) -> None:
    lackeys = ("Wanda", "Helen", "HOpR")
    await ring.arrange(
        at_turn(0), *(block(name, "gdf_sentry") for name in lackeys), gifted("Smap", "infiltrator")
    )
    await ring.ask(ANNA, Reserve("Smap"))
    await ring.arrange(at_turn(2), drawn(1))
    await ring.ask(ANNA, Activate(await ids(ring, "Sally", *lackeys)))
    assert "CB-FEAT-32" in await ring.refused(ANNA, CallIn("Smap"))


@pytest.mark.rule("CB-FEAT-18", "CB-BAG-07")
async def test_a_controlled_model_without_a_hero_holds_nothing_up(ring: Ring) -> None:
    def done(encounter: Encounter) -> None:
        for model in encounter.models():
            if model.name != "Trapper":
                model.counters["activated"] = 1

    await ring.arrange(gifted("Trapper", "controlled"), drawn(2))
    (trapper,) = await ids(ring, "Trapper")
    assert "CB-FEAT-18" in await ring.refused(BO, Activate((trapper,)))
    assert count_left_to_act(await ring.table.encounter())[1] == 8
    await ring.arrange(done)
    assert count_left_to_act(await ring.table.encounter()) == (0, 0)


@pytest.mark.rule("CB-COND-06", "CB-FEAT-50")
async def test_who_is_pinned_panicked_or_prone_is_offered_the_way_out(ring: Ring) -> None:
    await ring.arrange(drawn(2), under("pinned", "Trapper"))
    lines = await ring.ask(BO, Activate(await ids(ring, "Trapper")))
    assert lines[0] == "Trapper acts. It is Pinned and has to break free first."
    await ring.press(BO, "Break free", 9, 2)
    assert not (await ring.model("Trapper")).has("pinned")


@pytest.mark.rule("CB-RALLY-01")
async def test_a_panicked_model_is_offered_its_rally(ring: Ring) -> None:
    await ring.arrange(drawn(1), under("panicked", "Skip"))
    await ring.ask(ANNA, Activate(await ids(ring, "Skip")))
    assert "Rally" in ring.labels
    await ring.press(ANNA, "Rally", 9, 2)
    assert not (await ring.model("Skip")).has("panicked")


@pytest.mark.rule("CB-FEAT-44", "CB-MOVE-08")
async def test_a_quick_model_stands_up_free(ring: Ring) -> None:
    def floored(encounter: Encounter) -> None:
        condition = encounter.condition(encounter.find_model("Skip").id, "prone")
        assert condition is not None
        condition.source = "knocked down"

    await ring.arrange(drawn(1), under("prone", "Skip"), floored)
    lines = await ring.ask(ANNA, Activate(await ids(ring, "Skip")))
    assert lines[0] == "Skip Westmoreland acts (Prone): 2 actions, 1 attack."
    lines = await ring.press(ANNA, "Stand up")
    assert lines == ["Skip Westmoreland stands up (free)."]
    assert (await ring.model("Skip")).count("actions spent") == 0


@pytest.mark.rule("CB-RALLY-01", "CB-FEAT-50")
async def test_in_a_group_each_button_names_its_model(ring: Ring) -> None:
    await ring.arrange(drawn(2), under("pinned", "Edo Guardling", "Edo Guardling 2"))
    await ring.ask(BO, Activate(await ids(ring, "Edo Guardling", "Edo Guardling 2")))
    assert {"Break free: Edo Guardling", "Break free: Edo Guardling 2"} <= set(ring.labels)
    await ring.press(BO, "Break free: Edo Guardling 2", 9, 2)
    assert not (await ring.model("Edo Guardling 2")).has("pinned")
    assert (await ring.model("Edo Guardling")).has("pinned")
