"""From hits to wounds: what a weapon does to its target, and what shields stop."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from rules.counters import CounterName
from rules.dice import Dice, Die, Facet
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import SIDES, build_check_die
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.wording import possessive

TOUGH_TARGET = 7
MAX_COUNTED = 9
"""Wounds on one model that odds tell apart when not asked for more: no block has as much Life."""


@dataclass(frozen=True, slots=True)
class Impact:
    """The effects of one attack's hits on one model.

    power: what a shield die must reach, None where no shield helps. damage: per hit. extra: added once when
    at least one hit landed. per_critical: added for each critical success, for no more than there are hits;
    once_critical: added once when there was a critical success. shields: dice. stuns: what comes through is
    an effect and not wounds, so that Tough does not help. ones_cancel: natural 1s cancel shield successes.
    """

    power: int | None = None
    damage: int = 1
    extra: int = 0
    per_critical: int = 0
    once_critical: int = 0
    shields: int = 0
    tough: bool = False
    stuns: bool = False
    ones_cancel: bool = False
    counts_criticals: bool = False

    @property
    def needs_criticals(self) -> bool:
        """Return whether critical successes have to be counted."""
        return bool(self.per_critical or self.once_critical or self.counts_criticals)


@dataclass(frozen=True, slots=True)
class Suffered:
    """The result of an attack for one model: hits, damage its shields stopped, wounds that Tough ignored,
    and what came `through`: wounds, or points of the effect if the attack only stuns. `critical`: it hit
    with a critical success (set only if the impact counts them). `caught`: it did not escape the template,
    hurt or not.
    """

    hits: int
    stopped: int = 0
    ignored: int = 0
    through: int = 0
    critical: bool = False
    caught: bool = False


UNHURT = Suffered(0)


def shield_dice(sources: Iterable[Modifier]) -> int:
    """Return the shield dice left of all sources (positive) and reductions (negative), never below 0.

    Rules: CB-SHIELD-03.
    """
    return max(0, total(sources))


@cache
def shield_die(power: int, *, ones_cancel: bool = False) -> Die:
    """Return the d10 of a shield roll: it stops a wound from `power` up; a 10 always, with a bonus die.

    Rules: CB-SHIELD-01, CB-SHIELD-02.
    """

    def facets(natural_one: int) -> tuple[Facet, ...]:
        middle = (Facet("stops", (1,)) if face >= power else Facet("fails", (0,)) for face in range(2, SIDES))
        return (Facet("natural 1", (natural_one,)), *middle, Facet("natural 10", (1,), again=True))

    return Die(("stopped",), facets(-1 if ones_cancel else 0), bonus=Die(("stopped",), facets(0)))


def shield_roll(dice: Dice, wounds: int, shields: int, power: int, ones_cancel: bool = False) -> int:
    """Roll shield dice against wounds that are known; gives how many they stop, never more than `wounds`.

    wounds: 1 or more for a roll to be made. Rules: CB-SHIELD-01, CB-SHIELD-02, CB-SHOOT-05, CB-FIGHT-11.
    """
    if wounds < 1 or shields < 1:
        return 0
    shielded = dice.pool(shields, shield_die(power, ones_cancel=ones_cancel), "shield")[0]
    return _stopped(wounds, shielded)


def shield_successes(dice: Dice, shields: int, power: int, ones_cancel: bool) -> int:
    """Return how many wounds shield dice can stop, however many there are. Rules: CB-SHIELD-01."""
    return max(0, dice.pool(shields, shield_die(power, ones_cancel=ones_cancel), "shield")[0])


def _stopped(wounds: int, prevented: int) -> int:
    """Return how many wounds so many successes of shield dice stop; natural 1s may leave fewer than none."""
    return max(0, min(wounds, prevented))


def tough_roll(dice: Dice, wounds: int) -> int:
    """Roll one die for each wound that came through; gives how many wounds a Tough model ignores.

    Rules: CB-FEAT-59.
    """
    if wounds < 1:
        return 0
    prevented = dice.pool(wounds, damage_die(0, TOUGH_TARGET), "tough")[0]
    return min(wounds, prevented)


@cache
def damage_die(modifier: int, target: int, extras: tuple[str, ...] = ()) -> Die:
    """Return a d10 of damage dice: natural 10s succeed and earn bonus dice, natural 1s only fail.

    `extras` as in `build_check_die`. Rules: CB-CHECK-15, CB-TMPL-02.
    """
    bonus = build_check_die(modifier, target, extras=extras).bonus
    assert bonus is not None
    return bonus


def damage_of(hits: int, criticals: int, impact: Impact) -> int:
    """Damage before shields: hits times damage, and what is added once something hit; hits that only stun do
    no damage to add to.

    Rules: CB-WEAP-13, CB-WEAP-15, CB-WEAP-16, CB-WEAP-27, CB-WEAP-40, CB-SHOOT-04, CB-FIGHT-06, CB-FEAT-51.
    """
    if hits < 1:
        return 0
    if impact.stuns:
        return hits
    fixed_damage = impact.extra + (impact.once_critical if criticals else 0)
    return hits * impact.damage + fixed_damage + min(hits, criticals) * impact.per_critical


def soak(
    dice: Dice, damage: int, shields: int, power: int | None, tough: bool, ones_cancel: bool
) -> tuple[int, int]:
    """Roll shield dice, then Tough, against known damage, and return what each took off.

    power: None where no shield helps. Rules: CB-SHIELD-01, CB-SHIELD-04, CB-FEAT-59, CB-SHOOT-16.
    """
    stopped = shield_roll(dice, damage, shields, power, ones_cancel) if power is not None else 0
    return stopped, tough_roll(dice, damage - stopped) if tough else 0


def left_of(dice: Dice, damage: int, shields: int, power: int | None, tough: bool, ones_cancel: bool) -> int:
    """Return what shield dice and Tough leave of known damage: `soak` with fewer outcomes, for odds.

    Rules: CB-SHIELD-01, CB-FEAT-59.
    """
    unshielded = damage - (shield_roll(dice, damage, shields, power, ones_cancel) if power is not None else 0)
    return unshielded - dice.call(tough_roll, unshielded) if tough else unshielded


def suffer(dice: Dice, hits: int, criticals: int, impact: Impact) -> Suffered:
    """Roll for the hits of one attack: damage, then shield dice, then Tough.

    hits: net successes of the attack, 0 or less for none. criticals: critical successes among its dice, where
    they count. Rules: CB-WEAP-40, CB-SHOOT-16, CB-FIGHT-14.
    """
    if hits < 1:
        return UNHURT
    damage = damage_of(hits, criticals, impact)
    critical = impact.counts_criticals and criticals > 0
    defences = _against(impact)
    stopped, ignored = dice.call(soak, damage, *defences) if defences else (0, 0)
    return Suffered(hits, stopped, ignored, damage - stopped - ignored, critical)


def through(dice: Dice, hits: int, criticals: int, impact: Impact) -> int:
    """Return what comes through of one attack's hits: `suffer` with fewer outcomes, for odds.

    Hits that come to the same damage are one case. Rules: CB-WEAP-40.
    """
    damage, defences = damage_of(hits, criticals, impact), _against(impact)
    return dice.call(left_of, damage, *defences) if damage and defences else damage


def shields_alone(impact: Impact) -> tuple[int, int, bool] | None:
    """Return shield dice, their power, and whether 1s cancel, or None if anything else stops damage."""
    if impact.shields < 1 or impact.power is None or (impact.tough and not impact.stuns):
        return None
    return impact.shields, impact.power, impact.ones_cancel


def _against(impact: Impact) -> tuple[int, int | None, bool, bool] | None:
    tough = impact.tough and not impact.stuns
    shielded = impact.shields > 0 and impact.power is not None
    return (impact.shields, impact.power, tough, impact.ones_cancel) if tough or shielded else None


MAX_COVER = 3
MAX_POWER = 10

BARE_HANDS = Weapon(
    key="bare_hands",
    name="Bare hands",
    group="natural",
    deliveries=("melee",),
    power=2,
    melee=True,
    rules=("CB-FIGHT-01",),
)
"""The weapon of a model that has no melee weapon. Rules: CB-FIGHT-01."""


@dataclass(frozen=True, slots=True)
class PreparedImpact:
    """An impact with the reason of every shield die and every point of damage that is added.

    criticals: what critical successes add.
    """

    impact: Impact
    shields: tuple[Modifier, ...]
    damage: tuple[Modifier, ...]
    criticals: tuple[Modifier, ...] = ()


def melee_weapon(fighter: Fighter, key: str = "", settings: Settings = DEFAULTS) -> Weapon:
    """Return the weapon a model fights with: the one named, else the first fit that works, else bare hands.

    Where the setting `melee_weapon` asks for the best: made for melee goes before pistols and these before
    rifles; then what wounds, dice, modifiers, damage, Power and Reach decide, at last the order.
    Raises Forbidden for a weapon that it does not carry or that is not fit for melee.
    Rules: CB-FIGHT-01, CB-WEAP-10, CB-WEAP-11, CB-GEAR-04.
    """
    if key and key != BARE_HANDS.key:
        weapon = fighter.weapon(key)
        if not weapon.melee:
            raise Forbidden(f"{weapon.name} can't be used in melee.", "CB-WEAP-11")
        return weapon
    if key:
        return BARE_HANDS
    fit = [weapon for weapon in fighter.weapons if weapon.melee and is_working(fighter, weapon)]
    if settings.melee_weapon == "best":
        return max(fit, key=_worth, default=BARE_HANDS)
    return fit[0] if fit else BARE_HANDS


MASTERED = CounterName("arc mastered")
"""Counter of a model: the turn in which it mastered an Arc weapon for its next attack."""


def needs_handling(user: Fighter, weapon: Weapon) -> bool:
    """Return whether the user has to master an Arc weapon of the Edo before each attack.

    Arc weapons that others may carry by the chart are their own. Rules: CB-WEAP-24.
    """
    strange = weapon.affiliations == ("edofleini",)
    return strange and weapon.has_effect("arc") and "edofleini" not in user.profile.affiliations


def is_working(fighter: Fighter, weapon: Weapon) -> bool:
    """Return whether nothing has drained the weapon for now. Rules: CB-FEAT-25, CB-GEAR-35."""
    return fighter.works(weapon.key) and not (fighter.has(Condition.DRAINED) and weapon.is_energized)


def _worth(weapon: Weapon) -> tuple[int, ...]:
    shoots = {"pistol": -1, "rifle": -2, "rapid_fire": -2}.get(weapon.group, 0)
    modifier = weapon.strength_modifier + weapon.melee_modifier
    damage = weapon.damage_short + weapon.critical_damage + sum(bonus for _, bonus in weapon.bonus_damage)
    power = weapon.power_short or weapon.power or 0
    return (
        shoots,
        int(weapon.damage > 0),
        weapon.strength_dice,
        modifier,
        damage,
        power,
        weapon.reach_inches,
    )


def is_short(weapon: Weapon, inches: float) -> bool:
    """Return whether the distance is within half of the weapon's range. Rules: CB-SHOOT-03, CB-WEAP-12."""
    return inches <= weapon.short_range_inches


