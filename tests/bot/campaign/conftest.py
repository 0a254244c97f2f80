from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.table.campaign.campaigns import Schedule
from tests.bot.begun import Begun
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


@pytest.fixture(scope="session")
def begun_league(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Begun[League]:
    return Begun.once(migrated, paired, tmp_path_factory.mktemp("league"))


@pytest.fixture
async def two(file: Path, begun_league: Begun[League]) -> AsyncIterator[League]:
    """Anna and Bo, paired."""
    async with begun_league.gone_on_with(file) as league:
        yield league
