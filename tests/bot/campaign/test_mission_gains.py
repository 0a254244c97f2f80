"""What missions leave behind in a campaign: captives, finds, plans, bases, bonuses for the next one."""

from __future__ import annotations

import pytest

from bot.games.counterblast.campaign.downtime import BuildModel
from bot.games.counterblast.campaign.gains import CAPTOR
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.counterblast.missions.mission_events import BringCaptive, FoundIt, Subdue
from bot.games.counterblast.missions.objectives import LayPlaces
from bot.games.counterblast.missions.scores import DetailPlans, ScoreMission, StopGame
from bot.games.counterblast.state.models import fighter, with_equipment
from bot.games.counterblast.turn.overwatch import Overwatch
from bot.replies.reply import Reply
from bot.store.row_types import ProposalRow, VeteranRow
from bot.table.campaign.campaign_crews import Adjust
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import ConfirmReport, EditLine
from bot.table.campaign.campaigns import CampaignSetting, Schedule
from bot.table.encounter import Encounter
from bot.table.request import Answer
from bot.table.session.encounters import EndEncounter, NextStep
from bot.table.session.models import DamageModel, RemoveModel
from tests.bot.arranging import Step, arrange
from tests.bot.campaign.league import League
from tests.bot.campaign.test_missions import at_work, storing
from tests.bot.campaign.test_report import confirmed


def words(answer: Answer) -> str:
    reply: Reply = answer.reply
    return " ".join(reply.text.split())


async def ended(league: League) -> Answer:
    return await league.report("anna", await league.table.done("anna", EndEncounter()))


async def again(league: League) -> None:
    await league.done("anna", Schedule(league.scope))
    await league.table.done("anna", PlayFixture(league.scope))


async def abducted(league: League, *steps: Step) -> None:
    """Bo's Trapper carries Anna's Ranger off, and the report is confirmed."""
    await league.table.done("anna", PlayFixture(league.scope))
    await arrange(league.table, "anna", *steps)
    await league.table.done("bo", ChooseSecretly("Abduction", target="GDF Ranger"))
    await league.table.done("anna", NextStep())
    await league.table.done("anna", DamageModel("GDF Ranger", 2))
    await league.table.done("bo", Subdue("Trapper"))
    await league.table.done("anna", StopGame(sure=True))
    await league.table.done("bo", ScoreMission(home="yes"))


async def held(league: League) -> None:
    await abducted(league)
    await ended(league)
    await confirmed(league)


@pytest.mark.rule("CB-MISS-08")
async def test_who_was_carried_off_is_unhurt_and_no_longer_in_its_crew(two: League) -> None:
    await held(two)
    ranger = await two.veteran("GDF Ranger")
    assert (ranger.status, ranger.counters) == ("captive", {CAPTOR: (await two.entrant("Edo")).id})


@pytest.mark.rule("CB-MISS-11", "CB-MISS-06")
@pytest.mark.parametrize(("scored", "mission"), [(True, "Escort"), (False, "Escort"), (False, "Sabotage")])
async def test_the_abductor_who_escorts_next_earns_a_point_either_way(
    two: League, scored: bool, mission: str
) -> None:
    await held(two)
    before = (await two.entrant("Edo")).counters["campaign points"]
    await again(two)
    await two.table.done("bo", ChooseSecretly(mission, target="Trapper" if mission == "Escort" else ""))
    await two.table.done("anna", NextStep())
    await two.table.done("anna", StopGame(sure=True))
    await two.table.done("bo", ScoreMission(inches=2 if scored else 9))
    report = await ended(two)
    assert ("Escort after Abduction" in words(report)) == (mission == "Escort")
    await confirmed(two)
    earned = (await two.entrant("Edo")).counters["campaign points"] - before
    assert earned == 1 + (mission == "Escort")


