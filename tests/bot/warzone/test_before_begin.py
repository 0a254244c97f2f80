"""What waits for the first turn, and what need not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.actions import Action
from bot.games.warzone.close_combat_actions import Charge, Fight
from bot.games.warzone.morale_actions import Morale
from bot.games.warzone.move_actions import Move
from bot.games.warzone.shots import Shoot
from tests.bot.warzone.skirmish import skirmish

DEEDS: list[Action] = [
    Move("Rex"),
    Shoot("Rex", "Bex", "8"),
    Charge("Rex", "Bex", 4),
    Fight("Rex", "Bex"),
    Morale(model="Rex"),
]


@pytest.mark.rule("WZ-TURN-02")
@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.command)
async def test_deeds_wait_for_the_first_turn(file: Path, deed: Action) -> None:
    async with skirmish(file) as game:
        assert await game.refused(deed) == (
            "Begin the game first; no model can act yet.\nRulebook: Turns (WZ-TURN-02)."
        )
        answer = await game.table.do("anna", deed)
        assert [button.label for button in answer.reply.buttons] == ["Ready", "Override..."]


async def test_chances_do_not_wait_and_the_deed_follows_begin(file: Path) -> None:
    async with skirmish(file) as game:
        await game.asks(Shoot("Rex", "Bex", "8", odds=True))
        await game.begin()
        await game.act("Rex")
        reply = await game.do(Move("Rex"))
        assert reply.lines[0].startswith("Rex moves")


async def test_an_organiser_may_let_a_deed_pass(file: Path) -> None:
    async with skirmish(file) as game:
        done = await game.table.done("anna", Move("Rex"), reason="to try it out")
        assert done.reply.lines[-2:] == (
            "Override by anna: to try it out",
            "Overridden: Begin the game first; no model can act yet.",
        )
