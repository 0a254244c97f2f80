"""English that several texts share. Knows no rule."""

from __future__ import annotations


def possessive(name: str) -> str:
    """Whose: Sally's, the Lancers'."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"
