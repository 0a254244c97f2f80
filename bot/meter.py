"""Reports of each answer and each commit to a counting listener, which is only set if metrics are on.

Reports the request and its outcome, but never the person, the place or the words.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, Protocol

Outcome = Literal["done", "shown", "refused", "repeated", "fault"]

Where = Literal[
    "answering",
    "commands",
    "keeping",
    "panels",
    "pressing",
    "registering",
    "reminding",
    "running",
    "suggesting",
]
"""In which work the program failed."""


class Listener(Protocol):
    """Counts."""

    def answered(self, command: str, outcome: Outcome, refusal: str, seconds: float) -> None:
        """Note that an action was answered. refusal: of what kind, empty for none."""
        ...

    def fault(self, where: Where) -> None:
        """Note that the program failed."""
        ...

    def lost(self) -> None:
        """Note that an answer did not arrive."""
        ...

    def writing(self, change: int) -> None:
        """Note that one more, or one less, waits for its commit."""
        ...

    def wrote(self, seconds: float, error: str) -> None:
        """Note that a commit ended after so long. error: the kind of fault, empty for none."""
        ...


class _Listeners:
    one: Listener | None = None


_listeners = _Listeners()


def listen(listener: Listener | None) -> None:
    """Set the listener from now on; None removes it."""
    _listeners.one = listener


def listener() -> Listener | None:
    """Return who is told."""
    return _listeners.one


def failed(where: Where) -> None:
    """Report to the listener that the program failed."""
    if _listeners.one is not None:
        _listeners.one.fault(where)


@contextmanager
def commit() -> Iterator[None]:
    """Measure a commit, from when it waits for its turn."""
    listener_used = _listeners.one
    if listener_used is None:
        yield
        return
    began, error = time.perf_counter(), ""
    listener_used.writing(1)
    try:
        yield
    except BaseException as raised:
        error = type(raised).__name__
        raise
    finally:
        listener_used.writing(-1)
        listener_used.wrote(time.perf_counter() - began, error)
