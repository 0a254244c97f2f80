"""The gate: no illegal crew comes into a game or a campaign without a word, and an organiser lets it pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.actions import Action
from bot.app import ALL_GAMES
from bot.store.row_types import EntrantRow
from bot.table.bringing.list_import import KeepList
from bot.table.campaign.campaign_crews import Bench
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaigns import CreateCampaign, JoinCampaign, Schedule
from bot.table.game import SECRET_CREWS, game
from bot.table.rosters.crews import AppointLeader, CreateCrew, DismissMember, ImportCrew, RecruitMember
from bot.table.rosters.muster import CheckCrew, SetTrait
from bot.table.session.encounters import JoinEncounter, StartEncounter
from tests.bot.tables import Table

GAMES = [one.key for one in ALL_GAMES]
LEGAL = ("Sally Starfield", "GDF Ranger")

MADE: dict[str, Callable[[int], Action]] = {
    "a Lackey leads": lambda crew: AppointLeader(crew, "GDF Ranger"),
    "Specialties": lambda crew: SetTrait(crew, "specialties", "Hunting Party, Lancers"),
    "an unearned alignment": lambda crew: SetTrait(crew, "alignment", "neiran"),
}
FAULTS = {
    "no leader": "Choose a leader with /crew leader.",
    "a Lackey leads": "GDF Ranger can't lead the crew, because only a Hero can.",
    "Specialties": "Specialt",
    "an unearned alignment": "More than half of your Heroes' points must come from Heroes of the affiliation",
}


async def crew(table: Table, who: str, fault: str = "") -> int:
    """A crew of two with its leader, and with a fault."""
    scope = (await table.done(who, CreateCrew(f"Crew of {who}"))).scope
    lost = ("Skip Westmoreland",) if fault == "no leader" else ()
    for member in (*lost, *LEGAL):
        await table.done(who, RecruitMember(scope, member))
    for member in lost:
        await table.done(who, DismissMember(scope, member))
    if fault in MADE:
        await table.done(who, MADE[fault](scope))
    return scope


@pytest.mark.parametrize("fault", FAULTS)
async def test_every_gate_names_each_fault_as_the_check_does(table: Table, fault: str) -> None:
    mine, theirs = await crew(table, "anna", fault), await crew(table, "bo", fault)
    wrong = FAULTS[fault]
    assert wrong in (await table.do("bo", CheckCrew(theirs))).reply.text
    assert wrong in await table.refused("anna", StartEncounter(crew=mine))
    campaign = (await table.done("anna", CreateCampaign("League"))).scope
    assert wrong in await table.refused("anna", JoinCampaign(campaign, mine))
    assert wrong in await table.refused("bo", JoinCampaign(campaign, theirs))
    await table.done("anna", StartEncounter())
    assert wrong in await table.refused("bo", JoinEncounter(crew=theirs))


@pytest.mark.parametrize("system", GAMES)
async def test_a_crew_over_its_limit_passes_no_gate_in_any_game(table: Table, system: str) -> None:
    """A list says so before it is kept; the points are counted in games that have points."""
    names = [one.name for one in game(system).recruits()[:3]]
    shown = await table.done("anna", ImportCrew("\n".join(names), "Hounds", limit=1))
    worth = sum(one.points for one in game(system).recruits()[:3])
    wrong = f"{worth} points, which is {worth - 1} over the limit"
    assert (wrong in shown.reply.text) is bool(worth)
    kept = await table.done("anna", KeepList(shown.scope))
    if worth:
        assert wrong in kept.reply.text
        assert not any(one.label == "Play with this crew" for one in kept.reply.buttons)
        assert wrong in (await table.do("anna", CheckCrew(kept.scope))).reply.text
        told = "isn't legal" if system in SECRET_CREWS else wrong
        assert told in await table.refused("anna", StartEncounter(system, crew=kept.scope))
        await table.done("bo", StartEncounter(system))
        assert told in await table.refused("anna", JoinEncounter(crew=kept.scope))


async def test_an_organiser_starts_with_an_illegal_crew_for_a_reason_all_read(
    table: Table,
) -> None:
    mine = await crew(table, "anna", "no leader")
    refused = await table.do("anna", StartEncounter(crew=mine))
    assert [button.label for button in refused.reply.buttons] == ["Override..."]
    started = await table.press("anna", refused, "Override...", reason="we try the bot")
    assert "Override by anna: we try the bot" in started.reply.lines
    assert "Choose a leader with /crew leader." in started.reply.text
    assert not started.reply.private


@pytest.mark.parametrize("door", ["game", "campaign"])
async def test_a_player_asks_an_organiser_who_lets_the_crew_pass_as_it_is(table: Table, door: str) -> None:
    theirs = await crew(table, "bo", "no leader")
    if door == "game":
        await table.done("anna", StartEncounter())
        bring: Action = JoinEncounter(crew=theirs)
    else:
        bring = JoinCampaign((await table.done("anna", CreateCampaign("League"))).scope, theirs)
    refused = await table.do("bo", bring)
    asked = await table.press("bo", refused, "Ask the organiser")
    assert asked.changed
    assert asked.reply.lines[0] == "bo wants to bring Crew of bo. The organiser has to decide."
    assert "Choose a leader with /crew leader." in asked.reply.text
    assert "waiting for the organiser" in (await table.press("bo", refused, "Ask the organiser")).reply.text
    assert not (await table.press("bo", asked, "Allow the crew...", reason="please")).changed
    assert not (await table.press("anna", asked, "Allow the crew...")).changed, "it takes a reason"
    passed = await table.press("anna", asked, "Allow the crew...", reason="a first game")
    assert "Override by anna: a first game" in passed.reply.lines
    assert not (await table.press("cy", passed, "Join with this crew")).changed
    assert (await table.press("bo", passed, "Join with this crew")).changed


async def test_who_was_not_let_in_puts_the_crew_right_and_comes(table: Table) -> None:
    theirs = await crew(table, "bo", "no leader")
    await table.done("anna", StartEncounter())
    asked = await table.press("bo", await table.do("bo", JoinEncounter(crew=theirs)), "Ask the organiser")
    for who in ("bo", "cy"):
        assert not (await table.press(who, asked, "Don't allow the crew")).changed, (
            "only an organiser answers"
        )
    assert (await table.press("anna", asked, "Don't allow the crew")).changed
    again = await table.do("bo", JoinEncounter(crew=theirs, anyway=True))
    assert "was not allowed" in again.reply.text
    await table.done("bo", AppointLeader(theirs, LEGAL[0]))
    joined = await table.done("bo", JoinEncounter(crew=theirs))
    assert joined.reply.lines[0] == "bo joins with Crew of bo: 2 models."


async def test_leave_is_for_the_crew_as_it_was(table: Table) -> None:
    """What was let pass with one fault is checked again once it has another."""
    theirs = await crew(table, "bo", "no leader")
    await table.done("anna", StartEncounter())
    asked = await table.press("bo", await table.do("bo", JoinEncounter(crew=theirs)), "Ask the organiser")
    await table.press("anna", asked, "Allow the crew...", reason="a first game")
    await table.done("bo", DismissMember(theirs, LEGAL[0]))
    assert "Hero" in await table.refused("bo", JoinEncounter(crew=theirs))


async def test_leave_for_one_crew_lets_no_other_pass(table: Table) -> None:
    """Nor the same one with others in it, though the fault reads the same."""
    theirs = await crew(table, "bo", "no leader")
    other = (await table.done("bo", CreateCrew("Others"))).scope
    for member in ("Skip Westmoreland", *LEGAL):
        await table.done("bo", RecruitMember(other, member))
    await table.done("bo", DismissMember(other, "Skip Westmoreland"))
    await table.done("anna", StartEncounter())
    asked = await table.press("bo", await table.do("bo", JoinEncounter(crew=theirs)), "Ask the organiser")
    await table.press("anna", asked, "Allow the crew...", reason="a first game")
    assert "Choose a leader" in await table.refused("bo", JoinEncounter(crew=other))
    await table.done("bo", RecruitMember(theirs, "GDF Ranger"))
    assert "Choose a leader" in await table.refused("bo", JoinEncounter(crew=theirs))


async def test_a_crew_that_lost_its_leader_is_checked_before_the_round(table: Table) -> None:
    scopes = {who: await crew(table, who) for who in ("anna", "bo")}
    await table.done("bo", RecruitMember(scopes["bo"], "Skip Westmoreland"))
    campaign = (await table.done("anna", CreateCampaign("League"))).scope
    for who, scope in scopes.items():
        await table.done(who, JoinCampaign(campaign, scope))
    await table.done("anna", Schedule(campaign), scope=campaign)
    loaded = await table.desk.store.load(campaign)
    assert loaded is not None
    assert len(loaded.book().all(EntrantRow)) == 2
    await table.done("bo", Bench(campaign, "Crew of bo", LEGAL[:1]))
    assert "Choose a leader with /crew leader." in await table.refused("anna", PlayFixture(campaign))
    played = await table.done("anna", PlayFixture(campaign), reason="Sally is ill")
    assert "Override by anna: Sally is ill" in played.reply.lines


async def test_of_a_secret_crew_nobody_else_reads_what_is_wrong(table: Table) -> None:
    theirs = (await table.done("bo", CreateCrew("Ghosts", "infinity"))).scope
    await table.done("bo", RecruitMember(theirs, "Sentry"))
    await table.do("bo", AppointLeader(theirs, "Sentry"))
    wrong = (await table.do("bo", CheckCrew(theirs))).reply.text
    assert "Sentry can't be Lieutenant" in wrong
    await table.done("anna", StartEncounter("infinity"))
    asked = await table.press("bo", await table.do("bo", JoinEncounter(crew=theirs)), "Ask the organiser")
    assert "Ghosts isn't legal. Problems found: 1." in asked.reply.text
    assert "Sentry" not in asked.reply.text
