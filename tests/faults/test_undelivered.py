"""What was stored and never answered is told once, and not done twice; what comes too late is not done."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import aiohttp
import discord
import pytest

from bot.actions import Action
from bot.games.counterblast.missions.mission_choices import ChooseSecretly
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.infinity.reaction_actions import Aro
from bot.local.faults import ANSWERS, Trouble
from bot.local.outcomes import InteractionOutcome, NotAnswered
from bot.local.people import Person
from bot.local.seen import Message
from bot.panels import undelivered
from bot.panels.interaction_age import DOUBTED_SECONDS, Lateness
from bot.panels.undelivered import NOT_ANSWERED, tell_untold
from bot.panels.widgets import Card
from bot.store import deliveries
from bot.store.deliveries import LAG_MS, Deliveries
from bot.table.act import Actor
from bot.table.journal.history import Undo
from bot.table.request import Request
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.session.encounters import NextStep, StartDemo
from bot.table.session.models import DamageModel
from tests.bot.house import House, read
from tests.bot.infinity.field import ANNA, BO, Field
from tests.bot.tables import Table, contents, opened
from tests.faults.test_answers import Slow

NUMBERS = itertools.count(77_000)
"""Interactions that were made before all others."""


def marks(file: Path) -> list[tuple[object, ...]]:
    return contents(file, "undelivered")["undelivered"]


def entries(file: Path) -> int:
    return len(contents(file, "journal")["journal"])


async def stored_and_killed(house: House, *actions: Action, who: Person | None = None) -> None:
    """What the bot did before it was killed, before it could answer."""
    await house.quiet()
    await house.stop()
    person = who or house.anna
    guild = house.server.world.channels[person.here].guild_id
    assert guild is not None
    actor = Actor(person.id, person.display_name, guild, person.here)
    async with opened(house.file, 50) as table:
        for action in actions:
            answer = await table.desk.perform(Request(action, actor, next(NUMBERS)))
            assert answer.changed, answer.reply.text


async def told(house: House, before: set[int]) -> list[Message]:
    """What stands in the channel since, panels aside."""
    await house.quiet()
    for _ in range(200):
        found = [one for one in house.public if one.id not in before and NOT_ANSWERED in one.content]
        if found:
            return found
        await asyncio.sleep(0.005)
    return []


async def test_what_was_not_answered_is_told_once_in_its_channel(house: House, file: Path) -> None:
    await house.slash("demo")
    await stored_and_killed(house, DamageModel("Smap"), DamageModel("Sally"))
    before = {one.id for one in house.public}
    await house.start()
    (said,) = await told(house, before)
    assert said.content.split("\n") == [
        NOT_ANSWERED,
        "Anna: Smap takes 1 wound (1 of 2 life left).",
        "Anna: Sally Starfield takes 1 wound (1 of 2 life left).",
    ]
    assert "Undone" in (await house.press(said, "Undo")).content
    await house.quiet()
    before = {one.id for one in house.public}
    await house.restart()
    assert await told(house, before) == []
    assert marks(file) == []


async def test_what_was_answered_leaves_nothing_to_tell(house: House, file: Path) -> None:
    await house.slash("demo")
    await house.slash("model damage", model="Smap")
    await house.slash("roll", dice="2d6")
    await house.quiet()
    await house.stop()
    assert entries(file) == 3
    assert marks(file) == []
    before = {one.id for one in house.public}
    await house.start()
    assert await told(house, before) == []


async def test_the_same_asked_again_asks_first(house: House, file: Path) -> None:
    await house.slash("demo")
    await stored_and_killed(house, DamageModel("Smap"))
    await house.start()
    for _ in range(2):
        asked = await house.slash("model damage", model="Smap")
        assert asked.ephemeral
        assert asked.content.split("\n") == [
            "You have already done this:",
            "Smap takes 1 wound (1 of 2 life left).",
            "Do you want to do it again?",
        ]
    assert entries(file) == 2
    assert "Smap takes 1 wound (0 of 2 life left)" in (await house.press(asked, "Do it again")).content
    assert entries(file) == 3


async def test_an_undo_that_was_not_answered_takes_nothing_more_back(house: House, file: Path) -> None:
    await house.slash("demo")
    await house.slash("model damage", model="Smap")
    await house.slash("model damage", model="Sally")
    await stored_and_killed(house, Undo())
    await house.start()
    assert "You have already done this" in (await house.slash("undo")).content
    assert entries(file) == 4


async def test_what_makes_something_new_asks_first_too(house: House, file: Path) -> None:
    await stored_and_killed(house, Roll("4d10"))
    await house.start()
    asked = await house.slash("roll", dice="4d10")
    assert "You have already done this" in asked.content
    assert entries(file) == 1
    await house.press(asked, "Do it again")
    assert entries(file) == 2


async def test_something_else_and_somebody_else_are_not_asked(house: House, file: Path) -> None:
    await house.slash("demo")
    await stored_and_killed(house, Roll("2d6"))
    await house.start()
    assert "it was done" not in (await house.slash("roll", who=house.bo, dice="2d6")).content
    assert "Smap takes 1" in (await house.slash("model damage", model="Smap")).content
    assert "it was done" not in (await house.slash("roll", dice="2d6")).content, "who went on knows of it"


async def test_what_was_told_in_private_is_not_repeated_to_everybody(house: House) -> None:
    await house.slash("demo")
    await stored_and_killed(house, ChooseSecretly("Scouting", side="Lancers"))
    before = {one.id for one in house.public}
    await house.start()
    (said,) = await told(house, before)
    assert said.content.split("\n") == [NOT_ANSWERED, "Anna: something told in private"]
    assert not said.controls


@dataclass
class Channel:
    """A client with one channel, and what is said there."""

    said: list[str] = field(default_factory=list)
    refuses: list[Exception] = field(default_factory=list)

    def get_partial_messageable(self, _id: int) -> Channel:
        return self

    async def send(self, *, view: Card, **_: object) -> None:
        if self.refuses:
            raise self.refuses.pop()
        self.said.append(str(view.to_components()))


async def test_what_discord_did_not_take_is_told_the_next_time(table: Table) -> None:
    await table.done("anna", StartDemo())
    channel = Channel(refuses=[aiohttp.ClientError(), OSError()])
    async with opened(table.file, 50) as later:
        await later.desk.store.deliveries.recover(0)
        for tries in range(4):
            await tell_untold(cast(discord.Client, channel), later.desk.store)
            assert len(channel.said) == (tries >= 2)
    assert marks(table.file) == []


async def test_of_a_secret_reaction_nobody_learns(table: Table) -> None:
    game = await Field.open(table)
    await game.ask(ANNA, NextStep())
    for who in (ANNA, BO):
        await game.ask(who, DiceMode("bot"))
    await game.ask(BO, SpendOrder("Tracker"))
    stored = await table.desk.store.all_entries((await table.loaded()).scope.id)
    table.desk.store.deliveries.arrived(entry.interaction_id for entry in stored)
    await game.ask(ANNA, Aro("Angus", "shoot", 10))
    await table.desk.store.deliveries.close()
    channel = Channel()
    async with opened(table.file, 50) as later:
        await later.desk.store.deliveries.recover(0)
        await tell_untold(cast(discord.Client, channel), later.desk.store)
        assert channel.said == []
    assert marks(table.file) == []


async def test_an_answer_that_reaches_nobody_while_the_bot_runs_counts_as_not_given(
    house: House, file: Path
) -> None:
    await house.slash("crew create", name="The Fine")
    for found in (ANSWERS, "POST /channels/*/messages"):
        house.server.faults.arm(Trouble.STATUS, found, status=404)
    options = {"crew": "The Fine", "who": "smap"}
    outcome = await house.typed("crew recruit", options=options)
    with pytest.raises(NotAnswered):
        await outcome.message(0.3)
    await house.quiet()
    assert entries(file) == 2
    assert (
        "You have already done this"
        in read(await (await house.typed("crew recruit", options=options)).message()).content
    )
    assert entries(file) == 2


async def test_a_second_delivery_does_not_hide_that_nobody_was_answered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves the answer to the first one, and knows nothing of how that went."""
    await house.slash("demo")
    slow = Slow(monkeypatch)
    before = {one.id for one in house.public}
    outcome = await house.anna.slash("model damage", {"model": "Smap"}, deliveries=2)
    await outcome.acknowledged()
    for found in ("* /webhooks/*", "POST /channels/*/messages"):
        house.server.faults.arm(Trouble.STATUS, found, status=404, times=10)
    slow.gate.set()
    await house.quiet()
    house.server.faults.clear()
    await house.restart()
    (message,) = await told(house, before)
    assert "Smap takes 1" in message.content


