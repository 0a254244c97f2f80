"""Templates, bursts, bombs, combustible gear and voids."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from rules.dice import Dice
from rules.effects import Assign, Effect, Gain, Leave
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.building.crew import is_immune_to_emp
from rules.systems.counterblast.core import dice_pools
from rules.systems.counterblast.core.burning import catch_fire
from rules.systems.counterblast.core.checks import ORDER_TOKEN, PreparedCheck, Throw, throw
from rules.systems.counterblast.core.conditions import CASUALTY, LASTS_UNTIL, effects_of_attack, require_able
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import allotted
from rules.systems.counterblast.core.fighter import BORROWED_FEATURE, Condition, Fighter, Until
from rules.systems.counterblast.core.general import CLOCK
from rules.systems.counterblast.core.impacts import (
    MAX_COUNTED,
    UNHURT,
    Impact,
    PreparedImpact,
    Suffered,
    damage_die,
    dark_penalty,
    impact_on,
    is_short,
    must_work,
    needs_air,
    suffer,
)
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import SIZES, Profile, Rating, Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.shooting.shooting import Mode, shooting_pool

ROUND_TARGET = 7
GRENADE_TARGET = 5
FLAMES_INCHES = 5
"""Diameter of the ground that a flamethrower sets on fire. Rules: CB-TMPL-10."""
SPRAY_INCHES = (8.0, 2.5)
"""Length of a spray and its width at the wide end. Rules: CB-TMPL-03."""

Where = Literal["on the spot", "scattered", "on the firer"]
Indirect = Literal["", "spotter", "blind"]

# ---------------------------------------------------------------- where it lands


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a round template ends: `clock` is the direction (12 away from the firer), `inches` how far."""

    where: Where
    clock: int = 0
    inches: int = 0


def scatter(dice: Dice, width: int) -> Landing:
    """Roll where a template that missed its spot ends: 1, 2 or 3 of its widths in a random direction.

    width: across, in inches. Rules: CB-TMPL-07.
    """
    clock = dice.face(CLOCK, "direction")
    distance = dice.face(10, "distance")
    widths = 1 if distance <= 3 else 2 if distance <= 6 else 3
    return Landing("scattered", clock, widths * width)


def deliver(dice: Dice, throws: tuple[Throw, ...], needed: int, width: int) -> Landing:
    """Roll to hit with a round template.

    needed: successes for the spot. Fewer: it scatters; a critical failure centres it on the firer. No throws:
    an automatic miss. Rules: CB-TMPL-05, CB-TMPL-06, CB-TMPL-08, CB-SHOOT-13, CB-SHOOT-14.
    """
    if throws:
        result = throw(dice, throws, label="template")
        if result.critical_failure:
            return Landing("on the firer")
        if result.net >= needed:
            return Landing("on the spot")
    return dice.call(scatter, width)


# ---------------------------------------------------------------- what it does


@dataclass(frozen=True, slots=True)
class Victim:
    """A model under a template: the check to escape (none for a model wholly covered), the damage dice."""

    target: int
    escape: Throw | None
    damage: Throw
    impact: Impact


def engulf(dice: Dice, victim: Victim) -> Suffered:
    """Roll for one model under a template: it escapes, or damage dice are rolled at its Defense.

    Rules: CB-TMPL-01, CB-TMPL-02, CB-SHOOT-15, CB-WEAP-40, CB-CHECK-15.
    """
    if victim.escape is not None and throw(dice, (victim.escape,), label="escape").net:
        return UNHURT
    part = victim.damage
    extras = ("criticals",) if victim.impact.needs_criticals else ()
    hits, *criticals = dice.pool(part.pool, damage_die(part.modifier, part.target, extras), "damage")
    return replace(suffer(dice, hits, criticals[0] if criticals else 0, victim.impact), caught=True)


def blast(dice: Dice, victims: tuple[Victim, ...]) -> tuple[Suffered, ...]:
    """Roll for each model under a spray or a round template separately. Rules: CB-TMPL-01, CB-TMPL-02."""
    return tuple(dice.call(engulf, victim) for victim in victims)


