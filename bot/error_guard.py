"""Background work that continues although a part of it failed; faults are logged and counted."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bot.meter import Where, failed
from bot.store.errors import Busy, Lost, Unwritable


@contextmanager
def guard_errors(log: logging.Logger, where: Where, sentence: str, **fields: object) -> Iterator[None]:
    """Log errors of a part that may fail. A database that is away or full is not a fault of the program."""
    try:
        yield
    except (Busy, Lost, Unwritable) as error:
        log.warning(sentence, extra={"error": f"{type(error).__name__}: {error}", **fields})
    except Exception:
        log.exception(sentence, extra=fields)
        failed(where)
