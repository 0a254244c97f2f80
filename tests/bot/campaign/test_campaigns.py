"""Campaigns: agreed, joined, paired, led, ended; who may do what."""

from __future__ import annotations

import pytest

from bot.store.doctor import examine
from bot.store.row_types import CampaignRow, EntrantRow, FixtureRow, VeteranRow
from bot.table.campaign.administration import HouseRule
from bot.table.campaign.campaign_crews import Adjust, Bench, Buy, Dismiss, Equip, Lead, LeaveCampaign
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import ConfirmReport, OpenReport
from bot.table.campaign.campaign_views import (
    ListCampaigns,
    ShowCampaign,
    ShowEntrant,
    ShowLedger,
    ShowStandings,
)
from bot.table.campaign.campaigns import (
    AskEndCampaign,
    CampaignSetting,
    CreateCampaign,
    EndCampaign,
    JoinCampaign,
    Schedule,
    ShowSeed,
)
from bot.table.campaign.season import Organise
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import ShowCampaignDice
from bot.table.rosters.crews import CreateCrew
from rules.dice import commitment
from tests.bot.campaign.league import League
from tests.bot.tables import url_of

pytestmark = pytest.mark.both_databases

EVERYBODY = ("anna", "bo", "cy", "dee", "eve")


async def recorded(league: League, *results: tuple[str, str, int, int]) -> None:
    for who, crew, mine, theirs in results:
        await league.done(who, OpenReport(league.scope, 0, crew, mine, theirs))
        await league.done("anna", ConfirmReport(league.scope))


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (CreateCampaign(""), "at least one letter"),
        (CreateCampaign("Belt", "chess"), "no game"),
        (CreateCampaign("Belt", matching="alphabet"), "swiss, round robin"),
        (CreateCampaign("Belt", encounters=2), "3 to 10"),
        (CreateCampaign("Belt", encounters=11), "3 to 10"),
        (CreateCampaign("Belt", start=-1), "between 0 and 10000"),
        (CreateCampaign("Belt", limit=99_999), "between 0 and 10000"),
    ],
)
@pytest.mark.rule("CB-CAMP-01")
async def test_what_cannot_be_agreed_is_refused(league: League, action: CreateCampaign, why: str) -> None:
    assert why in await league.table.refused("anna", action)


async def test_a_crew_joins_once_and_only_its_player_brings_it(league: League) -> None:
    await league.begin("anna", "bo", start=200)
    assert "already" in await league.refused("anna", JoinCampaign(league.scope, league.crews["anna"]))
    assert "not your crew" in await league.refused("cy", JoinCampaign(league.scope, league.crews["anna"]))
    assert "You don't have a crew here yet." in await league.refused("cy", JoinCampaign(league.scope, 0))
    assert "That crew doesn't exist" in await league.refused("cy", JoinCampaign(league.scope, 77))
    empty = await league.table.done("cy", CreateCrew("Nobody"))
    assert "Add a model to Nobody" in await league.refused("cy", JoinCampaign(league.scope, empty.scope))
    other = await league.table.done("cy", CreateCrew("Others", "warzone"))
    assert "Warzone" in await league.refused("cy", JoinCampaign(league.scope, other.scope))
    assert "That campaign doesn't exist" in await league.table.refused("cy", JoinCampaign(0, empty.scope))


async def test_a_crew_that_is_too_large_joins_by_override_that_everybody_reads(league: League) -> None:
    await league.crew("anna")
    made = await league.table.done("anna", CreateCampaign("Rust Belt", start=100))
    league.scope = made.scope
    join = JoinCampaign(league.scope, league.crews["anna"])
    assert "crews can start with up to 100" in await league.refused("anna", join)
    done = await league.done("anna", join, reason="we said so")
    assert not done.reply.private
    assert "Override by anna: we said so" in done.reply.text


