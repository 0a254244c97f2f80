"""The board on the page: what a seat sees and others do not, models moved by finger and by keys, a tap."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image

from bot.page.attach import MAX_FILE_BYTES
from bot.page.frame import drawn
from bot.page.messages import ChoiceMenu, MenuChoice, MessagePart, Pressable, ShownMessage
from bot.page.words import blocks
from bot.replies.photo import KEPT_BYTES
from bot.table.board.showing import terrain_patch
from bot.table.board.surface import Shape, Terrain
from tests.page.browsers import AXE, MISSING, phone, pick, press, serious
from tests.page.room import Elements, Phone, Room, room

in_a_browser = pytest.mark.skipif(bool(MISSING), reason=MISSING or "a browser is there")


async def _done(answer: Awaitable[Any]) -> None:
    status, result = await answer
    assert status == 200
    assert "say" not in result, result


async def _laid(opened: Room, system: str = "counterblast") -> tuple[Phone, Phone]:
    """Anna and Bo at a table with a board, on which everybody is deployed."""
    anna, bo = await opened.opener("Anna"), await opened.join("Bo")
    await _done(anna.say(f"/demo system:{system}"))
    await _done(bo.press("Join..."))
    await _done(anna.say("/board table table:Crossroads"))
    sections = Elements(await anna.page()).all("section")
    sides = [each["aria-label"] for each, _ in sections if each.get("class", "").startswith("crew")]
    await _done(anna.say(f"/board deploy side:{sides[0]}"))
    await _done(bo.say(f"/board deploy side:{sides[1]}"))
    return anna, bo


async def _ground(one: Phone) -> str:
    await one.page()
    async with one.session.get(f"{one.url}ground") as answer:
        assert answer.status == 200
        return await answer.text()


def _models(ground: str) -> dict[str, tuple[float, float]]:
    """Where each model stands in the drawing, by its number."""
    bases = [each for each, _ in Elements(ground).all("circle") if "data-number" in each]
    return {each["data-number"]: (float(each["cx"]), float(each["cy"])) for each in bases}


def _own(ground: str) -> list[str]:
    found = re.search(r'data-own="([^"]*)"', ground)
    assert found
    return [one.partition(":")[0] for one in found[1].split()]


async def test_a_seat_has_its_board_with_models_of_its_own_and_words(open_room: Room) -> None:
    anna, bo = await _laid(open_room)
    hers, his = await _ground(anna), await _ground(bo)
    assert _models(hers) == _models(his)
    assert set(_own(hers)) | set(_own(his)) == set(_models(hers))
    assert not set(_own(hers)) & set(_own(his))
    assert "Lancers: 1 Sally Starfield at" in hers
    assert "Edo: 1 Prime Leader at" in hers
    assert hers in await anna.page()
    watcher = await open_room.join("Cleo", "watch")
    assert _own(await _ground(watcher)) == []


async def test_what_a_side_hides_is_on_no_other_page_stream_or_wall(open_room: Room) -> None:
    anna, bo = await _laid(open_room, "infinity")
    async with anna.session.get(
        f"{anna.url}suggest", params={"line": "/board hide side:Vanguard who:"}
    ) as answer:
        (choice,) = await answer.json()
    before = await _ground(bo), await open_room.wall(), await _ground(anna)
    (number,) = [one for one in _models(before[2]) if one.startswith("-")]
    assert f"{choice['shown']} hidden, not placed yet" in before[2]
    assert not any(choice["shown"] in text for text in (*before[:2], await bo.page()))
    for one, barred in ((bo, "That model is no longer in play."), (anna, "")):
        assert (await _route(one, number, "20 24"))["barred"] == barred
    async with bo.session.get(
        f"{bo.url}suggest", params={"line": "/board hide side:Vanguard who:"}
    ) as answer:
        assert await answer.json() == []
    async with bo.events() as his, anna.session.get(f"{open_room.url}/wall/events") as walls:
        sent: list[bytes] = []
        listening = [asyncio.create_task(_hear(one, sent)) for one in (his, walls)]
        heard = await _quiet(open_room, sent)
        await _done(anna.say(f"{choice['line']} where:20 24"))
        await _quiet(open_room, sent)
        for each in listening:
            each.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        assert not any(b'"ground"' in line or b"hidden at" in line for line in sent[heard:])
    after = await _ground(bo), await open_room.wall(), await _ground(anna)
    assert after[:2] == before[:2]
    assert f"{choice['shown']} hidden at" in after[2]
    assert f"{choice['shown']} hidden at" in await anna.page()
    for text in (after[0], after[1], await bo.page()):
        assert f"{choice['shown']} hidden at" not in text


async def _quiet(opened: Room, sent: list[bytes]) -> int:
    """How much was sent, once nothing more comes."""
    heard = -1
    while heard != len(sent):
        heard = len(sent)
        await opened.rest()
        await asyncio.sleep(0.5)
    return heard


async def _hear(answer: Any, sent: list[bytes]) -> None:
    async for line in answer.content:
        sent += [line] if line.startswith((b"data:", b"id:")) else []


async def test_a_drag_is_an_ordinary_move_and_a_strangers_is_refused(open_room: Room) -> None:
    anna, bo = await _laid(open_room)
    before = await _ground(anna)
    number = min(_own(before), key=lambda one: _models(before)[one][1])
    x, y = _models(before)[number]
    line = f"/board move model:#{number} where:{x:g} {48 - y + 3:g} then {x + 1:g} {48 - y + 4:g}"
    await _done(bo.say(line))
    assert _models(await _ground(bo)) == _models(before)
    assert "moves 4.4 in" not in await anna.page()
    await _done(anna.say(line))
    assert _models(await _ground(bo))[number] == (round(x + 1, 2), round(y - 4, 2))
    assert "moves 4.4 in" in await bo.page()
    await _done(anna.press("Undo"))
    assert _models(await _ground(bo)) == _models(before)


async def test_the_stream_tells_that_the_board_changed_and_nothing_of_it(open_room: Room) -> None:
    anna, bo = await _laid(open_room)
    number = _own(await _ground(anna))[0]
    async with bo.events() as his:
        sent: list[bytes] = []
        listening = asyncio.create_task(_hear(his, sent))
        await _done(anna.say(f"/board move model:#{number} where:2 north"))
        for _ in range(200):
            if any(b'"ground"' in line for line in sent):
                break
            await asyncio.sleep(0.02)
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
    scenes = [line for line in sent if b'"ground"' in line]
    assert scenes
    assert all(re.search(rb'"ground":"[0-9a-f]{16}"', line) and b"<svg" not in line for line in scenes)


async def test_a_measured_target_is_attacked_by_its_form(open_room: Room) -> None:
    anna, bo = await _laid(open_room)
    shooter, target, side = await _acting(anna, bo)
    circles = Elements(await _ground(side)).all("circle")
    (name,) = [words.split(",")[0] for each, words in circles if each.get("data-number") == target]
    await _done(side.say(f"/board measure model:#{shooter} to:#{target}"))
    status, opened = await side.press("Shoot")
    assert status == 200
    boxes = [each for each, _ in Elements(opened["form"]).all("input") if each["name"] == "f:target"]
    assert [each["value"] for each in boxes if "checked" in each] == [name]
    assert boxes[0]["value"] != name


async def _drawn(anna: Phone, bo: Phone) -> tuple[Phone, str]:
    """Play until a side was drawn: its phone, and the model that it will choose."""
    await _done(bo.press("Ready"))
    await _done(anna.press("Begin"))
    await _done(anna.press("Begin anyway"))
    first = anna if "Lancers won the roll-off" in await anna.page() else bo
    await _done(first.press("Draw"))
    if "draws a token for Lancers" in await anna.page():
        return anna, "Sally Starfield"
    return bo, "Prime Leader"


async def _acting(anna: Phone, bo: Phone) -> tuple[str, str, Phone]:
    """The game up to an activation: who acts, an enemy 5 inches away, and the phone of whoever acts."""
    side, name = await _drawn(anna, bo)
    await _done(side.press(name))
    ground = await _ground(side)
    found = re.search(r'data-acting="(\d+)"', ground)
    assert found
    models = _models(ground)
    target = [one for one in models if one not in _own(ground)][2]
    x, y = models[target]
    await _done(side.say(f"/board place model:#{found[1]} where:{x:g} {48 - y + (5 if y > 24 else -5):g}"))
    return found[1], target, side


# ------------------------------------------------------------------------------------ in a browser


@pytest_asyncio.fixture(loop_scope="module")
async def room_beside(file: Path) -> AsyncIterator[Room]:
    """A table at which whoever comes gets a seat, in the loop of the browser."""
    async with room(file) as opened:
        yield opened


MIDDLE = """base => {
    const box = base.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""


async def _middle(page: Any, number: str) -> tuple[float, float]:
    base = page.locator(f"#ground.live circle.base[data-number='{number}']")
    await base.wait_for()
    x, y = await base.evaluate(MIDDLE)
    return x, y


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_model_is_dragged_moved_by_keys_and_shoots_at_what_is_tapped(
    room_beside: Room, chromium: Any
) -> None:
    anna, bo = await _laid(room_beside)
    shooter, target, side = await _acting(anna, bo)
    before = _models(await _ground(side))[shooter]
    page = await phone(chromium, side.url, height=844)
    x, y = await _middle(page, shooter)
    away = 1 if before[1] < 24 else -1
    await page.mouse.move(x, y)
    await page.mouse.down()
    for step in range(1, 6):
        await page.mouse.move(x + 2 * step, y + away * 3 * step)
    await page.mouse.up()
    await page.locator("#ground-act .main", has_text=re.compile("^Move$")).wait_for()
    await page.get_by_role("button", name="Board only").click()
    await page.locator(".told", has_text=re.compile(r"moves \d+\.?\d* in, to")).first.wait_for()
    await room_beside.rest()
    moved = _models(await _ground(side))[shooter]
    assert moved != before
    assert "no-store" in (await page.request.get(f"{side.url}ground")).headers["cache-control"]

    base = page.locator(f"circle.base[data-number='{shooter}'][cx='{moved[0]:g}']")
    await base.wait_for()
    await base.focus()
    for key in ("Enter", "ArrowLeft", "Shift+ArrowLeft"):
        await page.keyboard.press(key)
    assert re.search("moves 1.1 in of (6|10) in to", str(await page.text_content("#ground-says")))
    await page.keyboard.press("Enter")
    await page.locator("#panel", has_text="moves 1.1 in").wait_for()
    await page.locator(f"circle.base[data-number='{shooter}'][cx='{moved[0] - 1.1:g}']").wait_for()
    await room_beside.rest()
    assert _models(await _ground(side))[shooter] == (round(moved[0] - 1.1, 2), moved[1])

    await page.mouse.click(*await _middle(page, target))
    await page.locator("#aside >> text=/ in$/").first.wait_for()
    await press(page, "Shoot")
    await page.wait_for_selector("dialog[open] form")
    assert page.faults == []


ANOTHER_ATTACK = """() => {
    for (const kind of ['.chance', '.next button']) {
        const last = [...document.querySelectorAll('#aside ' + kind)].at(-1);
        last.after(last.cloneNode(true));
    }
}"""

COVERED = """() => [...document.querySelectorAll('#aside button, #panel .next button, #ground-tools button')]
    .filter(button => {
        const box = button.getBoundingClientRect(), middle = box.left + box.width / 2;
        const isSeen = y => button.contains(document.elementFromPoint(middle, y));
        const isShown = button.checkVisibility({ visibilityProperty: true });
        return isShown && !(isSeen(box.top + 4) && isSeen(box.bottom - 4));
    }).map(button => button.textContent)"""
"""Buttons of which a part is below the fold or below something else."""

SIZES = ((320, 568), (390, 844), (844, 390), (768, 1024), (1280, 900), (1366, 700))


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_path_names_the_bases_that_it_goes_over(room_beside: Room, chromium: Any) -> None:
    anna, bo = await _laid(room_beside)
    mover, _, side = await _acting(anna, bo)
    page = await phone(chromium, side.url, height=844)
    models = _models(await _ground(side))
    (x, y), mine = await _middle(page, mover), models[mover]
    nearest = min(
        (one for one in models if one != mover),
        key=lambda one: (models[one][0] - mine[0]) ** 2 + (models[one][1] - mine[1]) ** 2,
    )
    name = await page.get_attribute(f"circle.base[data-number='{nearest}']", "aria-label")
    over_x, over_y = await _middle(page, nearest)
    await page.mouse.move(x, y)
    await page.mouse.down()
    for step in range(1, 16):
        await page.mouse.move(x + (over_x - x) * 0.12 * step, y + (over_y - y) * 0.12 * step)
    await page.mouse.up()
    says = page.locator("#ground-says", has_text="over the base of ")
    await says.wait_for()
    assert str(name).split(",")[0].strip() in str(await says.text_content())


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_every_attack_on_a_measured_enemy_can_be_pressed_at_every_size(
    room_beside: Room, chromium: Any
) -> None:
    anna, bo = await _laid(room_beside)
    _, target, side = await _acting(anna, bo)
    page = await phone(chromium, side.url)
    await page.locator("#ground.live").wait_for()
    await page.mouse.click(*await _middle(page, target))
    attacks = page.locator("#aside .next button:visible")
    await attacks.first.wait_for()
    while await attacks.count() < 4:
        await page.evaluate(ANOTHER_ATTACK)
    for width, height in SIZES:
        await _resize(page, width, height)
        assert await page.evaluate(COVERED) == [], (width, height)
        assert await attacks.count() == 4, (width, height)
    await page.context.close()


async def _resize(page: Any, width: int, height: int) -> None:
    """Give the page another size, and wait until it has heeded it."""
    await page.set_viewport_size({"width": width, "height": height})
    await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


CUT = """() => [...document.querySelectorAll('#panel .told .die, #panel .told > :first-child p:first-child')]
    .filter(one => {
        const box = one.getBoundingClientRect(), told = one.closest('.told').getBoundingClientRect();
        return box.top < told.top - 1 || box.bottom > told.bottom + 1;
    }).map(one => one.textContent)"""
"""What of the headline and of the dice is cut off."""

BROKEN = """() => [...document.querySelectorAll('#panel button, #ground-tools button')].filter(one => {
        one.style.overflowWrap = 'normal';
        const isBroken = one.scrollWidth > one.clientWidth + 1;
        one.style.overflowWrap = '';
        return one.checkVisibility() && isBroken;
    }).map(one => one.textContent)"""
"""Buttons with a word that is broken."""

MORE_TOLD = """() => {
    const told = document.querySelector('#panel .told');
    told.querySelectorAll('.roll').forEach(each => each.remove());
    const dice = '<span class="die"><b>6</b></span>'.repeat(4);
    for (const what of ['4 dice', 'After flips']) {
        told.insertAdjacentHTML('beforeend', '<p>What happened before them.</p><p>And what else.</p>');
        const rolled = `<span class="rolled">${what} ${dice}</span>`;
        told.insertAdjacentHTML('beforeend', `<p class="roll">${rolled}</p>`);
    }
}"""


async def _begun(opened: Room, system: str) -> tuple[Phone, Phone]:
    """A game that has begun, on the board in inches if it has one."""
    if system == "soluna":
        anna, bo = await opened.opener("Anna"), await opened.join("Bo")
        await _done(anna.say(f"/demo system:{system}"))
        await _done(bo.press("Join..."))
    else:
        anna, bo = await _laid(opened, system)
    await _done(bo.press("Ready"))
    await _done(anna.press("Begin"))
    if "Begin anyway" in await anna.page():
        await _done(anna.press("Begin anyway"))
    return anna, bo


@in_a_browser
@pytest.mark.parametrize("system", ["counterblast", "infinity", "warzone", "soluna", "fracd_earth"])
@pytest.mark.asyncio(loop_scope="module")
async def test_the_card_has_its_buttons_and_its_dice_in_sight_at_every_size_in_every_game(
    room_beside: Room, chromium: Any, system: str
) -> None:
    for one in await _begun(room_beside, system):
        page = await phone(chromium, one.url)
        for width, height in SIZES:
            await _resize(page, width, height)
            assert await page.evaluate(COVERED) == [], (width, height)
            assert await page.evaluate(CUT) == [], (width, height)
            assert await page.evaluate(BROKEN) == [], (width, height)
        await page.evaluate(MORE_TOLD)
        for width, height in SIZES:
            await _resize(page, width, height)
            assert await page.evaluate(CUT) == [], (width, height)
            assert await page.evaluate(COVERED) == [], (width, height)
        await page.context.close()


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_what_another_is_awaited_for_stands_in_a_fold_with_his_name(
    room_beside: Room, chromium: Any
) -> None:
    """Also for whoever opened the table, and may press it in his stead."""
    other, first = await _begun(room_beside, "soluna")
    assert "Waiting for Bo" in await first.page()
    page = await phone(chromium, other.url, height=844)
    theirs = page.locator("#panel .theirs")
    assert await theirs.locator("summary").all_text_contents() == ["For Bo"]
    assert await page.locator("#panel .next button:visible").all_text_contents() == ["More...", "Board"]
    await theirs.locator("summary").click()
    await theirs.get_by_role("button", name="Lunge").click()
    await page.locator("#aside").get_by_role("button", name="Override...").wait_for()
    his = await phone(chromium, first.url, height=844)
    assert await his.locator("#panel .theirs").count() == 0
    assert await his.locator("#panel .next").get_by_role("button", name="Lunge").is_visible()
    await his.context.close()
    await page.context.close()


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_the_cards_buttons_stand_below_a_private_answer_where_there_is_room(
    room_beside: Room, chromium: Any
) -> None:
    _, bo = await _begun(room_beside, "fracd_earth")
    page = await phone(chromium, bo.url, height=844)
    await page.locator("#ground.live").wait_for()
    await page.evaluate("shown => put(shown)", _private(1, 3))
    await page.locator("#aside .menu").evaluate("each => each.open = false")
    await _resize(page, 390, 844)
    seen = seen = page.locator("#panel .next button:visible")
    assert await seen.count() > 3
    assert await page.locator("#panel .next > p").is_visible()
    assert await page.evaluate(COVERED) == []
    box, card = [await page.locator(one).bounding_box() for one in ("#aside", "#panel")]
    assert card["y"] >= box["y"] + box["height"] - 1
    await _resize(page, 320, 568)
    assert await seen.count() == 0
    assert await page.evaluate(COVERED) == []
    await page.locator("#aside .close").click()
    await _resize(page, 320, 568)
    assert await seen.count() > 3
    await page.context.close()


def _private(most: int, count: int) -> dict[str, Any]:
    """A private answer of five lines with a menu, as the page is sent it."""
    text = "**Tracker declares Move.**\n" + "According to the board, no one else can react.\n" * 4
    choices = tuple(MenuChoice(f"Power {number}", f"{number}") for number in range(count))
    menu = ChoiceMenu("Choose powers", "x", choices, 1, most, disabled=False)
    message = ShownMessage(10**18, private=True)
    message.told = [MessagePart("words", tuple(blocks(text, lambda mark, number: mark + number)))]
    message.next = [MessagePart("controls", menus=(menu,))]
    return {"id": f"m{message.id}", "panel": False, "html": drawn("message", shown=message)}


BROKEN = """() => [...document.querySelectorAll(".message .next button")].flatMap(button => {
    const text = button.lastChild;
    return [...text.textContent.matchAll(/\\S+/g)].filter(word => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length > 1;
    }).map(word => `${word[0]} in ${innerWidth} by ${innerHeight}`);
})"""
"""Words of buttons that stand on two lines."""

LABELS = (
    "Lieutenant",
    "Strategos L1",
    "Acrobatics",
    "Shoot (Grenade)",
    "Reinforcements",
    "Nobody else reacts",
)


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_no_word_of_a_button_is_broken(room_beside: Room, chromium: Any) -> None:
    anna, _ = await _laid(room_beside)
    page = await phone(chromium, anna.url)
    await page.locator("#ground.live").wait_for()
    buttons = tuple(Pressable(label) for label in LABELS)
    message = ShownMessage(10**18, private=True, next=[MessagePart("controls", buttons=buttons)])
    label = "labels => document.querySelectorAll('#panel .next button').forEach((each, place) => "
    label += "{ each.textContent = labels[place % labels.length]; })"
    for is_aside in (False, True):
        if is_aside:
            html = drawn("message", shown=message)
            await page.evaluate("put", {"id": f"m{message.id}", "panel": False, "html": html})
        await page.evaluate(label, LABELS)
        for width, height in SIZES:
            await _resize(page, width, height)
            assert await page.evaluate(BROKEN) == []
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.context.close()


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_all_of_the_board_is_in_sight_while_a_place_is_asked_for(
    room_beside: Room, chromium: Any
) -> None:
    anna, _ = await _laid(room_beside)
    page = await phone(chromium, anna.url, height=844)
    await page.locator("#ground.live").wait_for()
    await press(page, "More...")
    await pick(page, "More actions in this game", "Add a fire")
    await press(page, "Tap the place on the board")
    table, words = [await page.locator(one).bounding_box() for one in ("#ground .table", "#ground-says")]
    frame = await page.locator("#ground-view").bounding_box()
    assert words["y"] + words["height"] <= table["y"]
    assert table["y"] + table["height"] <= frame["y"] + frame["height"]
    await page.context.close()


IN_SIGHT = """each => {
    const box = each.getBoundingClientRect();
    const isSeen = y => each.contains(document.elementFromPoint(box.left + 20, y));
    return isSeen(box.top + 4) && isSeen(box.bottom - 4);
}"""


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_the_choices_of_a_private_answer_are_in_sight_and_what_sends_them(
    room_beside: Room, chromium: Any
) -> None:
    anna, _ = await _laid(room_beside)
    page = await phone(chromium, anna.url)
    await page.locator("#ground.live").wait_for()
    for most, count in ((1, 6), (4, 14)):
        await page.evaluate("shown => put(shown)", _private(most, count))
        for width, height in SIZES:
            await _resize(page, width, height)
            choices = page.locator("#aside .menu > div > :not([name=choose])")
            least = 3 if height > 700 else 1
            for number in range(least):
                assert await choices.nth(number).evaluate(IN_SIGHT), (most, number, width, height)
            if most > 1:
                assert await page.locator("#aside [name=choose]").evaluate(IN_SIGHT), (width, height)
        await page.locator("#aside .close").click()
    await page.context.close()


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_move_that_counts_for_nothing_is_called_so_before_it_is_sent(
    room_beside: Room, chromium: Any
) -> None:
    anna, bo = await _laid(room_beside)
    shooter, _, side = await _acting(anna, bo)
    other = next(one for one in _own(await _ground(side)) if one != shooter)
    page = await phone(chromium, side.url, height=844)
    x, y = await _middle(page, other)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + 20)
    assert await page.locator(".plan .measured").count() == 1
    await page.mouse.up()
    await page.locator("#ground-says", has_text="isn't acting now").wait_for()
    assert await page.locator("#ground-act button.main:visible").all_text_contents() == ["Cancel"]
    assert await page.get_by_role("button", name="Board only").is_visible()
    await page.get_by_role("button", name="Cancel").click()
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + (150 if y < 240 else -150))
    assert re.search(r" in to [A-Z]\d+, [\d.]+ in too far", str(await page.text_content("#ground-says")))
    await page.mouse.up()


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_the_tape_says_that_it_measures_from_base_to_base_where_it_does(
    room_beside: Room, chromium: Any
) -> None:
    anna, _ = await _laid(room_beside)
    page = await phone(chromium, anna.url, height=844)
    one, other = [await _middle(page, number) for number in _own(await _ground(anna))[:2]]
    await press(page, "Tape measure")
    for end in (one, other):
        await page.mouse.click(*end)
    assert " in from base to base. Only" in str(await page.text_content("#ground-says"))
    for end in (one, (one[0], 240)):
        await page.mouse.click(*end)
    assert re.search(r"\d in\. Only", str(await page.text_content("#ground-says")))


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_models_are_unfolded_only_by_whoever_looks(room_beside: Room, chromium: Any) -> None:
    """Where the crews stand beside the card, one that was unfolded stays so, and no other unfolds."""
    anna, bo = await _laid(room_beside)
    page = await phone(chromium, anna.url, width=1280, height=900)
    await page.locator("#crews summary").first.click()
    name = await page.locator("#crews .name").first.text_content()
    his = _own(await _ground(bo))[0]
    await _done(bo.say(f"/board place model:#{his} where:24.3 30"))
    await page.locator(f"circle.base[data-number='{his}'][cx='24.3']").wait_for()
    assert await page.locator("#crews details[open] .name").all_text_contents() == [name]


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_every_name_is_written_over_its_edge(room_beside: Room, chromium: Any) -> None:
    """Also one that had no room in the picture, and gets it where letters are smaller on the screen."""
    anna, _ = await _laid(room_beside)
    page = await phone(chromium, anna.url, width=1280, height=900)
    await page.locator("#ground.live text.name").first.wait_for(state="attached")
    order = "all => [...new Set(all.map(one => getComputedStyle(one).paintOrder))]"
    assert await page.locator("#ground text.name, #ground text.label:not(.zone)").evaluate_all(order) == [
        "stroke"
    ]


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_an_enemy_is_measured_that_is_tapped_before_the_board_shows_who_acts(
    room_beside: Room, chromium: Any
) -> None:
    anna, bo = await _laid(room_beside)
    side, name = await _drawn(anna, bo)
    page = await phone(chromium, side.url, height=844)
    ground = await _ground(side)
    target = next(one for one in _models(ground) if one not in _own(ground))
    held = asyncio.Event()

    async def hold(route: Any) -> None:
        await held.wait()
        await route.continue_()

    await page.route("**/ground", hold)
    await _done(side.press(name))
    await page.locator("#panel", has_text=f"act with {name}").wait_for()
    await page.mouse.click(*await _middle(page, target))
    assert "Choose one of your models first" in str(await page.text_content("#ground-says"))
    held.set()
    await page.locator("#aside >> text=/ in$/").first.wait_for()
    await page.unroute("**/ground")


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_an_enemy_is_measured_from_whoever_was_just_chosen_on_the_card(
    room_beside: Room, chromium: Any
) -> None:
    anna, bo = await _laid(room_beside)
    side, name = await _drawn(anna, bo)
    page = await phone(chromium, side.url, height=844)
    ground = await _ground(side)
    target = next(one for one in _models(ground) if one not in _own(ground))
    await page.route("**/ground", lambda route: route.abort())
    await press(page, name)
    await page.locator("#panel", has_text=f"act with {name}").wait_for()
    await page.mouse.click(*await _middle(page, target))
    await page.locator("#aside", has_text=f"{name} to ").wait_for()
    await page.context.close()


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_private_answer_between_two_cards_stands_aside(room_beside: Room, chromium: Any) -> None:
    """A card is closed before the next one comes; what only one person sees may come between them."""
    anna, _ = await _laid(room_beside)
    page = await phone(chromium, anna.url, height=844)
    await page.locator("#ground.live").wait_for()
    number = str(await page.locator("#panel > article").get_attribute("id"))
    closed = f'<article class="message public" id="{number}"><div class="told"><p>Over.</p></div></article>'
    await page.evaluate("shown => put(shown)", {"id": number, "panel": False, "html": closed})
    await page.evaluate("shown => put(shown)", _private(1, 3))
    assert await page.locator("#aside", has_text="Tracker declares Move.").is_visible()
    assert await page.locator("#log article", has_text="Over.").count() == 1
    later = closed.replace(number, f"{number}0").replace("Over.", "The next card.")
    await page.evaluate("shown => put(shown)", {"id": f"{number}0", "panel": True, "html": later})
    assert await page.locator("#panel > article").all_text_contents() == ["The next card."]
    await page.evaluate("shown => put(shown)", {"id": f"{number}0", "panel": False, "html": later})
    await page.locator("#panel > article").wait_for(state="detached")
    await page.context.close()


