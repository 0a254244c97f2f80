"""A reply's parts by weight: the headline bold, notes in smaller print, columns in code blocks.

The weight is put on where a message leaves for Discord, so that journals, scripts, the terminal and the page
keep the words. Who wants words alone gets them as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from bot.replies.fit import FENCE, folded, has_words
from bot.replies.reply import Column, Note, Reply

MARKED = ("#", "-", ">", FENCE)
"""What a line that has a weight of its own, or none, begins with."""

LONGEST = 100
"""Letters of a line that is a headline."""

ENDS = (".", ":", "!", "?")
"""What a line ends with behind which none is the same sentence."""

_BAR = re.compile(r"\s#+$")
_GAP = re.compile(r"(?<=\S) {2,}")


def weighed(reply: Reply) -> Reply:
    """The reply with weight: its headline bold. Plain text goes as it is, and so does a page of help."""
    if reply.plain or reply.tappable:
        return reply
    head = _headline(reply.lines)
    lines: list[str] = []
    inside = False
    whole = [*map(_bold, reply.lines[:head]), *reply.lines[head:]]
    for is_column, found in groupby(whole, lambda line: isinstance(line, Column)):
        group = list(found)
        lines += [FENCE, *group, FENCE] if is_column and not inside else [_small(line) for line in group]
        inside ^= sum(line.startswith(FENCE) for line in group) % 2 == 1
    return replace(reply, lines=tuple(lines))


def _headline(lines: Sequence[str]) -> int:
    """How many lines the headline takes: where it was folded, what follows is set in.

    A sentence alone is no headline, nor is a paragraph.
    """
    if not lines or isinstance(lines[0], Note | Column) or len(lines[0]) > LONGEST:
        return 0
    head = 1
    while head < len(lines) and lines[head].startswith("  ") and not lines[head - 1].endswith(ENDS):
        head += 1
    return head if head < len(lines) else 0


def _small(line: str) -> str:
    return f"-# {line}" if isinstance(line, Note) and has_words(line) else line


def _bold(line: str) -> str:
    """A headline, as it is where a sign in it would end the weight early."""
    if not has_words(line) or "*" in line or "\n" in line or line.endswith("\\") or line.startswith(MARKED):
        return line
    words = line.strip()
    return line.replace(words, f"**{words}**")


def in_words(reply: Reply) -> Reply:
    """The reply as plain text: no weight, no bars, pictures told in words and no grids beside these."""
    drawn = [file for file in reply.files if file.name.endswith(".png")]
    lines = [_plain(line) for line in _without_blocks(reply.lines, keep=not drawn)]
    for file in drawn:
        lines += [line for told in file.words.splitlines() for line in folded([told])]
    return replace(
        reply,
        lines=tuple(lines),
        files=tuple(file for file in reply.files if file not in drawn),
        also=tuple(in_words(one) for one in reply.also),
        plain=True,
    )


def _plain(line: str) -> str:
    if isinstance(line, Column):
        return _GAP.sub(" ", _BAR.sub("", line))
    return str(line).replace("**", "")


def _without_blocks(lines: Sequence[str], *, keep: bool) -> list[str]:
    """The lines without the marks of code blocks. keep: with what stands in them."""
    inside, kept = False, []
    for line in lines:
        if line.startswith(FENCE):
            inside = not inside
        elif keep or not inside:
            kept.append(line)
    return kept