# ------------------------------------------------------------------------------------ too late


async def held_back(house: House, path: str, **options: object) -> InteractionOutcome:
    """A command that was sent and has not come yet."""
    return await house.anna.slash(path, options, deliveries=0)


async def test_what_comes_too_late_is_not_done(house: House, file: Path) -> None:
    await house.slash("demo")
    late = await held_back(house, "model damage", model="Smap")
    house.server.clock.advance(16 * 60)
    await house.slash("model damage", model="Sally")
    await late.deliver_again()
    await house.quiet()
    await house.slash("encounter status")
    assert entries(file) == 2


async def test_a_press_that_comes_too_late_is_not_done(house: House, file: Path) -> None:
    await house.slash("demo")
    harmed = await house.slash("model damage", model="Smap")
    await house.quiet()
    late = await house.anna.press(harmed, "Undo", deliveries=0)
    house.server.clock.advance(16 * 60)
    await house.slash("encounter status")
    await late.deliver_again()
    await house.quiet()
    await house.slash("encounter status")
    assert entries(file) == 2
    await house.press(harmed, "Undo")
    assert entries(file) == 3, "in time it is done"


async def test_a_form_that_stood_open_long_is_not_late(house: House, file: Path) -> None:
    await house.slash("demo")
    refused = await house.slash("model damage", who=house.bo, model="Smap")
    assert "not yours" in refused.content
    await house.slash("encounter join", who=house.bo, side="Edo")
    refused = await house.slash("model damage", model="Trapper")
    modal = await (await house.anna.press(refused, "Override...")).modal()
    house.server.clock.advance(14 * 60)
    await house.slash("encounter status", who=house.bo)
    (blank,) = [box.custom_id for box in modal.fields]
    done = await house.submit(modal, {blank: "the boat leaves"})
    assert "Override by Anna: the boat leaves" in done.content


