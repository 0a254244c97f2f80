"""Who rallies whom: attempts, whose leadership is lent, how far, and whom a rally reaches."""

from __future__ import annotations

import pytest

from bot.games.warzone.morale_actions import LdTest
from bot.games.warzone.move_actions import Move
from bot.games.warzone.rally_actions import Rally
from bot.games.warzone.unit_actions import CheckCommandDistance
from bot.table.realdice import EnterFaces
from bot.table.session.encounters import NextStep
from bot.table.session.models import RemoveModel
from tests.bot.warzone.skirmish import RIFLE, Skirmish


@pytest.mark.rule("WZ-RALLY-01", "WZ-RALLY-02", "WZ-RALLY-03", "WZ-RALLY-05", "WZ-RALLY-06", "WZ-RALLY-07")
@pytest.mark.usefixtures("acting")
async def test_rallies_are_counted_and_lift_one_state(game: Skirmish) -> None:
    await game.add("Red", "Lead", "leader", RIFLE, squad="Pair", LD=12)
    await game.add("Red", "Man", squad="Pair")
    await game.add("Red", "Chief", "officer", RIFLE, LD=14)
    await game.under("Lead", "broken")
    await game.under("Man", "broken")
    await game.do(Move("Lead", bearing="away"))
    game.plays_on = False
    assert "isn't Panicked or Broken." in await game.refused(Rally("Chief", "Chief"))
    assert "isn't one." in await game.refused(Rally("Rex", "Pair"))
    assert "is outside Chief's command distance" in await game.refused(Rally("Chief", "Pair", distance=9))
    game.plays_on = True
    reply = await game.do(Rally("Lead", lender="Chief", lent_from=8, dire=1), 6, 8)
    assert "Rally (attempt 1): 7 or less (LD 12 -5)" in reply.lines
    assert {
        "-6 Broken with an enemy in sight WZ-BROKEN-04",
        "-1 Dire, level 1 WZ-RALLY-06",
        "+2 borrowed LD 14 WZ-RALLY-07",
    } <= set(reply.why)
    reply = await game.do(Rally("Chief", "Pair"), 11)
    assert "Rally (attempt 2): 11 or less (LD 14 -3)" in reply.lines
    assert reply.lines[:2] == ("Chief rallies Pair.", "2 models of Pair are Panicked.")
    reply = await game.do(Rally("Chief", "Pair"), 9)
    assert "Rally (attempt 3): 8 or less (LD 14 -6)" in reply.lines
    reply = await game.do(Rally("Chief", "Pair"), 8)
    assert "2 models of Pair are steady." in reply.lines


@pytest.mark.rule("WZ-RALLY-05")
@pytest.mark.usefixtures("acting")
async def test_a_new_turn_counts_attempts_anew(game: Skirmish) -> None:
    await game.add("Red", "Chief", "officer", RIFLE)
    await game.under("Rex", "panicked")
    await game.begin()
    await game.act("Chief")
    await game.do(Rally("Chief", "Rex"), 20)
    odds = await game.asks(Rally("Chief", "Rex", odds=True))
    assert odds.lines[0] == "Chief rallies Rex: 7 or less"
    await game.done()
    for unit, who in (("Bex", "bo"), ("Rex", "anna")):
        await game.act(unit, who)
        await game.done(who)
    await game.do(NextStep(), 20, 1)
    odds = await game.asks(Rally("Chief", "Rex", odds=True))
    assert odds.lines[0] == "Chief rallies Rex: 10 or less"


@pytest.mark.rule("WZ-RALLY-01")
@pytest.mark.usefixtures("acting")
async def test_an_unhinged_model_becomes_broken(game: Skirmish) -> None:
    await game.add("Red", "Chief", "officer", RIFLE)
    await game.under("Rex", "broken", "derangement")
    reply = await game.do(Rally("Chief", "Rex"), 1)
    assert "Rex is Broken." in reply.lines


async def pair(game: Skirmish, *, leader: int = 10) -> None:
    """Lead and Man, both Panicked; Chief, an officer of LD 13 on his own."""
    await game.add("Red", "Lead", "leader", RIFLE, squad="Pair", LD=leader)
    await game.add("Red", "Man", squad="Pair")
    await game.add("Red", "Chief", "officer", RIFLE, LD=13)
    await game.under("Lead", "panicked")
    await game.under("Man", "panicked")


