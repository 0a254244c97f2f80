"""The same ill will through Discord: commands, suggestions, buttons, menus, forms and files.

Only what Discord's client would send gets through; each is answered in time, by words that are no fault.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.local.commands import (
    ATTACHMENT,
    BOOLEAN,
    INTEGER,
    NUMBER,
    USER,
    ClientRefusal,
    Command,
    CommandOption,
)
from bot.local.filling import Upload
from bot.local.outcomes import InteractionOutcome, NotAnswered
from bot.local.people import Person
from bot.local.seen import EventKind, Message, Modal
from bot.store.doctor import examine
from bot.store.migration import migrate
from bot.table.game import GAMES
from tests.bot.house import House
from tests.bot.tables import url_of
from tests.faults.campaign.hostile import copies, counted
from tests.faults.campaign.nearly import NUMBERS, WORDS
from tests.faults.campaign.slices import Found, Section, Work

A_GAME = 1000
"""After so many calls a new game begins, on a new file."""

REMEMBERED = 30
"""Messages whose buttons are pressed, the oldest of them long out of date."""

ON_THE_CARD = {EventKind.ACKNOWLEDGED, EventKind.THINKING, EventKind.DELETE}
"""What a call is answered with if its result stands on the card; the placeholder of the answer goes."""

SENT = {text for text in WORDS if text == text.encode("utf-8", "replace").decode()}
FILES = (
    b"",
    b"\x00" * 64,
    b"\x89PNG\r\n\x1a\n" + b"\x00" * 40,
    b"{" * 5000,
    b'{"format": 5, "entries": [{"seq": 1e400}]}',
    json.dumps({"format": 1, "crew": {"name": None, "members": [[]] * 50}}).encode(),
    json.dumps([[[[{"a": "b" * 3000}]]]]).encode(),
    "Name \u202e 9999 Pts\nPwr -5 Spd x\n".encode() * 40,
    b"\xff\xfe\xfa" * 500,
    b"x" * 600_000,
)
SUFFIXES = ("crew.json", "game.txt", "picture.png", "a.csv", "\u202e.json", "x" * 90)


@dataclass
class Caller:
    """Somebody who means no good, and what came of it."""

    house: House
    dice: random.Random
    found: Counter[str]
    faults: list[str]
    shown: deque[tuple[Person, Message]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    forms: deque[tuple[Person, Modal]] = field(default_factory=lambda: deque(maxlen=5))

    async def one(self) -> None:
        doors: list[Callable[[], Awaitable[str]]] = [self._type, self._type, self._suggest]
        doors += [self._press, self._press] if self.shown else []
        doors += [self._send, self._send] if self.forms else []
        door = self.dice.choice(doors)
        try:
            self.found[await door()] += 1
        except ClientRefusal:
            self.found["not sent"] += 1
        except NotAnswered as missing:
            self.faults.append(f"{door.__name__}: {str(missing)[:60]}")

    def _who(self) -> Person:
        return self.dice.choice((self.house.anna, self.house.bo, self.house.bo))

    def _command(self, who: Person) -> Command:
        return self.dice.choice(who.commands())

    def _value(self, option: CommandOption) -> Any:
        if option.choices and self.dice.random() < 0.8:
            return self.dice.choice(option.choices).value
        if option.kind in (INTEGER, NUMBER):
            least, most = option.min_value or 0, option.max_value or 100
            return self.dice.choice((least, most, self.dice.choice(NUMBERS)))
        if option.kind == BOOLEAN:
            return self.dice.random() < 0.5
        if option.kind == USER:
            return self._who()
        if option.kind == ATTACHMENT:
            return Upload(self.dice.choice(SUFFIXES), self.dice.choice(FILES))
        return self.dice.choice(sorted(SENT)) or "x"

    async def _given(self, who: Person, command: Command) -> dict[str, Any]:
        """Options with any values; what is suggested among them, as most of it goes further."""
        given: dict[str, Any] = {}
        for each in command.options:
            if each.required or self.dice.random() < 0.3:
                given[each.name] = self._value(each)
                if each.autocomplete and self.dice.random() < 0.7:
                    asked = {**given, each.name: ""}
                    found = await who.autocomplete(command.path, asked, focused=each.name, deadline=30)
                    given[each.name] = self.dice.choice(found).value if found else given[each.name]
        return given

    async def _type(self) -> str:
        who = self._who()
        command = self._command(who)
        given = await self._given(who, command)
        return await self._seen(who, await who.slash(command.path, given), command.path)

    async def _suggest(self) -> str:
        who = self._who()
        asking = [each for each in who.commands() if any(part.autocomplete for part in each.options)]
        command = self.dice.choice(asking)
        focused = self.dice.choice([part.name for part in command.options if part.autocomplete])
        given = {**await self._given(who, command), focused: self.dice.choice(sorted(SENT))[:100]}
        await who.autocomplete(command.path, given, focused=focused, deadline=30)
        return "suggestions"

    async def _press(self) -> str:
        who, message = self.dice.choice(self.shown)
        who = self._who() if message.only_for is None else who
        control = self.dice.choice(message.controls)
        if control.is_button:
            outcome = await who.press(message, control.custom_id or "", stale=True)
            return await self._seen(who, outcome, f"press {control.label}")
        most = self.dice.randint(control.min_values, max(1, control.max_values))
        chosen = self.dice.sample([each.value for each in control.options], min(most, len(control.options)))
        outcome = await who.select(message, control.custom_id or "", chosen, stale=True)
        return await self._seen(who, outcome, f"choose of {control.placeholder}")

    async def _send(self) -> str:
        who, form = self.dice.choice(self.forms)
        given: dict[str, Any] = {}
        for part in form.fields:
            if part.options:
                given[part.custom_id] = [self.dice.choice(part.options).value]
            elif self.dice.random() < 0.8:
                given[part.custom_id] = self.dice.choice(sorted(SENT))
        return await self._seen(who, await who.submit(form, given), f"form {form.title}")

    async def _seen(self, who: Person, outcome: InteractionOutcome, what: str) -> str:
        if (await outcome.acknowledged(30)).kind in (EventKind.ACKNOWLEDGED, EventKind.THINKING):
            await self.house.quiet()
            if {event.kind for event in outcome.events} <= ON_THE_CARD:
                return "answered on the card"
        event = await outcome.answer(30)
        if event.modal is not None:
            self.forms.append((who, event.modal))
            return "forms opened"
        if event.kind is EventKind.UNANSWERED or event.message is None:
            self.faults.append(f"{what}: {event.kind}")
            return "unanswered"
        if "went wrong in the bot" in event.message.text:
            self.faults.append(f"{what}: {event.message.text[-60:]!r}")
        if event.message.controls:
            self.shown.append((who, event.message))
        return "answered in private" if event.message.ephemeral else "answered in public"


class _Heard(logging.Handler):
    """Errors that were logged, whoever was answered."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._faults.append(f"log: {record.getMessage()[:60]} {error!r:.80}")


