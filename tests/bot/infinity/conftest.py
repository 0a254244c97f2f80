from __future__ import annotations

import pytest

from tests.bot.infinity.field import Field
from tests.bot.tables import Table


@pytest.fixture
async def field(table: Table) -> Field:
    """Anna's Vanguard in its first turn against Bo's Nightfall, everybody throwing real dice."""
    return await Field.open(table)
