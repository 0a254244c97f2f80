from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import cast

import pytest

from bot.store.migrate import migrate
from tests.bot.house import House
from tests.bot.tables import ELSEWHERE, Table, opened, url_of
from tests.postgres import Impossible, Postgres, serving


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file at this version with nothing in it, made once."""
    file = tmp_path_factory.mktemp("migrated") / "table.db"
    asyncio.run(migrate(url_of(file)))
    return file


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, whose database `migrated` is at this version with nothing in it."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(serving())
        except Impossible as why:
            pytest.skip(str(why))
        server.tell("CREATE DATABASE migrated")
        asyncio.run(migrate(server.url("migrated")))
        yield server


@pytest.fixture
def elsewhere(postgres: Postgres, tmp_path: Path) -> Iterator[Path]:
    """A database of the server's, by the file that names it."""
    url = postgres.database("migrated")
    file = tmp_path / f"table{ELSEWHERE}"
    file.write_text(url.render_as_string(hide_password=False))
    yield file
    postgres.drop(url)


@pytest.fixture
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database at this version; tests that are marked `both_databases` get one of either kind."""
    if getattr(request, "param", "sqlite") == "postgresql":
        return cast(Path, request.getfixturevalue("elsewhere"))
    return Path(shutil.copy(request.getfixturevalue("migrated"), tmp_path / "table.db"))


@pytest.fixture
async def table(file: Path) -> AsyncIterator[Table]:
    async with opened(file) as table:
        yield table


@pytest.fixture
async def house(file: Path) -> AsyncIterator[House]:
    async with House.open(file) as house:
        yield house
