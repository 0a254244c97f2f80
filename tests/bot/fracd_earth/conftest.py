from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.begun import Beginnings
from tests.bot.fracd_earth.duel import Duel


@pytest.fixture
async def duel(file: Path, beginnings: Beginnings) -> AsyncIterator[Duel]:
    """Anna's Wardens and Bo's Prowlers in the first turn."""
    async with beginnings.gone_on(Duel.open, file) as duel:
        yield duel
