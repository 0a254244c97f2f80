"""A short round of `tests.conformance.fishing`, the same every time; by hand there are thousands of games."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app import ALL_GAMES
from tests.bot.tables import opened
from tests.conformance.fishing import Fisher

STEPS = 20

pytestmark = pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")


@pytest.mark.parametrize("strictly", [False, True], ids=["usual", "strict"])
@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_nobody_gets_a_second_result_by_himself(file: Path, system: str, strictly: bool) -> None:
    async with opened(file) as table:
        fisher = Fisher(table, system, 5, strictly=strictly)
        await fisher.play(STEPS)
    assert fisher.caught == []
    assert sum(fisher.tried.values()) > 3
