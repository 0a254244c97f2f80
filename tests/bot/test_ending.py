"""An encounter ends only when its organiser has read the result and said so once more; in all five games."""

from __future__ import annotations

import pytest

from bot.table.game import GAMES
from bot.table.session.encounters import AskEnd, JoinEncounter, NextStep, StartDemo
from bot.table.session.models import NoteModel
from tests.bot.tables import Table


@pytest.mark.parametrize("system", sorted(GAMES))
async def test_the_result_is_shown_before_the_end_is_confirmed(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    before = table.state()
    asked = await table.do("anna", AskEnd())
    assert table.state() == before
    assert asked.reply.private
    assert asked.reply.lines[0] == f"End {GAMES[system].name} now?"
    for side in (await table.encounter()).sides():
        assert side.name in asked.reply.text
    assert [button.label for button in asked.reply.buttons] == ["End the game", "Status"]
    ended = await table.press("anna", asked, "End the game")
    assert ended.reply.lines[0] == f"{GAMES[system].name}: encounter ended."
    assert not await table.desk.store.running_encounter(table.channel)


async def test_only_the_organiser_is_asked(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    assert await table.refused("bo", AskEnd()) == "Only the organiser ends the encounter."


async def test_a_game_that_went_on_is_not_ended_by_an_old_question(table: Table) -> None:
    await table.done("anna", StartDemo())
    asked = await table.do("anna", AskEnd())
    await table.done("anna", NoteModel("Smap", "behind the crates"))
    late = await table.press("anna", asked, "End the game")
    assert not late.changed
    assert "moved on" in late.reply.text
    assert (await table.encounter()).row.status == "setup"


async def test_the_question_does_not_tell_who_is_hidden(table: Table) -> None:
    """In Infinity the points that survive would tell what a hidden trooper costs."""
    await table.done("anna", StartDemo("infinity"))
    await table.done("bo", JoinEncounter("Nightfall"))
    await table.done("anna", NextStep())
    asked = await table.do("anna", AskEnd())
    assert asked.reply.lines[1:3] == ("Vanguard: 0 points lost.", "Nightfall: 0 points lost.")
