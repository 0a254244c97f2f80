"""Words of an earlier edition that the text still uses, and what they mean now.

Owns the table of aliases for whoever reads what players type; decides nothing.
"""

from __future__ import annotations

ALIASES: dict[str, str] = {
    "1b": "life",
    "bd": "defense",
    "body": "life",
    "body defense": "defense",
    "body points": "life",
    "command": "leader's intellect",
    "command points": "orders",
    "command value": "leader's intellect",
    "marksmanship": "agility",
    "mechanical": "engineering",
    "mechanics": "engineering",
    "medical": "medicine",
    "melee": "strength",
    "operational action": "any action but an attack",
    "ranged": "agility",
    "repair": "engineering",
    "seriously wounded": "severely wounded",
    "slice and dice": "slash and dash",
}
"""Present word by older word, both in lower case."""

_FILLERS = (" check", " skill dice", " skill")


def means_now(word: str) -> str:
    """The present word for a term of an earlier edition; nothing for a word that is none.

    Rules: CB-STAT-05.
    """
    plain = " ".join(word.casefold().replace("_", " ").split())
    for filler in _FILLERS:
        plain = plain.removesuffix(filler)
    return ALIASES.get(plain, "")
