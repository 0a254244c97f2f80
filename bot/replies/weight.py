"""A reply's parts by weight: the headline bold, notes in smaller print, columns in code blocks.

The weight is put on where a message leaves for Discord, so that journals, scripts, the terminal and the page
keep the words. A setting turns it into plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType

from bot.replies.fit import FENCE, has_words
from bot.replies.parts import parts_of
from bot.replies.reply import Changed, Column, Die, Next, Note, Reply, Rolled, State

MARKED = ("#", "-", ">", FENCE)
"""Beginnings of lines that have a weight of their own, or none."""

_NUMBERED = re.compile(r"^(\s*\d+)\.(?=\s)")
"""The beginning of a line that Discord would take for a list item and number again."""

_BAR = re.compile(r"\s#+$")
_GAP = re.compile(r"(?<=\S) {2,}")


Faces = Mapping[str, int]
"""The emojis of dice that Discord has, by name, with their ids."""

NO_FACES: Faces = MappingProxyType({})

MAX_PIPS = 10
"""The most points that are drawn as pips."""


def weighed(reply: Reply, faces: Faces = NO_FACES) -> Reply:
    """Return the reply with its headline in bold, except for plain text and pages of help.

    faces: the emojis by which dice are shown; without them their numbers are bold.
    """
    if reply.plain or reply.tappable:
        return reply
    parts = parts_of(reply)
    lines: list[str] = []
    in_fence = False
    all_lines = [*([_bold(parts.headline)] if parts.headline else []), *parts.body, *parts.state]
    for is_column, lines_found in groupby(all_lines, lambda line: isinstance(line, Column)):
        group = list(lines_found)
        lines += (
            [FENCE, *group, FENCE] if is_column and not in_fence else [_weight(line, faces) for line in group]
        )
        in_fence ^= sum(line.startswith(FENCE) for line in group) % 2 == 1
    return replace(reply, lines=tuple(lines))


def _weight(line: str, faces: Faces) -> str:
    match line:
        case State():
            return State(_small(line))
        case Next():
            return Next(_bold(line))
        case Note():
            return _small(line)
        case Rolled():
            dice = dice_text(line.dice, faces)
            return f"{line.name}: {dice}{f' ({line.total})' if line.total else ''}"
        case Changed():
            of_most = f" of {line.most}" if line.most else ""
            return f"{line.what}: {_pips(line)}{line.before} -> **{line.after}**{of_most}"
    return _NUMBERED.sub(r"\1\.", line)


def dice_text(dice: Sequence[Die], faces: Faces = NO_FACES) -> str:
    """Return dice as Discord shows them: each as its emoji, or its face in bold and what it came to."""
    names = [emoji_name(die) for die in dice]
    if all(name in faces for name in names):
        return " ".join(f"<:{name}:{faces[name]}>" for name in names)
    return ", ".join(die.told("**") for die in dice)


def emoji_name(die: Die) -> str:
    """Return the name of a die's emoji, which is read out where it is not seen."""
    return "_".join(part for part in (f"d{die.sides}", str(die.face), die.verdict) if part)


def _pips(change: Changed) -> str:
    """What is left and what is lost as pips, where they can be counted."""
    if not 0 <= change.after <= change.most <= MAX_PIPS or not change.most:
        return ""
    return f"{'■' * change.after}{'□' * (change.most - change.after)} "


def _small(line: str) -> str:
    return f"-# {line.strip()}" if has_words(line) else line


def _bold(line: str) -> str:
    """A headline, as it is where a sign in it would end the weight early."""
    if not has_words(line) or "*" in line or "\n" in line or line.endswith("\\") or line.startswith(MARKED):
        return line
    return f"**{line.strip()}**"


def in_words(reply: Reply) -> Reply:
    """Return the reply as plain text, with pictures in words and without weight, bars and grids."""
    pictures = [file for file in reply.files if file.name.endswith(".png")]
    lines = [_plain(line) for line in _without_blocks(reply.lines, keep=not pictures)]
    for file in pictures:
        lines += file.words.splitlines()
    return replace(
        reply,
        lines=tuple(lines),
        files=tuple(file for file in reply.files if file not in pictures),
        also=tuple(in_words(extra_reply) for extra_reply in reply.also),
        plain=True,
    )


def _plain(line: str) -> str:
    if isinstance(line, Column):
        return _GAP.sub(" ", _BAR.sub("", line))
    return str(line).replace("**", "")


def _without_blocks(lines: Sequence[str], *, keep: bool) -> list[str]:
    in_block, kept_lines = False, []
    for line in lines:
        if line.startswith(FENCE):
            in_block = not in_block
        elif keep or not in_block:
            kept_lines.append(line)
    return kept_lines
