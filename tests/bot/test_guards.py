"""Guards that only show when they are gone: a repeated delivery, redo, and faces that somebody typed."""

from __future__ import annotations

import pytest

from bot.replies import fit
from bot.table.journal.history import FreshDice, Redo, Undo
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.models import DamageModel
from tests.bot.house import House, read
from tests.bot.tables import Table


async def rolled(table: Table) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Whose dice the last roll took, and the faces."""
    entry = (await table.desk.store.latest((await table.loaded()).scope.id, 1))[0]
    return entry.dice, entry.faces_shown()


async def test_an_answer_of_several_messages_is_given_once_however_often_it_is_asked_for(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit, "MAX_MESSAGE_LENGTH", 60)
    outcome = await house.anna.slash("roll", {"dice": "20d10"}, deliveries=2)
    await outcome.settle()
    await house.quiet()
    said = [read(one).content for one in outcome.messages]
    assert len(said) > 1
    assert len(said) == len(set(said))
    await outcome.deliver_again()
    await outcome.settle()
    assert [read(one).content for one in outcome.messages] == said


async def test_typed_faces_fall_again_as_typed_and_never_as_the_bots_dice(table: Table) -> None:
    """A switch to the bot's dice is no way to get rid of faces that are not liked (decision 0041)."""
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    await table.done("anna", DiceMode("real"))
    await table.done("anna", Roll("8d10"))
    await table.done("anna", EnterFaces((10,) * 8))
    await table.done("anna", Undo())
    await table.done("anna", DiceMode("bot"))
    answer = await table.done("anna", Roll("8d10"))
    assert await rolled(table) == ("real", ((10, 10),) * 8)
    assert answer.reply.lines[-1] == "These are the same dice as in the undone roll (real dice)."
    await table.done("anna", Roll("8d10"))
    assert (await rolled(table))[0] == "bot"


async def test_leave_for_fresh_dice_that_is_redone_holds_again(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("anna", Roll("8d10"))
    _, first = await rolled(table)
    seq = (await table.loaded()).scope.tip
    await table.done("anna", Undo())
    await table.done("bo", FreshDice(seq))
    await table.done("bo", Undo())
    await table.done("bo", Redo())
    again = await table.done("anna", Roll("8d10"))
    assert "These are the same dice" not in again.reply.text
    assert (await rolled(table))[1] != first


async def test_leave_for_fresh_dice_that_is_undone_is_none(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("anna", Roll("8d10"))
    _, first = await rolled(table)
    seq = (await table.loaded()).scope.tip
    await table.done("anna", Undo())
    await table.done("bo", FreshDice(seq))
    await table.done("bo", Undo())
    assert "These are the same dice" in (await table.done("anna", Roll("8d10"))).reply.text
    assert (await rolled(table))[1] == first


async def test_redo_is_refused_to_strangers_and_asked_of_whose_step_it_is(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("cy", JoinEncounter(watch=True))
    await table.done("anna", DamageModel("Smap"))
    await table.done("anna", Undo())
    before = table.state()
    for who in ("cy", "dan"):
        assert "nothing to redo" not in (await table.refused(who, Redo(), scope=1))
    asked = await table.done("bo", Redo())
    assert asked.reply.lines[0] == "bo asks anna to agree to redo this:"
    assert table.state() == before
    await table.done("anna", Redo())
    assert (await table.encounter()).find_model("Smap").damage == 1


async def test_only_the_organiser_does_the_start_again(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("bo", JoinEncounter(watch=True))
    while (await table.desk.store.running_encounter(table.channel)) != 0:
        await table.agreed("anna", Undo())
    for who in ("bo", "dan"):
        assert "Only the organiser" in await table.refused(who, Redo(), scope=1)
    await table.done("anna", Redo(), scope=1)
