"""Seats of the table in a browser are given to accounts on Discord, and back, on one database."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bot.app import open_desk
from bot.local.interactions import UNHURRIED
from bot.local.people import Person
from bot.local.seen import Message
from bot.local.server import LocalServer
from bot.store.doctor import examine
from bot.store.rows import EncounterRow
from bot.table.journal.log import build_document
from bot.table.referee.game_replay import referee
from tests.bot.house import House
from tests.bot.tables import url_of
from tests.page.room import Elements, Phone, Room, room

CODE = re.compile(r"[A-Z2-9]{4}(?:-[A-Z2-9]{4}){3}")


class Club(House):
    """A house whose bot goes by the same clock as the table in a browser."""

    async def start(self) -> None:
        self._stack = AsyncExitStack()
        self.desk = await self._stack.enter_async_context(open_desk(url_of(self.file)))
        await self.connect()


@asynccontextmanager
async def club(file: Path) -> AsyncIterator[Club]:
    """A server of Discord with accounts of its own: Ada, Ben and Cleo, and the channel #hall."""
    async with LocalServer(guild_name="The Club", channels=("hall",), answer_seconds=UNHURRIED) as server:
        house = Club(server, file, server.person("ada", "Ada"), server.person("ben", "Ben"))
        server.person("cleo", "Cleo")
        with server.client_settings():
            await house.start()
            try:
                yield house
            finally:
                await house.stop()


def code_in(text: str) -> str:
    found = CODE.findall(text)
    assert found, text
    return str(found[-1])


async def shown(phone: Phone) -> str:
    await phone.say("/encounter seat")
    await phone.press("Show a code")
    return code_in(await phone.page())


async def code_of(house: House, who: Person) -> str:
    told = await house.press(await house.slash("encounter seat", who), "Show a code", who)
    assert told.ephemeral
    return code_in(told.content)


async def entered(house: House, who: Person, code: str) -> Message:
    return await house.slash("encounter seat", who, code=code)


async def brought(house: House, code: str) -> Message:
    """The organiser's code, entered by Ada; the game comes."""
    return await house.press(await entered(house, house.anna, code), "Bring the game here")


async def exported(file: Path) -> bytes:
    """The journal of the ended game, as a file whoever asks is given."""
    async with open_desk(url_of(file)) as desk:
        loaded = await desk.store.load(1)
        assert loaded is not None
        row = loaded.book().get(EncounterRow)
        assert row is not None
        entries = await desk.store.written_entries(1)
        return build_document(row, loaded, entries, await desk.store.meant(entries)).encode()


async def begun(opened: Room) -> tuple[Phone, Phone]:
    """Anna and Bo at the page, in turn 1 of the demonstration."""
    anna = await opened.opener()
    bo = await opened.join("Bo")
    await anna.say("/demo")
    await bo.say("/encounter join side:Edo")
    await bo.press("Ready")
    await anna.press("Begin")
    await anna.press("Begin anyway")
    await opened.rest()
    return anna, bo


def words(page: str) -> str:
    return "\n".join(text for tag in ("p", "pre", "h2", "article") for _, text in Elements(page).all(tag))


async def test_a_game_goes_from_the_page_to_discord_and_back_and_its_export_holds(file: Path) -> None:
    async with room(file) as opened:
        anna, bo = await begun(opened)
        await anna.say("/encounter status")
        first, second = await shown(anna), await shown(bo)
        assert first not in await bo.page()
    async with club(file) as house:
        early = await entered(house, house.bo, second)
        assert early.content.startswith(
            "The organiser has to move Counterblast here first, "
            "with a code for the organiser's own seat. Your code stays valid"
        )
        told = await brought(house, first)
        assert told.content.startswith("Ada is now playing in Anna's seat.\nCounterblast continues here.")
        assert not told.ephemeral
        assert (await entered(house, house.bo, second)).content.startswith("Ben is now playing in Bo's seat.")
        await house.restart()
        drawn = await house.slash("bag draw")
        assert "draws" in drawn.content
        assert "Undone" in (await house.slash("undo")).content
        assert "Redone" in (await house.slash("redo")).content
        assert not (await examine(url_of(file))).faults
        panel = await house.panel()
        assert panel.channel_id == house.anna.here
        mine, other = await code_of(house, house.anna), await code_of(house, house.bo)
    async with room(file) as opened:
        phones = [
            Phone(opened.session, f"{opened.url}/s/{opened.table.seats.link(seat)}/", opened.idle)
            for seat in opened.table.seats.all()
        ]
        anna, bo = phones
        await anna.page()
        await bo.page()
        await anna.say(f"/encounter seat code:{mine}")
        await anna.press("Bring the game here")
        await bo.say(f"/encounter seat code:{other}")
        text = await anna.page()
        assert "Anna is back in their own seat." in text
        assert "Bo is back in their own seat." in text
        await anna.say("/encounter end")
        await anna.press("End the game")
        await opened.rest()
        whole = await exported(file)
    verdict = await referee(whole)
    assert verdict.refereed == len(json.loads(whole)["entries"])
    assert not verdict.undecided
    assert not (await examine(url_of(file))).faults
