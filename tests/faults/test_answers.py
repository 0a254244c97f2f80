"""A person gets an answer whatever happens to it on the way: lost, late, refused, repeated, or a bug."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.local.commands import ClientRefusal
from bot.local.faults import ANSWERS, Trouble
from bot.local.interactions import UNHURRIED
from bot.local.outcomes import InteractionOutcome
from bot.local.people import Person
from bot.local.seen import EventKind, Message
from bot.panels import answer as answer_module
from bot.replies import fit
from bot.store.book import own_place
from bot.store.errors import Lost
from bot.store.retention import forget_person
from bot.table.act import Act
from bot.table.desk import NEEDS_A_SERVER, Desk
from bot.table.handlers import HANDLERS
from bot.table.request import Answer, Request
from tests.bot.house import House, read
from tests.bot.tables import contents
from tests.faults.test_gateway import until

HARMED = "Smap takes 1 wound (1 of 2 life left)."


def entries(file: Path) -> int:
    return len(contents(file, "journal")["journal"])


@pytest.mark.parametrize("trouble", [Trouble.DROP_BEFORE, Trouble.DROP_AFTER, Trouble.BUCKET_429])
async def test_an_answer_that_is_lost_or_limited_arrives(house: House, file: Path, trouble: Trouble) -> None:
    await house.slash("demo")
    fault = house.server.faults.arm(trouble, ANSWERS, seconds=0.01)
    said = await house.slash("model damage", model="Smap")
    await house.quiet()
    assert fault.met == 1
    assert "Smap takes 1 wound (1 of " in said.content
    assert [one.content for one in house.public].count(said.content) == 1
    assert entries(file) == 2


@pytest.mark.parametrize("status", [403, 404, 503])
async def test_an_answer_that_is_refused_is_told_in_the_channel(
    house: House, file: Path, status: int
) -> None:
    await house.slash("demo")
    house.server.faults.arm(Trouble.STATUS, ANSWERS, status=status)
    with house.anna.watch() as watch:
        await house.typed("model damage", options={"model": "Smap"})
        while True:
            event = await watch.next(5)
            if event.message is not None and "Smap takes 1" in event.message.text:
                break
    assert event.message.only_for is None
    assert entries(file) == 2
    undone = await house.press(event.message, "Undo")
    assert "Undone" in undone.content


async def test_an_answer_that_meets_a_ban_is_told_in_the_channel(house: House) -> None:
    await house.slash("demo")
    house.server.faults.arm(Trouble.CLOUDFLARE_429, ANSWERS)
    with house.anna.watch() as watch:
        await house.typed("model damage", options={"model": "Smap"})
        event = await watch.next(5)
    assert event.message is not None


@pytest.mark.parametrize("also", ["POST /channels/*/messages", ""], ids=["answered nowhere", "answered"])
async def test_what_was_done_is_answered_though_the_database_goes_right_then(
    house: House, file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, also: str
) -> None:
    """Nothing that comes after the deed may tell that nothing was done."""
    await house.slash("demo")
    await house.slash("mission choose", mission="Sabotage")
    asked = await house.press(await house.panel(), "Begin")
    await house.quiet()
    real = Desk.perform

    async def lost(*_: object) -> None:
        raise Lost

    async def perform(desk: Desk, request: Request) -> Answer:
        given = await real(desk, request)
        for name in ("load", "panel", "answered"):
            monkeypatch.setattr(desk.store, name, lost)
        return given

    monkeypatch.setattr(Desk, "perform", perform)
    if also:
        for route in (ANSWERS, also):
            house.server.faults.arm(Trouble.STATUS, route, status=404)
    outcome = await house.anna.press(asked, "Begin anyway")
    if not also:
        assert read(await outcome.message()).content.startswith("Turn 1 of 8.")
    await until(lambda: "could not complete the answer" in caplog.text)
    await house.quiet()
    assert entries(file) == 3
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []


async def test_private_answers_never_reach_the_channel(house: House) -> None:
    await house.slash("demo")
    await house.quiet()
    before = [one.id for one in house.public]
    house.server.faults.arm(Trouble.STATUS, ANSWERS, status=404)
    await house.typed("encounter status")
    await house.quiet()
    assert [one.id for one in house.public] == before


async def test_a_long_answer_is_several_messages_for_the_same_people(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.slash("demo")
    await house.quiet()
    before = [one.id for one in house.public]
    whole = (await house.slash("encounter status")).content
    monkeypatch.setattr(fit, "MAX_MESSAGE_LENGTH", 150)
    outcome = await house.anna.slash("encounter status")
    await outcome.settle()
    assert len(outcome.messages) >= 2
    assert all(one.only_for for one in outcome.messages)
    assert "\n".join(read(one).content for one in outcome.messages) == whole
    assert [one.id for one in house.public] == before


class Slow:
    """Handlers that wait until they are let go: the desk's own work takes long."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = asyncio.Event()
        self.begun = asyncio.Event()
        real = Desk.perform

        async def perform(desk: Desk, request: Request) -> Answer:
            self.begun.set()
            await self.gate.wait()
            return await real(desk, request)

        self.patience = answer_module.PATIENCE_SECONDS
        monkeypatch.setattr(Desk, "perform", perform)
        monkeypatch.setattr(answer_module, "PATIENCE_SECONDS", 0.01)


