"""What is suggested in Frac'd Earth's fields. Suggestions come from Crew Cards, never from hands."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.fracd_earth.figures import profile_of
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import Names, completing, model_said
from rules.systems.fracd_earth import movement
from rules.systems.fracd_earth.actions import COMPATIBLE_ACTIONS, FREE_ACTIONS
from rules.systems.fracd_earth.obstacles import THINGS
from rules.systems.fracd_earth.profile import TRAITS
from rules.systems.fracd_earth.weapons import VERSUS

GROUNDS = (*movement.WORST, "soft obstacle", "dense obstacle")
"""What a figure goes through, as it may be typed."""


def carried(field: str) -> Names:
    """The weapons of the figure that another field names."""

    def weapons(asking: Asking) -> Sequence[str]:
        row = model_said(asking, field)
        here = row is not None and asking.act.encounter.row.system == "fracd_earth"
        return [weapon.title for weapon in profile_of(row.profile).weapons] if row and here else []

    return weapons


def traits(asking: Asking) -> Sequence[str]:
    """Combat Traits, Attributes and armours."""
    return [*TRAITS, *VERSUS]


def small_actions(asking: Asking) -> Sequence[str]:
    """Compatible and Free actions, reactions, Teamwork."""
    return [*COMPATIBLE_ACTIONS, *FREE_ACTIONS, "reaction", "teamwork"]


def _grounds(asking: Asking) -> Sequence[str]:
    return [*GROUNDS, *(name for name, kind in THINGS.items() if kind not in ("hard", "impassable"))]


grounds = completing(_grounds)
"""Grounds and obstacles with commas between them."""
