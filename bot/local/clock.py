"""The server's time and the ids made from it.

Owns one clock that a test can push forward, its timers, and snowflakes. Whatever Discord measures (three
seconds to answer, fifteen minutes for a token, the hour after which edits are counted) is measured here.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

EPOCH = 1_420_070_400.0

HOME = "The Cellar"
"""The guild of a table on this machine, unless it is given another name."""

NAMED = 10**17
"""The first of the ids that are used for names: below every id of a moment, and as long as those."""


@dataclass(slots=True, eq=False)
class Timer:
    """A call that is due at `due` seconds since 1970, unless it is cancelled first."""

    due: float
    callback: Callable[[], None]
    handle: asyncio.TimerHandle | None = field(default=None, repr=False)
    done: bool = False

    def cancel(self) -> None:
        """Forget the call; harmless after it was made."""
        self.done = True
        if self.handle is not None:
            self.handle.cancel()


class Clock:
    """Real time plus an offset that only grows."""

    def __init__(self) -> None:
        self._offset = 0.0
        self._pushed: set[Timer] = set()

    def now(self) -> float:
        """Return the seconds since 1970."""
        return time.time() + self._offset

    def advance(self, seconds: float) -> None:
        """Push the clock forward and make the calls that are due, the earliest first."""
        self._offset += seconds
        for timer in sorted(self._pushed, key=lambda timer: timer.due):
            if timer.done:
                self._pushed.discard(timer)
                continue
            assert timer.handle is not None
            timer.handle.cancel()
            if timer.due <= self.now():
                self._run(timer)
            else:
                self._arm(timer)

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call `callback` once the clock has gone on by `seconds`."""
        timer = Timer(self.now() + seconds, callback)
        self._pushed.add(timer)
        self._arm(timer)
        return timer

    def forget(self, timer: Timer) -> None:
        """Cancel a timer of this clock."""
        timer.cancel()
        self._pushed.discard(timer)

    def _arm(self, timer: Timer) -> None:
        delay = max(0.0, timer.due - self.now())
        timer.handle = asyncio.get_running_loop().call_later(delay, self._run, timer)

    def _run(self, timer: Timer) -> None:
        self._pushed.discard(timer)
        if not timer.done:
            timer.done = True
            timer.callback()

    def close(self) -> None:
        """Forget every timer."""
        for timer in list(self._pushed):
            self.forget(timer)


class Snowflakes:
    """Discord's ids: milliseconds since 2015 in the upper bits, unique and growing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0
        self._named: set[int] = set()

    def next(self) -> int:
        """Return a new id, later than every id before it."""
        self._last = max(self._last + 1, int((self._clock.now() - EPOCH) * 1000) << 22)
        return self._last

    def named(self, kind: str, name: str) -> int:
        """Return the id for this name: the same at every start, so that a kept game knows its people again.

        It is of a long past moment. What is there twice gets a new one.
        """
        number = number_of(kind, name)
        if number in self._named:
            return self.next()
        self._named.add(number)
        return number


def number_of(kind: str, name: str) -> int:
    """Return the id of what has this name."""
    return NAMED + int.from_bytes(hashlib.sha256(f"{kind}:{name}".encode()).digest()[:6])


def time_of(snowflake: int) -> float:
    """Return the moment at which an id was made, in seconds since 1970."""
    return (snowflake >> 22) / 1000 + EPOCH
