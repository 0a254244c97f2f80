"""A reply's parts by weight: the headline bold, notes in smaller print, columns in code blocks.

The weight is put on where a message leaves for Discord, so that journals, scripts, the terminal and the page
keep the words. Who wants words alone gets them as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from bot.replies.fit import FENCE, has_words
from bot.replies.parts import parts_of
from bot.replies.reply import Changed, Column, Die, Next, Note, Reply, Rolled, State

MARKED = ("#", "-", ">", FENCE)
"""What a line that has a weight of its own, or none, begins with."""

_BAR = re.compile(r"\s#+$")
_GAP = re.compile(r"(?<=\S) {2,}")


def weighed(reply: Reply) -> Reply:
    """The reply with weight: its headline bold. Plain text goes as it is, and so does a page of help."""
    if reply.plain or reply.tappable:
        return reply
    parts = parts_of(reply)
    lines: list[str] = []
    inside = False
    whole = [*([_bold(parts.headline)] if parts.headline else []), *parts.body, *parts.state]
    for is_column, found in groupby(whole, lambda line: isinstance(line, Column)):
        group = list(found)
        lines += [FENCE, *group, FENCE] if is_column and not inside else [_weight(line) for line in group]
        inside ^= sum(line.startswith(FENCE) for line in group) % 2 == 1
    return replace(reply, lines=tuple(lines))


def _weight(line: str) -> str:
    match line:
        case State():
            return State(_small(line))
        case Next():
            return Next(_bold(line))
        case Note():
            return _small(line)
        case Rolled():
            dice = " ".join(dice_text(die) for die in line.dice)
            return f"{line.name}: {dice}{f'  {line.total}' if line.total else ''}"
        case Changed():
            return f"{line.what}: {line.before} -> **{line.after}**{f' of {line.most}' if line.most else ''}"
    return line


def dice_text(die: Die) -> str:
    """Return a die as Discord shows it: its face in bold, then what it came to."""
    return f"**{die.face}** {die.came_to}".rstrip()


def _small(line: str) -> str:
    return f"-# {line.strip()}" if has_words(line) else line


def _bold(line: str) -> str:
    """A headline, as it is where a sign in it would end the weight early."""
    if not has_words(line) or "*" in line or "\n" in line or line.endswith("\\") or line.startswith(MARKED):
        return line
    return f"**{line.strip()}**"


def in_words(reply: Reply) -> Reply:
    """The reply as plain text: no weight, no bars, pictures told in words and no grids beside these."""
    drawn = [file for file in reply.files if file.name.endswith(".png")]
    lines = [_plain(line) for line in _without_blocks(reply.lines, keep=not drawn)]
    for file in drawn:
        lines += file.words.splitlines()
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