CLICKED = """() => {
    window.clicked = 0;
    for (const kind of ["mousedown", "click"]) document.addEventListener(kind, () => { clicked += 1; }, true);
}"""


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_fire_is_placed_by_a_tap_and_the_form_keeps_what_was_filled_in(
    room_beside: Room, chromium: Any
) -> None:
    anna, bo = await _laid(room_beside)
    page = await phone(chromium, anna.url, height=844)
    await page.locator("#ground.live").wait_for()
    await press(page, "More...")
    await pick(page, "More actions in this game", "Add a fire")
    await page.locator("dialog input[name='f:inches']").fill("4")
    await press(page, "Tap the place on the board")
    assert not await page.locator("dialog[open]").count()
    box = await page.locator("#ground svg.board").bounding_box()
    await page.evaluate(CLICKED)
    await page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 0.62 * box["height"])
    place = str(await page.locator("dialog[open] [data-pointed=spot]").input_value())
    await page.wait_for_timeout(100)
    assert await page.evaluate("clicked") == 0, "the rest of the tap lands on nothing of the form"
    assert await page.locator("dialog input[name='f:inches']").input_value() == "4"
    await page.locator("dialog button.main").click()
    await page.locator("#ground polygon.terrain.danger", has_text="fire at").wait_for(state="attached")
    east, north = map(float, place.split())
    fire = re.search(r"fire at \w+ \(([\d.]+), ([\d.]+)\)", await _ground(bo))
    assert fire
    assert abs(float(fire[1]) - east) < 0.1
    assert abs(float(fire[2]) - north) < 0.1
    assert page.faults == []


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_the_places_of_a_mission_are_tapped_one_after_the_other(
    room_beside: Room, chromium: Any
) -> None:
    anna, bo = await _laid(room_beside)
    await _done(anna.say("/mission choose mission:Scouting"))
    page = await phone(chromium, anna.url, height=844)
    await page.locator("#ground.live").wait_for()
    earlier = await page.locator("#aside article").last.get_attribute("id")
    await press(page, "Mission")
    await page.locator(f"#aside article:not(#{earlier}) button", has_text="Set up places").click()
    for share in (0.2, 0.5, 0.8):
        await press(page, "Tap a place on the board")
        box = await page.locator("#ground svg.board").bounding_box()
        await page.mouse.click(box["x"] + share * box["width"], box["y"] + 0.4 * box["height"])
    places = str(await page.locator("dialog[open] [data-pointed=spots]").input_value())
    assert places.count(";") == 2
    await page.locator("dialog button.main").click()
    await page.locator("#ground text", has_text="Lancers C").first.wait_for(state="attached")
    assert "Lancers C at" in await _ground(bo)
    assert page.faults == []


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_newer_board_waits_until_the_finger_is_lifted(room_beside: Room, chromium: Any) -> None:
    anna, bo = await _laid(room_beside)
    page = await phone(chromium, anna.url, height=844)
    mover, (his, *_) = _own(await _ground(anna))[0], _own(await _ground(bo))
    x, y = await _middle(page, mover)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 30, y)
    async with page.expect_response("**/ground") as answer:
        await _done(bo.say(f"/board place model:#{his} where:24.3 30"))
    await (await answer.value).finished()
    moved = page.locator(f"circle.base[data-number='{his}'][cx='24.3']")
    await page.wait_for_timeout(50)
    assert await moved.count() == 0
    await page.mouse.move(x + 60, y)
    await page.mouse.up()
    await moved.wait_for()
    await page.get_by_role("button", name="Place here").wait_for()


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_photograph_is_made_smaller_lies_under_the_board_and_is_set_to_scale(
    room_beside: Room, chromium: Any, tmp_path: Path
) -> None:
    anna, _ = await _laid(room_beside)
    noise = tmp_path / "table.png"
    Image.effect_noise((1000, 800), 90).save(noise)
    assert noise.stat().st_size > MAX_FILE_BYTES
    page = await phone(chromium, anna.url, height=844)
    for number, width in enumerate((844, 320)):
        await page.set_viewport_size({"width": width, "height": 390 if width > 700 else 568})
        assert await page.locator("#ground svg.board").is_visible(), number
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        assert not AXE or await serious(page) == []
    await press(page, "List where everyone stands")
    await press(page, "Add a photograph")
    await page.set_input_files("dialog input[type=file]", noise)
    await page.locator("dialog button.main").click()
    await page.locator("svg.pictured image").wait_for(state="attached")
    address = str(await page.get_attribute("svg.pictured image", "href"))
    got = await page.request.get(f"{room_beside.url}{address}")
    assert got.headers["content-type"] == "image/jpeg"
    assert len(await got.body()) <= KEPT_BYTES
    assert (await page.request.get(f"{room_beside.url}/photo/{'0' * 64}.jpg")).status == 404
    await press(page, "List where everyone stands")
    await press(page, "Scale the photograph")
    box = await page.locator("#ground svg.board").bounding_box()
    for part in (0.3, 0.7):
        await page.mouse.click(box["x"] + part * box["width"], box["y"] + part * box["height"])
    await page.locator(".told", has_text="The photograph has been scaled.").first.wait_for()
    assert page.faults == []


