"""Code blocks of replies are as wide as a phone shows them: what in them is wider."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.games.fracd_earth.figures import read_typed as read_card
from bot.games.warzone.roster_actions import read_typed_profile
from bot.replies.fit import FENCE
from bot.replies.reply import COLUMNS, Reply
from bot.replies.weight import weighed
from rules.refusals import InvalidInput
from rules.systems.soluna.profile import read_profile

JSON_OR_HASH = re.compile(r"[0-9a-f]+|[\[{].*[\]}],?")
"""The only lines of code blocks that may be wider than a phone: they are copied, not read."""

READS: dict[str, Callable[[str], object]] = {
    "fracd_earth": read_card,
    "soluna": read_profile,
    "warzone": read_typed_profile,
}
"""How a game reads a profile that it wrote out."""


def too_wide(reply: Reply, system: str) -> list[str]:
    """What is wider than a phone in the code blocks of a reply, but for what is copied and not read.

    That is hashes, JSON and profiles written out, which are typed again: a weapon is one line there.
    """
    found = []
    for block in "\n".join(weighed(reply).lines).split(FENCE)[1::2]:
        lines = [line for line in block.splitlines() if len(line) > COLUMNS]
        if lines and not is_profile(block, system):
            found += [line for line in lines if not JSON_OR_HASH.fullmatch(line)]
    return found


def is_profile(block: str, system: str) -> bool:
    """Whether the game reads it as a profile that is typed."""
    try:
        return system in READS and bool(READS[system](block.strip("\n")))
    except InvalidInput:
        return False
