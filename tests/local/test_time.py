"""What Discord refuses because of when it comes."""

from __future__ import annotations

import discord

from bot.local.people import Person
from bot.local.seen import EventKind
from bot.local.server import LocalServer
from tests.local import cases
from tests.local.conftest import running
from tests.local.raw import Api
from tests.local.sample import SampleBot


async def test_answered_twice(api: Api, ann: Person) -> None:
    interaction = await api.command(ann)
    assert (await api.answer(interaction, 4, {"content": "x"}))[0] == 200
    status, answer = await api.answer(interaction, 4, {"content": "y"})
    assert (status, answer["code"]) == (400, 40060)
    assert [each.content for each in ann.messages()] == ["x"]


async def test_answered_too_late(api: Api, ann: Person) -> None:
    interaction = await api.command(ann)
    api.server.clock.advance(3.01)
    status, answer = await api.answer(interaction, 4, {"content": "x"})
    assert (status, answer["code"]) == (404, 10062)
    assert [each.kind for each in interaction.events] == [EventKind.UNANSWERED]


async def test_answers_to_nothing(api: Api, ann: Person) -> None:
    interaction = await api.command(ann)
    path = f"/interactions/{interaction.id}/wrong/callback"
    assert (await api("POST", path, {"type": 5}))[1]["code"] == 10062
    assert (await api("POST", f"/interactions/5/{interaction.token}/callback", {"type": 5}))[1][
        "code"
    ] == 10062


async def test_follow_up_before_the_answer(api: Api, ann: Person) -> None:
    interaction = await api.command(ann)
    status, answer = await api("POST", api.webhook(interaction), {"content": "x"})
    assert (status, answer["code"]) == (404, 10015)
    status, answer = await api("POST", f"/webhooks/{api.bot_id}/nonsense", {"content": "x"})
    assert (status, answer["code"]) == (401, 50027)
    status, answer = await api("POST", f"/webhooks/5/{interaction.token}", {"content": "x"})
    assert (status, answer["code"]) == (404, 10015)


async def test_token_after_fifteen_minutes(api: Api, ann: Person) -> None:
    interaction = await api.command(ann)
    await api.answer(interaction, 4, {"content": "x"})
    api.server.clock.advance(14 * 60)
    assert (await api("PATCH", api.webhook(interaction) + "/messages/@original", {"content": "y"}))[0] == 200
    api.server.clock.advance(61)
    for method, path in (("POST", ""), ("PATCH", "/messages/@original"), ("GET", "/messages/@original")):
        body = None if method == "GET" else {"content": "z"}
        status, answer = await api(method, api.webhook(interaction) + path, body)
        assert (status, answer["code"]) == (401, 50027)


async def test_messages_of_others_are_out_of_a_tokens_reach(api: Api, ann: Person) -> None:
    other = await api.say(content="other")
    interaction = await api.command(ann)
    await api.answer(interaction, 4, {"content": "x"})
    status, answer = await api("PATCH", f"{api.webhook(interaction)}/messages/{other.id}", {"content": "y"})
    assert (status, answer["code"]) == (404, 10008)


async def test_deferral_keeps_its_ephemeral_flag(api: Api, ann: Person, bo: Person) -> None:
    interaction = await api.command(ann)
    await api.answer(interaction, 5, {"flags": 64})
    _, first = await api("POST", api.webhook(interaction) + "?wait=1", {"content": "x"})
    assert first["flags"] & 64
    assert [each.content for each in ann.messages()] == ["x"]
    assert bo.messages() == []
    _, second = await api("POST", api.webhook(interaction) + "?wait=1", {"content": "y"})
    assert not second["flags"] & 64
    status, answer = await api("GET", f"/channels/{api.table}/messages/{first['id']}")
    assert (status, answer["code"]) == (404, 10008)
    _, listed = await api("GET", f"/channels/{api.table}/messages")
    assert [each["content"] for each in listed] == ["y"]


async def test_deleted_original(api: Api, ann: Person) -> None:
    interaction = await api.command(ann)
    await api.answer(interaction, 4, {"content": "x"})
    path = api.webhook(interaction) + "/messages/@original"
    assert (await api("DELETE", path))[0] == 204
    assert (await api("GET", path))[1]["code"] == 10008
    modal = await api.command(ann)
    await api.answer(modal, 9, cases.modal())
    assert (await api("GET", api.webhook(modal) + "/messages/@original"))[1]["code"] == 10008


async def test_edits_of_messages_over_an_hour_old(api: Api) -> None:
    message = await api.say(content="panel")
    path = f"/channels/{api.table}/messages/{message.id}"
    for count in range(10):
        assert (await api("PATCH", path, {"content": str(count)}))[0] == 200
    api.server.clock.advance(3601)
    for count in range(5):
        assert (await api("PATCH", path, {"content": str(count)}))[0] == 200
    status, answer = await api("PATCH", path, {"content": "more"})
    assert (status, answer["code"]) == (429, 30046)
    assert 3590 < answer["retry_after"] <= 3600
    api.server.clock.advance(3601)
    assert (await api("PATCH", path, {"content": "again"}))[0] == 200


async def test_the_real_client_waits_for_the_edits_of_an_old_message() -> None:
    async with LocalServer(old_edits=(1, 0.1)) as server:
        bot = SampleBot()
        async with running(server, bot):
            channel = await bot.fetch_channel(server.channel("table"))
            assert isinstance(channel, discord.TextChannel)
            message = await channel.send("panel")
            server.clock.advance(3601)
            await message.edit(content="once")
            await message.edit(content="twice")
        assert [each.status for each in server.requests if each.method == "PATCH"] == [200, 429, 200]


async def test_one_nonce_sends_once(api: Api, ann: Person) -> None:
    form = {"content": "x", "nonce": "7", "enforce_nonce": True}
    _, first = await api("POST", f"/channels/{api.table}/messages", form)
    _, second = await api("POST", f"/channels/{api.table}/messages", form)
    assert first["id"] == second["id"]
    assert len(ann.messages()) == 1


async def test_press_on_a_deleted_message(api: Api, ann: Person) -> None:
    message = await api.say(**cases.buttons({}))
    pressed = await api.pressed(ann, message)
    await api("DELETE", f"/channels/{api.table}/messages/{message.id}")
    status, answer = await api.answer(pressed, 7, {"content": "x"})
    assert (status, answer["code"]) == (404, 10008)
