"""What a defender can strike or shoot back with."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.fracd_earth.exchange import Facts
from bot.games.fracd_earth.figures import figure_of, pick_weapon, trait_of
from bot.table.encounter import Encounter
from rules.systems.fracd_earth.reach import quick_range
from rules.systems.fracd_earth.weapons import Weapon


@dataclass(frozen=True, slots=True)
class Counter(Action):
    """Counterattack, or let it be: use no."""

    command = "fe.counter"

    at: int = 0
    weapon: str = ""


def counter_weapon(encounter: Encounter, facts: Facts, text: str) -> Weapon | None:
    """What the defender can strike or shoot back with at that distance, None for nothing.

    Rules: FE-DEF-04.
    """
    target = encounter.model(facts["target"])
    figure = figure_of(encounter, target)
    if not figure.profile.weapons or facts["trait"] == "cast":
        return None
    named = pick_weapon(figure, target.name, text) if text else None
    for weapon in (named,) if named is not None else figure.profile.weapons:
        if trait_of(weapon) != facts["trait"]:
            continue
        reach = weapon.reach_inches if facts["trait"] == "fight" else quick_range(weapon.range_inches or 0)
        if reach is not None and facts["distance"] <= reach:
            return weapon
    return None
