"""Discord's published description of its API, held against what the bot sends and what the server answers."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from bot.local.people import Person
from bot.local.requests import Record
from bot.local.server import LocalServer
from tests.local import cases
from tests.local.raw import Api
from tests.local.sample import SampleBot
from tests.local.test_people import FULL

jsonschema_rs = pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is not installed")
WHERE = Path(
    os.environ.get("DISCORD_OPENAPI", Path(__file__).parents[3] / "shared" / "discord" / "openapi.json")
)
pytestmark = pytest.mark.skipif(
    not WHERE.is_file(), reason=f"no openapi.json at {WHERE} (set DISCORD_OPENAPI)"
)


class Description:
    def __init__(self) -> None:
        self._spec = json.loads(WHERE.read_text())
        self._validators: dict[str, Any] = {}
        self._paths = {tuple(path.strip("/").split("/")): item for path, item in self._spec["paths"].items()}

    def _operation(self, record: Record) -> Any:
        wanted = record.template.strip("/").split("/")
        fits = [
            path
            for path in self._paths
            if len(path) == len(wanted)
            and all(a == b or a[0] == b[0] == "{" for a, b in zip(path, wanted, strict=True))
            and record.method.lower() in self._paths[path]
        ]
        assert len(fits) == 1, (record.method, record.template)
        return self._paths[fits[0]][record.method.lower()]

    def _faults(self, key: str, schema: Any, value: Any) -> list[str]:
        if key not in self._validators:
            whole = {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                **schema,
                "components": self._spec["components"],
            }
            self._validators[key] = jsonschema_rs.validator_for(whole)
        return [
            f"{key} {each.instance_path}: {each.message[:300]}"
            for each in self._validators[key].iter_errors(value)
        ]

    def faults(self, record: Record) -> list[str]:
        operation = self._operation(record)
        name = f"{record.method} {record.template}"
        found = []
        if record.body is not None and "requestBody" in operation:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            found += self._faults(name + " request", schema, normalised(record.body))
        content = operation["responses"].get(str(record.status), {}).get("content")
        if record.answer is not None and record.status < 300:
            if content is None:
                return [*found, f"{name}: no answer with {record.status}"]
            found += self._faults(name + " answer", content["application/json"]["schema"], record.answer)
        return found


def normalised(body: Any) -> Any:
    """The body with attachment ids as text: discord.py sends numbers, and Discord takes both."""
    body = copy.deepcopy(body)
    forms = [body, body.get("data")] if isinstance(body, dict) else []
    for form in forms:
        for each in (form or {}).get("attachments") or []:
            each["id"] = str(each["id"])
    return body


@pytest.fixture(scope="module")
def description() -> Description:
    return Description()


async def test_the_real_client(
    server: LocalServer, bot: SampleBot, ann: Person, bo: Person, description: Description
) -> None:
    await (await ann.slash("every", FULL)).answer()
    await ann.autocomplete("bag token add", {"side": "S"}, focused="side")
    panel = await (await ann.slash("panel")).message()
    await (await bo.press(panel, "Draw")).answer()
    await (await bo.press(panel, "Later")).answer()
    await (await bo.select(panel, "Pick", "Ann")).answer()
    modal = await (await bo.press(panel, "Ask")).modal()
    await (await bo.submit(modal, {"Amount": "1", "Reason": "Fear"})).answer()
    await (await ann.slash("slow")).wait_for(3)
    await (await ann.slash("write", {"text": "x"})).answer()
    await (await ann.slash("layout")).answer()
    await bot.tree.fetch_commands()
    channel = await bot.fetch_channel(server.channel("table"))
    assert [each async for each in channel.history(limit=5)]
    await bot.fetch_guild(server.world.home.id)
    assert not bot.errors
    assert [fault for record in server.requests for fault in description.faults(record)] == []
    assert len(server.requests) > 20


async def test_what_the_real_client_does_not_ask(api: Api, ann: Person, description: Description) -> None:
    table = f"/channels/{api.table}"
    message = await api.say(content="x", components=cases.select()["components"])
    _, thread = await api("POST", f"{table}/threads", {"name": "t", "type": 11})
    api.server.allow(
        api.server.world.bot,
        api.server.world.permissions(api.server.world.owner.id, api.server.world.channels[api.table]),
    )
    for method, path, body in (
        ("GET", "/users/@me", None),
        ("GET", f"/users/{ann.id}", None),
        ("POST", "/users/@me/channels", {"recipient_id": str(ann.id)}),
        ("GET", "/oauth2/applications/@me", None),
        ("GET", "/applications/@me", None),
        ("GET", "/gateway/bot", None),
        ("GET", f"/guilds/{api.server.world.home.id}", None),
        ("GET", f"/guilds/{api.server.world.home.id}/channels", None),
        ("GET", f"/guilds/{api.server.world.home.id}/roles", None),
        ("GET", f"/guilds/{api.server.world.home.id}/members/{ann.id}", None),
        ("POST", f"/guilds/{api.server.world.home.id}/channels", {"name": "new"}),
        ("GET", f"/channels/{thread['id']}", None),
        ("PATCH", table, {"topic": "dice"}),
        ("PUT", f"{table}/messages/pins/{message.id}", None),
        ("GET", f"{table}/messages/pins", None),
        ("GET", f"{table}/messages/{message.id}", None),
        ("PUT", f"/applications/{api.bot_id}/guilds/{api.server.world.home.id}/commands", [cases.command()]),
        ("GET", f"/applications/{api.bot_id}/guilds/{api.server.world.home.id}/commands", None),
        ("DELETE", f"{table}/messages/{message.id}", None),
        ("POST", f"{table}/typing", None),
    ):
        status, answer = await api(method, path, body)
        assert status in (200, 201, 204), (path, answer)
    for layout in (
        cases.layout(cases.section(3), {"type": 14}, {"type": 17, "components": [cases.text()]}),
        cases.layout({"type": 12, "items": [{"media": {"url": "https://a.b/c.png"}}]}),
        {
            "embeds": [
                {"title": "t", "fields": [{"name": "n", "value": "v"}], "image": {"url": "https://a.b/c.png"}}
            ]
        },
    ):
        assert (await api.answer(await api.command(ann), 4, layout))[0] == 200
    assert [fault for record in api.server.requests for fault in description.faults(record)] == []
