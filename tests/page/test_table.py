"""The table in a browser, played with plain requests: seats, messages, presses, forms, lines, restarts."""

from __future__ import annotations

import asyncio
import html
import io
import json
import secrets
from pathlib import Path
from typing import Any

import aiohttp

from bot.page.attach import MAX_FILE_BYTES, NO_FILE, TOO_LARGE
from bot.page.guard import MAX_BYTES
from bot.table.referee.checks import verify
from tests.bot.lists.test_bad_lists import BAD
from tests.page.room import JSON, Elements, Room, room

PAUSE_SECONDS = 2.5
"""How long the page asks to wait when somebody sends too much at once."""


async def events(answer: Any, count: int) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    kind = ""
    async with asyncio.timeout(5):
        while len(found) < count:
            line = (await answer.content.readline()).decode().rstrip("\n")
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: "):
                found.append((kind, json.loads(line[6:])))
    return found


async def test_two_phones_play_from_the_demo_to_a_shot(open_room: Room) -> None:
    anna, bo = await open_room.opener("Anna"), await open_room.join("Bo")
    assert await anna.say("/demo") == (200, {})
    await open_room.rest()
    assert await bo.press("Join...") == (200, {})
    assert "Bo now plays Edo." in await anna.page()
    assert await bo.press("Ready") == (200, {})
    assert await anna.press("Begin") == (200, {})
    assert "Begin anyway" in await anna.page()
    assert "Begin anyway" not in await bo.page()
    assert await anna.press("Begin anyway") == (200, {})
    drawer = anna if "Lancers won the roll-off" in await bo.page() else bo
    assert await drawer.press("Draw") == (200, {})
    await open_room.rest()
    side = anna if "draws a token for Lancers" in await anna.page() else bo
    name = "Sally Starfield" if side is anna else "Prime Leader"
    assert await side.press(name) == (200, {})
    await open_room.rest()
    status, opened = await side.press("Move")
    assert status == 200
    assert "<select" in opened["form"] or "<input" in opened["form"]
    assert await side.hand_in(opened["form"]) == (200, {})
    await open_room.rest()
    assert f"{name} moves" in await anna.page()
    assert f"{name} moves" in await bo.page()


async def test_the_lit_buttons_lead_to_the_first_dice_of_soluna(open_room: Room) -> None:
    """Five presses from the entrance: sit down, the game, and these three."""
    anna = await open_room.opener()
    await anna.say("/demo soluna")
    await anna.press("Begin")
    await open_room.rest()
    lit = [words for each, words in Elements(await anna.page()).all("button") if each.get("class") == "main"]
    opened = (await anna.press(next(label for label in lit if label in ("Attack", "Lunge", "Move"))))[1]
    assert await anna.hand_in(opened["form"]) == (200, {})
    await open_room.rest()
    assert 'class="die' in await anna.page()


async def test_the_list_of_crews_opens_ones_own_and_leads_to_a_first_one(open_room: Room) -> None:
    anna, bo = await open_room.opener(), await open_room.join("Bo")
    await anna.say("/crew create name:Hounds system:counterblast")
    await anna.say("/crew list")
    assert await anna.press("Hounds") == (200, {})
    await open_room.rest()
    assert "Hounds: 0 members" in await anna.page()
    await bo.say("/crew list")
    assert "form" in (await bo.press("Create a crew"))[1]


async def test_a_line_does_anything_and_has_suggestions(open_room: Room) -> None:
    anna = await open_room.opener()
    await anna.say("/demo")
    async with anna.session.get(f"{anna.url}suggest?line=/encounter%20st") as answer:
        offered = await answer.json()
    assert [each["line"] for each in offered] == ["/encounter start ", "/encounter status "]
    async with anna.session.get(f"{anna.url}suggest?line=") as answer:
        offered = await answer.json()
    assert offered
    status, said = await anna.say(offered[0]["line"])
    assert (status, "say" in said) == (200, False), "it is done, or its form asks for the rest"
    assert "There is no command /nothing" in (await anna.say("/nothing"))[1]["say"]


