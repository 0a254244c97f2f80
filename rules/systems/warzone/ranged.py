"""Shooting: range bands, every modifier of a shot with its reason, aiming, and the shots' consequences.

Prepares the numbers of `attacks.attack`; template weapons use the same numbers in `templates`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.effects import Count, Effect, Gain, Lose
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.attacks import FUMBLE_MODIFIER, Attack, after_attack_roll, armour, damage_modifiers
from rules.systems.warzone.model import ATTACKS, SPOTTED_BY, SYSTEM_HITS, Condition, Model
from rules.systems.warzone.morale import Act, check_may_act, state_modifiers
from rules.systems.warzone.profile import BANDS, Band, Weapon
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import Obstacle

Cover = Literal["obscured", "soft", "hard", "impenetrable"]
"""impenetrable: behind an obstacle of that property; hard cover, unless a setting forbids such shots."""

MINIMIZED_ARC = 90
FRIENDS_GAP = 1

_LIMITS: tuple[tuple[Band, int], ...] = (("PB", 6), ("SR", 12), ("MR", 24), ("LR", 36), ("ER", 48))
_COVER_MODIFIERS: dict[Cover, tuple[int, str]] = {
    "hard": (-3, "target in hard cover"),
    "soft": (-2, "target in soft cover"),
    "obscured": (-1, "target within 4 in of an obscurement"),
    "impenetrable": (-3, "target behind an impenetrable obstacle"),
}
_WORST_FIRST: tuple[Cover, ...] = ("impenetrable", "hard", "soft", "obscured")


def band_of(distance_inches: float) -> Band | Literal["CC"]:
    """Return the range band of a distance in inches, 0 for base contact; a limit belongs to the nearer
    band.

    Raises InvalidInput below 0, Forbidden beyond 48. Rules: WZ-RANGE-01.
    """
    if not distance_inches >= 0:
        raise InvalidInput("The distance can't be less than 0 inches.")
    if distance_inches == 0:
        return "CC"
    for band, limit in _LIMITS:
        if distance_inches <= limit:
            return band
    raise Forbidden(f"{distance_inches:g} in is out of range. The longest range is 48 in.", "WZ-RANGE-01")


@dataclass(frozen=True, slots=True)
class Shot:
    """A ranged attack as the table sees it.

    distance_inches: 0 is base contact. covers: what the target is in. smoke: levels of the smoke templates
    that the line of sight touches. angle_degrees: the target's bearing off the firer's front, 0 to 180.
    gunner: the firer serves a weapon of its own mount or of a vehicle. from_rear: the shot comes from the
    target vehicle's rear arc. enemy_in_sight: the firer sees an enemy. gap_inches: the narrowest
    gap between friends through which it fires, None for none.
    """

    firer: Model
    target: Model
    weapon: Weapon
    distance_inches: float
    covers: frozenset[Cover] = frozenset()
    smoke: tuple[int, ...] = ()
    angle_degrees: int = 0
    gunner: bool = False
    from_rear: bool = False
    enemy_in_sight: bool = True
    gap_inches: float | None = None


def in_rear_arc(angle_degrees: float, settings: Settings) -> bool:
    """Return whether an attacker at this bearing (0 is the front, 180 the back) is behind the vehicle.

    Rules: WZ-VEH-01.
    """
    return 180 - abs((angle_degrees + 180) % 360 - 180) <= settings.rear_arc / 2


def arc_of(model: Model, settings: Settings) -> int:
    """Return the model's firing arc in degrees; 0 if it is prone. Rules: WZ-RC-13, WZ-PRES-01, WZ-PRES-02."""
    if model.has(Condition.PRONE):
        return 0
    return MINIMIZED_ARC if model.has(Condition.MINIMIZED) else settings.standing_arc


def may_act_on(model: Model, target: Model) -> bool:
    """Return whether the target is not concealed, or was spotted for the model's unit. Rules: WZ-SPOT-04."""
    return not target.has(Condition.CONCEALED) or target.count(SPOTTED_BY.of(model.squad)) > 0


