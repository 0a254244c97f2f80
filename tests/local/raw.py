"""Requests made by hand, for what the real client would never send."""

from __future__ import annotations

import io
import json
from typing import Any

import aiohttp

from bot.local.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, Interaction
from bot.local.people import Person
from bot.local.pointing import API
from bot.local.seen import Message
from bot.local.server import LocalServer

AGENT = "DiscordBot (https://example.org 1.0)"


class Api:
    """The API at the table, with the bot's token unless told otherwise."""

    def __init__(self, server: LocalServer, session: aiohttp.ClientSession) -> None:
        self.server = server
        self.session = session
        self.bot_id = server.world.bot.id
        self.table = server.channel("table")

    async def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        files: dict[str, bytes] | None = None,
        token: str | None = None,
        agent: str = AGENT,
        raw: bytes | None = None,
    ) -> tuple[int, Any]:
        headers = {"Authorization": f"Bot {token or self.server.token}", "User-Agent": agent}
        data: Any = raw
        if raw is not None or body is not None:
            headers["Content-Type"] = "application/json"
            data = raw if raw is not None else json.dumps(body)
        if files is not None:
            del headers["Content-Type"]
            data = aiohttp.FormData(quote_fields=False)
            data.add_field("payload_json", json.dumps(body))
            for index, (name, content) in enumerate(files.items()):
                data.add_field(f"files[{index}]", io.BytesIO(content), filename=name)
        url = self.server.url + API + path
        async with self.session.request(method, url, data=data, headers=headers) as response:
            assert response.headers.get("Content-Type") in (None, "application/json")
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def command(self, person: Person) -> Interaction:
        user, channel = person.user, self.server.world.channels[self.table]
        return await self.server.interactions.open(COMMAND, user, channel, "sample", {})

    async def completing(self, person: Person, option_type: int = 3) -> Interaction:
        user, channel = person.user, self.server.world.channels[self.table]
        return await self.server.interactions.open(
            AUTOCOMPLETE, user, channel, "sample", {}, option_type=option_type
        )

    async def pressed(self, person: Person, message: Message) -> Interaction:
        user, channel = person.user, self.server.world.channels[message.channel_id]
        return await self.server.interactions.open(COMPONENT, user, channel, "", {}, source=message)

    async def answer(
        self, interaction: Interaction, kind: Any, data: Any = None, **more: Any
    ) -> tuple[int, Any]:
        body = {"type": kind} if data is None else {"type": kind, "data": data}
        path = f"/interactions/{interaction.id}/{interaction.token}/callback?with_response=1"
        return await self("POST", path, body, **more)

    def webhook(self, interaction: Interaction) -> str:
        return f"/webhooks/{self.bot_id}/{interaction.token}"

    async def say(self, **body: Any) -> Message:
        status, answer = await self("POST", f"/channels/{self.table}/messages", body)
        assert status == 200, answer
        return self.server.world.channels[self.table].messages[int(answer["id"])]