async def test_what_was_sent_twice_is_done_once(open_room: Room) -> None:
    anna = await open_room.opener()
    both = await asyncio.gather(anna.say("/roll 3d6", once="a" * 12), anna.say("/roll 3d6", once="a" * 12))
    assert both == [(200, {}), (200, {})]
    await open_room.rest()
    assert Elements(await anna.page()).all("article").__len__() == 1


async def test_the_game_and_its_links_go_on_after_a_restart(file: Path) -> None:
    async with room(file) as first:
        anna, bo = await first.opener("Anna"), await first.join("Bo")
        await anna.say("/demo", once="d" * 12)
        await first.rest()
        before = await anna.page()
        links = [each.url.partition("/s/")[2] for each in (anna, bo)]
    async with room(file) as second:
        anna.session = bo.session = second.session
        anna.idle = bo.idle = second.idle
        anna.url, bo.url = (f"{second.url}/s/{link}" for link in links)
        again = await anna.page()
        assert Elements(again).all("article") == Elements(before).all("article")
        assert await anna.say("/demo", once="d" * 12) == (200, {})
        assert len(Elements(await anna.page()).all("article")) == len(Elements(before).all("article"))
        await bo.page()
        assert await bo.press("Join...") == (200, {})
        assert "Bo now plays Edo." in await anna.page()
        await anna.say("/encounter end")
        await anna.press("End the game")
        await anna.page()
        assert await anna.say("/export") == (200, {})
        files = [each["href"] for each, _ in Elements(await anna.page()).all("a") if "download" in each]
        async with anna.session.get(anna.url + files[0]) as answer:
            assert answer.headers["Content-Disposition"] == "attachment"
            assert verify(await answer.read()).entries > 2


async def test_a_page_that_slept_hears_what_it_missed(open_room: Room) -> None:
    anna = await open_room.opener()
    async with anna.events() as answer:
        (kind, _), *_ = await events(answer, 1)
        assert kind == "all"
    page = await anna.page()
    at = page.partition('data-at="')[2].partition('"')[0]
    await anna.say("/roll 2d6")
    await open_room.rest()
    async with anna.events(headers={"Last-Event-ID": at}) as answer:
        (kind, shown), *_ = await events(answer, 1)
    assert kind == "put"
    assert "2d6" in shown["html"]
    async with anna.events(after="another-12") as answer:
        (kind, whole), *_ = await events(answer, 1)
    assert kind == "all"
    assert "2d6" in whole["messages"][-1]["html"]


async def test_whoever_opened_the_table_lets_people_in(closed_room: Room) -> None:
    anna, bo = await closed_room.opener("Anna"), await closed_room.join("Bo")
    assert "Wait until you are let in." in await bo.page()
    await anna.say("/roll 2d6")
    assert "<article" not in await bo.page()
    assert await bo.say("/roll 2d6", token="x") == (403, "Wait until you are let in.")
    number = (await anna.value("Let Bo in"))[1]
    assert (await bo.post("seats", {"seated": number}))[0] == 403
    async with bo.events(after="none-0") as answer:
        await events(answer, 1)
        await anna.page()
        assert await anna.post("seats", {"seated": number}) == (200, {})
        assert [kind for kind, _ in await events(answer, 1)] == ["again"]
    assert "2d6" in await bo.page()
    assert await bo.say("/roll 2d6") == (200, {})
    await anna.page()
    await anna.post("seats", {"refused": number})
    assert "You were not let in." in await bo.page()
    assert await bo.say("/roll 2d6") == (403, "You were not let in.")


async def test_the_opener_hears_of_everybody_who_comes(open_room: Room) -> None:
    anna = await open_room.opener("Anna")
    at = (await anna.page()).partition('data-at="')[2].partition('"')[0]
    await open_room.join("Bo")
    await open_room.join("Cy", "watch")
    async with anna.events(after=at) as answer:
        told = await events(answer, 2)
    assert [kind for kind, _ in told] == ["seats", "seats"]
    assert "Bo plays" in told[0][1]["html"]
    assert "Cy watches" in told[1][1]["html"]