def needs_air(weapon: Weapon, *, vacuum: bool, underwater: bool) -> None:
    """Raise Forbidden for flame and slugs where there is no air. Rules: CB-WEAP-25, CB-WEAP-33."""
    if weapon.has_effect("needs_air") and (vacuum or underwater):
        place = "in a vacuum" if vacuum else "under water"
        forbid(f"{weapon.name} doesn't work {place}.", "CB-WEAP-33")


def must_work(user: Fighter, weapon: Weapon) -> None:
    """Raise Forbidden for an energy weapon that an EMP has drained. Rules: CB-FEAT-25, CB-GEAR-09."""
    if not user.works(weapon.key):
        forbid(f"{weapon.name} is drained until {possessive(user.name)} activation ends.", "CB-GEAR-35")
    if user.has(Condition.DRAINED) and weapon.is_energized:
        forbid(f"{weapon.name} is drained until {possessive(user.name)} activation ends.", "CB-FEAT-25")


def shield_sources(
    attacker: Fighter | None, target: Fighter, reduction: Modifier | None, cover: int
) -> tuple[Modifier, ...]:
    """Return every source of the target's shield dice and every reduction.

    cover: 0 to 3, only against ranged attacks; Infrared Optics see through one of it, not in a Coldblooded
    target. Raises InvalidInput for other cover.
    Rules: CB-SHIELD-03, CB-TERR-05, CB-GEAR-22, CB-FEAT-15, CB-WEAP-26.
    """
    if not 0 <= cover <= MAX_COVER:
        raise InvalidInput(f"Cover must be between 0 and {MAX_COVER} (you entered {cover}).")
    sources = list(target.shield_parts())
    if cover:
        sources.append(Modifier(cover, f"cover [{cover}]", "CB-TERR-05"))
        optics = attacker is not None and attacker.has_gear("infrared_optics")
        if optics and not target.has_feature("coldblooded"):
            sources.append(Modifier(-1, "Infrared Optics", "CB-GEAR-22"))
    if reduction is not None and reduction.amount:
        sources.append(reduction)
    return tuple(sources)


