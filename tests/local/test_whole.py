from __future__ import annotations

from bot.local.people import Person, Upload
from bot.local.seen import EventKind
from bot.local.server import LocalServer
from tests.local.sample import SampleBot


async def test_every_kind_of_option(server: LocalServer, bot: SampleBot, ann: Person, bo: Person) -> None:
    given = {
        "text": "hello",
        "count": "3",
        "factor": 1.5,
        "hidden": "yes",
        "who": bo,
        "where": "#table",
        "role": "Ann",
        "anyone": "@bo",
        "paper": Upload("list.txt", b"12345"),
        "colour": "blue",
    }
    message = await (await ann.slash("every", given)).message()
    assert message.content == f"hello 3 1.5 True Bo table Ann {bo.id} 5 b"
    assert message.only_for == ann.id
    assert message in ann.messages()
    assert message not in bo.messages()


async def test_groups_within_groups(server: LocalServer, bot: SampleBot, ann: Person) -> None:
    assert (await (await ann.slash("bag draw", {"amount": 2})).message()).content == "2 drawn"
    assert (await (await ann.slash("/bag token add", {"side": "salt"})).message()).content == "salt added"


async def test_suggestions(server: LocalServer, bot: SampleBot, ann: Person) -> None:
    found = await ann.autocomplete("bag token add", {"side": "S"}, focused="side")
    assert [each.name for each in found] == ["Salt", "Sulphur"]
    assert found[0].value == "salt"


async def test_embed_file_and_buttons(server: LocalServer, bot: SampleBot, ann: Person, bo: Person) -> None:
    panel = await (await ann.slash("panel")).message()
    assert panel.attachments[0].data == b"\x89PNG"
    assert panel.embeds[0]["image"]["url"] == panel.attachments[0].url
    assert [each.label or each.placeholder for each in panel.controls] == ["Draw", "Ask", "Later", "Pick"]
    pressed = await (await bo.press(panel, "Draw")).answer()
    assert (pressed.kind, pressed.message.content) == (EventKind.EDIT, "drawn")
    assert pressed.message.id == panel.id
    assert pressed.message.attachments == panel.attachments
    later = await (await bo.press(panel, "panel:later")).message()
    assert later.content == "later"
    picked = await (await bo.select(panel, "Pick", ["Ann", "cy"])).message()
    assert (picked.content, picked.only_for) == ("ann cy", bo.id)


async def test_form(server: LocalServer, bot: SampleBot, ann: Person, bo: Person) -> None:
    panel = await (await ann.slash("panel")).message()
    modal = await (await bo.press(panel, "Ask")).modal()
    assert [(each.label, each.type) for each in modal.fields] == [("Amount", 4), ("Reason", 3)]
    answer = await (await bo.submit(modal, {"amount": "12", "Reason": "Fear"})).message()
    assert (answer.content, answer.only_for) == ("12 Fear", bo.id)


async def test_defer_follow_ups_and_edits(
    server: LocalServer, bot: SampleBot, ann: Person, bo: Person
) -> None:
    outcome = await ann.slash("slow")
    await outcome.wait_for(3)
    assert [each.kind for each in outcome.events] == [
        EventKind.THINKING,
        EventKind.EDIT,
        EventKind.MESSAGE,
        EventKind.EDIT,
    ]
    assert [each.content for each in ann.messages()] == ["first, edited", "second"]
    assert [each.content for each in bo.messages()] == ["first, edited"]
    hidden = await ann.slash("slow", {"hidden": True})
    await hidden.wait_for(3)
    assert all(each.only_for == ann.id for each in hidden.messages)
    assert not bot.errors


async def test_channel_messages_and_what_is_watched(
    server: LocalServer, bot: SampleBot, ann: Person, bo: Person
) -> None:
    with bo.watch("table") as watch:
        outcome = await ann.slash("write", {"text": "hey"})
        assert (await outcome.answer()).kind is EventKind.DELETE
        kinds = [(each.kind, each.message.content) for each in watch.pending() if each.message]
    assert kinds == [(EventKind.MESSAGE, "hey"), (EventKind.EDIT, "hey!")]
    assert [each.content for each in bot.seen] == ["hey!"]


async def test_second_layout(server: LocalServer, bot: SampleBot, ann: Person) -> None:
    message = await (await ann.slash("layout")).message()
    assert message.texts == ("**Sal** shoots", "hit")
    assert [each.custom_id for each in message.controls] == ["panel:draw2"]


async def test_no_answer_is_told_after_three_seconds(
    server: LocalServer, bot: SampleBot, ann: Person
) -> None:
    outcome = await ann.slash("mute")
    server.clock.advance(3)
    assert (await outcome).kind is EventKind.UNANSWERED