@pytest.mark.rule("CB-MISS-19", "CB-MISS-23", "CB-MISS-11")
async def test_a_captive_of_any_worth_is_sought_found_and_free_again(two: League) -> None:
    await held(two)
    await two.done("anna", Adjust(two.scope, "Lancers", "injury: melee", 1, "to test", "Sally Starfield"))
    await again(two)
    assert "25%" in await two.table.refused("anna", ChooseSecretly("Recovery", seeks="GDF Commander"))
    await two.table.done("anna", ChooseSecretly("Recovery", seeks="GDF Ranger"))
    await two.table.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12"))
    encounter = await two.table.encounter()
    finder = encounter.find_model("HOpR Bot").id
    await arrange(two.table, "anna", storing("Lancers A", 10, finder), at_work("HOpR Bot"))
    await two.table.done("anna", FoundIt("HOpR Bot"))
    found = (await two.table.encounter()).find_model("GDF Ranger")
    assert found.side == (await two.table.encounter()).find_side("Lancers").id
    assert found.counters["activated"] == 1
    await two.table.done("anna", StopGame(sure=True))
    await two.table.done("anna", ScoreMission(home="no"))
    await ended(two)
    await confirmed(two)
    ranger = await two.veteran("GDF Ranger")
    assert (ranger.status, CAPTOR in ranger.counters) == ("fit", False)
    assert ranger.counters["upgrade points"] == 1


@pytest.mark.rule("CB-MISS-12")
async def test_a_captive_that_its_captors_bring_along_cannot_attack(two: League) -> None:
    await held(two)
    await again(two)
    assert "holds no captive" in await two.table.refused("anna", BringCaptive("GDF Ranger"))
    await two.table.done("bo", BringCaptive("GDF Ranger"))
    assert "already" in await two.table.refused("bo", BringCaptive("GDF Ranger"))
    await two.table.done("bo", ChooseSecretly("Escort", target="GDF Ranger"))
    await two.table.done("anna", NextStep())
    await arrange(two.table, "anna", at_work("GDF Ranger"), at_work("Trapper"))
    assert "CB-MISS-12" in await two.table.refused("bo", Overwatch("GDF Ranger"))
    await two.table.done("bo", Overwatch("Trapper"))
    await two.table.done("anna", StopGame(sure=True))
    await two.table.done("bo", ScoreMission(inches=1))
    await ended(two)
    await confirmed(two)
    assert (await two.veteran("GDF Ranger")).status == "captive"


@pytest.mark.rule("CB-MISS-23", "CB-MISS-24", "CB-MISS-25")
@pytest.mark.parametrize("seeks", ["Grenade", "Trapper"])
async def test_what_was_found_stays_and_brings_more_next_time(two: League, seeks: str) -> None:
    await two.table.done("anna", PlayFixture(two.scope))
    await two.table.done("anna", ChooseSecretly("Recovery", seeks=seeks))
    await two.table.done("anna", LayPlaces("6 20 12; 12 20 12; 18 20 12"))
    finder = (await two.table.encounter()).find_model("HOpR Bot").id
    await arrange(two.table, "anna", storing("Lancers A", 10, finder))
    await two.table.done("anna", NextStep())
    await two.table.done("anna", FoundIt("HOpR Bot"))
    await two.table.done("anna", StopGame(sure=True))
    scored = await two.table.done("anna", ScoreMission(home="no"))
    assert scored.reply.lines[0] == "Lancers, Recovery: 4 objective points."
    await ended(two)
    await confirmed(two)
    if seeks == "Grenade":
        assert "grenade" in (await two.veteran("HOpR Bot")).profile
    else:
        trappers = [row for row in (await two.book()).all(VeteranRow) if row.name.startswith("Trapper")]
        assert [row.entrant for row in trappers] == [2, 1]
    before = (await two.entrant("Lancers")).counters["campaign points"]
    following = "Sabotage" if seeks == "Grenade" else "Escort"
    await again(two)
    await two.table.done(
        "anna",
        ChooseSecretly(following, target="Skip" if following == "Escort" else ""),
    )
    await two.table.done("anna", NextStep())
    await two.table.done("anna", StopGame(sure=True))
    await two.table.done("anna", ScoreMission(inches=9))
    await ended(two)
    rows = [row for row in (await two.book()).all(ProposalRow) if row.entrant == 1]
    relics = [row for row in rows if row.kind == "relic"]
    assert len(relics) == (seeks == "Grenade")
    await confirmed(two)
    earned = (await two.entrant("Lancers")).counters["campaign points"] - before
    assert earned == (0 if seeks == "Grenade" else 1) + _result(rows)


def _result(rows: list[ProposalRow]) -> int:
    return next(row.amount for row in rows if row.kind == "points" and row.text == "campaign points")


