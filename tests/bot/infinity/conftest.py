from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.begun import Beginnings
from tests.bot.infinity.field import Field


@pytest.fixture
async def field(file: Path, beginnings: Beginnings) -> AsyncIterator[Field]:
    """Anna's Vanguard in its first turn against Bo's Nightfall, everybody throwing real dice."""
    async with beginnings.gone_on(Field.open, file) as field:
        yield field
