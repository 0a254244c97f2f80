"""Was that luck, over the finished games of a campaign."""

from __future__ import annotations

import pytest

from bot.games.counterblast.core.checks import Check
from bot.table.campaign import campaign_luck
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_luck import CampaignLuck
from bot.table.campaign.campaigns import Schedule
from bot.table.luck import luck_actions
from bot.table.luck.luck_actions import ShowLuck
from bot.table.session.encounters import EndEncounter, NextStep
from tests.bot.campaign.league import League
from tests.bot.columns import too_wide


async def game(league: League, checks: int) -> None:
    """A game in which both roll so many checks."""
    await league.table.done("anna", PlayFixture(league.scope))
    await league.table.done("anna", NextStep())
    for _ in range(checks):
        await league.table.done("anna", Check("Skip", "STR"))
        await league.table.done("bo", Check("Trapper", "STR"))
    await league.table.done("anna", EndEncounter())


async def test_each_crew_has_the_luck_of_all_its_games(two: League) -> None:
    await game(two, 4)
    reply = (await two.table.do("anna", CampaignLuck(two.scope))).reply
    assert reply.private
    assert reply.lines[0] == "Luck in Rust Belt over 1 game"
    assert [line.split(":")[0] for line in reply.lines if ", 4 rolls:" in line] == [
        "Lancers, 4 rolls",
        "Edo, 4 rolls",
    ]
    assert "There are too few rolls for a clear answer." in reply.lines
    assert not too_wide(reply, "counterblast")
    assert "Lancers" in reply.files[0].words


async def test_people_with_numbers_of_discord_have_the_luck_of_their_games(league: League) -> None:
    """What is written has pseudonyms for them; a game that is played again knows people by others still."""
    league.table.ids.update(bo=200_000_000_000_000_003, anna=200_000_000_000_000_007)
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    await game(league, 4)
    reply = (await league.table.do("anna", CampaignLuck(league.scope))).reply
    crews = [line for line in reply.lines if ", 4 rolls:" in line]
    assert [line.split(",")[0] for line in crews] == ["Lancers", "Edo"]
    alone = (await league.table.do("anna", ShowLuck())).reply
    assert sorted(line for line in alone.lines if ", 4 rolls:" in line) == sorted(crews)


async def test_games_without_rolls_are_not_asked_for_again(two: League) -> None:
    await game(two, 0)
    reply = (await two.table.do("anna", CampaignLuck(two.scope))).reply
    assert reply.private
    assert reply.lines == ("There are no public rolls to judge luck by in 1 finished game of Rust Belt.",)


async def test_a_game_that_runs_does_not_count(two: League) -> None:
    await two.table.done("anna", PlayFixture(two.scope))
    assert "first; there is no luck to show yet" in await two.refused("anna", CampaignLuck(two.scope))


async def test_more_games_than_can_be_played_again_at_once_are_counted_when_it_is_asked_again(
    two: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_luck, "MAX_AT_ONCE", 0)
    await game(two, 3)
    assert "first; there is no luck to show yet" in await two.refused("anna", CampaignLuck(two.scope))
    monkeypatch.setattr(campaign_luck, "MAX_AT_ONCE", 1)
    first = (await two.table.do("anna", CampaignLuck(two.scope))).reply
    monkeypatch.setattr(campaign_luck, "MAX_AT_ONCE", 0)
    assert (await two.table.do("anna", CampaignLuck(two.scope))).reply.lines == first.lines
    luck_actions._cached_games.clear()
