"""Engines of tests: each test opens its own.

They share what was compiled, since they ask the same statements, and what the doctor found of how the tables
of an SQLite file are laid out: that follows from what made them. And where nobody else is at the table, what
waits for the disk is done at once, on the thread of who waits: tests keep their files in memory, and a thread
that is woken costs more than what it does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlalchemy import create_engine as made
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import doctor, postgres
from bot.store import engine as engines
from tests.postgres import LAYOUT

LAYOUTS = {
    "sqlite": "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name",
    "postgresql": LAYOUT,
}
"""All that is known of how the tables of a database are laid out, or what comes to something else after every
change of that.
"""

_first: dict[str, Engine] = {}
_shapes = doctor._shapes
_make_engine = postgres.make_engine
_laid_out: dict[tuple[Any, ...], list[str]] = {}

P = ParamSpec("P")
T = TypeVar("T")


def create_engine(url: URL, **more: Any) -> Engine:
    """An SQLite engine as the program makes it, which shares what was compiled."""
    return _sharing(made(url, **more))


def make_engine(url: URL, **more: Any) -> AsyncEngine:
    engine = _make_engine(url, **more)
    _sharing(engine.sync_engine)
    return engine


def _sharing(engine: Engine) -> Engine:
    """The engine, with the dialect and the compiled statements of the first of its kind.

    The first is one that has connected: before, its dialect does not know what database it speaks to; later
    ones do not ask it again.
    """
    first = _first.get(engine.name)
    if first and first.dialect.server_version_info is not None:
        engine.dialect.initialize = lambda _: None  # type: ignore[method-assign]
        engine.dialect = first.dialect
        engine._compiled_cache = first._compiled_cache
    else:
        _first[engine.name] = engine
    return engine


def shapes(connection: Connection) -> list[str]:
    """What the doctor finds laid out otherwise; once for all databases that are laid out alike."""
    layout = tuple(connection.exec_driver_sql(LAYOUTS[connection.dialect.name]))
    if layout not in _laid_out:
        _laid_out[layout] = _shapes(connection)
    return list(_laid_out[layout])


def share_compiled() -> None:
    engines.create_engine = create_engine  # type: ignore[assignment]
    engines.make_engine = make_engine
    doctor._shapes = shapes


class AtOnce(Executor):
    """Has no threads: what is handed to it is done before it is handed back."""

    def __init__(self, _count: int, **_more: object) -> None:
        pass

    def submit(self, work: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> Future[T]:
        """Do it, and give what it came to: a future of the loop, on which nobody is woken for it."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        try:
            done.set_result(work(*given, **named))
        except BaseException as error:
            done.set_exception(error)
        return cast("Future[T]", done)


@contextmanager
def at_once() -> Iterator[None]:
    """Engines that are made meanwhile have no threads."""
    threads = engines.ThreadPoolExecutor
    engines.ThreadPoolExecutor = AtOnce  # type: ignore[assignment, misc]
    try:
        yield
    finally:
        engines.ThreadPoolExecutor = threads  # type: ignore[misc]
