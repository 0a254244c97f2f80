"""The shared board: tables, terrain, models by words; who may, bad input, undo, and what is hidden."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.actions import part_of_doer, raw_of
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.templates.template_attacks import Template
from bot.games.infinity import concealment
from bot.games.infinity.profile_actions import AddModel
from bot.games.warzone.close_combat_actions import Charge
from bot.replies import board_picture
from bot.replies.photo import made_small
from bot.store.side_tables import drop_unshown_pictures, keep_picture, stored_pictures
from bot.table.act import Actor
from bot.table.asking.descriptions import options_of
from bot.table.asking.reading import typed_action
from bot.table.board import layouts, showing
from bot.table.board.surface import Board, Photo, board_of, hidden_places, place_of
from bot.table.encounter import Encounter
from bot.table.game import MovesOnBoard, game_of
from bot.table.journal.history import Redo, Undo
from bot.table.odds.targets import MeasureModels
from bot.table.session.board_actions import (
    AddTerrain,
    ChooseTable,
    DeploySide,
    ExportTable,
    FitPhoto,
    HideModel,
    ImportTable,
    LayPhoto,
    MoveModel,
    PlaceModel,
    PutAway,
    RemovePhoto,
    RemoveTerrain,
    ShowBoard,
    TakeOff,
)
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.session.preparations import SetUp
from bot.table.session.saved_tables import DropTable, LoadTable, SaveTable
from rules.refusals import InvalidInput
from tests.bot.tables import Table, contents
from tests.played import ROOT, Played


async def _laid(table: Table, system: str = "counterblast", at: str = "Crossroads") -> None:
    """Anna and Bo at a table with a board, on which everybody is deployed."""
    await table.done("anna", StartDemo(system))
    sides = [side.name for side in (await table.encounter()).sides()]
    await table.done("bo", JoinEncounter(sides[1]))
    await table.done("anna", ChooseTable(at))
    await table.done("anna", DeploySide(sides[0]))
    await table.done("bo", DeploySide(sides[1]))


async def _place(table: Table, name: str) -> Any:
    encounter = await table.encounter()
    return place_of(encounter.find_model(name, gone=True))


@pytest.mark.parametrize("system", ["counterblast", "infinity", "warzone", "fracd_earth"])
async def test_every_game_in_inches_has_tables_and_deploys_on_them(table: Table, system: str) -> None:
    assert layouts.tables_for(system)
    await _laid(table, system, "")
    encounter = await table.encounter()
    board = board_of(encounter)
    assert board is not None
    assert set(board.standing) == {row.id for row in encounter.models()}
    shown = await table.do("anna", ShowBoard())
    assert shown.reply.private
    assert not shown.changed


@pytest.mark.parametrize("system", ["counterblast", "infinity", "warzone", "fracd_earth"])
async def test_every_games_own_move_can_be_sent_as_a_line(table: Table, system: str) -> None:
    """Each of its values has an option, so that nothing of it is lost."""
    await table.done("anna", StartDemo(system))
    encounter = await table.encounter()
    game = game_of(encounter)
    assert isinstance(game, MovesOnBoard)
    for row in encounter.models():
        for label, move in game.board_moves(encounter, row).items():
            who = part_of_doer(move.command)
            options = {part.name for part in options_of(type(move))}
            assert who is not None
            assert {*raw_of(move), who.name, "where"} <= options, label


async def test_a_game_on_squares_has_its_own_board(table: Table) -> None:
    await table.done("anna", StartDemo("soluna"))
    assert "the game's own board" in (await table.do("anna", ChooseTable())).reply.text


async def test_models_move_by_words_and_undo_takes_it_back(table: Table) -> None:
    await _laid(table)
    before = await _place(table, "Sally")
    moved = await table.done("anna", MoveModel("Sally", "6 north then 2 east"))
    assert "moves 8 in" in moved.reply.text
    after = await _place(table, "Sally")
    assert after == (before[0] + 2, before[1] + 6)
    await table.done("anna", Undo())
    assert await _place(table, "Sally") == before
    await table.done("anna", Redo())
    assert await _place(table, "Sally") == after
    await table.done("anna", PlaceModel("Sally", "D7"))
    assert await _place(table, "Sally") == (7, 35)
    await table.done("anna", PlaceModel("Smap", "3 35"))
    touched = await table.done("anna", MoveModel("Smap", "into contact with Sally"))
    assert "Smap is now in base contact with Sally Starfield." in touched.reply.text
    stopped = await table.done("anna", MoveModel("Wanda", "99 towards Sally"))
    assert "in base contact" in stopped.reply.text
    await table.done("anna", TakeOff("Sally"))
    assert await _place(table, "Sally") is None


async def test_a_refusal_says_who_knows_the_distance(table: Table) -> None:
    """The board measured it where nobody entered it."""
    await _laid(table, "warzone", "")
    await table.done("anna", NextStep())
    told = (await table.do("anna", Charge("Colonel Voss", "Maelgor", odds=True))).reply.text
    assert "can charge at most 4 in (" in told
    assert "(the board measures " in told
    typed = (await table.do("anna", Charge("Colonel Voss", "Maelgor", distance=40.0, odds=True))).reply.text
    assert "can charge at most 4 in (you entered 40)." in typed


async def test_a_model_is_moved_by_its_player_and_the_table_changed_before_the_game(table: Table) -> None:
    await _laid(table)
    for action in (
        MoveModel("Sally", "D7"),
        PlaceModel("Sally", "D7"),
        TakeOff("Sally"),
        DeploySide("Lancers"),
    ):
        assert not (await table.do("bo", action)).changed
    for action in (ChooseTable(), AddTerrain("wall", "D7"), PutAway(), RemoveTerrain("woods")):
        assert not (await table.do("carla", action)).changed, "she has no place here"
    await table.done("bo", AddTerrain("wall", "K18", "3x1"))
    await table.done("anna", NextStep())
    for action in (ChooseTable(), AddTerrain("wall", "D7"), PutAway(), RemoveTerrain("woods")):
        answer = await table.do("bo", action)
        assert not answer.changed
        assert "organiser" in answer.reply.text
    await table.done("anna", RemoveTerrain("woods"))


BAD = (
    PlaceModel("Sally", "99 99"),
    PlaceModel("Sally", "0 0"),
    PlaceModel("Sally", "Z77"),
    PlaceModel("Sally", "nowhere at all"),
    PlaceModel("Sally", "24 24"),
    PlaceModel("Sally", "D7", level=-2.0, base=999),
    MoveModel("Sally", "to Smap"),
    MoveModel("Sally", "80 north"),
    MoveModel("Sally", " then ".join(["1 north"] * 20)),
    MoveModel("Sally", "-3 north"),
    MoveModel("Sally", ""),
    MoveModel("Sally", "6 towards nobody"),
    MoveModel("Sally", "6 north level 99"),
    MoveModel("Sally", "6 north facing nobody"),
    MoveModel("Sally", "x" + " " * 5000 + "facing" * 100),
    Move("Sally", where="80 north"),
    Move("Sally", where="6 towards nobody"),
    Template("Skip", spot="Z99"),
    Template("Skip", spot="nowhere at all"),
    AddTerrain("wall", "47 47", "6x6"),
    AddTerrain("wall", "20 20; 22 22; 22 20; 20 22"),
    AddTerrain("wall", "D7", "0x4"),
    AddTerrain("wall", "D7", "0.05x4"),
    AddTerrain("wall", "D7", "9999"),
    AddTerrain("wall", "D7", "a by b"),
    AddTerrain("wall", "D7", along="D7"),
    AddTerrain("lava flow", "D7"),
    AddTerrain("wall", ""),
    AddTerrain("building", "24 7", "4x4"),
    AddTerrain("wall", ";".join(["D7"] * 200)),
    ChooseTable("1x1"),
    ChooseTable("9999x9999"),
    ChooseTable("Nowhere"),
    RemoveTerrain("nothing"),
    ImportTable("{}"),
    ImportTable("no json"),
    ImportTable("[" * 50_000),
)


@pytest.mark.parametrize("action", BAD, ids=[f"{one.command} {number}" for number, one in enumerate(BAD)])
async def test_bad_input_is_told_and_changes_nothing(table: Table, action: Any) -> None:
    await _laid(table)
    before = contents(table.file, "things", "models")
    answer = await table.do("anna", action)
    assert answer.reply.private
    assert not answer.changed
    assert answer.reply.lines
    assert contents(table.file, "things", "models") == before


async def test_a_level_in_the_air_and_another_base_are_told(table: Table) -> None:
    await _laid(table)
    await table.done("anna", AddTerrain("building", "20 20", "4x4", height=3.0))
    air = "No terrain at that place supports the model at level 3."
    assert air not in (await table.done("anna", PlaceModel("Sally", "20 20", level=3.0))).reply.lines
    assert air in (await table.done("anna", PlaceModel("Sally", "30 20", level=3.0))).reply.lines
    assert air in (await table.done("anna", MoveModel("Sally", "1 north level 3"))).reply.lines
    wider = await table.done("anna", PlaceModel("Sally", "30 24", base=60))
    assert "Its base is now 60 mm wide." in wider.reply.lines


THIN = ("wall", "low wall", "fence", "wire fence")


@pytest.mark.parametrize("kind", THIN)
async def test_nothing_stands_on_top_of_a_thin_obstacle_or_in_it(table: Table, kind: str) -> None:
    """Half its base is as wide as that, or wider: beside it there is room, on a roof as well."""
    await _laid(table)
    await table.done("anna", AddTerrain(kind, "20 20", "0.5", along="26 20", name="obstacle"))
    top = layouts.KINDS[kind]["height"]
    for action in (PlaceModel("Sally", "23 20.1"), MoveModel("Sally", "to 23 20.1")):
        refused = await table.refused("anna", action)
        assert refused == "Choose another place, because obstacle is in the way."
        refused = await table.refused("anna", replace(action, level=float(top)))
        assert refused == "Choose another place. The top of obstacle is too narrow for this base."
    await table.done("anna", PlaceModel("Sally", "23 20.5"))
    assert "level 4" in await table.refused("anna", PlaceModel("Sally", "24 24"))
    await table.done("anna", PlaceModel("Sally", "24 24", level=4.0))
    await table.done("anna", MoveModel("Sally", "2 west"))
    assert "level 4" in showing.in_words(await table.encounter())


async def test_a_wide_base_needs_a_wider_top(table: Table) -> None:
    """A top of 1.2 in carries a base of 30 mm (three quarters of it: 0.89 in) and none of 60 mm (1.77 in)."""
    await _laid(table)
    await table.done("anna", AddTerrain("crates", "20 20", "2.5x1.2"))
    await table.done("anna", PlaceModel("Sally", "20 20", level=1.0))
    narrow = await table.refused("anna", PlaceModel("Sally", "20 20", level=1.0, base=60))
    assert narrow == "Choose another place. The top of crates 5 is too narrow for this base."


async def test_without_a_table_every_command_says_what_to_do(table: Table) -> None:
    await table.done("anna", StartDemo("counterblast"))
    for action in (
        MoveModel("Sally", "D7"),
        PlaceModel("Sally", "D7"),
        DeploySide("Lancers"),
        MeasureModels("Sally", "Trapper"),
        ShowBoard(),
        ExportTable(),
        AddTerrain("wall", "D7"),
        PutAway(),
    ):
        assert "/board table" in (await table.do("anna", action)).reply.text


# ------------------------------------------------------------------------------------------- layouts


def _forged(**changes: Any) -> str:
    board = layouts.standard_tables()[0].board
    return json.dumps({**json.loads(layouts.exported(board, "x")), **changes})


ONE = json.loads(_forged())["terrain"][0]

FORGED = (
    _forged(terrain=[ONE] * 1000),
    _forged(size=[48, 1e9]),
    _forged(size=[48, "x"]),
    _forged(size=[float("nan"), 48]),
    _forged(terrain=[{**ONE, "points": [[900, 3]]}]),
    _forged(terrain=[{**ONE, "form": "polygon", "points": [[1, 1], [5, 5], [5, 1], [1, 5]], "numbers": []}]),
    _forged(terrain=[{**ONE, "form": "star"}]),
    _forged(terrain=[{**ONE, "numbers": [1e300, 2, 3]}]),
    _forged(terrain=[{**ONE, "cover": 99}]),
    _forged(terrain=[{**ONE, "top": -4}]),
    _forged(terrain=[{**ONE, "kind": "<b>"}]),
    _forged(terrain=[7]),
    _forged(areas=[{"name": "x", "kind": "deployment", "side": 9}]),
    _forged(areas=7),
    "x" * 100_000,
)


@pytest.mark.parametrize("layout", FORGED, ids=range(len(FORGED)))
async def test_a_forged_layout_is_refused_with_a_sentence(table: Table, layout: str) -> None:
    await _laid(table)
    before = contents(table.file, "things")
    answer = await table.do("anna", ImportTable(layout))
    assert answer.reply.private
    assert not answer.changed
    assert contents(table.file, "things") == before


async def test_a_layout_comes_back_as_it_was(table: Table) -> None:
    await _laid(table)
    await table.done("anna", AddTerrain("hedge", "20 40", along="26 40", name="long hedge"))
    before = board_of(await table.encounter())
    file = (await table.do("bo", ExportTable())).reply.files[0]
    await table.done("anna", ChooseTable("36x36"))
    await table.done("bo", ImportTable(file.data.decode()))
    after = board_of(await table.encounter())
    assert before is not None
    assert after is not None
    assert [(one.name, one.shape, one.top, one.cover) for one in after.terrain] == [
        (one.name, one.shape, one.top, one.cover) for one in before.terrain
    ]


# ------------------------------------------------------------------------------------------- shown


async def test_the_picture_is_small_and_tells_in_words_who_stands_where(table: Table) -> None:
    await _laid(table)
    encounter = await table.encounter()
    made = showing.picture(encounter)
    assert len(made.content) < 200_000
    assert Image.open(BytesIO(made.content)).size == (1000, 1000)
    assert "Sally Starfield at" in made.words
    drawn = showing.svg(encounter)
    assert drawn.startswith("<svg")
    assert drawn.count('class="base') == len(encounter.models())


def test_a_dashed_line_is_dashed_to_its_end() -> None:
    dashes = list(board_picture._dashes([(0.0, 0.0), (60.0, 0.0), (60.0, 44.0)], 8.0, 5.0))
    assert len(dashes) >= 8
    inked = sum(abs(ax - bx) + abs(ay - by) for (ax, ay), (bx, by) in dashes)
    assert inked == pytest.approx(8 * 8.0, abs=0.1)
    assert dashes[-1][1] == pytest.approx((60.0, 39.0), abs=0.1)


async def test_names_are_harmless_in_the_drawing(table: Table) -> None:
    await _laid(table)
    named = _forged(terrain=[{**ONE, "name": "<script>x"}])
    await table.done("anna", ImportTable(named))
    assert "scriptx" in showing.svg(await table.encounter())
    assert "<script>" not in showing.svg(await table.encounter())


async def test_the_place_of_a_hidden_trooper_is_offered_in_set_up_to_its_side_alone(table: Table) -> None:
    await table.done("anna", StartDemo("infinity"))
    await table.done("bo", JoinEncounter("Nightfall"))

    async def offered(who: str) -> list[str]:
        return [button.label for button in (await table.do(who, SetUp())).reply.buttons]

    assert "Place a hidden model" not in await offered("anna")
    await table.done("anna", ChooseTable("Streets"))
    assert "Place a hidden model" in await offered("anna")
    assert "Place a hidden model" not in await offered("bo")


async def test_where_a_hidden_trooper_is_only_its_side_learns(table: Table) -> None:
    await _laid(table, "infinity", "")
    encounter = await table.encounter()
    theirs, mine = (side.id for side in encounter.sides())
    await table.done("anna", AddModel("Wraith", "Ghost", hidden=True))
    encounter = await table.encounter()
    veil = concealment.hidden_troopers(encounter, theirs)[0]
    side = encounter.side(theirs).name
    said = await table.do("anna", HideModel(side, veil.name, "20 40"))
    assert said.reply.private
    encounter = await table.encounter()
    assert hidden_places(encounter, theirs)
    assert not hidden_places(encounter, mine)
    everybody = showing.svg(encounter) + showing.in_words(encounter)
    assert "hidden" not in everybody
    assert veil.name not in everybody
    assert f"{veil.name} hidden at" in showing.in_words(encounter, table.actor("anna").user_id)
    assert veil.name not in (await table.do("bo", ShowBoard())).reply.text
    assert veil.name in (await table.do("anna", ShowBoard())).reply.text
    assert not (await table.do("bo", HideModel(side, veil.name, "9 9"))).changed
    await table.done("anna", AddTerrain("fence", "20 20", "0.3", along="26 20"))
    assert "too narrow" in await table.refused("anna", HideModel(side, veil.name, "23 20"))
    removed = await table.press("anna", said, "Remove the note")
    assert removed.reply.lines == (
        f"The note about {veil.name} has been removed.",
        "Only you can see this message.",
    )
    assert not hidden_places(await table.encounter(), theirs)


@pytest.mark.parametrize("name", ["board_counterblast", "board_infinity"])
def test_shots_on_a_board_take_three_presses_and_no_typed_distance(name: str, played: Played) -> None:
    shown = played.transcript(name)
    assert "Measured:" in shown
    lines = (ROOT / "examples" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    shots = "\n".join(lines).split("# shot")[1:]
    for shot in shots:
        steps = [line for line in shot.split("# end")[0].splitlines() if "press" in line or "m" in line[:2]]
        assert len(steps) <= 3
        assert "distance:" not in shot.split("# end")[0]


# ------------------------------------------------------------------------------------------- a photograph


def _file(kind: str, *size: int) -> bytes:
    stream = BytesIO()
    Image.new("L", size, 90).save(stream, kind)
    return stream.getvalue()


async def test_a_photograph_lies_under_the_board_is_set_to_scale_and_undone(table: Table) -> None:
    await _laid(table)
    digest = await keep_picture(table.desk.store, 10, 100, made_small(_file("JPEG", 400, 300)))
    await table.done("anna", LayPhoto(digest))
    await table.done("bo", FitPhoto("4 40", "44 4"))
    board = board_of(await table.encounter())
    assert board is not None
    assert board.photo == Photo(digest, -4.8, -5.33, 52.8, 58.67)
    assert f"/photo/{digest}.jpg" in showing.svg(await table.encounter())
    assert "over a photograph" in showing.in_words(await table.encounter())
    await drop_unshown_pictures(table.desk.store)
    assert await stored_pictures(table.desk.store, 10, [digest])
    for bad in (FitPhoto("4 40", "5 4"), FitPhoto("4 40", "nowhere"), LayPhoto("x" * 64), LayPhoto("ab")):
        assert not (await table.do("anna", bad)).changed
    await table.done("bo", Undo())
    board = board_of(await table.encounter())
    assert board is not None
    assert board.photo == Photo(digest, 0.0, 0.0, 48.0, 48.0)
    await table.done("anna", RemovePhoto())
    assert "<image" not in showing.svg(await table.encounter())
    assert not (await table.do("anna", RemovePhoto())).changed


@pytest.mark.parametrize(
    "data",
    [b"x" * 50_000_000, b"\xff\xd8\xff\xe0 forged", b"GIF89a", _file("PNG", 9_000, 6_000), b""],
    ids=["50 MB", "forged", "another type", "a bomb", "empty"],
)
def test_what_is_no_good_photograph_is_told(data: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"^Send a"):
        made_small(data)


async def test_a_table_is_saved_for_the_whole_server_and_set_up_in_another_game(table: Table) -> None:
    """By name, as its maker left it; other servers and other people's names stay as they are."""
    anna, bo = table.actor("anna"), table.actor("bo", channel=77)

    async def loading(actor: Actor, name: str) -> LoadTable:
        action = await typed_action(table.desk.store, actor, LoadTable, {"layout": name})
        assert isinstance(action, LoadTable)
        return action

    assert "There is no board yet" in await table.refused("anna", SaveTable("Docks"))
    with pytest.raises(InvalidInput, match="no saved tables here yet"):
        await loading(anna, "docks")
    await table.done("anna", StartDemo("counterblast"))
    await table.done("anna", ChooseTable("36x36"))
    await table.done("anna", AddTerrain("woods", "18 18", "3"))
    await table.done("anna", SaveTable("Docks"))
    await table.done("anna", AddTerrain("hill", "8 8", "3"))
    await table.done(bo, StartDemo("infinity"))
    await table.done(bo, await loading(bo, "docks"))
    loaded = await table.desk.store.load(await table.desk.store.running_encounter(77))
    board = board_of(Encounter(loaded.book()))
    assert board is not None
    assert (board.width, [piece.name for piece in board.terrain]) == (36, ["woods"])
    assert "Only the person who saved Docks or a channel manager can" in await table.refused(
        bo, SaveTable("docks")
    )
    assert "Only the person who saved Docks or a channel manager can" in await table.refused(
        bo, DropTable("docks")
    )
    with pytest.raises(InvalidInput, match="no saved tables here yet"):
        await loading(table.actor("anna", guild=99), "docks")
    await table.done("anna", SaveTable("Docks"))
    await table.done("anna", await loading(anna, "Docks"))
    board = board_of(await table.encounter())
    assert board is not None
    assert [piece.name for piece in board.terrain] == ["woods", "hill"]
    await table.done("anna", DropTable("docks"))
    with pytest.raises(InvalidInput, match="no saved tables here yet"):
        await loading(anna, "docks")


async def test_a_game_on_squares_takes_no_layout_in_inches(table: Table) -> None:
    board = Board(24, 24)
    await table.done("anna", StartDemo("soluna"))
    refused = await table.refused("anna", ImportTable(layouts.exported(board, "x")))
    assert "played on squares" in refused
