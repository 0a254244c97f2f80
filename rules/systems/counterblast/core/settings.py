"""Counterblast's readings: which of several readings of its text a table plays by.

Owns the frozen `Settings`; every default is the reading that the ledger rules. It decides nothing itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.refusals import InvalidInput


@dataclass(frozen=True, slots=True)
class Settings:
    """The house readings of one encounter.

    Checks: `initiative_check_ability` is what an Initiative check rolls (CB-STAT-06); `advantage_stacks` adds
    all advantages and disadvantages up, without it at most one of each counts (CB-CHECK-07);
    `shield_ones_cancel` lets natural 1s cancel shield successes (CB-SHIELD-02); `disciplined_skill_checks`
    and `quick_shooting` widen those Features to skill checks and to shooting (CB-FEAT-21, CB-FEAT-44).

    Turn: `turns` is the game's length (CB-TURN-01); `lackey_group_max` how many other Lackeys a Lackey
    directs (CB-ACT-05); `order_keep_multiplier` what a new leader keeps, times INT (CB-ORDER-08);
    `down_grace` when an unhealed model is removed (CB-CAS-03).

    Fighting: `melee_weapon` is what a model fights with unless it is named: what serves it best in this
    fight, or the first carried that is fit for melee (CB-FIGHT-01);
    `melee_teamwork` gives the group's +1 in melee (CB-ACT-09);
    `panicked_bonus_when_defending` makes the +1 against Panicked models two-way (CB-FIGHT-12); `melee_dice`
    keeps the attackers' split hidden until the defender has split too, instead of open (CB-FIGHT-03);
    `dark_long_adds` adds the dark's penalty to that of long range (CB-ENV-01); `crit_damage` and
    `bonus_damage` say how often extra damage counts (CB-WEAP-15, CB-WEAP-27); `template_long_penalty` adds
    -1 to round templates at long range (CB-TMPL-05).

    Nerves: `panic_target` is the Panic Level or 7 (CB-PANIC-06); `leader_int_for_eligibility` lets the
    leader's INT excuse from the test (CB-PANIC-05); `scary_on` says what makes a Scary model frighten
    (CB-FEAT-47); `spot_easy_for` who makes spotting easier (CB-HIDE-04).

    Ground: `short_jump` is what a jump too short does (CB-MOVE-06); `fire_shrink_per_success` what one
    success takes off a fire (CB-BURN-07); `skill_needs_gear` forbids skill checks without gear (CB-SKILL-02).

    Score: `fled_score` and `score_panicked_at_end` value the fled (CB-SCORE-03, CB-SCORE-04); `mighty_from`
    is the lead that makes a Mighty Victory (CB-SCORE-06); `hunting_bonus` is the base of the Hunting Party's
    10 percent, or points entered by hand (CB-SPEC-07).

    Building: `psionic_template_defense` says whether a free Psionic raises the printed Defense (CB-BUILD-04);
    `hero_defense_stacks` lets Heroes buy Defense more than once (CB-BUILD-17); `feature_types` whether all
    Features are open or only those that printed blocks prove (CB-BUILD-20); `lazsteel_for` who may wear
    LazSteel (CB-GEAR-16).

    Psionics: `psi_powers_from` is what gives the number of powers (CB-PSI-01); `psi_text` which of two texts
    of a power is played (CB-PSI-06); `lead_helmet_psionic` the helmet's shield dice against psionics
    (CB-GEAR-18); `minder_keeps` lets a taken model stay with its new crew after the encounter (CB-FEAT-39).

    Missions: `custom_missions` offers Colonize and Search and Rescue, which the group makes up itself
    (CB-MISS-01); `objective_points` and `scouting_points` are plain numbers or percentages (CB-MISS-04,
    CB-MISS-32); `abduction_by` says what subdues the target (CB-MISS-08), `abduction_zone` whether its holder
    must be at home (CB-MISS-09).

    Campaign: `hero_up_per_game` is what a surviving Hero earns (CB-CAMP-06); `casualty_choice` who chooses
    between injury and absence (CB-CASU-05); `build_level` what makes a model's level (CB-SALV-10);
    `underdog_battle_points` what an Underdog starts with (CB-UNDER-02).
    """

    initiative_check_ability: Literal["AGL", "INT"] = "AGL"
    advantage_stacks: bool = True
    shield_ones_cancel: bool = False
    disciplined_skill_checks: bool = False
    quick_shooting: bool = False

    turns: int = 8
    lackey_group_max: int = 3
    order_keep_multiplier: Literal[1, 2] = 1
    down_grace: Literal["same_turn", "next_turn"] = "same_turn"

    melee_weapon: Literal["best", "first"] = "best"
    melee_teamwork: bool = True
    panicked_bonus_when_defending: bool = False
    melee_dice: Literal["open", "hidden"] = "open"
    dark_long_adds: bool = True
    crit_damage: Literal["per_die", "per_attack"] = "per_die"
    bonus_damage: Literal["per_attack", "per_success", "to_hit"] = "per_attack"
    template_long_penalty: bool = False

    panic_target: Literal["level", "7"] = "level"
    leader_int_for_eligibility: bool = False
    scary_on: Literal["charge", "contact"] = "charge"
    spot_easy_for: Literal["spotter", "hidden"] = "spotter"

    short_jump: Literal["stay", "fall"] = "stay"
    fire_shrink_per_success: Literal["diameter", "radius"] = "diameter"
    skill_needs_gear: bool = False

    fled_score: Literal["half_total", "half_each", "full"] = "half_total"
    score_panicked_at_end: bool = True
    mighty_from: Literal[5, 6] = 6
    hunting_bonus: Literal["battle_points", "requisition_points", "victory_points"] | int = "battle_points"

    psionic_template_defense: Literal["printed", "plus1"] = "printed"
    hero_defense_stacks: bool = True
    feature_types: Literal["open", "proven"] = "open"
    lazsteel_for: Literal["all", "gcw"] = "all"

    psi_powers_from: Literal["rating", "int"] = "rating"
    psi_text: Literal["summary", "prose"] = "summary"
    lead_helmet_psionic: Literal[2, 3] = 2
    minder_keeps: bool = True

    custom_missions: bool = False
    objective_points: Literal["flat", "percent"] = "flat"
    scouting_points: Literal["per_success", "percent"] = "per_success"
    abduction_by: Literal["last_life_by_melee", "last_life", "any_melee"] = "last_life_by_melee"
    abduction_zone: bool = True

    hero_up_per_game: Literal[2, 1] = 2
    casualty_choice: Literal["roll", "choose"] = "roll"
    build_level: Literal["points", "rank"] = "points"
    underdog_battle_points: Literal[10, 1] = 10

    def __post_init__(self) -> None:
        if not 1 <= self.turns <= 50:
            raise InvalidInput(f"A game must last 1 to 50 turns (you entered {self.turns}).")
        if not 0 <= self.lackey_group_max <= 20:
            raise InvalidInput(f"A Lackey can direct 0 to 20 others (you entered {self.lackey_group_max}).")


DEFAULTS = Settings()
"""The ledger's readings."""
