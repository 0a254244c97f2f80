from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.migrate import migrate
from tests.bot.tables import url_of
from tests.page.room import Room, room


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
async def open_room(file: Path) -> AsyncIterator[Room]:
    """A table at which whoever comes gets a seat."""
    async with room(file) as opened:
        yield opened


@pytest.fixture
async def closed_room(file: Path) -> AsyncIterator[Room]:
    """A table at which whoever comes asks for a seat."""
    async with room(file, anybody=False) as opened:
        yield opened
