"""Statements that are given to the driver as text find and write just what they find and write otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, bindparam, select

from bot.store.people import _NAMES, _PEOPLE
from bot.store.schema import STATE, names, people, scopes
from bot.store.standing import among, find, find_among
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.rosters.crews import CreateCrew
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from tests.bot.tables import Table

pytestmark = pytest.mark.both_databases

HIGHEST = 2**63 - 1


async def seen(table: Table, work: Any) -> Any:
    """What is read of a game, a crew and a campaign of people with numbers like Discord's."""
    table.ids.update(anna=10**17, bo=10**17 + 1)
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("anna", CreateCrew("Foxes"))
    await table.done("anna", CreateCampaign("Rust", "counterblast"))
    return await table.desk.store._reader.quickly(work)


async def test_rows_are_found_alike_with_values_of_the_same_types(table: Table) -> None:
    queries = [
        select(one).where(one.c[next(iter(one.c)).name] < bindparam("most"))
        for one in (*STATE.values(), scopes)
    ]

    def both(connection: Connection) -> list[tuple[Any, Any]]:
        given = {"most": HIGHEST}
        return [
            (find(connection, query, given), [tuple(row) for row in connection.execute(query, given)])
            for query in queries
        ]

    found = await seen(table, both)
    for mine, usual in found:
        assert repr(mine) == repr(usual)
    values = [value for mine, _ in found for row in mine for value in row]
    assert {bool, int, str} <= {type(value) for value in values}


async def test_people_and_names_are_found_among_others(table: Table) -> None:
    def both(connection: Connection) -> list[tuple[Any, Any]]:
        aliases = [*connection.execute(select(people.c.alias)).scalars(), HIGHEST]
        tokens = [*connection.execute(select(names.c.token)).scalars(), "nobody's"]
        return [
            (
                find_among(connection, pair, values),
                [tuple(row) for row in connection.execute(among(pair, values))],
            )
            for pair, values in ((_PEOPLE, aliases), (_PEOPLE, []), (_NAMES, tokens), (_NAMES, []))
        ]

    found = await seen(table, both)
    for mine, usual in found:
        assert sorted(mine) == sorted(usual)
    assert [bool(mine) for mine, _ in found] == [True, False, True, False]
