"""Templates: sprays, lines and rounds; where they land, who escapes, what they do; bursts too.

Owns the template attack from its roll to hit to the wounds. Who lies under a template, wholly or partly, is
told by the players; what wounds lead to is in `casualties`, what a void does in `voids`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from rules.dice import Dice
from rules.effects import Effect, Gain
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.building.crew import immune_to_emp
from rules.systems.counterblast.core import ability
from rules.systems.counterblast.core.allotment import allotted
from rules.systems.counterblast.core.casualties import after_attack
from rules.systems.counterblast.core.checks import ORDER_TOKEN, Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import must_be_able
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.core.shields import MAX_COUNTED, UNHURT, Impact, Suffered, damage_die, suffer
from rules.systems.counterblast.core.weapons import (
    PreparedImpact,
    dark_penalty,
    impact_on,
    is_short,
    must_work,
    needs_air,
)
from rules.systems.counterblast.ground.burning import catch_fire
from rules.systems.counterblast.shooting.shooting import Mode, shooting_pool

ROUND_TARGET = 7
GRENADE_TARGET = 5
FLAMES_INCHES = 5
"""Diameter of the ground that a flamethrower sets on fire. Rules: CB-TMPL-10."""
CLOCK = 12
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
    """One model under a template: it escapes, or damage dice are rolled at its Defense.

    Rules: CB-TMPL-01, CB-TMPL-02, CB-SHOOT-15, CB-WEAP-40, CB-CHECK-15.
    """
    if victim.escape is not None and throw(dice, (victim.escape,), label="escape").net:
        return UNHURT
    part = victim.damage
    extras = ("criticals",) if victim.impact.needs_criticals else ()
    hits, *criticals = dice.pool(part.pool, damage_die(part.modifier, part.target, extras), "damage")
    return replace(suffer(dice, hits, criticals[0] if criticals else 0, victim.impact), caught=True)


def blast(dice: Dice, victims: tuple[Victim, ...]) -> tuple[Suffered, ...]:
    """All models under a spray or a round template, each by itself. Rules: CB-TMPL-01, CB-TMPL-02."""
    return tuple(dice.call(engulf, victim) for victim in victims)


def engulf_wounds(dice: Dice, victim: Victim, cap: int) -> int:
    """What comes through to one model, counted to `cap`. Rules: CB-TMPL-02."""
    return min(cap, engulf(dice, victim).through)


def line(dice: Dice, victims: tuple[Victim, ...]) -> tuple[Suffered, ...]:
    """A straight line: models from the nearest on, as long as each takes at least one wound.

    Models behind the last are unhurt. Rules: CB-TMPL-04.
    """
    struck: list[Suffered] = []
    for victim in victims:
        struck.append(dice.call(engulf, victim))
        if struck[-1].through < 1:
            break
    return (*struck, *(UNHURT,) * (len(victims) - len(struck)))


def wounds_on_line(dice: Dice, victims: tuple[Victim, ...], cap: int) -> int:
    """What comes through to all on a line together, of each counted to `cap`: `line` for odds.

    victims: at least one, the nearest first. Rules: CB-TMPL-04.
    """
    taken = dice.call(engulf_wounds, victims[0], cap)
    return taken + (dice.call(wounds_on_line, victims[1:], cap) if taken and len(victims) > 1 else 0)


def last_on_line(dice: Dice, victims: tuple[Victim, ...], cap: int = MAX_COUNTED) -> int:
    """What comes through to the last of the models on a line, counted to `cap`: `line` for odds.

    victims: at least one, the nearest first. Rules: CB-TMPL-04.
    """
    *before, last = victims
    if not all(dice.call(engulf_wounds, victim, 1) for victim in before):
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

    roll: Prepared | None
    needed: int
    width: int

    @property
    def throws(self) -> tuple[Throw, ...]:
        """The first argument of `deliver`."""
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
    short = is_short(weapon, cast.inches)
    needed = 1 if grenade or short else 2
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
            *ability.knack(cast.firer, "marksmanship"),
        ),
        faces=ability.faces_of(cast.firer, "marksmanship", with_equipment=not weapon.is_natural),
    )
    return PreparedCast(roll, needed, weapon.template_inches)


def cast_modifiers(cast: Cast, settings: Settings) -> tuple[Modifier, ...]:
    """What is added to each die of the roll to hit; long range costs a success instead of a modifier.

    Rules: CB-TMPL-05, CB-ENV-01, CB-ORDER-05, CB-SPEC-12.
    """
    firer = cast.firer
    short = is_short(cast.weapon, cast.inches)
    _, own = ability.rating_parts(firer.profile.agility, "AGL")
    ranged = dark_penalty(firer, dark=cast.dark, short=short, melee=False, settings=settings)
    if not settings.template_long_penalty:
        ranged = tuple(modifier for modifier in ranged if modifier.rule != "CB-SHOOT-03")
    ordered = (ORDER_TOKEN,) if cast.order_token else ()
    crew = (*ability.crew_modifiers(firer, "AGL", "marksmanship"), *firer.relic_weapon(cast.weapon))
    lasting = (*firer.standing_modifiers("marksmanship"), *firer.gear_modifiers("marksmanship"))
    return (*own, *lasting, *ranged, *crew, *cast.extra, *ordered)


def must_be_castable(cast: Cast) -> None:
    """Raise Forbidden for a template that the rules do not allow.

    Rules: CB-SHOOT-01, CB-SHOOT-12, CB-SHOOT-13, CB-RUN-01, CB-WEAP-33, CB-ACT-10.
    """
    firer, weapon = cast.firer, cast.weapon
    must_be_able(firer)
    if weapon.template is None:
        raise Forbidden(f"{weapon.name} fires no template.", "CB-TMPL-01")
    if firer.is_engaged and "burst" not in weapon.deliveries:
        forbid(f"{firer.name} is engaged and may not shoot.", "CB-SHOOT-01")
    if cast.mode == "run_and_gun":
        forbid("Run and Gun is not for template weapons.", "CB-RUN-01")
    if cast.indirect and weapon.template != "R":
        forbid("Sprays and lines are not fired out of sight.", "CB-SHOOT-12")
    if cast.inches < 0:
        raise InvalidInput("A distance is 0 inches or more.")
    if weapon.range_inches and cast.inches > weapon.range_inches:
        forbid(f"{weapon.name} reaches {weapon.range_inches} in, not {cast.inches:g} in.", "CB-SHOOT-02")
    if cast.indirect == "spotter":
        spotter = cast.spotter
        fit = spotter is not None and spotter.side == firer.side and spotter.has_feature("spotter")
        if spotter is None or not fit or spotter.is_incapacitated:
            forbid("Name a crew mate with Spotter who sees the target.", "CB-SHOOT-13")
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
    escape: Prepared | None
    damage: tuple[Modifier, ...]
    impact: PreparedImpact


def is_sealed(target: Fighter) -> bool:
    """Whether flames hurt it less: an Envirosuit, a Robot, a Cyberform. Rules: CB-TMPL-10."""
    return target.has_gear("envirosuit") or target.profile.is_robot or target.profile.is_cyberform


def is_spared(target: Fighter, weapon: Weapon) -> bool:
    """Whether the weapon does nothing to it: EMP to Mekkus of a Mekkus crew. Rules: CB-CREW-11."""
    return weapon.has_effect("emp") and not weapon.damage and immune_to_emp(target)


def prepare_victim(cast: Cast, under: Under, settings: Settings = DEFAULTS) -> PreparedVictim:
    """Prepare the dice for one model under the template.

    A partly covered model, and any under indirect fire, may escape by an Initiative check at the Power.
    Raises Forbidden for void weapons, which roll no damage (`prepare_void`).
    Rules: CB-TMPL-01, CB-TMPL-02, CB-TMPL-10, CB-SHOOT-15, CB-STAT-06.
    """
    weapon, target = cast.weapon, under.target
    rating, power = weapon.damage_dice, weapon.power
    if rating is None or power is None:
        raise Forbidden(f"{weapon.name} rolls no damage dice.", "CB-WEAP-31")
    sealed = weapon.sealed_dice is not None and is_sealed(target)
    if sealed:
        rating, power = weapon.sealed_dice or rating, weapon.sealed_power or power
    prepared = impact_on(cast.firer, target, weapon, settings, cover=under.cover, vacuum=cast.vacuum)
    if sealed:
        prepared = replace(prepared, impact=replace(prepared.impact, power=power))
    escape = None
    able = not target.is_incapacitated
    if (under.partly or cast.indirect) and able:
        escape = ability.initiative_check(target, power, settings=settings)
    dice, own = ability.rating_parts(rating, "damage")
    damage = Throw(rating.dice, rating.modifier, target.defense)
    victim = Victim(target.id, escape.throw if escape else None, damage, prepared.impact)
    return PreparedVictim(victim, target, weapon, escape, (*dice, *own), prepared)


def prepare_blast(
    cast: Cast, under: tuple[Under, ...], settings: Settings = DEFAULTS
) -> tuple[PreparedVictim, ...]:
    """Prepare all models under the template, for a line in the order from the firer.

    Models whom the weapon spares are left out. Rules: CB-TMPL-01 to CB-TMPL-04.
    """
    if len({model.target.id for model in under}) < len(under):
        raise InvalidInput("Name each model under the template once.")
    hit = [model for model in under if not is_spared(model.target, cast.weapon)]
    return tuple(map(partial(prepare_victim, cast, settings=settings), hit))


# ---------------------------------------------------------------- consequences


def after_engulfing(cast: Cast, target: Fighter, suffered: Suffered, turn: int = 0) -> tuple[Effect, ...]:
    """What the template did to one model: wounds and effects as of any attack, burning, EMP.

    A burst whose hits the shields stopped does nothing, a bomb drains whom it hits, and flames set on fire
    whoever did not escape them.
    Rules: CB-TMPL-10, CB-TMPL-13 to CB-TMPL-22, CB-FEAT-25, CB-FEAT-62, CB-WEAP-25, CB-CREW-11.
    """
    effects = after_attack(cast.firer, target, cast.weapon, suffered, turn)
    if suffered.caught and not suffered.hits and cast.weapon.has_effect("burning"):
        return catch_fire(target, source=cast.weapon.name)
    felt = suffered.hits if cast.weapon.damage else suffered.through
    if felt and cast.weapon.has_effect("emp") and not immune_to_emp(target):
        drained = Gain(target.id, Condition.DRAINED, until=Until.NEXT_ACTIVATION_END, source=cast.weapon.name)
        return (*effects, drained)
    return effects