async def test_a_game_stays_where_phones_and_wall_look(open_room: Room) -> None:
    anna = await open_room.opener("Anna")
    await anna.say("/demo")
    assert "Play in a thread" not in await anna.page()
    assert "Sally Starfield" in await open_room.wall()
    assert len(open_room.table.server.world.channels) == 1


async def test_who_watches_sees_and_does_nothing(open_room: Room) -> None:
    anna, cy = await open_room.opener(), await open_room.join("Cy", "watch")
    await anna.say("/roll 2d6")
    assert "2d6" in await cy.page()
    refusal = "To play, ask for a seat; at the moment you are only watching."
    assert await cy.say("/roll 2d6") == (200, {"say": refusal})


async def test_a_file_is_given_to_a_command_and_bounded(open_room: Room) -> None:
    anna = await open_room.opener()
    _, opened = await anna.say("/crew own import")
    [(form, _)] = Elements(opened["form"]).all("form")
    assert (form["action"], form["enctype"]) == ("attach", "multipart/form-data")

    async def send(data: bytes, line: str = "/crew own import", **more: Any) -> tuple[int, str]:
        sent = aiohttp.FormData({"token": more.get("token", anna.token), "once": secrets.token_hex(8)})
        sent.add_field("line", line)
        sent.add_field("file", data, filename="../own.toml")
        async with anna.session.post(f"{anna.url}attach", data=sent, headers=JSON) as answer:
            return answer.status, await answer.text()

    assert await send(b"nothing of the kind") == (200, "{}")
    assert "Correct the JSON" in await anna.page()
    assert (await send(b"x", line="/roll dice:2d6"))[1] == json.dumps({"say": NO_FILE})
    assert (await send(b"x", token="another"))[0] == 403
    assert (await send(b"x" * (MAX_FILE_BYTES + 1)))[1] == json.dumps({"say": TOO_LARGE})
    assert (await send(b"x" * (MAX_FILE_BYTES + MAX_BYTES + 1)))[0] == 413


async def test_a_list_is_pasted_or_dropped_and_shown_to_its_person_alone(open_room: Room) -> None:
    anna, bo = await open_room.opener(), await open_room.join("Bo")
    _, opened = await anna.say("/crew import")
    assert [one["name"] for one, _ in Elements(opened["form"]).all("textarea")] == ["pasted"]

    async def send(**fields: str | bytes | io.BytesIO) -> str:
        values = {"token": anna.token, "once": secrets.token_hex(8), "line": "/crew import"}
        sent = aiohttp.FormData(values, default_to_multipart=True)
        for name, value in fields.items():
            sent.add_field(name, value, filename="list.txt" if name == "file" else None)
        async with anna.session.post(f"{anna.url}attach", data=sent, headers=JSON) as answer:
            return await answer.text()

    assert await send(pasted="Lancers\nSally Starfield\n2x GDF Ranger") == "{}"
    assert "Lancers (Counterblast): 3 models" in await anna.page()
    assert await send(file=b"Raiders\nPrime Leader\n2x Edo Underling\nTrapper") == "{}"
    assert "Raiders (Counterblast): 4 models" in await anna.page()
    assert "Lancers" not in await bo.page()
    assert "Raiders" not in await bo.page()
    assert await send(pasted=" ") == json.dumps({"say": NO_FILE})
    for data, why in BAD.values():
        told = await send(file=io.BytesIO(data))
        if "Wait a moment" in told:
            await asyncio.sleep(PAUSE_SECONDS)
            told = await send(file=io.BytesIO(data))
        is_large = len(data) > MAX_FILE_BYTES
        assert (
            told == "Send a smaller text or file." if is_large else why in html.unescape(await anna.page())
        ), why


async def test_without_script_a_press_answers_with_a_page(open_room: Room) -> None:
    anna = await open_room.opener()
    status, _ = await anna.say("/demo", headers={"Accept": "text/html"})
    assert status == 303
    status, page = await anna.say("/nothing", headers={"Accept": "text/html"})
    assert status == 200
    assert "There is no command /nothing" in page