def impact_on(
    attacker: Fighter | None,
    target: Fighter,
    weapon: Weapon,
    settings: Settings,
    *,
    short: bool = True,
    melee: bool = False,
    cover: int = 0,
    vacuum: bool = False,
) -> PreparedImpact:
    """Return the effects of each hit of the weapon on the target.

    short: within half range; melee counts as short. cover: 0 to 3, not in melee. vacuum: +1 Power.
    Rules: CB-SHIELD-01, CB-SHIELD-03, CB-WEAP-13 to CB-WEAP-16, CB-WEAP-26 to CB-WEAP-29, CB-WEAP-40,
    CB-ENV-07, CB-FEAT-51, CB-FEAT-59, CB-GEAR-23.
    """
    in_short_range = short or melee
    reduction = Modifier(weapon.shield_modifier, weapon.name, "CB-WEAP-26")
    shields = shield_sources(attacker, target, reduction, 0 if melee else cover)
    extras = damage_extras(attacker, target, weapon, settings, melee=melee)
    per_hit = weapon.damage_short if in_short_range else weapon.damage
    if settings.bonus_damage == "per_success":
        per_hit += weapon.bonus_against(target.profile)
    spurs = melee and attacker is not None and attacker.has_gear("melee_spurs")
    per_attack = settings.crit_damage == "per_attack"
    impact = Impact(
        power=_power(weapon, near=in_short_range, vacuum=vacuum),
        damage=per_hit,
        extra=total(extras),
        per_critical=0 if per_attack else weapon.critical_damage,
        once_critical=int(spurs) + (weapon.critical_damage if per_attack else 0),
        shields=shield_dice(shields),
        tough=target.has_feature("tough"),
        stuns=weapon.damage == 0,
        ones_cancel=settings.shield_ones_cancel,
        counts_criticals=weapon.has_effect("knockdown_on_critical"),
    )
    criticals = (
        Modifier(weapon.critical_damage, weapon.name, "CB-WEAP-15"),
        Modifier(int(spurs), "Melee Spurs", "CB-GEAR-23"),
    )
    return PreparedImpact(impact, shields, extras, tuple(part for part in criticals if part.amount))


