"""Melee as plain numbers: its blows, and the rules that roll them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice, Part, add_up
from rules.modifiers import Modifier
from rules.systems.counterblast.core.checks import PreparedCheck, Throw, score, throw
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import (
    Impact,
    PreparedImpact,
    Suffered,
    damage_of,
    melee_weapon,
    shield_successes,
    shields_alone,
    suffer,
    through,
)
from rules.systems.counterblast.core.profile import Weapon


@dataclass(frozen=True, slots=True)
class Bout:
    """One pairing: the attack dice, the defence dice (None: not a single one), what wounds do."""

    target: int
    attack: Throw
    defence: Throw | None
    impact: Impact


def clash(dice: Dice, attack: Throw, defence: Throw | None) -> int:
    """Roll both sides of a pairing; gives by how much the attacker's successes exceed the defender's.

    Each side's net successes, and what the other side's critical failure adds to them, come to the
    difference of the two scores. 0: the defender takes nothing.
    Rules: CB-FIGHT-05, CB-FIGHT-06, CB-FIGHT-07, CB-FIGHT-09, CB-FIGHT-10, CB-CHECK-16.
    """
    sides: list[Part] = [(1, 1, score, (attack, "attack"))]
    if defence is not None:
        sides.append((1, -1, score, (defence, "defence")))
    return max(0, dice.call(add_up, *sides))


def clash_with_criticals(dice: Dice, attack: Throw, defence: Throw | None) -> tuple[int, int]:
    """Return the same, and how many critical successes the attacker threw, no more than the difference.

    Rules: CB-FIGHT-05 to CB-FIGHT-10, CB-WEAP-15.
    """
    attack_score, criticals = dice.call(attack_with_criticals, attack)
    defence_score = score(dice, defence, "defence") if defence is not None else 0
    margin = max(0, attack_score - defence_score)
    return margin, min(margin, criticals)


def attack_with_criticals(dice: Dice, attack: Throw) -> tuple[int, int]:
    """Return the attacker's score and critical successes. Rules: CB-CHECK-09, CB-WEAP-15."""
    rolled = throw(dice, (attack,), count=("criticals",), label="attack")
    return rolled.score, rolled.criticals


def _margin(dice: Dice, bout: Bout) -> tuple[int, int]:
    if bout.impact.needs_criticals:
        return dice.call(clash_with_criticals, bout.attack, bout.defence)
    return dice.call(clash, bout.attack, bout.defence), 0


def fight(dice: Dice, bout: Bout) -> Suffered:
    """Fight out one pairing: opposed dice, damage, shield dice, Tough.

    Rules: CB-FIGHT-05 to CB-FIGHT-11, CB-FIGHT-14, CB-WEAP-40.
    """
    return suffer(dice, *_margin(dice, bout), bout.impact)


def fight_wounds(dice: Dice, bout: Bout) -> int:
    """Return what comes through of one pairing: `fight` with fewer outcomes, for odds.

    Where only shield dice stop damage, damage and what they stop are a sum, which the solver adds at once.
    Rules: CB-FIGHT-14.
    """
    shields = shields_alone(bout.impact)
    if shields is None:
        return through(dice, *_margin(dice, bout), bout.impact)
    parts: list[Part] = [(1, 1, damage_dealt, (bout,)), (1, -1, shield_successes, shields)]
    return max(0, dice.call(add_up, *parts))


def damage_dealt(dice: Dice, bout: Bout) -> int:
    """Return the damage of one pairing before shields. Rules: CB-FIGHT-06, CB-WEAP-40."""
    return damage_of(*_margin(dice, bout), bout.impact)


def melee(dice: Dice, bouts: tuple[Bout, ...]) -> tuple[Suffered, ...]:
    """Fight out all pairings of a melee, each separately. Rules: CB-FIGHT-08, CB-FIGHT-14."""
    return tuple(dice.call(fight, bout) for bout in bouts)


def wounds_by_bouts(dice: Dice, bouts: tuple[Bout, ...], cap: int) -> int:
    """Return what comes through of all pairings against one model, counted to `cap`. Rules: CB-FIGHT-14."""
    if not bouts:
        return 0
    earlier_wounds = dice.call(wounds_by_bouts, bouts[:-1], cap) if len(bouts) > 1 else 0
    return min(cap, earlier_wounds + dice.call(fight_wounds, bouts[-1]))


@dataclass(frozen=True, slots=True)
class Blow:
    """One attacker's dice against one defender, and the defender's dice against them.

    `dice` 0 means all of the attacker's dice (then it has one blow only); `defence` None in all blows against
    a defender means its dice shared evenly. `lenders` are allies of the defender who lend a die here.
    `inches` is the gap between the bases, 0 in contact. `weapon` is the attacker's.
    """

    attacker: Fighter
    defender: Fighter
    weapon: Weapon | None = None
    dice: int = 0
    defence: int | None = None
    lenders: tuple[Fighter, ...] = ()
    inches: float = 0
    charging: bool = False
    defence_weapon: Weapon | None = None

    @property
    def arm(self) -> Weapon:
        """Return the weapon attacked with."""
        return self.weapon or melee_weapon(self.attacker)


@dataclass(frozen=True, slots=True)
class Melee:
    """A melee as it is declared: all blows struck together, and what holds for them.

    `orders` are ids of attackers and defenders who spend an order token. `outnumbering` are the sides whose
    models outnumber the other in this melee. `halved` are ids of defenders who fight with half their dice.
    `group` says that the attackers were activated together. `attack_modifiers` and `attack_edges` are further
    ones, named by the calling rule or the table.
    """

    blows: tuple[Blow, ...]
    dark: bool = False
    vacuum: bool = False
    underwater: bool = False
    orders: frozenset[int] = frozenset()
    outnumbering: frozenset[int] = frozenset()
    halved: frozenset[int] = frozenset()
    group: bool = True
    must_be_engaged: bool = True
    attack_modifiers: tuple[Modifier, ...] = ()
    attack_edges: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedBlow:
    """A pairing ready to be rolled, with its reasons."""

    bout: Bout
    attacker: Fighter
    defender: Fighter
    weapon: Weapon
    attack: PreparedCheck
    defence: PreparedCheck | None
    impact: PreparedImpact


@dataclass(frozen=True, slots=True)
class PreparedMelee:
    """A melee ready to be rolled; `bouts` are the arguments of `melee`."""

    blows: tuple[PreparedBlow, ...]

    @property
    def bouts(self) -> tuple[Bout, ...]:
        """Return the pairings in the order declared."""
        return tuple(blow.bout for blow in self.blows)
