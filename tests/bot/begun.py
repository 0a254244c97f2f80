"""Games and campaigns that are begun once: each test goes on with a copy of the database."""

from __future__ import annotations

import copy
import itertools
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tests.bot.tables import ELSEWHERE, Table, opened

FREE = 20_001
"""Interactions from this number on are a test's own."""


class AtTable(Protocol):
    """What plays at a table."""

    table: Table


@dataclass
class Begun:
    """A table at which something was begun, where nothing else is to be kept of it."""

    table: Table


T = TypeVar("T", bound=AtTable)


class Beginnings:
    """What tests begin with, by how that is begun. Each uses one seed."""

    def __init__(self, migrated: Path, folder: Path) -> None:
        self._migrated = migrated
        self._folder = folder
        self._begun: dict[object, Any] = {}

    @asynccontextmanager
    async def gone_on(self, begin: Callable[[Table], Awaitable[T]], file: Path) -> AsyncIterator[T]:
        """What was begun so, on a test's own database; begun there anew where that is no file."""
        if file.suffix == ELSEWHERE:
            async with opened(file) as table:
                yield await begin(table)
            return
        if begin not in self._begun:
            own = shutil.copy(self._migrated, self._folder / f"{len(self._begun)}.db")
            async with opened(Path(own)) as table:
                self._begun[begin] = await begin(table)
        begun: T = self._begun[begin]
        before = begun.table
        shutil.copy(before.file, file)
        async with opened(file, first_seed=2) as table:
            table.ids.update(before.ids)
            table.interactions = itertools.count(FREE)
            yield copy.deepcopy(begun, {id(before): table})
