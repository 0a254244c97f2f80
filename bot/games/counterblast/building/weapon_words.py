"""Weapons of Counterblast in a line: where they reach, their Power, what else they do."""

from __future__ import annotations

import re

from rules.systems.counterblast.core.profile import Weapon


def weapon_words(weapon: Weapon) -> str:
    """A weapon in one line: where it reaches, its Power, its damage."""
    parts = [f"{weapon.range_inches} in"] if weapon.range_inches else []
    parts += [f"reach {weapon.reach_inches}"] if weapon.reach_inches else []
    parts += ["melee"] if weapon.melee and not weapon.reach_inches else []
    parts += [f"P{weapon.power}"] if weapon.power is not None else []
    parts += [f"damage {weapon.damage}"] if weapon.damage > 1 else []
    parts += [f"short P{weapon.power_short}"] if weapon.power_short else []
    parts += [f"short damage {weapon.damage_short}"] if weapon.damage_short > weapon.damage else []
    parts += [f"template {weapon.template}{weapon.template_inches or ''}"] if weapon.template else []
    parts += [str(weapon.damage_dice)] if weapon.damage_dice else []
    sealed = weapon.sealed_power and weapon.sealed_dice
    parts += [f"sealed suits P{weapon.sealed_power} {weapon.sealed_dice}"] if sealed else []
    parts += further(weapon)
    return f"{weapon.name} ({', '.join(filter(None, parts))})"


def extras(weapon: Weapon) -> list[tuple[str, int]]:
    """What a weapon adds or takes, by what it is added to; 0 where it changes nothing."""
    return [
        ("shield", weapon.shield_modifier),
        *((f"damage vs {kind}", figure) for kind, figure in weapon.bonus_damage),
        ("damage on a critical", weapon.critical_damage),
        ("on a charge", weapon.charge_modifier),
        ("STR dice", weapon.strength_dice),
        ("on STR", weapon.strength_modifier),
    ]


def further(weapon: Weapon) -> list[str]:
    """What a weapon adds or takes, and its special effects."""
    figures = [f"{figure:+d} {what}" for what, figure in extras(weapon) if figure]
    return [*figures, *(re.sub(r"\bemp\b", "EMP", effect.replace("_", " ")) for effect in weapon.effects)]
