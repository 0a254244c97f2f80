"""The page's own storage beside the game's database: its key, seats, messages and requests.

Owns the file `<database>.page`. The game itself is in the database; this file has what Discord would store:
who is who, and the messages of the channel with their buttons. A secret link is made from the key and the
seat's number and is never written down. The file is readable by its owner alone.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from bot.local.seen import AttachedFile, Message, User

MAX_MESSAGES = 300
"""Messages that are kept from one start to the next; older ones are forgotten at the start."""

MAX_ONCE = 5000

_SHAPE = """
create table if not exists facts (name text primary key, value blob not null);
create table if not exists seats (
    id integer primary key, name text not null, display text not null, standing text not null, opener integer not null,
    edition integer not null
);
create table if not exists messages (id integer primary key, channel integer not null, body text not null);
create table if not exists files (
    id integer primary key, message integer not null, name text not null, kind text, description text, data blob not null
);
create table if not exists once (
    number integer primary key, seat integer not null, word text not null, unique (seat, word)
);
"""


ASKING = ("asked", "returning")
"""Standings of people who wait to be let in."""


@dataclass(slots=True)
class Seat:
    """One person at the page. opener: this person opened the table. edition: changes with its link.

    standing: asked, seated, watching, declined (never let in), refused (sent away), withdrawn (left) or
    returning (left, and asks again).
    name: as the local server knows him, empty until it is chosen; display: as others read it.
    """

    id: int
    name: str = ""
    display: str = ""
    standing: str = "asked"
    opener: bool = False
    edition: int = 0

    @property
    def asks(self) -> bool:
        """Return whether this person waits to be let in."""
        return self.standing in ASKING


class Kept:
    """The file. Every change but that of a message is on the disk when the call returns."""

    def __init__(self, path: Path) -> None:
        path.touch(mode=0o600, exist_ok=True)
        for file in (path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))):
            with suppress(OSError):
                os.chmod(file, 0o600)
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("pragma journal_mode=wal")
        self._file.execute("pragma synchronous=normal")
        self._file.executescript(_SHAPE)
        self.key = self._made_once("key", secrets.token_bytes(32))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _made_once(self, name: str, value: bytes) -> bytes:
        self._file.execute("insert or ignore into facts values (?, ?)", (name, value))
        row = self._file.execute("select value from facts where name = ?", (name,)).fetchone()
        return bytes(row[0])

    def seats(self) -> list[Seat]:
        """Return every seat, the oldest first."""
        columns = "id, name, display, standing, opener, edition"
        rows = self._file.execute(f"select {columns} from seats order by id")  # noqa: S608
        return [
            Seat(number, name, display, stands, bool(opener), edition)
            for number, name, display, stands, opener, edition in rows
        ]

    def drop_seat(self, seat: Seat) -> None:
        """Forget a seat."""
        self._file.execute("delete from seats where id = ?", (seat.id,))

    def put_seat(self, seat: Seat) -> None:
        """Write a seat, new or changed."""
        self._file.execute(
            "insert or replace into seats values (?, ?, ?, ?, ?, ?)", tuple(asdict(seat).values())
        )

    def first_time(self, seat: int, word: str) -> bool:
        """Return whether the seat sends this word for the first time, and remember it."""
        inserted = self._file.execute("insert or ignore into once (seat, word) values (?, ?)", (seat, word))
        if inserted.rowcount and inserted.lastrowid and inserted.lastrowid % 500 == 0:
            self._file.execute("delete from once where number <= ?", (inserted.lastrowid - MAX_ONCE,))
        return bool(inserted.rowcount)

    def put_message(self, message: Message) -> None:
        """Store a message as it is now, with its files."""
        body = {
            field.name: getattr(message, field.name)
            for field in fields(message)
            if field.name != "attachments"
        }
        body["author"] = asdict(message.author)
        row = (message.id, message.channel_id, json.dumps(body))
        self._file.execute("insert or replace into messages values (?, ?, ?)", row)
        for attachment in message.attachments:
            columns = (
                attachment.id,
                message.id,
                attachment.filename,
                attachment.content_type,
                attachment.description,
                attachment.data,
            )
            self._file.execute("insert or ignore into files values (?, ?, ?, ?, ?, ?)", columns)

    def drop_message(self, number: int) -> None:
        """Forget a message and its files."""
        self._file.execute("delete from messages where id = ?", (number,))
        self._file.execute("delete from files where message = ?", (number,))

    def messages(self, channel: int, files_at: str) -> Iterator[Message]:
        """Return the latest messages of a channel, oldest first; `files_at` has their files from now on."""
        old_place = self._made_once("files at", files_at.encode()).decode()
        self._file.execute("update facts set value = ? where name = 'files at'", (files_at.encode(),))
        latest = "select id from messages where channel = ? order by id desc limit ?"
        old = f"select id from messages where channel = ? and id not in ({latest})"  # noqa: S608
        for (number,) in self._file.execute(old, (channel, channel, MAX_MESSAGES)).fetchall():
            self.drop_message(number)
        rows = self._file.execute("select id, body from messages where channel = ? order by id", (channel,))
        for number, body in rows.fetchall():
            text = body.replace(old_place, files_at)
            self._file.execute("update messages set body = ? where id = ?", (text, number))
            yield _message(json.loads(text), tuple(self._attached(number, files_at)))

    def _attached(self, message: int, files_at: str) -> Iterator[AttachedFile]:
        rows = self._file.execute(
            "select id, name, kind, description, data from files where message = ? order by id", (message,)
        )
        for number, name, kind, description, data in rows:
            yield AttachedFile(number, name, data, f"{files_at}/{number}/{name}", kind, description)


def _message(body: dict[str, Any], attachments: tuple[AttachedFile, ...]) -> Message:
    body["author"] = User(**body["author"])
    for name in ("embeds", "components", "pings"):
        body[name] = tuple(body[name])
    return Message(**body, attachments=attachments)
