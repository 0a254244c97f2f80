"""Games and campaigns that were begun once: each test goes on with a copy of the database."""

from __future__ import annotations

import asyncio
import copy
import itertools
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from tests.bot.tables import ELSEWHERE, Table, opened

FREE = 20_001
"""Interactions from this number on are a test's own."""


class AtTable(Protocol):
    """What plays at a table."""

    table: Table


T = TypeVar("T", bound=AtTable)


@dataclass(frozen=True)
class Begun(Generic[T]):
    """What was begun, and how. It has used one seed."""

    begin: Callable[[Table], Awaitable[T]]
    there: T

    @classmethod
    def once(cls, migrated: Path, begin: Callable[[Table], Awaitable[T]], folder: Path) -> Begun[T]:
        """Begun now, on a database of its own in an empty folder."""
        file = Path(shutil.copy(migrated, folder / "begun.db"))

        async def begun() -> T:
            async with opened(file) as table:
                return await begin(table)

        return cls(begin, asyncio.run(begun()))

    @asynccontextmanager
    async def gone_on_with(self, file: Path) -> AsyncIterator[T]:
        """The same on a test's own database; begun there anew where that is no file."""
        if file.suffix == ELSEWHERE:
            async with opened(file) as table:
                yield await self.begin(table)
            return
        before = self.there.table
        shutil.copy(before.file, file)
        async with opened(file, first_seed=2) as table:
            table.ids.update(before.ids)
            table.interactions = itertools.count(FREE)
            yield copy.deepcopy(self.there, {id(before): table})
