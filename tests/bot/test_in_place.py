"""A reply that takes the place of the message on which it was asked for, over the whole bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from bot.local.faults import ANSWERS, Trouble
from bot.local.people import Person
from bot.local.seen import EventKind, Message
from bot.panels import answer as answer_module
from bot.replies.reply import Attachment, Blank, Button, Reply, form, reply_from_json, reply_to_json
from bot.table.act import Act
from bot.table.desk import Desk
from bot.table.handlers import HANDLERS, Handler, Place
from bot.table.request import Answer, Request
from bot.table.session.encounters import ShowEncounter
from bot.table.session.models import DamageModel
from tests.bot.house import House, read

ASK = form("test-in-place", "Ask", Blank("model", "Whom"))


@dataclass
class Counter:
    """`/encounter status` counts how often it was asked, in the message that was pressed."""

    private: bool = False
    count: int = 0
    files: list[Attachment] = field(default_factory=list)

    def reply(self, act: Act, action: ShowEncounter) -> Reply:
        self.count += 1
        buttons = (
            Button("More", ShowEncounter(), anytime=True),
            Button("Whom...", DamageModel(), anytime=True, form=ASK),
        )
        files = tuple(self.files)
        return Reply((f"{self.count} so far.",), self.private, buttons=buttons, files=files, replaces=True)


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> Counter:
    counter = Counter()
    monkeypatch.setitem(HANDLERS, ShowEncounter.command, Handler(counter.reply, Place.ENCOUNTER))
    return counter


async def first(house: House) -> Message:
    await house.slash("demo")
    await house.quiet()
    return await house.slash("encounter status")


async def pressed(message: Message, label: str, who: Person) -> Message:
    """What a press is answered, in the message that it edits."""
    return read(await (await who.press(message, label)).message())


def shown(house: House, message: Message) -> Message:
    return house.server.world.channels[message.channel_id].messages[message.id]


def test_the_flag_is_kept_with_the_reply() -> None:
    reply = Reply(("so",), replaces=True)
    assert reply_from_json(reply_to_json(reply)) == reply
    assert not reply_from_json(reply_to_json(Reply(("so",)))).replaces


async def test_a_press_edits_the_message_that_was_pressed(house: House, counter: Counter) -> None:
    said = await first(house)
    count = len(house.public)
    again = await pressed(said, "More", house.anna)
    assert (again.id, again.text) == (said.id, "2 so far.")
    assert len(house.public) == count
    assert (await pressed(again, "More", house.bo)).content == "3 so far."


async def test_what_one_person_alone_sees_is_edited_for_that_person(house: House, counter: Counter) -> None:
    counter.private = True
    said = await first(house)
    assert said.ephemeral
    again = await pressed(said, "More", house.anna)
    assert (again.id, again.text, again.ephemeral) == (said.id, "2 so far.", True)


@pytest.mark.parametrize("private", [False, True])
async def test_it_is_a_message_of_its_own_for_other_eyes(
    house: House, counter: Counter, private: bool
) -> None:
    counter.private = private
    said = await first(house)
    counter.private = not private
    again = await pressed(said, "More", house.anna)
    assert again.id != said.id
    assert again.ephemeral is not private
    assert shown(house, said).text == "1 so far."


async def test_pictures_come_and_go_with_it(house: House, counter: Counter) -> None:
    said = await first(house)
    counter.files = [Attachment("count.png", "a two", b"2")]
    with_picture = await pressed(said, "More", house.anna)
    assert [(one.filename, one.description) for one in with_picture.attachments] == [("count.png", "a two")]
    counter.files = []
    assert (await pressed(with_picture, "More", house.anna)).attachments == ()


async def test_a_form_edits_the_message_that_opened_it(
    house: House, counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HANDLERS, DamageModel.command, Handler(counter.reply, Place.ENCOUNTER))
    said = await first(house)
    modal = await (await house.anna.press(said, "Whom...")).modal()
    again = read(await (await house.anna.submit(modal, {"Whom": "Smap"})).message())
    assert (again.id, again.text) == (said.id, "2 so far.")


class Slow:
    """Every action takes longer than an interaction may stay unanswered, until it is let go."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.gate = asyncio.Event()
        real: Callable[[Desk, Request], Answer] = Desk.perform  # type: ignore[assignment]

        async def perform(desk: Desk, request: Request) -> Answer:
            await self.gate.wait()
            return await real(desk, request)  # type: ignore[misc]

        patch.setattr(Desk, "perform", perform)
        patch.setattr(answer_module, "PATIENCE_SECONDS", 0.01)


async def test_slow_work_edits_the_message_in_the_end(
    house: House, counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = await first(house)
    count = len(house.public)
    slow = Slow(monkeypatch)
    outcome = await house.anna.press(said, "More")
    assert (await outcome.acknowledged()).kind is EventKind.ACKNOWLEDGED
    slow.gate.set()
    again = read(await outcome.message())
    assert (again.id, again.text) == (said.id, "2 so far.")
    assert len(house.public) == count


@pytest.mark.parametrize("private", [False, True])
async def test_slow_work_of_a_game_comes_on_its_card_and_a_refusal_by_itself(
    house: House, monkeypatch: pytest.MonkeyPatch, private: bool
) -> None:
    await house.slash("demo")
    hurt = await house.slash("model damage", model="Smap")
    await house.quiet()
    slow = Slow(monkeypatch)
    who = house.bo if private else house.anna
    outcome = await who.press(hurt, "Undo")
    assert (await outcome.acknowledged()).kind is EventKind.ACKNOWLEDGED
    slow.gate.set()
    said = read(await outcome.message())
    assert (said.id != hurt.id, said.ephemeral) == (private, private)
    assert said.content.startswith("Undone: ~~Smap") is not private
    assert len(outcome.messages) == 1


@pytest.mark.parametrize("trouble", [Trouble.DROP_BEFORE, Trouble.DROP_AFTER])
async def test_an_edit_that_is_lost_arrives(house: House, counter: Counter, trouble: Trouble) -> None:
    said = await first(house)
    fault = house.server.faults.arm(trouble, ANSWERS)
    again = await pressed(said, "More", house.anna)
    await house.quiet()
    assert fault.met == 1
    assert (again.id, shown(house, said).text) == (said.id, "2 so far.")


async def test_an_edit_that_is_refused_is_told_in_the_channel(house: House, counter: Counter) -> None:
    said = await first(house)
    house.server.faults.arm(Trouble.STATUS, ANSWERS, status=404)
    with house.anna.watch() as watch:
        await house.anna.press(said, "More")
        event = await watch.next(5)
    assert event.message is not None
    assert (event.message.id != said.id, event.message.text) == (True, "2 so far.")


async def test_one_private_menu_is_open_at_a_time(house: House) -> None:
    """What was typed to be read stays, and so does a menu while something is refused."""

    def menus() -> list[int]:
        return [one.id for one in house.anna.messages() if one.ephemeral and one.controls]

    await house.slash("demo")
    card, typed = await house.panel(), await house.slash("help")
    await house.press(card, "More...")
    second = await house.press(card, "Set up...")
    await house.quiet()
    assert menus() == [typed.id, second.id]
    assert (await house.press(card, "Undo", house.bo)).ephemeral
    assert menus() == [typed.id, second.id]
    await house.begin(card)
    await house.press(await house.panel(), "More...")
    await house.quiet()
    assert len(menus()) == 2
