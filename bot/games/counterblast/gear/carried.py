"""What a model carries: all of it, what is used by itself, its Bomb Kits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Gear, Weapon

INK = "ink cloud"
EXTINGUISHER = "fire_extinguisher"

USABLE = (
    "med_gel",
    "body_boost",
    "brain_boost",
    "smoke_grenade",
    "smoke_screen_launcher",
    EXTINGUISHER,
    "computer_backup",
    "engineer_operator",
)
"""Gear that is used by itself, by key."""


@dataclass(frozen=True, slots=True)
class Usable:
    """Something that is used by itself: a piece of gear, or what a Feature gives."""

    key: str
    name: str


def usable(model: Fighter) -> list[Usable]:
    """What a model has that is used by itself."""
    known = [Usable(item.key, item.name) for item in model.gear if item.key in USABLE]
    return known + ([Usable(INK, "Ink Cloud")] if model.has_feature("ink_cloud") else [])


def things(model: Fighter) -> Sequence[Weapon | Gear]:
    """All that a model carries."""
    return (*model.weapons, *model.gear)


def bomb_kits(model: Fighter) -> tuple[Weapon, ...]:
    """The Bomb Kits that a model carries."""
    return tuple(weapon for weapon in model.weapons if weapon.group == "bomb")