async def _route(one: Phone, model: str, where: str) -> dict[str, Any]:
    async with one.session.get(f"{one.url}way", params={"model": model, "where": where}) as answer:
        assert answer.status == 200
        return dict(await answer.json())


async def test_what_bars_a_move_is_told_before_it_is_sent(open_room: Room) -> None:
    anna, bo = await _laid(open_room)
    number, other = _own(await _ground(anna))[:2]

    async def way(one: Phone, model: str, where: str) -> str:
        return (await _route(one, model, where))["barred"]

    assert await way(anna, number, "2 north") == ""
    assert "would overlap" in await way(anna, number, f"to #{other}")
    assert "building" in await way(anna, number, "24 24")
    assert await way(bo, number, "2 north") != ""
    assert await way(anna, "99", "2 north") == "That model is no longer in play."
    assert await way(anna, "x", "") != ""


async def test_a_route_is_the_games_own_move_for_whoever_acts_alone(open_room: Room) -> None:
    """One line makes it, the same as by hand; what the game doesn't allow is told before it is sent."""
    anna, bo = await _laid(open_room)
    shooter, _, side = await _acting(anna, bo)
    other = next(one for one in _own(await _ground(side)) if one != shooter)
    away = "south" if side is anna else "north"
    nudged = await _route(side, other, "0.4 east")
    assert [nudged[key] for key in ("barred", "label", "line", "refused")] == [""] * 4
    uncounted = "The model isn't acting now, so this move doesn't count as an action in the game."
    beside = await _route(side, other, "2 east")
    assert [beside[key] for key in ("barred", "label", "line", "refused")] == ["", "", "", uncounted]
    assert nudged["paces"]
    assert (await _route(side, shooter, "0.4 east"))["label"] == ""
    twice = await _route(side, shooter, f"8 {away}")
    assert (twice["label"], "moves:2" in twice["line"]) == ("Two Moves", True)
    far = await _route(side, shooter, f"15 {away}")
    assert (far["label"], far["barred"]) == ("", "")
    assert far["refused"].startswith("The game doesn't allow this move now. Move: ")
    own = await _route(side, shooter, f"2 {away}")
    assert own["label"] == "Move", own
    await _done(side.say(own["line"]))
    assert "moves 2 in" in await side.page()
    assert "not an action of the game" not in await side.page()


