"""Every form that Discord is known to refuse is refused, with its code and at the right place."""

from __future__ import annotations

from typing import Any

import pytest

from bot.local.checks.emojis import check_emoji
from bot.local.people import Person
from bot.local.refusals import Refused
from bot.local.requests import LARGE_BYTES
from bot.local.wire import iso
from bot.local.world import Emoji, Permission
from tests.local import cases
from tests.local.raw import Api


def table(kind: list[cases.Case]) -> Any:
    return pytest.mark.parametrize(("form", "where"), [pytest.param(*rest, id=name) for name, *rest in kind])


def wrong_at(answer: Any) -> list[str]:
    refusal = Refused(400, 50035, errors=answer.get("errors", {}))
    return refusal.fields


def check(status: int, answer: Any, where: str, prefix: str = "") -> None:
    assert status == 400
    if where.isdigit() and len(where) == 5:
        assert answer["code"] == int(where)
        return
    assert (answer["code"], answer["message"]) == (50035, "Invalid Form Body")
    assert f"{prefix}{where}" in wrong_at(answer)


@table(cases.COMMANDS)
async def test_commands(api: Api, form: Any, where: str) -> None:
    status, answer = await api("PUT", f"/applications/{api.bot_id}/commands", form)
    check(status, answer, where)
    assert api.server.registry.all(None) == []


async def test_a_long_list_of_commands_is_looked_through_unless_it_came_just_before(
    api: Api,
) -> None:
    options = [cases.option(f"o{number}", description="d" * 100) for number in range(25)]
    good = [cases.command(name=f"c{number}", options=options) for number in range(50)]
    wrong = [*good[:-1], {**good[-1], "name": "C49"}]
    assert len(str(wrong)) == len(str(good)) > LARGE_BYTES
    path = f"/applications/{api.bot_id}/commands"
    for _ in range(2):
        status, registered = await api("PUT", path, good)
        assert (status, len(registered)) == (200, len(good))
        check(*await api("PUT", path, wrong), "49.name")
    assert {each["name"] for each in api.server.registry.all(None)} == {each["name"] for each in good}


@table(cases.MESSAGES)
async def test_messages(api: Api, ann: Person, form: Any, where: str) -> None:
    status, answer = await api("POST", f"/channels/{api.table}/messages", form)
    check(status, answer, where)
    interaction = await api.command(ann)
    status, answer = await api.answer(interaction, 4, form)
    check(status, answer, where, "data.")
    assert interaction.callback is None
    assert (await api.answer(interaction, 5))[0] == 200
    status, answer = await api("POST", api.webhook(interaction) + "?wait=1", form)
    check(status, answer, where)
    assert not [each for each in ann.messages() if not each.loading]
    if where not in ("50006", "flags"):
        sent = await api.say(content="fine")
        edit = form if form.get("flags") is None else {"content": None, **form}
        status, answer = await api("PATCH", f"/channels/{api.table}/messages/{sent.id}", edit)
        check(status, answer, where)


@table(cases.MODALS)
async def test_modals(api: Api, ann: Person, form: Any, where: str) -> None:
    check(*await api.answer(await api.command(ann), 9, form), where)


@table(cases.SUGGESTIONS)
async def test_suggestions(api: Api, ann: Person, form: Any, where: str) -> None:
    check(*await api.answer(await api.completing(ann), 8, {"choices": form}), where)


