"""How far long work has come, shown on a terminal and nowhere else, by tqdm."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

Told = Callable[[int, int], None]
"""Told how much is done, and of how much."""


def unheard(done: int, total: int) -> None:
    """Ignore progress."""


@contextmanager
def progress(words: str, unit: str, stream: TextIO | None = None) -> Iterator[Told]:
    """Show on a terminal how far what is told has come; nothing where the stream is none (standard error)."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield unheard
        return
    from tqdm import tqdm  # only who watches pays for it

    with tqdm(desc=words, unit=unit, file=stream, dynamic_ncols=True, leave=False) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show
