from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

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
