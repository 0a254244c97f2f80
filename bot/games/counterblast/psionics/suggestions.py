"""What is suggested in fields of this room: powers, those that are known and all."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.suggestions import fighter_said, game_of
from bot.games.counterblast.psionics.psi_words import power_names, power_title
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import completing
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.psionics.psionics import knows


def known_power(asking: Asking) -> Sequence[str]:
    """Powers of the psionic that was said first; all of them where it has none yet."""
    if game_of(asking) is None:
        return []
    model = fighter_said(asking, "psionic")
    known = tuple(key for key in load().power_keys() if model is not None and knows(model, key))
    return power_names(known)


def _powers(asking: Asking) -> Sequence[str]:
    return [power_title(key) for key in load().power_keys()]


powers = completing(_powers)
"""All powers with commas between them."""
