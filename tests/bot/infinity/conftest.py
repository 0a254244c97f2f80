from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.begun import Begun
from tests.bot.infinity.field import Field


@pytest.fixture(scope="session")
def begun_field(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Begun[Field]:
    return Begun.once(migrated, Field.open, tmp_path_factory.mktemp("field"))


@pytest.fixture
async def field(file: Path, begun_field: Begun[Field]) -> AsyncIterator[Field]:
    """Anna's Vanguard in its first turn against Bo's Nightfall, everybody throwing real dice."""
    async with begun_field.gone_on_with(file) as field:
        yield field
