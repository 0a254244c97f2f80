"""What is suggested in fields of this room: clouds, and the distances at which a shot changes."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.fighters import WHO_ATTACKS, fighter_said, fighters, game_of, kept, next_name
from bot.games.counterblast.shooting.cloud_marks import cloud_choices
from bot.table.asking.kinds import Asking, Offer
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon

any_cloud = kept(cloud_choices)


def whole_group(asking: Asking) -> Sequence[str]:
    """All of a side who act together, those of the person who asks first; else the next name."""
    names, encounter = next_name(asking), game_of(asking)
    if asking.typed or encounter is None:
        return names
    acting = [one for one in fighters(encounter) if one.has(Condition.ACTIVE) and not one.is_incapacitated]
    sides = sorted({one.side for one in acting}, key=lambda side: not asking.act.plays_on(side))
    groups = [[one.name for one in acting if one.side == side] for side in sides]
    return [", ".join(group) for group in groups if len(group) > 1] or names


def group_bands(asking: Asking) -> Sequence[Offer]:
    """How far all who shoot together may be until something changes. Rules: CB-WEAP-12."""
    team: tuple[Fighter, ...] = asking.so_far.get("shooters") or ()
    guns = [gun for one in team for gun in one.weapons if gun.range_inches]
    limits = sorted({limit for gun in guns for limit in (gun.short_range_inches, float(gun.range_inches))})
    return [Offer(f"{limit:g}", f"to {limit:g} in") for limit in limits]


def range_bands(asking: Asking) -> Sequence[Offer]:
    """How far a shot may go until something changes, with what holds there. Rules: CB-WEAP-12."""
    model = fighter_said(asking, *WHO_ATTACKS)
    if model is None:
        return []
    said = asking.so_far.get("weapon")
    guns = [one for one in model.weapons if one.range_inches and said in (None, one)]
    limits = {limit for gun in guns for limit in (gun.short_range_inches, float(gun.range_inches))}
    return [
        Offer(limit, f"to {limit:g} in", "; ".join(_words(gun, limit) for gun in guns)[:100])
        for limit in sorted(limits)
    ]


def _words(gun: Weapon, inches: float) -> str:
    if inches > gun.range_inches:
        return f"{gun.name}: out of range"
    return f"{gun.name}: {'short' if inches <= gun.short_range_inches else 'long'}"
