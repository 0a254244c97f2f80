"""Text copied from a page with its markup: a block becomes a line, a tab stands after each cell."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from rules.refusals import InvalidInput

MARKUP = re.compile(
    r"<(!doctype html|html|body|div|[uo]l|li|table|tr|td|p|br|span|h[1-6]|article|meta)\b", re.I
)
BLOCKS = frozenset(
    ("div", "p", "br", "li", "tr", "table", "ul", "ol", "section", "article", "dt", "dd", "header", "footer")
) | {f"h{level}" for level in range(1, 7)}
HIDDEN = frozenset(("script", "style", "head", "template", "button", "nav"))
_UNCLOSED = re.compile(r"<(?![^<>]{1,2000}>)")
"""A sign that begins no tag: the parser of a page would look for the end of each in all that follows."""

MAX_INDENT = 6
MAX_PIECES = 20_000
"""Lines, bullets and texts that are taken from a page."""


def is_html(text: str) -> bool:
    """Return whether a text is markup of a page."""
    start = text.lstrip()
    return start.startswith("<") and not start.startswith("<?xml") and MARKUP.search(start[:2000]) is not None


def lines_of_html(text: str) -> str:
    """Return the visible text of a page, a block a line."""
    reader = _PageReader()
    reader.feed(_UNCLOSED.sub("&lt;", text))
    reader.close()
    return "".join(reader.found)


class _PageReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._hidden = 0
        self._lists = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if len(self.found) > MAX_PIECES:
            raise InvalidInput("This page is too large. Copy only the list from it.")
        if tag in HIDDEN:
            self._hidden += 1
        elif tag in ("ul", "ol"):
            self._lists += 1
        if tag in BLOCKS and not (self.found and self.found[-1].endswith("- ")):
            self.found.append("\n")
        if tag == "li":
            self.found.append("  " * min(self._lists - 1, MAX_INDENT) + "- ")

    def handle_endtag(self, tag: str) -> None:
        if tag in HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in ("ul", "ol"):
            self._lists = max(0, self._lists - 1)
        if tag in ("td", "th"):
            self.found.append("\t")
        elif tag in BLOCKS:
            self.found.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.found.append(re.sub(r"\s+", " ", data))
