"""Visibility: how light, weather and smoke change the reach to a target.

Owns the factors and the effective reach, in squares. Knows no weapons, and sight lines only through smoke.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from rules.systems.soluna.board import Board, Cloud, Light
from rules.systems.soluna.geometry import Point
from rules.systems.soluna.settings import Settings, Visibility
from rules.systems.soluna.sight import runs_through

DOUBLE = Fraction(2)
HALF_MORE = Fraction(3, 2)
WEATHER: dict[Visibility, tuple[Fraction, str]] = {
    "poor": (HALF_MORE, "SU-VIS-05"),
    "abysmal": (DOUBLE, "SU-VIS-06"),
}


@dataclass(frozen=True, slots=True)
class Eyes:
    """How the attacker sees, and whether the target stands in a light of its own."""

    sees_in_dark: bool = False
    sightless: bool = False
    blinded: bool = False
    target_lit: bool = False


@dataclass(frozen=True, slots=True)
class Factor:
    """Reach multiplied by `factor`, for a reason, by the ledger's rule."""

    factor: Fraction
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class Visible:
    """What an attacker faces: the factors on its reach, and whether it can only grope at reach 1.

    groping: targets beyond reach 1 cannot be attacked, and the attack has no Accuracy at all.
    """

    factors: tuple[Factor, ...] = ()
    groping: Factor | None = None


def visible(light: Light, weather: Visibility, smoke: Visibility, eyes: Eyes) -> Visible:
    """Collect what light, weather and smoke do to one attack.

    Rules: SU-VIS-01, SU-VIS-02, SU-VIS-03, SU-VIS-04, SU-VIS-05, SU-VIS-06.
    """
    factors: list[Factor] = []
    groping = None
    helped = eyes.sees_in_dark or eyes.target_lit
    if light == "dark" and not helped:
        factors.append(Factor(DOUBLE, "darkness", "SU-VIS-01"))
    elif light == "total_dark" and helped:
        factors.append(Factor(DOUBLE, "total darkness", "SU-VIS-02"))
    elif light == "total_dark":
        groping = Factor(DOUBLE, "total darkness", "SU-VIS-02")
    elif light == "extreme_bright" and not eyes.sightless:
        groping = Factor(DOUBLE, "extreme brightness", "SU-VIS-04")
    if (light == "bright" or eyes.blinded) and not eyes.sightless and groping is None:
        factors.append(Factor(DOUBLE, "blinded by light", "SU-VIS-03"))
    for what, reason in ((weather, f"{weather} visibility"), (smoke, f"smoke, {smoke} visibility")):
        if what in WEATHER:
            factor, rule = WEATHER[what]
            factors.append(Factor(factor, reason, rule))
    return Visible(tuple(factors), groping)


def smoke_between(clouds: Iterable[Cloud], attacker: Point, target: Point) -> Visibility:
    """The strongest factor of the clouds that an attack runs through, starts in or ends in.

    Rules: SU-CLOUD-03.
    """
    strongest: Visibility = "none"
    for cloud in clouds:
        if cloud.factor == "none" or strongest == "abysmal":
            continue
        if {attacker, target} & cloud.squares or runs_through(attacker, target, cloud.squares):
            strongest = cloud.factor
    return strongest


def surroundings(board: Board, attacker: Point, target: Point, eyes: Eyes) -> Visible:
    """`visible` with the board's light, weather and clouds between the two squares."""
    return visible(board.light, board.weather, smoke_between(board.clouds, attacker, target), eyes)


def effective_reach(plain: int, factors: tuple[Factor, ...], settings: Settings) -> int:
    """Reach to a target after visibility: factors multiplied, rounded up once; 0 and 1 never change.

    plain: printed reach with the effects of abilities and Artifacts, 0 or more.
    Rules: SU-VIS-05, SU-VIS-07, SU-VIS-08, SU-VIS-09.
    """
    if plain <= 1:
        return plain
    product = Fraction(1)
    for factor in factors:
        product = (
            max(product, factor.factor)
            if settings.visibility_stack == "strongest"
            else product * factor.factor
        )
    return ceil(plain * product)


def plain_reach(printed: int, effects: int) -> int:
    """Printed reach raised or lowered by effects in play; at least 1 except for the attacker's own square.

    Rules: SU-VIS-09.
    """
    return max(1, printed + effects) if printed else 0
