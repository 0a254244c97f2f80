"""From hits to wounds: extra damage, shield dice, Tough, in their order.

Owns how damage is worked out and stopped; knows neither how the hits came about nor what wounds lead to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from rules.dice import Dice, Die, Facet
from rules.modifiers import Modifier, total
from rules.systems.counterblast.core.checks import SIDES, check_die

TOUGH_TARGET = 7
MAX_COUNTED = 9
"""Wounds on one model that odds tell apart when not asked for more: no block has as much Life."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What the hits of one attack do to one model.

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
        """Whether critical successes have to be counted."""
        return bool(self.per_critical or self.once_critical or self.counts_criticals)


@dataclass(frozen=True, slots=True)
class Suffered:
    """What an attack did to one model: hits, damage its shields stopped, wounds that Tough ignored, and what
    came `through`: wounds, or points of the effect where the attack only stuns. `critical`: it hit, with a
    critical success among its dice (told only where the impact counts them). `caught`: it did not escape the
    template, hurt or not."""

    hits: int
    stopped: int = 0
    ignored: int = 0
    through: int = 0
    critical: bool = False
    caught: bool = False


UNHURT = Suffered(0)


def shield_dice(sources: Iterable[Modifier]) -> int:
    """Shield dice left of all sources (positive) and reductions (negative), never below 0.

    Rules: CB-SHIELD-03.
    """
    return max(0, total(sources))


@cache
def shield_die(power: int, *, ones_cancel: bool = False) -> Die:
    """The d10 of a shield roll: stops one wound from `power` up, a natural 10 always, with a bonus die.

    Rules: CB-SHIELD-01, CB-SHIELD-02.
    """

    def facets(one: int) -> tuple[Facet, ...]:
        middle = (Facet("stops", (1,)) if face >= power else Facet("fails", (0,)) for face in range(2, SIDES))
        return (Facet("natural 1", (one,)), *middle, Facet("natural 10", (1,), again=True))

    return Die(("stopped",), facets(-1 if ones_cancel else 0), bonus=Die(("stopped",), facets(0)))


def shield_roll(dice: Dice, wounds: int, shields: int, power: int, ones_cancel: bool = False) -> int:
    """Roll shield dice against wounds that are known; gives how many they stop, never more than `wounds`.

    wounds: 1 or more for a roll to be made. Rules: CB-SHIELD-01, CB-SHIELD-02, CB-SHOOT-05, CB-FIGHT-11.
    """
    if wounds < 1 or shields < 1:
        return 0
    good = dice.pool(shields, shield_die(power, ones_cancel=ones_cancel), "shield")[0]
    return _stopped(wounds, good)


def shield_successes(dice: Dice, shields: int, power: int, ones_cancel: bool) -> int:
    """Return how many wounds shield dice can stop, however many there are. Rules: CB-SHIELD-01."""
    return max(0, dice.pool(shields, shield_die(power, ones_cancel=ones_cancel), "shield")[0])


def _stopped(wounds: int, good: int) -> int:
    """How many wounds so many successes of shield dice stop; natural 1s may leave fewer than none."""
    return max(0, min(wounds, good))


def tough_roll(dice: Dice, wounds: int) -> int:
    """Roll one die for each wound that came through; gives how many wounds a Tough model ignores.

    Rules: CB-FEAT-59.
    """
    if wounds < 1:
        return 0
    good = dice.pool(wounds, damage_die(0, TOUGH_TARGET), "tough")[0]
    return min(wounds, good)


@cache
def damage_die(modifier: int, target: int, extras: tuple[str, ...] = ()) -> Die:
    """A d10 of damage dice: natural 10s succeed and earn bonus dice, natural 1s only fail.

    `extras` as in `check_die`. Rules: CB-CHECK-15, CB-TMPL-02.
    """
    bonus = check_die(modifier, target, extras=extras).bonus
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
    once = impact.extra + (impact.once_critical if criticals else 0)
    return hits * impact.damage + once + min(hits, criticals) * impact.per_critical


def soak(
    dice: Dice, damage: int, shields: int, power: int | None, tough: bool, ones_cancel: bool
) -> tuple[int, int]:
    """Shield dice, then Tough, against damage that is known; gives how much each of them took off.

    power: None where no shield helps. Rules: CB-SHIELD-01, CB-SHIELD-04, CB-FEAT-59, CB-SHOOT-16.
    """
    stopped = shield_roll(dice, damage, shields, power, ones_cancel) if power is not None else 0
    return stopped, tough_roll(dice, damage - stopped) if tough else 0


def left_of(dice: Dice, damage: int, shields: int, power: int | None, tough: bool, ones_cancel: bool) -> int:
    """What shield dice and Tough leave of damage that is known: `soak` with fewer outcomes, for odds.

    Rules: CB-SHIELD-01, CB-FEAT-59.
    """
    left = damage - (shield_roll(dice, damage, shields, power, ones_cancel) if power is not None else 0)
    return left - dice.call(tough_roll, left) if tough else left


def suffer(dice: Dice, hits: int, criticals: int, impact: Impact) -> Suffered:
    """Take the hits of one attack: damage, then shield dice, then Tough.

    hits: net successes of the attack, 0 or less for none. criticals: critical successes among its dice, where
    they count. Rules: CB-WEAP-40, CB-SHOOT-16, CB-FIGHT-14.
    """
    if hits < 1:
        return UNHURT
    damage = damage_of(hits, criticals, impact)
    critical = impact.counts_criticals and criticals > 0
    against = _against(impact)
    stopped, ignored = dice.call(soak, damage, *against) if against else (0, 0)
    return Suffered(hits, stopped, ignored, damage - stopped - ignored, critical)


def through(dice: Dice, hits: int, criticals: int, impact: Impact) -> int:
    """What comes through of the hits of one attack: `suffer` with fewer outcomes, for odds.

    Hits that come to the same damage are one case. Rules: CB-WEAP-40.
    """
    damage, against = damage_of(hits, criticals, impact), _against(impact)
    return dice.call(left_of, damage, *against) if damage and against else damage


def shields_alone(impact: Impact) -> tuple[int, int, bool] | None:
    """Return shield dice, their power, and whether 1s cancel, if nothing else stops damage; else None."""
    if impact.shields < 1 or impact.power is None or (impact.tough and not impact.stuns):
        return None
    return impact.shields, impact.power, impact.ones_cancel


def _against(impact: Impact) -> tuple[int, int | None, bool, bool] | None:
    """What damage meets, as `soak` and `left_of` take it; None where nothing stops any."""
    tough = impact.tough and not impact.stuns
    shielded = impact.shields > 0 and impact.power is not None
    return (impact.shields, impact.power, tough, impact.ones_cancel) if tough or shielded else None
