"""A table without Discord: actions in, answers out, and what the database holds byte for byte."""

from __future__ import annotations

import itertools
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy.engine import URL

from bot.actions import Action, with_text
from bot.app import open_desk
from bot.ids import Tag, pack, unpack
from bot.replies.reply import Button, Reply, say
from bot.store.book import Loaded
from bot.store.engine import database_url
from bot.store.rows import LASTING, AskRow, PendingRow
from bot.store.schema import STATE
from bot.table.act import Actor
from bot.table.desk import Desk
from bot.table.encounter import SETUP, Encounter
from bot.table.reaction_windows import GoOn, window_of
from bot.table.realdice import EnterFaces, list_entered_faces
from bot.table.request import Answer, Request
from bot.table.session.encounters import NextStep, Ready
from bot.table.waits import unready
from rules.sections import RULE_ID
from tests.engines import at_once
from tests.postgres import connected

GUILD, CHANNEL = 900, 500

BARE_RULE = re.compile(rf" {RULE_ID.pattern}\.?$")
"""A rule without its section at the end of a line: machinery that no message shows."""

OF_PLAY = [name for name in STATE if name not in LASTING]
"""The tables that hold the state of play."""

ELSEWHERE = ".url"
"""How the name of a file ends that is no database but holds the URL of one."""


def seeds(first: int = 1) -> Iterator[bytes]:
    return (number.to_bytes(32, "big") for number in itertools.count(first))


def contents(file: Path, *tables: str) -> dict[str, list[tuple[object, ...]]]:
    """All rows of the tables that hold the state of play, as the database holds them."""
    wanted = tables or OF_PLAY
    if file.suffix == ELSEWHERE:
        with connected(url_of(file)) as connection:
            return _rows_elsewhere(connection, wanted)
    with closing(sqlite3.connect(file)) as connection:
        return _rows(connection, wanted)


def _rows(connection: sqlite3.Connection, tables: Sequence[str]) -> dict[str, list[tuple[object, ...]]]:
    return {
        table: sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in tables
    }


def _rows_elsewhere(connection: Any, tables: Sequence[str]) -> dict[str, list[tuple[object, ...]]]:
    found = {}
    cursor = connection.execute("; ".join(f"SELECT * FROM {table}" for table in tables))
    for table in tables:
        found[table] = sorted(cursor.fetchall(), key=repr)
        cursor.nextset()
    return found


class Watching(Protocol):
    """What a database holds, read anew only after something was written, on a connection of its own."""

    def contents(self) -> dict[str, list[tuple[object, ...]]]:
        """All rows that hold the state of play; the same dictionary as long as nobody writes."""
        ...

    def close(self) -> None: ...


class WatchingServer:
    """A database of a server: which transactions are seen tells whether another was made."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._opened: Any = None
        self._seen: object = None
        self._contents: dict[str, list[tuple[object, ...]]] = {}

    def contents(self) -> dict[str, list[tuple[object, ...]]]:
        seen = self._snapshot()
        if seen != self._seen:
            self._seen, self._contents = seen, _rows_elsewhere(self._opened, OF_PLAY)
        return self._contents

    def _snapshot(self) -> object:
        """On another connection where that of before was cut; tests do that, and end the server too."""
        from psycopg import OperationalError

        query = "SELECT pg_current_snapshot()::text"
        with suppress(OperationalError):
            if self._opened:
                return self._opened.execute(query).fetchone()
        self.close()
        self._opened, self._seen = connected(url_of(self._file)), None
        return self._opened.execute(query).fetchone()

    def close(self) -> None:
        if self._opened:
            self._opened.close()


class WatchingFile:
    """An SQLite file, which counts what others write."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._opened: sqlite3.Connection | None = None
        self._seen: object = None
        self._number = 0
        self._contents: dict[str, list[tuple[object, ...]]] = {}

    def contents(self) -> dict[str, list[tuple[object, ...]]]:
        connection = self._connection()
        seen = connection.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self._seen, self._contents = seen, _rows(connection, OF_PLAY)
        return self._contents

    def _connection(self) -> sqlite3.Connection:
        """To the file that is there now: a test may have put another in its place."""
        number = self._file.stat().st_ino
        if number != self._number or self._opened is None:
            self.close()
            self._opened, self._number, self._seen = sqlite3.connect(self._file), number, None
        return self._opened

    def close(self) -> None:
        if self._opened:
            self._opened.close()


