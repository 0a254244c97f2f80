"""The weight of a reply's words on Discord: the headline bold. Everything else keeps plain words."""

from __future__ import annotations

from collections.abc import Sequence

_BOLD = "**"


def weighed(lines: Sequence[str]) -> list[str]:
    """The lines with the first in bold, where others follow.

    A line that holds a star, opens with a mark or a blank, or ends with what would escape it stays plain.
    """
    if len(lines) < 2 or not lines[0] or "\n" in lines[0]:
        return list(lines)
    first, *rest = lines
    if "*" in first or first[0] in "`#->" or first != first.strip() or first.endswith("\\"):
        return list(lines)
    return [f"{_BOLD}{first}{_BOLD}", *rest]
