"""One part of the campaign as it stands in the report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """lines: of the page, below the title. is_clean: nothing was found that must not be."""

    title: str
    lines: tuple[str, ...]
    is_clean: bool
