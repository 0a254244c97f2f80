"""A crew written in any form and brought again is the same crew, in every game."""

from __future__ import annotations

import pytest

from bot.app import ALL_GAMES
from bot.lists.reader import read_file
from bot.store.rows import CrewRow, MemberRow
from bot.table.bringing.list_export import ARMY, TITLES, ExportCrew
from bot.table.bringing.list_import import KeepList, usual_block
from bot.table.game import Outfits, game
from bot.table.rosters.crews import AppointLeader, CreateCrew, ImportCrew, RecruitMember
from bot.table.rosters.printing import CSV, JSON, TEXT, PrintCrew
from tests.bot.tables import Table

GAMES = [one.key for one in ALL_GAMES]
FORMS = [form for form in TITLES if form != ARMY]
OWN = {
    "counterblast": "Grak\nlackey beast, base M, 20 points\nMv 6, STR 3D+1, AGL 2D, INT 1D\nDef 8, Life 2\n"
    "weapons: Claws (natural, melee, reach 1, Pwr 5)",
}


def own_block(system: str) -> str:
    played = game(system)
    cheapest = min(played.recruits(), key=lambda one: one.points)
    return OWN.get(system) or usual_block(played).replace(cheapest.name, "Grak")


async def made(table: Table, system: str) -> int:
    """Anna's crew: several of a kind, one with a name of its own, one of her own figures, a leader."""
    played = game(system)
    first, second, third = (one.name for one in played.recruits()[:3])
    crew = (await table.done("anna", CreateCrew("Red Foxes", system))).scope
    for action in (
        RecruitMember(crew, second, 2),
        RecruitMember(crew, first, called="Old (Grey) Ann"),
        RecruitMember(crew, second),
        RecruitMember(crew, third),
        RecruitMember(crew, own_block(system), called="Grak"),
    ):
        await table.done("anna", action)
    if isinstance(played, Outfits):
        await table.done("anna", RecruitMember(crew, "Sally Starfield"))
        await table.done("anna", RecruitMember(crew, "Skip Westmoreland", equipment="Grenade"))
        await table.do("anna", AppointLeader(crew, "Sally Starfield"))
    else:
        await table.do("anna", AppointLeader(crew, third))
    return crew


async def members(table: Table, crew: int) -> list[tuple[str, str, int, bool, str]]:
    loaded = await table.desk.store.load(crew)
    assert loaded is not None
    rows = loaded.book().all(MemberRow)
    return [(one.name, one.profile, one.points, one.leader, one.note) for one in rows]


async def brought(table: Table, data: bytes, name: str = "") -> int:
    """Bring a file, and keep the crew as it was understood."""
    shown = await table.done("anna", ImportCrew(file=read_file(data).to_json(), name=name))
    return (await table.done("anna", KeepList(shown.scope))).scope


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("system", GAMES)
async def test_a_crew_that_is_written_and_brought_again_is_the_same(
    table: Table, system: str, form: str
) -> None:
    crew = await made(table, system)
    reply = (await table.do("anna", ExportCrew(crew, form))).reply
    assert reply.files[0].words == f"Red Foxes: {TITLES[form]}"
    again = await brought(table, reply.files[0].data)
    assert await members(table, again) == await members(table, crew)
    loaded = await table.desk.store.load(again)
    row = loaded.book().get(CrewRow) if loaded else None
    assert row is not None
    name = "anna's crew" if form == "csv" else "Red Foxes 2"  # a table has no title
    assert (row.system, row.name, row.status) == (system, name, "kept")


async def test_an_army_list_of_infinity_comes_back_the_same(table: Table) -> None:
    crew = await made(table, "infinity")
    written = (await table.do("anna", ExportCrew(crew, ARMY))).reply.files[0].data
    assert await members(table, await brought(table, written)) == await members(table, crew)


async def test_other_games_have_no_army_list(table: Table) -> None:
    crew = await made(table, "warzone")
    assert "Only Infinity" in await table.refused("anna", ExportCrew(crew, ARMY))


@pytest.mark.parametrize("form", [TEXT, JSON, CSV])
@pytest.mark.parametrize("system", GAMES)
async def test_a_battle_sheet_is_taken_in_as_the_crew_that_it_shows(
    table: Table, system: str, form: str
) -> None:
    crew = await made(table, system)
    written = (await table.do("anna", PrintCrew(crew, form))).reply.files[0].data
    again = await members(table, await brought(table, written))
    assert sorted(again) == sorted(await members(table, crew)), "the leader stands first on a sheet"


async def test_a_battle_sheet_of_an_earlier_version_is_taken_in(table: Table) -> None:
    crew = await made(table, "soluna")
    written = (await table.do("anna", PrintCrew(crew, TEXT))).reply.files[0].data
    earlier = written.replace(b"\nBoxes to tick: ", b"\nTo tick: ")
    assert earlier != written
    assert sorted(await members(table, await brought(table, earlier))) == sorted(await members(table, crew))