@pytest.mark.rule("CB-UNDER-01")
async def test_who_chose_a_small_crew_at_the_start_is_no_underdog(league: League) -> None:
    await league.begin("dee", "eve", start=250)
    sizes = {name: await _size(league, name) for name in ("Watch", "Loners")}
    assert sizes["Watch"] - sizes["Loners"] >= 25
    kept = (await league.entrant("Loners")).counters
    assert kept["requisition"] == 250 - sizes["Loners"]
    await league.done("dee", Schedule(league.scope))
    started = await league.table.done("dee", PlayFixture(league.scope))
    assert "Underdog" not in started.reply.text


@pytest.mark.rule("CB-UNDER-01")
async def test_points_kept_at_the_start_are_told_and_spent_later(league: League) -> None:
    await league.crew("eve")
    made = await league.table.done("eve", CreateCampaign("Rust Belt", start=250))
    league.scope = made.scope
    told = (await league.done("eve", JoinCampaign(league.scope, league.crews["eve"]))).reply.lines
    left = 250 - await _size(league, "Loners")
    assert f"You can still spend {left} of 250 points with /campaign buy." in told
    bought = await league.done("eve", Buy(league.scope, "", "Crew Bot"))
    cost = (await league.veteran("Crew Bot 2")).points
    assert f"{left - cost} requisition points left" in bought.reply.text


async def _size(league: League, crew: str) -> int:
    number = (await league.entrant(crew)).id
    return sum(row.points for row in (await league.book()).all(VeteranRow) if row.entrant == number)


@pytest.mark.rule("CB-CAMP-02")
async def test_a_round_robin_of_five_lets_everybody_meet_and_rest_once(league: League) -> None:
    await league.begin(*EVERYBODY, matching="round robin", encounters=5)
    await league.done("anna", Schedule(league.scope))
    fixtures = (await league.book()).all(FixtureRow)
    pairs = [frozenset((row.home, row.away)) for row in fixtures if row.away]
    assert len(pairs) == len(set(pairs)) == 10
    assert sorted(row.home for row in fixtures if not row.away) == [1, 2, 3, 4, 5]
    assert {row.status for row in fixtures if not row.away} == {"rest"}


@pytest.mark.rule("CB-CAMP-02")
async def test_a_round_robin_too_short_for_everybody_to_meet_is_refused(league: League) -> None:
    await league.begin(*EVERYBODY, matching="round robin", encounters=4)
    assert "encounters, but this campaign has" in await league.refused("anna", Schedule(league.scope))
    await league.done("anna", Schedule(league.scope), reason="the season ends")
    assert len({row.round for row in (await league.book()).all(FixtureRow)}) == 4


@pytest.mark.rule("CB-UNDER-02")
async def test_what_an_underdog_starts_with_is_asked_when_a_campaign_is_made(league: League) -> None:
    made = await league.table.done("anna", CreateCampaign("Rust Belt"))
    league.scope = made.scope
    labels = [button.label for button in made.reply.buttons]
    assert labels == [
        "Underdog starts with 10 battle points (as printed)",
        "Underdog starts with 1 battle point",
        "Undo",
    ]
    refused = await league.press("bo", made, "Underdog starts with 1 battle point")
    assert "Only the organiser" in refused.reply.text
    await league.press("anna", made, "Underdog starts with 1 battle point")
    shown = await league.do("bo", CampaignSetting(league.scope))
    assert "- Battle Points for an Underdog. It starts with 1 point." in shown.reply.lines


@pytest.mark.rule("CB-CAMP-02")
async def test_four_that_have_all_met_meet_again_in_the_order_of_the_first_round(league: League) -> None:
    await league.begin("anna", "bo", "cy", "dee", encounters=4)
    pairs = []
    for _ in range(4):
        await league.done("anna", Schedule(league.scope))
        book = await league.book()
        number = len(pairs) + 1
        fixtures = [row for row in book.all(FixtureRow) if row.round == number]
        pairs.append({frozenset((row.home, row.away)) for row in fixtures})
        for row in fixtures:
            home = next(one.name for one in await _entrants(league) if one.id == row.home)
            await recorded(league, ("anna", home, 5, 5))
    assert len(frozenset.union(*map(frozenset, pairs[:3]))) == 6
    assert pairs[3] == pairs[0]


