"""Concealed models: who spots them, and who may use the sighting."""

from __future__ import annotations

import pytest

from bot.games.warzone.activation import Activate
from bot.games.warzone.move_actions import SetPresence
from bot.games.warzone.shots import Shoot
from bot.games.warzone.waiting_actions import Conceal, Spot
from bot.table.offers.legal_actions import Looking
from tests.bot.warzone.skirmish import RIFLE, Skirmish


@pytest.mark.rule("WZ-SPOT-07", "WZ-SPOT-01", "WZ-SPOT-02", "WZ-SPOT-03", "WZ-SPOT-05", "WZ-SPOT-06")
@pytest.mark.usefixtures("acting")
async def test_spotting(game: Skirmish) -> None:
    await game.bo(Conceal("Bex"))
    await game.bo(SetPresence("Bex", "minimized"))
    reply = await game.do(Spot("Rex", "Bex"), 9)
    assert "Spot: 8 or less (LD 10 -2)" in reply.lines
    reply = await game.press("Again", 11)
    assert "Spot: 10 or less (LD 10)" in reply.lines
    odds = await game.asks(Spot("Rex", "Bex", odds=True))
    assert odds.lines[0] == "Rex spots Bex: 11 or less"
    assert "affected by Fear or Dire" in await game.refused(Spot("Rex", "Bex", afraid=True))
    reply = await game.do(Spot("Rex", "Bex"), 11)
    assert reply.lines[0] == "Rex spots Bex."
    await game.do(Shoot("Rex", "Bex", "8"), 20)
    assert "isn't concealed from Rex, so you don't need to spot it." in await game.refused(Spot("Rex", "Bex"))
    await game.bo(Conceal("Bex"))
    odds = await game.asks(Spot("Rex", "Bex", odds=True))
    assert odds.lines[0] == "Rex spots Bex: 8 or less", "the count begins anew"


@pytest.mark.rule("WZ-SPOT-04")
async def test_a_commander_shares_what_he_himself_has_spotted(game: Skirmish) -> None:
    await game.add("Red", "Chief", "leader, commander", RIFLE, squad="Staff")
    await game.add("Red", "Aide", squad="Staff")
    await game.bo(Conceal("Bex"))
    await game.begin()
    await game.act("Staff")
    await game.do(Spot("Aide", "Bex"), 1)
    await game.do(Activate("Rex", "Chief"))
    assert "is concealed. Spot it first." in await game.refused(Shoot("Rex", "Bex", "8"))


@pytest.mark.usefixtures("acting")
async def test_who_does_not_act_spots_nobody_whoever_it_is(game: Skirmish) -> None:
    await game.bo(Conceal("Bex"))
    await game.do(Spot("Rex", "Bex"), 9)
    looking = Looking((await game.table.loaded()).book(), game.table.actor("bo"))
    assert "isn't active" in looking.barred(Spot("Bex"))
