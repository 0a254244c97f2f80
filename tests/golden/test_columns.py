"""What everybody was shown in columns in the example games fits a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from bot.replies.reply import Reply, reply_from_json
from bot.store.rows import EncounterRow
from bot.store.schema import scopes
from bot.store.store import Store
from tests.bot.columns import too_wide
from tests.bot.tables import opened
from tests.played import Played
from tests.started import ROOT

EXAMPLES = sorted(file.stem for file in (ROOT / "examples").glob("*.txt"))


async def shown(store: Store) -> list[tuple[str, Reply]]:
    """What everybody was told in every scope, with the game that was played there."""
    found = []
    async with store.reading() as connection:
        numbers = (await connection.execute(select(scopes.c.id))).scalars().all()
    for scope in numbers:
        loaded = await store.load(scope)
        assert loaded is not None
        row = loaded.book().get(EncounterRow)
        for entry in await store.latest(scope, loaded.scope.version):
            reply = reply_from_json(entry.reply)
            told = (one for one in (reply, *reply.also) if not one.private)
            found += [(row.system if row is not None else "", one) for one in told]
    return found


@pytest.mark.parametrize("name", EXAMPLES)
async def test_columns_that_everybody_sees_fit_a_phone(tmp_path: Path, played: Played, name: str) -> None:
    async with opened(played.database(name, tmp_path / "game.db")) as table:
        replies = await shown(table.desk.store)
    assert replies
    assert not [line for system, reply in replies for line in too_wide(reply, system)]