@pytest.mark.rule("CB-CAMP-02")
@pytest.mark.rule("CB-CAMP-04")
async def test_swiss_pairs_neighbours_and_ties_are_broken_by_objectives_then_battle(league: League) -> None:
    await league.begin("anna", "bo", "cy", "dee")
    await league.done("anna", Schedule(league.scope))
    first = (await league.book()).all(FixtureRow)
    homes = {row.home: row.away for row in first}
    names = {row.id: row.name for row in (await _entrants(league))}
    for home in homes:
        await recorded(league, ("anna", names[home], 9, 1))
    await league.done("anna", Schedule(league.scope))
    second = [row for row in (await league.book()).all(FixtureRow) if row.round == 2]
    assert {frozenset((row.home, row.away)) for row in second} == {
        frozenset(homes),
        frozenset(homes.values()),
    }
    shown = await league.do("cy", ShowStandings(league.scope))
    assert shown.reply.private
    assert shown.reply.lines[1].startswith("1. ")
    assert shown.reply.lines[2].startswith("1. ")
    assert shown.reply.lines[3].startswith("3. ")
    leads = [
        await _leader_after(league, names[home], account)
        for home, account in zip(homes, ("battle points", "objective points"), strict=True)
    ]
    assert leads == [names[home] for home in homes]
    other = names[min(homes.values())]
    for account, amount in (("campaign points", 9), ("battle points", -1)):
        await league.done("anna", Adjust(league.scope, other, account, amount, "to see"))
    assert (await league.do("cy", ShowStandings(league.scope))).reply.lines[1].startswith(f"1. {other}")


async def _leader_after(league: League, crew: str, account: str) -> str:
    """Who leads once a crew has got 1 more of this."""
    await league.done("anna", Adjust(league.scope, crew, account, 1, "to see"))
    first = (await league.do("cy", ShowStandings(league.scope))).reply.lines[1]
    return next(row.name for row in await _entrants(league) if first.startswith(f"1. {row.name}"))


async def _entrants(league: League):  # type: ignore[no-untyped-def]
    from bot.store.row_types import EntrantRow

    return (await league.book()).all(EntrantRow)


async def test_rounds_are_the_organisers_and_wait_for_open_fixtures(league: League) -> None:
    await league.crew("anna")
    made = await league.table.done("anna", CreateCampaign("Rust Belt"))
    league.scope = made.scope
    await league.done("anna", JoinCampaign(league.scope, league.crews["anna"]))
    assert "two crews" in await league.refused("anna", Schedule(league.scope))
    await league.crew("bo")
    await league.done("bo", JoinCampaign(league.scope, league.crews["bo"]))
    assert "Only the organiser" in await league.refused("bo", Schedule(league.scope))
    await league.done("anna", Schedule(league.scope))
    assert "Play and report these games first" in await league.refused("anna", Schedule(league.scope))
    for _ in range(2):
        await recorded(league, ("bo", "Edo", 5, 5))
        await league.done("anna", Schedule(league.scope))
    await recorded(league, ("bo", "Edo", 5, 5))
    assert "are already paired" in await league.refused("anna", Schedule(league.scope))


