"""Points at the table: whose blow it was, who led, and what falls from whom when it leaves play."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.crews import NameLeader, find_holder
from bot.games.counterblast.missions.objectives import TakeToken
from bot.games.counterblast.missions.scores import ShowScore
from bot.games.counterblast.movement.falls import TakeFall
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state.missions import list_losses
from bot.games.counterblast.vehicles.collisions import VehicleCrash
from bot.games.counterblast.vehicles.driving import Drive
from bot.table.encounter import Encounter
from bot.table.session.arrivals import add_side
from bot.table.session.encounters import NextStep
from bot.table.session.models import DamageModel, RemoveModel
from tests.bot.counterblast.psionics.test_psi_play import throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, hurt
from tests.bot.counterblast.vehicles.test_vehicle_play import truck


def third(encounter: Encounter) -> None:
    add_side(encounter, "Raiders")


def all_have_acted(encounter: Encounter) -> None:
    for model in encounter.models():
        model.counters["activated"] = 1


@pytest.mark.rule("CB-SCORE-02", "CB-SCORE-01")
async def test_among_three_only_who_struck_the_blow_scores(ring: Ring) -> None:
    """Skip shoots the Trapper down: a Lackey for the Lancers alone. A fall scores for nobody."""
    await ring.arrange(third, active("Skip"))
    await ring.ask(ANNA, Shoot("Skip", "Trapper", 5), 9, 9, 2, 2)
    assert (await ring.model("Trapper")).is_down
    await ring.ask(BO, RemoveModel("Trapper", "casualty"))
    await ring.ask(BO, DamageModel("Spawnguard", 9))
    await ring.ask(BO, RemoveModel("Spawnguard", "casualty"))
    found = list_losses(await ring.table.encounter())
    assert {(one.profile.key, one.killer) for one in found} == {("trapper", 1), ("spawnguard", None)}
    lines = await ring.ask(ANNA, ShowScore())
    assert lines[1:4] == ["1. Lancers: 1 (1 battle)", "2. Edo: 0", "2. Raiders: 0"]


@pytest.mark.rule("CB-SCORE-02")
@pytest.mark.parametrize(("by", "killer"), [("Skip", 1), ("Raiders", 3), ("Trapper", None)])
async def test_wounds_by_hand_say_whose_doing_they_are(ring: Ring, by: str, killer: int | None) -> None:
    """A crew's own doing is no enemy's blow."""
    await ring.arrange(third)
    lines = await ring.ask(BO, DamageModel("Spawnguard", 9, by))
    assert " takes 9 wounds from " in lines[0]
    await ring.ask(BO, RemoveModel("Spawnguard", "casualty"))
    assert [one.killer for one in list_losses(await ring.table.encounter())] == [killer]


@pytest.mark.rule("CB-SCORE-02")
async def test_a_blow_from_which_a_model_was_healed_scores_for_nobody(ring: Ring) -> None:
    await ring.arrange(third, active("Skip"))
    await ring.ask(ANNA, Shoot("Skip", "Trapper", 5), 9, 9, 2, 2)
    assert list_losses(await ring.table.encounter()) == ()
    await ring.arrange(hurt("Trapper", 0))
    await ring.ask(BO, TakeFall("Trapper", 9), 9, 9, 9)
    assert (await ring.model("Trapper")).is_down
    await ring.ask(BO, RemoveModel("Trapper", "casualty"))
    (loss,) = list_losses(await ring.table.encounter())
    assert loss.killer is None


@pytest.mark.rule("CB-SCORE-01")
async def test_between_two_every_loss_of_the_opponent_scores(ring: Ring) -> None:
    await ring.ask(BO, DamageModel("Spawnguard", 9))
    await ring.ask(BO, RemoveModel("Spawnguard", "casualty"))
    assert "1. Lancers: 2 (2 battle)" in await ring.ask(ANNA, ShowScore())


@pytest.mark.rule("CB-PANIC-02", "CB-CREW-05")
@pytest.mark.parametrize("named", [True, False])
async def test_a_leader_lost_in_the_turn_counts_three_whoever_leads_now(ring: Ring, named: bool) -> None:
    await ring.ask(ANNA, DamageModel("Sally", 9))
    lines = await ring.ask(ANNA, RemoveModel("Sally", "casualty"))
    assert "Lancers has lost its leader. Who leads now?" in lines
    if named:
        await ring.press(ANNA, "Skip Westmoreland")
    await ring.arrange(all_have_acted)
    lines = await ring.ask(ANNA, NextStep())
    if not named:
        lines = await ring.ask(ANNA, NameLeader((await ring.model("Skip")).id))
    assert "Lancers: Panic Level 3" in lines


@pytest.mark.rule("CB-PANIC-02")
async def test_another_hero_lost_counts_two(ring: Ring) -> None:
    await ring.ask(ANNA, DamageModel("Skip", 9))
    await ring.ask(ANNA, RemoveModel("Skip", "casualty"))
    await ring.arrange(all_have_acted)
    assert "Lancers: Panic Level 2" in await ring.ask(ANNA, NextStep())


@pytest.mark.rule("CB-MISS-03")
async def test_what_it_carried_falls_when_a_model_is_taken_off_by_hand(ring: Ring) -> None:
    await ring.ask(ANNA, TakeToken("Crate", "Smap"))
    lines = await ring.ask(ANNA, RemoveModel("Smap", "casualty"))
    assert "Crate drops where Smap was." in lines
    assert not find_holder(await ring.table.encounter(), "Crate")


@pytest.mark.rule("CB-SCORE-02", "CB-VEH-22")
async def test_whom_a_vehicle_runs_over_its_crew_scores(ring: Ring) -> None:
    await truck(ring)
    await ring.arrange(third)
    skip = await ring.model("Skip")
    await ring.arrange(hurt("Skip", skip.life_left - 1))
    crash = VehicleCrash((await ring.model("Prime")).id, 6.0, (skip.id,))
    await ring.ask(BO, Drive("Prime", 6))
    await throws(ring, BO, crash, rest=9)
    skip = await ring.model("Skip")
    assert skip.is_down
    assert await ring.hurt_by("Skip") == "Prime Leader"
    assert not await ring.hurt_by("Prime")
