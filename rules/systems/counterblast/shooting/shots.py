"""The dice of a shot: alone, split over several targets, into a melee; and a weapon that overloads.

Owns the rules that are rolled. `shooting` prepares who may shoot, with how many dice and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.dice import Dice, Distribution, Solver, add_up, answers
from rules.systems.counterblast.core.checks import (
    CheckResult,
    Throw,
    merge_throws,
    roll_dice_of_others,
    throw,
    throw_and_misses,
)
from rules.systems.counterblast.core.impacts import UNHURT, Impact, Suffered, damage_die, suffer, through


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
    """The result of one shot, with the net 1s of its dice if the shot counts them."""

    suffered: Suffered
    net_ones: int = 0


def _attack(dice: Dice, aimed: Shot) -> CheckResult:
    return throw(dice, aimed.throws, count=_counted(aimed), label=aimed.label)


def _counted(aimed: Shot) -> tuple[str, ...]:
    return ("criticals",) if aimed.impact.needs_criticals else ()


def _hits(dice: Dice, aimed: Shot) -> tuple[int, int]:
    rolled = dice.call(throw, aimed.throws, count=_counted(aimed), label=aimed.label)
    return rolled.net, rolled.criticals


def shot(dice: Dice, aimed: Shot) -> ShotResult:
    """Shoot at one target: dice against its Defense, damage, shield dice, Tough.

    Rules: CB-SHOOT-01, CB-SHOOT-04, CB-SHOOT-05, CB-SHOOT-08, CB-SHOOT-16, CB-ACT-08, CB-WEAP-37.
    """
    rolled = _attack(dice, aimed)
    suffered = suffer(dice, rolled.net, rolled.criticals, aimed.impact)
    return ShotResult(suffered, rolled.net_ones if aimed.counts_ones else 0)


def shot_wounds(dice: Dice, aimed: Shot) -> int:
    """Return what comes through of one shot: `shot` with fewer outcomes, for odds. Rules: CB-SHOOT-16."""
    net, criticals = dice.call(_hits, aimed)
    return dice.call(through, net, criticals, aimed.impact)


def volley(dice: Dice, shots: tuple[Shot, ...]) -> tuple[ShotResult, ...]:
    """Shoot several times, judging each shot separately. Rules: CB-SHOOT-06, CB-SHOOT-07, CB-SHOOT-08."""
    return tuple(dice.call(shot, aimed) for aimed in shots)


def wounds_by_shots(dice: Dice, shots: tuple[Shot, ...], cap: int) -> int:
    """Return what comes through of all shots at one model, counted to `cap`. Rules: CB-SHOOT-08."""
    alike = ((times, 1, shot_wounds, (aimed,)) for aimed, times in Counter(shots).items())
    return min(cap, dice.call(add_up, *alike))


def at_one(shots: Iterable[Shot]) -> tuple[Shot, ...]:
    """Return shots at one model without its number, so that equal models are one question to the odds."""
    return tuple(replace(aimed, target=0) for aimed in shots)


@dataclass(frozen=True, slots=True)
class Missing:
    """An attack into a melee as it fell: successes less natural 1s, critical successes where they count, and
    the dice of each throw that missed. `wholly`: not a single die succeeded."""

    score: int
    criticals: int
    misses: tuple[int, ...]
    wholly: bool


def attack_and_misses(dice: Dice, throws: tuple[Throw, ...], criticals: bool) -> Missing:
    """Roll an attack into a melee. criticals: whether they are told.

    Natural 1s and bonus dice that fail are misses as well; a success that a natural 1 cancels is none.
    Rules: CB-SHOOT-10.
    """
    rolled, misses = throw_and_misses(dice, throws, label="attack")
    wholly = not rolled.criticals and sum(misses) == sum(max(1, part.pool) for part in throws)
    return Missing(rolled.score, rolled.criticals if criticals else 0, misses, wholly)


def _stray(friend: Shot, strays: tuple[int, ...]) -> Shot:
    """The dice that stray, each with what its own thrower adds against the friend."""
    throws = (replace(throw, pool=count) for throw, count in zip(friend.throws, strays, strict=True) if count)
    return replace(friend, throws=merge_throws(tuple(throws)), counts_ones=False, label="stray")


def _one_less(strays: tuple[int, ...]) -> tuple[int, ...]:
    place = next((place for place, count in enumerate(strays) if count), 0)
    return tuple(count - (index == place) for index, count in enumerate(strays))


def volley_into_melee(
    dice: Dice, shots: tuple[tuple[Shot, Shot | None], ...], with_aim: bool
) -> tuple[tuple[ShotResult, Suffered], ...]:
    """Shoot at several models, some of them engaged: what each suffered, and the friend beside it.

    shots: each with its friend, None where no die strays; of the friend's dice only what is added and its
    Defense matter, one throw for each thrower. with_aim: where every die of the aimed attack missed, one die
    fewer strays. Rules: CB-SHOOT-06, CB-SHOOT-08, CB-SHOOT-10, CB-SHOOT-11.
    """
    rolled = [dice.call(attack_and_misses, aimed.throws, aimed.impact.needs_criticals) for aimed, _ in shots]
    spare = with_aim and all(attack.wholly for attack in rolled)
    results = []
    for (aimed, friend), fell in zip(shots, rolled, strict=True):
        strays = fell.misses if friend is not None else ()
        if spare and strays:
            strays, spare = _one_less(strays), False
        results.append(dice.call(fallen, aimed, friend, fell, strays))
    return tuple(results)


def fallen(
    dice: Dice, aimed: Shot, friend: Shot | None, attack: Missing, strays: tuple[int, ...]
) -> tuple[ShotResult, Suffered]:
    """Return the result of an attack into a melee, for its target and the friend whom strays may hit.

    Rules: CB-SHOOT-05, CB-SHOOT-10.
    """
    suffered = suffer(dice, max(0, attack.score), attack.criticals, aimed.impact)
    ones = max(0, -attack.score) if aimed.counts_ones else 0
    if friend is None or not sum(strays):
        return ShotResult(suffered, ones), UNHURT
    return ShotResult(suffered, ones), shot(dice, _stray(friend, strays)).suffered


def shot_into_melee(dice: Dice, aimed: Shot, friend: Shot, with_aim: bool) -> tuple[Suffered, Suffered]:
    """Shoot at an engaged model; every die that misses is rolled again at a friend in the same melee.

    Gives what the target and what the friend suffered. Rules: CB-SHOOT-10, CB-SHOOT-11.
    """
    ((result, friend_suffered),) = volley_into_melee(dice, ((aimed, friend),), with_aim)
    return result.suffered, friend_suffered


def straying(
    dice: Dice, throws: tuple[Throw, ...], friend: Shot, with_aim: bool
) -> tuple[int, tuple[Throw, ...]]:
    """Roll an attack into a melee with a weapon that does more than wound.

    Gives its net successes, and the dice that stray as the throws of an attack on the friend, none where no
    die strays. with_aim: one die fewer strays where all missed. Rules: CB-SHOOT-10, CB-SHOOT-11.
    """
    attack = attack_and_misses(dice, throws, False)
    strays = _one_less(attack.misses) if with_aim and attack.wholly else attack.misses
    return max(0, attack.score), _stray(friend, strays).throws


MISSED = -1
"""No die that strayed hit the friend."""


def friend_wounds(
    dice: Dice, rolls: tuple[tuple[tuple[Shot, Shot | None], ...], ...], with_aim: bool, friend: int, cap: int
) -> int:
    """Return the wounds that misses deal to one friend, counted to `cap`; MISSED if none hits it.

    `volley_into_melee` with fewer outcomes, for odds. rolls: every full roll of the attack.
    friend: its number.
    Rules: CB-SHOOT-10, CB-SHOOT-11.
    """
    total = MISSED
    for shots in rolls:
        wounds = dice.call(_roll_on_friend, shots, with_aim, friend)
        if wounds != MISSED:
            total = min(cap, max(total, 0) + wounds)
    return total


def _roll_on_friend(
    dice: Dice, shots: tuple[tuple[Shot, Shot | None], ...], with_aim: bool, friend: int
) -> int:
    stray_rolls = [_Strays(*dice.call(_strays, aimed.throws, friend_shot)) for aimed, friend_shot in shots]
    spare = with_aim and not any(stray_roll.struck for stray_roll in stray_rolls)
    total = MISSED
    for (aimed, beside), strays in zip(shots, stray_rolls, strict=True):
        if beside is None:
            continue
        if spare:
            strays, spare = dice.call(_spared, aimed.throws, beside), False
        if beside.target == friend and strays.net > 0:
            wounds = dice.call(through, strays.net, strays.criticals, beside.impact)
            total = max(total, 0) + wounds
    return total


class _Strays(NamedTuple):
    """The tallies of an attack's misses, rolled again at a friend.

    ones: natural 1s of dependable dice. struck: throws of the attack itself of which a die succeeded.
    """

    score: int = 0
    ones: int = 0
    criticals: int = 0
    struck: int = 0

    @property
    def net(self) -> int:
        """Return the net successes: one natural 1 of dependable dice is disregarded."""
        return max(0, self.score + min(1, self.ones))


def _strays(dice: Dice, throws: tuple[Throw, ...], friend: Shot | None) -> _Strays:
    """Roll an attack, and its misses at a friend, one thrower after another. Rules: CB-SHOOT-10."""
    tallies = zip(*(dice.call(_strays_of, *pair) for pair in _pairs(throws, friend)), strict=True)
    return _Strays(*map(sum, tallies))


@answers(_strays)
def _stray_chances(solver: Solver, throws: tuple[Throw, ...], friend: Shot | None) -> Distribution:
    distributions = [solver.distribution(_strays_of, pair, {}) for pair in _pairs(throws, friend)]
    return solver.together(distributions, len(_Strays._fields))


def _pairs(throws: tuple[Throw, ...], friend: Shot | None) -> list[tuple[Throw, Throw | None, bool]]:
    """Return each thrower's dice, with what they add against the friend and whether its criticals count."""
    if friend is None:
        return [(throw, None, False) for throw in throws]
    counted = friend.impact.needs_criticals
    return [(own, astray, counted) for own, astray in zip(throws, friend.throws, strict=True)]