async def test_the_end_is_asked_and_names_the_winner(two: League) -> None:
    assert "Only the organiser" in (await two.do("bo", AskEndCampaign(two.scope))).reply.text
    early = await two.do("anna", AskEndCampaign(two.scope))
    assert early.reply.lines[:3] == (
        "End Rust Belt now?",
        "Round 1 of 3, 0 fixtures played.",
        "Not played yet: Lancers - Edo"
        if "Lancers - Edo" in early.reply.text
        else "Not played yet: Edo - Lancers",
    )
    assert "without a winner" in early.reply.text
    assert (
        "Play and report these games first" in (await two.press("anna", early, "End the campaign")).reply.text
    )
    await recorded(two, ("bo", "Edo", 9, 1))
    asked = await two.do("anna", AskEndCampaign(two.scope))
    assert asked.reply.private
    assert not asked.changed
    assert "Result: Edo wins Rust Belt." in asked.reply.lines
    assert "Only the organiser" in (await two.press("bo", asked, "End the campaign")).reply.text
    done = await two.press("anna", asked, "End the campaign")
    assert done.reply.lines[0] == "Edo wins Rust Belt."
    assert "has ended" in await two.refused("anna", Schedule(two.scope))


async def test_the_end_is_undone_until_the_seed_that_was_promised_is_shown(two: League) -> None:
    assert "End Rust Belt first" in await two.refused("anna", ShowSeed(two.scope))
    await recorded(two, ("bo", "Edo", 9, 1))
    done = await two.done("anna", EndCampaign(two.scope))
    row = (await two.book()).get(CampaignRow)
    assert row is not None
    assert row.revealed_seed == ""
    assert row.status == "ended"
    await two.press("anna", done, "Undo")
    await two.done("anna", Schedule(two.scope))
    await recorded(two, ("bo", "Edo", 9, 1))
    await two.done("anna", EndCampaign(two.scope))
    assert "Only the organiser" in await two.refused("bo", ShowSeed(two.scope))
    asked = await two.do("anna", AskEndCampaign(two.scope))
    shown = await two.press("anna", asked, "Let everyone verify the dice")
    row = (await two.book()).get(CampaignRow)
    assert row is not None
    assert shown.reply.lines[0] == "Everyone can now verify Rust Belt's dice."
    told = (await two.do("bo", ShowCampaignDice(two.scope))).reply.lines
    assert (f"`{row.commitment}`", f"Seed: `{row.revealed_seed}`") == told[1:3]
    assert commitment(bytes.fromhex(row.revealed_seed)) == row.commitment
    assert (
        "You can't undo or redo this, because the seed of the campaign's dice has been shown"
        in await two.refused("anna", Undo(), scope=two.scope)
    )
    assert "verify" in await two.refused("anna", ShowSeed(two.scope))
    assert "verify" in await two.refused("anna", AskEndCampaign(two.scope))


@pytest.mark.rule("CB-CAMP-04")
async def test_equal_in_everything_they_share_the_win(two: League) -> None:
    await recorded(two, ("bo", "Edo", 5, 5))
    done = await two.done("anna", EndCampaign(two.scope))
    assert done.reply.lines[0] == "Lancers and Edo share the win in Rust Belt."


async def test_players_spend_their_own_points_and_nobody_elses(two: League) -> None:
    await recorded(two, ("bo", "Edo", 9, 1))
    assert "not yours" in await two.refused("anna", Buy(two.scope, "Edo", "Trapper"))
    assert "not yours" in await two.refused("cy", Buy(two.scope, "Edo", "Trapper"))
    assert "has only 90" in await two.refused("bo", Buy(two.scope, "Edo", "Strider", "", "Claw Pwr4"))
    bought = await two.done("bo", Buy(two.scope, "", "Trapper", "Old Claw"))
    assert "70 requisition points left" in bought.reply.text
    await two.done("bo", Equip(two.scope, "", "Old Claw", "Grenade"))
    old = await two.veteran("Old Claw")
    assert "grenade" in old.profile
    await two.done("bo", Dismiss(two.scope, "", "Old Claw"))
    assert (await two.veteran("Old Claw")).status == "dismissed"
    assert "can't lead, because only a Hero can" in await two.refused("bo", Lead(two.scope, "", "Trapper"))
    await two.done("bo", Lead(two.scope, "", "Spawnguard"))


