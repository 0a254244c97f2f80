"""What reading the transcript of a whole game from top to bottom found."""

from __future__ import annotations

import pytest

from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.activations import Activate
from bot.games.counterblast.turn.bag import DrawToken
from bot.games.counterblast.turn.overwatch import Interrupt, Overwatch
from bot.games.counterblast.upkeep.upkeep_actions import RollUpkeep
from bot.table import act
from bot.table.encounter import Encounter
from bot.table.odds_budget import Thinking
from bot.table.session.encounters import NextStep
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, hurt, under

WATCHERS = ("Prime", "Spawnguard", "Edo Underling", "Edo Underling 2", "Edo Guardling")


def all_have_acted(encounter: Encounter) -> None:
    for model in encounter.models():
        model.counters["activated"] = 1


def orders(count: int) -> Step:
    def step(encounter: Encounter) -> None:
        for side in encounter.sides():
            side.counters["orders"] = count

    return step


def anna_drew_her_own(encounter: Encounter) -> None:
    encounter.row.counters["drawn"] = 1


async def test_whose_dice_are_better_does_not_hang_on_the_time_there_is(
    ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Odds that are only told may be sampled; what is decided by them is not."""
    monkeypatch.setattr(act, "Aside", lambda: Thinking(0.0))
    await ring.arrange(all_have_acted, hurt("Dr. Helen", 2), hurt("HOpR", 1), block("Smap", "gdf_ranger"))
    await ring.ask(ANNA, NextStep())
    assert [choice.label for choice in ring.answer.reply.menus[0].choices] == ["Smap"]


@pytest.mark.rule("CB-PANIC-05", "CB-PANIC-07")
async def test_nobody_gives_a_better_int_for_the_leaders(ring: Ring) -> None:
    # Level 3 by a Hero and a Lackey. Sally, who leads, has INT 2D+0, Skip 2D+1, a disciplined Ranger 1D+0.
    await ring.arrange(all_have_acted, hurt("Dr. Helen", 2), hurt("HOpR", 1), block("Smap", "gdf_ranger"))
    await ring.ask(ANNA, NextStep())
    asked = list(ring.answer.reply.lines)
    assert asked[asked.index("3. Tests") + 1 :][:3] == [
        "Skip Westmoreland: INT 2D+1 vs 3",
        "Smap: INT 2D+0 vs 3",
        "GDF Medical Officer: INT 3D+3 vs 3",
    ]
    assert [choice.label for choice in ring.answer.reply.menus[0].choices] == ["Smap"]
    encounter = await ring.table.encounter()
    near = tuple(encounter.find_model(name).id for name in ("Skip", "Smap", "GDF Medical"))
    lines = await ring.ask(ANNA, RollUpkeep(near), 2, 2, 2, 2, 3, 1, 1, 2)
    assert lines[lines.index("3. Tests") + 1 :][:6] == [
        "Skip Westmoreland: holds",
        "  INT 2D+1 vs 3: 2 -> 3 success, 2 -> 3 success",
        "Smap (leader's INT): holds",
        "  INT 3D+0 vs 3: 2 miss, 2 miss, 3 success",
        "GDF Medical Officer: panics and is shaken",
        "  INT 3D+3 vs 3: 1 (natural 1), 1 (natural 1), 2 -> 5 success",
    ]


@pytest.mark.parametrize(("count", "offered"), [(1, True), (0, False)])
async def test_a_redraw_is_offered_with_an_order_token_only(ring: Ring, count: int, offered: bool) -> None:
    await ring.arrange(orders(count))
    drawer = ANNA if (await ring.table.encounter()).row.counters["drawer"] == 1 else BO
    await ring.ask(drawer, DrawToken())
    assert ("Redraw (1 order token)" in ring.labels) is offered


@pytest.mark.rule("CB-OVER-02")
async def test_a_group_is_fired_at_one_watcher_at_a_time(ring: Ring) -> None:
    await ring.arrange(
        under("overwatch", *WATCHERS),
        block("Smap", "gdf_ranger"),
        block("Wanda", "gdf_ranger"),
        anna_drew_her_own,
    )
    encounter = await ring.table.encounter()
    group = tuple(encounter.find_model(name).id for name in ("Sally", "Smap", "Wanda"))
    await ring.ask(ANNA, Activate(group))
    watchers = [encounter.find_model(name).name for name in WATCHERS]
    targets = ("Sally Starfield", "Smap", "Wanda Whitestar")
    asking = [label for label in ring.labels if label.startswith("Overwatch")]
    assert asking == [f"Overwatch: {name} at..." for name in watchers]
    await ring.press(BO, "Overwatch: Spawnguard at...")
    assert ring.labels == [f"Overwatch: Spawnguard at {name}" for name in targets]


async def test_who_cannot_shoot_is_told_and_not_asked_to_fire(ring: Ring) -> None:
    await ring.arrange(block("Trapper", "undermind"), active("Trapper"))
    lines = await ring.ask(BO, Overwatch("Trapper"))
    assert "It has no weapon to shoot with." in lines
    await ring.arrange(active("Sally"))
    lines = await ring.ask(BO, Interrupt())
    assert lines[0] == "No model on Overwatch can fire at Sally Starfield."


@pytest.mark.rule("CB-FEAT-49")
async def test_goo_is_shot_as_any_weapon_and_pins(ring: Ring) -> None:
    await ring.arrange(active("Trapper"))
    lines = await ring.ask(BO, Shoot("Trapper", "Skip", 11), 9, 2)
    assert lines[0] == "Trapper hits Skip Westmoreland: pinned."
    assert lines[3] == "AGL 2D+0 vs 7, Sticky Goo"
    skip = await ring.model("Skip")
    assert (skip.damage, skip.has("pinned")) == (0, True)
    assert "CB-SHOOT-02" in await ring.refused(BO, Shoot("Trapper", "Wanda", 13))


@pytest.mark.rule("CB-CHECK-05")
async def test_the_dice_of_a_test_at_disadvantage_are_shown(ring: Ring) -> None:
    await ring.arrange(
        all_have_acted, hurt("Dr. Helen", 2), block("Smap", "edo_spawnling"), under("shaken", "Smap")
    )
    await ring.ask(ANNA, NextStep())
    lines = await ring.ask(ANNA, RollUpkeep(), 7, 1)
    assert lines[lines.index("3. Tests") + 1 :][:2] == [
        "Smap: panics and is shaken",
        "  INT lower of 2D, +0 vs 2: 7, 1 (the 1 counts)",
    ]