@pytest.mark.rule("CB-MISS-14", "CB-MISS-29")
@pytest.mark.parametrize("successes", [0, 3])
async def test_a_sabotage_after_an_escort_earns_a_point_if_it_succeeds(two: League, successes: int) -> None:
    await two.table.done("anna", PlayFixture(two.scope))
    await two.table.done("anna", ChooseSecretly("Escort", target="Skip"))
    await two.table.done("anna", NextStep())
    await two.table.done("anna", StopGame(sure=True))
    await two.table.done("anna", ScoreMission(inches=9))
    await ended(two)
    await confirmed(two)
    await again(two)
    await two.table.done("anna", ChooseSecretly("Sabotage"))
    await two.table.done("anna", LayPlaces("24 24 12"))

    def worked(encounter: Encounter) -> None:
        encounter.find_side("Lancers").counters["mission successes"] = successes

    await arrange(two.table, "anna", worked)
    await two.table.done("anna", NextStep())
    await two.table.done("anna", StopGame(sure=True))
    await two.table.done("anna", ScoreMission())
    report = await ended(two)
    assert ("Sabotage after Escort" in words(report)) == bool(successes)
    rows = [row for row in (await two.book()).all(ProposalRow) if row.kind == "relic"]
    assert len(rows) == successes // 3


@pytest.mark.rule("CB-RELIC-01", "CB-CASU-06")
async def test_a_relic_is_not_lost_with_a_leader_who_died_in_that_encounter(two: League) -> None:
    await two.table.done("anna", PlayFixture(two.scope))
    await two.table.done("anna", ChooseSecretly("Sabotage"))
    await two.table.done("anna", LayPlaces("24 24 12"))

    def worked(encounter: Encounter) -> None:
        encounter.find_side("Lancers").counters["mission successes"] = 3

    await arrange(two.table, "anna", worked)
    await two.table.done("anna", NextStep())
    await two.table.done("anna", DamageModel("Sally", 9))
    await two.table.done("anna", RemoveModel("Sally", "casualty"))
    await two.table.done("anna", StopGame(sure=True))
    await two.table.done("anna", ScoreMission())
    await ended(two)
    fate = next(row for row in (await two.book()).all(ProposalRow) if row.kind == "fate")
    await two.done("anna", EditLine(two.scope, fate.id, "Dead"))
    told = words(await two.done("anna", ConfirmReport(two.scope)))
    assert "Sally Starfield is dead" in told
    assert "choose another Hero with /campaign leader" in told


# ------------------------------------------------------------------------------------ Invasion, bases


async def invaded(league: League, *lost: str) -> None:
    """Bo invades; these of Anna's crew are casualties."""
    await league.table.done("anna", PlayFixture(league.scope))
    await league.table.done("bo", ChooseSecretly("Invasion"))
    await league.table.done("anna", NextStep())
    for name in lost:
        await league.table.done("anna", DamageModel(name, 9))
        await league.table.done("anna", RemoveModel(name, "casualty"))
    await league.table.done("anna", StopGame(sure=True))
    await league.table.done("bo", ScoreMission(nobody=True))


LANCERS = ("Sally Starfield", "Skip Westmoreland", "HOpR Bot", "GDF Ranger")


@pytest.mark.rule("CB-MISS-17")
@pytest.mark.parametrize("destroyed", [True, False])
async def test_a_winning_invader_may_destroy_a_base_for_two_points(two: League, destroyed: bool) -> None:
    await two.done("anna", Adjust(two.scope, "Lancers", "bases", 1, "Colonize"))
    await invaded(two, *LANCERS)
    await ended(two)
    base = next(row for row in (await two.book()).all(ProposalRow) if row.kind == "base")
    wanted = f"{'destroyed' if destroyed else 'left alone'}: Lancers"
    assert "Only bo" in await two.refused("cy", EditLine(two.scope, base.id, wanted))
    if destroyed:
        await two.done("bo", EditLine(two.scope, base.id, wanted))
    await confirmed(two)
    edo = (await two.entrant("Edo")).counters["campaign points"]
    assert edo == (1 if destroyed else 3)
    assert (await two.entrant("Lancers")).counters.get("bases", 0) == (not destroyed)


@pytest.mark.rule("CB-MISS-17")
async def test_no_base_falls_where_the_invader_did_not_win(two: League) -> None:
    await two.done("anna", Adjust(two.scope, "Lancers", "bases", 1, "Colonize"))
    await invaded(two, "GDF Ranger")
    await ended(two)
    assert not [row for row in (await two.book()).all(ProposalRow) if row.kind == "base"]