async def test_only_fit_members_under_the_limit_are_fielded(league: League) -> None:
    await league.begin("anna", "bo", limit=150)
    await league.done("anna", Schedule(league.scope))
    assert "limit" in await league.refused("anna", PlayFixture(league.scope))
    await league.done("anna", Bench(league.scope, "", ("HOpR Bot",)))
    await league.done("bo", Bench(league.scope, "", ("Trapper",)))
    assert "Only the players" in await league.refused("cy", PlayFixture(league.scope, "Edo"))
    await league.table.done("bo", PlayFixture(league.scope))
    encounter = await league.table.encounter()
    assert {side.name: len(encounter.models(side.id)) for side in encounter.sides()} == {
        "Lancers": 3,
        "Edo": 4,
    }
    assert {seat.name for seat in encounter.seats()} == {"anna", "bo"}


async def test_undo_is_for_who_did_it_or_the_organiser(two: League) -> None:
    done = await two.done("bo", Bench(two.scope, "", ("Trapper",)))
    refused = await two.press("cy", done, "Undo")
    assert "Only bo or the organiser can undo that." in refused.reply.text
    undone = await two.press("anna", done, "Undo")
    assert undone.changed
    assert not (await two.veteran("Trapper")).benched


async def test_after_the_game_an_outsider_hears_whose_the_campaign_is(two: League) -> None:
    await two.report("anna", await two.played("anna"))
    refused = await two.table.refused("cy", Undo())
    assert "The last step in a campaign can be undone only by the player who took it" in refused


async def test_a_crew_that_leaves_plays_no_fixture(two: League) -> None:
    assert "not yours" in await two.refused("bo", LeaveCampaign(two.scope, "Lancers"))
    await two.done("bo", LeaveCampaign(two.scope))
    assert [one.status for one in (await two.book()).all(FixtureRow)] == ["rest"]


async def test_settings_hold_for_every_encounter(two: League) -> None:
    assert "Only the organiser" in await two.refused("bo", CampaignSetting(two.scope, "mighty from", "5"))
    assert "6, 5" in await two.refused("anna", CampaignSetting(two.scope, "mighty from", "9"))
    await two.done("anna", CampaignSetting(two.scope, "mighty from", "5"))
    await two.table.done("anna", PlayFixture(two.scope))
    assert (await two.table.encounter()).setting("mighty_from") == "5"


async def test_reading_is_private_and_changes_nothing(two: League) -> None:
    before = two.table.state()
    for action in (
        ListCampaigns(),
        ShowCampaign(two.scope),
        ShowEntrant(two.scope, "Edo"),
        ShowLedger(two.scope),
        ShowLedger(two.scope, "Edo", "status"),
        ShowStandings(two.scope),
        CampaignSetting(two.scope),
    ):
        answer = await two.table.do("cy", action)
        assert answer.reply.private
        assert not answer.changed
        assert max(len(line) for line in answer.reply.lines) < 100
    assert two.table.state() == before


async def test_another_server_sees_nothing(two: League) -> None:
    stranger = two.table.actor("zed", guild=901)
    assert "no longer" in (await two.table.do(stranger, ShowCampaign(two.scope))).reply.text


async def test_the_doctor_finds_nothing(two: League) -> None:
    await two.report("anna", await two.played("anna", ("Trapper", "fled", 0)))
    report = await examine(url_of(two.table.file))
    assert report.faults == ()


async def test_an_undo_button_takes_back_what_it_was_printed_for_and_nothing_later(two: League) -> None:
    first = await two.done("bo", Bench(two.scope, "", ("Trapper",)))
    later = await two.done("anna", Bench(two.scope, "", ("HOpR Bot",)))
    said = await two.press("anna", first, "Undo")
    assert not said.changed
    assert said.reply.lines[0].startswith("This button is too old")
    assert (await two.veteran("HOpR Bot")).benched
    assert (await two.press("anna", later, "Undo")).changed
    assert (await two.press("anna", later, "Undo")).reply.lines[
        0
    ] == "Nothing was changed, because that has already been undone."
    assert (await two.press("bo", first, "Undo")).changed, "it is the last one again"
    assert not (await two.veteran("Trapper")).benched


