"""Random legal play of every game is refereed: what may be done comes out the same when it is asked anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app import ALL_GAMES
from bot.table.journal.exports import Export
from bot.table.journal.history import Redo, Undo
from bot.table.referee.again import referee
from bot.table.referee.retold import EVERYBODY, retold
from bot.table.session.encounters import EndEncounter
from tests.bot.tables import opened
from tests.conformance.legal_play import Wanderer

STEPS = 150
"""Steps of one game: a second or three to play and referee."""


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_what_may_be_done_is_refereed(system: str, number: int, file: Path) -> None:
    async with opened(file) as table:
        wanderer = Wanderer(table, system, number)
        await wanderer.begin()
        await wanderer.play(STEPS)
        assert wanderer.wrong == []
        await table.do("anna", Undo(3))
        await table.do("anna", Redo(1))
        await table.done("anna", EndEncounter())
        data = (await table.do("bo", Export())).reply.files[0].data
    verdict = await referee(data)
    assert verdict.undecided == ""
    assert verdict.whole
    assert verdict.entries >= STEPS / 5
    assert retold(data, EVERYBODY)
