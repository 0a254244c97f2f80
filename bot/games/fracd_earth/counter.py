"""What a defender can strike or shoot back with."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.fracd_earth.exchange import Facts
from bot.games.fracd_earth.figures import figure_of, trait_of, weapon_named
from bot.table.encounter import Encounter
from bot.table.owners import in_play
from rules.systems.fracd_earth.reach import quick_range
from rules.systems.fracd_earth.weapons import Weapon


@dataclass(frozen=True, slots=True)
class Counter(Action):
    """Counterattack, or let it be: use no."""

    command = "fe.counter"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    weapon: str = ""
    step: int = 0


def counter_weapons(encounter: Encounter, facts: Facts, text: str = "") -> list[Weapon]:
    """What the defender can strike or shoot back with at that distance: the weapon named, or all that can.

    Raises InvalidInput for a weapon that it does not carry. Rules: FE-DEF-04.
    """
    target = encounter.model(facts["target"])
    figure = figure_of(encounter, target)
    if not figure.profile.weapons or facts["trait"] == "cast":
        return []
    weapons = (weapon_named(figure, target.name, text),) if text else figure.profile.weapons
    return [weapon for weapon in weapons if trait_of(weapon) == facts["trait"] and _reaches(weapon, facts)]


def _reaches(weapon: Weapon, facts: Facts) -> bool:
    """Whether it reaches the attacker: within Reach for a Fight, within Quick range for a Shoot."""
    fights = facts["trait"] == "fight"
    far = weapon.reach_inches if fights else quick_range(weapon.range_inches or 0)
    return far is not None and bool(facts["distance"] <= far)