async def test_no_balance_falls_below_nothing_by_a_single_point(two: League) -> None:
    await two.done("anna", Adjust(two.scope, "Edo", "requisition", 7, "to test"))
    have = (await two.entrant("Edo")).counters["requisition"]
    said = await two.refused("anna", Adjust(two.scope, "Edo", "requisition", -have - 1, "too much"))
    assert f"has only {have} requisition points; this takes {have + 1}" in said
    await two.done("anna", Adjust(two.scope, "Edo", "requisition", -have, "all of it"))
    assert "requisition" not in (await two.entrant("Edo")).counters


async def test_a_balance_that_nobody_keeps_is_refused_with_those_that_there_are(two: League) -> None:
    """But for one that a house rule begins, which is kept from then on."""
    said = await two.refused("anna", Adjust(two.scope, "Edo", "requsition", 7, "a slip"))
    assert said.startswith("Choose one of these accounts: ")
    for kept in ("requisition", "campaign points", "salvage tokens", "injury: ..."):
        assert kept in said
    assert "requsition" not in (await two.entrant("Edo")).counters
    for account in ("salvage tokens", "injury: melee", "requisition owed"):
        await two.done("anna", Adjust(two.scope, "Edo", account, 1, "to test"))
    await two.done("anna", HouseRule(two.scope, "Who brings the terrain gets fame"))
    await two.refused("anna", Adjust(two.scope, "Edo", "fame", 1, "terrain"))
    await two.done("anna", Adjust(two.scope, "Edo", "fame", 1, "terrain", rule=1))
    await two.done("anna", Adjust(two.scope, "Edo", "fame", 1, "once more"))
    assert (await two.entrant("Edo")).counters["fame"] == 2


async def test_house_rules_are_shown_together_and_changed_or_removed_one_at_a_time(two: League) -> None:
    none = await two.do("bo", HouseRule(two.scope))
    assert none.reply.lines == ("Rust Belt has no house rules.",)
    await two.done("anna", CampaignSetting(two.scope, "late joiners", "welcome"))
    await two.done("anna", HouseRule(two.scope, "No proxies"))
    shown = (
        "House rule: Crews that join late. Late crews join without extra points.",
        "House rule 1: No proxies",
    )
    assert (await two.do("bo", HouseRule(two.scope))).reply.lines == shown
    assert (await two.do("anna", Organise(two.scope))).reply.lines[1:] == shown
    refused = await two.refused("anna", HouseRule(two.scope, "No proxies at all", 1, drop=True))
    assert refused == "Leave the text blank; you can't change a rule and remove it at once."
    assert (await two.done("anna", HouseRule(two.scope, "", 1, drop=True))).reply.lines == (
        "House rule 1 removed: No proxies",
    )


async def test_a_campaign_before_its_first_round_has_not_begun(league: League) -> None:
    await league.begin("anna", "bo")
    for action in (ShowStandings(league.scope), ShowCampaign(league.scope), Organise(league.scope)):
        assert "not begun yet" in (await league.do("anna", action)).reply.lines[0]


async def test_of_three_each_rests_once(league: League) -> None:
    await league.begin("anna", "bo", "cy")
    for _ in range(3):
        await league.done("anna", Schedule(league.scope))
        await recorded(league, ("anna", await _at_home(league), 9, 1))
    resting = [one.home for one in (await league.book()).all(FixtureRow) if not one.away]
    assert sorted(resting) == [1, 2, 3]


async def _at_home(league: League) -> str:
    """The name of a crew with an open fixture."""
    book = await league.book()
    meeting = next(one for one in book.all(FixtureRow) if one.status == "open")
    return next(one.name for one in book.all(EntrantRow) if one.id == meeting.home)
