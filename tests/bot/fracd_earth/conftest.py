from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.begun import Begun
from tests.bot.fracd_earth.duel import Duel


@pytest.fixture(scope="session")
def begun_duel(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Begun[Duel]:
    return Begun.once(migrated, Duel.open, tmp_path_factory.mktemp("duel"))


@pytest.fixture
async def duel(file: Path, begun_duel: Begun[Duel]) -> AsyncIterator[Duel]:
    """Anna's Wardens and Bo's Prowlers in the first turn."""
    async with begun_duel.gone_on_with(file) as duel:
        yield duel