def engulf_wounds(dice: Dice, victim: Victim, cap: int) -> int:
    """Return what comes through to one model, counted to `cap`. Rules: CB-TMPL-02."""
    return min(cap, engulf(dice, victim).through)


def line(dice: Dice, victims: tuple[Victim, ...]) -> tuple[Suffered, ...]:
    """Roll for a straight line: models from the nearest on, as long as each takes at least one wound.

    Models behind the last are unhurt. Rules: CB-TMPL-04.
    """
    struck: list[Suffered] = []
    for victim in victims:
        struck.append(dice.call(engulf, victim))
        if struck[-1].through < 1:
            break
    return (*struck, *(UNHURT,) * (len(victims) - len(struck)))


def wounds_on_line(dice: Dice, victims: tuple[Victim, ...], cap: int) -> int:
    """Return what comes through to all models on a line together, each counted to `cap`: `line` for odds.

    victims: at least one, the nearest first. Rules: CB-TMPL-04.
    """
    wounds = dice.call(engulf_wounds, victims[0], cap)
    return wounds + (dice.call(wounds_on_line, victims[1:], cap) if wounds and len(victims) > 1 else 0)


def last_on_line(dice: Dice, victims: tuple[Victim, ...], cap: int = MAX_COUNTED) -> int:
    """Return what comes through to the last model on a line, counted to `cap`: `line` for odds.

    victims: at least one, the nearest first. Rules: CB-TMPL-04.
    """
    *earlier_victims, last = victims
    if not all(dice.call(engulf_wounds, victim, 1) for victim in earlier_victims):
        return 0
    return dice.call(engulf_wounds, last, cap)


# ---------------------------------------------------------------- preparing the roll to hit


