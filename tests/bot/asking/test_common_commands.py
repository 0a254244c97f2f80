"""The commands that all games share, typed: what is suggested in them, and which action each of them asks."""

from __future__ import annotations

import pytest

from bot.games.counterblast.building.crews import EXAMPLE
from bot.table.campaign.campaign_crews import Adjust
from bot.table.campaign.campaigns import Schedule
from bot.table.rosters.crews import CreateCrew, RecruitMember
from bot.table.rosters.statblocks import SaveBlock
from bot.table.session.encounters import JoinEncounter, StartDemo
from bot.table.session.models import AddCondition
from tests.bot.campaign.conftest import league
from tests.bot.campaign.league import League
from tests.bot.tables import Table
from tests.bot.typist import Typist

__all__ = ["league"]


@pytest.fixture
async def crew(table: Table) -> Typist:
    made = await table.done("anna", CreateCrew("Red"))
    for name in ("Sally Starfield", "GDF Ranger"):
        await table.done("anna", RecruitMember(made.scope, name))
    return Typist(table)


@pytest.fixture
async def demo(table: Table) -> Typist:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    return Typist(table)


@pytest.fixture
async def played(league: League) -> Typist:
    await league.begin("anna", "bo", aligned={"bo": "edofleini"}, start=300)
    await league.done("anna", Schedule(league.scope))
    await league.done("anna", Adjust(league.scope, "Edo", "requisition", 300, "to test"))
    return Typist(league.table)


# ------------------------------------------------------------------------------------ crews


async def test_members_are_suggested_to_the_owner_alone(crew: Typist) -> None:
    names = ["GDF Ranger", "Sally Starfield"]
    assert sorted(await crew.suggest("anna", "crew dismiss", "member", "", crew="Red")) == names
    assert await crew.suggest("bo", "crew dismiss", "member", "", crew="Red") == []


async def test_another_learns_no_member_by_naming_one(crew: Typist) -> None:
    (said,) = await crew.slash("bo", "crew dismiss", crew="Red", member="Nobody")
    assert said.content.startswith("Red is not your crew.")


async def test_whom_a_crew_can_take_is_suggested_from_its_game(crew: Typist) -> None:
    assert "Trapper" in await crew.suggest("anna", "crew recruit", "who", "trap", crew="Red")
    assert await crew.suggest("anna", "crew recruit", "equipment", "", crew="Red")


async def test_own_statblocks_are_suggested_where_they_are_kept(crew: Typist) -> None:
    assert await crew.suggest("anna", "crew own drop", "name", "") == []
    await crew.table.done("anna", SaveBlock(EXAMPLE))
    assert await crew.suggest("anna", "crew own drop", "name", "") == ["Grak"]
    assert await crew.suggest("bo", "crew own list", "name", "") == ["Grak"]
    assert await crew.suggest("bo", "crew own list", "name", "", system="warzone") == []
    assert "Grak" in await crew.suggest("anna", "crew recruit", "who", "gra", crew="Red")


async def test_a_line_may_end_in_a_typed_crew(crew: Typist) -> None:
    text = "Crew: Blue\\nMember: GDF Ranger\\nfrom: GDF Ranger"
    (said,) = await crew.slash("anna", "crew import", text=text)
    assert said.content.startswith("Blue (Counterblast): 1 model, 31 points.")


async def test_dice_are_set_where_they_are_said_to_be(crew: Typist) -> None:
    (said,) = await crew.slash("anna", "dice mode", dice="real", crew="Red")
    assert said.content.startswith("anna now rolls real dice with Red.")
    (said,) = await crew.slash("anna", "dice mode", dice="real")
    assert said.content.startswith(
        "There is no game in this channel. Start one with /encounter start, or try /demo"
    )


# ------------------------------------------------------------------------------------ an encounter


async def test_conditions_are_suggested_and_those_there_are_to_end(demo: Typist) -> None:
    assert "hidden" in await demo.suggest("anna", "condition add", "condition", "hid", model="Smap")
    assert await demo.suggest("anna", "condition clear", "condition", "", model="Smap") == []
    await demo.table.done("anna", AddCondition("Smap", "hidden"))
    assert await demo.suggest("anna", "condition clear", "condition", "", model="Smap") == ["hidden"]


