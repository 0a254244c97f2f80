"""The dice of a shot: alone, split over several targets, into a melee; and a weapon that overloads.

Owns the rules that are rolled. Who may shoot, with how many dice and why, is prepared by `shooting`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.dice import Dice
from rules.systems.counterblast.checks import CheckResult, Throw, throw
from rules.systems.counterblast.shields import (
    MAX_COUNTED,
    UNHURT,
    Impact,
    Suffered,
    damage_die,
    suffer,
    through,
)


@dataclass(frozen=True, slots=True)
class Shot:
    """The dice against one target and what hits do to it.

    `counts_ones`: net 1s are told (full auto). `label`: what its dice are called.
    """

    target: int
    throws: tuple[Throw, ...]
    impact: Impact
    counts_ones: bool = False
    label: str = "attack"


@dataclass(frozen=True, slots=True)
class ShotResult:
    """What one shot did, and the net 1s of its dice where the shot tells them."""

    suffered: Suffered
    net_ones: int = 0


def _attack(dice: Dice, aimed: Shot) -> CheckResult:
    count = ("criticals",) if aimed.impact.needs_criticals else ()
    return throw(dice, aimed.throws, count=count, label=aimed.label)


def _hits(dice: Dice, aimed: Shot) -> tuple[int, int]:
    """Net and critical successes of the attack."""
    rolled = _attack(dice, aimed)
    return rolled.net, rolled.criticals


def shot(dice: Dice, aimed: Shot) -> ShotResult:
    """Shoot at one target: dice against its Defense, damage, shield dice, Tough.

    Rules: CB-SHOOT-01, CB-SHOOT-04, CB-SHOOT-05, CB-SHOOT-08, CB-SHOOT-16, CB-ACT-08, CB-WEAP-37.
    """
    rolled = _attack(dice, aimed)
    suffered = suffer(dice, rolled.net, rolled.criticals, aimed.impact)
    return ShotResult(suffered, rolled.net_ones if aimed.counts_ones else 0)


def shot_wounds(dice: Dice, aimed: Shot) -> int:
    """What comes through of one shot: `shot` with fewer outcomes, for odds. Rules: CB-SHOOT-16."""
    net, criticals = dice.call(_hits, aimed)
    return dice.call(through, net, criticals, aimed.impact)


def volley(dice: Dice, shots: tuple[Shot, ...]) -> tuple[ShotResult, ...]:
    """Shoot several times; each shot is judged by itself. Rules: CB-SHOOT-06, CB-SHOOT-07, CB-SHOOT-08."""
    return tuple(dice.call(shot, aimed) for aimed in shots)


def wounds_by_shots(dice: Dice, shots: tuple[Shot, ...], cap: int) -> int:
    """What comes through of all shots at one model, counted to `cap`. Rules: CB-SHOOT-08."""
    taken = 0
    for aimed in shots:
        taken = min(cap, taken + dice.call(shot_wounds, aimed))
    return taken


def volley_wounds(dice: Dice, shots: tuple[Shot, ...], cap: int = MAX_COUNTED) -> tuple[int, ...]:
    """What comes through to each target, in the order in which the shots first name them.

    The same rolls as `volley` with fewer outcomes, for its odds; wounds beyond `cap` (1 or more) on one model
    are not told apart. Rules: CB-SHOOT-06, CB-SHOOT-08.
    """
    targets = dict.fromkeys(aimed.target for aimed in shots)
    return tuple(
        dice.call(wounds_by_shots, tuple(aimed for aimed in shots if aimed.target == target), cap)
        for target in targets
    )


def attack_and_misses(
    dice: Dice, throws: tuple[Throw, ...], with_aim: bool, criticals: bool
) -> tuple[int, int, int]:
    """Roll an attack into a melee; gives net successes, critical successes, and the dice that stray.

    with_aim: one die fewer strays when all dice of the aimed shot missed. criticals: whether they count.
    Rules: CB-SHOOT-10, CB-SHOOT-11.
    """
    count = ("misses", "criticals") if criticals else ("misses",)
    rolled = throw(dice, throws, count=count, label="attack")
    all_missed = rolled.misses == sum(max(1, part.pool) for part in throws)
    return rolled.net, rolled.criticals, rolled.misses - (1 if with_aim and all_missed else 0)


def _stray(friend: Shot, strays: int) -> Shot:
    return replace(friend, throws=(replace(friend.throws[0], pool=strays),), label="stray")


def shot_into_melee(dice: Dice, aimed: Shot, friend: Shot, with_aim: bool) -> tuple[Suffered, Suffered]:
    """Shoot at an engaged model; every die that misses is rolled again at a friend in the same melee.

    friend: the friend's Defense and impact; its own number of dice does not matter. Gives what the target
    and what the friend suffered. Rules: CB-SHOOT-10, CB-SHOOT-11.
    """
    criticals = aimed.impact.needs_criticals
    hits, critical, strays = dice.call(attack_and_misses, aimed.throws, with_aim, criticals)
    suffered = suffer(dice, hits, critical, aimed.impact)
    return suffered, dice.call(shot, _stray(friend, strays)).suffered if strays > 0 else UNHURT


def wounds_into_melee(
    dice: Dice, aimed: Shot, friend: Shot, with_aim: bool, cap: int = MAX_COUNTED
) -> tuple[int, int]:
    """What comes through to the target and to the friend, each counted to `cap`: `shot_into_melee` with
    fewer outcomes, for odds. Rules: CB-SHOOT-10, CB-SHOOT-11.
    """
    criticals = aimed.impact.needs_criticals
    hits, critical, strays = dice.call(attack_and_misses, aimed.throws, with_aim, criticals)
    taken = dice.call(through, hits, critical, aimed.impact)
    beside = dice.call(wounds_by_shots, (_stray(friend, strays),), cap) if strays > 0 else 0
    return min(cap, taken), beside


def overload(dice: Dice, net_ones: int, defense: int, impact: Impact) -> Suffered:
    """A full-auto weapon turns on its firer: one die for each net natural 1, at the firer's own Defense.

    net_ones: of all targets added up, 0 or more. Rules: CB-WEAP-37.
    """
    if net_ones < 1:
        return UNHURT
    hits = dice.pool(net_ones, damage_die(0, defense), "overload")[0]
    return suffer(dice, hits, 0, impact)