def check_shot(shot: Shot, settings: Settings) -> None:
    """Raise Forbidden where the firer may not take this shot.

    Rules: WZ-RC-09, WZ-RC-13, WZ-RC-14, WZ-SPOT-06, WZ-SPACE-03, WZ-RANGE-03, WZ-TERRAIN-03.
    """
    firer, target = shot.firer, shot.target
    check_may_act(firer, Act.SHOOT)
    if firer.has(Condition.PRONE):
        raise Forbidden(f"{firer.name} is prone and can't shoot. Stand up first.", "WZ-RC-09")
    if not may_act_on(firer, target):
        raise Forbidden(f"{target.name} is concealed. Spot it first.", "WZ-RC-14")
    if "impenetrable" in shot.covers and settings.impenetrable == "no_shots":
        raise Forbidden(
            "Under your house rules, models can't shoot past an impenetrable obstacle.", "WZ-TERRAIN-03"
        )
    if not 0 <= shot.angle_degrees <= 180:
        raise InvalidInput("The angle from the front must be between 0 and 180 degrees.")
    arc = arc_of(firer, settings)
    if 2 * shot.angle_degrees > arc:
        raise Forbidden(
            (
                f"{firer.name} can shoot up to {arc / 2:g} degrees to either side of its front, but "
                f"{target.name} is at {shot.angle_degrees} degrees."
            ),
            "WZ-RC-13",
        )
    if shot.gap_inches is not None and shot.gap_inches < FRIENDS_GAP:
        raise Forbidden(
            "You can only shoot between two friends if the gap is at least 1 in wide.", "WZ-SPACE-03"
        )
    if any(not 0 <= level <= 20 for level in shot.smoke):
        raise InvalidInput("The smoke level must be between 0 and 20.")


def band_modifier(weapon: Weapon, distance_inches: float, settings: Settings) -> Modifier:
    """Return the weapon's modifier at this distance. Raises Forbidden. Rules: WZ-RANGE-01 to WZ-RANGE-03."""
    band = band_of(distance_inches)
    if band == "CC":
        raise Forbidden("Fight in close combat instead. A model in base contact can't shoot.", "WZ-RANGE-01")
    amount = weapon.bands[BANDS.index(band)]
    if amount is None:
        if settings.missing_band == "forbidden":
            raise Forbidden(
                f"{weapon.name} has no value for {band}, so it can't shoot at that range.", "WZ-RANGE-03"
            )
        amount = 0
    return Modifier(amount, f"{weapon.name} at {band}", "WZ-RANGE-02")


def cover_modifiers(covers: frozenset[Cover], settings: Settings) -> list[Modifier]:
    """Return the penalties of the target's cover to RC: the worst, or all; hard cover counts once.

    Rules: WZ-RC-03, WZ-TERRAIN-03.
    """
    counted_covers = covers - {"hard"} if "impenetrable" in covers else covers
    parts = [
        Modifier(*_COVER_MODIFIERS[cover], "WZ-RC-03") for cover in _WORST_FIRST if cover in counted_covers
    ]
    return parts if settings.cover_stacks else parts[:1]


def rate_of_fire(weapon: Weapon, distance_inches: float) -> int:
    """Return shots of one action at this distance. Rules: WZ-RC-02."""
    band = band_of(distance_inches)
    return weapon.rof if band == "CC" else weapon.band_rof[BANDS.index(band)] or weapon.rof


def shot_modifiers(shot: Shot, settings: Settings) -> tuple[Modifier, ...]:
    """Return every modifier on RC for this shot; that after a fumble counts for the first roll only.

    Raises Forbidden where the shot may not be taken. Rules: WZ-RANGE-02, WZ-RC-03 to WZ-RC-13.
    """
    check_shot(shot, settings)
    firer, target = shot.firer, shot.target
    modifiers = [band_modifier(shot.weapon, shot.distance_inches, settings)]
    modifiers += cover_modifiers(shot.covers, settings)
    if firer.has(Condition.AIMING) and firer.value(Condition.AIMING) == target.id:
        modifiers.append(Modifier(3, "aimed", "WZ-RC-04"))
    if smoke := max(shot.smoke, default=0):
        modifiers.append(Modifier(-smoke, f"smoke, level {smoke}", "WZ-RC-05"))
    modifiers += state_modifiers(firer, enemy_in_sight=shot.enemy_in_sight)
    if target.has(Condition.PRONE):
        modifiers.append(Modifier(4, "target prone", "WZ-RC-09"))
    elif target.has(Condition.MINIMIZED):
        modifiers.append(Modifier(-2, "target minimizes presence", "WZ-RC-08"))
    if (firer.vehicle or shot.gunner) and not firer.has(Condition.MOVED):
        modifiers.append(Modifier(3, "stationary", "WZ-RC-10"))
    size = target.profile.sz - firer.profile.sz
    if abs(size) >= 2:
        words = "larger" if size > 0 else "smaller"
        modifiers.append(Modifier(1 if size > 0 else -1, f"target at least 2 SZ {words}", "WZ-RC-11"))
    modifiers += firer_modifiers(firer, settings)
    if firer.has(Condition.FUMBLED):
        modifiers.append(Modifier(FUMBLE_MODIFIER, "first attack after a fumble", "WZ-RC-12"))
    return tuple(modifiers)


