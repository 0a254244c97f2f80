"""Life as it is: who joins late, leaves and comes back, fixtures changed, games entered afterwards, results
corrected, house rules, organisers, a season put away and found."""

from __future__ import annotations

import pytest

from bot.actions import from_json
from bot.replies.fit import has_room
from bot.store.row_types import CampaignRow, FixtureRow, ProposalRow, ResultRow, VeteranRow
from bot.table.campaign.administration import (
    Archive,
    HandOverCampaign,
    HouseRule,
    PairByHand,
    Restore,
    SecondOrganiser,
    SwapFixtures,
)
from bot.table.campaign.campaign_crews import Adjust, Bench, Buy, LeaveCampaign
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import RecordFixture
from bot.table.campaign.campaign_views import ListCampaigns, ShowCampaign
from bot.table.campaign.campaigns import CampaignSetting, EndCampaign, JoinCampaign, Schedule
from bot.table.campaign.corrections import AskCorrection, CorrectResult
from bot.table.campaign.season import Season
from bot.table.journal.history import Undo
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from tests.bot.campaign.league import League


async def fixtures(league: League, number: int = 0) -> list[FixtureRow]:
    rows = (await league.book()).all(FixtureRow)
    return [one for one in rows if number in (0, one.round)]


async def recorded(league: League, crew: str, mine: int, theirs: int) -> None:
    report = await league.done("anna", RecordFixture(league.scope, 0, crew, mine, theirs))
    await league.press("anna", report, "Confirm")


NAMES = ("Lancers", "Edo", "Mekkus", "Watch")


# ------------------------------------------------------------------------------------ who comes and goes


