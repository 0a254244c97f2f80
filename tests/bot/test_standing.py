"""Statements that are given to the driver as text find and write just what they find and write otherwise."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from sqlalchemy import Connection, Select, Update, bindparam, select

from bot.store import game_search, reads, writes
from bot.store.people import _NAMES, _PEOPLE
from bot.store.rows import ROWS, layout
from bot.store.schema import STATE, names, people, scopes
from bot.store.standing import among, find, find_among
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rolling.rolls import Roll
from bot.table.rosters.crews import CreateCrew
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from tests.bot.tables import CHANNEL, GUILD, Table

pytestmark = pytest.mark.both_databases

HIGHEST = 2**63 - 1


async def seen(table: Table, work: Any) -> Any:
    """What is read of a game, a crew and a campaign of people with numbers like Discord's."""
    table.ids.update(anna=10**17, bo=10**17 + 1)
    await table.done("anna", StartDemo())
    await table.done("bo", JoinEncounter("Edo"))
    await table.done("anna", NextStep())
    await table.done("anna", Roll("2d6"))
    await table.done("anna", Undo())
    await table.done("anna", DiceMode("real"))
    await table.do("anna", Roll("2d6"))
    await table.done("anna", CreateCrew("Foxes"))
    await table.done("anna", CreateCampaign("Rust", "counterblast", start=100))
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


async def test_each_query_of_this_program_finds_alike(table: Table) -> None:
    """Each is given all that one may be given; all but five find something at this table."""
    given = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": 10**17, "system": "counterblast"}
    given |= {"crew": 2, "interaction": 10_001, "scope": 1, "seq": 1, "first": 0, "kind": "encounter"}
    given |= {"most": 5, "parent": 1, "before": 3, "count": 2, "touched": ",1,", "one": ",4,"}
    queries = {name: one for name, one in vars(reads).items() if isinstance(one, Select)}
    for of_a_kind in (True, False):
        queries[f"last in channel {of_a_kind}"] = reads.last_in_channel(("crew",), of_a_kind=of_a_kind)
    for before, of_model, minor in itertools.product((True, False), repeat=3):
        latest = reads.latest(before=before, of_model=of_model, minor=minor)
        queries[f"latest {before} {of_model} {minor}"] = latest
    queries["last of kinds"] = reads.last_of_kind(("undo", "redo"))
    queries["minor entries"] = reads.minor_entries(("roll", "demo"))
    queries |= {"games with": game_search._games_with(), "game at": game_search._game_at()}

    def both(connection: Connection) -> dict[str, tuple[Any, Any]]:
        return {
            name: (find(connection, query, given), [tuple(row) for row in connection.execute(query, given)])
            for name, query in queries.items()
        }

    found = await seen(table, both)
    for name, (mine, usual) in found.items():
        assert repr(mine) == repr(usual), name
    empty = {name for name, (mine, _) in found.items() if not mine}
    assert empty == {"LIBRARY", "CAMPAIGNS_OF_A_CREW", "CHANNEL_SCOPE", "PANEL", "WAITING_ROLL"}


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


def set_by(statement: Update) -> set[str]:
    """The columns that a statement sets."""
    clause = str(statement.compile()).partition(" SET ")[2].partition(" WHERE ")[0]
    return set(re.findall(r"(\w+)\"?=", clause))


def test_what_changes_in_a_row_is_written_without_what_indexes_hold() -> None:
    """A column that is set is written into its indexes anew, even where it stays as it is."""
    for name, statement in writes._UPDATE.items():
        assert set_by(statement) == {*layout(name).names} - {*ROWS[name].key_fields}
    held = {column.name for index in scopes.indexes for column in index.columns}
    assert held.isdisjoint(set_by(writes._MOVE_ON))
    assert set_by(writes._MOVE_AWAY) - set_by(writes._MOVE_ON) == held & {"channel_id", "guild_id"}
