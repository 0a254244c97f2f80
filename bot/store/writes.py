"""How the rows of a scope are written, inside the transaction of their commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, Table, Update, and_, bindparam, delete, func, insert, select, update

from bot.store.book import Change, Scope, UndoneDice
from bot.store.errors import Stale
from bot.store.journal import sealed
from bot.store.people import HOW_OFTEN_FORGOTTEN
from bot.store.rows import ROWS, layout
from bot.store.schema import STATE, journal, scopes, undone


def sort_dice(connection: Connection, scope: int, dice: UndoneDice) -> int:
    """Store the list of undone entries and return how many of them are open."""
    forgotten = [{"the_scope": scope, "the_seq": seq} for seq in dice.forget]
    sorted_anew = [
        {"the_scope": scope, "the_seq": seq, "is_open": is_open}
        for seqs, is_open in ((dice.spend, False), (dice.reopen, True))
        for seq in seqs
    ]
    added = [{"scope": scope, "seq": seq, "action_key": key, "open": opened} for seq, key, opened in dice.add]
    for statement, rows in ((_FORGET_DICE, forgotten), (_SORT_DICE, sorted_anew), (_ADD_DICE, added)):
        if rows:
            connection.execute(statement, rows)
    return connection.execute(_OPEN_DICE, {"the_scope": scope}).scalar_one()


def move(connection: Connection, scope: Scope, old: Scope, known_as_of: int | None = None) -> None:
    """Advance the scope to its new version. Raises Stale if it is not at the old one.

    known_as_of: see `People.as_of`, where others take people out too; Stale where that was done since.
    Where it is played is set where that changes, since indexes hold it.
    """
    row = {
        "the_scope": scope.id,
        "old_version": old.version,
        "version": scope.version,
        "tip": scope.tip,
        "rolls": scope.rolls,
        "open_dice": scope.open_dice,
        "chain": scope.chain,
        "moved": scope.moved,
        "shown": scope.shown,
    }
    place = {"channel_id": scope.channel_id, "guild_id": scope.guild_id}
    stays = (scope.channel_id, scope.guild_id) == (old.channel_id, old.guild_id)
    statement = _MOVE_ON if stays else _MOVE_AWAY
    if known_as_of is not None:
        statement, row = _among_the_same(statement), row | {"known_as_of": known_as_of}
    if connection.execute(statement, row if stays else row | place).rowcount != 1:
        raise Stale


@cache
def _among_the_same(statement: Update) -> Update:
    return statement.where(HOW_OFTEN_FORGOTTEN.scalar_subquery() == bindparam("known_as_of"))


def seal_anew(connection: Connection, scope: Scope) -> None:
    """Seal the entries of a scope for the server in which it is now."""
    query = select(journal).where(journal.c.scope == scope.id)
    for entry in connection.execute(query).mappings().all():
        seal = sealed(dict(entry), scope.kind, scope.guild_id)
        connection.execute(update(journal).where(journal.c.id == entry["id"]).values(seal=seal))


def write_rows(connection: Connection, changes: Sequence[Change]) -> None:
    """Delete, insert and update the rows of a commit, table by table."""
    by_table: dict[str, list[Change]] = {}
    for change in changes:
        by_table.setdefault(change.table, []).append(change)
    for table, table_changes in by_table.items():
        names = layout(table).names
        keys = ROWS[table].key_fields
        gone = [
            {f"key_{name}": part for name, part in zip(keys, change.key, strict=True)}
            for change in table_changes
            if change.after is None
        ]
        came = [
            dict(zip(names, change.after, strict=True))
            for change in table_changes
            if change.after is not None and change.before is None
        ]
        besides = _besides_key(table)
        became = [
            {f"new_{name}": change.after[place] for place, name in besides}
            | {f"key_{name}": part for name, part in zip(keys, change.key, strict=True)}
            for change in table_changes
            if change.after is not None and change.before is not None
        ]
        for statement, rows in ((_DELETE[table], gone), (_INSERT[table], came), (_UPDATE[table], became)):
            if rows:
                connection.execute(statement, rows)


@cache
def _besides_key(table: str) -> Sequence[tuple[int, str]]:
    """Return the columns of a table that are no part of its key, with their places.

    A key is never set again, because the database would rewrite every index that contains it.
    """
    keys = ROWS[table].key_fields
    return [(place, name) for place, name in enumerate(layout(table).names) if name not in keys]


def put(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Write a row, replacing the one with its key, even if others do the same at once."""
    connection.execute(_putting(connection.dialect.name, table, tuple(row)), row)


@cache
def _putting(dialect: str, table: Table, names: Sequence[str]) -> Any:
    keys = [column.name for column in table.primary_key]
    statement = insert_into(dialect, table)
    rest = {name: statement.excluded[name] for name in names if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=rest)


def put_new(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Write a row unless there is one with its key, even if others do the same at once."""
    keys = [column.name for column in table.primary_key]
    statement = insert_into(connection.dialect.name, table).values(row)
    connection.execute(statement.on_conflict_do_nothing(index_elements=keys))


def insert_into(dialect: str, table: Table) -> Any:
    """Return each database's own insert, with what it does if the key exists."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


_THIS_VERSION = and_(scopes.c.id == bindparam("the_scope"), scopes.c.version == bindparam("old_version"))
_MOVING = ("version", "tip", "rolls", "open_dice", "chain", "moved", "shown")
_PLACE = ("channel_id", "guild_id")
_MOVE_ON = update(scopes).where(_THIS_VERSION).values({name: bindparam(name) for name in _MOVING})
_MOVE_AWAY = update(scopes).where(_THIS_VERSION).values({name: bindparam(name) for name in _MOVING + _PLACE})
_THESE_DICE = and_(undone.c.scope == bindparam("the_scope"), undone.c.seq == bindparam("the_seq"))
_FORGET_DICE = delete(undone).where(_THESE_DICE)
_SORT_DICE = update(undone).where(_THESE_DICE).values(open=bindparam("is_open"))
_ADD_DICE = insert(undone)
_OPEN_DICE = (
    select(func.count()).select_from(undone).where(undone.c.scope == bindparam("the_scope"), undone.c.open)
)
_INSERT = {name: insert(table) for name, table in STATE.items()}
_DELETE = {
    name: delete(table).where(
        and_(*(table.c[part] == bindparam(f"key_{part}") for part in ROWS[name].key_fields))
    )
    for name, table in STATE.items()
}
_UPDATE = {
    name: update(table)
    .where(and_(*(table.c[part] == bindparam(f"key_{part}") for part in ROWS[name].key_fields)))
    .values({part: bindparam(f"new_{part}") for _, part in _besides_key(name)})
    for name, table in STATE.items()
}
