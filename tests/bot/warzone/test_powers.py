"""Powers: concentrating, channelling, and what strikes back."""

from __future__ import annotations

import pytest

from bot.games.warzone.chart_actions import RollChart
from bot.games.warzone.close_combat_actions import SetContact
from bot.games.warzone.morale_actions import LdTest
from bot.games.warzone.move_actions import Move
from bot.games.warzone.power_actions import Channel, Concentrate, MindStorm, Wake
from bot.table.journal.history import Undo
from rules.systems.warzone.model import Condition
from tests.bot.warzone.skirmish import RIFLE, Skirmish


@pytest.mark.rule("WZ-POW-01", "WZ-POW-02", "WZ-CONC-01")
async def test_channelling(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12)
    await game.begin()
    await game.act("Mage")
    reply = await game.do(Channel("Mage", 4, 2, power="Fire"), 9)
    assert reply.lines[0] == "Mage fails to channel Fire."
    assert (await game.model("Mage")).count("actions") == 2, "a failure costs one action"
    await game.do(Concentrate("Mage"))
    assert "needs 2 actions" in await game.refused(Channel("Mage", 4, 2))
    reply = await game.do(Channel("Mage", 4), 10)
    assert "Power: 10 or less (PW 12 -2)" in reply.lines
    assert not (await game.model("Mage")).has(Condition.CONCENTRATING)
    assert ", and the cost between 1 and 10 actions." in await game.refused(Channel("Mage", 41))


@pytest.mark.rule("WZ-POW-01")
async def test_a_table_may_test_pw_without_the_magnitude(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12)
    await game.setting("channel_test", "pw")
    assert (await game.asks(Channel("Mage", 4, odds=True))).lines[0] == "Mage channels a power: 12 or less"
    await game.begin()
    await game.act("Mage")
    assert "Power: 12 or less (PW 12)" in (await game.do(Channel("Mage", 4), 12)).lines


@pytest.mark.rule("WZ-CONC-01")
async def test_concentration_is_lost_by_anything_else(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12)
    await game.begin()
    await game.act("Mage")
    await game.do(Concentrate("Mage"))
    await game.do(Move("Mage"))
    odds = await game.asks(Channel("Mage", 4, odds=True))
    assert odds.lines[0] == "Mage channels a power: 8 or less"


@pytest.mark.rule("WZ-BACK-01", "WZ-BACK-02", "WZ-BACK-03")
async def test_backlash_row_by_row(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12, WD=2)
    await game.add("Red", "Pal")
    await game.begin()
    await game.act("Mage")
    reply = await game.do(Channel("Mage", 4), 20, 10)
    assert reply.lines[1] == "Backlash for Mage: Mind Scramble."
    assert "The failed attempt cost 1 action." in reply.lines
    assert "has Mind Scramble and can't concentrate this turn." in await game.refused(Concentrate("Mage"))
    reply = await game.do(Channel("Mage", 4), 20, 11)
    assert "-3 Mind Scramble WZ-BACK-02" in reply.why
    assert (await game.model("Mage")).count("actions") == 0, "Mind Spike ends its turn"
    reply = await game.do(RollChart("backlash", "Mage", 4), 18)
    mage = await game.model("Mage")
    assert mage.has(Condition.UNCONSCIOUS)
    assert mage.has(Condition.PRONE)
    assert "is unconscious. Wake it first." in await game.refused(LdTest("Mage"))
    reply = await game.do(Wake("Mage"), 7)
    assert reply.lines[0] == "Mage doesn't wake up."
    assert "has already tried to wake up this turn." in await game.refused(Wake("Mage"))
    await game.done()
    await game.act("Bex", "bo")
    await game.done("bo")
    await game.act("Pal")
    assert "base contact can wake" in await game.refused(Wake("Mage", "Pal"))
    await game.do(SetContact("Pal", "Mage"))
    asked = await game.asks(Wake("Mage", "Pal", odds=True))
    assert asked.lines[0] == "Pal wakes Mage, which needs no test."
    assert (await game.model("Mage")).has(Condition.UNCONSCIOUS)
    await game.do(Wake("Mage", "Pal"))
    assert not (await game.model("Mage")).has(Condition.UNCONSCIOUS)
    assert (await game.model("Pal")).count("actions") == 2


@pytest.mark.rule("WZ-BACK-04")
@pytest.mark.usefixtures("acting")
async def test_a_mind_storm(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12, WD=2)
    reply = await game.do(Channel("Mage", 4), 20, 20)
    assert reply.lines[1] == "Backlash for Mage: Mind Storm."
    assert "Every model within 2 in of Mage must test LD." in reply.lines
    reply = await game.choose(await game.number("Bex"), faces=(6, 7))
    assert reply.lines[:3] == ("Mind Storm: 1 wound.", "Bex: resists", "Mage: 1 wound (1 of 2 left)")
    assert (await game.model("Mage")).damage == 1
    number = int(await game.number("Mage"))
    assert "not yours" in await game.refused(MindStorm(number, 4, (1,)), "bo")


@pytest.mark.rule("WZ-BROKEN-02")
async def test_concentrating_needs_nerve(game: Skirmish) -> None:
    await game.under("Rex", "broken")
    await game.begin()
    await game.act("Rex")
    await game.do(Move("Rex", bearing="away"))
    assert (await game.do(Concentrate("Rex", hidden=True), 10)).lines[0] == "Rex passes its nerve test."


@pytest.mark.rule("WZ-BACK-04", "WZ-RALLY-02", "WZ-PANIC-03")
@pytest.mark.usefixtures("acting")
async def test_a_mind_storm_asks_whether_the_afraid_see_an_enemy(game: Skirmish) -> None:
    await game.add("Red", "Mage", RIFLE, PW=12, WD=2)
    await game.under("Rex", "panicked")
    await game.do(Channel("Mage", 4), 20, 20)
    assert game.last
    rex = await game.number("Rex")
    answer = await game.table.choose("anna", game.last, rex)
    assert "Choose the Panicked and Broken models that see no enemy, then press Roll." in answer.reply.lines
    assert [menu.prompt for menu in answer.reply.menus] == ["Models that see no enemy"]
    mage = int(await game.number("Mage"))
    near = MindStorm(mage, 4, (int(rex),), roll=True)
    reply = await game.do(near, 3, 6)
    assert "LD tests: Rex needs 3 or less, Mage needs 6 or less" in reply.lines
    await game.do(Undo())
    reply = await game.do(MindStorm(mage, 4, (int(rex),), (int(rex),), roll=True))
    assert "LD tests: Rex needs 6 or less, Mage needs 6 or less" in reply.lines
