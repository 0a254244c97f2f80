"""An evening of two people with numbers as Discord gives them: all that is kept of anybody."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from sqlalchemy import select

from bot.store.book import EMPTY_CHAIN
from bot.store.journal import link
from bot.store.rows import EncounterRow
from bot.store.schema import scopes
from bot.table.campaign.campaigns import CreateCampaign, JoinCampaign
from bot.table.journal.history import Undo
from bot.table.journal.log import build_document
from bot.table.rolling.rolls import Roll
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.models import DamageModel
from tests.bot.tables import Table

ANNA = ("Zwetschke", 312345678901234567)
BO = ("Quastenflosser", 212345678901234567)
"""A number that is less than the other's, so that rows of both do not stand in the order of their aliases."""


async def evening(table: Table) -> None:
    """A game of both, a crew each, a campaign; names typed into names of crews and models."""
    table.ids.update({ANNA[0]: ANNA[1], BO[0]: BO[1]})
    anna, bo = ANNA[0], BO[0]
    await table.done(anna, StartDemo())
    await table.done(bo, JoinEncounter("Edo"))
    await table.done(anna, NextStep())
    await table.done(anna, Roll("4d10"))
    await table.done(anna, DamageModel("Smap", 1))
    await table.done(anna, Roll("2d6"))
    await table.agreed(anna, Undo())
    crew = (await table.done(anna, CreateCrew(f"{anna}'s Wolves"))).scope
    await table.done(anna, RecruitMember(crew, "smap", 2))
    await table.done(anna, RecruitMember(crew, "sally"))
    await table.do(anna, AppointLeader(crew, "Sally"))
    other = (await table.done(bo, CreateCrew("The Fine"))).scope
    await table.done(bo, RecruitMember(other, "smap", 2))
    await table.done(bo, RecruitMember(other, "sally"))
    await table.do(bo, AppointLeader(other, "Sally"))
    campaign = (await table.done(bo, CreateCampaign("The Long War"))).scope
    await table.done(anna, JoinCampaign(campaign, crew))
    await table.done(bo, JoinCampaign(campaign, other))
    await table.done(anna, EndEncounter())


async def exports(table: Table) -> list[bytes]:
    """The export of every game that has ended."""
    store, found = table.desk.store, []
    async with store.reading() as connection:
        query = select(scopes.c.id).where(scopes.c.kind == "encounter").order_by(scopes.c.id)
        numbers = [row[0] for row in await connection.execute(query)]
    for number in numbers:
        loaded = await store.load(number)
        row = loaded.book().get(EncounterRow) if loaded else None
        if loaded is not None and row is not None and row.status == "ended":
            entries = await store.written_entries(number)
            found.append(build_document(row, loaded, entries, await store.meant(entries)).encode())
    return found


async def heads(table: Table) -> list[str]:
    """Return the record code after every entry of the game."""
    chain = [EMPTY_CHAIN]
    for entry in await table.desk.store.written_entries(1):
        chain.append(link(chain[-1], asdict(entry)))
    return chain[1:]


def whole_file(file: Path) -> bytes:
    """The database with what is written ahead of it."""
    ahead = file.with_name(file.name + "-wal")
    return file.read_bytes() + (ahead.read_bytes() if ahead.exists() else b"")
