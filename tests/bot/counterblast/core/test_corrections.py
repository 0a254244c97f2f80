"""Undone rolls asked again with other facts, real dice entered by the other side, names with two meanings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.movement.climbing import Leap
from bot.games.counterblast.shooting.volleys import Shoot
from bot.table.journal.history import Undo
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.models import RenameModel
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, touching

SHOT = Shoot("Sally", "Trapper", 5)


async def faces(ring: Ring, shot: Shoot) -> tuple[str, str]:
    """What fell for a shot, and the note below it."""
    answer = await ring.table.done(ANNA, shot)
    entry = await ring.table.desk.store.entry(answer.scope, answer.version)
    assert entry is not None
    return str(entry.faces), answer.reply.lines[-1]


@pytest.mark.parametrize("corrected", [replace(SHOT, distance=4), replace(SHOT, cover=1)])
async def test_a_corrected_distance_or_cover_keeps_the_dice(ring: Ring, corrected: Shoot) -> None:
    await ring.arrange(active("Sally"))
    await ring.table.done(ANNA, DiceMode("bot"))
    first, _ = await faces(ring, SHOT)
    await ring.table.done(ANNA, Undo())
    again, note = await faces(ring, corrected)
    assert again.startswith(first[:11])
    assert note.startswith("These are the same dice as in the undone roll")


@pytest.mark.parametrize("other", [replace(SHOT, order=True), replace(SHOT, target="Prime")])
async def test_another_decision_gets_fresh_dice_and_says_so(ring: Ring, other: Shoot) -> None:
    await ring.arrange(active("Sally"))
    await ring.table.done(ANNA, DiceMode("bot"))
    await faces(ring, SHOT)
    await ring.table.done(ANNA, Undo())
    _, note = await faces(ring, other)
    assert note == "These are new dice; another roll was undone before this one."


async def test_either_side_enters_the_dice_that_it_threw(ring: Ring) -> None:
    await ring.arrange(active("Sally"))
    asked = await ring.table.do(ANNA, SHOT)
    assert asked.reply.lines[0] == "anna throws 2 d10 for Sally Starfield's attack at Trapper."
    await ring.table.done(ANNA, EnterFaces((9,)))
    shields = await ring.entered(BO, (2,))
    assert shields.reply.lines[0] == "Sally Starfield hits Trapper: 2 wounds, and Trapper goes down."
    entry = await ring.table.desk.store.entry(shields.scope, shields.version)
    assert entry is not None
    assert entry.actor == ANNA


async def test_a_new_name_that_others_were_found_by_is_told(ring: Ring) -> None:
    lines = await ring.ask(ANNA, RenameModel("Smap", "Wanda"))
    assert (
        lines[1] == "If you type Wanda, you now choose this model. "
        "To choose another, type more of its name: Wanda Whitestar."
    )
    assert len(await ring.ask(ANNA, RenameModel("Smap", "Bolt"))) == 1


async def test_a_number_that_may_be_dice_or_a_name_is_asked_back(ring: Ring) -> None:
    await ring.arrange(active("Skip"), touching(("Skip", "Edo Guardling 2"), ("Skip", "Trapper")))
    text = await ring.refused(ANNA, Melee(text="Skip>Edo Guardling 2, Skip>Trapper 1"))
    assert text.startswith("Do you mean the model")


@pytest.mark.rule("CB-MOVE-06")
async def test_a_jump_missed_over_level_ground_asks_how_far_it_falls(ring: Ring) -> None:
    await ring.arrange(active("Sally"))
    lines = await ring.ask(ANNA, Leap("Sally", 6), 1, 1)
    assert lines[0] == "Sally Starfield fails the jump."
    assert "Sally Starfield falls into the gap. Enter how far it falls." in lines
    assert ring.labels[0] == "Fall..."
