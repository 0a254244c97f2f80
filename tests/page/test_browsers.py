"""The table in a real browser: two phones and a wall play; what axe finds; small screens; the keyboard."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.page.browsers import AXE, MISSING, phone, pick, play_first_turns, press, serious, sit, type_line
from tests.page.room import Room, room

WANTING = MISSING or ("" if AXE else "axe is not installed")

pytestmark = [
    pytest.mark.skipif(bool(WANTING), reason=WANTING or "a browser and axe are there"),
    pytest.mark.asyncio(loop_scope="module"),
]


@pytest_asyncio.fixture(loop_scope="module")
async def open_room(file: Path) -> AsyncIterator[Room]:
    """A table at which whoever comes gets a seat, in the loop of the browser."""
    async with room(file) as opened:
        yield opened


LIT = "getComputedStyle(document.querySelector('#panel .next button.main')).fontWeight"


async def test_two_phones_and_a_wall_play(open_room: Room, chromium: Any) -> None:
    """And axe finds nothing serious at the entrance, on the phones, in a form and on the wall."""
    anna = await phone(chromium, open_room.table.opener)
    bo = await phone(chromium, f"{open_room.url}/", width=320, dark=True)
    for entrance in (anna, bo):
        assert await serious(entrance) == []
    wall = await phone(chromium, f"{open_room.url}/wall", width=1280)
    await sit(anna, "Anna")
    await sit(bo, "Bo")
    side = await play_first_turns(open_room, anna, bo)
    assert await serious(side) == []
    weights = {page: await page.evaluate(LIT) for page in (anna, bo)}
    assert weights.pop(side) == "700"
    assert [*weights.values()] == ["400"], "what another person is to press is not lit"
    titles = {page: await page.title() for page in (anna, bo)}
    assert titles.pop(side) == "● Your turn"
    assert [*titles.values()] == ["The table"]
    await press(side, "Send")
    shooter = "Sally Starfield" if side is anna else "Prime Leader"
    shot = re.compile(rf"{shooter} (hits|misses|shoots|downs)")
    for page in (anna, bo):
        await page.locator("#panel article", has_text=shot).last.wait_for()
        await page.locator("#heard", has_text=shot).wait_for(state="attached")
    await wall.wait_for_selector("section[aria-label=Turn] >> text=Turn 1 of 8")
    assert await bo.evaluate("document.documentElement.scrollWidth") <= 320
    for page in (anna, bo, wall):
        assert await serious(page) == []
        assert page.faults == []


async def test_a_private_question_gives_way_when_the_game_goes_on(open_room: Room, chromium: Any) -> None:
    """It stood for a while, and a mission can't be chosen any more: the log has it, the thumb bar is free."""
    anna = await phone(chromium, open_room.table.opener)
    bo = await phone(chromium, f"{open_room.url}/", width=320, height=568)
    await sit(anna, "Anna")
    await sit(bo, "Bo")
    await press(anna, "Counterblast")
    await bo.wait_for_selector("#panel >> text=Join...")
    await press(bo, "Join...")
    await bo.wait_for_selector("#panel >> text=Ready")
    await press(bo, "Ready")
    await bo.wait_for_selector("#aside >> text=Choose a mission")
    await bo.evaluate("document.querySelector('#aside article').since = 0")
    await open_room.rest()
    await press(anna, "Begin")
    await press(anna, "Begin anyway")
    await bo.wait_for_selector("#panel >> text=won the roll-off")
    withdrawn = bo.locator(
        "#log article", has_text="The game has moved on, so this choice no longer applies."
    )
    await withdrawn.wait_for(state="attached")
    assert await bo.locator("#aside article").count() == 0
    assert await withdrawn.locator("button").count() == 0
    await bo.reload()
    assert await bo.locator("#aside article").count() == 0


WEIGHT = """label => [...document.querySelectorAll('#panel .next button')]
    .filter(each => each.textContent === label && each.checkVisibility())
    .map(each => getComputedStyle(each).fontWeight)"""


async def test_each_phone_lights_what_its_person_may_press(open_room: Room, chromium: Any) -> None:
    """Who has no crew may join; who is waited for goes on; a button for another alone is left out."""
    anna = await phone(chromium, open_room.table.opener)
    bo = await phone(chromium, f"{open_room.url}/", width=320)
    await sit(anna, "Anna")
    await sit(bo, "Bo")
    await press(anna, "Ultimate Warzone")
    await bo.wait_for_selector("#panel >> text=Join...")
    await open_room.rest()
    assert await anna.evaluate(WEIGHT, "Begin") == ["700"]
    assert await bo.evaluate(WEIGHT, "Begin") == ["400"]
    assert await bo.evaluate(WEIGHT, "Join...") == ["700"]
    await press(bo, "Join...")
    await bo.wait_for_selector("#panel >> text=Ready")
    await open_room.rest()
    await press(bo, "Ready")
    await anna.wait_for_selector("#panel >> text=Waiting for Anna to press Begin")
    await open_room.rest()
    assert await anna.evaluate(WEIGHT, "Begin") == ["700"]
    assert await bo.evaluate(WEIGHT, "Begin") == []
    said = """label => [...made(`<p><button>${label}</button></p>`).children]
        .filter(each => !each.hidden).map(each => each.textContent)"""
    assert [await each.evaluate(said, "React (only Bo)") for each in (anna, bo)] == [[], ["React"]]
    label = "Redraw (1 order token, only Anna)"
    assert [await each.evaluate(said, label) for each in (anna, bo)] == [["Redraw (1 order token)"], []]


