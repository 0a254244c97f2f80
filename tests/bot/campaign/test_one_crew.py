"""A crew in a campaign is one crew: what is kept is what is shown, printed, written down and fielded."""

from __future__ import annotations

from bot.games.counterblast.campaign.spoils import Improve
from bot.games.counterblast.state.models import fighter, read_block
from bot.store.row_types import VeteranRow
from bot.store.rows import MemberRow
from bot.table.bringing.list_export import ExportCrew
from bot.table.campaign.campaign_crews import Adjust, Bench, Buy, Dismiss, Equip, LeaveCampaign
from bot.table.campaign.campaign_report import RecordFixture
from bot.table.campaign.campaigns import CreateCampaign, EndCampaign, JoinCampaign
from bot.table.rosters.crews import BringHome, DisbandCrew, RecruitMember, ShowCrew
from bot.table.rosters.muster import SetTrait
from bot.table.rosters.printing import PrintCrew
from bot.table.session.encounters import StartEncounter
from bot.table.session.joining import JoinEncounter
from tests.bot.campaign.league import League


async def after_a_game(two: League) -> None:
    """Round 1 is reported; then Edo's Trapper is improved, armed and hurt, and somebody is bought."""
    recorded = await two.done("bo", RecordFixture(two.scope, fixture="Edo", home=20, away=3))
    await two.press("anna", recorded, "Confirm")
    await two.done("anna", Adjust(two.scope, "Edo", "upgrade points", 9, "to test", "Trapper"))
    await two.done("bo", Improve(two.scope, "", "Trapper", "life"))
    await two.done("bo", Equip(two.scope, "", "Trapper", "Med Gel"))
    await two.done("anna", Adjust(two.scope, "Edo", "injury: agility", 1, "to test", "Trapper"))
    await two.done("bo", Buy(two.scope, "", "Trapper", "Newcomer"))


async def test_what_is_shown_is_the_crew_as_it_stands(two: League) -> None:
    await after_a_game(two)
    shown = (await two.do("bo", ShowCrew(two.crews["bo"]))).reply.text
    assert "6 members" in shown
    assert "The crew in Rust Belt, as it is now" in shown
    assert "Newcomer" in shown
    trapper = next(line for line in shown.splitlines() if "Trapper" in line)
    assert "-1 agility" in trapper


async def test_what_it_was_at_an_earlier_game_is_one_question_away(two: League) -> None:
    await after_a_game(two)
    was = (await two.do("bo", ShowCrew(two.crews["bo"], 1))).reply.text
    assert "as it was before round 1 (" in was
    assert "5 members, 166 points" in was
    assert "Newcomer" not in was
    assert "agility" not in was
    joined = (await two.do("bo", ShowCrew(two.crews["bo"], 0))).reply.text
    assert "when it joined" in joined
    assert "has no reported game in round 2" in (await two.do("bo", ShowCrew(two.crews["bo"], 2))).reply.text


async def test_it_is_written_down_and_printed_as_it_stands(two: League) -> None:
    await after_a_game(two)
    written = (await two.do("bo", ExportCrew(two.crews["bo"]))).reply.files[0].data.decode()
    assert "Newcomer" in written
    assert "Med Gel" in written
    printed = (await two.do("bo", PrintCrew(two.crews["bo"]))).reply
    assert any("Newcomer" in file.words for file in printed.files)


async def test_a_friendly_game_fields_it_as_it_stands(two: League) -> None:
    await after_a_game(two)
    two.table.channel += 1
    await two.table.done("cy", StartEncounter("counterblast"))
    await two.table.done("bo", JoinEncounter(crew=two.crews["bo"]))
    encounter = await two.table.encounter()
    trapper = encounter.find_model("Trapper")
    assert encounter.find_model("Newcomer")
    assert dict(fighter(encounter, trapper).counters)["injury: agility"] == 1
    veteran = await two.veteran("Trapper")
    assert read_block(trapper.profile) == read_block(veteran.profile)


async def test_it_is_changed_where_it_is_kept(two: League) -> None:
    crew = two.crews["bo"]
    for action in (RecruitMember(crew, "Trapper"), DisbandCrew(crew), SetTrait(crew, "affiliation", "edo")):
        assert "to change it there." in await two.refused("bo", action)


async def test_who_leaves_takes_the_crew_home_as_it_is(two: League) -> None:
    await after_a_game(two)
    crew = two.crews["bo"]
    assert "Leave that campaign first" in await two.refused("bo", BringHome(crew))
    await two.done("bo", LeaveCampaign(two.scope))
    assert "Use /crew home to bring" in await two.refused("bo", RecruitMember(crew, "Trapper"))
    shown = (await two.do("bo", ShowCrew(crew))).reply.text
    assert "as it was when it left" in shown
    await two.table.done("bo", BringHome(crew))
    loaded = await two.table.desk.store.load(crew)
    assert loaded is not None
    members = {row.name: row for row in loaded.book().all(MemberRow)}
    assert len(members) == 6
    assert members["Trapper"].counters["injury: agility"] == 1
    shown = (await two.do("bo", ShowCrew(crew))).reply.text
    assert "-1 agility" in next(line for line in shown.splitlines() if " Trapper" in line)
    await two.table.done("bo", RecruitMember(crew, "Trapper"))
    assert "already up to date" in await two.refused("bo", BringHome(crew))


async def test_a_crew_that_can_send_nobody_is_told_why(two: League) -> None:
    crew = two.crews["bo"]
    two.table.channel += 1
    names = [row.name for row in await members(two)]
    await two.done("bo", Bench(two.scope, "", tuple(names)))
    benched = "Choose another crew; all models of Edo sit out their next game in Rust Belt."
    assert await two.table.refused("bo", StartEncounter(crew=crew)) == benched
    for name in names:
        await two.done("bo", Dismiss(two.scope, "", name))
    other = (await two.table.done("anna", CreateCampaign("Second"))).scope
    for action in (StartEncounter(crew=crew), JoinCampaign(other, crew)):
        refused = await two.table.refused("bo", action)
        assert refused == "Recruit a model for Edo first with /campaign buy."
    await two.done("bo", LeaveCampaign(two.scope))
    refused = await two.table.refused("bo", StartEncounter(crew=crew))
    assert refused == "Use /crew home to bring Edo back from Rust Belt first."
    await two.table.done("bo", BringHome(crew))
    refused = await two.table.refused("bo", StartEncounter(crew=crew))
    assert refused == "Add a model to Edo first with /crew recruit."


async def members(league: League) -> list[VeteranRow]:
    edo = await league.entrant("Edo")
    return [row for row in (await league.book()).all(VeteranRow) if row.entrant == edo.id]


async def test_a_crew_goes_into_the_next_campaign_as_the_last_one_left_it(league: League) -> None:
    await league.begin("anna", "bo")
    await league.done("anna", Adjust(league.scope, "Edo", "injury: agility", 1, "to test", "Trapper"))
    await league.done("anna", EndCampaign(league.scope))
    league.scope = (await league.table.done("anna", CreateCampaign("Second"))).scope
    await league.done("bo", JoinCampaign(league.scope, league.crews["bo"]))
    assert (await league.veteran("Trapper")).counters == {"injury: agility": 1}
