"""Who is near an explosion, where one menu does not hold everybody."""

from __future__ import annotations

import pytest

from bot.games.counterblast.melee.strikes import Explode
from bot.games.counterblast.state.models import block_text
from bot.replies.fit import MAX_CHOICES
from bot.table.encounter import Encounter
from bot.table.session.arrivals import add_model
from tests.bot.counterblast.ring import BO, Ring, active, block


def crowd(encounter: Encounter) -> None:
    owner = encounter.models(2)[0].owner_id
    add_model(encounter, 2, owner, "Spawnling", block_text("edo_spawnling"))


@pytest.mark.rule("CB-FEAT-16")
async def test_who_is_near_is_asked_menu_by_menu(ring: Ring) -> None:
    await ring.arrange(block("Trapper", "kraken"), active("Trapper"), *(crowd for _ in range(MAX_CHOICES)))
    number = (await ring.model("Trapper")).id
    skip, wanda = (await ring.model("Skip")).id, (await ring.model("Wanda")).id
    await ring.ask(BO, Explode(number, attack=True))
    assert len(ring.answer.reply.menus[0].choices) > MAX_CHOICES
    lines = await ring.choose(BO, skip)
    assert lines[1] == "Chosen so far: Skip Westmoreland."
    assert "No other model is near" in ring.labels
    lines = await ring.choose(BO, wanda)
    assert lines[1] == "Chosen so far: Skip Westmoreland, Wanda Whitestar."
    done = next(one for one in ring.answer.reply.buttons if one.label == "No other model is near")
    assert isinstance(done.action, Explode)
    assert done.action.everybody == (skip, wanda)
    assert done.action.is_said