def _power(weapon: Weapon, *, near: bool, vacuum: bool) -> int | None:
    """Return the Power at that range; in a vacuum 1 more, but for what does no damage."""
    power = weapon.power_short if near and weapon.power_short is not None else weapon.power
    return min(MAX_POWER, power + 1) if power is not None and vacuum and weapon.damage else power


def damage_extras(
    attacker: Fighter | None, target: Fighter, weapon: Weapon, settings: Settings, *, melee: bool
) -> tuple[Modifier, ...]:
    """Return what is added once to a hit. Rules: CB-WEAP-16, CB-WEAP-27, CB-WEAP-28, CB-FEAT-51."""
    extras = []
    bonus = weapon.bonus_against(target.profile)
    if bonus and settings.bonus_damage == "per_attack":
        extras.append(Modifier(bonus, _dice_against_target(weapon, target), "CB-WEAP-27"))
    if melee and attacker is not None and attacker.has_feature("stinger"):
        extras.append(Modifier(1, "Stinger", "CB-FEAT-51"))
    return tuple(extras)


def _dice_against_target(weapon: Weapon, target: Fighter) -> str:
    kinds = {
        "living": (target.profile.is_living, "the living"),
        "mechanical": (target.profile.is_mechanical, "machines"),
    }
    named = [name for kind, _ in weapon.bonus_damage for applies, name in [kinds[kind]] if applies]
    return f"{weapon.name} against {' and '.join(named)}"