def test_the_page_is_told_what_slows_and_what_carries_a_model() -> None:
    shape = Shape("circle", ((10.0, 10.0),), (2.0,))
    ruin = Terrain("ruin", "ruin", shape, 1, 5, 1, rough=1, dangerous=2, is_opaque=True, is_climbable=True)
    told = dict(terrain_patch(48, 48, ruin).told)
    assert (told["slows"], told["roof"]) == ("4 in high, roughness 1, danger 2", "5")
    assert float(told["widest"]) > 2
    assert terrain_patch(48, 48, replace(ruin, is_climbable=False, rough=0)).told == (
        ("slows", "4 in high, danger 2"),
    )


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_model_dragged_onto_a_building_stands_on_its_roof(room_beside: Room, chromium: Any) -> None:
    """Nobody has to enter a level: what can be climbed is stood on."""
    anna, _ = await _laid(room_beside)
    number = _own(await _ground(anna))[0]
    page = await phone(chromium, anna.url, height=844)
    x, y = await _middle(page, number)
    box = await page.locator("polygon.terrain.solid", has_text="building at").first.bounding_box()
    await page.mouse.move(x, y)
    await page.mouse.down()
    for part in (0.5, 1):
        end = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await page.mouse.move(x + part * (end[0] - x), y + part * (end[1] - y))
    await page.mouse.up()
    await page.locator("#ground-says", has_text="on top at level 4").wait_for()
    await page.get_by_role("button", name="Place here").click()
    await page.locator("#panel", has_text="level 4").wait_for()
    await room_beside.rest()
    assert "level 4" in await _ground(anna)

    await _middle(page, _own(await _ground(anna))[1])
    wall = await page.locator("polygon.terrain.solid", has_text="low wall at").first.bounding_box()
    await _drag(
        page, _own(await _ground(anna))[1], wall["x"] + wall["width"] / 2, wall["y"] + wall["height"] / 2
    )
    said = page.locator("#ground-says", has_text="Choose another place, because low wall is in the way.")
    await said.wait_for()
    assert "on top" not in str(await said.text_content()), "nothing stands on a thin wall"
    assert await page.locator("#ground-act button.main:visible").all_text_contents() == ["Cancel"]
    assert page.faults == []