async def test_settings_and_their_values_are_suggested(demo: Typist) -> None:
    (name,) = await demo.suggest("anna", "encounter settings", "setting", "undoing")
    assert name == "Undoing what others did"
    values = await demo.suggest("anna", "encounter settings", "value", "", setting=name)
    assert "Any player can undo and redo it." in values


async def test_whom_to_ask_why_about_is_suggested(demo: Typist) -> None:
    assert "Smap" in await demo.suggest("bo", "why", "model", "sma")


async def test_what_is_typed_asks_before_it_leads_on(demo: Typist) -> None:
    (said,) = await demo.slash("anna", "dice enter", faces="ten")
    assert said.content == 'Enter the faces as numbers, such as "10 2".'
    (said,) = await demo.slash("anna", "dice enter", faces="9 " * 101)
    assert said.content == "Enter at most 100 faces (you entered 101)."


# ------------------------------------------------------------------------------------ a campaign


async def test_crews_and_members_of_the_campaign_that_runs_are_suggested(played: Typist) -> None:
    assert await played.suggest("anna", "campaign play", "fixture", "e") == ["Edo", "Lancers"]
    assert await played.suggest("bo", "campaign leader", "member", "trap") == ["Trapper"]
    assert await played.suggest("anna", "campaign leader", "member", "trap") == []
    assert "requisition" in await played.suggest("anna", "campaign ledger", "account", "req")
    assert "Trapper" in await played.suggest("bo", "campaign buy", "who", "trap")
    assert await played.suggest("bo", "spoils weapon", "weapon", "", member="Prime Leader")


async def test_several_members_are_suggested_one_after_the_other(played: Typist) -> None:
    offered = await played.suggest("bo", "campaign bench", "members", "Trapper, sp")
    assert offered == ["Trapper, Spawnguard"]
    assert await played.suggest("bo", "campaign bench", "members", "Trapper, lead") == [
        "Trapper, Prime Leader"
    ]
    (said,) = await played.slash("bo", "campaign bench", members="Trapper, Spawnguard")
    assert "Edo plays without Spawnguard and Trapper." in said.content


async def test_a_fixture_is_recorded_by_its_points(played: Typist) -> None:
    (said,) = await played.slash("anna", "campaign record", crew="Lancers", mine=9, theirs=2)
    assert "9 battle points" in said.content


async def test_no_campaign_runs_where_there_is_none(crew: Typist) -> None:
    (said,) = await crew.slash("anna", "campaign show")
    assert said.content == "There is no campaign here yet. Create one with /campaign create."
    (said,) = await crew.slash("anna", "campaign show", campaign="Rust")
    assert said.content.startswith("There is no campaign here yet.")


async def test_which_campaign_is_asked_where_there_are_several_or_all_are_archived(crew: Typist) -> None:
    names = [f"Season {number}" for number in range(1, 8)]
    for name in names:
        await crew.slash("anna", "campaign create", name=name)
    (said,) = await crew.slash("anna", "campaign show")
    newest = ", ".join(names[1:])
    assert said.content == f"Choose a campaign, such as {newest}. /campaign list shows all campaigns."
    await crew.slash("anna", "organise archive", campaign=names[0])
    (said,) = await crew.slash("anna", "campaign show")
    assert said.content == f"Choose one of these campaigns: {newest}."
    for name in names[1:]:
        await crew.slash("anna", "organise archive", campaign=name)
    (said,) = await crew.slash("anna", "campaign show")
    assert said.content == (
        "Restore a campaign with /organise restore, or create one with /campaign create; all campaigns here "
        "are archived."
    )


# ------------------------------------------------------------------------------------ heroes


async def test_what_can_be_taken_and_given_back_is_suggested(crew: Typist) -> None:
    await crew.slash("anna", "hero new", crew="Red", type="Human", name="Vera")
    taken = (await crew.suggest("anna", "hero add", "thing", "", crew="Red"))[0]
    assert await crew.suggest("bo", "hero add", "thing", "", crew="Red") == []
    before = await crew.suggest("anna", "hero remove", "thing", "", crew="Red")
    await crew.slash("anna", "hero add", crew="Red", thing=taken)
    after = await crew.suggest("anna", "hero remove", "thing", "", crew="Red")
    assert len(after) == len(before) + 1
    (said,) = await crew.slash("anna", "hero remove", crew="Red", thing=after[0])
    assert said.content.startswith("Mv removed from Vera (-2 points).")
    assert await crew.suggest("anna", "hero remove", "thing", "", crew="Red") == before
