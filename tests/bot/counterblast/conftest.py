from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.begun import Begun
from tests.bot.counterblast.ring import Ring


@pytest.fixture(scope="session")
def begun_ring(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Begun[Ring]:
    return Begun.once(migrated, Ring.open, tmp_path_factory.mktemp("ring"))


@pytest.fixture
async def ring(file: Path, begun_ring: Begun[Ring]) -> AsyncIterator[Ring]:
    """Anna's Lancers against Bo's Edo in turn 1, everybody throwing real dice."""
    async with begun_ring.gone_on_with(file) as ring:
        yield ring
