"""A game with a board is exported, verified, replayed and filmed; a forged place is refused."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.app import open_desk
from bot.store.engine import database_url
from bot.table.board.surface import board_of
from bot.table.campaign import story
from bot.table.campaign.story_files import Chapter, Story, as_html
from bot.table.journal.history import Undo
from bot.table.journal.log import Export
from bot.table.referee.checks import Forged
from bot.table.referee.film import MAX_BYTES, ShowFilm, draw_still, list_stages, list_turn_ends, make_film
from bot.table.referee.game_replay import referee
from bot.table.referee.replay_story import Replay
from bot.table.session.board_actions import ChooseTable, DeploySide, MoveModel, PlaceModel
from bot.table.session.encounters import EndEncounter, JoinEncounter, StartDemo
from tests.bot.tables import Table
from tests.bot.test_fair_dice import sealed
from tests.played import Played


async def set_up(table: Table) -> None:
    await table.done("anna", StartDemo("counterblast"))
    sides = [side.name for side in (await table.encounter()).sides()]
    await table.done("bo", JoinEncounter(sides[1]))
    await table.done("anna", ChooseTable("Crossroads"))
    await table.done("anna", DeploySide(sides[0]))
    await table.done("bo", DeploySide(sides[1]))
    await table.done("anna", PlaceModel("Sally", "18 14"))
    await table.done("bo", PlaceModel("Trapper", "30 30"))


async def _exported(table: Table) -> dict[str, Any]:
    await table.done("anna", EndEncounter())
    export: dict[str, Any] = json.loads((await table.do("bo", Export())).reply.files[0].data)
    return export


async def test_a_game_with_a_board_is_verified_whole(table: Table) -> None:
    await set_up(table)
    await table.done("anna", Undo())
    assert (await referee(sealed(await _exported(table)))).whole


@pytest.mark.parametrize("column", ["changes", "both"])
async def test_a_forged_place_is_refused_and_the_entry_named(table: Table, column: str) -> None:
    await set_up(table)
    export = await _exported(table)
    entry = next(one for one in export["entries"] if "Sally" in one["title"] and "18 14" in one["asked"])
    assert "1401" in entry["changes"]
    entry["changes"] = entry["changes"].replace("1401", "2401")
    if column == "both":
        entry["reply"] = entry["reply"].replace("14", "24")
        entry["title"] = entry["title"].replace("14", "24")
    with pytest.raises(Forged, match=rf"^Entry {entry['seq']}\b"):
        await referee(sealed(export))


async def test_a_film_goes_step_by_step_and_leaves_out_what_is_undone(table: Table) -> None:
    await set_up(table)
    await table.done("bo", Undo())
    entries, undone = await table.desk.store.all_entries(1), await table.desk.store.undone_among(1, 1)
    found = list(list_stages(1, entries, undone))
    assert [one.title.partition(" is now at")[0] for one in found][-1] == "Sally Starfield"
    sally = next(piece for piece in found[-1].drawn.pieces if piece.name == "Sally Starfield")
    assert sally.at == (18.0, 14.0)
    file = (await table.do("cy", ShowFilm())).reply.files[0]
    assert file.name == "film.gif"
    assert len(file.data) <= MAX_BYTES
    assert getattr(Image.open(BytesIO(file.data)), "n_frames", 1) > len(found)
    assert len(make_film(found * 50)) <= MAX_BYTES
    assert list_turn_ends(found) == []
    assert len(draw_still(found[-1])) < 30_000


async def test_a_replay_shows_the_board_as_it_was(table: Table) -> None:
    await set_up(table)
    now = board_of(await table.encounter())
    assert now is not None
    first, last = [(await table.do("cy", Replay(at=at))).reply.files[0] for at in (3, -1)]
    assert "Sally Starfield at" in first.words
    assert "(30, 30)" not in first.words
    assert "(30, 30)" in last.words
    assert (await table.do("cy", Replay(at=0))).reply.files == ()


async def test_without_a_board_there_is_no_film(table: Table) -> None:
    await table.done("anna", StartDemo("counterblast"))
    assert "No model has moved" in (await table.do("anna", ShowFilm())).reply.text
    assert not (await table.do("anna", MoveModel("Sally", "D7"))).changed


async def test_a_story_has_the_board_at_the_end_of_each_turn(file: Path, played: Played) -> None:
    async with open_desk(database_url(str(played.database("board_counterblast", file)))) as desk:
        boards = story._draw_boards({1: await desk.store.all_entries(1)})
    assert [str(one) for one in boards[1]] == ["End of turn 1"]
    page = Chapter("Round 1", (), (), boards[1])
    told = as_html(Story("Rust Belt", (), (), (), (page,), (), {}))
    assert "<figcaption>End of turn 1</figcaption>" in told
    assert told.count("data:image/png;base64,") == 1
    assert len(told) < 60_000