async def test_fine_forms_are_taken(api: Api, ann: Person) -> None:
    full = [cases.command(name=f"c{each}") for each in range(100)]
    assert (await api("PUT", f"/applications/{api.bot_id}/commands", full))[0] == 200
    for name in ("naïve", "щит", "ดาบ", "तलवार", "a-b_c'"):
        commands = [cases.command(name=name)]
        assert (
            await api(
                "PUT", f"/applications/{api.bot_id}/guilds/{api.server.world.home.id}/commands", commands
            )
        )[0] == 200
    for form in (
        {"content": "x" * 2000},
        cases.buttons({"custom_id": "c" * 100, "label": "l" * 80}),
        cases.select(max_values=2, placeholder="p" * 150),
        cases.layout(*[cases.text("t" * 100)] * 40),
        cases.layout(cases.section(3), {"type": 14}, {"type": 17, "components": [cases.text()]}),
        {"embeds": [{"description": "d" * 3000}] * 2},
    ):
        assert (await api.answer(await api.command(ann), 4, form))[0] == 200
    assert (await api.answer(await api.command(ann), 9, cases.modal(cases.label(cases.field()))))[0] == 200
    assert (await api.answer(await api.completing(ann), 8, {"choices": cases.choices(25)}))[0] == 200


@pytest.mark.parametrize(
    ("kind", "data", "where"),
    [
        (3, None, "type"),
        (None, None, "type"),
        (8, {"choices": []}, "type"),
        (6, None, "type"),
        (7, {"content": "x"}, "type"),
        (4, None, "data"),
        (9, None, "data"),
        (5, {"flags": 4}, "data.flags"),
        (True, None, "type"),
    ],
)
async def test_types_that_do_not_fit_a_command(
    api: Api, ann: Person, kind: Any, data: Any, where: str
) -> None:
    check(*await api.answer(await api.command(ann), kind, data), where)


async def test_types_that_do_not_fit_other_interactions(api: Api, ann: Person) -> None:
    completing = await api.completing(ann)
    check(*await api.answer(completing, 4, {"content": "x"}), "type")
    check(*await api.answer(completing, 8, {"content": "x"}), "data.choices")
    message = await api.say(**cases.buttons({}))
    pressed = await api.pressed(ann, message)
    check(*await api.answer(pressed, 8, {"choices": []}), "type")
    assert (await api.answer(pressed, 6))[0] == 200
    submitted = await api.server.interactions.open(5, ann.user, api.server.world.channels[api.table], "", {})
    check(*await api.answer(submitted, 9, cases.modal()), "type")
    check(*await api.answer(submitted, 7, {"content": "x"}), "type")


async def test_requests_that_are_no_requests(api: Api, ann: Person) -> None:
    assert await api("GET", "/users/@me", token="wrong") == (401, {"message": "401: Unauthorized", "code": 0})
    assert (await api("GET", "/users/@me", agent="curl"))[0] == 403
    assert (await api("GET", "/nowhere"))[0] == 404
    assert (await api("DELETE", "/users/@me"))[0] == 405
    status, answer = await api("POST", f"/channels/{api.table}/messages", raw=b"{no")
    assert (status, answer["code"]) == (400, 50109)
    assert (await api("POST", f"/channels/{api.table}/messages", [1]))[1]["code"] == 50035
    assert (await api("GET", "/applications/1/commands"))[1]["code"] == 20012
    status, answer = await api("GET", "/channels/1")
    assert (status, answer["code"]) == (404, 10003)
    assert (await api("GET", f"/channels/{api.table}/messages/5"))[1]["code"] == 10008
    assert (await api("GET", "/guilds/5"))[1]["code"] == 10004
    assert (await api("GET", f"/applications/{api.bot_id}/commands/5"))[1]["code"] == 10063


async def test_files(api: Api) -> None:
    path = f"/channels/{api.table}/messages"
    many = {f"{each}.txt": b"x" for each in range(11)}
    assert (await api("POST", path, {"content": "x"}, files=many))[1]["code"] == 50035
    large = {"a.bin": b"x" * (10 * 1024 * 1024 + 1)}
    assert await api("POST", path, {}, files=large) == (
        413,
        {"message": "Request entity too large", "code": 40005},
    )
    form = {"attachments": [{"id": 0, "description": "a map"}]}
    status, answer = await api("POST", path, form, files={"a.png": b"png"})
    stored = answer["attachments"][0]
    assert (status, stored["content_type"], stored["description"]) == (200, "image/png", "a map")
    edit = {"attachments": [], "content": "none"}
    assert (await api("PATCH", f"{path}/{answer['id']}", edit))[1]["attachments"] == []
    async with api.session.get(stored["url"]) as response:
        assert await response.read() == b"png"


