"""The ways in: a form, a file, the menu of a message; and from a list to Begin in five presses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import pytest

from bot.app import ALL_GAMES
from bot.commands.message_menu import MAKE_CREW
from bot.local.people import ClientRefusal, Upload
from bot.local.seen import Message
from bot.table.asking import server_kinds
from bot.table.bringing import recognition
from tests.bot.house import House, read
from tests.bot.lists.test_bad_lists import BAD
from tests.bot.tables import contents

FILES = Path(__file__).parent / "files"
LANCERS = (FILES / "battlescribe.rosz").read_bytes()
RAIDERS = (FILES / "newrecruit.json").read_bytes()


def labels(message: Message) -> set[str]:
    return {control.label for control in message.controls}


async def test_a_bare_command_opens_a_form_for_the_list(house: House) -> None:
    form = await (await house.typed("crew import")).modal()
    assert [(field.label, field.required) for field in form.fields] == [
        ("Your list as a file", False),
        ("Your list as text (instead of a file)", False),
    ]
    shown = read(await (await house.anna.submit(form, {"text": (FILES / "plain.txt").read_text()})).message())
    assert shown.content.startswith(
        "Lancers (Counterblast): 6 models, 238 points. Nothing has been saved yet."
    )
    assert shown.ephemeral
    assert {"Save the crew", "Rename...", "Discard"} <= labels(shown)


async def test_the_form_takes_a_file(house: House) -> None:
    form = await (await house.typed("crew import")).modal()
    picture = Upload("holiday.png", LANCERS)
    shown = read(await (await house.anna.submit(form, {"file": [picture]})).message())
    assert shown.content.startswith("Lancers (Counterblast): 3 models")
    assert "Lancers is saved" in (await house.press(shown, "Save the crew")).content


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "Attach your list as a file, or paste it as text."),
        ({"file": [Upload("a.txt", b"Smap")], "text": "Trapper"}, "Send either a file or text"),
        ({"file": [Upload("a.pdf", b"%PDF-1.7")], "text": "Trapper"}, "This file is a PDF."),
        (
            {"file": [Upload("a.txt", b"x" * 500_001)]},
            "Use a smaller file. A list can be at most 500 kB (yours is 501 kB).",
        ),
    ],
)
async def test_a_form_that_holds_no_list_says_what_to_do_and_gives_the_text_back(
    house: House, given: dict[str, object], why: str
) -> None:
    form = await (await house.typed("crew import")).modal()
    told = read(await (await house.anna.submit(form, given)).message())
    assert told.content.startswith(why)
    assert told.ephemeral
    again = await (await house.anna.press(told, "Change...")).modal()
    assert again.fields[1].value == given.get("text", "")


async def test_a_form_takes_one_file(house: House) -> None:
    form = await (await house.typed("crew import")).modal()
    with pytest.raises(ClientRefusal):
        await house.anna.submit(form, {"file": [Upload("a.txt", b"Smap"), Upload("b.txt", b"Smap")]})


async def test_a_file_is_read_whatever_its_name_says(house: House) -> None:
    shown = await house.slash("crew import", file=Upload("holiday.png", LANCERS))
    assert shown.content.startswith("Lancers (Counterblast): 3 models")


async def test_a_file_that_is_no_list_gets_one_sentence(house: House) -> None:
    told = await house.slash("crew import", file=Upload("list.txt", b"%PDF-1.7 and so on"))
    assert told.content == "This file is a PDF. Send the list as text, CSV, JSON, .ros or .rosz."
    assert told.ephemeral


@pytest.mark.parametrize("name", BAD)
async def test_the_whole_command_refuses_what_is_no_list_and_keeps_nothing(house: House, name: str) -> None:
    data, why = BAD[name]
    told = await house.slash("crew import", file=Upload("list.ros", data))
    assert why in told.content
    assert "\n" not in told.content
    assert told.ephemeral
    rows = contents(house.file, "crews", "members")
    assert not any(rows.values())


async def test_the_menu_of_a_message_makes_a_crew_of_its_text(house: House) -> None:
    said = await house.bo.say((FILES / "markdown.md").read_text())
    shown = read(await (await house.anna.use_on(MAKE_CREW, said)).message())
    assert shown.content.startswith("Edo raiders (Counterblast): 6 models, 160 points.")
    assert shown.ephemeral
    assert shown.only_for == house.anna.id


async def test_the_menu_of_a_message_without_a_list_says_so(house: House) -> None:
    said = await house.bo.say("?!")
    shown = await (await house.anna.use_on(MAKE_CREW, said)).message()
    assert "No list was found" in read(shown).content


async def test_an_open_model_is_asked_about_by_buttons_and_can_be_filled_in(house: House) -> None:
    shown = await house.slash("crew import", file=Upload("chat.txt", (FILES / "chat.txt").read_bytes()))
    assert "Which model is Glorbnax the Unknown?" in shown.content
    assert {"Gladiator, 37", "Enter stats...", "Leave this entry out"} <= labels(shown)
    assert "Save the crew" not in labels(shown)
    form = await (await house.anna.press(shown, "Enter stats...")).modal()
    filled = read(await (await house.anna.submit(form, {})).message())
    assert "Glorbnax the Unknown (custom): 20 points" in filled.content
    assert "Save the crew" in labels(filled)


async def test_a_list_is_read_and_matched_while_others_are_answered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Misspelt names are compared with every model and every piece of equipment: that takes a while."""
    asked = dict[str, list[bool]]()

    def watch(module: Any, name: str) -> None:
        run: Callable[..., Any] = getattr(module, name)

        def watched(*given: Any) -> Any:
            asked.setdefault(name, []).append(current_thread() is main_thread())
            return run(*given)

        monkeypatch.setattr(module, name, watched)

    watch(server_kinds, "read_file")
    watch(recognition, "match")
    shown = await house.slash("crew import", file=Upload("chat.txt", (FILES / "chat.txt").read_bytes()))
    for label in ("Leave this entry out", "Undo", "Gladiator, 37", "Save the crew"):
        before = len(asked["match"])
        shown = await house.press(shown, label)
        assert len(asked["match"]) > before, label
    assert {name: any(here) for name, here in asked.items()} == {"read_file": False, "match": False}


