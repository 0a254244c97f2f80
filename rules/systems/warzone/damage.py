"""Damage: armour saves, wounds, margins, and terrain as a target.

Owns the save and what wounds do to a model; what a failed save does inside a vehicle stands in `vehicles`.
"""

from __future__ import annotations

from functools import cache

from rules.dice import Dice, Die, Facet
from rules.effects import Effect, Harm, Leave, Propose
from rules.modifiers import Modifier, total
from rules.systems.warzone.model import SYSTEM, Condition, Model
from rules.systems.warzone.morale import unhinged_modifier
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import SIDES, Obstacle


@cache
def save_die(limit: int) -> Die:
    """The d20 of an armour save, with the tally `wounds`.

    limit: AR less DM. Equal or under saves, a natural 1 always saves, a natural 20 is nothing special.
    Rules: WZ-DMG-01 to WZ-DMG-03.
    """
    faces = range(1, SIDES + 1)
    saved, wound = Facet("saved", (0,)), Facet("wound", (1,))
    return Die(("wounds",), tuple(saved if face == 1 or face <= limit else wound for face in faces))


def saves(dice: Dice, hits: int, ar: int, dm: int, *, label: str = "armour") -> int:
    """Armour saves for `hits` hits of `dm` against `ar`; gives the wounds. Rules: WZ-DMG-01 to WZ-DMG-04."""
    return dice.pool(hits, save_die(ar - dm), label)[0] if hits > 0 else 0


def margin(face: int, ar: int, dm: int) -> int:
    """By how much a save fails: 1 or more; 0 or less where it did not. Rules: WZ-DMG-05."""
    return 0 if face == 1 else face - (ar - dm)


def armour_modifiers(model: Model, settings: Settings) -> tuple[Modifier, ...]:
    """What changes a model's AR: structural hits, a reckless rampage, an unhinged result.

    Rules: WZ-SYS-07, WZ-RAMP-01, WZ-UNH-04, WZ-UNH-05.
    """
    modifiers = []
    if hits := model.count(SYSTEM.of("structural")):
        modifiers.append(Modifier(-5 * hits, f"structural damage x{hits}", "WZ-SYS-07"))
    if model.has(Condition.RECKLESS):
        modifiers.append(Modifier(-3, "reckless rampage", "WZ-RAMP-01"))
    unhinged = unhinged_modifier(model)
    if unhinged and settings.unhinged_armour:
        modifiers.append(unhinged)
    return tuple(modifiers)


def armour(model: Model, settings: Settings) -> int:
    """The model's AR as it stands now."""
    return model.profile.ar + total(armour_modifiers(model, settings))


def damage_modifiers(
    weapon: Weapon, attacker: Model, target: Model | None, settings: Settings, *, from_rear: bool = False
) -> tuple[Modifier, ...]:
    """What is added to the weapon's DM: ST in close combat, +3 with AV at the rear of a vehicle.

    from_rear: the attack comes from the target's rear arc. Rules: WZ-DMG-07, WZ-VEH-01.
    """
    modifiers = []
    if weapon.has("close") and settings.cc_adds_st and not weapon.has("natural"):
        modifiers.append(Modifier(attacker.profile.st, "strength", "WZ-DMG-07"))
    if from_rear and weapon.av and target is not None and target.vehicle:
        modifiers.append(Modifier(3, "AV weapon from the rear", "WZ-VEH-01"))
    return tuple(modifiers)


def after_wounds(model: Model, wounds: int) -> tuple[Effect, ...]:
    """The model loses wounds; at 0 it is removed, and a vehicle becomes a wreck. Rules: WZ-DMG-04."""
    taken = min(wounds, model.wounds_left)
    if taken < 1:
        return ()
    harm = Harm(model.id, taken)
    if taken < model.wounds_left:
        return (harm,)
    if model.vehicle:
        wrecked = Propose("wreck", model.id, f"{model.name} is wrecked: roll for the wreck.")
        return (harm, Leave(model.id, "wrecked"), wrecked)
    return (harm, Leave(model.id, "casualty"))


def obstacle_wounds(wounds: int, weapon: Weapon, obstacle: Obstacle, settings: Settings) -> int:
    """Wounds that failed saves take off terrain: more each with a listed damage type.

    Terrain is hit automatically: see `attacks.Attack.automatic`. Rules: WZ-TERRAIN-02.
    """
    listed = set(weapon.types) & set(obstacle.types)
    return wounds * (settings.terrain_extra_damage if listed else 1)


def blocks_shots(obstacle: Obstacle, settings: Settings) -> bool:
    """Whether nobody may fire across it; by default it is hard cover. Rules: WZ-TERRAIN-03."""
    return obstacle.impenetrable and settings.impenetrable == "no_shots"