@pytest.mark.rule("WZ-RALLY-07", "WZ-TEST-06")
@pytest.mark.usefixtures("acting")
async def test_an_officer_lends_his_leadership_to_8_inches(game: Skirmish) -> None:
    await pair(game)
    reply = await game.do(Rally("Lead", lender="Chief", lent_from=8, hidden=True), 13)
    assert "Rally (attempt 1): 13 or less (LD 10 +3)" in reply.lines
    assert "+3 borrowed LD 13 WZ-RALLY-07" in reply.why
    assert reply.lines[:2] == ("Lead rallies Pair.", "2 models of Pair are steady.")
    await game.under("Man", "panicked")
    too_far = Rally("Lead", lender="Chief", lent_from=8.5, hidden=True)
    refusal = await game.refused(too_far)
    assert "Lead is 8.5 in away from Chief, whose LD can be used only within 8 in." in refusal
    assert "WZ-RALLY-07" in refusal
    reply = await game.do(Rally("Lead", hidden=True), 8)
    assert "Rally (attempt 2): 7 or less (LD 10 -3)" in reply.lines, "his own 10"


@pytest.mark.rule("WZ-RALLY-07")
async def test_odds_refuse_a_lender_out_of_reach_too(game: Skirmish) -> None:
    await pair(game)
    odds = Rally("Lead", lender="Chief", lent_from=8, hidden=True, odds=True)
    assert (await game.asks(odds)).lines[0] == "Lead rallies Pair: 13 or less"
    assert "LD can be used only within 8 in" in await game.refused(
        Rally("Lead", lender="Chief", lent_from=9, hidden=True, odds=True)
    )


@pytest.mark.rule("WZ-RALLY-07")
@pytest.mark.usefixtures("acting")
async def test_only_who_may_lend_lends(game: Skirmish) -> None:
    await pair(game)
    assert "How far away is Chief?" in await game.refused(Rally("Lead", lender="Chief"))
    assert "Rex has no command distance" in await game.refused(Rally("Lead", lender="Rex", lent_from=0))
    assert "another side" in await game.refused(Rally("Lead", lender="Bex", lent_from=0))
    assert "can't lend LD to itself" in await game.refused(Rally("Lead", lender="Lead", lent_from=0))
    outside = Rally("Chief", "Pair", lender="Lead", lent_from=1)
    assert "Only Pair's own leader can use" in await game.refused(outside)
    await game.under("Chief", "unconscious")
    assert "unconscious" in await game.refused(Rally("Lead", lender="Chief", lent_from=1))
    await game.do(RemoveModel("Chief"))
    assert "Chief is out of play" in await game.refused(Rally("Lead", lender="Chief", lent_from=1))


@pytest.mark.rule("WZ-TEST-06")
async def test_borrowed_leadership_is_for_rallies_alone(game: Skirmish) -> None:
    await pair(game)
    assert (await game.asks(LdTest("Lead", hidden=True, odds=True))).lines[
        0
    ] == "LD test for Lead: 10 or less"


@pytest.mark.rule("WZ-CMD-04", "WZ-MORALE-02")
@pytest.mark.usefixtures("acting")
async def test_a_rally_does_not_reach_who_is_out_of_command(game: Skirmish) -> None:
    await pair(game)
    await game.do(CheckCommandDistance("Man", 6.5))
    reply = await game.do(Rally("Lead"), 7)
    assert reply.lines[:2] == ("Lead rallies Pair.", "Lead is steady.")
    assert (await game.model("Man")).panicked
    assert "Bring Man back into command first." in await game.refused(Rally("Lead"))
    await game.do(CheckCommandDistance("Man", 6))
    assert "Man is steady." in (await game.do(Rally("Lead"), 7)).lines


@pytest.mark.rule("WZ-BROKEN-02", "WZ-RALLY-01")
async def test_a_broken_leader_needs_nerve_to_rally(game: Skirmish) -> None:
    await game.add("Red", "Lead", "leader", RIFLE, AC=4)
    await game.under("Lead", "broken")
    await game.begin()
    await game.act("Lead")
    await game.do(Move("Lead", bearing="away"))
    asked = await game.table.do("anna", Rally("Lead", hidden=True))
    assert "Lead's nerve test against LD (10 or less)." in asked.reply.text
    rallies = await game.table.do("anna", EnterFaces((10,)))
    assert "Lead's rally attempt 1 against LD" in rallies.reply.text, "the second die is for the rally"
    told = (await game.table.do("anna", EnterFaces((11,)))).reply.lines
    assert told[:2] == ("Lead passes its nerve test.", "Lead fails to rally Lead.")
    at = told.index("Nerve test: 10 or less (LD 10)")
    assert told[at : at + 5] == (
        "Nerve test: 10 or less (LD 10)",
        "Leadership: 10 passed",
        "no enemy in sight",
        "Rally (attempt 1): 10 or less (LD 10)",
        "Rally: 11 failed",
    )
    assert (await game.model("Lead")).count("actions") == 2
    fled = await game.do(Rally("Lead", hidden=True), 11)
    assert fled.lines[0] == "Lead fails its nerve test and flees.", "no second die is thrown"
    assert (await game.model("Lead")).count("actions") == 1