UNLED = "infinity without a Lieutenant"

PASTED = {
    "counterblast": ("Sally Starfield (leader)\nGDF Ranger", "Prime Leader (leader)\n2x Edo Guardling"),
    "infinity": ("Captain Reyes (Lieutenant)\nAngus", "Hammer (Lieutenant)\nDoc Ruiz"),
    "warzone": ("Colonel Voss\nSgt Rook", "Adams\nBrandt"),
    UNLED: ("Captain Reyes\nAngus", "Hammer (Lieutenant)\nDoc Ruiz"),
    "soluna": ("Ilka\nTarn", "Brin\nOska"),
    "fracd_earth": ("Captain Vale\nRook", "Ember\nSable"),
}


def test_a_list_of_each_game_is_pasted() -> None:
    assert set(PASTED) - {UNLED} == {one.key for one in ALL_GAMES}


@pytest.mark.parametrize("system", PASTED)
async def test_from_a_pasted_list_to_begin_in_five_presses(house: House, system: str) -> None:
    mine, yours = PASTED[system]
    named, system = system, system.split()[0]
    await house.slash("encounter start", house.bo, system=system)
    theirs = await house.slash("crew import", house.bo, file=Upload("theirs.txt", yours.encode()))
    await house.press(await house.press(theirs, "Save the crew", house.bo), "Play with this crew", house.bo)
    await house.quiet()

    form = await (await house.typed("crew import")).modal()
    shown = await house.submit(form, {"text": mine})
    presses = 1
    if named == UNLED:
        menu = next(one for one in shown.controls if one.placeholder == "Choose the leader")
        shown = read(await (await house.anna.select(shown, menu.custom_id, "0")).message())
        assert "Captain Reyes, leader: 28 points" in shown.content
        presses += 1
    kept = await house.press(shown, "Save the crew")
    joined = await house.press(kept, "Play with this crew")
    presses += 2
    if system == "counterblast":
        assert joined.content == "Only your side sees what you choose."
    panel = await house.panel()
    assert "joins with Anna's crew: 2 models" in panel.content
    panel = await house.everybody_ready(panel, house.anna)  # Bo presses Ready
    ways = ("Use the sample board", "Begin", "Begin anyway")  # no mission is wanted
    while presses <= 5 and (label := next((one for one in ways if one in offered(panel)), "")):
        panel, presses = await house.press(panel, label), presses + 1
    assert presses <= 5
    assert "not begun" not in panel.content or system == "infinity"  # its sides then deploy


def offered(panel: Any) -> set[str]:
    """The labels of a card, without whose a button is."""
    return {one.partition(" (only ")[0] for one in labels(panel)}


async def test_where_nothing_is_played_the_crew_starts_a_game(house: House) -> None:
    shown = await house.slash("crew import", file=Upload("lancers.rosz", LANCERS))
    await house.press(await house.press(shown, "Save the crew"), "Play with this crew")
    started = await house.panel()
    assert started.content.startswith("Counterblast: the game has been created.")
    assert "Lancers: 3 models." in started.content


async def test_somebody_else_decides_nothing_about_a_list(house: House) -> None:
    shown = await house.slash("crew import", file=Upload("lancers.rosz", LANCERS))
    button = next(one for one in shown.controls if one.label == "Save the crew")
    stolen = await house.slash("crew import", house.bo, file=Upload("raiders.json", RAIDERS))
    assert button.custom_id != next(one for one in stolen.controls if one.label == "Save the crew").custom_id
    kept = await house.press(shown, "Save the crew")
    assert "Lancers is saved" in kept.content
    assert "already been saved or discarded" in (await house.press(shown, "Save the crew")).content
