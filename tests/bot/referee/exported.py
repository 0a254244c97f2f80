"""Games of scripts, ended and exported, as the referee is given them."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

from sqlalchemy import select

from bot.app import open_desk
from bot.store.engine import database_url
from bot.store.rows import EncounterRow
from bot.store.schema import scopes
from bot.table.act import Actor
from bot.table.desk import Desk
from bot.table.journal.log import build_document
from bot.table.request import Request
from bot.table.session.encounters import EndEncounter


def exports(file: Path) -> list[bytes]:
    """The export of every encounter in a database, ended by its organiser where it still ran."""
    return asyncio.run(_exports(file))


async def _exports(file: Path) -> list[bytes]:
    copy = file.with_suffix(f".{os.getpid()}.db")
    shutil.copy(file, copy)
    async with open_desk(database_url(str(copy))) as desk:
        async with desk.store._as_reader.connect() as connection:
            rows = await connection.execute(select(scopes.c.id).where(scopes.c.kind == "encounter"))
            numbers = [row[0] for row in rows]
        return [one for number in numbers if (one := await export(desk, number))]


async def export(desk: Desk, number: int) -> bytes:
    """The export of an encounter, ended by its organiser where it still ran."""
    loaded = await desk.store.load(number)
    row = loaded.book().get(EncounterRow) if loaded else None
    if row is None:
        return b""
    if row.status != "ended":
        entries = await desk.store.all_entries(number)
        name = next(entry.actor for entry in entries if entry.actor_id == row.organiser_id)
        actor = Actor(row.organiser_id, name, row.guild_id, row.channel_id)
        ended = await desk.perform(Request(EndEncounter(), actor, 10**15 + number, number))
        assert ended.changed, ended.reply.text
        loaded = await desk.store.load(number)
        row = loaded.book().get(EncounterRow) if loaded else None
    assert loaded is not None
    assert row is not None
    entries = await desk.store.written_entries(number)
    return build_document(row, loaded, entries, await desk.store.meant(entries)).encode()
