"""Meta-Speed: surge multiples on a straight path, deviations, bad ground.

Owns the surge table of a figure.
"""

from __future__ import annotations

from fractions import Fraction

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.movement import SHARES, WORST, rounded
from rules.systems.fracd_earth.obstacles import Ground

MAX_RANKS = 20
FREE_VEER = Fraction(1, 2)


def multiples(ranks: int) -> tuple[Fraction, ...]:
    """The multiples of the basic Move, one per rank: 1 1/2, 2, 3, 4 ... Raises InvalidInput.

    Rules: FE-META-01.
    """
    if not 0 <= ranks <= MAX_RANKS:
        raise InvalidInput(f"A figure has 0 to {MAX_RANKS} surge ranks, not {ranks}.")
    return (Fraction(3, 2), *(Fraction(number) for number in range(2, ranks + 1)))[:ranks]


def deviations_of(turn_degrees: float = 0, veer_bases: float = 0) -> int:
    """How many deviations one change of course counts.

    turn_degrees: 0 to 180; below 45 nothing, to 90 one, above two. veer_bases: how far the path leaves the
    straight line, in widths of the base; more than half counts one. Raises InvalidInput. Rules: FE-META-02.
    """
    if not 0 <= turn_degrees <= 180 or veer_bases < 0:
        raise InvalidInput("A turn is 0 to 180 degrees, a veer 0 or more.")
    turned = 0 if turn_degrees < 45 else 1 if turn_degrees <= 90 else 2
    return max(turned, int(veer_bases > FREE_VEER))


def surge_multiple(ranks: int, deviations: int) -> Fraction:
    """The highest multiple left after deviations, never below 1. Rules: FE-META-01, FE-META-02."""
    if deviations < 0:
        raise InvalidInput("Deviations are 0 or more.")
    steps = (Fraction(1), *multiples(ranks))
    return steps[max(0, len(steps) - 1 - deviations)]


def surge_through(basic: int, multiple: Fraction, grounds: tuple[Ground, ...]) -> float:
    """Inches of a surge whose multiples are spent on these grounds, one ground for each Move multiple.

    multiple: as `surge_multiple` gives it; a half counts as the last, shorter part. grounds: those of the
    multiples, clear where fewer are given. Raises Forbidden for Impassable ground, InvalidInput for more
    grounds than multiples. Rules: FE-META-03.
    """
    parts = [Fraction(1)] * int(multiple) + ([multiple % 1] if multiple % 1 else [])
    if len(grounds) > len(parts) or any(ground not in WORST for ground in grounds):
        raise InvalidInput(f"Name the ground of at most {len(parts)} multiples.")
    if "impassable" in grounds:
        raise Forbidden("That ground is Impassable: it cannot be crossed.", "FE-TER-04")
    clear: tuple[Ground, ...] = ("clear",)
    padded = (*grounds, *(clear * (len(parts) - len(grounds))))
    return sum(rounded(basic * part * SHARES[ground]) for part, ground in zip(parts, padded, strict=True))
