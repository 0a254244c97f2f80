"""What the card asks of a person is seen and heard as soon as it is asked, whatever lies over the card."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.page.browsers import MISSING, phone, press, sit, type_line
from tests.page.room import Phone, Room, room
from tests.page.test_infinity_turn import Player, set_up

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=MISSING or "a browser is there"),
    pytest.mark.asyncio(loop_scope="module"),
]

LONG_AGO, JUST_NOW = (
    f"document.querySelector('#aside article').since = {when}" for when in ("0", "Date.now() + 1e6")
)
"""A private message has stood for a while, or has just come."""

CALL = "The game waits for you"


@pytest_asyncio.fixture(loop_scope="module")
async def open_room(file: Path) -> AsyncIterator[Room]:
    """A table at which whoever comes gets a seat, in the loop of the browser."""
    async with room(file, seed=7) as opened:
        yield opened


async def _seated(opened: Room, chromium: Any) -> tuple[Phone, Player, Player]:
    """Anna, who is about to move, and Bo on a phone, who will be asked for AROs; and Bo's plain requests."""
    hers, his = await set_up(opened)
    anna = Player(await phone(chromium, hers.url, height=844), opened, ())
    bo = Player(await phone(chromium, his.url, height=844), opened, ())
    for each in (anna, bo):
        await each.page.locator("#ground.live").wait_for()
    return his, anna, bo


async def _replay(bo: Player) -> None:
    """Open the game's replay over the card."""
    await type_line(bo.page, "/replay")
    await bo.page.locator("#aside").get_by_role("button", name="Back").wait_for()
    assert not await bo.page.locator("#panel .next").is_visible()


async def test_a_replay_gives_way_to_a_question(open_room: Room, chromium: Any) -> None:
    _, anna, bo = await _seated(open_room, chromium)
    await _replay(bo)
    await bo.page.evaluate(LONG_AGO)
    await anna.move("Angus", 0, 3.7)
    await bo.page.locator("#panel .next").get_by_role("button", name="React", exact=True).wait_for()
    assert await bo.page.locator("#panel .next", has_text="The time to react ends").is_visible()
    assert await bo.page.locator("#aside article").count() == 0
    assert await bo.page.get_by_role("button", name=CALL).count() == 0

    # It stays closed after the line was lost.
    await bo.page.evaluate("source.close(); at = 'lost'; listen()")
    await bo.page.wait_for_timeout(300)
    assert await bo.page.locator("#aside article").count() == 0
    assert bo.page.faults == []


async def test_a_form_and_a_replay_that_was_just_opened_stay_under_a_bar(
    open_room: Room, chromium: Any
) -> None:
    _, anna, bo = await _seated(open_room, chromium)
    await bo.page.set_viewport_size({"width": 390, "height": 568})
    await _replay(bo)
    await bo.page.evaluate(JUST_NOW)
    await type_line(bo.page, "/crew own import")
    await bo.page.locator("dialog[open] form").wait_for()
    await anna.move("Angus", 0, 3.7)
    await bo.page.locator("dialog[open]").get_by_role("button", name=CALL).wait_for()
    await bo.page.locator("dialog [data-close]").click()
    call = bo.page.locator("main").get_by_role("button", name=CALL)
    await call.click()
    await bo.page.locator("#panel .next").get_by_role("button", name="React", exact=True).wait_for()
    assert await call.count() == 0
    assert bo.page.faults == []


async def test_a_larger_board_stays_under_a_bar(open_room: Room, chromium: Any) -> None:
    _, anna, bo = await _seated(open_room, chromium)
    await bo.page.get_by_role("button", name="Larger board").click()
    await anna.move("Angus", 0, 3.7)
    call = bo.page.get_by_role("button", name=CALL)
    await call.wait_for()
    await press(bo.page, "Larger board")
    await call.wait_for(state="detached")
    await bo.page.locator("#panel .next").get_by_role("button", name="React", exact=True).wait_for()


PUT = """([number, panel, told, past, next]) => put({ id: `m${number}`, panel, html:
    `<article class="message public" id="m${number}">
    <div class="told ${past ? "past" : ""}"><p>${told}</p></div>
    <div class="next"><p>${next}</p></div></article>` })"""


async def test_the_newest_is_heard_and_what_is_waited_for(open_room: Room, chromium: Any) -> None:
    """An old card that goes into the log is not heard after the new one, whose headline is heard once."""
    anna = await phone(chromium, open_room.table.opener)
    await sit(anna, "Anna")
    for shown, heard in (
        ((10, True, "Angus shoots.", False, "Waiting for Bo."), "Angus shoots. Waiting for Bo."),
        ((12, True, "Angus shoots.", True, "Waiting for Anna."), "Waiting for Anna."),
        ((10, False, "Angus hits Tracker.", False, ""), "Waiting for Anna."),
        (
            (12, True, "Angus hits Tracker.", True, "Waiting for Anna."),
            "Angus hits Tracker. Waiting for Anna.",
        ),
        ((11, False, "Bo rolls a 6.", False, ""), "Angus hits Tracker. Waiting for Anna."),
        ((13, False, "Cy rolls a 4.", False, ""), "Cy rolls a 4."),
    ):
        await anna.evaluate(PUT, shown)
        assert await anna.locator("#heard").text_content() == heard, shown
