from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.table.campaign.campaigns import Schedule
from tests.bot.begun import Beginnings
from tests.bot.campaign.league import League
from tests.bot.tables import Table


@pytest.fixture
def league(table: Table) -> League:
    return League(table)


async def paired(table: Table) -> League:
    league = League(table)
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    return league


@pytest.fixture
async def two(file: Path, beginnings: Beginnings) -> AsyncIterator[League]:
    async with beginnings.gone_on(paired, file) as league:
        yield league
