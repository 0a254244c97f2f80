"""What the round, contact and the choice of who starts do not allow; each is refused with its rule."""

from __future__ import annotations

import pytest

from bot.games.warzone.activation import BeginRound, Done
from bot.games.warzone.close_combat_actions import SetContact
from bot.games.warzone.jump_actions import Jump
from bot.games.warzone.power_actions import Concentrate
from bot.games.warzone.roster_actions import FormSquad
from tests.bot.warzone.skirmish import Skirmish
from tests.bot.warzone.test_squad_order import three


@pytest.mark.rule("WZ-BREAK-03")
@pytest.mark.usefixtures("acting")
async def test_nobody_jumps_out_of_close_combat(game: Skirmish) -> None:
    await game.do(SetContact("Rex", "Bex"))
    assert "Rex is in close combat and has to break away first." in await game.refused(
        Jump("Rex", across=2.5)
    )


@pytest.mark.rule("WZ-TURN-02")
async def test_who_starts_is_not_chosen_once_a_unit_acts(game: Skirmish) -> None:
    await game.setting("initiative choice", "yes")
    await game.begin()
    await game.act("Rex")
    assert "You can't choose the starting side now." in await game.refused(BeginRound(2))


@pytest.mark.rule("WZ-TURN-03")
async def test_a_model_finishes_once(game: Skirmish) -> None:
    await three(game)
    await game.begin()
    await game.act("Trio")
    await game.do(Done("Ben"))
    assert "Ben has finished its activation." in await game.refused(Done("Ben"))


async def test_who_has_no_power_concentrates_on_none(acting: Skirmish) -> None:
    """Its action would be lost: the bonus is for channelling alone. Rules: WZ-CONC-01, WZ-POW-01."""
    await acting.add("Red", "Dull", PW=0)
    assert "Dull has PW 0" in await acting.refused(Concentrate("Dull"))


async def test_no_squad_is_made_of_the_unit_that_acts(game: Skirmish) -> None:
    """Its round would be over, with its actions lost."""
    await game.add("Red", "One", squad="Pair")
    await game.add("Red", "Two", squad="Pair")
    await game.begin()
    await game.act("Pair")
    assert "Wait until Pair has finished" in await game.refused(FormSquad("New", "One"))
    await game.done()
    assert (await game.do(FormSquad("New", "One"))).lines[0] == "New: 1 model."
