"""The board: laid, filled, lit, shown; who may stand where; the text's diagrams as figures on it."""

from __future__ import annotations

import io
from typing import get_args

import pytest
from PIL import Image

from bot.actions import to_json
from bot.games.soluna.attack_declaration import Attack
from bot.games.soluna.board import board_of
from bot.games.soluna.board_actions import LIGHTS, AddObject, ChangeObject, NewBoard, Surround
from bot.games.soluna.look_actions import Look, ShowBoard
from bot.games.soluna.model_actions import AddModel
from bot.games.soluna.move_actions import Pass, PlaceModel
from bot.replies.reply import COLUMNS, Reply
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import AddCondition
from rules.systems.soluna.board import Facing, Light
from tests.bot.soluna.yard import ANNA, BO, MEENA, XUL, opened
from tests.bot.tables import Table

WALL = AddObject("wall", "4,4")


def rows(reply: Reply) -> list[str]:
    """The board's lines among those of a reply."""
    lines = list(reply.lines)
    first = lines.index("```")
    return lines[first + 1 : lines.index("```", first + 1)]


@pytest.mark.rule("SU-REACH-01")
async def test_the_printed_reach_diagram(table: Table) -> None:
    """Row f=2: 3 2 2 2 3; f=1: 3 2 1 2 3; to the east 2 3; directly behind 1; walls to the west."""
    await opened(
        table,
        (MEENA, "2,1", "north"),
        (XUL, "6,5", "south"),
        board="7x6",
        objects=(AddObject("wall", "0,1-1,1"),),
    )
    shown = (await table.do(ANNA, Look("Meena"))).reply
    assert shown.private
    drawn = rows(shown)
    assert [line[3:8] for line in drawn[-5:-1]] == ["32223", "32123", "##M23", "..1.."]


async def test_every_window_of_text_fits_a_phone(table: Table) -> None:
    await opened(table, (MEENA, "2,1", "north"), (XUL, "90,80", "south"), board="100x90")
    corner = (await table.do(ANNA, ShowBoard())).reply
    near = (await table.do(ANNA, ShowBoard("Xul"))).reply
    for reply in (corner, near):
        assert all(len(line) <= COLUMNS for line in rows(reply))
    assert any("a" in line for line in rows(near))
    assert {button.label for button in corner.buttons} == {"East", "South", "Refresh"}
    assert {button.label for button in near.buttons} >= {"West", "South"}


async def test_pictures_are_pngs_with_words(table: Table) -> None:
    await opened(table, (MEENA, "2,1", "north"), (XUL, "6,5", "south"))
    (file,) = (await table.do(ANNA, Look("Meena", "Xul"))).reply.files
    with Image.open(io.BytesIO(file.data)) as image:
        assert image.format == "PNG"
        assert max(image.size) <= 1600
    assert "Meena to Xul: clear" in file.words
    assert "Meena 2,1 north" in file.words
    assert len(file.words) <= 1024


@pytest.mark.rule("SU-GRID-00")
async def test_squares_off_the_board_or_taken_are_refused_with_the_reason(table: Table) -> None:
    yard = await opened(
        table,
        (MEENA, "2,1", "north"),
        (XUL, "6,5", "south"),
        begin=False,
        objects=(WALL,),
    )
    assert "Pick a square from 0,0 to 11,11. 12,3 is outside the board." in await yard.refused(
        ANNA, PlaceModel("Meena", "12,3")
    )
    assert "Xul is on 6,5" in await yard.refused(ANNA, PlaceModel("Meena", "6,5"))
    assert "4,4 is occupied (wall)." in await yard.refused(ANNA, PlaceModel("Meena", "4,4"))
    assert "3,4" in await yard.refused(ANNA, PlaceModel("Meena", "west corner"))
    lines = await yard.ask(ANNA, PlaceModel("Meena", "3,3", "Xul"))
    assert lines == ["Meena is placed on 3,3, facing east."]
    await yard.ask(ANNA, PlaceModel("Meena", "2,1", "north"))
    assert "Meena is on 2,1" in await yard.refused(ANNA, AddObject("box", "2,1-3,1"))
    assert "4,4 is occupied (wall)." in await yard.refused(ANNA, AddObject("box", "3,4-4,4"))
    assert "not yours" in await yard.refused(BO, PlaceModel("Meena", "3,3"))


@pytest.mark.rule("SU-COV-04")
async def test_objects_have_a_body_and_a_class(table: Table) -> None:
    yard = await opened(table, (MEENA, "2,1", "north"), (XUL, "6,5", "south"))
    classes = {3: "slight", 4: "soft", 6: "soft", 7: "hard", 12: "hard", 13: "impenetrable"}
    for body, word in classes.items():
        lines = await yard.ask(ANNA, AddObject("crate", f"{body - 3},9", body))
        assert f"Body {body}, {word}" in lines[0]
    assert (await yard.ask(ANNA, ChangeObject("crate 2", 0)))[0] == "crate 2: debris"
    assert (await yard.ask(ANNA, ChangeObject("crate 3")))[0] == "crate 3 is removed."
    board = board_of(await yard.encounter())
    assert sorted(o.body for o in board.obstacles) == [0, 3, 7, 12, 13]