async def test_who_joins_late_does_so_as_was_agreed(league: League) -> None:
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    await recorded(league, "Edo", 20, 3)
    await league.crew("cy")
    join = JoinCampaign(league.scope, league.crews["cy"])
    assert "let crews join late" in await league.refused("cy", join)
    await league.done("anna", CampaignSetting(league.scope, "late joiners", "average"))
    await league.done("cy", join)
    assert (await league.entrant("Mekkus")).counters == {"requisition": (200 + 30) // 2}
    cause = [row.cause for row in await league.ledger()][-1]
    assert "house rule: late joiners" in cause
    await league.done("anna", Schedule(league.scope))
    assert len(await fixtures(league, 2)) == 2


async def test_who_leaves_comes_back_as_he_left(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    before = await two.entrant("Edo")
    await two.done("bo", LeaveCampaign(two.scope))
    assert "not your crew" in await two.refused("cy", JoinCampaign(two.scope, two.crews["bo"]))
    await two.done("bo", JoinCampaign(two.scope, two.crews["bo"]))
    after = await two.entrant("Edo")
    assert (after.id, after.status, after.counters) == (before.id, "in", before.counters)
    assert len([row for row in await two.ledger() if row.cause == "came back"]) == 1


async def test_who_has_left_rests_in_no_round_that_is_still_to_be_played(league: League) -> None:
    """Of three in a league each rests once; whoever rests first keeps that, the others rest no more."""
    await league.begin("anna", "bo", "cy", matching="round robin", encounters=3)
    await league.done("anna", Schedule(league.scope))
    crews = {(await league.entrant(name)).id: name for name in NAMES[:3]}
    rests = {one.round: crews[one.home] for one in await fixtures(league) if one.status == "rest"}
    assert sorted(rests) == [1, 2, 3]
    for fixture in await fixtures(league, 1):
        if fixture.away:
            await recorded(league, f"#{fixture.id}", 5, 2)
    gone = rests[3]
    owner = {"Lancers": "anna", "Edo": "bo", "Mekkus": "cy"}[gone]
    left = await league.done(owner, LeaveCampaign(league.scope))
    resting = [(one.round, crews[one.home]) for one in await fixtures(league) if one.status == "rest"]
    assert (1, rests[1]) in resting
    assert gone not in [name for number, name in resting if number > 1]
    assert f"{gone} has no opponent" not in (await league.do("anna", ShowCampaign(league.scope))).reply.text
    back = await league.done(owner, JoinCampaign(league.scope, league.crews[owner]))
    assert "/organise pair" in back.reply.text, "its games are not those that they were"
    await league.done(owner, Undo(), scope=league.scope)
    await league.press("anna", left, "Undo", reason="by mistake")
    again = {one.round: crews[one.home] for one in await fixtures(league) if one.status == "rest"}
    assert again == rests
    resting = {"Lancers": "anna", "Edo": "bo", "Mekkus": "cy"}[rests[2]]
    await league.done(resting, LeaveCampaign(league.scope))
    now = [crews[one.home] for one in await fixtures(league, 2) if one.status == "rest"]
    assert rests[2] not in now, "nor in the one that is being played"


# ------------------------------------------------------------------------------------ fixtures


async def test_two_crews_change_places(league: League) -> None:
    await league.begin("anna", "bo", "cy", "dee")
    await league.done("anna", Schedule(league.scope))
    first, second = await fixtures(league, 1)
    names = {(await league.entrant(name)).id: name for name in NAMES}
    assert "Only the organiser" in await league.refused(
        "bo", SwapFixtures(league.scope, names[first.home], names[second.home])
    )
    assert "these two play each other in round" in await league.refused(
        "anna", SwapFixtures(league.scope, names[first.home], names[first.away])
    )
    assert "Use /campaign schedule to pair round 2" in await league.refused(
        "anna", SwapFixtures(league.scope, names[first.home], names[second.home], 2)
    )
    await league.done("anna", SwapFixtures(league.scope, names[first.home], names[second.home]))
    now = await fixtures(league, 1)
    assert {(one.home, one.away) for one in now} == {(second.home, first.away), (first.home, second.away)}
    await league.table.done("anna", PlayFixture(league.scope, "Lancers"))
    mine = next(one for one in now if "Lancers" in (names[one.home], names[one.away]))
    other = next(one for one in now if one.id != mine.id)
    assert "has already been started" in await league.refused(
        "anna", SwapFixtures(league.scope, "Lancers", names[other.home])
    )


async def test_a_fixture_is_added_for_who_rests(league: League) -> None:
    await league.begin("anna", "bo", "cy")
    await league.done("anna", Schedule(league.scope))
    rests = next(one for one in await fixtures(league, 1) if one.status == "rest")
    played = next(one for one in await fixtures(league, 1) if one.status == "open")
    names = {(await league.entrant(name)).id: name for name in NAMES[:3]}
    assert "first, or choose another round" in await league.refused(
        "anna", PairByHand(league.scope, names[rests.home], names[played.home])
    )
    await recorded(league, names[played.home], 5, 2)
    await league.done("anna", PairByHand(league.scope, names[rests.home], names[played.home]))
    last = (await fixtures(league, 1))[-1]
    assert (last.home, last.away, last.status) == (rests.home, played.home, "open")
    assert all(one.status != "rest" for one in await fixtures(league, 1))


async def test_rounds_that_are_paired_already_are_played_and_changed_one_by_one(league: League) -> None:
    """Of a round robin all fixtures are open from the start: who comes late gets the rests of them."""
    await league.begin("anna", "bo", "cy", matching="round robin", encounters=3)
    await league.crew("dee")
    await league.done("anna", Schedule(league.scope))
    await league.done("anna", CampaignSetting(league.scope, "late joiners", "welcome"))
    late = await league.done("dee", JoinCampaign(league.scope, league.crews["dee"]))
    assert "/organise pair" in late.reply.text
    assert "round 1 of 3" in (await league.do("dee", Season(league.scope))).reply.text
    names = {(await league.entrant(name)).id: name for name in NAMES}
    rests = {one.round: names[one.home] for one in await fixtures(league) if one.status == "rest"}
    assert sorted(rests) == [1, 2, 3]
    for number, name in sorted(rests.items(), reverse=True):
        done = await league.done("anna", PairByHand(league.scope, "Watch", name))
        assert done.reply.lines[0].startswith(f"Added to round {number}: Watch - {name}.")
    assert all(one.status == "open" for one in await fixtures(league))
    refused = await league.refused("anna", PairByHand(league.scope, "Watch", rests[1]))
    assert "first, or choose another round" in refused
    assert "Choose a round from 1 to 3; there are no more rounds." in await league.refused(
        "anna", PairByHand(league.scope, "Edo", "Watch", 4)
    )

    second = await fixtures(league, 2)
    ours, others = (
        next(one for one in second if (names[one.home] == "Watch") == watch) for watch in (True, False)
    )
    swap = SwapFixtures(league.scope, names[ours.away], names[others.home], 2)
    assert (await league.done("anna", swap)).reply.lines[0].startswith("Round 2 after the swap: ")
    now = {one.id: {one.home, one.away} for one in await fixtures(league, 2)}
    assert now == {ours.id: {ours.home, others.home}, others.id: {ours.away, others.away}}
    for fixture in await fixtures(league, 1):
        await recorded(league, f"#{fixture.id}", 5, 2)
    assert "round 2 of 3" in (await league.do("dee", Season(league.scope))).reply.text


# ------------------------------------------------------------------------------------ entered afterwards


async def test_a_game_that_the_bot_has_not_seen_is_entered_with_its_casualties(two: League) -> None:
    record = RecordFixture(two.scope, 0, "Edo", 9, 4, ("Trapper", "GDF Ranger"))
    report = await two.done("bo", record)
    assert "Trapper: " in report.reply.text
    assert "GDF Ranger: " in report.reply.text
    loaded = await two.book()
    fates = [row for row in loaded.all(ProposalRow) if row.kind == "fate"]
    assert len(fates) == 2
    assert all("rolled " in row.reason for row in fates)


async def test_of_two_members_that_are_called_alike_each_can_be_said(two: League) -> None:
    """Their crew's name stands behind; where there is but one of the name nothing does."""
    await two.done("anna", Adjust(two.scope, "Lancers", "requisition", 100, "to test"))
    await two.done("anna", Buy(two.scope, "", "Trapper"))
    refused = await two.refused("bo", RecordFixture(two.scope, 0, "Edo", 9, 4, ("Trapper",)))
    assert "Trapper (Lancers)" in refused
    await two.done("bo", RecordFixture(two.scope, 0, "Edo", 9, 4, ("Trapper (Lancers)", "GDF Ranger")))
    book = await two.book()
    lost = {row.entrant for row in book.all(ProposalRow) if row.kind == "fate"}
    assert lost == {(await two.entrant("Lancers")).id}


async def test_who_misses_the_next_game_is_not_counted_as_fielded(two: League) -> None:
    """Four play for the Lancers; one is Out of Action, another sits out."""
    await two.done("anna", Adjust(two.scope, "Lancers", "encounters out", 1, "to test", "GDF Ranger"))
    told = await two.done("anna", Bench(two.scope, "", ("HOpR Bot",)))
    members = [await two.veteran(name) for name in ("Sally Starfield", "Skip Westmoreland")]
    assert told.reply.lines[1] == f"Members who play: 2 ({sum(one.points for one in members)} points)."


@pytest.mark.parametrize("crew", ["Lancers", "Edo"])
async def test_points_are_those_of_the_crew_that_was_named_also_where_it_is_asked_again(
    two: League, crew: str
) -> None:
    await two.done("bo", RecordFixture(two.scope, 0, crew, 9, 4))
    kept = (await two.table.desk.store.all_entries(two.scope))[-1]
    mine = (await two.entrant(crew)).id
    first = {row.entrant: row.points for row in (await two.book()).all(ResultRow)}
    await two.done("bo", Undo(), scope=two.scope)
    await two.done("bo", from_json(kept.command, kept.input))
    again = {row.entrant: row.points for row in (await two.book()).all(ResultRow)}
    assert first == again
    assert first[mine] == 9


# ------------------------------------------------------------------------------------ corrected


async def three_rounds(league: League) -> None:
    """Edo beats the Lancers in round 1 and 2; round 3 is paired."""
    await league.begin("anna", "bo")
    for mine, theirs in ((20, 3), (10, 9)):
        await league.done("anna", Schedule(league.scope))
        await recorded(league, "Edo", mine, theirs)
    await league.done("anna", Schedule(league.scope))


async def test_a_result_is_corrected_rounds_later(league: League) -> None:
    """Rules: CB-CAMP-03: a mighty victory 3, a victory 2, a draw 1; CB-CAMP-05: 10 points for each."""
    await three_rounds(league)
    before = {name: dict((await league.entrant(name)).counters) for name in ("Lancers", "Edo")}
    asked = CorrectResult(league.scope, "Edo", 1, 3, 20, "typed the wrong way round")
    assert "Only the organiser" in await league.refused("bo", asked)
    shown = await league.do("anna", AskCorrection(league.scope, "Edo", 1, 3, 20, "typed the wrong way round"))
    assert shown.reply.private
    assert not shown.changed
    done = await league.press("anna", shown, "Correct the result")
    after = {name: dict((await league.entrant(name)).counters) for name in ("Lancers", "Edo")}
    assert after["Lancers"]["requisition"] - before["Lancers"]["requisition"] == 170
    assert before["Edo"]["requisition"] - after["Edo"]["requisition"] == 170
    assert after["Lancers"]["battle points"] - before["Lancers"]["battle points"] == 17
    assert after["Lancers"]["campaign points"] - before["Lancers"].get("campaign points", 0) == 3
    assert before["Edo"]["campaign points"] - after["Edo"].get("campaign points", 0) == 3
    text = " ".join(done.reply.text.split())
    assert "typed the wrong way round" in text
    assert "requisition: 130 (was 300)" in text
    assert "don't change. You can swap opponents with /organise swap" in text
    rows = {row.entrant: row for row in (await league.book()).all(ResultRow) if row.fixture == 1}
    assert sorted(row.points for row in rows.values()) == [3, 20]
    causes = {row.cause for row in await league.ledger() if row.cause.startswith("correction")}
    assert causes == {"correction of round 1: typed the wrong way round"}
    await league.done("anna", Undo(), scope=league.scope)
    assert {name: dict((await league.entrant(name)).counters) for name in before} == before


async def test_a_reason_too_long_for_a_button_is_asked_for_once_more(league: League) -> None:
    """No correction is out of reach: what is pressed opens a form that has all the rest."""
    await three_rounds(league)
    for reason, asks in (("short", False), ("x" * 80, True)):
        shown = await league.do("anna", AskCorrection(league.scope, "Edo", 1, 3, 20, reason))
        (button,) = shown.reply.buttons
        assert has_room(button)
        assert button.asks is asks
        assert isinstance(button.action, CorrectResult)
        assert (button.action.number, button.action.home, button.action.away) == (1, 3, 20)
        act = await league.table.desk.look(league.table.actor("anna"), button.action)
        assert act is not None
        form = build_form(Looking(act.book, act.actor), button.action, act.extra)
        assert form.title
        left = [one.name for one in form.controls if not one.said and one.name != "rest."]
        assert left == (["reason"] if asks else [])


async def test_what_was_spent_already_is_owed_and_said(league: League) -> None:
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    await recorded(league, "Edo", 7, 3)
    await league.done("bo", Buy(league.scope, "", "Spawnguard"))
    left = (await league.entrant("Edo")).counters["requisition"]
    done = await league.done("anna", CorrectResult(league.scope, "Edo", 1, 0, 3, "misread"))
    edo = (await league.entrant("Edo")).counters
    assert "requisition" not in edo
    assert edo["requisition owed"] == 70 - left
    text = " ".join(done.reply.text.split())
    assert f"owes {70 - left}" in text
    assert "Edo is now in 2nd place (was 1st)" in text
    assert "Lancers is now in 1st place (was 2nd)" in text


async def test_what_is_owed_is_paid_first_from_what_comes_in(league: League) -> None:
    await league.begin("anna", "bo", encounters=3)
    await league.done("anna", Schedule(league.scope))
    await recorded(league, "Edo", 7, 3)
    await league.done("bo", Buy(league.scope, "", "Spawnguard"))
    left = (await league.entrant("Edo")).counters["requisition"]
    await league.done("anna", CorrectResult(league.scope, "Edo", 1, 0, 3, "misread"))
    owed = 70 - left
    asked = await league.do("anna", AskCorrection(league.scope, "Edo", 1, 7, 3, "it was right"))
    assert f"requisition: {left} (was 0; pays back {owed})" in " ".join(asked.reply.text.split())
    await league.done("anna", CorrectResult(league.scope, "Edo", 1, 7, 3, "it was right"))
    edo = (await league.entrant("Edo")).counters
    assert (edo["requisition"], edo.get("requisition owed", 0)) == (left, 0), "as before both corrections"

    await league.done("anna", CorrectResult(league.scope, "Edo", 1, 0, 3, "misread after all"))
    await league.done("anna", Schedule(league.scope))
    report = await league.done("anna", RecordFixture(league.scope, 0, "Edo", 3, 3))
    done = await league.press("anna", report, "Confirm")
    assert f"Edo pays back {min(30, owed)} requisition point" in " ".join(done.reply.text.split())
    edo = (await league.entrant("Edo")).counters
    assert edo.get("requisition", 0) - edo.get("requisition owed", 0) == 30 - owed
    assert not (edo.get("requisition") and edo.get("requisition owed"))
    rows = [one for one in await league.ledger() if one.cause == "owed since a correction"]
    assert {one.account for one in rows} == {"requisition", "requisition owed"}


# ------------------------------------------------------------------------------------ house rules, organisers


async def test_house_rules_are_cited_by_the_ledger(two: League) -> None:
    await two.done("anna", CampaignSetting(two.scope, "pay each game", "5"))
    await two.done("anna", HouseRule(two.scope, "Who brings the terrain gets 2 points"))
    assert ". /organise house shows all rules" in await two.refused(
        "anna", Adjust(two.scope, "Edo", "requisition", 2, "hills", "", 2)
    )
    await two.done("anna", Adjust(two.scope, "Edo", "requisition", 2, "hills", "", 1))
    await recorded(two, "Edo", 20, 3)
    causes = [row.cause for row in await two.ledger() if row.account == "requisition"]
    assert "by house rule 1: hills" in causes
    assert causes.count("round 1, house rule: each game pays 5") == 2
    assert (await two.entrant("Edo")).counters["requisition"] == 2 + 200 + 5
    shown = (await two.do("cy", ShowCampaign(two.scope))).reply.text
    assert "House rule 1: Who brings the terrain gets 2 points" in shown


async def test_two_organise_and_one_hands_over(two: League) -> None:
    cy, dee = two.table.actor("cy").user_id, two.table.actor("dee").user_id
    await two.done("anna", SecondOrganiser(two.scope, cy))
    await two.done("cy", Adjust(two.scope, "Edo", "requisition", 2, "to test"))
    await two.done("cy", HandOverCampaign(two.scope, dee))
    assert "Only the organiser" in await two.refused("anna", Schedule(two.scope))
    row = (await two.book()).get(CampaignRow)
    assert row is not None
    assert (row.organiser_id, row.second_id) == (dee, cy)
    assert "hand over the role" in await two.refused("cy", HandOverCampaign(two.scope, cy)), "not to himself"
    assert "Only the organiser" in await two.refused("bo", HandOverCampaign(two.scope, two.table.ids["bo"]))
    assert "Choose someone other" in await two.refused("dee", HandOverCampaign(two.scope, dee))
    await two.done("dee", SecondOrganiser(two.scope, 0))
    assert "Only the organiser" in await two.refused("cy", Adjust(two.scope, "Edo", "requisition", 2, "x"))


async def test_a_campaign_is_put_away_and_found(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    await two.done("anna", Archive(two.scope))
    assert "Use /organise restore first" in await two.refused("anna", Schedule(two.scope))
    assert "Rust Belt (archived)" in (await two.do("bo", ListCampaigns())).reply.text
    assert "Edo 3" in (await two.do("bo", Season(two.scope))).reply.text
    assert "Only the organiser" in await two.refused("bo", Restore(two.scope))
    await two.done("anna", Restore(two.scope))
    await two.done("anna", Schedule(two.scope))
    await recorded(two, "Edo", 5, 5)
    await two.done("anna", EndCampaign(two.scope))


async def test_an_underdog_of_a_later_game_is_named_where_a_correction_makes_it_another(
    league: League,
) -> None:
    """Rules: CB-UNDER-01: points not spent count as fielded: with 100 more the Loners are no Underdog.

    They were it in round 1 too, with 10 Battle Points more than was typed; 10 points for each (CB-CAMP-05).
    """
    await league.begin("anna", "eve")
    await league.done("anna", Schedule(league.scope))
    await recorded(league, "Loners", 0, 20)
    await league.done("anna", Adjust(league.scope, "Loners", "requisition", -50, "a fine"))
    await league.done("anna", Schedule(league.scope))
    await recorded(league, "Loners", 4, 4)
    loners = (await league.entrant("Loners")).id
    members = (await league.book()).all(VeteranRow)
    sizes = [sum(one.points for one in members if (one.entrant == loners) is ours) for ours in (True, False)]
    less = sizes[1] - sizes[0] - 50
    assert 50 < less < 75
    before = [dict(one.facts) for one in (await league.book()).all(ResultRow)]
    same = await league.done("anna", CorrectResult(league.scope, "Loners", 1, 1, 20, "one more"))
    assert "points behind" not in same.reply.text, "no later game hangs on it"
    assert "including 10 battle points as the Underdog" in " ".join(same.reply.text.split())
    total = CorrectResult(league.scope, "Loners", 1, 1, 20, "again")
    assert "The result is already 1 to 20." in await league.refused("anna", total)
    await league.done("anna", Undo(), scope=league.scope)
    done = await league.done("anna", CorrectResult(league.scope, "Loners", 1, 10, 20, "ten more"))
    text = " ".join(done.reply.text.split())
    assert "Loners wasn't behind after all." in text
    assert "Its Underdog bonus should be nothing, not 10 battle points" in text
    after = [dict(one.facts) for one in (await league.book()).all(ResultRow)]
    assert after[2:] == before[2:], "people decide"


async def test_what_was_counted_from_an_old_purse_is_named(league: League) -> None:
    """A late joiner's share, and a game that runs."""
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    await recorded(league, "Edo", 20, 3)
    await league.crew("cy")
    await league.done("anna", CampaignSetting(league.scope, "late joiners", "average"))
    await league.done("cy", JoinCampaign(league.scope, league.crews["cy"]))
    await league.done("anna", Schedule(league.scope))
    playing = next(one for one in await fixtures(league, 2) if one.away)
    await league.table.done("anna", PlayFixture(league.scope, f"#{playing.id}"))
    done = await league.done("anna", CorrectResult(league.scope, "Edo", 1, 3, 20, "the wrong way round"))
    text = " ".join(done.reply.text.split())
    assert "Mekkus keeps the 115 requisition points it got when it joined late" in text
    assert "began with the old requisition points and still uses them" in text


async def test_who_handed_over_does_not_take_it_back_and_a_second_takes_back_what_a_first_may(
    two: League,
) -> None:
    bo, cy = two.table.actor("bo").user_id, two.table.actor("cy").user_id
    given = await two.done("anna", HandOverCampaign(two.scope, bo))
    said = await two.press("anna", given, "Undo")
    assert not said.changed
    assert said.reply.lines[0] == "Ask the organiser to undo that; you no longer organise this campaign."
    await two.done("bo", SecondOrganiser(two.scope, cy))
    await two.done("anna", Bench(two.scope, "Lancers", ("HOpR Bot",)))
    assert (await two.done("cy", Undo(), scope=two.scope)).changed
    dropped = await two.done("cy", SecondOrganiser(two.scope, 0))
    assert not (await two.press("cy", dropped, "Undo")).changed
    assert (await two.press("bo", dropped, "Undo")).changed
