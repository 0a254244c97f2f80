"""Several tallies packed into one number, so that adding two tuples is one addition."""

from __future__ import annotations

from collections.abc import Iterable

from rules.chances import Distribution

FIELD_BITS = 32
"""Width of one tally."""


def pack(values: tuple[int, ...]) -> int:
    """Tallies, each below 2**31 either way, as one number."""
    packed = 0
    for value in reversed(values):
        packed = (packed << FIELD_BITS) + value
    return packed


def unpack(packed: int, width: int) -> tuple[int, ...]:
    """The tallies, so many, that were packed."""
    values = []
    half = 1 << (FIELD_BITS - 1)
    for _ in range(width):
        value = ((packed + half) & ((1 << FIELD_BITS) - 1)) - half
        values.append(value)
        packed = (packed - value) >> FIELD_BITS
    return tuple(values)


def fields(packed: Iterable[int], width: int) -> list[tuple[int, ...]]:
    """Each of several numbers unpacked; one tally alone is not packed."""
    return [(value,) for value in packed] if width == 1 else [unpack(value, width) for value in packed]


def unpacked(packed: Distribution, width: int) -> Distribution:
    """Chances of tuples, from those of what they are packed into."""
    return Distribution({unpack(value, width): p for value, p in packed.items()}, whole=packed.whole)