async def test_more_than_two_hundred_new_commands_a_day(api: Api) -> None:
    path = f"/applications/{api.bot_id}/commands"
    for batch in range(2):
        full = [cases.command(name=f"c{batch}-{each}") for each in range(100)]
        assert (await api("PUT", path, full))[0] == 200
        assert (await api("PUT", path, full))[0] == 200
    status, answer = await api("POST", path, cases.command(name="more"))
    assert (status, answer["code"]) == (400, 50035)
    await api("PUT", path, [])
    status, answer = await api("POST", path, cases.command(name="more"))
    assert (status, answer["code"]) == (429, 30034)
    api.server.clock.advance(86_401)
    assert (await api("POST", path, cases.command(name="more")))[0] == 200


async def test_emojis_of_the_application(api: Api) -> None:
    path = f"/applications/{api.bot_id}/emojis"
    image = "data:image/png;base64,iVBORw=="
    status, made = await api("POST", path, {"name": "d10_9_hit", "image": image})
    assert (status, made["name"]) == (201, "d10_9_hit")
    assert (await api("GET", path))[1] == {"items": [made]}
    for wrong in (
        {"name": "d10_9_hit", "image": image},
        {"name": "d", "image": image},
        {"name": "d10-9", "image": image},
        {"name": "other", "image": "iVBORw=="},
    ):
        assert (await api("POST", path, wrong))[1]["code"] == 50035, wrong["name"]
    assert (await api("DELETE", f"{path}/{made['id']}"))[0] == 204
    assert (await api("DELETE", f"{path}/{made['id']}"))[1]["code"] == 10014
    with pytest.raises(Refused, match="Invalid Form Body"):
        check_emoji("large", f"data:image/png;base64,{'A' * (4 * 256 * 1024)}", ())
    full = {number: Emoji(number, f"e{number}", image) for number in range(2000)}
    api.server.world.emojis.update(full)
    assert (await api("POST", path, {"name": "one_more", "image": image}))[1]["code"] == 30008


async def test_scheduled_events_of_a_guild(api: Api) -> None:
    home = api.server.world.home
    path = f"/guilds/{home.id}/scheduled-events"
    start = api.server.clock.now() + 60
    event = {
        "name": "Red - Blue",
        "privacy_level": 2,
        "entity_type": 3,
        "entity_metadata": {"location": "#league"},
        "scheduled_start_time": iso(start),
        "scheduled_end_time": iso(start + 60),
    }
    assert (await api("POST", path, event))[1]["code"] == 50013
    api.server.allow(api.server.world.bot, Permission.CREATE_EVENTS)
    for wrong in (
        {"name": ""},
        {"description": "x" * 1001},
        {"entity_type": 2},
        {"entity_metadata": {}},
        {"scheduled_start_time": iso(start - 120)},
        {"scheduled_end_time": iso(start)},
        {"scheduled_end_time": None},
    ):
        assert (await api("POST", path, event | wrong))[1]["code"] == 50035, wrong
    status, made = await api("POST", path, event)
    assert (status, made["name"]) == (200, "Red - Blue")
    assert (await api("PATCH", f"{path}/{made['id']}", {"name": "Blue - Red"}))[1]["name"] == "Blue - Red"
    assert [one["name"] for one in (await api("GET", path))[1]] == ["Blue - Red"]
    home.events.update(dict.fromkeys(range(99), made))
    assert (await api("POST", path, event))[1]["code"] == 30038
    assert (await api("DELETE", f"{path}/{made['id']}"))[0] == 204
    assert (await api("DELETE", f"{path}/{made['id']}"))[1]["code"] == 10070
