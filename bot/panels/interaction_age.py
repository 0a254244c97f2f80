"""Interactions that are too late for Discord to accept an answer.

Their ids tell when they were made, by Discord's clock. That is compared with the interactions before, by a
clock of the host that only measures how much time goes by: what time it believes it is plays no part.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

ANSWERABLE_SECONDS = 3.5
"""Discord accepts an answer for three seconds; the rest allows for clocks that differ."""

REMEMBERED_SECONDS = 3600.0
"""How long an interaction tells what time it is at Discord."""

DOUBTED_SECONDS = 30.0
"""Where everything is late for so long, it was the host's clock that jumped."""


class Lateness:
    """Judges the age of interactions. clock: seconds that only go on."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lags: deque[tuple[float, float]] = deque()
        self._late_since: float | None = None

    def is_late(self, interaction_id: int) -> bool:
        """Return whether an interaction that has just arrived is too late to answer; the first one never
        is.
        """
        now_seconds = self._clock()
        lag = now_seconds - (interaction_id >> 22) / 1000
        while self._lags and now_seconds - self._lags[0][0] > REMEMBERED_SECONDS:
            self._lags.popleft()
        if self._lags and lag - self._lags[0][1] > ANSWERABLE_SECONDS:
            if self._late_since is None:
                self._late_since = now_seconds
            if now_seconds - self._late_since <= DOUBTED_SECONDS:
                return True
            self._lags.clear()
        self._late_since = None
        while self._lags and self._lags[-1][1] >= lag:
            self._lags.pop()
        self._lags.append((now_seconds, lag))
        return False
