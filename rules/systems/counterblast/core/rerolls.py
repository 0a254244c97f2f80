"""Checks of which dice are rolled again: all of them where they fall short, or single ones that failed."""

from __future__ import annotations

from dataclasses import replace

from rules.dice import Dice
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import CheckResult, Throw, throw


def check_again(
    dice: Dice, throws: tuple[Throw, ...], successes: int = 1, *, criticals: bool = True, label: str = "check"
) -> CheckResult:
    """Roll a check and, when it falls short of `successes`, roll all its dice once more; the second stands.

    Rules: CB-CHECK-06, CB-SPEC-02, CB-SPEC-13, CB-SPEC-21.
    """
    first = dice.call(throw, throws, criticals=criticals, label=label)
    if first.score >= successes:
        return first
    return dice.call(throw, throws, criticals=criticals, label=f"{label}, again")


def check_mending_failures(
    dice: Dice, before: CheckResult, misses: int, ones: int, again: Throw, *, label: str = "re-roll"
) -> CheckResult:
    """Re-roll single failed dice of a check that has been rolled: the new faces stand.

    before: the check as it fell. misses, ones: how many plain misses and how many natural 1s are rolled
    again, bonus dice excluded. again: the check's modifier and target. Raises InvalidInput where nothing is
    re-rolled. Rules: CB-CHECK-06.
    """
    if misses < 0 or ones < 0 or misses + ones < 1:
        raise InvalidInput("Name at least one failed die to roll again.")
    fresh = throw(dice, (replace(again, pool=misses + ones),), label=label)
    return CheckResult(before.score + ones + fresh.score)
