"""Which entries of a file are held by heads that stood in the channel.

A head is a hash over its entry and the one of the entry before, and so holds all of them, back to one out of
which a name was taken: what is hashed there is told and not worked out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.table.referee.verdict import Forged

SHORTEST_HEAD = 12
"""Letters of a head that are enough to tell it."""

SURE_HEAD = 32
"""Letters behind which nobody works out another game; behind fewer somebody may, with time."""

WHOLE_HEAD = re.compile(r"[0-9a-f]{64}")
HEAD = re.compile(rf"[0-9a-f]{{{SHORTEST_HEAD},64}}")
"""A head as the channel shows it, or how it begins."""

Spans = tuple[tuple[int, int], ...]
"""Runs of entries, first and last."""


def held(chain: Sequence[str], entries: Sequence[Mapping[str, Any]], heads: Sequence[str]) -> Spans:
    """The entries that heads hold; chain: the one after each entry, from the one before the first.

    Raises Forged for what is no head, and for one that is not of this chain.
    """
    found: set[int] = set()
    for said in heads:
        last = _place(chain, said)
        first = last
        while first > 1 and not entries[first - 1]["stood"]:
            first -= 1
        if entries[first - 1]["stood"]:
            first += 1
        found.update(range(first, last + 1))
    return spans(found)


def are_sure(heads: Iterable[str]) -> list[str]:
    """The heads that nobody else's game has, however long it was sought."""
    return [said for said in heads if len(_as_shown(said)) >= SURE_HEAD]


def spans(places: Iterable[int]) -> Spans:
    """Places as runs."""
    runs: list[tuple[int, int]] = []
    for place in sorted(places):
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return tuple(runs)


def _place(chain: Sequence[str], said: str) -> int:
    """The entry whose head this is."""
    read = HEAD.fullmatch(_as_shown(said))
    if read is None:
        raise Forged(f"{said} is no head: it is {SHORTEST_HEAD} to 64 of 0-9 and a-f.")
    for place, one in enumerate(chain[1:], 1):
        if one.startswith(read[0]):
            return place
    raise Forged(f"The head {read[0]} that the channel showed is not in this file.", len(chain))


def _as_shown(said: str) -> str:
    """A head without what stands around it in the channel."""
    return "".join(said.lower().removeprefix("record").replace("`", "").split())
