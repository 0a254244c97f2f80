"""Timing: the best of several runs for short things, percentiles for many."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence


def best_ms(run: Callable[[], object], tries: int = 15) -> float:
    """The shortest of several runs in milliseconds: what the thing itself takes, least disturbed."""
    shortest = float("inf")
    for _ in range(tries):
        start = time.perf_counter()
        run()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest * 1e3


def each_us(run: Callable[[int], object], count: int = 3000, tries: int = 5) -> float:
    """Microseconds for one of many repetitions, the best of several rounds."""
    shortest = float("inf")
    for _ in range(tries):
        start = time.perf_counter()
        for number in range(count):
            run(number)
        shortest = min(shortest, time.perf_counter() - start)
    return shortest / count * 1e6


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


async def all_heard(delays: Sequence[float], count: int, seconds: float) -> None:
    """Wait until so many delays have been noted. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while len(delays) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
