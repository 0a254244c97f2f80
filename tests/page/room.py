"""An open table with its bot, and people who come to it with a browser of plain requests."""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import aiohttp

from bot.app import make_client, open_desk
from bot.config import Config
from bot.local.feed import Idle
from bot.local.interactions import UNHURRIED
from bot.local.server import LocalServer
from bot.overview import Look
from bot.page.serve import Opening, OpenTable, table
from bot.table.session.overview import GameOverviews
from tests.bot.tables import url_of
from tests.ready import until_ready

JSON = {"Accept": "application/json"}


class Elements(HTMLParser):
    """The elements of a page, each with its attributes and the words in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[tuple[str, dict[str, str], list[str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        one = (tag, {name: value or "" for name, value in attrs}, [])
        self.found.append(one)
        if tag not in ("input", "meta", "link", "img", "hr"):
            self._open.append(one)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for one in self._open:
            one[2].append(data)

    def all(self, tag: str) -> list[tuple[dict[str, str], str]]:
        return [(attributes, "".join(words)) for name, attributes, words in self.found if name == tag]


async def at_rest(idle: Idle) -> None:
    """Return once the bot has come to rest, and what it sent has arrived in this process."""
    for _ in range(3):
        await idle()
        await asyncio.sleep(0.002)


@dataclass
class Phone:
    """One person's browser. url: the secret link."""

    session: aiohttp.ClientSession
    url: str
    idle: Idle
    token: str = ""

    async def page(self) -> str:
        """The page, once the bot has come to rest."""
        await at_rest(self.idle)
        async with self.session.get(self.url) as answer:
            text = await answer.text()
        found = re.search(r'name="token" value="([^"]+)"', text)
        self.token = found[1] if found else ""
        return text

    async def post(self, name: str, fields: dict[str, str] | list[tuple[str, str]], **more: Any) -> Any:
        headers = {**JSON, **more.pop("headers", {})}
        once = more.pop("once", secrets.token_hex(8))
        base = [("token", more.pop("token", self.token)), ("once", once)]
        given = [*base, *(fields.items() if isinstance(fields, dict) else fields)]
        async with self.session.post(
            self.url + name, data=given, headers=headers, allow_redirects=False
        ) as got:
            text = await got.text()
            return got.status, json.loads(text) if got.content_type == "application/json" else text

    async def say(self, line: str, **more: Any) -> Any:
        return await self.post("say", {"line": line}, **more)

    async def value(self, label: str) -> tuple[str, str]:
        """The name and value of the last button of that label."""
        buttons = Elements(await self.page()).all("button")
        exact = [each for each, words in buttons if words == label]
        found = exact or [each for each, words in buttons if words.startswith(f"{label} ")]
        assert found, f"no {label} among {[words for _, words in buttons]}"
        return found[-1]["name"], found[-1]["value"]

    async def press(self, label: str, **more: Any) -> Any:
        return await self.post("act", dict([await self.value(label)]), **more)

    async def hand_in(self, form: str, **changes: str) -> Any:
        """Send a form as it stands, but for the changes, by label."""
        page = Elements(form)
        fields: list[tuple[str, str]] = []
        for attributes, _ in page.all("input"):
            if attributes["name"] in ("token", "once"):
                continue
            kind = attributes.get("type", "text")
            if kind not in ("radio", "checkbox") or "checked" in attributes:
                fields.append((attributes["name"], attributes.get("value", "")))
        for select in re.findall(r"<select.*?</select>", form, re.DOTALL):
            made = Elements(select)
            options = made.all("option")
            chosen = next((each for each, _ in options if "selected" in each), options[0][0])
            fields.append((made.all("select")[0][0]["name"], chosen["value"]))
        return await self.post("form", [*fields, *changes.items()])

    def events(self, after: str = "", headers: dict[str, str] | None = None) -> Any:
        return self.session.get(f"{self.url}events?after={after}", headers=headers or {})


@dataclass
class Room:
    """An open table."""

    table: OpenTable
    session: aiohttp.ClientSession
    idle: Idle
    phones: dict[str, Phone] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return self.table.url

    async def opener(self, name: str = "Anna") -> Phone:
        phone = Phone(self.session, self.table.opener, self.idle)
        await phone.page()
        await phone.post("name", {"name": name})
        await phone.page()
        return phone

    async def join(self, name: str, kind: str = "play") -> Phone:
        async with self.session.get(f"{self.url}/") as answer:
            found = re.search(r'name="token" value="([^"]+)"', await answer.text())
        assert found
        posted = {"token": found[1], "name": name, "as": kind}
        async with self.session.post(f"{self.url}/join", data=posted, allow_redirects=False) as answer:
            assert answer.status == 303, await answer.text()
            phone = Phone(self.session, self.url + answer.headers["Location"], self.idle)
        await phone.page()
        return phone

    async def wall(self) -> str:
        async with self.session.get(f"{self.url}/wall") as answer:
            return await answer.text()

    async def rest(self) -> None:
        """Wait until the bot has come to rest."""
        await at_rest(self.idle)


@asynccontextmanager
async def room(file: Path, *, anybody: bool = True, seed: int = 1, port: int = 0) -> AsyncIterator[Room]:
    """A table on a database file that has its tables already; dice come again with the same seed."""
    source = random.Random(seed)
    settled: list[Idle] = []

    @asynccontextmanager
    async def start_bot(server: LocalServer) -> AsyncIterator[Look]:
        async with open_desk(url_of(file), lambda: source.randbytes(32)) as desk:
            with server.client_settings():
                client = make_client(desk, Config(), pause=0.0, everything=True, guild_ready_timeout=0.0)
                running = asyncio.create_task(client.start(server.token))
                await until_ready(client, running)

                async def rest() -> None:
                    while client.under_way:
                        await asyncio.gather(*client.under_way, return_exceptions=True)
                    await client.settle()

                settled.append(rest)
                try:
                    yield GameOverviews(desk.store)
                finally:
                    await client.close()
                    with suppress(asyncio.CancelledError):
                        await running

    opening = Opening(Path(f"{file}.page"), port=port, anybody=anybody, answer_seconds=UNHURRIED)
    async with table(start_bot, opening) as open_table, aiohttp.ClientSession() as session:
        yield Room(open_table, session, settled[0])
