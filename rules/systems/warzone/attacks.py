"""The attack as one rule: d20s against a limit, an armour save for each hit, wounds; terrain as a target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rules.dice import Dice, Die, Facet
from rules.effects import Effect, Gain, Harm, Leave, Lose, Propose
from rules.modifiers import Modifier, total
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import SYSTEM_HITS, Condition, Model
from rules.systems.warzone.morale import unhinged_modifier
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import SIDES, Obstacle


@cache
def save_die(limit: int) -> Die:
    """Return the d20 of an armour save, with the tally `wounds`.

    limit: AR less DM. Equal or under saves, a natural 1 always saves, a natural 20 is nothing special.
    Rules: WZ-DMG-01 to WZ-DMG-03.
    """
    faces = range(1, SIDES + 1)
    saved, wound = Facet("saved", (0,)), Facet("wound", (1,))
    return Die(("wounds",), tuple(saved if face == 1 or face <= limit else wound for face in faces))


def saves(dice: Dice, hits: int, ar: int, dm: int, *, label: str = "armour") -> int:
    """Roll armour saves of `hits` hits of `dm` against `ar`: the wounds. Rules: WZ-DMG-01 to WZ-DMG-04."""
    return dice.pool(hits, save_die(ar - dm), label)[0] if hits > 0 else 0


def save_margin(face: int, ar: int, dm: int) -> int:
    """Return by how much a save fails: 1 or more, or 0 or less if it succeeds. Rules: WZ-DMG-05."""
    return 0 if face == 1 else face - (ar - dm)


def armour_modifiers(model: Model, settings: Settings) -> tuple[Modifier, ...]:
    """Return the changes of a model's AR: structural hits, a reckless rampage, an unhinged result.

    Rules: WZ-SYS-07, WZ-RAMP-01, WZ-UNH-04, WZ-UNH-05.
    """
    modifiers = []
    if hits := model.count(SYSTEM_HITS.of("structural")):
        modifiers.append(Modifier(-5 * hits, f"structural damage x{hits}", "WZ-SYS-07"))
    if model.has(Condition.RECKLESS):
        modifiers.append(Modifier(-3, "reckless rampage", "WZ-RAMP-01"))
    unhinged = unhinged_modifier(model)
    if unhinged and settings.unhinged_armour:
        modifiers.append(unhinged)
    return tuple(modifiers)


def armour(model: Model, settings: Settings) -> int:
    """Return the model's AR as it stands now."""
    return model.profile.ar + total(armour_modifiers(model, settings))


def damage_modifiers(
    weapon: Weapon, attacker: Model, target: Model | None, settings: Settings, *, from_rear: bool = False
) -> tuple[Modifier, ...]:
    """Return what is added to the weapon's DM: ST in close combat, +3 with AV at the rear of a vehicle.

    from_rear: the attack comes from the target's rear arc. Rules: WZ-DMG-07, WZ-VEH-01.
    """
    modifiers = []
    if weapon.has("close") and settings.cc_adds_st and not weapon.has("natural"):
        modifiers.append(Modifier(attacker.profile.st, "strength", "WZ-DMG-07"))
    if from_rear and weapon.av and target is not None and target.vehicle:
        modifiers.append(Modifier(3, "AV weapon from the rear", "WZ-VEH-01"))
    return tuple(modifiers)


def after_wounds(model: Model, wounds: int) -> tuple[Effect, ...]:
    """Apply wounds; at 0 the model is removed, and a vehicle becomes a wreck. Rules: WZ-DMG-04."""
    wounds_taken = min(wounds, model.wounds_left)
    if wounds_taken < 1:
        return ()
    harm_effect = Harm(model.id, wounds_taken)
    if wounds_taken < model.wounds_left:
        return (harm_effect,)
    if model.vehicle:
        wreck_proposal = Propose("wreck", model.id, f"{model.name} is wrecked. Roll for the wreck.")
        return (harm_effect, Leave(model.id, "wrecked"), wreck_proposal)
    return (harm_effect, Leave(model.id, "casualty"))


