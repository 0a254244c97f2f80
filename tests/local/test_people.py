"""What Discord's client does not let a person send, and what a person can see."""

from __future__ import annotations

from typing import Any

import pytest

from bot.local.people import ClientRefusal, NotAnswered, Person, Upload
from bot.local.seen import EventKind
from bot.local.server import LocalServer
from bot.local.world import Permission
from tests.local import cases
from tests.local.raw import Api
from tests.local.sample import SampleBot

FULL: dict[str, Any] = {
    "text": "hello",
    "count": 3,
    "factor": 1.5,
    "hidden": True,
    "who": "bo",
    "where": "table",
    "role": "Ann",
    "anyone": "ann",
    "paper": Upload("list.txt", b"12345"),
}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"text": None}, "Enter “text”"),
        ({"text": "x"}, "2 to 10 characters"),
        ({"text": "x" * 11}, "2 to 10 characters"),
        ({"text": 5}, "must be text"),
        ({"count": "many"}, "a whole number"),
        ({"count": 1.5}, "a whole number"),
        ({"count": True}, "a whole number"),
        ({"count": 7}, "at most 6"),
        ({"count": 0}, "at least 1"),
        ({"factor": 2.5}, "at most 2"),
        ({"factor": "nan"}, "out of range"),
        ({"hidden": "perhaps"}, "true or false"),
        ({"who": "nobody"}, "no one called"),
        ({"who": "9" * 5000}, "no one called"),
        ({"who": "²"}, "no one called"),
        ({"where": "nowhere"}, "no channel"),
        ({"role": "none"}, "no role"),
        ({"anyone": "none"}, "no role"),
        ({"paper": "list.txt"}, "a file"),
        ({"colour": "green"}, "is not one of them"),
        ({"wrong": 1}, "has no option “wrong”"),
    ],
)
async def test_options(
    server: LocalServer, bot: SampleBot, ann: Person, bo: Person, change: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ClientRefusal, match=sentence):
        await ann.slash("every", {**FULL, **change})
    assert server.interactions.all() == []


async def test_unknown_commands(server: LocalServer, bot: SampleBot, ann: Person, bo: Person) -> None:
    for path, hint in (("bag", "/bag draw"), ("bag drow", "/bag draw"), ("bag token", "/bag token add")):
        with pytest.raises(ClientRefusal, match=hint):
            await ann.slash(path)
    with pytest.raises(ClientRefusal, match="no command"):
        await bo.slash("host")
    assert (await (await ann.slash("host")).message()).content == "host"
    assert "host" not in [each.path for each in bo.commands()]
    assert [each.path for each in ann.commands()][:3] == ["bag draw", "bag token add", "every"]
    with pytest.raises(ClientRefusal, match="has no suggestions"):
        await ann.autocomplete("bag draw", {}, focused="amount")
    server.world.overwrite(server.world.channels[bo.here], bo.user, deny=Permission.USE_APPLICATION_COMMANDS)
    assert bo.commands() == ()


async def test_controls(server: LocalServer, api: Api, ann: Person, bo: Person) -> None:
    message = await api.say(
        content="x",
        components=[
            cases.row(
                cases.button(disabled=True),
                cases.button(style=5, label="Web", url="https://a.b", custom_id=None),
            ),
            *cases.select(placeholder="Pick")["components"],
        ],
    )
    for control, sentence in (("b", "disabled"), ("Web", "link"), ("none", "has no")):
        with pytest.raises(ClientRefusal, match=sentence):
            await ann.press(message, control)
    for values, sentence in (([], "Choose 1"), (["a", "b"], "Choose 1"), ("c", "not in this menu")):
        with pytest.raises(ClientRefusal, match=sentence):
            await ann.select(message, "Pick", values)
    with pytest.raises(ClientRefusal, match="can't see"):
        await ann.press(5, "b")


async def test_nobody_else_sees_or_presses_what_is_ephemeral(api: Api, ann: Person, bo: Person) -> None:
    interaction = await api.command(ann)
    await api.answer(interaction, 4, {**cases.buttons({}), "flags": 64})
    (secret,) = ann.messages()
    assert bo.messages() == []
    with pytest.raises(ClientRefusal, match="can't see"):
        await bo.press(secret, "b")
    with pytest.raises(ClientRefusal, match="can't see"):
        bo.dismiss(secret)
    ann.dismiss(secret)
    assert ann.messages() == []


