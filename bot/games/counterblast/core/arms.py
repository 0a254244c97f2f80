"""Which weapon a model fights or shoots with: as typed, as a small number in rows, as the rules see it."""

from __future__ import annotations

from bot.actions import number_in
from bot.games.counterblast.core.fighters import weapon_named
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.core.weapons import BARE_HANDS, is_working, melee_weapon

FIRST, BARE = 0, -1
"""What serves a model best in its fight, where none was named; no weapon at all; from 1 on those carried."""


def blades(fighter: Fighter) -> tuple[Weapon, ...]:
    """What the model carries that is fit for melee. Rules: CB-FIGHT-01."""
    return tuple(weapon for weapon in fighter.weapons if weapon.melee)


def melee_number(fighter: Fighter, weapon: Weapon | None) -> int:
    """The number of the weapon that was named to fight with, FIRST for none. Raises Forbidden."""
    return FIRST if weapon is None else number_of(fighter, melee_weapon(fighter, weapon.key))


def melee_arm(fighter: Fighter, text: str, chosen: Settings) -> int:
    """The number of the weapon that is meant to fight with; @2 is the second carried.

    Raises InvalidInput, Forbidden.
    """
    if not text:
        return FIRST
    place = number_in(text.replace("@-", "@", 1), "@")
    if place is not None:
        return number_of(fighter, arm_of(fighter, -place if text[1] == "-" else place, chosen))
    if text.casefold() in BARE_HANDS.name.casefold():
        return BARE
    weapon = weapon_named(fighter, text)
    return number_of(fighter, melee_weapon(fighter, weapon.key))


def weapon_said(fighter: Fighter, text: str, *, bare: bool = False) -> Weapon:
    """The weapon of the model that is meant by its name, its key or its place (@2); bare: or its bare hands.

    Raises InvalidInput.
    """
    place = number_in(text, "@")
    if place is not None and 0 < place <= len(fighter.weapons):
        return fighter.weapons[place - 1]
    by_key = next((weapon for weapon in fighter.weapons if weapon.key == text), None)
    if by_key is not None:
        return by_key
    if bare and (text == f"@{BARE}" or text.casefold() in BARE_HANDS.name.casefold()):
        return BARE_HANDS
    return weapon_named(fighter, text)


def firearms(fighter: Fighter) -> tuple[Weapon, ...]:
    """What the model carries that shoots at one target. Rules: CB-SHOOT-01."""
    return tuple(
        weapon
        for weapon in fighter.weapons
        if weapon.template is None and {"direct", "thrown"} & set(weapon.deliveries)
    )


def first_firearm(shooter: Fighter, inches: float = 0) -> Weapon:
    """The first weapon that shoots at one model and reaches so far, else the first. Raises InvalidInput."""
    fit = firearms(shooter)
    if not fit:
        raise InvalidInput(f"{shooter.name} has nothing to shoot with.")
    return next((weapon for weapon in fit if weapon.range_inches >= inches), fit[0])


def launchers(fighter: Fighter) -> tuple[Weapon, ...]:
    """What the model carries that fires templates or is thrown; bombs and bursts are no ranged attacks.

    Rules: CB-OVER-02, CB-TMPL-09.
    """
    return tuple(
        weapon for weapon in fighter.weapons if "template" in weapon.deliveries and weapon.group != "bomb"
    )


def can_shoot(fighter: Fighter) -> bool:
    """Whether the model carries anything that shoots, at a target or as a template. Rules: CB-SHOOT-01."""
    return bool(firearms(fighter) or launchers(fighter))


def number_of(fighter: Fighter, weapon: Weapon) -> int:
    """The number of a weapon that the model carries."""
    if weapon.key == BARE_HANDS.key:
        return BARE
    return next(place for place, own in enumerate(fighter.weapons, 1) if own.key == weapon.key)


def named_arm(fighter: Fighter, number: int) -> Weapon | None:
    """The weapon of that number; None where none was named, so that the fight itself decides."""
    if number == BARE:
        return BARE_HANDS
    return fighter.weapons[number - 1] if 0 < number <= len(fighter.weapons) else None


def arm_of(fighter: Fighter, number: int, chosen: Settings) -> Weapon:
    """The weapon of that number; what the model fights with unless it is named where there is none."""
    if number == BARE:
        return BARE_HANDS
    if 0 < number <= len(fighter.weapons):
        return fighter.weapons[number - 1]
    return melee_weapon(fighter, settings=chosen)


def other_arms(fighter: Fighter, weapon: Weapon) -> tuple[Weapon, ...]:
    """What else the model carries that is fit for melee and works."""
    fit = [own for own in fighter.weapons if own.melee and is_working(fighter, own)]
    return tuple(own for own in fit if own.key != weapon.key)