def obstacle_wounds(wounds: int, weapon: Weapon, obstacle: Obstacle, settings: Settings) -> int:
    """Return the wounds that failed saves take off terrain: more each with a listed damage type.

    Terrain is hit automatically: see `attacks.Attack.automatic`. Rules: WZ-TERRAIN-02.
    """
    matching_types = set(weapon.types) & set(obstacle.types)
    return wounds * (settings.terrain_extra_damage if matching_types else 1)


def blocks_shots(obstacle: Obstacle, settings: Settings) -> bool:
    """Return whether no one may fire across it; by default that is hard cover. Rules: WZ-TERRAIN-03."""
    return obstacle.impenetrable and settings.impenetrable == "no_shots"


FUMBLE_MODIFIER = -4
"""On the next attack roll after a natural 20."""

CRITICAL_DM = 4
"""DM that a natural 1 adds to a shot."""


@dataclass(frozen=True, slots=True)
class Attack:
    """The numbers of one attack action.

    shots: attack rolls, 1 or more. limit: what each must not exceed, without the penalty after a fumble.
    dm, ar: of the hit and of the target. hits: separate hits of each success. critical_dm: added to DM on a
    natural 1. fumbled: the attacker's last attack roll was a natural 20. automatic: no attack roll is made.
    """

    shots: int
    limit: int
    dm: int
    ar: int
    hits: int = 1
    critical_dm: int = CRITICAL_DM
    fumbled: bool = False
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class AttackResult:
    """Successes (critical ones among them), critical ones, wounds, and whether the last roll was a fumble."""

    hits: int
    criticals: int
    wounds: int
    fumbled: bool


def attack_roll(dice: Dice, limit: int, fumbled: int, label: str = "attack") -> Grade:
    """Make one attack roll; `fumbled` (0 or 1) lowers it by 4. Rules: WZ-RC-01, WZ-CC-01, WZ-CRIT-04."""
    return check(dice, limit + FUMBLE_MODIFIER * fumbled, label=label)


def attack_rolls(dice: Dice, shots: int, limit: int, fumbled: int) -> tuple[int, int, int]:
    """Attack rolls one after another: successes, critical ones among them, 1 when the last was a fumble.

    A natural 20 lowers the roll after it by 4. Rules: WZ-RC-01, WZ-CRIT-01, WZ-CRIT-04, WZ-RC-12, WZ-CC-07.
    """
    hits = criticals = 0
    if shots > 1:
        # totalled once: equal tallies of the earlier shots merge, and the trace gets no heading per shot
        hits, criticals, fumbled = dice.total(1, attack_rolls, shots - 1, limit, fumbled)
    grade = attack_roll(dice, limit, fumbled)
    return hits + grade.passed, criticals + (grade is Grade.CRITICAL), int(grade is Grade.FUMBLE)


def attack(dice: Dice, numbers: Attack) -> AttackResult:
    """Attack rolls, then an armour save for every hit; critical hits are saved for apart.

    Rules: WZ-RC-01, WZ-CC-01, WZ-CRIT-01, WZ-CRIT-03, WZ-CRIT-04, WZ-DMG-01, WZ-DMG-06.
    """
    if numbers.automatic:
        hits, criticals, fumbled = numbers.shots, 0, int(numbers.fumbled)
    else:
        hits, criticals, fumbled = dice.call(attack_rolls, numbers.shots, numbers.limit, int(numbers.fumbled))
    plain_hits = (hits - criticals) * numbers.hits
    wounds = saves(dice, plain_hits, numbers.ar, numbers.dm)
    critical_hits = criticals * numbers.hits
    wounds += saves(
        dice, critical_hits, numbers.ar, numbers.dm + numbers.critical_dm, label="armour, critical"
    )
    return AttackResult(hits, criticals, wounds, bool(fumbled))


def after_attack_roll(attacker: Model, *, fumbled: bool) -> tuple[Effect, ...]:
    """Mark a fumble until the next attack roll. Rules: WZ-CRIT-04."""
    if fumbled:
        return (Gain(attacker.id, Condition.FUMBLED, 0, "its next attack roll"),)
    return (Lose(attacker.id, Condition.FUMBLED),) if attacker.has(Condition.FUMBLED) else ()