@dataclass(frozen=True, slots=True)
class Cast:
    """A template as it is declared: who fires what, how far away the spot is, and what holds for it.

    `indirect`: "" in sight, "spotter" when a crew mate with Spotter sees it, "blind" without.
    """

    firer: Fighter
    weapon: Weapon
    inches: float = 0
    indirect: Indirect = ""
    spotter: Fighter | None = None
    mode: Mode = "shoot"
    dark: bool = False
    vacuum: bool = False
    underwater: bool = False
    order_token: bool = False
    extra: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedCast:
    """A roll to hit with its reasons; `roll` is None where nothing is rolled for it.

    `needed` successes put the template on its spot; 0: it lies where it is put, and `deliver` is not rolled.
    `width` is its diameter in inches.
    """

    roll: PreparedCheck | None
    needed: int
    width: int

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Return the first argument of `deliver`."""
        return (self.roll.throw,) if self.roll else ()


def prepare_cast(cast: Cast, settings: Settings = DEFAULTS) -> PreparedCast:
    """Prepare the roll to hit of a template; sprays, lines, bursts and bombs need none.

    Raises Forbidden for what the rules do not allow and InvalidInput for values out of range.
    Rules: CB-TMPL-03 to CB-TMPL-08, CB-SHOOT-12, CB-SHOOT-13, CB-SHOOT-14, CB-WEAP-38, CB-RUN-01.
    """
    must_be_castable(cast)
    weapon = cast.weapon
    if weapon.template != "R" or {"burst", "placed"} & set(weapon.deliveries):
        return PreparedCast(None, 0, 0)
    grenade = "thrown" in weapon.deliveries
    short_range = is_short(weapon, cast.inches)
    needed = 1 if grenade or short_range else 2
    if cast.indirect == "blind":
        return PreparedCast(None, needed, weapon.template_inches)
    easy = grenade and not cast.indirect
    pool = shooting_pool(cast.firer, weapon, cast.mode, settings, placing=True)
    roll = allotted(
        pool,
        pool.available,
        modifiers=cast_modifiers(cast, settings),
        targets=(
            Modifier(GRENADE_TARGET if easy else ROUND_TARGET, "template", "CB-TMPL-05"),
            *dice_pools.knack(cast.firer, "marksmanship"),
        ),
        faces=dice_pools.faces_of(cast.firer, "marksmanship", with_equipment=not weapon.is_natural),
    )
    return PreparedCast(roll, needed, weapon.template_inches)


def cast_modifiers(cast: Cast, settings: Settings) -> tuple[Modifier, ...]:
    """Return what is added to each die of the roll to hit; long range costs a success instead of a modifier.

    Rules: CB-TMPL-05, CB-ENV-01, CB-ORDER-05, CB-SPEC-12.
    """
    firer = cast.firer
    short_range = is_short(cast.weapon, cast.inches)
    _, rating_modifiers = dice_pools.rating_parts(firer.profile.agility, "AGL")
    ranged = dark_penalty(firer, dark=cast.dark, short=short_range, melee=False, settings=settings)
    if not settings.template_long_penalty:
        ranged = tuple(modifier for modifier in ranged if modifier.rule != "CB-SHOOT-03")
    ordered = (ORDER_TOKEN,) if cast.order_token else ()
    crew = (*dice_pools.crew_modifiers(firer, "AGL", "marksmanship"), *firer.relic_weapon(cast.weapon))
    lasting = (*firer.standing_modifiers("marksmanship"), *firer.gear_modifiers("marksmanship"))
    return (*rating_modifiers, *lasting, *ranged, *crew, *cast.extra, *ordered)


def must_be_castable(cast: Cast) -> None:
    """Raise Forbidden for a template that the rules do not allow.

    Rules: CB-SHOOT-01, CB-SHOOT-12, CB-SHOOT-13, CB-RUN-01, CB-WEAP-33, CB-ACT-10.
    """
    firer, weapon = cast.firer, cast.weapon
    require_able(firer)
    if weapon.template is None:
        raise Forbidden(f"{weapon.name} doesn't use a template.", "CB-TMPL-01")
    if firer.is_engaged and "burst" not in weapon.deliveries:
        forbid(f"{firer.name} is engaged, so it can't shoot.", "CB-SHOOT-01")
    if cast.mode == "run_and_gun":
        forbid("You can't use Run and Gun with a template weapon.", "CB-RUN-01")
    if cast.indirect and weapon.template != "R":
        forbid("You can't fire a spray or a line at a spot out of sight.", "CB-SHOOT-12")
    if cast.inches < 0:
        raise InvalidInput("A distance can't be below 0 in.")
    if weapon.range_inches and cast.inches > weapon.range_inches:
        forbid(
            f"{weapon.name} only reaches {weapon.range_inches} in (you entered {cast.inches:g} in).",
            "CB-SHOOT-02",
        )
    if cast.indirect == "spotter":
        spotter = cast.spotter
        fit = spotter is not None and spotter.side == firer.side and spotter.has_feature("spotter")
        if spotter is None or not fit or spotter.is_incapacitated:
            forbid("Choose a model of your crew that has Spotter and sees the target.", "CB-SHOOT-13")
    must_work(firer, weapon)
    needs_air(weapon, vacuum=cast.vacuum, underwater=cast.underwater)


# ---------------------------------------------------------------- preparing the damage


@dataclass(frozen=True, slots=True)
class Under:
    """A model under a template: wholly or only partly covered, and its cover (0 to 3)."""

    target: Fighter
    partly: bool = False
    cover: int = 0


@dataclass(frozen=True, slots=True)
class PreparedVictim:
    """A model under a template with the reasons of its dice; `victim` is an argument of `blast` or `line`."""

    victim: Victim
    target: Fighter
    weapon: Weapon
    escape: PreparedCheck | None
    damage: tuple[Modifier, ...]
    impact: PreparedImpact


def is_sealed(target: Fighter) -> bool:
    """Return whether flames hurt it less: an Envirosuit, a Robot, a Cyberform. Rules: CB-TMPL-10."""
    return target.has_gear("envirosuit") or target.profile.is_robot or target.profile.is_cyberform


def is_spared(target: Fighter, weapon: Weapon) -> bool:
    """Return whether the weapon does nothing to it: EMP to Mekkus of a Mekkus crew. Rules: CB-CREW-11."""
    return weapon.has_effect("emp") and not weapon.damage and is_immune_to_emp(target)


def prepare_victim(cast: Cast, under: Under, settings: Settings = DEFAULTS) -> PreparedVictim:
    """Prepare the dice for one model under the template.

    A partly covered model, and any under indirect fire, may escape by an Initiative check at the Power.
    Raises Forbidden for void weapons, which roll no damage (`prepare_void`).
    Rules: CB-TMPL-01, CB-TMPL-02, CB-TMPL-10, CB-SHOOT-15, CB-STAT-06.
    """
    weapon, target = cast.weapon, under.target
    rating, power = weapon.damage_dice, weapon.power
    if rating is None or power is None:
        raise Forbidden(f"{weapon.name} doesn't roll damage dice.", "CB-WEAP-31")
    sealed = weapon.sealed_dice is not None and is_sealed(target)
    if sealed:
        rating, power = weapon.sealed_dice or rating, weapon.sealed_power or power
    prepared = impact_on(cast.firer, target, weapon, settings, cover=under.cover, vacuum=cast.vacuum)
    if sealed:
        prepared = replace(prepared, impact=replace(prepared.impact, power=power))
    escape = None
    able = not target.is_incapacitated
    if (under.partly or cast.indirect) and able:
        escape = dice_pools.initiative_check(target, power, settings=settings)
    dice, rating_modifiers = dice_pools.rating_parts(rating, "damage")
    damage = Throw(rating.dice, rating.modifier, target.defense)
    victim = Victim(target.id, escape.throw if escape else None, damage, prepared.impact)
    return PreparedVictim(victim, target, weapon, escape, (*dice, *rating_modifiers), prepared)


def prepare_blast(
    cast: Cast, under: tuple[Under, ...], settings: Settings = DEFAULTS
) -> tuple[PreparedVictim, ...]:
    """Prepare all models under the template, for a line in the order from the firer.

    Models that the weapon spares are left out. Rules: CB-TMPL-01 to CB-TMPL-04.
    """
    if len({model.target.id for model in under}) < len(under):
        raise InvalidInput("List each model under the template only once.")
    hit = [model for model in under if not is_spared(model.target, cast.weapon)]
    return tuple(map(partial(prepare_victim, cast, settings=settings), hit))


# ---------------------------------------------------------------- consequences


def after_engulfing(cast: Cast, target: Fighter, suffered: Suffered, turn: int = 0) -> tuple[Effect, ...]:
    """Return the effects of the template on one model: wounds and effects of any attack, burning, EMP.

    A burst whose hits the shields stopped does nothing, a bomb drains the models it hits, and flames set
    models on fire that did not escape. Rules: CB-TMPL-10, CB-TMPL-13 to CB-TMPL-22, CB-FEAT-25, CB-FEAT-62,
    CB-WEAP-25, CB-CREW-11.
    """
    effects = effects_of_attack(cast.firer, target, cast.weapon, suffered, turn)
    if suffered.caught and not suffered.hits and cast.weapon.has_effect("burning"):
        return catch_fire(target, source=cast.weapon.name)
    affected = suffered.hits if cast.weapon.damage else suffered.through
    if affected and cast.weapon.has_effect("emp") and not is_immune_to_emp(target):
        drained = Gain(target.id, Condition.DRAINED, until=Until.NEXT_ACTIVATION_END, source=cast.weapon.name)
        return (*effects, drained)
    return effects


BY_LEVEL: dict[str, tuple[str, str, str]] = {
    "emp_burst": ("emp_burst_r4", "emp_burst_r8", "emp_burst_r12"),
    "neuro_pulse": ("neuro_pulse_r4", "neuro_pulse_r8", "neuro_pulse_r12"),
}
"""The chart's weapon for each level of the Feature: 2, 4 or 6 in around the model."""


