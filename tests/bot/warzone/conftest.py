from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.begun import Beginnings
from tests.bot.warzone.skirmish import Skirmish, begin


@pytest.fixture
async def game(file: Path, beginnings: Beginnings) -> AsyncIterator[Skirmish]:
    async with beginnings.gone_on(begin, file) as game:
        yield game


@pytest.fixture
def acting(game: Skirmish) -> Skirmish:
    """The same, where the game is played on until whoever does something acts."""
    game.plays_on = True
    return game