@pytest.mark.rule("CB-MISS-18")
@pytest.mark.parametrize("lost", [LANCERS, LANCERS[3:]])
async def test_a_defeated_invaded_crew_picks_what_it_suffers(two: League, lost: tuple[str, ...]) -> None:
    await invaded(two, *lost)
    await ended(two)
    rows = [row for row in (await two.book()).all(ProposalRow) if row.kind == "penalty"]
    assert len(rows) == (lost == LANCERS)
    if rows:
        assert "Make these choices first" in await two.refused("anna", ConfirmReport(two.scope))
        await two.done("anna", EditLine(two.scope, rows[0].id, "initiative"))
        await confirmed(two)
        assert (await two.entrant("Lancers")).counters["next: initiative"] == 1


@pytest.mark.rule("CB-MISS-01", "CB-MISS-17")
async def test_colonize_founds_a_base_where_the_group_plays_it(two: League) -> None:
    await two.done("anna", CampaignSetting(two.scope, "custom missions", "on"))
    await two.table.done("anna", PlayFixture(two.scope))
    await two.table.done("bo", ChooseSecretly("Colonize"))
    await two.table.done("anna", NextStep())
    await two.table.done("anna", StopGame(sure=True))
    await two.table.done("bo", ScoreMission(points=3))
    await ended(two)
    await confirmed(two)
    assert (await two.entrant("Edo")).counters["bases"] == 1


# ------------------------------------------------------------------------------------ plans, the report


@pytest.mark.rule("CB-MISS-10")
async def test_secret_plans_that_were_taken_are_kept(two: League) -> None:
    def planned(encounter: Encounter) -> None:
        row = encounter.find_model("GDF Ranger")
        row.profile = with_equipment(row.profile, ["Secret Plans"])

    await abducted(two, planned)
    await two.table.done("bo", DetailPlans("HOpR Bot"))
    await ended(two)
    await confirmed(two)
    assert (await two.entrant("Edo")).counters["secret plans: HOpR Bot"] == 1
    await two.done("anna", Adjust(two.scope, "Edo", "Secret Plans: hopr bot", 1, "the same balance"))
    assert (await two.entrant("Edo")).counters["secret plans: HOpR Bot"] == 2
    await two.done("anna", Adjust(two.scope, "Edo", "salvage tokens", 20, "to test"))
    other = BuildModel(two.scope, "", "Crew Bot", ("Prime Leader",), foreign=True)
    assert "CB-SALV-08" in await two.refused("bo", other)
    build = BuildModel(two.scope, "", "HOpR Bot", ("Prime Leader",), foreign=True)
    assert "build" in (await two.done("bo", build)).reply.lines[0]


async def test_a_mission_that_nobody_counted_is_known_to_the_report(two: League) -> None:
    await two.table.done("anna", PlayFixture(two.scope))
    await two.table.done("bo", ChooseSecretly("Scouting"))
    await two.table.done("anna", NextStep())
    done = await two.table.done("anna", EndEncounter())
    assert "Edo's mission has not been scored yet." in done.reply.lines
    await two.report("anna", done)
    accounts = [row.text for row in (await two.book()).all(ProposalRow) if row.entrant == 2]
    assert "scouting successes" in accounts


@pytest.mark.rule("CB-CAMP-06", "CB-CASU-06")
async def test_the_dead_are_not_promised_upgrade_points(two: League) -> None:
    report = await two.report("anna", await two.played("anna", ("GDF Ranger", "casualty", 2)))
    fate = next(row for row in (await two.book()).all(ProposalRow) if row.kind == "fate")
    edited = await two.done("anna", EditLine(two.scope, fate.id, "Dead"))
    told = " ".join(edited.reply.text.split())
    assert "GDF Ranger +1" not in told
    assert "HOpR Bot +1" in told
    assert report.changed
    await confirmed(two)
    assert "upgrade points" not in (await two.veteran("GDF Ranger")).counters


async def test_injuries_are_the_same_in_the_encounter(two: League) -> None:
    await two.done("anna", Adjust(two.scope, "Lancers", "injury: melee", 1, "to test", "GDF Ranger"))
    await two.table.done("anna", PlayFixture(two.scope))
    encounter = await two.table.encounter()
    shown = fighter(encounter, encounter.find_model("GDF Ranger"))
    assert [one.amount for one in shown.standing_modifiers("melee")] == [-1]