async def test_slow_work_is_acknowledged_first_and_told_to_everybody_then(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.slash("demo")
    slow = Slow(monkeypatch)
    outcome = await house.typed("model damage", options={"model": "Smap"})
    assert (await outcome.acknowledged()).kind is EventKind.THINKING
    slow.gate.set()
    card = await house.panel()
    assert [event.kind for event in outcome.events] == [EventKind.THINKING, EventKind.DELETE]
    assert card.content.startswith(HARMED)
    monkeypatch.setattr(answer_module, "PATIENCE_SECONDS", slow.patience)
    assert "Undone" in (await house.press(card, "Undo")).content


async def test_slow_work_that_is_private_stays_private(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.slash("demo")
    await house.quiet()
    before = len(house.public)
    slow = Slow(monkeypatch)
    outcome = await house.typed("encounter status")
    assert (await outcome.acknowledged()).kind is EventKind.THINKING
    slow.gate.set()
    said = read(await outcome.message())
    assert said.ephemeral
    assert "Lancers" in said.content
    await house.quiet()
    assert len(house.public) == before


async def test_a_slow_press_is_acknowledged_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.slash("demo")
    await house.slash("mission choose", mission="Sabotage")
    card = await house.panel()
    slow = Slow(monkeypatch)
    outcome = await house.anna.press(card, "Begin")
    assert (await outcome.acknowledged()).kind is EventKind.ACKNOWLEDGED
    slow.gate.set()
    assert read(await outcome.message()).content.startswith("No mission chosen yet: Edo")


async def test_an_acknowledgement_that_is_lost_does_no_harm(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.slash("demo")
    slow = Slow(monkeypatch)
    house.server.faults.arm(Trouble.DROP_AFTER, ANSWERS)
    outcome = await house.typed("model damage", options={"model": "Smap"})
    await outcome.acknowledged()
    slow.gate.set()
    await house.quiet()
    assert sum(HARMED in one.content for one in house.public) == 1


async def test_an_answer_after_its_time_is_told_in_the_channel(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.slash("demo")
    slow = Slow(monkeypatch)
    monkeypatch.setattr(answer_module, "PATIENCE_SECONDS", 60)
    outcome = await house.typed("model damage", options={"model": "Smap"})
    await slow.begun.wait()
    house.server.clock.advance(UNHURRIED + 0.5)
    assert (await outcome.acknowledged()).kind is EventKind.UNANSWERED
    slow.gate.set()
    await house.quiet()
    assert sum(HARMED in one.content for one in house.public) == 1


def failing(monkeypatch: pytest.MonkeyPatch, command: str, run: Callable[..., Any]) -> None:

    monkeypatch.setitem(HANDLERS, command, replace(HANDLERS[command], run=run))


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyError, RecursionError, UnicodeError])
async def test_a_bug_is_told_with_the_number_of_the_interaction(
    house: House,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: type[Exception],
) -> None:
    await house.slash("demo")

    def fail(act: Act, action: object) -> None:
        act.encounter.row.turn = 99
        raise error("the cat sat on the dice")

    failing(monkeypatch, "model.damage", fail)
    outcome = await house.typed("model damage", options={"model": "Smap"})
    said = read(await outcome.message())
    assert said.ephemeral
    assert f"report this number: {outcome.interaction_id}" in said.content
    assert "cat" not in said.content
    record = next(record for record in caplog.records if record.message == "an interaction failed")
    assert record.levelno == logging.ERROR
    assert record.interaction == outcome.interaction_id  # type: ignore[attr-defined]
    assert record.exc_info is not None
    assert "the cat sat on the dice" in str(record.exc_info[1])
    assert entries(file) == 1
    monkeypatch.undo()
    assert "Smap takes 1" in (await house.slash("model damage", model="Smap")).content
    caplog.clear()


async def test_a_bug_in_the_command_itself_is_told_too(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("in the command")

    monkeypatch.setattr(answer_module, "actor_of", broken)
    outcome = await house.typed("encounter status")
    said = read(await outcome.message())
    assert f"report this number: {outcome.interaction_id}" in said.content
    assert any(record.message == "an interaction failed" for record in caplog.records)
    caplog.clear()


async def test_a_bug_behind_a_button_is_told_too(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    demo = await house.slash("demo")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("in the press")

    monkeypatch.setattr(answer_module, "actor_of", broken)
    outcome = await house.anna.press(demo, "Begin")
    said = read(await outcome.message())
    assert f"report this number: {outcome.interaction_id}" in said.content
    caplog.clear()


async def test_a_bug_in_suggestions_is_logged_and_nothing_else_breaks(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await house.slash("demo")
    real = house.desk.store.running_encounter

    async def broken(channel: int) -> int:
        raise ZeroDivisionError("while suggesting")

    monkeypatch.setattr(house.desk.store, "running_encounter", broken)
    assert await house.anna.autocomplete("model damage", {"model": "s"}, focused="model") == []
    assert "while suggesting" in caplog.text
    monkeypatch.setattr(house.desk.store, "running_encounter", real)
    names = await house.anna.autocomplete("model damage", {"model": "sk"}, focused="model")
    assert [choice.name for choice in names] == ["Skip Westmoreland"]
    caplog.clear()


async def test_a_database_that_is_locked_is_told_and_then_over(house: House, file: Path) -> None:
    import sqlite3
    from contextlib import closing

    await house.slash("demo")
    await house.quiet()

    def impatient(connection: Any) -> None:
        connection.exec_driver_sql("PRAGMA busy_timeout=1")

    await house.desk.store._writer.run(impatient)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        outcome = await house.typed("model damage", options={"model": "Smap"})
        said = read(await outcome.message())
        assert said.ephemeral
        assert said.content.startswith("Try again in a moment; another program is using the database.")
    assert "Smap takes 1 wound (1 of " in (await house.slash("model damage", model="Smap")).content


async def test_two_deliveries_at_the_same_time_give_one_answer(house: House, file: Path) -> None:
    await house.slash("demo")
    outcome = await house.anna.slash("model damage", {"model": "Smap"}, deliveries=2)
    read(await outcome.message())
    await house.quiet()
    await outcome.deliver_again()
    await asyncio.sleep(0)
    await house.slash("encounter status")
    await house.quiet()
    assert len(outcome.messages) == 1
    assert entries(file) == 2


async def test_a_slow_command_delivered_thrice_is_answered_once(
    house: House, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.slash("demo")
    slow = Slow(monkeypatch)
    outcome = await house.anna.slash("model damage", {"model": "Smap"}, deliveries=3)
    await outcome.acknowledged()
    slow.gate.set()
    await house.quiet()
    assert sum(HARMED in one.content for one in house.public) == 1
    assert entries(file) == 2


async def test_commands_are_not_offered_in_private_messages(house: House) -> None:
    direct = house.server.world.direct(house.anna.user)
    with pytest.raises(ClientRefusal):
        await house.anna.slash("demo", channel=direct.id)


async def test_a_command_that_comes_from_a_private_message_is_refused(house: House, file: Path) -> None:
    command = house.anna.command("demo")
    direct = house.server.world.direct(house.anna.user)
    data = {"id": str(command.id), "name": "demo", "type": 1, "options": []}
    interaction = await house.server.interactions.open(2, house.anna.user, direct, "demo", data)
    said = read(await InteractionOutcome(house.server.interactions, interaction).message())
    assert said.content == NEEDS_A_SERVER
    assert entries(file) == 0


async def test_a_press_on_a_card_that_was_deleted_is_answered_on_another(house: House, file: Path) -> None:
    await house.slash("demo")
    await house.slash("model damage", model="Smap")
    card = await house.panel()
    house.server.world.delete(house.server.world.channels[house.anna.here].messages[card.id])
    undone = await house.press(card, "Undo", stale=True)
    assert undone.id != card.id
    assert undone.content.startswith("Undone: ")
    assert entries(file) == 3


async def test_a_press_on_a_private_question_that_is_gone_is_answered(house: House, file: Path) -> None:
    await house.slash("demo")
    asked = await house.slash("encounter end")
    assert asked.ephemeral
    house.server.world.delete(house.server.world.channels[house.anna.here].messages[asked.id])
    before = entries(file)
    ended = await house.press(asked, "End the game", stale=True)
    assert not ended.ephemeral
    assert entries(file) == before + 1


async def test_dice_and_crews_are_carried_into_servers_without_the_bot(house: House, file: Path) -> None:
    """What a person does in a direct message or a foreign server is theirs alone, and goes with them."""
    world = house.server.world
    foreign = world.add_guild("Elsewhere", foreign=True)
    general = world.add_channel("general", foreign)
    cleo, dan = (house.server.person(name, name.title(), guild=foreign) for name in ("cleo", "dan"))
    assert {one.path.split()[0] for one in cleo.commands()} == {"book", "crew", "odds", "roll"}

    async def ask(by: Person, command: str, channel: int, **options: str) -> Message:
        return read(await (await by.slash(command, options, channel=channel)).message())

    await ask(cleo, "crew create", general.id, name="Foxes", system="counterblast")
    direct = world.direct(cleo.user)
    assert "Foxes (Counterblast)" in (await ask(cleo, "crew list", direct.id)).content
    assert "no crews here" in (await ask(dan, "crew list", general.id)).content
    assert (
        "Other people can't see"
        in (await ask(cleo, "crew give", general.id, crew="Foxes", who="@dan")).content
    )

    rolled = await ask(cleo, "roll", general.id, dice="4d6")
    assert not rolled.ephemeral
    again = read(await (await dan.press(rolled, "Again")).message())
    assert again.content.startswith("Dan: ")

    best = await ask(cleo, "odds best", general.id)
    assert best.content.startswith("Invite Adjutant to a server")
    sheets = await ask(cleo, "crew sheets", general.id)
    assert not sheets.controls, "a campaign cannot be created here"

    await forget_person(house.desk.store, cleo.id)
    assert str(cleo.id) not in str(contents(file))
    assert await house.desk.store.crews(own_place(cleo.id)) == []
