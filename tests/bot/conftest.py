from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.migrate import migrate
from tests.bot.house import House
from tests.bot.tables import Table, opened, url_of


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file at this version with nothing in it, made once."""
    file = tmp_path_factory.mktemp("migrated") / "table.db"
    asyncio.run(migrate(url_of(file)))
    return file


@pytest.fixture
def file(migrated: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(migrated, tmp_path / "table.db"))


@pytest.fixture
async def table(file: Path) -> AsyncIterator[Table]:
    async with opened(file) as table:
        yield table


@pytest.fixture
async def house(file: Path) -> AsyncIterator[House]:
    async with House.open(file) as house:
        yield house
