"""Who rallies whom: whose leadership is lent, how far, and whom a rally reaches."""

from __future__ import annotations

import pytest

from bot.games.warzone.nerves.nerve_play import LdTest
from bot.games.warzone.nerves.rally_play import Rally
from bot.games.warzone.turn.command_play import InCommand
from bot.table.session.models import RemoveModel
from tests.bot.warzone.skirmish import RIFLE, Skirmish


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
    assert "Rally, attempt 1: 13 or less (LD 10 +3)" in reply.lines
    assert "+3 borrowed LD 13 WZ-RALLY-07" in reply.why
    assert reply.lines[:2] == ("Lead rallies Pair.", "Pair: 2 models steady.")
    await game.under("Man", "panicked")
    too_far = Rally("Lead", lender="Chief", lent_from=8.5, hidden=True)
    refusal = await game.refused(too_far)
    assert "Lead stands 8.5 in from Chief, who lends to 8 in." in refusal
    assert "WZ-RALLY-07" in refusal
    reply = await game.do(Rally("Lead", hidden=True), 8)
    assert "Rally, attempt 2: 7 or less (LD 10 -3)" in reply.lines, "his own 10"


@pytest.mark.rule("WZ-RALLY-07")
async def test_odds_refuse_a_lender_out_of_reach_too(game: Skirmish) -> None:
    await pair(game)
    odds = Rally("Lead", lender="Chief", lent_from=8, hidden=True, odds=True)
    assert (await game.asks(odds)).lines[0] == "Lead rallies Pair: 13 or less"
    assert "lends to 8 in" in await game.refused(
        Rally("Lead", lender="Chief", lent_from=9, hidden=True, odds=True)
    )


@pytest.mark.rule("WZ-RALLY-07")
@pytest.mark.usefixtures("acting")
async def test_only_who_may_lend_lends(game: Skirmish) -> None:
    await pair(game)
    assert "How far is Lead from Chief?" in await game.refused(Rally("Lead", lender="Chief"))
    assert "Rex has no command distance" in await game.refused(Rally("Lead", lender="Rex", lent_from=0))
    assert "another side" in await game.refused(Rally("Lead", lender="Bex", lent_from=0))
    assert "somebody else" in await game.refused(Rally("Lead", lender="Lead", lent_from=0))
    outside = Rally("Chief", "Pair", lender="Lead", lent_from=1)
    assert "Only Pair's own leader borrows" in await game.refused(outside)
    await game.under("Chief", "unconscious")
    assert "unconscious" in await game.refused(Rally("Lead", lender="Chief", lent_from=1))
    await game.do(RemoveModel("Chief"))
    assert "Chief is out of play" in await game.refused(Rally("Lead", lender="Chief", lent_from=1))


@pytest.mark.rule("WZ-TEST-06")
async def test_borrowed_leadership_is_for_rallies_alone(game: Skirmish) -> None:
    await pair(game)
    assert (await game.asks(LdTest("Lead", hidden=True, odds=True))).lines[0] == "LD test of Lead: 10 or less"


@pytest.mark.rule("WZ-CMD-04", "WZ-MORALE-02")
@pytest.mark.usefixtures("acting")
async def test_a_rally_does_not_reach_who_is_out_of_command(game: Skirmish) -> None:
    await pair(game)
    await game.do(InCommand("Man", 6.5))
    reply = await game.do(Rally("Lead"), 7)
    assert reply.lines[:2] == ("Lead rallies Pair.", "Lead is steady.")
    assert (await game.model("Man")).panicked
    assert "does not reach who is out of command: Man." in await game.refused(Rally("Lead"))
    await game.do(InCommand("Man", 6))
    assert "Man is steady." in (await game.do(Rally("Lead"), 7)).lines
