"""Who listens to rolls as they fall: nobody, but for a game that is played again to see how lucky it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from bot.table.encounter import Encounter
from bot.table.rolling.throws import Fell


@dataclass(frozen=True, slots=True)
class Heard:
    """One roll: whose dice fell, the rule with what it was given, and its outcome.

    encounter: as the act sees it in which it fell, another object in every act; None where there is none.
    """

    encounter: Encounter | None
    fell: Sequence[Fell]
    rule: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    outcome: Any


Listener = Callable[[Heard], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """While it listens, it is told of every roll that is made from here on."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def listener() -> Listener | None:
    """Who listens now."""
    return _listener.get()