async def _drag(page: Any, number: str, x: float, y: float) -> None:
    """Drag a model to a place on the screen."""
    start = await _middle(page, number)
    await page.mouse.move(*start)
    await page.mouse.down()
    for part in (0.5, 1):
        await page.mouse.move(start[0] + part * (x - start[0]), start[1] + part * (y - start[1]))
    await page.mouse.up()


RINGS = """() => [...document.querySelectorAll('.plan .ring')].map(each => Number(each.getAttribute('r')))"""


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_the_rings_are_the_moves_that_the_game_allows_now(room_beside: Room, chromium: Any) -> None:
    """Two for whoever has two actions, one after a Move, in inches around the base; and less over brush."""
    anna, bo = await _laid(room_beside)
    shooter, _, side = await _acting(anna, bo)
    page = await phone(chromium, side.url, height=844)
    base = f"circle.base[data-number='{shooter}']"
    radius, stood = [float(await page.locator(base).get_attribute(name)) for name in ("r", "cx")]
    away = 1 if side is bo else -1

    async def rings(number: str, x: float, y: float, words: str) -> list[float]:
        start = await _middle(page, number)
        await _drag(page, number, start[0] + x, start[1] + y)
        await page.locator("#ground-act [data-do=send]:enabled", has_text=re.compile(words)).wait_for(
            state="attached"
        )
        return [round(each - radius, 1) for each in await page.evaluate(RINGS)]

    basic, twice = await rings(shooter, 10, -12 * away, "^Move$")
    assert twice == 2 * basic
    assert f" of {basic:g} in to" in str(await page.text_content("#ground-says"))
    await page.locator("#ground-act .main").click()
    await page.locator(f"{base}:not([cx='{stood:g}'])").wait_for()
    assert await rings(shooter, 5, 14 * away, "^Move$") == [basic]
    assert page.faults == []


