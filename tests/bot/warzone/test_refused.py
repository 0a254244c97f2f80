"""What the round, contact and the choice of who starts do not allow; each is refused with its rule."""

from __future__ import annotations

import pytest

from bot.games.warzone.core.turn_actions import BeginRound, Done
from bot.games.warzone.melee.fight_play import SetContact
from bot.games.warzone.movement.jump_play import Jump
from tests.bot.warzone.skirmish import Skirmish
from tests.bot.warzone.turn.test_squad_order import three


@pytest.mark.rule("WZ-BREAK-03")
@pytest.mark.usefixtures("acting")
async def test_nobody_jumps_out_of_close_combat(game: Skirmish) -> None:
    await game.do(SetContact("Rex", "Bex"))
    assert "Rex is locked in close combat: break away first." in await game.refused(Jump("Rex", across=2.5))


@pytest.mark.rule("WZ-TURN-02")
async def test_who_starts_is_not_chosen_once_a_unit_acts(game: Skirmish) -> None:
    await game.setting("initiative choice", "yes")
    await game.begin()
    await game.act("Rex")
    assert "Who starts is settled." in await game.refused(BeginRound(2))


@pytest.mark.rule("WZ-TURN-03")
async def test_a_model_finishes_once(game: Skirmish) -> None:
    await three(game)
    await game.begin()
    await game.act("Trio")
    await game.do(Done("Ben"))
    assert "Ben has finished." in await game.refused(Done("Ben"))
