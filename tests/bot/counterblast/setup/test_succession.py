"""A crew that loses its leader, in every way in which a model leaves play; a leader that comes back."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.crews import NameLeader, NameNobody
from bot.games.counterblast.melee.strikes import Explode
from bot.games.counterblast.movement.moves import AtEdge
from bot.games.counterblast.templates.coverage import Engulf
from bot.games.counterblast.upkeep.leaders import NominateLeader
from bot.games.counterblast.upkeep.upkeep_actions import RollUpkeep
from bot.store.rows import ModelRow
from bot.table.act import ANY_PLAYER, ENTERED_BY
from bot.table.session.encounters import NextStep
from bot.table.session.models import RemoveModel, ReturnModel
from bot.table.session.settings import Settings
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, hurt, under
from tests.bot.counterblast.upkeep.test_upkeep_flow import all_have_acted
from tests.bot.counterblast.vehicles.test_vehicle_play import truck
from tests.bot.waited import waited_for

LOST = "Lancers has lost its leader. Who leads now?"


@pytest.mark.rule("CB-CREW-05", "CB-FEAT-16")
async def test_a_leader_that_explodes_is_followed(ring: Ring) -> None:
    await ring.arrange(block("Sally", "kraken"), active("Sally"))
    sally = (await ring.model("Sally")).id
    lines = await ring.ask(ANNA, Explode(sally, asked=True, attack=True))
    assert LOST in lines
    assert "Skip Westmoreland" in ring.labels
    lines = await ring.press(ANNA, "Skip Westmoreland")
    assert lines[0] == "Skip Westmoreland now leads Lancers."


@pytest.mark.rule("CB-CREW-05", "CB-VEH-07")
async def test_a_leader_lost_aboard_is_followed(ring: Ring) -> None:
    await truck(ring)
    number = (await ring.model("Prime")).id

    def aboard(row: ModelRow) -> None:
        row.counters["rides"] = number

    await ring.arrange(change("Sally", aboard))
    lines = await ring.ask(BO, RemoveModel("Prime", "casualty"))
    assert "Sally Starfield is lost with the vehicle." in lines
    assert LOST in lines
    assert "Skip Westmoreland" in ring.labels


@pytest.mark.rule("CB-CREW-05", "CB-WEAP-31")
async def test_who_is_gone_with_the_leader_is_not_offered(ring: Ring) -> None:
    await ring.arrange(block("Prime", "prime_leader", "void_cannon"), active("Prime"))
    gone = tuple([(await ring.model(name)).id for name in ("Sally", "Skip")])
    engulfed = Engulf((await ring.model("Prime")).id, "void_cannon", whole=gone)
    await throws(ring, BO, engulfed)
    assert "Skip Westmoreland" not in ring.labels
    assert "Wanda Whitestar" in ring.labels


@pytest.mark.rule("CB-CREW-05")
async def test_a_leader_that_is_brought_back_leads_again_where_nobody_else_does(ring: Ring) -> None:
    await ring.ask(ANNA, RemoveModel("Sally", "casualty"))
    assert LOST in ring.answer.reply.lines
    lines = await ring.ask(ANNA, ReturnModel("Sally"))
    assert lines == ["Sally Starfield is back in play.", "Sally Starfield leads Lancers again."]
    assert (await ring.model("Sally")).leader


@pytest.mark.rule("CB-CREW-05")
async def test_a_former_leader_that_is_brought_back_leads_nobody(ring: Ring) -> None:
    await ring.ask(ANNA, RemoveModel("Sally", "casualty"))
    await ring.ask(ANNA, NameLeader((await ring.model("Skip")).id))
    assert await ring.ask(ANNA, ReturnModel("Sally")) == ["Sally Starfield is back in play."]
    assert not (await ring.model("Sally")).leader
    assert (await ring.model("Skip")).leader


@pytest.mark.rule("CB-CREW-06")
async def test_a_crew_without_heirs_has_no_order_tokens(ring: Ring) -> None:
    for model in (await ring.table.encounter()).models(1):
        if not model.name.startswith("Sally"):
            await ring.ask(ANNA, RemoveModel(model.name, "casualty"))
    await ring.arrange(under("panicked", "Sally"), active("Sally"))
    lines = await ring.ask(ANNA, AtEdge("Sally"))
    assert "Lancers has no leader and no order tokens left." in lines
    assert await ring.orders(1) == 0


@pytest.mark.rule("CB-CREW-05", "CB-CREW-06")
async def test_a_player_may_name_nobody(ring: Ring) -> None:
    await ring.ask(ANNA, RemoveModel("Sally", "casualty"))
    assert "Only anna can do this for Lancers." in await ring.refused(BO, NameNobody(1))
    lines = await ring.press(ANNA, "No new leader for Lancers")
    assert lines[:1] == ["Lancers now has no leader and loses its order tokens."]
    assert await ring.orders(1) == 0
    skip = NameLeader((await ring.model("Skip")).id)
    assert "can no longer choose a leader, because it didn't choose one when" in await ring.refused(
        ANNA, skip
    )
    await ring.arrange(all_have_acted)
    lines = await ring.ask(ANNA, NextStep())
    assert LOST not in lines
    assert "Roll" in ring.labels


@pytest.mark.rule("CB-CREW-05", "CB-CREW-06")
async def test_nobody_may_be_named_in_upkeep_too(ring: Ring) -> None:
    await ring.arrange(all_have_acted, hurt("Sally", 9))
    lines = await ring.ask(ANNA, NextStep())
    assert LOST in lines
    assert waited_for(await ring.table.encounter()).endswith("choose a new leader.")
    lines = await ring.press(ANNA, "No new leader for Lancers")
    assert waited_for(await ring.table.encounter()) == "Waiting for anna to roll the Upkeep tests."
    assert "  Lancers has no leader and no order tokens" in lines
    assert await ring.orders(1) > 0
    await ring.ask(ANNA, RollUpkeep(), *[2] * 9)
    await ring.press(ANNA, "Confirm")
    assert await ring.orders(1) == 0


@pytest.mark.rule("CB-CREW-05", "CB-ORDER-08")
async def test_a_successor_is_typed_as_well_as_pressed(ring: Ring) -> None:
    await ring.ask(ANNA, RemoveModel("Sally"))
    lines = await ring.ask(ANNA, NominateLeader("Skip"))
    assert lines[0] == "Skip Westmoreland now leads Lancers."
    assert "CB-CREW-03" in await ring.refused(ANNA, NominateLeader("Wanda"))


@pytest.mark.rule("CB-CREW-05", "CB-CREW-06")
async def test_that_nobody_leads_is_typed_as_well_as_pressed(ring: Ring) -> None:
    assert (
        "Choose a model. A crew can only go on without a leader after it has lost one."
        in await ring.refused(ANNA, NominateLeader("nobody"))
    )
    await ring.ask(ANNA, RemoveModel("Sally"))
    lines = await ring.ask(ANNA, NominateLeader("Nobody"))
    assert lines == ["Lancers now has no leader and loses its order tokens."]
    assert "can no longer choose a leader, because it didn't choose one when" in await ring.refused(
        ANNA, NominateLeader("Skip")
    )


@pytest.mark.rule("CB-CREW-05")
async def test_who_decides_for_two_crews_chooses_the_one_that_goes_on_without_a_leader(ring: Ring) -> None:
    await ring.ask(ANNA, RemoveModel("Sally", "casualty"))
    await ring.ask(BO, RemoveModel("Prime", "casualty"))
    await ring.ask(ANNA, Settings(ENTERED_BY, ANY_PLAYER))
    lines = await ring.ask(ANNA, NominateLeader("nobody"))
    assert lines == ["Choose the crew that goes on without a leader."]
    assert ring.labels == ["Lancers", "Edo"]
    lines = await ring.press(ANNA, "Edo")
    assert lines[0] == "Edo now has no leader and loses its order tokens."
    lines = await ring.ask(ANNA, NominateLeader("nobody"))
    assert lines[0] == "Lancers now has no leader and loses its order tokens."