class Hour:
    """A clock of the host and ids of Discord's, both moved by hand."""

    def __init__(self, host: float) -> None:
        self.host = host
        self.discord = 1_700_000_000.0
        self.lateness = Lateness(lambda: self.host)

    def go_on(self, seconds: float) -> None:
        self.host += seconds
        self.discord += seconds

    def comes(self, age: float = 0.05) -> bool:
        """Whether what was made so long ago counts as late now."""
        return self.lateness.is_late(int((self.discord - age) * 1000) << 22)


def test_the_clock_of_the_host_plays_no_part() -> None:
    for host in (0.0, 5e8, 1_700_000_000.0, 4e9):
        hour = Hour(host)
        for _ in range(50):
            assert not hour.comes()
            hour.go_on(60)
        assert not hour.comes(age=2.5)
        assert hour.comes(age=16 * 60)
        assert hour.comes(age=5)
        assert not hour.comes()


def test_what_comes_late_in_its_order_is_late_too() -> None:
    """After the connection was gone for a while, all comes in the order in which it was made."""
    hour = Hour(100.0)
    assert not hour.comes()
    hour.go_on(16 * 60)
    assert [hour.comes(age) for age in (900.0, 600.0, 10.0, 4.0, 1.0)] == [True, True, True, True, False]


