"""A game's own moves and facts on the shared board: measured, told, and taken back together."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.shooting.volleys import Shoot
from bot.store.rows import ModelRow
from bot.table.board.surface import place_of
from bot.table.journal.history import Undo
from bot.table.reaction_windows import window_of
from bot.table.session.board_actions import AddTerrain, ChooseTable, MoveModel, PlaceModel
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from tests.bot.arranging import arrange
from tests.bot.counterblast.ring import active, under
from tests.bot.tables import Table


async def _played(table: Table, system: str, terrain: tuple[AddTerrain, ...] = (), **places: str) -> None:
    """A game of Anna and Bo that has begun on an empty table, with models at these places."""
    await table.done("anna", StartDemo(system))
    await table.done("bo", JoinEncounter((await table.encounter()).sides()[1].name))
    await table.done("anna", ChooseTable("48x48"))
    for piece in terrain:
        await table.done("anna", piece)
    encounter = await table.encounter()
    for name, where in places.items():
        row = encounter.find_model(name.replace("_", " "))
        who = "anna" if row.side == encounter.sides()[0].id else "bo"
        await table.done(who, PlaceModel(row.name, where))
    await table.done("anna", NextStep())


async def _row(table: Table, name: str) -> ModelRow:
    return (await table.encounter()).find_model(name, gone=True)


async def _at(table: Table, name: str) -> Any:
    return place_of(await _row(table, name))


def _text(answer: Any) -> str:
    return str(answer.reply.text)


# ------------------------------------------------------------------------------------ Counterblast


@pytest.mark.rule("CB-MOVE-01", "CB-TERR-02", "CB-TERR-12")
async def test_a_move_of_counterblast_goes_on_the_board_and_pays_for_its_ground(table: Table) -> None:
    hedge = AddTerrain("hedge", "18 20", "0.6", along="22 20")
    wall = AddTerrain("low wall", "28 20", "0.5", along="34 20")
    await _played(table, "counterblast", (hedge, wall), Skip="20 17")
    await arrange(table, "anna", active("Skip"))
    far = await table.refused("anna", Move("Skip", where="6 north"))
    assert "can move at most 5 in" in far, "the hedge is Rugged 1"
    moved = await table.done("anna", Move("Skip", where="5 north"))
    assert "Skip Westmoreland moves 5 in to K14 (20, 22)." in moved.reply.lines
    assert "It crosses hedge (rough 1) for 0.6 in." in moved.reply.lines
    assert "Measured: hedge Rugged 1, 5 in." in _text(moved)
    assert await _at(table, "Skip") == (20, 22)
    await table.done("anna", Undo())
    assert await _at(table, "Skip") == (20, 17)
    await table.done("anna", PlaceModel("Skip", "30 18"))
    over = await table.refused("anna", Move("Skip", where="5 north"))
    assert "at most 4.5 in" in over, "1 in up and 0.5 in through the wall"
    corrected = await table.done("anna", Move("Skip", where="5 north", height=0.5))
    assert "Entered by hand: height 0.5 (the board: 1 in up)" in _text(corrected)
    assert await _at(table, "Skip") == (30, 23)


@pytest.mark.rule("CB-TERR-07")
async def test_dangerous_ground_on_the_way_is_tested(table: Table) -> None:
    pit = AddTerrain("dangerous ground", "20 20", "2")
    await _played(table, "counterblast", (pit,), Skip="20 17")
    await arrange(table, "anna", active("Skip"))
    moved = await table.done("anna", Move("Skip", where="2 north"))
    assert "dangerous ground [2]: Initiative check" in _text(moved)


async def test_moving_on_the_board_while_acting_is_the_games_own_move(table: Table) -> None:
    await _played(table, "counterblast", Skip="20 17")
    await arrange(table, "anna", active("Skip"))
    asked = await table.do("anna", MoveModel("Skip", "6 north"))
    assert asked.reply.private
    assert [one.label for one in asked.reply.buttons] == ["Move", "Only on the board"]
    assert await _at(table, "Skip") == (20, 17)
    await table.press("anna", asked, "Only on the board")
    assert await _at(table, "Skip") == (20, 23)
    twice = await table.do("anna", MoveModel("Skip", "7 north"))
    assert twice.reply.buttons[0].label == "Two Moves"
    await table.press("anna", twice, "Two Moves")
    assert await _at(table, "Skip") == (20, 30)
    ended = await table.do("anna", MoveModel("Skip", "6 south"))
    assert [one.label for one in ended.reply.buttons] == ["Only on the board"]
    assert "This move can't be its action." in _text(ended)
    nudged = await table.done("anna", MoveModel("Skip", "0.1 south"))
    assert "moves 0.1 in" in _text(nudged)


@pytest.mark.rule("CB-OVER-02", "CB-LOS-02")
async def test_overwatch_is_asked_where_the_mover_comes_into_sight(table: Table) -> None:
    """A wall between them: behind it nobody is asked; past its end the shot is measured at that place."""
    wall = AddTerrain("wall", "14 22", "0.5", along="24 22")
    await _played(table, "counterblast", (wall,), Trapper="20 24", Sally="20 20")
    await arrange(table, "anna", active("Trapper"), under("overwatch", "Sally"))
    await table.done("bo", Move("Trapper", where="2 east"))
    assert window_of(await table.encounter()) is None
    await table.done("bo", Undo())
    await table.do("bo", Move("Trapper", where="7 east then 1 south", moves=2))
    assert window_of(await table.encounter()) is not None
    assert await _at(table, "Trapper") == (20, 24), "it waits before it moves on"
    fired = await table.do("anna", Shoot("Sally", "Trapper", mode="overwatch"))
    assert "Measured: 6.4 in" in _text(fired), _text(fired)


@pytest.mark.rule("CB-CHARGE-04", "CB-CHARGE-05")
async def test_a_charge_ends_in_contact_and_only_those_near_step_in(table: Table) -> None:
    places = {"Sally": "20 17", "Trapper": "20 21", "Edo_Guardling": "21.5 21", "Edo_Spawnling": "30 21"}
    await _played(table, "counterblast", **places)
    await arrange(table, "anna", active("Sally"))
    charged = await table.done("anna", Charge("Sally", "Trapper"))
    while not charged.reply.menus and any(one.label == "Don't shoot" for one in charged.reply.buttons):
        charged = await table.press("bo", charged, "Don't shoot")
    at, other = await _at(table, "Sally"), await _at(table, "Trapper")
    assert abs(other[1] - at[1]) < 1.6
    choices = [one.label for one in charged.reply.menus[0].choices] if charged.reply.menus else []
    assert any("Guardling" in one for one in choices), _text(charged)
    assert not any("Spawnling" in one for one in choices)
