from __future__ import annotations

import pytest

from tests.bot.campaign.league import League
from tests.bot.tables import Table


@pytest.fixture
def league(table: Table) -> League:
    return League(table)


@pytest.fixture
async def two(league: League) -> League:
    """Anna and Bo, paired."""
    from bot.table.campaign.campaigns import Schedule

    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    return league
