"""Exactly once: whatever comes at the same time, every command has one effect, and each only its own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.store.doctor import examine
from bot.table.journal.history import Undo
from bot.table.realdice import EnterFaces
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import DamageModel, NoteModel
from tests.bot.house import House, read
from tests.bot.tables import Table, contents, url_of

pytestmark = [pytest.mark.both_databases, pytest.mark.crowded]


async def test_two_hundred_commands_at_once_have_two_hundred_effects(table: Table) -> None:
    await table.done("anna", StartDemo())
    answers = await asyncio.gather(*(table.done("anna", DamageModel("Smap", 1)) for _ in range(200)))
    assert sorted(answer.version for answer in answers) == list(range(2, 202))
    assert (await table.encounter()).find_model("Smap").damage == 200
    assert len(contents(table.file, "journal")["journal"]) == 201
    assert (await examine(url_of(table.file))).faults == ()


async def test_commands_of_several_people_and_channels_at_once(table: Table) -> None:
    channels = [table.actor("anna", channel=number) for number in range(600, 606)]
    await asyncio.gather(*(table.done(actor, StartDemo()) for actor in channels))
    await asyncio.gather(
        *(
            table.done(actor, action)
            for number in range(15)
            for actor in channels
            for action in (DamageModel("Smap", 1), Roll("1d6"), NoteModel("Trapper", f"n{number}"))
        )
    )
    rows = contents(table.file, "models")["models"]
    assert [row[6] for row in rows if row[4] == "Smap"] == [15] * 6
    assert (await examine(url_of(table.file))).faults == ()


async def test_one_interaction_delivered_fifty_times_has_one_effect(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    for number, action in enumerate((DamageModel("Smap", 1), Roll("4d10"), Undo(), NoteModel("Smap", "x"))):
        before = len(contents(table.file, "journal")["journal"])
        same = [table.do("anna", action, interaction=700 + number) for _ in range(50)]
        answers = await asyncio.gather(*same)
        assert sum(answer.changed for answer in answers) == 1
        assert sum(answer.repeated for answer in answers) == 49
        assert len({answer.reply for answer in answers}) == 1
        assert len({(answer.scope, answer.version) for answer in answers}) == 1
        assert len(contents(table.file, "journal")["journal"]) == before + 1
    assert (await examine(url_of(table.file))).faults == ()


async def test_a_new_encounter_delivered_fifty_times_is_one(table: Table) -> None:
    answers = await asyncio.gather(*(table.do("anna", StartDemo(), interaction=7) for _ in range(50)))
    assert len({answer.reply for answer in answers}) == 1
    assert sum(answer.changed for answer in answers) == 1
    assert len(contents(table.file, "scopes")["scopes"]) == 1


async def test_a_press_delivered_fifty_times_is_one(table: Table) -> None:
    demo = await table.done("anna", StartDemo())
    begin = NextStep()
    same = [table.do("anna", begin, scope=demo.scope, version=demo.version, interaction=7) for _ in range(50)]
    answers = await asyncio.gather(*same)
    assert len({answer.reply for answer in answers}) == 1
    assert sum(answer.changed for answer in answers) == 1


async def test_real_dice_delivered_twice_are_entered_once(table: Table) -> None:
    from bot.table.rolling.dice_settings import DiceMode

    await table.done("anna", StartDemo())
    await table.done("anna", DiceMode("real"))
    await table.done("anna", Roll("3d6"))
    for number, faces in ((11, (1,)), (12, (2, 3))):
        same = [table.do("anna", EnterFaces(faces), interaction=number) for _ in range(5)]
        assert len({answer.reply for answer in await asyncio.gather(*same)}) == 1
    entries = await table.desk.store.all_entries(1)
    assert entries[-1].faces_shown() == ((6, 1), (6, 2), (6, 3))


async def test_at_once_through_the_whole_bot(house: House, file: Path) -> None:
    await house.slash("demo")
    outcomes = [await house.anna.slash("model damage", {"model": "Smap"}) for _ in range(40)]
    for outcome in outcomes:
        read(await outcome.message())
    await house.quiet()
    await house.panel()
    assert len(contents(file, "journal")["journal"]) == 41
    # The card moves on and takes its text along; the next one tells that each of the 40 came to something.
    assert "Smap takes 1 wound" in (await house.slash("model damage", model="Smap")).content
    assert [row[6] for row in contents(file, "models")["models"] if row[4] == "Smap"] == [41]


async def test_delivered_fifty_times_through_the_whole_bot(house: House, file: Path) -> None:
    await house.slash("demo")
    outcome = await house.anna.slash("model damage", {"model": "Smap"}, deliveries=50)
    said = read(await outcome.message())
    while house.client.under_way:
        await asyncio.gather(*house.client.under_way, return_exceptions=True)
    await house.panel()
    assert [message.id for message in outcome.messages] == [said.id]
    assert len(contents(file, "journal")["journal"]) == 2
    await outcome.deliver_again()
    again = await house.slash("model damage", model="Smap")
    assert "Smap takes 1 wound (0 of 2 life left)" in again.content
    assert len(contents(file, "journal")["journal"]) == 3
    assert [message.content for message in house.public].count(said.content) == 1
