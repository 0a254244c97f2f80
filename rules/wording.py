"""English that several texts share. Knows no rule."""

from __future__ import annotations

from collections.abc import Sequence


def possessive(name: str) -> str:
    """Return the possessive of a name: Sally's, the Lancers'."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def over_limit(size: int, limit: int) -> str:
    """Return the fault of a crew over its points limit, or an empty text."""
    return f"The crew has {size} points, which is {size - limit} over the limit." if size > limit else ""


def join_with_and(names: Sequence[str]) -> str:
    """Return names as one subject: Sally; Sally and Skip; Sally, Skip and Bo."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def ordinal(number: int) -> str:
    """Return a place as it is counted: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number // 10 % 10 != 1 else "th"
    return f"{number}{ending}"


def times(count: int, one: str, plural: str = "") -> str:
    """Return a number with its noun: 1 wound, 2 wounds, 3 dice."""
    return f"{count} {one if count == 1 else plural or one + 's'}"