def target_number(attacker: Fighter, target: Fighter, weapon: Weapon, *, near: bool) -> tuple[Modifier, ...]:
    """Return what attack dice must reach: the target's Defense minus armour piercing.

    near: melee or short range. Rules: CB-STAT-08, CB-FIGHT-05, CB-SHOOT-01, CB-FEAT-05.
    """
    parts = [Modifier(target.defense, f"{possessive(target.name)} Defense", "CB-STAT-08")]
    if weapon.has_effect("armor_piercing") or attacker.has_feature("armor_piercing"):
        parts.append(Modifier(-2 if near else -1, "Armor Piercing", "CB-FEAT-05"))
    return tuple(parts)


def chameleon(attacker: Fighter, target: Fighter) -> tuple[Modifier, ...]:
    """Return the penalty for attacking a Chameleon; a Scanner takes it away, of the Enhanced one all but 1.

    Rules: CB-FEAT-14, CB-GEAR-13, CB-GEAR-38.
    """
    scanner = attacker.has_gear("scanner")
    if target.has_feature("enhanced_chameleon"):
        return (Modifier(-1 if scanner else -2, "Enhanced Chameleon", "CB-FEAT-14"),)
    if target.has_feature("chameleon") and not scanner:
        return (Modifier(-1, "Chameleon", "CB-FEAT-14"),)
    return ()


def to_hit_bonus(target: Fighter, weapon: Weapon, settings: Settings) -> tuple[Modifier, ...]:
    """Return the bonus against kinds of target as a modifier, if the table plays it so. Rules: CB-WEAP-27."""
    bonus = weapon.bonus_against(target.profile)
    if bonus and settings.bonus_damage == "to_hit":
        return (Modifier(bonus, _dice_against_target(weapon, target), "CB-WEAP-27"),)
    return ()


def dark_penalty(
    fighter: Fighter, *, dark: bool, short: bool, melee: bool, settings: Settings
) -> tuple[Modifier, ...]:
    """Return the penalties of long range and darkness to a shot, or of darkness to a melee attack.

    Rules: CB-SHOOT-03, CB-ENV-01, CB-FEAT-40, CB-GEAR-37.
    """
    blind = dark and not fighter.has_feature("night_vision")
    modifiers = []
    if not short and not melee and (settings.dark_long_adds or not blind):
        modifiers.append(Modifier(-1, "long range", "CB-SHOOT-03"))
    if blind:
        modifiers.append(Modifier(-1 if short or melee else -2, "dark", "CB-ENV-01"))
    return tuple(modifiers)


def teamwork(members: int) -> tuple[Modifier, ...]:
    """Return the bonus for members of a group acting together: +1 for every three. Rules: CB-ACT-09."""
    if members < 0:
        raise InvalidInput("The number of models can't be below 0.")
    return (Modifier(members // 3, f"teamwork of {members} models", "CB-ACT-09"),) if members >= 3 else ()
