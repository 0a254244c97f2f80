"""Features with an attack of their own: bursts around a model, acid, goo, explosions."""

from __future__ import annotations

import pytest

from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.coverage import Engulf
from bot.games.counterblast.templates.template_attacks import Template
from bot.store.rows import ModelRow
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import (
    ANNA,
    BO,
    Ring,
    active,
    block,
    change,
    gifted,
    touching,
    under,
)


def fresh(name: str) -> Step:
    def clear(row: ModelRow) -> None:
        for key in ("actions spent", "attacks made", "moves made"):
            row.counters.pop(key, None)

    return change(name, clear)


@pytest.mark.rule("CB-FEAT-24")
async def test_an_emp_burst_by_feature_once_per_encounter(ring: Ring) -> None:
    await ring.arrange(active("Sally"), gifted("Sally", "emp_burst:2"), touching(("Sally", "Trapper")))
    lines = await ring.ask(ANNA, Template("Sally", "EMP"))
    assert lines[0] == "Place the template of Sally Starfield's EMP Burst R8."
    offered = [choice.label for choice in ring.answer.reply.menus[0].choices]
    assert "Sally Starfield" not in offered
    assert "Skip Westmoreland" in offered
    await ring.arrange(fresh("Sally"))
    assert "CB-FEAT-24" in await ring.refused(ANNA, Template("Sally", "EMP"))


@pytest.mark.rule("CB-FEAT-24", "CB-FEAT-25")
async def test_emp_drains_machines_and_energy_weapons(ring: Ring) -> None:
    """2D+2 at Defense 9 of the bot and 7 of the Trapper; Power 4 for shields; no wound."""
    await ring.arrange(
        active("Sally"),
        gifted("Sally", "emp_burst:2"),
        block("Trapper", "gdf_combot"),
        touching(("Sally", "Trapper")),
    )
    await ring.ask(ANNA, Template("Sally", "EMP"))
    sally, bot, skip = [(await ring.model(name)).id for name in ("Sally", "Trapper", "Skip")]
    lines = await ring.ask(ANNA, Engulf(sally, "emp_burst_r8", whole=(bot, skip)), 7, 1, 2, 2, 8, 2)
    assert "EMP Burst R8 hits Trapper: drained." in lines
    drained = await ring.model("Trapper")
    assert (drained.damage, drained.has("drained")) == (0, True)
    await ring.arrange(under("active", "Trapper"))
    assert "CB-FEAT-25" in await ring.refused(BO, Move("Trapper"))
    assert "Skip Westmoreland hits" not in lines
    await ring.arrange(active("Skip"))
    assert "Pulsar Rifle is drained" in await ring.refused(ANNA, Shoot("Skip", "Edo Underling", 5))


@pytest.mark.rule("CB-FEAT-62", "CB-FEAT-24")
async def test_a_neuro_pulse_stuns_again_and_again(ring: Ring) -> None:
    await ring.arrange(gifted("Wanda", "neuro_pulse:1"), active("Wanda"))
    await ring.ask(ANNA, Template("Wanda", "Neuro"))
    wanda, bot = [(await ring.model(name)).id for name in ("Wanda", "Trapper")]
    lines = await ring.ask(ANNA, Engulf(wanda, "neuro_pulse_r4", whole=(bot,)), 9)
    assert "Neuro Pulse R4 hits Trapper: stunned." in lines
    assert (await ring.model("Trapper")).is_incapacitated
    await ring.arrange(fresh("Wanda"))
    assert "R4" in (await ring.ask(ANNA, Template("Wanda", "Neuro")))[0]