@dataclass
class Table:
    """One desk and the people at it."""

    desk: Desk
    file: Path
    channel: int = CHANNEL
    ids: dict[str, int] = field(default_factory=dict)
    interactions: Iterator[int] = field(default_factory=lambda: itertools.count(10_001))
    watching: Watching | None = None

    def actor(self, name: str, *, manages: bool = False, guild: int = GUILD, channel: int = 0) -> Actor:
        user = self.ids.setdefault(name, 100 + len(self.ids))
        return Actor(user, name, guild, channel or self.channel, manages)

    async def do(
        self,
        who: str | Actor,
        action: Action,
        *,
        scope: int = 0,
        version: int = -1,
        reason: str = "",
        interaction: int = 0,
    ) -> Answer:
        actor = self.actor(who) if isinstance(who, str) else who
        if action == NextStep():
            await self.everybody_ready(actor)
        number = interaction or next(self.interactions)
        answer = await self.desk.perform(Request(action, actor, number, scope, version, reason))
        bare = [line for line in answer.reply.lines if BARE_RULE.search(line)]
        assert not bare, f"ids of rules belong in Why: {bare}"
        return answer

    async def everybody_ready(self, but: Actor) -> None:
        """All others who play say that they are ready, where the game that runs here has not begun."""
        scope = await self.desk.store.running_encounter(but.channel_id)
        loaded = await self.desk.store.load(scope) if scope else None
        if loaded is None:
            return
        encounter = Encounter(loaded.book())
        for side in unready(encounter) if encounter.row.status == SETUP else ():
            seat = encounter.players(side.id)[0]
            if seat.user_id != but.user_id:
                ready = Request(
                    Ready(), replace(but, user_id=seat.user_id, name=seat.name), next(self.interactions)
                )
                await self.desk.perform(ready)

    async def enter(self, who: str, faces: Sequence[int]) -> Answer:
        """Enter faces in the order thrown, each throw by the person whose dice they are; who: if that is told
        nowhere.
        """
        left = list(faces)
        while True:
            rows = (await self.loaded()).book().all(PendingRow)
            pending = next(
                (row for row in rows if row.user_id == self.actor(who).user_id), next(iter(rows), None)
            )
            if pending is None or len(left) < 2:
                owner = pending.thrower if pending is not None else ""
                return await self.do(owner or who, EnterFaces(tuple(left)))
            asked = int(pending.wanted.split()[0]) + pending.told - len(list_entered_faces(pending))
            now, left = left[:asked], left[asked:]
            answer = await self.do(pending.thrower or who, EnterFaces(tuple(now), pending.id))
            if not left or not answer.changed:
                return answer

    async def done(self, who: str | Actor, action: Action, **more: object) -> Answer:
        answer = await self.do(who, action, **more)  # type: ignore[arg-type]
        assert answer.changed, answer.reply.text
        return answer

    async def agreed(self, who: str | Actor, action: Action, **more: object) -> Answer:
        """Undo or redo; whoever is asked for it agrees. Done at once where nobody is."""
        answer = await self.done(who, action, **more)  # type: ignore[arg-type]
        while any(button.label == "Agree" for button in answer.reply.buttons):
            agree = next(button for button in answer.reply.buttons if button.label == "Agree")
            for name in await self._asked():
                answer = await self.done(name, agree.action, scope=answer.scope)
        return answer

    async def _asked(self) -> list[str]:
        """Who has to agree to what was asked last."""
        rows = (await self.encounter()).book.all(AskRow)
        last = max(rows, key=lambda row: row.entry)
        names = {number: name for name, number in self.ids.items()}
        return [names[int(one)] for one in last.of.split()]

    async def refused(self, who: str | Actor, action: Action, **more: object) -> str:
        before = self.state()
        answer = await self.do(who, action, **more)  # type: ignore[arg-type]
        assert not answer.changed
        assert answer.reply.private
        assert self.state() == before
        return answer.reply.text

    async def go_on(self, who: str) -> Answer:
        """Go on with what waits for a reaction, as whoever waits may once the time is over."""
        window = window_of(await self.encounter())
        assert window is not None
        return await self.do(who, GoOn(window.entry))

    async def press(self, who: str | Actor, answer: Answer, label: str, *, reason: str = "") -> Answer:
        """Press a button of an answer: its action goes through an id, as it would on Discord.

        label: may leave out a note in brackets.
        """
        button = next(
            one for one in answer.reply.buttons if label in (one.label, one.label.partition(" (")[0])
        )
        version = -1 if button.anytime else answer.version
        tag = unpack(pack(Tag(button.action, answer.scope, version)))
        return await self.do(who, tag.action, scope=tag.scope, version=tag.version, reason=reason)

    async def shown(self, *buttons: Button) -> Answer:
        """The running game with these buttons below it, as the panel shows it now."""
        loaded = await self.loaded()
        return Answer(say("The panel.", buttons=buttons), loaded.scope.id, loaded.scope.version)

    async def choose(self, who: str | Actor, answer: Answer, *values: str) -> Answer:
        """Choose in the first menu of an answer."""
        menu = answer.reply.menus[0]
        version = -1 if menu.anytime else answer.version
        tag = unpack(pack(Tag(menu.action, answer.scope, version, menu.fills)))
        action = with_text(tag.action, {tag.part: values})
        return await self.do(who, action, scope=tag.scope, version=tag.version)

    def state(self) -> dict[str, list[tuple[object, ...]]]:
        return self.watching.contents() if self.watching else contents(self.file)

    async def loaded(self) -> Loaded:
        scope = await self.desk.store.running_encounter(self.channel)
        loaded = await self.desk.store.load(scope)
        assert loaded is not None
        return loaded

    async def encounter(self) -> Encounter:
        return Encounter((await self.loaded()).book())


@asynccontextmanager
async def opened(file: Path, first_seed: int = 1, *, crowded: bool = False) -> AsyncIterator[Table]:
    """A table on a database file that has the tables already. The clock stands still.

    crowded: several act at once, so that some wait for the disk while others go on, as in the bot.
    """
    source = seeds(first_seed)
    async with AsyncExitStack() as stack:
        with nullcontext() if crowded else at_once():
            opening = open_desk(url_of(file), lambda: next(source), lambda: 1_700_000_000_000)
            desk = await stack.enter_async_context(opening)
        watching = WatchingServer(file) if file.suffix == ELSEWHERE else WatchingFile(file)
        stack.enter_context(closing(watching))
        yield Table(desk, file, watching=watching)


def url_of(file: Path) -> URL:
    return database_url(file.read_text() if file.suffix == ELSEWHERE else str(file))


def all_lines(reply: Reply) -> list[str]:
    return [*reply.lines, *reply.why, *(line for further in reply.also for line in all_lines(further))]


def waits(answer: Answer) -> bool:
    """Whether an answer asks for the faces of real dice."""
    return any(isinstance(button.action, EnterFaces) for button in answer.reply.buttons)
