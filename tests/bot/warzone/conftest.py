from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.begun import Begun
from tests.bot.warzone.skirmish import Skirmish, begin


@pytest.fixture(scope="session")
def begun_skirmish(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Begun[Skirmish]:
    return Begun.once(migrated, begin, tmp_path_factory.mktemp("skirmish"))


@pytest.fixture
async def game(file: Path, begun_skirmish: Begun[Skirmish]) -> AsyncIterator[Skirmish]:
    async with begun_skirmish.gone_on_with(file) as game:
        yield game


@pytest.fixture
def acting(game: Skirmish) -> Skirmish:
    """The same, where the game is played on until whoever does something acts."""
    game.plays_on = True
    return game
