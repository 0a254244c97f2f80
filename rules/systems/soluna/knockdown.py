"""The Mode test, and the knockdown test that uses it.

Owns like faces against a difficulty, and when and how hard a wounded model is tested.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.dice import Dice, Ranks
from rules.effects import Effect, Gain
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.damage import Damage
from rules.systems.soluna.flips import best_flips
from rules.systems.soluna.grid import FACES, Counts
from rules.systems.soluna.models import Condition, Model
from rules.systems.soluna.settings import Settings

D6 = Ranks(FACES)
"""A d6 whose faces are told apart."""


def _largest(state: int, rank: int, counts: tuple[int, ...]) -> int:
    return max(state, counts[0])


def _count(state: Counts, rank: int, counts: tuple[int, ...]) -> Counts:
    faces = list(state)
    faces[rank - 1] = counts[0]
    return faces[0], faces[1], faces[2], faces[3], faces[4], faces[5]


def faces_of(dice: Dice, n: int, label: str) -> Counts:
    """Throw n d6; how many show each face. Rules: SU-GRID-02."""
    return dice.sweep(((n, D6),), _count, (0, 0, 0, 0, 0, 0), label)


def largest_group(dice: Dice, n: int, label: str) -> int:
    """Throw n d6; how many show the commonest face. Rules: SU-MODE-01."""
    return dice.sweep(((n, D6),), _largest, 0, label)


def mode_test(dice: Dice, n: int, difficulty: int, flips: int = 0, label: str = "Mode test") -> bool:
    """Roll a Mode test with n dice, 0 or more: success with `difficulty` or more like faces.

    Difficulty 0 succeeds without a roll. flips: bought with dice beforehand, see `traded_dice`.
    Rules: SU-MODE-01, SU-MODE-02.
    """
    if difficulty <= 0:
        return True
    if n <= 0:
        return False
    if not flips:
        return largest_group(dice, n, label) >= difficulty
    counts = faces_of(dice, n, label)
    return max(best_flips(counts, flips, (face,)).hits for face in FACES) >= difficulty


def traded_dice(n: int, flips: int, settings: Settings, *, psionic: bool = False) -> int:
    """Dice left to roll after two were given up for each flip; 1 or more must be left.

    psionic: a test of psionics, where this is always allowed. Raises Forbidden. Rules: SU-MODE-02.
    """
    if flips < 0:
        raise InvalidInput("Flips are 0 or more.")
    if flips and not (psionic or settings.mode_test_trade_dice):
        raise Forbidden("Dice are traded for flips in tests of psionics only.", "SU-MODE-02")
    left = n - 2 * flips
    if flips and left < 1:
        most = max(0, n - 1) // 2
        raise Forbidden(f"Each flip costs two dice; {n} dice buy at most {most}.", "SU-MODE-02")
    return left


def certain(n: int, difficulty: int) -> bool | None:
    """What a Mode test with n dice comes to whatever they show: True, False, or None where it is open.

    Among more than six dice some are alike. Rules: SU-MODE-01, SU-KO-02.
    """
    if difficulty <= -(-n // len(FACES)):
        return True
    return False if n < difficulty else None


@dataclass(frozen=True, slots=True)
class Knockdown:
    """A knockdown test that is due: the location hurt, the dice to roll, the like faces needed."""

    location: str
    dice: int
    difficulty: int

    @property
    def hopeless(self) -> bool:
        """Whether no throw of these dice passes it."""
        return certain(self.dice, self.difficulty) is False


def difficulty(before: int, lost: int, settings: Settings) -> int:
    """Difficulty by the part of a value that an attack took: `lost` of `before`, which is 1 or more.

    Rules: SU-KO-02.
    """
    if before < 1 or not 0 <= lost <= before:
        raise InvalidInput("A value of 1 or more loses 0 up to all of it.")
    part = Fraction(lost, before)
    return next(grade for most, grade in settings.ko_table if part <= most)


def knockdowns(model: Model, harm: Damage, settings: Settings) -> tuple[Knockdown, ...]:
    """Knockdown tests that the damage calls for; `model` is as it was before the attack.

    None for a model that dies or whose Mind falls to 0, and none that cannot fail: at difficulty 0, or 1 with
    a die. Rules: SU-KO-01, SU-KO-02.
    """
    mind = model.value("mind") - harm.of("mind")
    if mind <= 0 or harm.of("health") >= model.value("health"):
        return ()
    dice = model.value("mind") if settings.ko_dice == "mind_before" else mind
    tests = []
    for location in ("mind", "health"):
        lost = harm.of(location)
        if not lost:
            continue
        base = model.value(location) if settings.ko_base == "before" else model.profile.attribute(location)
        grade = difficulty(base, lost, settings)
        if not certain(dice, grade):
            tests.append(Knockdown(location, dice, grade))
    if settings.ko_both == "highest" and tests:
        return (max(tests, key=lambda test: test.difficulty),)
    return tuple(tests)


def after_knockdown(model: int, *, stood: bool) -> tuple[Effect, ...]:
    """A model that fails its test falls and is prone. Rules: SU-KO-01, SU-KO-03."""
    return () if stood else (Gain(model, Condition.PRONE, source="knocked down"),)