async def calls(fresh: Callable[[], Path], count: int, seed: int | str) -> Found:
    """So many calls by people at a local server; what came of them, and every fault."""
    dice, found = random.Random(seed), Found()
    heard = _Heard(found.faults)
    logging.getLogger("bot").addHandler(heard)
    try:
        for first in range(0, count, A_GAME):
            file = fresh()
            async with House.open(file) as house:
                caller = Caller(house, dice, found.numbers, found.faults)
                await house.slash("demo", system=dice.choice(sorted(GAMES)))
                for _ in range(min(A_GAME, count - first)):
                    await caller.one()
                await house.quiet()
            found.faults += (await examine(url_of(file))).faults
    finally:
        logging.getLogger("bot").removeHandler(heard)
    return found


def part(given: argparse.Namespace, folder: Path, work: Work) -> Section:
    """The part of the campaign: a fifth of the calls, as each takes the whole way there and back."""
    template = folder / "doors-template.db"
    asyncio.run(migrate(url_of(template)))

    def one(first: int, count: int, seed: str) -> Found:
        return asyncio.run(calls(copies(template, folder / "doors.db"), count, seed))

    count = given.calls // 5
    work.go_on("Calling through Discord", count, A_GAME, given.seed, one)
    lines = (
        f"Two people made {count:,} calls in {work.minutes} minutes to a local server, through the real",
        "client: commands, suggestions, old and new buttons and menus, forms and files.",
        *counted(work.found),
    )
    return Section("Hostile calls through Discord", lines, not work.found.faults)