async def test_controls_are_as_big_as_a_thumb(open_room: Room, chromium: Any) -> None:
    anna = await phone(chromium, open_room.table.opener, width=320)
    await sit(anna, "Anna")
    await press(anna, "Counterblast")
    await anna.wait_for_selector("#panel button")
    for each in await anna.query_selector_all("button, summary, input:not([type=hidden])"):
        box = await each.bounding_box() if await each.is_visible() else None
        assert box is None or (box["height"] >= 44 and box["width"] >= 44)


async def test_a_line_is_chosen_with_the_keyboard_alone(open_room: Room, chromium: Any) -> None:
    anna = await phone(chromium, open_room.table.opener)
    await sit(anna, "Anna")
    await anna.focus("#said")
    await anna.keyboard.type("/dem")
    await anna.wait_for_selector("#offers li >> text=/demo")
    await anna.keyboard.press("ArrowDown")
    await anna.keyboard.press("Enter")
    assert await anna.input_value("#said") == "/demo "
    await anna.keyboard.press("Escape")
    await anna.keyboard.press("Enter")
    await anna.wait_for_selector("#panel button")
    assert await anna.evaluate("document.activeElement.parentElement.id") == "panel", (
        "the log gave way to the card"
    )


async def test_what_came_while_the_line_was_lost_is_there_after_it(open_room: Room, chromium: Any) -> None:
    anna = await phone(chromium, open_room.table.opener)
    await sit(anna, "Anna")
    bo = await phone(chromium, f"{open_room.url}/")
    await sit(bo, "Bo")
    await bo.context.set_offline(True)
    await bo.evaluate("source.close()")
    await type_line(anna, "/roll 4d6")
    await anna.wait_for_selector("#log article")
    await bo.context.set_offline(False)
    await bo.evaluate("listen()")
    await bo.wait_for_selector("#log article")
    assert await bo.locator("#log article").count() == 1


async def test_a_file_is_chosen_on_the_phone(open_room: Room, chromium: Any) -> None:
    anna = await phone(chromium, open_room.table.opener)
    await sit(anna, "Anna")
    await type_line(anna, "/crew own import")
    await anna.wait_for_selector("dialog[open] input[type=file]")
    assert await serious(anna) == []
    file = {"name": "own.json", "mimeType": "application/json", "buffer": b"{ nothing"}
    await anna.set_input_files("dialog input[type=file]", files=[file])
    await press(anna, "Send")
    await anna.wait_for_selector("#log >> text=Correct the JSON")
    assert await anna.locator("dialog[open]").count() == 0
    assert anna.faults == []


LIST = "Lancers\nSally Starfield (leader)\n2x GDF Ranger"

BRINGS = """([how, name, text]) => {
  const given = new DataTransfer();
  if (name) given.items.add(new File([text], name));
  else given.setData("text/plain", text);
  const target = document.querySelector("#panel");
  target.dispatchEvent(how === "drop"
    ? new DragEvent(how, { dataTransfer: given, bubbles: true, cancelable: true })
    : new ClipboardEvent(how, { clipboardData: given, bubbles: true, cancelable: true }));
}"""


@pytest.mark.parametrize(("how", "name"), [("drop", "list.txt"), ("paste", "list.txt"), ("paste", "")])
async def test_a_list_is_dropped_or_pasted_on_the_page(
    open_room: Room, chromium: Any, how: str, name: str
) -> None:
    """And a file that is no list gets a sentence; nothing is asked of the person first."""
    anna = await phone(chromium, open_room.table.opener)
    await sit(anna, "Anna")
    await anna.evaluate(BRINGS, [how, name, LIST])
    await anna.wait_for_selector(".told >> text=Lancers (Counterblast): 3 models")
    await press(anna, "Save the crew")
    await anna.wait_for_selector(".told >> text=Lancers is saved")
    await anna.evaluate(BRINGS, [how, "list.txt", "%PDF-1.7"])
    await anna.wait_for_selector(".told >> text=This file is a PDF")
    assert anna.faults == []


async def in_sight(page: Any, part: Any) -> None:
    """A part of the newest message is within the log."""
    await part.wait_for()
    box, log = await part.bounding_box(), await page.locator("#log").bounding_box()
    assert log["y"] <= box["y"] <= box["y"] + box["height"] <= log["y"] + log["height"]


