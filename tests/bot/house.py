"""The whole bot on a local server: the real client, a real database, and people who type and press."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import tests.worked_out  # noqa: F401
from bot.app import make_client
from bot.client import Adjutant
from bot.config import Config
from bot.local.clock import HOME
from bot.local.interactions import UNHURRIED
from bot.local.outcomes import InteractionOutcome
from bot.local.people import Person
from bot.local.seen import EventKind, Json, Message, Modal
from bot.local.server import LocalServer
from bot.table.act import Actor
from bot.table.desk import Desk
from bot.table.encounter import Encounter
from bot.table.request import Request
from bot.table.session.encounters import Ready
from bot.table.waits import unready
from tests.bot.tables import opened
from tests.bot.typist import unweighed
from tests.ready import until_ready

READY_IDS = itertools.count(1_000)
"""Interactions by which people say that they are ready."""

WRITTEN: dict[str, Any] = {}
READ: list[Json] = []


def written(client: Adjutant) -> dict[str, Any]:
    """All commands as Discord is told of them, written down once for all bots of a run."""
    if not WRITTEN:
        WRITTEN.update(client.commands._all())
        READ.extend(json.loads(json.dumps([*WRITTEN.values()])))
    return dict(WRITTEN)


def read(message: Message) -> Message:
    """A message with its words as the eye reads them."""
    return replace(message, content=unweighed(message.text))


async def told_at_every_door(
    house: House, shown: InteractionOutcome, form: Modal, label: str = "Start a game"
) -> set[str]:
    """The first lines of what a press, a form handed in, a line, a command and a look are answered."""
    asked = [
        await house.anna.press(shown, label),
        await house.anna.submit(form, {}),
        await house.anna.slash("do", {"line": "shoot Trapper 7"}),
        await house.anna.slash("model damage", {"model": "Smap"}),
        await house.anna.slash("log", {}),
    ]
    return {read(await one.message()).content.split("\n")[0] for one in asked}


@dataclass
class House:
    """A server that outlives its bot: `restart` ends the bot and starts another on the same database."""

    server: LocalServer
    file: Path
    anna: Person
    bo: Person
    options: dict[str, Any] = field(default_factory=dict)
    config: Config = field(default_factory=Config)

    desk: Desk = field(init=False)
    client: Adjutant = field(init=False)
    _stack: AsyncExitStack = field(init=False)

    @classmethod
    @asynccontextmanager
    async def open(
        cls, file: Path, guild: str = HOME, *, answer_seconds: float = UNHURRIED, **more: Any
    ) -> AsyncIterator[Self]:
        """answer_seconds: Discord's own where a test is about them; else nobody hurries on a slow machine."""
        async with LocalServer(guild_name=guild, answer_seconds=answer_seconds) as server:
            anna = server.person("anna", "Anna", admin=True)
            house = cls(server, file, anna, server.person("bo", "Bo"), **more)
            with server.client_settings():
                await house.start()
                try:
                    yield house
                finally:
                    await house.stop()

    async def start(self) -> None:
        self._stack = AsyncExitStack()
        table = await self._stack.enter_async_context(opened(self.file))
        self.desk = table.desk
        await self.connect()

    async def connect(self) -> None:
        settings = {"pause": 0.0, "everything": True, "guild_ready_timeout": 0.0, **self.options}
        self.client = make_client(self.desk, self.config, **settings)
        if "everything" not in self.options:
            self.client.commands._payloads = written(self.client)
            self.client.commands._register_for_all = self._registered  # type: ignore[method-assign]
        running = asyncio.create_task(self.client.start(self.server.token))
        self._stack.push_async_callback(self._end, running)
        await until_ready(self.client, running)

    async def _registered(self) -> None:
        """All commands are there, without half a megabyte being sent there and back.

        Who looks at what is sent says in the options whether everything is registered.
        """
        taken = self.server.registry.overwrite(None, READ)
        self.client.commands._common_ids = {one["name"]: int(one["id"]) for one in taken}

    async def _end(self, running: asyncio.Task[None]) -> None:
        await self.client.close()
        with suppress(asyncio.CancelledError):
            await running

    async def stop(self) -> None:
        await self._stack.aclose()

    async def restart(self) -> None:
        await self.stop()
        await self.start()

    async def slash(self, path: str, who: Person | None = None, **options: Any) -> Message:
        return await self._shown(await self.typed(path, who, options))

    async def _shown(self, outcome: InteractionOutcome) -> Message:
        """What an interaction shows: a message of its own, else the card of the game."""
        if (await outcome.acknowledged()).kind is EventKind.ACKNOWLEDGED:
            await self.quiet()
            if len(outcome.events) == 1:
                return await self.panel()
        event = await outcome.answer()
        if event.message is None:
            return await self.panel()
        if event.message.ephemeral or event.kind is EventKind.MESSAGE:
            return read(event.message)
        return await self.panel()

    async def typed(
        self, path: str, who: Person | None = None, options: Mapping[str, Any] | None = None, **more: Any
    ) -> InteractionOutcome:
        return await (who or self.anna).slash(path, dict(options or {}), **more)

    async def press(self, message: Message, label: str, who: Person | None = None, **more: Any) -> Message:
        return await self._shown(await (who or self.anna).press(message, label, **more))

    async def submit(
        self, form: Modal, values: Mapping[str, Any] | None = None, who: Person | None = None
    ) -> Message:
        return await self._shown(await (who or self.anna).submit(form, values))

    async def begin(self, message: Message, who: Person | None = None) -> Message:
        """Press Begin, and that no mission is wanted where that is asked; all others who play are ready."""
        message = await self.everybody_ready(message, who or self.anna)
        shown = await self.press(message, "Begin", who)
        return await self.press(shown, "Begin anyway", who) if shown.ephemeral else shown

    async def everybody_ready(self, message: Message, but: Person) -> Message:
        """All others who play say that they are ready; the panel then, if it has Begin only now."""
        scope = await self.desk.store.running_encounter(but.here)
        loaded = await self.desk.store.load(scope) if scope else None
        encounter = Encounter(loaded.book()) if loaded is not None else None
        for side in unready(encounter) if encounter is not None else ():
            assert encounter is not None
            seat = encounter.players(side.id)[0]
            if seat.user_id != but.id:
                other = Actor(seat.user_id, seat.name, encounter.row.guild_id, but.here)
                await self.desk.perform(Request(Ready(), other, next(READY_IDS)))
                self.client.panels.changed(scope, quietly=True)
        return message if "Begin" in [one.label for one in message.controls] else await self.panel()

    async def panel(self) -> Message:
        """The card of the game as it stands, once everything due was shown."""
        await self.quiet()
        store = self.desk.store
        running = await store.running_encounter(self.anna.here)
        scopes = [running] if running else range(20, 0, -1)
        stands = next(filter(None, [await store.panel(scope) for scope in scopes]))
        return read(self.server.world.channels[stands[0]].messages[stands[1]])

    async def quiet(self) -> None:
        """Wait until nobody answers any more and all that is open is shown as it is now."""
        while self.client.under_way:
            await asyncio.gather(*self.client.under_way, return_exceptions=True)
        await self.client.settle()

    @property
    def public(self) -> list[Message]:
        """What everybody sees in the channel, oldest first."""
        channel = self.server.world.channels[self.anna.here]
        return [read(message) for message in channel.messages.values() if not message.ephemeral]