async def test_a_press_that_crossed_an_edit(api: Api, ann: Person) -> None:
    before = await api.say(**cases.buttons({}))
    await api("PATCH", f"/channels/{api.table}/messages/{before.id}", {"components": []})
    with pytest.raises(ClientRefusal, match="has no"):
        await ann.press(before, "b")
    outcome = await ann.press(before, "b", stale=True)
    assert outcome.interaction_id


async def test_forms(api: Api, ann: Person, bo: Person) -> None:
    interaction = await api.command(ann)
    form = cases.modal(
        cases.row(cases.field(min_length=2, max_length=3)),
        cases.label(
            {"type": 21, "custom_id": "r", "options": [{"label": each, "value": each} for each in "ab"]},
            label="Radio",
        ),
        cases.label({"type": 23, "custom_id": "c"}, label="Check"),
        cases.label({"type": 5, "custom_id": "u"}, label="Who"),
        cases.label({"type": 19, "custom_id": "x", "required": False, "min_values": 0}, label="File"),
    )
    assert (await api.answer(interaction, 9, form))[0] == 200
    modal = interaction.events[0].modal
    assert modal is not None
    with pytest.raises(ClientRefusal, match="not opened for"):
        await bo.submit(modal)
    good = {"l": "abc", "Radio": "a", "Who": [bo]}
    for change, sentence in (
        ({"l": ""}, "Fill in"),
        ({"l": "a"}, "2 to 3"),
        ({"Radio": []}, "Fill in"),
        ({"Radio": "c"}, "not in this menu"),
        ({"Who": []}, "Choose 1"),
        ({"nothing": 1}, "no field “nothing”"),
    ):
        with pytest.raises(ClientRefusal, match=sentence):
            await ann.submit(modal, {**good, **change})
    await ann.submit(modal, {**good, "Check": True, "File": [Upload("a.txt", b"a")]})
    sent = [each for each in server_data(api) if each.get("custom_id") == "m"][-1]
    values = {each["component"]["custom_id"]: each["component"] for each in sent["components"][1:]}
    assert sent["components"][0]["components"][0]["value"] == "abc"
    assert (values["r"]["value"], values["c"]["value"]) == ("a", True)
    assert values["u"]["values"] == [str(bo.id)]
    assert list(sent["resolved"]["attachments"]) == values["x"]["values"]


def server_data(api: Api) -> list[dict[str, Any]]:
    return [each.data for each in api.server.interactions.all()]


async def test_waiting_has_an_end(api: Api, ann: Person) -> None:
    await api("PUT", f"/applications/{api.bot_id}/commands", [cases.command()])
    outcome = await ann.slash("cmd")
    with pytest.raises(NotAnswered, match="nothing"):
        await outcome.answer(0.01)
    with ann.watch() as watch:
        with pytest.raises(NotAnswered, match="Nothing happened"):
            await watch.next(0.01)
        await api.say(content="x")
        assert (await watch.next(1)).kind is EventKind.MESSAGE
        watch.close()
        assert [each async for each in watch] == []


async def test_threads_and_channels(server: LocalServer, api: Api, ann: Person, bo: Person) -> None:
    await api("PUT", f"/applications/{api.bot_id}/commands", [cases.command()])
    thread = server.thread("skirmish", api.table)
    bo.go("#skirmish")
    assert bo.here == thread.id
    await bo.slash("cmd")
    thread.locked = True
    with pytest.raises(ClientRefusal, match="locked"):
        await bo.slash("cmd")
    await ann.slash("cmd", channel="skirmish")
    secret = server.world.channels[server.channel("secret")]
    server.world.overwrite(
        secret, server.world.home.roles[server.world.home.id], deny=Permission.VIEW_CHANNEL
    )
    with pytest.raises(ClientRefusal, match="no channel"):
        bo.go("secret")
    ann.go("secret")
    with bo.watch() as watch:
        await ann.say("hush")
        assert watch.pending() == []


async def test_direct_messages(server: LocalServer, api: Api, ann: Person) -> None:
    shy = server.person("shy", accepts_dms=False)
    for person, status in ((ann, 200), (shy, 403)):
        _, channel = await api("POST", "/users/@me/channels", {"recipient_id": str(person.id)})
        sent = await api("POST", f"/channels/{channel['id']}/messages", {"content": "psst"})
        assert sent[0] == status
    assert sent[1]["code"] == 50007
    await api("PUT", f"/applications/{api.bot_id}/commands", [cases.command()])
    direct = server.world.direct(ann.user)
    await ann.slash("cmd", channel=direct.id)
    assert [each.content for each in ann.messages(direct.id)] == ["psst"]
    with pytest.raises(ClientRefusal):
        shy.messages(direct.id)