async def test_a_whole_crew_is_built_by_presses(open_room: Room, chromium: Any) -> None:
    """While it is built, most of a phone's screen is the builder's."""
    anna = await phone(chromium, open_room.table.opener, height=844)
    await sit(anna, "Anna")
    await type_line(anna, "/crew create name:Hounds system:counterblast")
    await anna.wait_for_selector(".told >> text=Hounds is a new crew")
    await press(anna, "Build...")
    await anna.wait_for_selector("details.menu >> text=Affiliation")
    assert await anna.evaluate("document.getElementById('log').clientHeight > innerHeight * 0.55")
    await pick(anna, "Affiliation", "Galactic Council of Worlds")
    await anna.wait_for_selector(".told >> text=Affiliation: Galactic Council of Worlds")
    await pick(anna, "Add a model (Heroes)", "Sally Starfield")
    await anna.wait_for_selector(".told >> text=1 member, 58 points")
    await pick(anna, "Add a model (Lackeys): Acolyte", "GDF Ranger")
    await anna.wait_for_selector(".told >> text=2 members, 89 points")
    await pick(anna, "Change a member", "Sally Starfield")
    await in_sight(anna, anna.locator("#log .told", has_text="Sally Starfield, 58 points").last)
    await press(anna, "Back to the crew")
    await press(anna, "Play with this crew")
    await anna.wait_for_selector("#panel >> text=Hounds")
    assert anna.faults == []


async def test_a_member_is_changed_and_a_crew_copied(open_room: Room, chromium: Any) -> None:
    """What a member is begins in sight, however long it is; what is wrong is told as it arises."""
    anna = await phone(chromium, open_room.table.opener, height=844, dark=True)
    await sit(anna, "Anna")
    await type_line(anna, "/crew create name:Hounds system:infinity")
    await press(anna, "Build...")
    await press(anna, "More...")
    await press(anna, "Points limit...")
    await anna.fill("dialog[open] input:not([type=hidden])", "40")
    await press(anna, "Send")
    await anna.wait_for_selector(".told >> text=Hounds now has a limit of 40 points")
    for name in ("Captain Reyes", "Angus"):
        await pick(anna, "Add a model", name)
        await anna.wait_for_selector(f".told >> text={name} joins Hounds")
    await pick(anna, "Change a member", "Captain Reyes")
    await in_sight(anna, anna.locator("#log .told", has_text="Captain Reyes, 28 points").last)
    await in_sight(anna, anna.get_by_role("button", name="Rename...").last)
    assert await serious(anna) == []
    await press(anna, "Make leader")
    await pick(anna, "Add a model", "Commander Voss")
    await anna.wait_for_selector(".told >> text=28 over the limit")
    await press(anna, "Undo")
    await anna.wait_for_selector(".told >> text=2 members, 38 of 40 points")
    await press(anna, "More...")
    await press(anna, "Copy")
    await anna.wait_for_selector(".told >> text=Hounds 2 is a new crew, copied from Hounds")
    assert anna.faults == []


async def test_a_form_takes_a_file(open_room: Room, chromium: Any) -> None:
    anna = await phone(chromium, open_room.table.opener)
    await sit(anna, "Anna")
    await type_line(anna, "/encounter start")
    await press(anna, "Join...")
    await press(anna, "Import a list...")
    await anna.wait_for_selector("dialog[open] input[type=file]")
    assert await serious(anna) == []
    file = {"name": "list.txt", "mimeType": "text/plain", "buffer": LIST.encode()}
    await anna.set_input_files("dialog input[type=file]", files=[file])
    await press(anna, "Send")
    await anna.wait_for_selector(".told >> text=Lancers (Counterblast): 3 models")
    assert anna.faults == []


async def test_a_page_goes_on_after_a_reload_and_a_restart(file: Path, chromium: Any) -> None:
    async with room(file) as first:
        anna = await phone(chromium, first.table.opener)
        await sit(anna, "Anna")
        await type_line(anna, "/roll 4d6")
        await anna.wait_for_selector("#log article")
        await anna.reload()
        assert await anna.locator("#log article").count() == 1
        port = int(first.url.rpartition(":")[2])
    await anna.wait_for_selector("#line-state >> text=Reconnecting")
    async with room(file, port=port) as second:
        assert second.table.opener == anna.url
        await anna.wait_for_selector("#line-state:empty", state="attached", timeout=15000)
        assert await anna.locator("#log article").count() == 1
        await type_line(anna, "/roll 5d6")
        await anna.locator("#log article").nth(1).wait_for()
        await second.rest()
        assert await anna.locator("#log article").count() == 2


async def test_a_line_that_is_sent_again_ends_reconnecting(file: Path, chromium: Any) -> None:
    """The stream goes on while one request is lost."""
    async with room(file) as opened:
        anna = await phone(chromium, opened.table.opener)
        await sit(anna, "Anna")
        lost: list[str] = []

        async def lose_one(route: Any) -> None:
            if not lost and route.request.method == "POST":
                lost.append(route.request.url)
                await route.abort()
            else:
                await route.continue_()

        await anna.route("**/*", lose_one)
        await type_line(anna, "/roll 4d6")
        await anna.wait_for_selector("#log article")
        await anna.wait_for_selector("#line-state:empty", state="attached", timeout=5000)
        assert len(lost) == 1
