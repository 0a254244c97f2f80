"""How seldom the program looks for garbage that stands in circles."""

from __future__ import annotations

import gc

WHILE_LOADING = (20_000, 2**30, 2**30)
"""Classes leave circles behind when they are made; they are found while they are young. What stays is the
program: nobody walks through it again and again."""

SELDOM = (10_000, 5, 2)
"""How many objects are made between two collections of the youngest, and of the older. Of a command only what
discord.py makes of an interaction stays behind in a circle: some fifteen objects. Many commands at once hold
thousands that go by themselves: who looks oftener finds those, and takes them for old ones."""


def spare_while_loading() -> None:
    """Before the program is loaded: collect the young alone, until `spare` is called."""
    gc.set_threshold(*WHILE_LOADING)


def spare() -> None:
    """Keep what the program is made of out of every later garbage collection, once all of it is loaded.

    What loading left behind goes first. Without this each full collection walks through it and stops the
    bot for a tenth of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
