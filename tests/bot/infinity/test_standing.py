"""What somebody chose in secret stands when the step above or below it is taken back, or is asked anew."""

from __future__ import annotations

import random

import pytest

from bot.games.infinity.movement_actions import SpendOrder
from bot.games.infinity.order_rows import order_of, reactions_of
from bot.games.infinity.profile_actions import AddModel
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import Resolve
from bot.store.doctor import examine
from bot.table.game import game
from bot.table.journal.history import Redo, Undo
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import NextStep, StartEncounter
from bot.table.session.models import NoteModel
from tests.bot.infinity.field import ANNA, BO, Field
from tests.bot.tables import Table, url_of

MOVE = SpendOrder("Tracker")
LOCKED = Aro("Angus", "shoot", 10)
"""Anna's reaction to Bo's move, which nobody sees before the dice fall."""


@pytest.fixture
async def field(field: Field) -> Field:
    await field.ask(ANNA, NextStep())
    for who in (ANNA, BO):
        await field.ask(who, DiceMode("bot"))
    return field


async def locked(field: Field) -> list[str]:
    encounter = await field.table.encounter()
    return [f"{encounter.model(one.model).name} {one.does}" for one in reactions_of(encounter)]


async def test_undoing_the_end_of_an_order_leaves_the_locked_reaction(field: Field) -> None:
    """The reaction was locked, the Order resolved and undone, and resolved again: it happens again."""
    await field.ask(BO, MOVE)
    await field.ask(ANNA, LOCKED)
    chosen = field.table.state()
    await field.ask(ANNA, Resolve(rest="nothing"))
    closed = field.table.state()
    first = await field.ask(BO, Resolve())
    assert first[0].startswith("Angus")
    undone = await field.ask(BO, Undo())
    assert "The Order is under way again." in undone
    assert field.table.state() == closed
    again = await field.ask(BO, Resolve())
    assert again[: len(first)] == first
    asked = await field.ask(BO, Undo(2))
    assert asked[0] == "bo asks anna to agree to undo this:"
    undone = await field.press(ANNA, "Agree")
    assert field.table.state() == chosen
    assert await locked(field) == ["Angus shoot"]
    assert (await examine(url_of(field.table.file))).faults == ()


async def test_a_step_under_a_locked_reaction_is_taken_out_from_under_it(field: Field) -> None:
    await field.ask(BO, MOVE)
    await field.ask(BO, NoteModel("Tracker", "north"))
    await field.ask(BO, NoteModel("Tracker", "south"))
    await field.ask(ANNA, LOCKED)
    whole = field.table.state()
    assert (await field.ask(BO, Undo()))[0].startswith("Undone: ~~Tracker: south")
    assert (await field.ask(BO, Undo()))[0].startswith("Undone: ~~Tracker: north")
    assert await locked(field) == ["Angus shoot"]
    assert (await examine(url_of(field.table.file))).faults == ()
    assert (await field.ask(BO, Redo()))[0].startswith("Redone: Tracker: north")
    assert (await field.ask(BO, Redo()))[0].startswith("Redone: Tracker: south")
    assert field.table.state() == whole
    assert "nothing to redo" in await field.refused(BO, Redo())
    assert (await examine(url_of(field.table.file))).faults == ()


async def test_what_was_taken_from_under_a_reaction_is_lost_once_the_game_goes_on(field: Field) -> None:
    await field.ask(BO, MOVE)
    await field.ask(BO, NoteModel("Tracker", "north"))
    await field.ask(ANNA, LOCKED)
    await field.ask(BO, Undo())
    await field.ask(BO, NoteModel("Tracker", "west"))
    await field.ask(BO, Undo())
    assert (await field.ask(BO, Redo()))[0].startswith("Redone: Tracker: west")
    assert "nothing to redo" in await field.refused(BO, Redo())
    assert (await examine(url_of(field.table.file))).faults == ()


async def test_with_the_order_its_reaction_goes_and_comes_again_with_it(field: Field) -> None:
    await field.ask(BO, MOVE)
    await field.ask(BO, NoteModel("Tracker", "north"))
    await field.ask(ANNA, LOCKED)
    undone = await field.ask(BO, Undo(2))
    assert "If this Order is declared again, players must choose their AROs again too." in undone
    assert await locked(field) == []
    await field.ask(BO, Redo())
    assert order_of(await field.table.encounter()) is not None
    assert await locked(field) == ["Angus shoot"], "also where a step before it stays undone"
    assert (await field.ask(BO, Redo()))[0].startswith("Redone: Tracker: north")
    assert (await examine(url_of(field.table.file))).faults == ()


async def test_another_order_asks_anew(field: Field) -> None:
    await field.ask(BO, MOVE)
    await field.ask(ANNA, LOCKED)
    await field.ask(BO, Undo())
    await field.ask(BO, SpendOrder("Brute"))
    assert await locked(field) == []
    await field.ask(ANNA, LOCKED)
    assert await locked(field) == ["Angus shoot"]


@pytest.mark.parametrize("number", range(4))
async def test_undo_in_any_order_keeps_the_journal_whole(field: Field, number: int) -> None:
    """Moves, notes, reactions, rolls, undone and redone at random: the doctor finds nothing."""
    dice = random.Random(number)
    scope = (await field.table.loaded()).scope.id
    for _ in range(60):
        action = dice.choice(
            (MOVE, Resolve(), NoteModel("Tracker", str(dice.random())), Roll("2d6"), Undo(), Undo(2), Redo())
        )
        if dice.random() < 0.3:
            await field.table.do(ANNA, LOCKED)
        if dice.random() < 0.3:
            await field.table.do(ANNA, Resolve(rest="nothing"))
        await field.table.do(BO, action, scope=scope)
        kept = {one.model for one in reactions_of(await field.table.encounter())}
        assert not kept or order_of(await field.table.encounter()) is not None
    assert (await examine(url_of(field.table.file))).faults == ()


async def test_one_model_is_a_model(table: Table) -> None:
    await table.done("anna", StartEncounter("infinity"))
    await table.done("anna", AddModel("BS 12, ARM 1, MOV 4-4, W 1", side="Red"))
    panel = game("infinity").panel(await table.encounter())
    assert "Red: 1 model" in panel.lines
