"""A commit sets no column that an index holds, unless it changes."""

from __future__ import annotations

import re

from sqlalchemy import Update

from bot.store import writes
from bot.store.rows import ROWS, layout
from bot.store.schema import scopes


def set_by(statement: Update) -> set[str]:
    clause = str(statement.compile()).partition(" SET ")[2].partition(" WHERE ")[0]
    return set(re.findall(r"(\w+)\"?=", clause))


def test_what_changes_in_a_row_is_written_without_what_indexes_hold() -> None:
    """A column that is set is written into its indexes anew, even where it stays as it is."""
    for name, statement in writes._UPDATE.items():
        assert set_by(statement) == {*layout(name).names} - {*ROWS[name].key_fields}
    held = {column.name for index in scopes.indexes for column in index.columns}
    assert held.isdisjoint(set_by(writes._MOVE_ON))
    assert set_by(writes._MOVE_AWAY) - set_by(writes._MOVE_ON) == held & {"channel_id", "guild_id"}
