"""The page in a room of strangers: each test attacks one promise."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

import pytest

from bot.page import seats, stream
from bot.page.frame import drawn
from bot.page.guard import JOINS, MAX_BYTES, MAX_KEYS, Rate, Rates
from bot.page.messages import MessagePart, ShownMessage
from bot.page.serve import HERE_ALONE, ON_THE_NETWORK, Opening, is_loopback, welcome
from bot.page.words import blocks
from tests.page.room import JSON, Elements, Phone, Room, room
from tests.page.test_table import events

CHANGED = "Look at the message again before you press, because it has just changed."

FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://127.0.0.1:1"},
]


async def test_nobody_reads_anothers_private_messages_by_any_address(open_room: Room) -> None:
    anna, bo = await open_room.opener("Anna"), await open_room.join("Bo")
    at = (await bo.page()).partition('data-at="')[2].partition('"')[0]
    await anna.say("/roll 7d6+31 odds:true")
    page = await anna.page()
    assert "7d6+31" in page
    number = re.findall(r'id="m(\d+)"', page)[-1]
    assert "7d6+31" not in await bo.page()
    assert "7d6+31" not in await open_room.wall()
    async with bo.events(after="nothing") as answer:
        [(_, whole)] = await events(answer, 1)
    assert number not in str(whole)
    await anna.say("/roll 5d6")
    async with bo.events(after=at) as answer:
        [(_, shown)] = await events(answer, 1)
    assert "5d6" in shown["html"]
    for name, value in (("press", f'["{number}", "x"]'), ("pick", f'["{number}", "x", "y"]')):
        status, said = await bo.post("act", {name: value})
        assert (status, said) == (200, {"say": CHANGED})


async def test_no_number_tells_that_somebody_else_heard_something(open_room: Room) -> None:
    anna, bo = await open_room.opener("Anna"), await open_room.join("Bo")
    await anna.say("/roll 5d6")
    page = (await anna.page()).partition('data-at="')[2].partition('"')[0]
    await bo.say("/roll 7d6+31 odds:true")
    assert "7d6+31" in await bo.page()
    assert (await anna.page()).partition('data-at="')[2].partition('"')[0] == page


async def test_a_file_is_given_to_those_who_see_its_message(open_room: Room) -> None:
    anna, bo = await open_room.opener("Anna"), await open_room.join("Bo")
    await anna.say("/demo")
    await anna.say("/encounter end")
    await anna.press("End the game")
    await anna.page()
    await anna.say("/export")
    links = [each["href"] for each, _ in Elements(await anna.page()).all("a") if "download" in each]
    assert links
    for base, status in ((anna.url, 200), (bo.url, 404), (f"{open_room.url}/wall/", 404)):
        async with anna.session.get(base + links[0]) as answer:
            assert answer.status == status
    assert "download" not in await bo.page()


async def test_a_link_cannot_be_guessed(open_room: Room) -> None:
    anna, bo = await open_room.opener("Anna"), await open_room.join("Bo")
    links = [each.url.split("/")[-2] for each in (anna, bo)]
    assert all(len(link) == 43 for link in links)
    assert len({link[:8] for link in links}) == 2
    for link in (links[0][:-1] + "B", "1", links[0] + "A"):
        async with anna.session.get(f"{open_room.url}/s/{link}/") as answer:
            assert answer.status == 404


async def test_a_form_needs_its_readers_own_token(open_room: Room) -> None:
    anna, bo = await open_room.opener("Anna"), await open_room.join("Bo")
    for token in ("", bo.token, anna.token[:-1], "ü"):
        for name in ("act", "say", "form", "seats"):
            assert (await anna.post(name, {"line": "/roll 2d6"}, token=token))[0] == 403
    assert "<article" not in await anna.page()
    async with anna.session.post(
        f"{open_room.url}/join", data={"name": "Eve", "token": anna.token}
    ) as answer:
        assert answer.status == 403


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
async def test_what_another_site_sends_is_refused(open_room: Room, headers: dict[str, str]) -> None:
    anna = await open_room.opener()
    assert (await anna.say("/roll 2d6", headers=headers))[0] == 403
    assert "<article" not in await anna.page()


async def test_a_name_that_was_made_to_point_here_is_refused(open_room: Room) -> None:
    anna = await open_room.opener()
    for host, status in (("evil.example", 421), ("evil.example:80", 421), ("localhost", 200), ("[", 421)):
        async with anna.session.get(anna.url, headers={"Host": host}) as answer:
            assert answer.status in (status, 400)


async def test_every_answer_has_strict_headers(open_room: Room) -> None:
    anna = await open_room.opener()
    base = open_room.url
    for url in (
        anna.url,
        f"{base}/",
        f"{base}/wall",
        f"{base}/static/table.js",
        f"{base}/no",
        f"{base}/qr.svg",
    ):
        async with anna.session.get(url) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert "*" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["X-Frame-Options"] == "DENY"
    async with anna.events() as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


async def test_no_page_holds_script_or_style_of_its_own(open_room: Room) -> None:
    anna = await open_room.opener()
    await anna.say("/demo")
    async with anna.session.get(f"{open_room.url}/") as answer:
        entrance = await answer.text()
    for page in (await anna.page(), await open_room.wall(), entrance):
        for tag, attributes, words in Elements(page).found:
            assert tag != "style"
            assert not (tag == "script" and "".join(words).strip())
            assert not any(name == "style" or name.startswith("on") for name in attributes)
            for name in ("src", "href", "action"):
                assert "//" not in attributes.get(name, "")


def test_words_never_become_elements() -> None:
    for text in (
        "<script>alert(1)</script>",
        "**<img src=x onerror=y>**",
        "```\n</pre><script>x\n```",
        '`"><b onload=x>`',
        "~~</s><i style='x'>~~",
        "-# <svg/onload=x>",
        "[a](javascript:x)",
        "</do<img>:1>",
    ):
        part = MessagePart("words", tuple(blocks(text, lambda mark, number: "<b>")))
        made = Elements(
            drawn("message", shown=ShownMessage(1, private=False, told=[part])).partition("told")[2]
        )
        assert {tag for tag, _, _ in made.found} <= {"p", "b", "pre", "code", "s"}
        assert all(set(attributes) <= {"class", "tabindex"} for _, attributes, _ in made.found)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "x" * 25,
        "<b>",
        "a\u202eb",
        "wall",
        "Host",
        "ADJUTANT",
        "anna",
        "Ａnna",
        "@bo",
        "a\nb" * 9,
        "\x00",
    ],
)
async def test_a_name_that_misleads_is_refused(open_room: Room, name: str) -> None:
    anna = await open_room.opener("Anna")
    async with anna.session.get(f"{open_room.url}/") as answer:
        token = re.findall(r'name="token" value="([^"]+)"', await answer.text())[0]
    posted = {"name": name, "token": token}
    async with anna.session.post(f"{open_room.url}/join", data=posted, allow_redirects=False) as answer:
        assert answer.status == 200
        assert 'role="alert"' in await answer.text()


async def test_what_is_sent_is_bounded(open_room: Room) -> None:
    anna = await open_room.opener()
    assert (await anna.say("x" * (MAX_BYTES + 10)))[0] == 413
    assert (await anna.say("x" * 1001))[1] == {"say": "Enter a line of 1 to 1000 characters."}
    assert (await anna.say("/roll 2d6", once="short"))[0] == 400
    async with anna.session.post(f"{anna.url}say", json={"line": "x"}, headers=JSON) as answer:
        assert answer.status == 415
    for value in ("", "[", "[" * 20_000, "{}", "[1, 2]", '["1"]', '["' + "9" * 400 + '", "x"]', "null"):
        status, said = await anna.post("act", {"press": value})
        assert status == 200
        assert said["say"].endswith((".", "press."))


@pytest.mark.parametrize("letters", ["bogus", "unicode_escape", "utf-16", "hex", "%00"])
async def test_a_form_in_letters_that_no_form_of_ours_has_is_refused(open_room: Room, letters: str) -> None:
    """What cannot be read is no fault of the table."""
    anna = await open_room.opener()
    named = {"Content-Type": f"application/x-www-form-urlencoded; charset={letters}"}
    for address in (f"{open_room.url}/join", f"{anna.url}say"):
        async with anna.session.post(address, data=b"token=\\ud800&name=x", headers=named) as answer:
            assert answer.status == 415


@pytest.mark.parametrize(
    "header", ["Content-Type: text/plain; charset=bogus", "Content-Transfer-Encoding: x"]
)
async def test_a_file_with_a_part_that_cannot_be_read_is_refused(open_room: Room, header: str) -> None:
    anna = await open_room.opener()
    part = f'Content-Disposition: form-data; name="token"\r\n{header}'
    body = f"--cut\r\n{part}\r\n\r\nx\r\n--cut--\r\n".encode()
    named = {"Content-Type": "multipart/form-data; boundary=cut"}
    async with anna.session.post(f"{anna.url}attach", data=body, headers=named) as answer:
        assert answer.status == 400


async def test_what_comes_too_fast_waits(open_room: Room) -> None:
    anna = await open_room.opener()
    answers = [(await anna.say("/nothing"))[0] for _ in range(40)]
    assert 429 in answers
    statuses = []
    async with anna.session.get(f"{open_room.url}/") as answer:
        token = re.findall(r'name="token" value="([^"]+)"', await answer.text())[0]
    for number in range(int(JOINS.burst) + 2):
        posted = {"name": f"Guest {number}", "token": token, "as": "watch"}
        async with anna.session.post(f"{open_room.url}/join", data=posted, allow_redirects=False) as answer:
            statuses.append(answer.status)
    assert statuses[-1] == 429


def test_rates_refill_and_are_forgotten() -> None:
    now = [0.0]
    rates = Rates(lambda: now[0])
    slow = Rate(2, 1)
    assert [rates.may(slow, "a") for _ in range(3)] == [True, True, False]
    now[0] = 1.0
    assert [rates.may(slow, "a") for _ in range(2)] == [True, False]
    for number in range(MAX_KEYS + 5):
        rates.may(slow, number)
    assert len(rates._left) == MAX_KEYS


async def test_pages_of_one_seat_are_bounded(open_room: Room) -> None:
    anna = await open_room.opener()
    opened = [await anna.events() for _ in range(7)]
    async with asyncio.timeout(5):
        rest = await opened[0].content.read()
    assert b"event: all" in rest
    for answer in opened:
        answer.close()


async def test_connections_to_one_table_are_bounded(open_room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MAX_CONNECTIONS", 2)
    anna, bo = await open_room.opener(), await open_room.join("Bo")
    opened = [await anna.events(), await bo.events()]
    async with await bo.events() as refused:
        assert refused.status == 503
    for answer in opened:
        answer.close()


async def test_seats_at_one_table_are_bounded(open_room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MAX_SEATS", 2)
    await open_room.opener()
    await open_room.join("Bo")
    with pytest.raises(AssertionError, match="seats of this table are taken"):
        await open_room.join("Cy")
    open_room.table.seats.withdraw(open_room.table.seats.all()[-1])
    await open_room.join("Cy")


async def test_strangers_who_ask_leave_seats_for_others(closed_room: Room) -> None:
    """One address has a few places in the queue; a declined one takes no seat; watchers are bounded."""
    anna, made = await closed_room.opener(), closed_room.table.seats
    for number in range(seats.MAX_ASKING_FROM_ONE):
        made.ask(f"Guest {number}", watches=False, address="10.0.0.9")
    with pytest.raises(seats.NotSeated, match="Try again later; too many people are waiting to be let in"):
        made.ask("Guest x", watches=False, address="10.0.0.9")
    for number in range(seats.MAX_ASKING - seats.MAX_ASKING_FROM_ONE):
        made.ask(f"Other {number}", watches=False, address=f"10.0.1.{number}")
    with pytest.raises(seats.NotSeated, match="Try again later; too many people are waiting to be let in"):
        made.ask("Bo", watches=False, address="10.0.0.8")
    for number in range(200):
        asked = next((seat for seat in made.all() if seat.standing == "asked"), None)
        made.let(asked or made.ask(f"More {number}", watches=False), "refused")
    assert sum(seat.standing == "declined" for seat in made.all()) == seats.MAX_DECLINED
    bo = made.ask("Bo", watches=False, address="10.0.0.8")
    made.let(bo, "seated")
    assert bo.standing == "seated"
    for number in range(seats.MAX_WATCHING):
        made.ask(f"Fan {number}", watches=True)
    with pytest.raises(seats.NotSeated, match="Try again when someone has left"):
        made.ask("Fan x", watches=True)
    assert "Let Bo in" not in await anna.page()


async def test_who_was_declined_can_be_let_in_after_all(closed_room: Room) -> None:
    anna, bo = await closed_room.opener(), await closed_room.join("Bo")
    number = (await anna.value("Let Bo in"))[1]
    await anna.post("seats", {"refused": number})
    assert "You were not let in." in await bo.page()
    await anna.page()
    await anna.post("seats", {"seated": number})
    assert "Wait until" not in await bo.page()


async def test_a_link_is_renewed_by_its_holder_and_the_one_before_opens_nothing(file: Path) -> None:
    async with room(file) as open_room:
        await open_room.opener()
        bo = await open_room.join("Bo")
        before = Phone(bo.session, bo.url, bo.idle, bo.token)
        watched = await before.events()
        async with bo.session.post(f"{bo.url}renew", data={"token": "x"}, allow_redirects=False) as answer:
            assert answer.status == 403
        async with bo.session.post(
            f"{bo.url}renew", data={"token": bo.token}, allow_redirects=False
        ) as answer:
            assert answer.status == 303
            bo.url = open_room.url + answer.headers["Location"]
        async with asyncio.timeout(5):
            await watched.content.read()
        assert (await before.say("/roll 2d6"))[0] == 404
        await bo.page()
        assert await bo.say("/roll 2d6") == (200, {})
    async with room(file) as again:
        link = bo.url.rpartition("/s/")[2].strip("/")
        seat = again.table.seats.with_link(link)
        assert seat is not None
        assert seat.display == "Bo"


async def test_a_seat_is_given_up_by_its_holder(open_room: Room) -> None:
    anna, bo, cy = await open_room.opener(), await open_room.join("Bo"), await open_room.join("Cy", "watch")
    for phone in (bo, cy):
        async with phone.session.post(
            f"{phone.url}withdraw", data={"token": phone.token}, allow_redirects=False
        ) as answer:
            assert answer.headers["Location"] == "/"
        assert (await phone.say("/roll 2d6"))[0] == 404
    await anna.page()
    status, page = await anna.post("withdraw", {})
    assert status == 200
    assert "so you can&#39;t give up your seat" in page
    assert [seat.standing for seat in open_room.table.seats.all()] == ["seated", "withdrawn"]


async def test_a_person_who_left_comes_back_under_the_same_name_once_the_opener_agrees(
    open_room: Room,
) -> None:
    anna, bo, made = await open_room.opener(), await open_room.join("Bo"), open_room.table.seats
    seat = made.all()[-1]
    for answer in ("refused", "seated"):
        made.withdraw(seat)
        bo = await open_room.join("Bo")
        assert "Wait until you are let in." in await bo.page()
        with pytest.raises(seats.NotSeated, match="Bo is already taken"):
            made.ask("Bo", watches=False)
        assert "left and is asking to come back" in await anna.page()
        await anna.post("seats", {answer: str(seat.id)})
        assert seat.standing == ("withdrawn" if answer == "refused" else "seated")
        if answer == "refused":
            assert (await bo.say("/roll 2d6"))[0] == 404
            made.withdraw(made.ask("Bo", watches=False))
    await bo.page()
    assert await bo.say("/roll 2d6") == (200, {})
    made.withdraw(seat)
    with pytest.raises(seats.NotSeated, match="Bo is already taken"):
        made.ask("Bo", watches=True)


@pytest.mark.skipif(os.name != "posix", reason="permissions of files")
def test_what_is_kept_is_the_owners_alone(file: Path) -> None:
    async def once() -> None:
        async with room(file):
            pass

    asyncio.run(once())
    assert os.stat(f"{file}.page").st_mode & 0o077 == 0
    stored = Path(f"{file}.page").read_bytes()
    assert b"/s/" not in stored


async def test_it_listens_here_alone_and_says_so(open_room: Room) -> None:
    assert Opening(Path("x")).host == "127.0.0.1"
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "0.0.0.0")] == [True, True, False]
    assert HERE_ALONE in welcome(open_room.table, Opening(Path("x")))
    said = welcome(open_room.table, Opening(Path("x"), host="0.0.0.0"))
    assert ON_THE_NETWORK in said
    assert "not encrypted" in said


async def test_what_is_loaded_is_sent_small_and_asked_about_again_without_its_content(
    open_room: Room,
) -> None:
    """The next request on the same connection is answered too: nothing was left behind on it."""
    for path in ("/", "/wall", "/static/page.css", "/static/table.js"):
        async with open_room.session.get(open_room.url + path) as answer:
            assert answer.headers["Content-Encoding"] == "deflate"
            size, tag = len(await answer.read()), answer.headers.get("ETag", "")
        plain = {"Accept-Encoding": "identity"}
        async with open_room.session.get(open_room.url + path, headers=plain) as answer:
            assert "Content-Encoding" not in answer.headers
            assert len(await answer.read()) == size
        if tag:
            async with open_room.session.get(open_room.url + path, headers={"If-None-Match": tag}) as answer:
                assert (answer.status, await answer.read()) == (304, b"")
        async with open_room.session.head(open_room.url + path) as answer:
            assert answer.status == 200