def bursts_of(profile: Profile) -> tuple[Weapon, ...]:
    """Return the bursts that a model makes by its Features: by the level bought, else by its base.

    Rules: CB-FEAT-24, CB-FEAT-62.
    """
    levels = {trait.key: trait.level for trait in profile.features if trait.key in BY_LEVEL}
    return tuple(
        load().weapons[BY_LEVEL[key][min(3, level or SIZES.index(profile.size) + 1) - 1]]
        for key, level in levels.items()
    )


def is_burst(weapon: Weapon) -> bool:
    """Return whether it goes off around its bearer, who is not hit by it. Rules: CB-FEAT-24."""
    return "burst" in weapon.deliveries


def require_burst(firer: Fighter, weapon: Weapon) -> None:
    """Refuse, with Forbidden, a second EMP Burst in an encounter; a Neuro Pulse has no such limit.

    Rules: CB-FEAT-24, CB-FEAT-62.
    """
    if is_burst(weapon) and weapon.has_effect("emp") and firer.count(Counter.BURST):
        forbid(f"{firer.name} has already used its EMP Burst in this encounter.", "CB-FEAT-24")


def after_burst(firer: Fighter, weapon: Weapon) -> tuple[Effect, ...]:
    """Use up an EMP Burst for the encounter. Rules: CB-FEAT-24."""
    if is_burst(weapon) and weapon.has_effect("emp"):
        return (Assign("model", firer.id, Counter.BURST, 1),)
    return ()