CONTRAST = """kind => {
    const lights = selector => (name => {
        const [r, g, b] = getComputedStyle(document.querySelector(selector))[name].match(/[\\d.]+/g)
            .map(each => each / 255)
            .map(each => each <= .03928 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b + .05;
    });
    const [one, other] = [lights(kind)('stroke'), lights('#ground .table')('fill')];
    return Math.max(one, other) / Math.min(one, other);
}"""


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_zones_stand_out_from_the_table(room_beside: Room, chromium: Any) -> None:
    anna, _ = await _laid(room_beside)
    for dark in (False, True):
        page = await phone(chromium, anna.url, height=844, dark=dark)
        await page.locator("#ground.live").wait_for()
        for zone in ("side0", "side1"):
            assert await page.evaluate(CONTRAST, f"#ground .area.{zone}") >= 3, (dark, zone)
            width = await page.locator(f"#ground .area.{zone}").evaluate(
                "each => getComputedStyle(each).strokeWidth"
            )
            assert width == "1.5px"


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_small_base_is_hit_by_a_finger_beside_it_and_the_nearest_wins(
    room_beside: Room, chromium: Any
) -> None:
    """A base is 9 dots wide on a phone; where it stands alone its pin is 24 dots wide."""
    anna, _ = await _laid(room_beside)
    one, other, alone = _own(await _ground(anna))[:3]
    for number, place in ((one, "10 8"), (other, "12 8"), (alone, "40 6")):
        await _done(anna.say(f"/board place model:#{number} where:{place}"))
    page = await phone(chromium, anna.url, height=844)
    await page.locator(f"circle.base[data-number='{alone}'][cx='40']").wait_for()
    pin = page.locator(f"circle.pin:has(+ circle.base[data-number='{alone}'])")
    box = await pin.bounding_box()
    assert box["width"] == pytest.approx(24, abs=0.5)
    names = {}
    for number in (one, other, alone):
        title = await page.locator(f"circle.base[data-number='{number}'] title").text_content()
        names[number] = title.split(",")[0]
    (x, y), (x2, _) = await _middle(page, one), await _middle(page, other)
    for number, at in (
        (alone, (box["x"] + 1.5, box["y"] + box["height"] / 2)),
        (one, (x - 11, y)),
        (one, (x + 0.4 * (x2 - x), y)),
        (other, (x + 0.6 * (x2 - x), y)),
    ):
        await page.mouse.move(*at)
        await page.mouse.down()
        await page.mouse.move(at[0], at[1] - 20)
        assert str(await page.text_content("#ground-says")).startswith(f"{names[number]} at"), at
        await page.mouse.up()
        await page.get_by_role("button", name="Cancel").click()


