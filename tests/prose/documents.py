"""The sentences of the project's documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

_CODE = re.compile(r"```.*?```", re.DOTALL)
_BREAKS = re.compile(r"(?:^|\n)\s*(?:[-*]\s+|\d+\.\s+|\|\s*)|(?<=[.!?])\s+|\n\n")
_RULE = re.compile(r"[-| ]+")


def documents() -> list[Path]:
    """Return every document that people read, the changelog included."""
    return [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").rglob("*.md"),
    ]


def sentences(document: Path) -> Iterator[str]:
    """Yield a document's sentences and items, without its examples of code."""
    text = _CODE.sub("", document.read_text(encoding="utf-8"))
    for sentence in _BREAKS.split(text):
        words = " ".join(sentence.split())
        if words and not _RULE.fullmatch(words):
            yield words
