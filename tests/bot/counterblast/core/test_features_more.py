"""Features whose effect shows beside the dice: what optics see, who strikes back, whose loss frightens."""

from __future__ import annotations

import pytest

from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.setup.surroundings import InWater
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.upkeep.corrections import UpkeepNamed
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, carrying, gifted, touching


def lost(*names: str) -> Step:
    """They went down a turn ago, and everybody has acted."""

    def step(encounter: Encounter) -> None:
        for model in encounter.models():
            model.counters["activated"] = 1
        for name in names:
            row = encounter.find_model(name)
            row.damage, row.counters["turn it went down"] = 9, 1

    return step


@pytest.mark.rule("CB-FEAT-15", "CB-GEAR-22")
async def test_optics_do_not_see_the_coldblooded(ring: Ring) -> None:
    await ring.table.done(ANNA, DiceMode("bot"))
    shot = Shoot("Skip", "Trapper", 4, cover=2)
    await ring.arrange(active("Skip"), carrying("Skip", "infrared_optics"))
    await ring.ask(ANNA, shot)
    assert "-1 Infrared Optics CB-GEAR-22" in ring.why
    await ring.ask(ANNA, Undo())
    await ring.arrange(gifted("Trapper", "coldblooded"))
    await ring.ask(ANNA, shot)
    assert "Infrared Optics" not in ring.why


@pytest.mark.rule("CB-FEAT-27")
async def test_a_ferocious_model_strikes_back_at_any_of_them(ring: Ring) -> None:
    await ring.arrange(
        active("Skip", "Wanda"),
        gifted("Trapper", "ferocious", "tough"),
        touching(("Skip", "Trapper"), ("Wanda", "Trapper")),
    )
    await ring.ask(ANNA, Melee(text="Skip>Trapper, Wanda>Trapper"))
    await ring.press(BO, "Split evenly", *[2] * 7)
    offered = [label for label in ring.labels if label.startswith("Strike back")]
    assert offered == ["Strike back at Skip Westmoreland", "Strike back at Wanda Whitestar"]
    await ring.press(BO, "Strike back at Wanda Whitestar", *[2] * 4)
    assert not [label for label in ring.labels if label.startswith("Strike back")]


@pytest.mark.rule("CB-FEAT-22")
async def test_the_loss_of_the_disposable_frightens_nobody(ring: Ring) -> None:
    """A Trapper is Disposable, a Spawnling counts 1."""
    await ring.arrange(lost("Trapper"))
    assert "Edo: Panic Level 0" in await ring.ask(ANNA, UpkeepNamed())
    await ring.ask(ANNA, Undo())
    await ring.arrange(lost("Edo Spawnling"))
    assert "Edo: Panic Level 1" in await ring.ask(ANNA, UpkeepNamed())


@pytest.mark.rule("CB-FEAT-30", "CB-TERR-12")
async def test_a_flyer_minds_no_ground(ring: Ring) -> None:
    await ring.arrange(active("Skip"), gifted("Skip", "fly"))
    lines = await ring.ask(ANNA, Move("Skip", rugged=(3,), height=3))
    assert lines[0] == "Skip Westmoreland moves up to 6 in."


@pytest.mark.rule("CB-FEAT-06", "CB-ENV-08")
async def test_the_aquatic_swim_at_full_mv(ring: Ring) -> None:
    """Deep water is Rugged 3 and has low gravity for others."""
    await ring.arrange(active("Skip", "Wanda"), gifted("Skip", "aquatic"))
    for name in ("Skip", "Wanda"):
        await ring.ask(ANNA, InWater(name, 5, 1))
    assert (await ring.ask(ANNA, Move("Skip")))[0] == "Skip Westmoreland moves up to 6 in."
    assert "moves up to 3 in" in (await ring.ask(ANNA, Move("Wanda", odds=True)))[0]