def _strays_of(dice: Dice, attack_throw: Throw, astray: Throw | None, counted: bool) -> _Strays:
    misses, wholly = dice.call(_missed, attack_throw)
    if astray is None or not misses:
        return _Strays(struck=not wholly)
    stray_throws = (replace(astray, pool=misses),)
    score, ones, criticals = dice.call(
        roll_dice_of_others, stray_throws, True, ("ones", "criticals"), "stray"
    )
    return _Strays(score, ones, criticals if counted else 0, not wholly)


def _missed(dice: Dice, part: Throw) -> tuple[int, bool]:
    attack = attack_and_misses(dice, (part,), False)
    return attack.misses[0], attack.wholly


def _spared(dice: Dice, throws: tuple[Throw, ...], friend: Shot) -> _Strays:
    """Roll the strays of an aimed attack of which every die missed: one fewer."""
    stray_shot = _stray(friend, _one_less(tuple(max(1, part.pool) for part in throws)))
    net, criticals = dice.call(_hits, stray_shot) if stray_shot.throws else (0, 0)
    return _Strays(net, criticals=criticals)


def friend_hit(dice: Dice, throws: tuple[Throw, ...], friend: Shot, with_aim: bool) -> bool:
    """Return whether strays hit a friend, whatever they then do: `straying` and its second roll, for odds.

    Rules: CB-SHOOT-10, CB-SHOOT-11.
    """
    strays = _Strays(*dice.call(_strays, throws, friend))
    if with_aim and not strays.struck:
        strays = dice.call(_spared, throws, friend)
    return strays.net > 0


def overload(dice: Dice, net_ones: int, defense: int, impact: Impact) -> Suffered:
    """Roll against the firer of a full-auto weapon: one die for each net natural 1, at its own Defense.

    net_ones: of all targets added up, 0 or more. Rules: CB-WEAP-37.
    """
    if net_ones < 1:
        return UNHURT
    hits = dice.pool(net_ones, damage_die(0, defense), "overload")[0]
    return suffer(dice, hits, 0, impact)


def overload_wounds(dice: Dice, attacks: tuple[tuple[Throw, ...], ...], defense: int, impact: Impact) -> int:
    """Return what comes through to the firer of one full roll at full auto: `overload`, for odds.

    attacks: the dice at every target. defense, impact: the firer's own Defense and its weapon on it.
    Rules: CB-WEAP-37.
    """
    ones = dice.call(add_up, *((1, 1, _net_ones, (throws,)) for throws in attacks))
    if not ones:
        return 0
    hits = dice.pool(ones, damage_die(0, defense), "overload")[0]
    return dice.call(through, hits, 0, impact)


def _net_ones(dice: Dice, throws: tuple[Throw, ...]) -> int:
    return throw(dice, throws, label="attack").net_ones