INCHES = (2, 4, 6)
POWERS = (3, 4, 5)


def grade(model: Fighter) -> int:
    """Return 1 to 3: the level printed for the Feature, its own or borrowed, or otherwise by the base.

    Rules: CB-FEAT-16, CB-PSI-19.
    """
    own_level = next((trait.level for trait in model.profile.features if trait.key == "combustible"), 0)
    printed = own_level or model.grade(BORROWED_FEATURE.of("combustible"))
    return min(3, printed or SIZES.index(model.profile.size) + 1)


def blast_inches(model: Fighter) -> int:
    """Return the inches around the model that the explosion reaches. Rules: CB-FEAT-16."""
    return INCHES[grade(model) - 1]


def explosion(model: Fighter) -> Weapon:
    """Return the explosion as a weapon: a burst of 1D+1, 2D+2 or 3D+3 dice at Power 3, 4 or 5.

    Rules: CB-FEAT-16.
    """
    level = grade(model)
    return Weapon(
        key="explosion",
        name="Explosion",
        group="natural",
        deliveries=("burst",),
        power=POWERS[level - 1],
        template="R",
        template_inches=2 * blast_inches(model),
        damage_dice=Rating(level, level),
        rules=("CB-FEAT-16",),
    )


VOID_TARGET = 7

Void = Literal["edge", "removed"]
VoidShot = Literal["missed", "edge", "removed"]


def void(dice: Dice, escape: Throw | None) -> Void:
    """Roll for a void template: a model that escapes is put at its edge and knocked down, any other is gone.

    escape: None for a model only partly covered, which is moved without a check.
    Rules: CB-WEAP-31, CB-WEAP-32, CB-TMPL-16, CB-TMPL-18.
    """
    if escape is None or throw(dice, (escape,), label="escape").net:
        return "edge"
    return "removed"


def void_shot(dice: Dice, throws: tuple[Throw, ...], escape: Throw | None) -> VoidShot:
    """Roll for a Void Rifle: AGL against Defense; a model that is hit counts as wholly covered by the void.

    escape: its Initiative check at 7, None for a model that can make no check and is gone when hit.
    Rules: CB-WEAP-32, CB-WEAP-31.
    """
    if not throw(dice, throws, label="attack").net:
        return "missed"
    return dice.call(void, escape) if escape is not None else "removed"


def prepare_void(cast: Cast, under: Under, settings: Settings = DEFAULTS) -> PreparedCheck | None:
    """Prepare the check of a model under a void template: Initiative at 7 when wholly covered.

    Rules: CB-WEAP-31, CB-TMPL-16, CB-TMPL-18.
    """
    if under.partly or cast.indirect:
        return None
    if under.target.is_incapacitated:
        raise Forbidden(f"{under.target.name} is lost, because it can't make the check.", "CB-COND-05")
    return dice_pools.initiative_check(under.target, VOID_TARGET, settings=settings)


def after_void(target: Fighter, outcome: VoidShot) -> tuple[Effect, ...]:
    """Remove the model, or put it at the edge and Prone. Rules: CB-WEAP-31, CB-WEAP-32, CB-TMPL-18."""
    if outcome == "missed":
        return ()
    if outcome == "removed":
        return (Leave(target.id, CASUALTY),)
    if target.has(Condition.PRONE):
        return ()
    return (Gain(target.id, Condition.PRONE, until=LASTS_UNTIL[Condition.PRONE], source="void"),)
