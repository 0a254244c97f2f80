from __future__ import annotations

import pytest

from tests.bot.fracd_earth.duel import Duel
from tests.bot.tables import Table


@pytest.fixture
async def duel(table: Table) -> Duel:
    """Anna's Wardens and Bo's Prowlers in the first turn."""
    return await Duel.open(table)
