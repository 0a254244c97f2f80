"""The whole bot, through the real client: from the first command to the verified export, with restarts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.local.checks.components import ROW
from bot.local.commands import ClientRefusal
from bot.local.seen import walk
from bot.store.doctor import examine
from bot.table.referee.checks import verify
from tests.bot.house import House, read
from tests.bot.tables import contents, url_of


async def test_a_game_from_demo_to_verified_export_with_a_restart_after_each_step(
    house: House, file: Path
) -> None:
    demo = await house.slash("demo")
    await house.restart()
    joined = await house.slash("encounter join", house.bo, side="Edo")
    assert joined.content.startswith("Bo now plays Edo.")
    await house.restart()
    began = await house.begin(await house.panel())
    assert not (await house.press(demo, "Begin", stale=True)).content.startswith("Turn")
    await house.restart()
    drawer = house.anna if "Lancers won" in began.content else house.bo
    drawn = await house.press(began, "Draw", drawer)
    await house.restart()
    side = house.anna if "draws a token for Lancers" in drawn.content else house.bo
    chosen = await house.press(drawn, drawn.controls[1].label, side)
    assert "acts" in chosen.content
    await house.restart()
    undone = await house.press(chosen, "Undo", side)
    assert undone.content.startswith("Undone: ~~")
    await house.restart()
    redone = await house.press(undone, "Redo", side)
    assert redone.content.startswith("Redone: ")
    asked = await house.slash("encounter end")
    ended = await house.press(asked, "End the game")
    assert "To verify the dice, use /dice show." in ended.content
    await house.restart()
    export = await house.slash("export", house.bo)
    assert export.ephemeral
    assert verify(export.attachments[0].data).rolls == 2
    assert (await examine(url_of(file))).faults == ()


async def test_a_form_that_was_opened_before_a_restart_works_after_it(house: House) -> None:
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    refusal = await house.slash("model damage", model="Trapper")
    assert refusal.ephemeral
    assert "Trapper is not yours; Bo controls this model." in refusal.content
    modal = await (await house.anna.press(refusal, "Override...")).modal()
    await house.restart()
    said = await house.submit(modal, {"override_reason": "@everyone the *table* shook"})
    assert not said.ephemeral
    assert "Override by Anna: everyone the table shook" in said.content
    assert said.pings == ()
    refusal = await house.slash("model damage", model="Trapper")
    again = await (await house.anna.press(refusal, "Override...")).modal()
    twice = await house.submit(again, {"override_reason": "and again"})
    assert "Override by Anna: and again" in twice.content


async def test_private_answers_are_seen_by_one_person_alone(house: House) -> None:
    await house.slash("demo")
    for path, options in (
        ("encounter status", {}),
        ("model show", {"model": "Smap"}),
        ("log", {}),
        ("dice show", {}),
        ("crew list", {}),
    ):
        said = read(await (await house.bo.slash(path, options)).message())
        assert said.ephemeral
        assert said.id not in [one.id for one in house.anna.messages()]
    assert (await house.slash("model damage", house.bo, model="Smap")).ephemeral


async def test_suggestions_come_from_the_channel(house: House) -> None:
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")

    async def names(path: str, focused: str, typed: str = "", **more: str) -> list[str]:
        found = await house.bo.autocomplete(path, {**more, focused: typed}, focused=focused)
        return [choice.name for choice in found]

    assert (await names("model damage", "model"))[0] == "Prime Leader"
    assert await names("model damage", "model", "SKI") == ["Skip Westmoreland"]
    assert await names("model damage", "model", "x" * 6000) == []
    assert await names("condition add", "condition", "hid", model="Trapper") == ["hidden"]
    assert await names("encounter join", "side") == ["Lancers", "Edo"]
    assert await names("crew recruit", "crew") == []
    await house.slash("crew create", house.bo, name="The Fine")
    assert await names("crew recruit", "crew") == ["The Fine"]
    assert len(await names("crew recruit", "who", "", crew="The Fine")) == 25
    await house.slash("model remove", house.bo, model="Trapper")
    assert await names("model return", "model") == ["Trapper"]


async def test_long_and_odd_options_get_a_sentence(house: House, file: Path) -> None:
    await house.slash("demo")
    before = len(contents(file, "journal")["journal"])
    for path, options, said in (
        ("model rename", {"model": "Smap", "name": "x" * 500}, "characters (you entered"),
        ("model rename", {"model": "Smap", "name": "Sm\N{CAT FACE}p"}, "letters, digits, spaces"),
        ("model rename", {"model": "x" * 500, "name": "Sam"}, "no model called"),
        ("dice enter", {"faces": "ten"}, "Enter the faces as numbers"),
        ("dice enter", {"faces": "9" * 500}, "Enter the faces as numbers"),
        ("dice enter", {"faces": "١٠ 2"}, "Start a roll first, then enter its dice"),
        ("crew show", {"crew": "<@1>"}, "There is no"),
        ("why", {"model": "\n"}, "Which model do you mean?"),
    ):
        message = read(await (await house.anna.slash(path, options)).message())
        assert message.ephemeral
        assert said in message.content
        assert "everyone" not in message.content or "@" not in message.content
    assert len(contents(file, "journal")["journal"]) == before
    with pytest.raises(ClientRefusal):
        await house.anna.slash("model damage", {"model": "Smap", "wounds": 100})


async def test_buttons_and_forms_of_other_versions_say_so(house: House) -> None:
    demo = await house.slash("demo")

    def with_id(custom_id: str) -> None:
        row = next(part for part in walk(demo.components) if part["type"] == ROW)
        button = {**row["components"][0], "custom_id": custom_id}
        house.server.world.edit(replace(demo, components=({**row, "components": [button]},)))

    for custom_id in (
        "10:no.such.command:1::",
        "30:encounter.next:1:1:",
        "something else",
        "10:undo:1::form-gone",
        "10:undo:1::nofield",
    ):
        with_id(custom_id)
        said = await house.press(demo, custom_id)
        assert said.ephemeral
        assert "older version" in said.content, custom_id


async def test_real_dice_are_tapped_through_a_restart(house: House, file: Path) -> None:
    await house.slash("demo")
    await house.slash("dice mode", dice="real")
    asked = await house.slash("roll", dice="2d6")
    assert "throws 2 d6" in asked.content
    tapped = await house.press(asked, "4")
    assert tapped.id == asked.id
    assert "So far: 4 _" in tapped.content
    await house.restart()
    said = await house.press(tapped, "6")
    assert "These are real dice." in said.content
    (faces,) = [row[19] for row in contents(file, "journal")["journal"] if row[16] == "real"]
    assert [face[:2] for face in json.loads(faces)] == [[6, 4], [6, 6]]
    assert said.id == asked.id
    stale = await house.press(asked, "4", stale=True)
    first, *meanwhile = stale.content.split("\n")
    assert first == "Nothing was changed, because that roll is over."
    assert meanwhile == [
        "Last steps:",
        "Anna: This is a sample game of Counterblast.",
        "Anna now rolls real dice.",
        "Anna: 10",
    ]
