from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.page.browsers import browser, leave
from tests.page.room import Room, room


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


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def one_browser() -> AsyncIterator[Any]:
    """One for all tests of a module: it takes longer to start than most of them."""
    async with browser() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def chromium(one_browser: Any) -> AsyncIterator[Any]:
    """A browser in which nobody sits anywhere. Tests that ask for it share their module's loop."""
    yield one_browser
    await leave(one_browser)