async def test_light_weather_and_gravity(table: Table) -> None:
    yard = await opened(table, (MEENA, "2,1", "north"), (XUL, "6,5", "south"))
    lines = await yard.ask(ANNA, Surround("total dark", "poor", 2, "east"))
    assert lines == ["The board now has total darkness, poor visibility and gravity 2 (east)."]
    board = board_of(await yard.encounter())
    assert (board.light, board.weather) == ("total_dark", "poor")
    assert (board.gravity, board.gravity_direction) == (2, "east")
    await yard.ask(ANNA, Surround("normal"))
    assert board_of(await yard.encounter()).weather == "poor"
    assert {*LIGHTS.values()} == {*get_args(Light)}
    lines = await yard.ask(ANNA, Surround("extremely bright"))
    assert lines == ["The board now has extremely bright light, poor visibility and gravity 2 (east)."]


@pytest.mark.rule("SU-VIS-01")
async def test_a_lit_model_is_looked_at_as_it_is_attacked(table: Table) -> None:
    yard = await opened(table, (MEENA, "2,1", "north"), (XUL, "2,5", "south"))
    await table.done(ANNA, Surround("dark"))
    assert "Reach 4 (counts as 8)" in await yard.ask(ANNA, Look("Meena", "Xul"))
    await table.done(BO, AddCondition("Xul", "lit"))
    assert "Reach 4" in await yard.ask(ANNA, Look("Meena", "Xul"))


async def test_artifacts_are_seen_on_the_board(table: Table) -> None:
    yard = await opened(table, (MEENA, "2,1", "north"), (XUL, "2,5", "south"))
    plain = (await table.do(ANNA, ShowBoard())).reply.files[0].data
    lines = await yard.ask(ANNA, AddObject("Orb", "4,3", 5, artifact=True))
    assert lines == ["Orb: Artifact, Health 5, on 4,3"]
    reply = (await table.do(ANNA, ShowBoard())).reply
    assert rows(reply)[-5][3:] == "....&......."
    assert "& Orb: Artifact, Health 5, on 4,3" in reply.lines
    assert "Artifact Orb 4,3" in reply.files[0].words
    assert reply.files[0].data != plain
    assert rows((await table.do(ANNA, Look("Meena"))).reply)[-5][3 + 4] == "&"


async def test_a_new_board_ends_what_ran_on_the_old_one(table: Table) -> None:
    yard = await opened(table, (MEENA, "2,1", "north"), (XUL, "2,6", "south"))
    await yard.ask(ANNA, Attack("Meena", "4,4", "Wave"))
    assert any("keeps spreading" in line for line in yard.answer.reply.lines)
    await yard.ask(ANNA, NewBoard("8x8"))
    await yard.ask(BO, Pass(every=True))
    assert not any("ring" in line for line in await yard.ask(ANNA, NextStep()))


async def test_a_side_named_with_the_command_is_not_asked_for_again(table: Table) -> None:
    await opened(table, (MEENA, "2,1", "north"), (XUL, "2,6", "south"), begin=False)
    (button,) = (await table.do(ANNA, AddModel(side="Dawn"))).reply.buttons
    assert to_json(button.action) == to_json(AddModel(side="Dawn"))
    assert button.form is not None
    assert [blank.name for blank in button.form.blanks] == ["text"]
    (button,) = (await table.do(ANNA, AddModel())).reply.buttons
    assert button.form is not None
    assert [blank.name for blank in button.form.blanks] == ["text", "side"]


async def test_a_board_that_is_drawn_with_models(table: Table) -> None:
    yard = await opened(
        table, (MEENA, "2,1", "north"), (XUL, "5,5", "south"), begin=False, drawing="......\n" * 6
    )
    await yard.ask(ANNA, NewBoard(drawing="....##\n....##\n......\n...M.."))
    board = board_of(await yard.encounter())
    assert (board.width, board.height) == (6, 4)
    assert {piece.id: piece.square for piece in board.pieces} == {1: (3, 0)}
    assert "Taken off the board: Xul." in yard.answer.reply.lines
    await yard.ask(ANNA, NewBoard("12x12"))
    assert [piece.id for piece in board_of(await yard.encounter()).pieces] == [1]
    assert "M is drawn twice" in await yard.refused(ANNA, NewBoard(drawing="MM\n.."))
    assert "1 to 100" in await yard.refused(ANNA, NewBoard("200x4"))


async def test_the_demo_stands_on_its_board(table: Table) -> None:
    await table.done(ANNA, StartDemo("soluna"))
    encounter = await table.encounter()
    board = board_of(encounter)
    assert len(board.pieces) == 6
    assert {piece.facing for piece in board.pieces} == {Facing.NORTH, Facing.SOUTH}
    assert len(board.obstacles) == 5


@pytest.mark.rule("SU-LOS-07")
async def test_the_worked_example_of_sight(table: Table) -> None:
    """Meena on the wall's corner: A hidden, B and C clear."""
    await opened(
        table,
        (MEENA, "3,1", "north"),
        (XUL, "9,9", "south"),
        objects=(AddObject("wall", "1,1-2,1"),),
    )
    hidden = (await table.do(ANNA, Look("Meena", "1,2"))).reply
    assert hidden.lines[0] == "Meena to 1,2: hidden (-4 Accuracy)"
    assert sum("blocked" in line for line in hidden.lines) == 2
    for square in ("3,2", "5,3"):
        clear = (await table.do(ANNA, Look("Meena", square))).reply
        assert clear.lines[0] == f"Meena to {square}: clear"
    cover = (await table.do(ANNA, Look("Meena", "3,2"))).reply
    assert "Cover: wall, Body 7" in cover.lines
    assert not any("Cover" in line for line in (await table.do(ANNA, Look("Meena", "5,3"))).reply.lines)
