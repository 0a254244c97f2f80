"""Fields that several actions of Frac'd Earth ask alike: see `bot.table.asking.fields`."""

from __future__ import annotations

from typing import Any

from bot.table.asking import fields, offering


def teamwork_of() -> Any:
    """Allies who give their Main action."""
    return fields.words("Teamwork: allies, with commas", offering.several_models)


def while_moving() -> Any:
    """Whether the attacker moves."""
    return fields.switch("While moving")


def from_platform() -> Any:
    """Whether it attacks from a vehicle or a mount."""
    return fields.switch("From a vehicle or mount")


def sides_not_seeing() -> Any:
    """Sides that do not see a hidden attacker."""
    return fields.words("Sides that do not see a hidden attacker", offering.any_side)


def supporters_away() -> Any:
    """Supporters who have the target out of range and reach."""
    return fields.words("Supporters out of range and reach", offering.several_models)
