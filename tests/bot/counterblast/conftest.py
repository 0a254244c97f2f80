from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.begun import Beginnings
from tests.bot.counterblast.ring import Ring


@pytest.fixture
async def ring(file: Path, beginnings: Beginnings) -> AsyncIterator[Ring]:
    """Anna's Lancers against Bo's Edo in turn 1, everybody throwing real dice."""
    async with beginnings.gone_on(Ring.open, file) as ring:
        yield ring
