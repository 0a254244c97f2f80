"""What is suggested in fields of this room: clouds, and the distances at which a shot changes."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.suggestions import WHO_ATTACKS, fighter_said, kept
from bot.games.counterblast.shooting.cloud_marks import cloud_choices
from bot.table.asking.kinds import Asking, Offer
from rules.systems.counterblast.core.profile import Weapon

any_cloud = kept(cloud_choices)


def range_bands(asking: Asking) -> Sequence[Offer]:
    """How far a shot may go until something changes, with what holds there. Rules: CB-WEAP-12."""
    model = fighter_said(asking, *WHO_ATTACKS)
    if model is None:
        return []
    said = str(asking.so_far.get("weapon") or "").casefold()
    guns = [one for one in model.weapons if one.range_inches and said in ("", one.name.casefold())]
    limits = {limit for gun in guns for limit in (gun.short_range_inches, float(gun.range_inches))}
    return [
        Offer(limit, f"to {limit:g} in", "; ".join(_words(gun, limit) for gun in guns)[:100])
        for limit in sorted(limits)
    ]


def _words(gun: Weapon, inches: float) -> str:
    if inches > gun.range_inches:
        return f"{gun.name}: out of range"
    return f"{gun.name}: {'short' if inches <= gun.short_range_inches else 'long'}"