def firer_modifiers(firer: Model, settings: Settings) -> tuple[Modifier, ...]:
    """Return the weapons hits of a vehicle, and rampage. Rules: WZ-SYS-03, WZ-RAMP-01."""
    modifiers = list(rampage_modifiers(firer))
    if hits := firer.count(SYSTEM_HITS.of("weapons")):
        multiplier = hits if settings.weapon_failure_stacks else 1
        modifiers.append(Modifier(-3 * multiplier, f"damaged weapons x{hits}", "WZ-SYS-03"))
    return tuple(modifiers)


def rampage_modifiers(model: Model) -> tuple[Modifier, ...]:
    """Return +3 or -3 on RC and CC by the rampage table. Rules: WZ-RAMP-01."""
    if model.has(Condition.RECKLESS):
        return (Modifier(3, "reckless rampage", "WZ-RAMP-01"),)
    if model.has(Condition.WRACKED):
        return (Modifier(-3, "wracked", "WZ-RAMP-01"),)
    return ()


def shot_limit(shot: Shot, settings: Settings) -> int:
    """Return RC with the modifiers that count for every roll. Raises Forbidden.

    A vehicle with damaged weapons cannot fire where the first roll's number is 0 or less.
    Rules: WZ-RC-01, WZ-TEST-02, WZ-SYS-03.
    """
    first_limit = shot.firer.profile.rc + total(shot_modifiers(shot, settings))
    if first_limit <= 0 and shot.firer.count(SYSTEM_HITS.of("weapons")):
        raise Forbidden(
            (
                f"{shot.firer.name} can't fire. With its damaged weapons, it would need {first_limit} "
                "or less to hit."
            ),
            "WZ-SYS-03",
        )
    return first_limit - FUMBLE_MODIFIER if shot.firer.has(Condition.FUMBLED) else first_limit


def prepare_shot(shot: Shot, settings: Settings) -> Attack:
    """Return the numbers of the attack, for `attacks.attack` or `vehicles.attack_vehicle`. Raises
    Forbidden.

    Rules: WZ-RC-01, WZ-RC-02, WZ-DMG-01.
    """
    weapon = shot.weapon
    if weapon.has("template"):
        raise Forbidden(f"{weapon.name} is a template weapon. Fire it with /wz template.", "WZ-TMPL-01")
    extra_damage = damage_modifiers(weapon, shot.firer, shot.target, settings, from_rear=shot.from_rear)
    return Attack(
        shots=rate_of_fire(weapon, shot.distance_inches),
        limit=shot_limit(shot, settings),
        dm=weapon.dm + total(extra_damage),
        ar=armour(shot.target, settings),
        hits=weapon.hits,
        fumbled=shot.firer.has(Condition.FUMBLED),
    )


def after_firing(firer: Model, target: Model, settings: Settings, *, fumbled: bool) -> tuple[Effect, ...]:
    """Return the effects of firing at a target on the firer: fumble, aim, its count of attacks.

    Rules: WZ-CRIT-04, WZ-AIM-01, WZ-AIM-02.
    """
    effects = list(after_attack_roll(firer, fumbled=fumbled))
    aims_elsewhere = firer.value(Condition.AIMING) != target.id
    if firer.has(Condition.AIMING) and (aims_elsewhere or settings.aim_duration == "next_shot"):
        effects.append(Lose(firer.id, Condition.AIMING))
    effects.append(Count("model", firer.id, ATTACKS, 1))
    return tuple(effects)


def prepare_obstacle(weapon: Weapon, attacker: Model, obstacle: Obstacle, settings: Settings) -> Attack:
    """Return the numbers of an attack on terrain, which hits automatically. Raises Forbidden.

    The wounds go through `attacks.obstacle_wounds`. Rules: WZ-TERRAIN-01, WZ-TERRAIN-02.
    """
    is_close_combat = weapon.has("close")
    check_may_act(attacker, Act.FIGHT if is_close_combat else Act.SHOOT)
    dm = weapon.dm + total(damage_modifiers(weapon, attacker, None, settings))
    return Attack(1 if is_close_combat else weapon.rof, 0, dm, obstacle.ar, weapon.hits, automatic=True)


def aim(firer: Model, target: Model) -> tuple[Effect, ...]:
    """Spend an action to aim at one target; an aim at another is lost. Raises Forbidden.

    Rules: WZ-AIM-01, WZ-AIM-02, WZ-PANIC-04, WZ-BROKEN-05.
    """
    check_may_act(firer, Act.AIM)
    if not may_act_on(firer, target):
        raise Forbidden(f"{target.name} is concealed. Spot it first.", "WZ-RC-14")
    return (Gain(firer.id, Condition.AIMING, target.id, "activation"),)


def lose_aim(firer: Model, target: int) -> tuple[Effect, ...]:
    """Return the effects of losing an aim at a target (its id) that is no longer legal. Rules: WZ-AIM-02."""
    is_aiming = firer.has(Condition.AIMING) and firer.value(Condition.AIMING) == target
    return (Lose(firer.id, Condition.AIMING),) if is_aiming else ()
