"""Who organises a game: handed over, shared with a second one; somebody who manages the channel says why."""

from __future__ import annotations

import pytest

from bot.table.game import UNDO_OF_OTHERS
from bot.table.journal.history import Undo
from bot.table.session.encounters import AskEnd, EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.joining import Admit, RemovePerson
from bot.table.session.settings import HandOverGame, SecondOrganiserOfGame, Settings
from tests.bot.tables import Table

FREE = Settings(UNDO_OF_OTHERS.key, "free")


@pytest.fixture
async def game(table: Table) -> Table:
    """Anna organises it and plays the Lancers, Bo the Edo; it has begun."""
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    return table


async def test_a_game_is_handed_over_and_the_former_organiser_keeps_no_right(game: Table) -> None:
    bo = game.ids["bo"]
    assert "Only the organiser" in await game.refused("bo", HandOverGame(bo))
    handed = await game.done("anna", HandOverGame(bo))
    assert handed.reply.lines == ("bo is now the organiser of Counterblast.",)
    assert "Only the organiser" in await game.refused("anna", FREE)
    assert "Only the organiser" in await game.refused("anna", HandOverGame(game.ids["anna"]))
    await game.done("bo", FREE)
    await game.done("bo", Undo())
    asked = await game.done("anna", Undo())
    assert asked.reply.lines[0] == "anna asks bo to agree to undo this:", (
        "nobody organises it once more by an undo"
    )


async def test_a_second_organiser_may_all_that_the_first_may(game: Table) -> None:
    cy = game.actor("cy").user_id
    await game.done("anna", SecondOrganiserOfGame(cy))
    await game.done("cy", FREE)
    assert "can't make yourself" in await game.refused("cy", HandOverGame(cy))
    assert (
        "An organiser can't be removed. To give up your own seat, use /encounter join watch:true"
        in await game.refused("cy", RemovePerson(game.ids["anna"], "for fun"))
    )
    await game.done("anna", SecondOrganiserOfGame())
    assert "Only the organiser" in await game.refused("cy", Settings(UNDO_OF_OTHERS.key, "asks"))


async def test_who_manages_the_server_gives_a_reason_that_everybody_reads(game: Table) -> None:
    mod = game.actor("mod", manages=True)
    for action in (FREE, HandOverGame(mod.user_id), SecondOrganiserOfGame(mod.user_id), EndEncounter()):
        assert "Only the organiser" in await game.refused(mod, action)
    changed = await game.done(mod, FREE, reason="they asked me to")
    assert "Override by mod: they asked me to" in changed.reply.lines
    assert "Enter a reason for removing this person; everyone can read it" in await game.refused(
        mod, RemovePerson(game.ids["bo"])
    )
    removed = await game.done(mod, RemovePerson(game.ids["bo"], "spam"))
    assert "mod's reason: spam" in removed.reply.lines
    assert not removed.reply.private
    asked = await game.done("cy", JoinEncounter("Lancers"))
    admit = next(button.action for button in asked.reply.buttons if isinstance(button.action, Admit))
    assert "can decide that" in await game.refused(mod, admit)
    end = next(one for one in (await game.do(mod, AskEnd())).reply.buttons if one.label == "End the game")
    assert end.form is not None, "its form asks why"
