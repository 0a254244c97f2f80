"""What the bot may not do in a channel or a thread."""

from __future__ import annotations

from typing import Any

import pytest

from bot.local.people import ClientRefusal, Person
from bot.local.world import Permission
from tests.local.raw import Api

P = Permission


def deny(api: Api, permission: Permission) -> None:
    channel = api.server.world.channels[api.table]
    api.server.world.overwrite(channel, api.server.world.bot, deny=permission)


@pytest.mark.parametrize(
    ("missing", "method", "path", "body", "code"),
    [
        (P.VIEW_CHANNEL, "GET", "", None, 50001),
        (P.VIEW_CHANNEL, "POST", "/messages", {"content": "x"}, 50001),
        (P.SEND_MESSAGES, "POST", "/messages", {"content": "x"}, 50013),
        (P.SEND_MESSAGES, "POST", "/typing", None, 50013),
        (P.EMBED_LINKS, "POST", "/messages", {"embeds": [{"title": "t"}]}, 50013),
        (P.READ_MESSAGE_HISTORY, "GET", "/messages", None, 50013),
        (P.CREATE_PUBLIC_THREADS, "POST", "/threads", {"name": "t", "type": 11}, 50013),
        (P.MANAGE_CHANNELS, "PATCH", "", {"name": "t"}, 50013),
        (P.MANAGE_CHANNELS, "DELETE", "", None, 50013),
        (P.MANAGE_MESSAGES, "POST", "/messages/bulk-delete", {"messages": ["1", "2"]}, 50013),
    ],
)
async def test_missing(api: Api, missing: Permission, method: str, path: str, body: Any, code: int) -> None:
    deny(api, missing)
    status, answer = await api(method, f"/channels/{api.table}{path}", body)
    assert (status, answer["code"]) == (403, code)


async def test_answers_need_no_permission(api: Api, ann: Person) -> None:
    deny(api, P.SEND_MESSAGES | P.VIEW_CHANNEL)
    assert (await api.answer(await api.command(ann), 4, {"content": "x"}))[0] == 200


async def test_messages_of_others(api: Api, ann: Person) -> None:
    path = f"/channels/{api.table}/messages/{(await ann.say('mine')).id}"
    status, answer = await api("PATCH", path, {"content": "x"})
    assert (status, answer["code"]) == (403, 50005)
    status, answer = await api("DELETE", path)
    assert (status, answer["code"]) == (403, 50013)
    api.server.allow(api.server.world.bot, P.MANAGE_MESSAGES)
    assert (await api("DELETE", path))[0] == 204


async def test_pins(api: Api, ann: Person) -> None:
    message = await api.say(content="panel")
    path = f"/channels/{api.table}/messages/pins"
    status, answer = await api("PUT", f"{path}/{message.id}")
    assert (status, answer["code"]) == (403, 50013)
    api.server.allow(api.server.world.bot, P.PIN_MESSAGES)
    assert (await api("PUT", f"{path}/{message.id}"))[0] == 204
    assert [each["message"]["content"] for each in (await api("GET", path))[1]["items"]] == ["panel"]
    assert (await api("DELETE", f"{path}/{message.id}"))[0] == 204
    assert (await api("GET", path))[1] == {"items": [], "has_more": False}


async def test_archived_and_locked_threads(api: Api, ann: Person) -> None:
    _, made = await api("POST", f"/channels/{api.table}/threads", {"name": "t", "type": 11})
    thread = api.server.world.channels[int(made["id"])]
    path = f"/channels/{thread.id}"
    _, message = await api("POST", path + "/messages", {"content": "x"})
    interaction = await api.server.interactions.open(2, ann.user, thread, "sample", {})
    await api.answer(interaction, 4, {"content": "x"})
    assert (await api("PATCH", path, {"archived": True}))[0] == 200
    for method, where in (
        ("PATCH", f"{path}/messages/{message['id']}"),
        ("DELETE", f"{path}/messages/{message['id']}"),
        ("PATCH", path),
        ("PATCH", api.webhook(interaction) + "/messages/@original"),
        ("POST", api.webhook(interaction)),
    ):
        status, answer = await api(method, where, {"content": "y"})
        assert (status, answer["code"]) == (400, 50083)
    assert (await api("POST", path + "/messages", {"content": "wakes it"}))[0] == 200
    assert not thread.archived
    thread.locked = True
    status, answer = await api("POST", path + "/messages", {"content": "x"})
    assert (status, answer["code"]) == (403, 160005)
    status, answer = await api("POST", f"{path}/threads", {"name": "t"})
    assert (status, answer["code"]) == (400, 50024)


async def test_thread_on_a_message(api: Api) -> None:
    message = await api.say(content="x")
    path = f"/channels/{api.table}/messages/{message.id}/threads"
    status, thread = await api("POST", path, {"name": "t"})
    assert (status, thread["id"]) == (201, str(message.id))
    assert (await api("POST", path, {"name": "t"}))[1]["code"] == 160004


async def test_pages_of_messages(api: Api) -> None:
    sent = [(await api.say(content=str(each))).id for each in range(6)]
    path = f"/channels/{api.table}/messages"

    async def page(query: str) -> list[str]:
        return [each["content"] for each in (await api("GET", path + query))[1]]

    assert await page("?limit=2") == ["5", "4"]
    assert await page(f"?before={sent[2]}") == ["1", "0"]
    assert await page(f"?after={sent[2]}&limit=2") == ["4", "3"]
    assert await page(f"?around={sent[3]}&limit=3") == ["4", "3", "2"]
    assert (await api("GET", path + "?limit=101"))[1]["code"] == 50035
    reply = {"content": "r", "message_reference": {"message_id": str(sent[0])}}
    assert (await api("POST", path, reply))[1]["referenced_message"]["content"] == "0"
    assert (await api("POST", path, {**reply, "message_reference": {"message_id": "5"}}))[1]["code"] == 50035


async def test_private_threads(api: Api, ann: Person, bo: Person) -> None:
    form = {"name": "hidden", "type": 12}
    assert (await api("POST", f"/channels/{api.table}/threads", form))[1]["code"] == 50013
    api.server.allow(api.server.world.bot, P.CREATE_PRIVATE_THREADS)
    _, thread = await api("POST", f"/channels/{api.table}/threads", form)
    with pytest.raises(ClientRefusal, match="no channel"):
        bo.go("hidden")
    assert (await api("PUT", f"/channels/{thread['id']}/thread-members/{bo.id}"))[0] == 204
    bo.go("hidden")
    assert (await api("PUT", f"/channels/{thread['id']}/thread-members/5"))[1]["code"] == 10007
    assert (await api("PUT", f"/channels/{api.table}/thread-members/@me"))[1]["code"] == 50024
