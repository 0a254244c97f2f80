"""What is suggested in fields of this room: powers, those that are known and all."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.suggestions import fighter_said, game_of, next_name
from bot.games.counterblast.psionics.psi_words import power_names, power_title
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import completing, friendly
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.psionics.psionics import knows


def known_power(asking: Asking) -> Sequence[str]:
    """Powers of the psionic that was said first, all of them where it has none yet; none of another model."""
    if game_of(asking) is None:
        return []
    model = fighter_said(asking, "psionic")
    if model is not None and not model.has_feature("psionic"):
        return []
    known = tuple(key for key in load().power_keys() if model is not None and knows(model, key))
    return power_names(known)


def targets_named(asking: Asking) -> Sequence[str]:
    """Names for a list of targets: where nothing is typed, of those for whom the power can be meant."""
    if asking.typed or game_of(asking) is None:
        return next_name(asking)
    friends, uses = friendly(asking), asking.so_far.get("power") or ()
    sides = [attack for attack in (True, False) if any(row.attack == attack for row in uses)] or [True, False]
    models = asking.act.encounter.models()
    return [row.name for attacked in sides for row in models if (row.side not in friends) == attacked]


def _powers(asking: Asking) -> Sequence[str]:
    return [power_title(key) for key in load().power_keys()]


powers = completing(_powers)
"""All powers with commas between them."""
