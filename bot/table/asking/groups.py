"""The words beside groups of slash commands: `/cb`, `/cb move`. Each game tells those of its own."""

from __future__ import annotations

GROUPS: dict[str, str] = {}
"""What a group is about, by its path."""


def group(path: str, about: str) -> None:
    """Say what a group of slash commands is about. path: its words, `cb move`."""
    if GROUPS.setdefault(path, about) != about:
        raise ValueError(f"/{path} is described twice")
