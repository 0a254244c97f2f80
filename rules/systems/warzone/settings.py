"""Warzone's readings: which of several readings of the sheets a table plays by.

Owns the frozen `Settings` and how a setting is typed; every default is the reading that the ledger rules.
It decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Literal, get_args, get_type_hints

from rules.refusals import InvalidInput

Rounding = Literal["none", "up", "down"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The house readings of one encounter.

    Tests: `opposition_tie` re-rolls equal totals or gives them to the passive side (WZ-TEST-05);
    `initiative_choice` lets the winner name who starts (WZ-TURN-02); `squad_order` is how the models of a
    squad act (WZ-TURN-03).

    Shooting: `missing_band` is what a band without a number means (WZ-RANGE-03); `cover_stacks` adds all
    covers instead of the worst (WZ-RC-03); `standing_arc` is the arc in degrees of standing models
    (WZ-RC-13); `aim_duration` (WZ-AIM-01); `partial_cover_counts` puts models half under a template under
    it (WZ-TMPL-01); `deviation_direction` is the die of the direction (WZ-DEV-01).

    Close combat: `cc_crit_dm` is the DM of a natural 1 there (WZ-CRIT-03); `cc_adds_st` (WZ-DMG-07);
    `charge_includes_attack` and `charge_bonus_scope` (WZ-CC-03); `wall_rounding` (WZ-CC-11);
    `half_cc_rounding` (WZ-PRES-02); `breakaway_includes_move` (WZ-BREAK-01).

    Moving: `limiting_terrain_foot` (WZ-TERR-06); `half_mv_rounding` (WZ-TERR-07); `mp_move_percent` is the
    share of MV that a model minimizing presence moves (WZ-MOVE-01); `jump_down_damage` (WZ-JUMP-04);
    `fall_multiplier` (WZ-FALL-01); `fall_prone` (WZ-FALL-02); `out_of_command` (WZ-CMD-04).

    Spotting and waiting: `spot_stat` (WZ-SPOT-01); `spotted_until` (WZ-SPOT-04); `react_countercharge`,
    `react_brace` and `react_withdraw` allow these reactions (WZ-WAIT-04).

    Powers: `channel_test` takes the magnitude off PW or tests PW as it is (WZ-POW-01); `channel_fail_cost`
    (WZ-POW-02); `backlash_trigger` (WZ-BACK-01).

    Nerves: `unhinged_trigger` (WZ-MORALE-03); `rally_unhinged_to` (WZ-RALLY-01); `unhinged_armour` counts
    armour saves among the rolls that -8 and -6 lower (WZ-UNH-04); `rampage_trigger` (WZ-RAMP-01).

    Vehicles and things: `rear_arc` in degrees (WZ-VEH-01); `weapon_failure_stacks` (WZ-SYS-03);
    `chain_reroll` (WZ-SYS-08); `wreck_order` (WZ-WRECK-04); `terrain_extra_damage` is the wounds of a hit of
    a listed damage type (WZ-TERRAIN-02); `impenetrable` (WZ-TERRAIN-03).
    """

    opposition_tie: Literal["reroll", "defender"] = "reroll"
    initiative_choice: bool = False
    squad_order: Literal["one_by_one", "together"] = "one_by_one"

    missing_band: Literal["forbidden", "zero"] = "forbidden"
    cover_stacks: bool = False
    standing_arc: int = 360
    aim_duration: Literal["activation", "next_shot"] = "activation"
    partial_cover_counts: bool = True
    deviation_direction: Literal["clock12", "compass8", "degrees"] = "clock12"

    cc_crit_dm: int = 0
    cc_adds_st: bool = True
    charge_includes_attack: bool = False
    charge_bonus_scope: Literal["first_attack", "activation"] = "first_attack"
    wall_rounding: Literal["up", "down"] = "up"
    half_cc_rounding: Literal["up", "down"] = "up"
    breakaway_includes_move: bool = False

    limiting_terrain_foot: Literal["crossing", "normal"] = "crossing"
    half_mv_rounding: Rounding = "none"
    mp_move_percent: int = 100
    jump_down_damage: Literal["always", "on_fail"] = "always"
    fall_multiplier: Literal["hits", "product"] = "hits"
    fall_prone: bool = True
    out_of_command: Literal["must_return", "mark_only"] = "must_return"

    spot_stat: Literal["LD", "RC"] = "LD"
    spotted_until: Literal["reconceal", "turn_end"] = "reconceal"
    react_countercharge: bool = True
    react_brace: bool = True
    react_withdraw: bool = True

    channel_test: Literal["pw_minus_magnitude", "pw"] = "pw_minus_magnitude"
    channel_fail_cost: Literal["one", "full"] = "one"
    backlash_trigger: Literal["natural_20", "any_failure"] = "natural_20"

    unhinged_trigger: Literal["fail_while_broken", "natural_20"] = "fail_while_broken"
    rally_unhinged_to: Literal["broken", "panicked", "normal"] = "broken"
    unhinged_armour: bool = True
    rampage_trigger: Literal["manual", "no_domination"] = "manual"

    rear_arc: int = 90
    weapon_failure_stacks: bool = True
    chain_reroll: Literal["d20", "same_margin"] = "d20"
    wreck_order: Literal["passengers_first", "hull_first"] = "passengers_first"
    terrain_extra_damage: int = 2
    impenetrable: Literal["hard_cover", "no_shots"] = "hard_cover"

    def __post_init__(self) -> None:
        for name, kind in choices().items():
            value = getattr(self, name)
            if isinstance(kind, range):
                if type(value) is not int or value not in kind:
                    raise InvalidInput(
                        f"{name} must be between {kind.start} and {kind.stop - 1} (you entered {value})."
                    )
            elif value not in kind:
                raise InvalidInput(
                    f"{name} must be {' or '.join(map(_format_value, kind))} "
                    f"(you entered {_format_value(value)})."
                )


_NUMBERS = {
    "standing_arc": range(1, 361),
    "cc_crit_dm": range(21),
    "mp_move_percent": range(101),
    "rear_arc": range(1, 361),
    "terrain_extra_damage": range(1, 11),
}


def _format_value(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@cache
def choices() -> dict[str, range | tuple[str, ...] | tuple[bool, ...]]:
    """Return the possible values of each setting: a range of whole numbers, or the values to choose from."""
    hints = get_type_hints(Settings)
    result: dict[str, range | tuple[str, ...] | tuple[bool, ...]] = {}
    for field in fields(Settings):
        if field.name in _NUMBERS:
            result[field.name] = _NUMBERS[field.name]
        elif hints[field.name] is bool:
            result[field.name] = (False, True)
        else:
            result[field.name] = get_args(hints[field.name])
    return result


def with_setting(settings: Settings, name: str, text: str) -> Settings:
    """Return the settings with one of them changed as typed; yes and no for switches. Raises InvalidInput."""
    known_choices = choices()
    if name not in known_choices:
        raise InvalidInput(f"There is no house rule called {name}.")
    kind = known_choices[name]
    text = text.strip()
    value: object = text
    if isinstance(kind, range):
        if not (text.isascii() and text.isdigit() and len(text) < 5):
            raise InvalidInput(
                f"{name} must be between {kind.start} and {kind.stop - 1} (you entered {text[:20]})."
            )
        value = int(text)
    elif kind == (False, True):
        value = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}.get(
            text.lower(), text
        )
    else:
        value = next((word for word in kind if str(word).lower() == text.lower()), text)
    changes: Mapping[str, object] = {name: value}
    return replace(settings, **changes)  # type: ignore[arg-type]
