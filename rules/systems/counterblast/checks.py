"""Counterblast's check: so many d10, each against the target by itself, with criticals and bonus dice.

Owns what a roll of the dice is worth; knows no models, no modifiers' reasons and no consequences.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rules.dice import Dice, Die, Facet, Ranks, Stop

SIDES = 10


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What the dice of one check gave: successes, bonus dice included, less natural 1s.

    Every rule of the game needs only this difference: where it is above 0 the 1s cancelled that many fewer,
    where it is below 0 the 1s outnumber the successes. Rules: CB-CHECK-11, CB-CHECK-13, CB-CHECK-14.
    """

    score: int

    @property
    def net(self) -> int:
        """Successes that are left after the natural 1s cancelled theirs; never below 0."""
        return max(0, self.score)

    @property
    def net_ones(self) -> int:
        """Natural 1s beyond the successes; never below 0."""
        return max(0, -self.score)

    @property
    def critical_failure(self) -> bool:
        """More natural 1s than successes."""
        return self.score < 0


@cache
def check_die(modifier: int, target: int, *, criticals: bool = True) -> Die:
    """The d10 of a check, with the tally `score`.

    A natural 10 succeeds whatever the target and earns a bonus die; a natural 1 fails whatever the modifier
    and takes one from the score, on a bonus die it only fails. Without `criticals` a natural 10 is one
    success and a natural 1 one failure, nothing more.
    Rules: CB-CHECK-01, CB-CHECK-02, CB-CHECK-09, CB-CHECK-10, CB-CHECK-11, CB-CHECK-15.
    """

    def facets(one: tuple[int]) -> tuple[Facet, ...]:
        middle = (
            Facet("success", (1,)) if face + modifier >= target else Facet("miss", (0,))
            for face in range(2, SIDES)
        )
        return (Facet("natural 1", one), *middle, Facet("natural 10", (1,), again=criticals))

    bonus = Die(("score",), facets((0,)), shift=modifier)
    return Die(("score",), facets((-1,) if criticals else (0,)), bonus=bonus, shift=modifier)


LOWER_FIRST = Ranks(tuple(range(SIDES, 0, -1)))
"""Ranks a d10 from its lowest face to its highest."""


def _lowest(state: int, rank: int, counts: tuple[int, ...]) -> Stop[int]:
    return Stop(SIDES + 1 - rank)


def check(
    dice: Dice, pool: int, modifier: int, target: int, *, criticals: bool = True, label: str = "check"
) -> CheckResult:
    """Roll a check.

    pool: dice to roll after advantages and disadvantages; 0 or less means two dice of which the lower counts.
    modifier: added to every die, bonus dice included. target: the number each die must reach.
    Rules: CB-CHECK-01 to CB-CHECK-07, CB-CHECK-09 to CB-CHECK-14.
    """
    die = check_die(modifier, target, criticals=criticals)
    if pool > 0:
        return CheckResult(*dice.pool(pool, die, label))
    kept = die.facets[dice.sweep(((2, LOWER_FIRST),), _lowest, 0, f"{label}, lower of two") - 1]
    extra = dice.pool(1, die.bonus or die, f"{label}, bonus die")[0] if kept.again else 0
    return CheckResult(kept.adds[0] + extra)
