"""What the readings decide that an encounter of Counterblast may choose, in words for players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bot.games.counterblast.state.models import setting_words
from bot.table.encounter import Encounter

ANY_NUMBER = "0..20"
"""Stands for any number from 0 to 20 among the values of a setting."""

NUMBERED: dict[str, tuple[str, ...]] = {
    "lackey_group_max": ("3", ANY_NUMBER),
    "hunting_bonus": ("battle_points", "requisition_points", "victory_points", ANY_NUMBER),
}
"""Settings that may be any number, with their values."""

ABOUT: dict[str, str] = {
    "initiative_check_ability": "what an Initiative check rolls (CB-STAT-06)",
    "advantage_stacks": "several advantages all count (CB-CHECK-07)",
    "shield_ones_cancel": "natural 1s cancel shield successes (CB-SHIELD-02)",
    "disciplined_skill_checks": "Disciplined helps skill checks too (CB-FEAT-21)",
    "quick_shooting": "Quick helps shooting too (CB-FEAT-44)",
    "lackey_group_max": "how many others a Lackey directs (CB-ACT-05)",
    "order_keep_multiplier": "orders a new leader keeps, times INT (CB-ORDER-08)",
    "down_grace": "when an unhealed model is removed (CB-CAS-03)",
    "melee_weapon": "what fights where no weapon is named (CB-FIGHT-01)",
    "melee_teamwork": "the group's +1 in melee (CB-ACT-09)",
    "panicked_bonus_when_defending": "the +1 against Panicked models both ways (CB-FIGHT-12)",
    "melee_dice": "whether the attackers' split is open (CB-FIGHT-03)",
    "dark_long_adds": "dark adds to long range (CB-ENV-01)",
    "crit_damage": "how often critical damage counts (CB-WEAP-15)",
    "bonus_damage": "how often bonus damage counts (CB-WEAP-27)",
    "template_long_penalty": "-1 for round templates at long range (CB-TMPL-05)",
    "panic_target": "what a panic test must reach (CB-PANIC-06)",
    "leader_int_for_eligibility": "the leader's INT excuses from panic tests (CB-PANIC-05)",
    "scary_on": "when a Scary model frightens (CB-FEAT-47)",
    "spot_easy_for": "who makes spotting easier (CB-HIDE-04)",
    "short_jump": "what a jump too short does (CB-MOVE-06)",
    "fire_shrink_per_success": "what a success takes off a fire (CB-BURN-07)",
    "skill_needs_gear": "skill checks need the right gear (CB-SKILL-02)",
    "fled_score": "how models that fled score (CB-SCORE-03)",
    "score_panicked_at_end": "models still Panicked score like fled (CB-SCORE-04)",
    "mighty_from": "lead that makes a Mighty Victory (CB-SCORE-06)",
    "hunting_bonus": "what the Hunting Party takes 10 percent of (CB-SPEC-07)",
    "psionic_template_defense": "whether a free Psionic raises Defense (CB-BUILD-04)",
    "hero_defense_stacks": "Heroes may buy Defense more than once (CB-BUILD-17)",
    "feature_types": "all Features open, or those that blocks prove (CB-BUILD-20)",
    "lazsteel_for": "who may wear LazSteel (CB-GEAR-16)",
    "psi_powers_from": "what gives the number of powers (CB-PSI-01)",
    "psi_text": "which of two texts of a power is played (CB-PSI-06)",
    "lead_helmet_psionic": "the Lead Helmet's dice against psionics (CB-GEAR-18)",
    "minder_keeps": "a taken model stays with its new crew (CB-FEAT-39)",
    "custom_missions": "Colonize and Search and Rescue, of your own making (CB-MISS-01)",
    "objective_points": "objective points plain or percent (CB-MISS-04)",
    "scouting_points": "scouting points plain or percent (CB-MISS-32)",
    "abduction_by": "what subdues the target (CB-MISS-08)",
    "abduction_zone": "the target's holder must be at home (CB-MISS-09)",
    "hero_up_per_game": "what a surviving Hero earns (CB-CAMP-06)",
    "casualty_choice": "who chooses injury or absence (CB-CASU-05)",
    "build_level": "what makes a model's level (CB-SALV-10)",
    "underdog_battle_points": "what an Underdog starts with (CB-UNDER-02)",
}
"""Each setting with what it decides."""


@cache
def choices() -> Sequence[tuple[str, tuple[str, ...], str]]:
    """The settings: key, values with the default first, what it decides."""
    found = {word.key: word.values for word in setting_words()} | NUMBERED
    ordered = [*(key for key in ABOUT if key in found), *(key for key in found if key not in ABOUT)]
    return tuple((key, found[key], ABOUT.get(key, "")) for key in ordered)


def house_rules(encounter: Encounter) -> list[str]:
    """The readings that are not the default ones, each in a line."""
    return [
        f"House rule: {key.replace('_', ' ')} {encounter.setting(key).replace('_', ' ')}"
        for key, values, _ in choices()
        if encounter.setting(key, values[0]) != values[0]
    ]
