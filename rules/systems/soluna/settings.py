"""The readings of sol'una that a group may choose; every default is the project's ruling.

Owns the choices and their legal values; knows no rule.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Literal, get_args, get_origin, get_type_hints

from rules.refusals import InvalidInput

Step = tuple[int, int]
Visibility = Literal["none", "poor", "abysmal"]

DIRECTIONS: tuple[Step, ...] = ((-1, 1), (0, 1), (1, 1), (-1, 0), (0, 0), (1, 0), (-1, -1), (0, -1), (1, -1))
"""Drift for the faces 1 to 9, in reading order of the 3 by 3 squares, north on top."""

KNOCKDOWN: tuple[tuple[Fraction, int], ...] = (
    (Fraction(1, 4), 0),
    (Fraction(1, 2), 1),
    (Fraction(3, 4), 2),
    (Fraction(1), 3),
)
"""Difficulty of the knockdown test: the first row whose part is not exceeded."""

_RANGES: dict[str, tuple[int, int]] = {
    "phases_per_turn": (1, 100),
    "cp_default": (0, 20),
    "square_cost": (1, 20),
    "diagonal_cost": (1, 20),
    "debris_cost": (1, 20),
    "stand_up_cost": (0, 20),
    "ranged_min_reach": (1, 3),
    "model_cover_lines": (1, 3),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """One group's readings, frozen for an encounter. Raises InvalidInput for values that are not legal.

    stand_up_cost: speed points to stand up; 0 means that it takes the whole move activation.
    ranged_min_reach: 1 switches the rule off. cloud_directions: nine steps for the faces 1 to 9.
    """

    phases_per_turn: int = 10
    action_order: Literal["speed", "manual"] = "speed"
    cp_default: int = 1
    cp_refresh: Literal["turn", "phase"] = "turn"
    forced_cp_reset: Literal["turn", "phase"] = "turn"
    square_cost: int = 1
    diagonal_cost: int = 1
    debris_cost: int = 2
    stand_up_cost: int = 0
    ranged_min_reach: int = 3
    visibility_stack: Literal["multiply", "strongest"] = "multiply"
    hidden_blocks_los: bool = False
    models_block_los: bool = False
    low_power_order: Literal["before_environment", "last", "weapon_only"] = "before_environment"
    stationary_each: bool = False
    melee_simultaneous: bool = True
    single_square_any_face: bool = True
    ignored_shield_transfers: bool = True
    mid_attack_transfer: bool = True
    protect_self: bool = True
    mode_test_trade_dice: bool = False
    ko_dice: Literal["mind", "mind_before"] = "mind"
    ko_both: Literal["highest", "each"] = "highest"
    ko_base: Literal["before", "starting"] = "before"
    ko_table: tuple[tuple[Fraction, int], ...] = KNOCKDOWN
    grapple_tie: Literal["none", "defender"] = "none"
    cover_front_corner: Literal["both", "chosen"] = "both"
    cover_touch: Literal["contact", "blocked"] = "contact"
    cover_combine: Literal["best", "sum"] = "best"
    model_cover_lines: int = 2
    cover_protects_itself: bool = True
    burst_even_offset: Literal["north_east", "south_west", "attacker_choice"] = "north_east"
    corridor_length: Literal["target", "reach"] = "target"
    fan_profile: Literal["linear", "two_steps"] = "linear"
    star_shape: Literal["disc", "eight_arms"] = "disc"
    pulse_hits_origin: bool = True
    cloud_first_phase: bool = True
    cloud_directions: tuple[Step, ...] = DIRECTIONS
    smoke_factor: Visibility = "poor"
    long_reach_option: bool = False

    def __post_init__(self) -> None:
        hints = _hints()
        for item in fields(self):
            _check(item.name, getattr(self, item.name), hints[item.name])
        if len(self.cloud_directions) != 9 or any(max(abs(x), abs(y)) > 1 for x, y in self.cloud_directions):
            raise InvalidInput("cloud_directions must be nine steps of at most one square each.")
        parts = [part for part, _ in self.ko_table]
        if not parts or parts != sorted(set(parts)) or parts[0] <= 0 or parts[-1] != 1:
            raise InvalidInput("The parts of ko_table must be above 0, be in rising order and end with 1.")
        if any(not 0 <= difficulty <= 20 for _, difficulty in self.ko_table):
            raise InvalidInput("The difficulties of ko_table must be between 0 and 20.")


@cache
def _hints() -> dict[str, object]:
    return get_type_hints(Settings)


def _check(name: str, value: object, hint: object) -> None:
    """Refuse a value outside its range or its list of words."""
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise InvalidInput(f"{name} must be one of {', '.join(get_args(hint))}.")
    elif hint is bool:
        if not isinstance(value, bool):
            raise InvalidInput(f"{name} must be true or false.")
    elif name in _RANGES:
        low, high = _RANGES[name]
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise InvalidInput(f"{name} must be between {low} and {high}.")


DEFAULT = Settings()
"""The project's rulings."""
