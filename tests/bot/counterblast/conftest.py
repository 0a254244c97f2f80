from __future__ import annotations

import pytest

from tests.bot.counterblast.ring import Ring
from tests.bot.tables import Table


@pytest.fixture
async def ring(table: Table) -> Ring:
    """Anna's Lancers against Bo's Edo in turn 1, everybody throwing real dice."""
    return await Ring.open(table)
