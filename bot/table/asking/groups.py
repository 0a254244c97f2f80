"""The words beside groups of slash commands: `/cb`, `/cb move`. Each game tells those of its own."""

from __future__ import annotations

GROUPS: dict[str, str] = {}
"""What a group is about, by its path."""

GAME_WORDS: set[str] = set()
"""The groups that stand for a whole game: their word says nothing where that game is played."""


def group(path: str, about: str, *, whole_game: bool = False) -> None:
    """Say what a group of slash commands is about. path: its words, `cb move`."""
    if GROUPS.setdefault(path, about) != about:
        raise ValueError(f"/{path} is described twice")
    if whole_game:
        GAME_WORDS.add(path)
