"""What the faces of a throw are bound to, so that they fall again for the same model and purpose alone.

Faces are bound to who throws, what for and against whom: never to their place among others, and never to
what somebody measured, since a corrected distance keeps its dice. Models and sides stand by number, so that
a new name buys nothing.
"""

from __future__ import annotations

import re
from hashlib import sha256

from bot.table.encounter import Encounter
from bot.table.rolling.throws import Whose

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


class Named:
    """The models and sides of a game by the names that words for a throw have them."""

    def __init__(self, encounter: Encounter | None) -> None:
        self._tokens: dict[str, str] = {}
        if encounter is not None:
            self._tokens = {side.name: f"~{side.id}" for side in encounter.sides()}
            self._tokens |= {row.name: f"#{row.id}" for row in encounter.models(gone=True)}
        longest = sorted((re.escape(name) for name in self._tokens if name), key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)") if longest else None

    def mentioned(self, words: str) -> str:
        """Return whoever the words name, by number, in one order; empty for nobody."""
        found = self._pattern.findall(words) if self._pattern is not None and words else ()
        return " ".join(sorted({self._tokens[name] for name in found}))


def purpose_of(whose: Whose, wave: int, named: Named, person: str) -> str:
    """Return what the faces of a throw are bound to. person: who asks, whose name binds nothing."""
    who = whose.bound or whose.by
    by = named.mentioned(who) or ("" if who == person else who)
    what = " ".join(_NUMBER.sub("", whose.what).split())
    written = "\0".join((by, what, named.mentioned(whose.against), whose.mark, str(wave)))
    return sha256(written.encode()).hexdigest()[:8]