async def test_films_and_replays_show_nothing_that_a_side_hides(open_room: Room) -> None:
    """And they are as long as before, byte by byte."""
    anna, bo = await _laid(open_room, "infinity")

    async def files(one: Phone) -> list[bytes]:
        found = []
        for line in ("/board film", "/replay"):
            await _done(one.say(line))
            address = re.findall(r"(files/\d+/(?:film\.gif|then\.png))", await one.page())[-1]
            async with one.session.get(one.url + address) as answer:
                found.append(await answer.read())
        return found

    before = await files(bo)
    async with anna.session.get(
        f"{anna.url}suggest", params={"line": "/board hide side:Vanguard who:"}
    ) as answer:
        (choice,) = await answer.json()
    await _done(anna.say(f"{choice['line']} where:20 24"))
    assert await files(bo) == before


async def _hidden(anna: Phone, where: str) -> str:
    """Hide a trooper of the first side there, and return its name."""
    async with anna.session.get(
        f"{anna.url}suggest", params={"line": "/board hide side:Vanguard who:"}
    ) as answer:
        (choice,) = await answer.json()
    await _done(anna.say(f"{choice['line']} where:{where}"))
    return str(choice["shown"])


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_every_name_stands_at_its_own_base_and_a_hidden_model_is_dragged(
    room_beside: Room, chromium: Any
) -> None:
    anna, bo = await _laid(room_beside, "infinity")
    name = await _hidden(anna, "20 24")
    ground = await _ground(anna)
    (number,) = [one for one in _models(ground) if one.startswith("-")]
    assert number in _own(ground)
    assert number not in await _ground(bo)
    page = await phone(chromium, anna.url, height=844)
    await _middle(page, number)
    names = page.locator("#ground text.name:not(.crowded)")
    apart = """(all) => all.map((one) => {
        const base = document.querySelector(`#ground circle.base[data-number="${one.dataset.number}"]`);
        return [base.querySelector("title").textContent.split(",")[0] === one.textContent,
            Math.abs(base.getAttribute("cx") - one.getAttribute("x"))];
    })"""
    seen = await names.evaluate_all(apart)
    assert seen
    assert all(is_its and distance < 0.01 for is_its, distance in seen)
    x, y = await _middle(page, number)
    await page.mouse.click(x, y)
    assert f"{name}, hidden. Drag it" in str(await page.text_content("#ground-says"))
    x, y = await _middle(page, number)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 20, y - 20)
    await page.mouse.up()
    await page.get_by_role("button", name="Hide here").click()
    await page.locator("#aside", has_text=f"{name} is hidden at").wait_for()
    await room_beside.rest()
    assert _models(await _ground(anna))[number] != _models(ground)[number]
    assert page.faults == []
    await page.context.close()


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_trooper_dragged_over_a_low_wall_jumps_with_one_press(
    room_beside: Room, chromium: Any
) -> None:
    """What the game refuses has no button, and its reason is read before anything is sent."""
    anna, bo = await _laid(room_beside, "infinity")
    await _done(anna.say("/board place model:Angus where:20 13.4"))
    await _done(bo.press("Ready"))
    for label in ("Begin", "Play first", "First turn"):
        await anna.page()
        await _done(anna.press(label))
    page = await phone(chromium, anna.url, height=844)
    angus = await page.locator("circle.base[aria-label^='Angus']").get_attribute("data-number")
    says, buttons = page.locator("#ground-says"), page.locator("#ground-act button:visible")

    async def dragged(north: float) -> list[str]:
        await _middle(page, angus)
        inch = (await page.locator("polygon.table").bounding_box())["width"] / 48
        await _drag_beside(page, angus, 0, -north * inch)
        await page.locator("#ground-act [data-do=send]:enabled").wait_for(state="attached")
        return [str(one) for one in await buttons.all_text_contents()]

    assert await dragged(3.9) == ["Bend", "Board only", "Cancel"]
    refused = str(await says.text_content())
    assert "The game doesn't allow this move now. Move: Choose a path" in refused
    assert "Jump (Entire Order): Choose a path" in refused
    await page.get_by_role("button", name="Cancel").click()
    assert await dragged(3.2) == ["Jump (Entire Order)", "Bend", "Board only", "Cancel"]
    said = str(await says.text_content())
    assert " of 3.3 in to" in said
    assert "too far" not in said
    assert "Move: Choose a path of up to 4 in; this one is 5.2 in with climbing." in said
    await page.get_by_role("button", name="Jump").click()
    await page.locator("#panel", has_text="Angus jumps 3.2 in").wait_for()
    assert page.faults == []
    await page.context.close()


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_a_hidden_model_is_placed_first_by_a_tap_and_its_zone_is_told_before_it_is_sent(
    room_beside: Room, chromium: Any
) -> None:
    """It waits beside the table on the page of its side alone; nobody types where it is."""
    anna, bo = await _laid(room_beside, "infinity")
    ground, his = await _ground(anna), await _ground(bo)
    (number,) = [one for one in _models(ground) if one.startswith("-")]
    assert _models(ground)[number][1] > 48, "beside the table"
    page = await phone(chromium, anna.url, height=844)
    says = page.locator("#ground-says")
    await page.mouse.click(*(await _middle(page, number)))
    await says.get_by_text("hidden, not placed yet. Drag it to its place, or tap the place.").wait_for()
    box = await page.locator("polygon.table").bounding_box()

    async def tap(east: float, north: float) -> None:
        inch = box["width"] / 48
        await page.mouse.click(box["x"] + east * inch, box["y"] + (48 - north) * inch)

    await tap(3, 30)
    await says.get_by_text("It isn't wholly in the south zone.").wait_for()
    await tap(3, 6)
    await page.locator("#ground-act [data-do=send]:enabled", has_text="Hide here").wait_for()
    assert "zone" not in str(await says.text_content())
    await page.get_by_role("button", name="Hide here").click()
    await page.locator("#aside", has_text="is hidden at").wait_for()
    await room_beside.rest()
    x, y = _models(await _ground(anna))[number]
    assert (abs(x - 3) < 0.2, abs(y - 42) < 0.2) == (True, True)
    assert await _ground(bo) == his
    await _drag_beside(page, _own(ground)[0], 0, -120)
    await says.get_by_text("It isn't wholly in the south zone.").wait_for()
    assert await page.locator("#ground-act button.main:visible").all_text_contents() == ["Place here"]
    assert page.faults == []
    await page.context.close()