def test_a_clock_that_jumps_refuses_nothing_for_long() -> None:
    hour = Hour(100.0)
    assert not hour.comes()
    hour.host += 3000
    refused = 0
    for _ in range(20):
        refused += hour.comes()
        hour.go_on(5)
    assert refused <= DOUBTED_SECONDS / 5 + 1
    hour.host -= 2000
    assert not hour.comes()


def test_the_first_that_comes_is_never_late() -> None:
    assert not Hour(0.0).comes(age=1e6)


async def test_the_same_interaction_delivered_again_gets_its_answer_and_no_question(table: Table) -> None:
    await table.done("anna", StartDemo())
    first = await table.do("anna", DamageModel("Smap"), interaction=700)
    store = table.desk.store
    entry = await store.answered(700)
    assert entry is not None
    store.deliveries.missed(entry)
    again = await table.do("anna", DamageModel("Smap"), interaction=700)
    assert (again.repeated, again.reply) == (True, first.reply)


async def test_what_another_process_may_be_answering_is_left_to_it(table: Table) -> None:
    await table.done("anna", StartDemo())
    store = table.desk.store
    entry = (await store.all_entries(1))[0]
    both = Deliveries(store._writer, store._as_reader, alone=False)
    await both.recover(entry.at_ms + LAG_MS)
    await both.look_again(entry.at_ms + LAG_MS)
    assert both.take_untold() == []
    for finds in (both.recover, both.look_again):
        await finds(entry.at_ms + LAG_MS + 1)
        assert [one.id for one in await both.to_be_told()] == [entry.id]


@pytest.fixture
def elsewhere_first(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database that several processes share, looked through all the time."""
    monkeypatch.setattr(undelivered, "LOOK_SECONDS", 0.01)
    return elsewhere


async def test_what_a_process_did_that_was_killed_is_told_by_the_next_or_by_one_that_runs(
    elsewhere_first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with House.open(elsewhere_first) as house:
        await house.slash("demo")
        await stored_and_killed(house, DamageModel("Smap"))
        before = {one.id for one in house.public}
        await house.start()
        await asyncio.sleep(0.05)
        assert [one for one in house.public if NOT_ANSWERED in one.content] == []
        asked = await house.slash("model damage", model="Smap")
        assert asked.content.startswith("You have already done this:")
        monkeypatch.setattr(deliveries, "LAG_MS", -1)
        (said,) = await told(house, before)
        assert said.content.split("\n") == [NOT_ANSWERED, "Anna: Smap takes 1 wound (1 of 2 life left)."]
        async with opened(elsewhere_first, 50) as other:
            actor = other.actor("bo", guild=house.desk.store._kept[1].scope.guild_id, channel=house.anna.here)
            await other.done(actor, Roll("1d6+777"), interaction=next(NUMBERS))
        before |= {said.id}
        (said,) = await told(house, before)
        assert "d6+777" in said.content
        await asyncio.sleep(0.3)
        assert marks(elsewhere_first) == []
        assert len([one for one in house.public if NOT_ANSWERED in one.content]) == 2


async def test_what_one_process_has_told_or_answered_the_other_does_neither_tell_nor_doubt(
    elsewhere: Path,
) -> None:
    async with opened(elsewhere) as one, opened(elsewhere, 50) as other:
        await one.done("anna", StartDemo())
        await one.done("anna", DamageModel("Smap"), interaction=700)
        now = one.desk.store.now()
        other.ids = one.ids
        await other.desk.store.deliveries.recover(now)
        again = await other.do("anna", DamageModel("Smap"), interaction=701)
        assert again.reply.lines[0].startswith("You have already done this")
        await other.desk.store.deliveries.look_again(now + LAG_MS + 1)
        await other.desk.store.deliveries.recover(now)
        one.desk.store.deliveries.arrived([700, 10_001])
        await one.desk.store.deliveries._forget()
        assert await other.desk.store.deliveries.to_be_told() == []
        await other.done("anna", DamageModel("Smap"), interaction=702)
