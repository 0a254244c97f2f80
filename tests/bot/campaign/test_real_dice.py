"""Between games: a crew's and a campaign's rolls wait for real dice as those of an encounter do."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.games.counterblast.campaign.downtime import BuildModel, RollRelic, UseRelic
from bot.store.row_types import EntrantRow, ProposalRow
from bot.store.rows import PendingRow, ThrowerRow
from bot.table.campaign.campaign_crews import Adjust
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaigns import CreateCampaign, JoinCampaign, Schedule
from bot.table.journal.history import Undo
from bot.table.realdice import DropRoll, EnterFaces
from bot.table.request import Answer
from bot.table.rolling.dice_settings import CampaignDice, CrewDice, DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo, StartEncounter
from bot.table.session.models import RemoveModel
from tests.bot.campaign.league import League
from tests.bot.house import House
from tests.bot.tables import Table, opened, waits


async def give(league: League, account: str, amount: int, member: str = "") -> None:
    await league.done("anna", Adjust(league.scope, "Edo", account, amount, "to test", member))


async def asked(league: League, answer: Answer, face: int) -> list[str]:
    """Throw this face with every die, each by its owner; for what they were asked, in order."""
    found = []
    while waits(answer):
        found.append(answer.reply.lines[0])
        answer = await league.done(found[-1].split()[0], EnterFaces((face,)))
    assert "These are real dice." in answer.reply.lines
    return found


async def test_a_relic_a_bauble_and_building_are_thrown_by_hand(two: League) -> None:
    await give(two, "salvage tokens", 9)
    await give(two, "relic: valuable_bauble", 1, "Trapper")
    await two.done("bo", CampaignDice(two.scope, "real"))
    relic = await two.done("bo", RollRelic(two.scope, "", "Trapper"))
    assert await asked(two, relic, 10) == ["bo throws 1 d10 for Edo's roll on the Relics Table."]
    bauble = await two.done("bo", UseRelic(two.scope, "", "Trapper", "Valuable Bauble"))
    prices = await asked(two, bauble, 3)
    assert prices[:2] == [
        "bo throws 1 d10 for Trapper's roll for the price of the Bauble.",
        "bo throws 1 d10 for Trapper's roll for the price of the Bauble (throw 2).",
    ]
    assert len(set(prices)) == len(prices)
    built = await two.done("bo", BuildModel(two.scope, "", "Trapper", ("Prime Leader",)))
    said = await asked(two, built, 2)
    assert said[0].startswith("bo throws ")
    assert "for Prime Leader's Engineering to build Trapper." in said[0]


async def test_others_in_the_campaign_keep_the_bots_dice(two: League) -> None:
    await give(two, "salvage tokens", 9)
    await two.done("anna", CampaignDice(two.scope, "real"))
    done = await two.done("bo", RollRelic(two.scope, "", "Trapper"))
    assert not waits(done)
    assert "These are real dice." not in done.reply.lines


async def test_a_report_asks_whose_casualty_roll_it_is(two: League) -> None:
    ended = await two.played("anna", ("Skip Westmoreland", "casualty", 3), ("Trapper", "casualty", 1))
    await two.done("anna", CampaignDice(two.scope, "real"))
    report = await two.report("anna", ended)
    said = await asked(two, report, 3)
    assert said[0] == "bo throws 1 d10 for Trapper's casualty roll on the Casualty Table."
    assert any(line.startswith("anna throws 1 d10 for Skip Westmoreland's casualty roll") for line in said)
    assert len(set(said)) == len(said)
    fates = [row for row in (await two.book()).all(ProposalRow) if row.kind == "fate"]
    assert len(fates) == 2
    assert all("rolled 3" in row.reason for row in fates)


async def test_who_threw_real_dice_in_the_encounter_does_in_its_report(two: League) -> None:
    await two.table.done("anna", PlayFixture(two.scope))
    await two.table.done("anna", DiceMode("real"))
    step = await two.table.done("anna", NextStep())
    while waits(step):
        step = await two.table.enter("anna", (len(step.reply.lines),))
        assert step.changed, step.reply.text
    await two.table.done("bo", RemoveModel("Trapper", "casualty"))
    ended = await two.table.done("anna", EndEncounter())
    report = await two.report("anna", ended)
    assert waits(report)
    await two.done("anna", DropRoll(), scope=two.scope)
    await two.done("anna", CampaignDice(two.scope, "bot"))
    assert not waits(await two.report("anna", ended)), "what is said for the campaign goes before"


async def test_a_waiting_roll_of_a_campaign_survives_a_restart_and_is_dropped_without_a_trace(
    two: League, file: Path
) -> None:
    await give(two, "salvage tokens", 9)
    given = await two.done("bo", CampaignDice(two.scope, "real"))
    before = two.table.state()
    roll = await two.done("bo", RollRelic(two.scope, "", "Trapper"))
    async with opened(file, first_seed=9) as later:
        later.ids.update(two.table.ids)
        later.interactions = two.table.interactions
        league = League(later, two.scope)
        assert (await league.press("bo", roll, "Drop")).changed
        assert later.state() == before
        roll = await league.done("bo", RollRelic(two.scope, "", "Trapper"))
        done = await league.press("bo", roll, "10")
        assert done.reply.lines[0].startswith("Edo finds a relic: ")
        await league.done("bo", Undo())
        again = await league.done("bo", RollRelic(two.scope, "", "Prime Leader"))
        assert again.reply.lines[0].partition(" finds: ")[2] == done.reply.lines[0].partition(" finds: ")[2]
        await league.done("bo", Undo())
        undone = await league.done("bo", Undo())
        assert undone.reply.lines[0] == f"Undone: ~~{given.reply.lines[0]}~~"


async def test_only_who_takes_part_enters_faces(two: League) -> None:
    await give(two, "salvage tokens", 9)
    await two.done("bo", CampaignDice(two.scope, "real"))
    roll = await two.done("bo", RollRelic(two.scope, "", "Trapper"))
    refused = await two.press("stranger", roll, "10")
    assert refused.reply.lines == ("Only players can enter dice.",)
    assert (
        "There is no game in this channel. Start one with /encounter start, or try /demo"
        in await two.refused("stranger", EnterFaces((10,)))
    )
    told = "Only bo can enter those dice."
    assert (await two.press("anna", roll, "10")).reply.text == told, "the organiser is not the owner"
    assert (await two.press("bo", roll, "10")).changed


async def test_a_report_asks_the_owners_of_its_crews_and_is_rolled_once(two: League) -> None:
    """Bo throws real dice, Anna reports: his dice are asked of him, and he opens no second roll."""
    ended = await two.played("anna", ("Trapper", "casualty", 1))
    await two.done("bo", CampaignDice(two.scope, "real"))
    report = await two.report("anna", ended)
    assert report.reply.lines[0] == "bo throws 1 d10 for Trapper's casualty roll on the Casualty Table."
    again = await two.report("bo", ended)
    assert again.reply.lines[0] == "That roll is already waiting for dice."
    assert len((await two.book()).all(PendingRow)) == 1
    await two.table.done("bo", EnterFaces((3,)))


async def test_who_is_in_the_campaign_takes_back_no_roll_of_another_that_waits(two: League) -> None:
    await two.done("anna", Adjust(two.scope, "Lancers", "salvage tokens", 9, "to test"))
    await two.done("anna", CampaignDice(two.scope, "real"))
    await two.done("anna", RollRelic(two.scope, "", "Sally"))
    before = two.table.state()
    told = await two.refused("bo", Undo())
    assert told == "Only anna or the organiser can undo that."
    assert two.table.state() == before


async def test_a_roll_that_waits_under_what_another_did_is_not_taken_back_with_it(two: League) -> None:
    await two.done("anna", Adjust(two.scope, "Lancers", "salvage tokens", 9, "to test"))
    await two.done("anna", CampaignDice(two.scope, "real"))
    await two.done("anna", RollRelic(two.scope, "", "Sally"))
    await two.done("bo", CampaignDice(two.scope, "real"))
    before = two.table.state()
    assert await two.refused("bo", Undo()) == "Only anna or the organiser can undo that."
    assert two.table.state() == before


async def test_the_organiser_drops_a_roll_of_another_crew_with_a_reason(two: League) -> None:
    await two.done("bo", CampaignDice(two.scope, "real"))
    await give(two, "salvage tokens", 9)
    roll = await two.done("bo", RollRelic(two.scope, "", "Trapper"))
    refused = await two.press("anna", roll, "Drop")
    told = "That is bo's roll, so only bo can cancel it."
    assert refused.reply.lines == (told,)
    dropped = await two.press("anna", refused, "Override...", reason="bo is away")
    assert dropped.reply.lines[1:] == ("Override by anna: bo is away", f"Overridden: {told}")


async def test_an_encounter_in_the_channel_goes_before(two: League) -> None:
    await give(two, "salvage tokens", 9)
    await two.done("bo", CampaignDice(two.scope, "real"))
    await two.done("bo", RollRelic(two.scope, "", "Trapper"))
    demo = await two.table.done("bo", StartDemo())
    await two.table.done("bo", DiceMode("real"))
    await two.table.done("bo", Roll("1d6"))
    assert (await two.table.done("bo", EnterFaces((6,)))).scope == demo.scope
    assert (await two.table.done("bo", EnterFaces((10,)))).scope == two.scope


async def test_a_crew_that_plays_in_a_campaign_is_asked_whether_there_too(two: League) -> None:
    (edo,) = [row for row in (await two.book()).all(EntrantRow) if row.name == "Edo"]
    said = await two.table.done("bo", CrewDice(edo.crew, "real"))
    assert "This doesn't affect Rust Belt, where the crew is already playing." in said.reply.lines
    await give(two, "salvage tokens", 3)
    rolled = await two.done("bo", RollRelic(two.scope, "", "Trapper"))
    assert not waits(rolled)
    await two.press("bo", said, "Use these dice in Rust Belt too")
    await give(two, "salvage tokens", 3)
    assert waits(await two.done("bo", RollRelic(two.scope, "", "Trapper")))


@pytest.mark.parametrize("mode", ["real", "bot"])
async def test_a_crew_takes_its_dice_along(table: Table, mode: str) -> None:
    league = League(table)
    crew = await league.crew("anna")
    await table.done("anna", CrewDice(crew, mode))
    await table.done("anna", StartEncounter(crew=crew))
    assert [seat.dice for seat in (await table.encounter()).seats()] == [mode]
    await table.done("anna", EndEncounter())
    await table.done("bo", StartEncounter())
    await table.done("anna", JoinEncounter(crew=crew))
    assert [seat.dice for seat in (await table.encounter()).seats()] == ["bot", mode]
    made = await table.done("bo", CreateCampaign("Rust Belt"))
    league.scope = made.scope
    await table.done("anna", JoinCampaign(made.scope, crew))
    assert [(row.user_id, row.dice) for row in (await league.book()).all(ThrowerRow)] == [
        (table.ids["anna"], mode)
    ]


async def test_who_throws_real_dice_in_a_campaign_does_in_its_encounters(two: League) -> None:
    await two.done("bo", CampaignDice(two.scope, "real"))
    await two.table.done("anna", PlayFixture(two.scope))
    assert [seat.dice for seat in (await two.table.encounter()).seats()] == ["real", "bot"]


async def test_a_crew_is_its_owners(league: League) -> None:
    crew = await league.crew("anna")
    assert "is not your crew" in await league.refused("bo", CrewDice(crew, "real"))
    assert "Mode: bot, real." in await league.refused("anna", CrewDice(crew, "loaded"))


async def test_the_lot_of_a_round_stays_the_bots(league: League) -> None:
    await league.begin("anna", "bo")
    await league.done("anna", CampaignDice(league.scope, "real"))
    await league.done("anna", Schedule(league.scope))
    assert not (await league.book()).all(PendingRow)


async def test_modes_are_chosen_by_command(house: House) -> None:
    await house.slash("crew create", name="Lancers")
    said = await house.slash("dice mode", dice="real", crew="Lancers")
    assert said.content.splitlines()[0] == "Anna now rolls real dice with Lancers."
    await house.slash("campaign create", name="Rust Belt")
    said = await house.slash("dice mode", dice="real", campaign="Rust Belt")
    assert said.content.splitlines()[0] == "Anna now rolls real dice in Rust Belt."
    both = await house.slash("dice mode", dice="real", campaign="Rust Belt", crew="Lancers")
    assert both.content == "Choose a campaign or a crew, not both."