async def _drag_beside(page: Any, number: str, x: float, y: float) -> None:
    """Drag a model so far on the screen."""
    start = await _middle(page, number)
    await _drag(page, number, start[0] + x, start[1] + y)


@in_a_browser
@pytest.mark.asyncio(loop_scope="module")
async def test_who_acts_is_chosen_on_the_board_and_moves_from_there(room_beside: Room, chromium: Any) -> None:
    anna, bo = await _laid(room_beside)
    side, name = await _drawn(anna, bo)
    ground = await _ground(side)
    bases = [
        (each["data-number"], words)
        for each, words in Elements(ground).all("circle")
        if "data-number" in each
    ]
    (number,) = [one for one, words in bases if words.split(",")[0] == name]
    page = await phone(chromium, side.url, height=844)
    x, y = await _middle(page, number)
    assert await page.locator("#panel button[data-sign]", has_text=name).count()
    await page.mouse.click(x, y)

    await page.get_by_role("button", name=f"Act with {name}").click()
    await page.locator("#ground circle.acting").wait_for(state="attached")
    await room_beside.rest()
    wide = await page.evaluate(
        """(number) => {
            const base = document.querySelector(`#ground circle.base[data-number="${number}"]`);
            const pin = base.previousElementSibling, ring = document.querySelector("#ground circle.acting");
            const isAbove = pin.compareDocumentPosition(ring) & Node.DOCUMENT_POSITION_FOLLOWING;
            return isAbove && ring.r.baseVal.value > pin.r.baseVal.value;
        }""",
        number,
    )

    assert wide, "the ring around who acts is seen outside its pin"
    await press(page, "Move")
    await page.get_by_role("button", name=f"Drag {name} on the board").click()
    await page.locator(".plan .ring").first.wait_for(state="attached")
    assert not await page.locator("#sheet[open]").count()
    assert page.faults == []
    await page.context.close()
