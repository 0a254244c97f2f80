"""SQLite engines of tests share what was compiled: each test opens its own, and asks the same statements."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine
from sqlalchemy import create_engine as made
from sqlalchemy.engine import URL

from bot.store import engine as engines

_first: list[Engine] = []


def create_engine(url: URL, **more: Any) -> Engine:
    """An engine as the program makes it, with the dialect and the compiled statements of the first.

    The first is one that has connected: before, its dialect does not know what database it speaks to.
    """
    engine = made(url, **more)
    if _first and _first[0].dialect.server_version_info is not None:
        engine.dialect = _first[0].dialect
        engine._compiled_cache = _first[0]._compiled_cache
    else:
        _first[:] = [engine]
    return engine


def share_compiled() -> None:
    """From now on."""
    engines.create_engine = create_engine  # type: ignore[assignment]
