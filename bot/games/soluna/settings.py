"""The readings of sol'una that a group chooses: what each decides, its values, and those of an encounter."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bot.table.encounter import ChosenSettings, played_by
from rules.systems.soluna.settings import DEFAULT, DIRECTIONS, KNOCKDOWN, Settings

NUMBERS: dict[str, tuple[int, int]] = {
    "phases_per_turn": (1, 100),
    "cp_default": (0, 20),
    "square_cost": (1, 20),
    "diagonal_cost": (1, 20),
    "debris_cost": (1, 20),
    "stand_up_cost": (0, 20),
    "ranged_min_reach": (1, 3),
    "model_cover_lines": (1, 3),
}

STEEP = ((Fraction(1, 4), 1), (Fraction(1, 2), 2), (Fraction(3, 4), 3), (Fraction(1), 4))
TABLES: dict[str, dict[str, Any]] = {
    "ko_table": {"0 1 2 3": KNOCKDOWN, "1 2 3 4": STEEP},
    "cloud_directions": {
        "1 is north-west": DIRECTIONS,
        "1 is south-west": (*DIRECTIONS[6:], *DIRECTIONS[3:6], *DIRECTIONS[:3]),
    },
}
"""Readings that are tables: the choices offered, the default first."""

ABOUT: dict[str, str] = {
    "phases_per_turn": "phases in a turn (SU-SEQ-01)",
    "action_order": "who acts first in a phase (SU-SEQ-01)",
    "cp_default": "Combat Points of a model that names none (SU-SEQ-03)",
    "cp_refresh": "when Combat Points come back (SU-SEQ-03)",
    "forced_cp_reset": "when forced points are forgotten (SU-CP-02)",
    "square_cost": "speed points for a square (SU-SPEED-01)",
    "diagonal_cost": "speed points for a diagonal square (SU-SPEED-01)",
    "debris_cost": "speed points for debris (SU-SPEED-01)",
    "stand_up_cost": "speed points to stand up, 0: an activation (SU-KO-03)",
    "ranged_min_reach": "least reach of ranged weapons (SU-TGT-04)",
    "visibility_stack": "how bad sight adds up (SU-VIS-07)",
    "hidden_blocks_los": "two blocked lines are no sight at all (SU-LOS-05)",
    "models_block_los": "models block sight lines (SU-LOS-08)",
    "low_power_order": "when low power is halved (SU-PWR-03)",
    "stationary_each": "+2 for each of the two that stand still (SU-ACC-06)",
    "melee_simultaneous": "who falls in a melee still strikes (SU-MELEE-01)",
    "single_square_any_face": "every face strikes a single square (SU-GRID-03)",
    "ignored_shield_transfers": "hits on an unused Shield pass on (SU-GRID-04)",
    "mid_attack_transfer": "points left over pass on (SU-GRID-04)",
    "protect_self": "Body and Shield protect themselves (SU-DMG-04)",
    "mode_test_trade_dice": "dice for flips in knockdown tests (SU-MODE-02)",
    "ko_dice": "dice of a knockdown test (SU-KO-01)",
    "ko_both": "tests when Mind and Health are hit (SU-KO-01)",
    "ko_base": "what the part lost is measured by (SU-KO-02)",
    "ko_table": "difficulty by quarters lost (SU-KO-02)",
    "grapple_tie": "who wins equal groups (SU-GRAP-01)",
    "cover_front_corner": "whose front corner counts for cover (SU-COV-01)",
    "cover_touch": "what gives cover (SU-COV-01)",
    "cover_combine": "several pieces of cover (SU-COV-03)",
    "model_cover_lines": "lines a model must block to be cover (SU-COV-05)",
    "cover_protects_itself": "cover's Body protects it (SU-COV-07)",
    "burst_even_offset": "where even bursts grow (SU-BURST-01)",
    "corridor_length": "how long a corridor is (SU-CORR-01)",
    "fan_profile": "how a fan widens (SU-FAN-01)",
    "star_shape": "shape of a star burst (SU-STAR-01)",
    "pulse_hits_origin": "a pulse strikes its origin (SU-PULSE-01)",
    "cloud_first_phase": "the phase of placement counts (SU-CLOUD-01)",
    "cloud_directions": "where drift rolls point (SU-CLOUD-02)",
    "smoke_factor": "what smoke does to sight (SU-CLOUD-03)",
    "long_reach_option": "attacks beyond Reach (SU-OPT-01)",
}
"""Each setting with what it decides."""


@cache
def setting_words() -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """The settings: key, values with the default first, what it decides."""
    hints = get_type_hints(Settings)
    found = []
    for part in fields(Settings):
        default = getattr(DEFAULT, part.name)
        if part.name in TABLES:
            values = tuple(TABLES[part.name])
        elif hints[part.name] is bool:
            values = ("on", "off") if default else ("off", "on")
        elif part.name in NUMBERS:
            low, high = NUMBERS[part.name]
            values = (str(default), f"{low}..{high}")
        else:
            assert get_origin(hints[part.name]) is Literal, part.name
            values = (default, *(one for one in get_args(hints[part.name]) if one != default))
        found.append((part.name, values, ABOUT[part.name]))
    return tuple(found)


@played_by
def settings_of(chosen: ChosenSettings) -> Settings:
    """The readings by which this encounter plays."""
    hints = get_type_hints(Settings)
    values: dict[str, Any] = {}
    for key, word in chosen:
        if key in TABLES:
            values[key] = TABLES[key][word]
        elif key in NUMBERS:
            values[key] = int(word)
        elif key in hints:
            values[key] = word == "on" if hints[key] is bool else word
    return Settings(**values)
