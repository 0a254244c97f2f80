"""Area attacks: shapes, the attack on a point of ground, scatter, who is in it, avoiding it.

Owns the geometry of areas and the numbers around them. Points are inches on the table's map; a figure is
where the centre of its base is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import cos, hypot, radians, sin
from typing import Literal

from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.checks import DEFAULT_TN
from rules.systems.fracd_earth.combat import Manner, beyond_mid_range, manner_marks, quick_range, support
from rules.systems.fracd_earth.deck import Prepared, prepare
from rules.systems.fracd_earth.modifiers import general_modifiers
from rules.systems.fracd_earth.profile import Figure
from rules.systems.fracd_earth.settings import Settings
from rules.systems.fracd_earth.weapons import Weapon

ATTACK_TN = 11
AVOID_INCHES = 2
MAX_INCHES = 100
CLOSE = 1e-6

Delivery = Literal["power", "grenade", "aerodynamic", "lifted"]
TRAITS: dict[Delivery, tuple[str, str]] = {
    "power": ("cast", "cast"),
    "grenade": ("shoot", "throw"),
    "aerodynamic": ("shoot", "shoot"),
    "lifted": ("manv", "lift and toss"),
}

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Blast:
    """A sphere around a point; `diameter` is its whole width. Rules: FE-AOE-02."""

    centre: Point
    diameter: float


@dataclass(frozen=True, slots=True)
class Cone:
    """A triangle: the attacker at `apex`, its far side between two markers. Rules: FE-AOE-03."""

    apex: Point
    left: Point
    right: Point


@dataclass(frozen=True, slots=True)
class Pulse:
    """A circle around the attacker, or its half in the direction `facing` (degrees) alone.

    Rules: FE-AOE-04.
    """

    centre: Point
    radius: float
    facing: float | None = None


Area = Blast | Cone | Pulse


def trait_and_skill(delivery: Delivery) -> tuple[str, str]:
    """Return the trait added and the skill used for an area attack. Raises InvalidInput. Rules: FE-AOE-06."""
    if delivery not in TRAITS:
        raise InvalidInput(f"Use one of these for an area attack: {', '.join(TRAITS)}.")
    return TRAITS[delivery]


def refuse_point(distance_inches: float, range_inches: float) -> None:
    """Raise Forbidden unless the point of ground is within range. Rules: FE-AOE-01."""
    if distance_inches > range_inches:
        raise Forbidden(f"Choose a point within {range_inches:g} in, the range of this attack.", "FE-AOE-01")


def cone(apex: Point, length: float, width: float, facing: float) -> Cone:
    """Return a cone towards `facing` (degrees). Raises InvalidInput. Rules: FE-AOE-03."""
    _sizes(length, width)
    direction = (cos(radians(facing)), sin(radians(facing)))
    end = (apex[0] + direction[0] * length, apex[1] + direction[1] * length)
    half = width / 2
    left = (end[0] - direction[1] * half, end[1] + direction[0] * half)
    right = (end[0] + direction[1] * half, end[1] - direction[0] * half)
    return Cone(apex, left, right)


def prepare_attack(
    attacker: Figure,
    weapon: Weapon,
    delivery: Delivery,
    distance_inches: float,
    settings: Settings,
    *,
    manner: Manner = "basic",
    moving: bool = False,
    ran: bool = False,
    platform: bool = False,
    supporters: int = 0,
) -> Prepared:
    """Return the attacker's cards and trait for the Check against a point of ground, with every reason.

    distance_inches: to the point. The weapon's rank counts where the Crew Card lacks the skill. Raises
    Forbidden beyond the range. Rules: FE-AOE-01, FE-AOE-05, FE-AOE-06, FE-CMB-07, FE-MOD-06, FE-MOV-02.
    """
    reach = float(weapon.range_inches or 0)
    if manner == "quick" and delivery != "power":
        reach = quick_range(reach)
    refuse_point(distance_inches, reach)
    if manner == "focused" and (moving or ran):
        raise Forbidden("Stand still for a Focused attack, because it takes the Move action.", "FE-CMB-03")
    trait, skill = trait_and_skill(delivery)
    rank = None if attacker.profile.skill(skill) is not None else weapon.rank
    modifiers = general_modifiers(attacker, trait, settings, skill=skill, rank=rank)
    modifiers = modifiers.plus(
        *manner_marks(trait, manner, moving=moving, ran=ran, platform=platform), support(supporters)
    )
    if beyond_mid_range(distance_inches, float(weapon.range_inches or 0), power=delivery == "power"):
        modifiers = modifiers.plus(Modifier(-1, "beyond mid-range", "FE-CMB-07"))
    return prepare(
        modifiers.marks, modifiers.points, settings, effect_shifts=int(manner == "focused") + weapon.row_shift
    )


def inside(area: Area, point: Point) -> bool:
    """Return whether a point is in the area, including its edge. Rules: FE-AOE-02, FE-AOE-03, FE-AOE-04."""
    if isinstance(area, Cone):
        return _in_triangle(area, point)
    x, y = point[0] - area.centre[0], point[1] - area.centre[1]
    if isinstance(area, Blast):
        return hypot(x, y) <= area.diameter / 2 + CLOSE
    if hypot(x, y) > area.radius + CLOSE:
        return False
    if area.facing is None:
        return True
    return x * cos(radians(area.facing)) + y * sin(radians(area.facing)) >= -CLOSE


def _in_triangle(area: Cone, point: Point) -> bool:
    corners = (area.apex, area.left, area.right)
    turns = [
        (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]
    return all(turn >= -CLOSE for turn in turns) or all(turn <= CLOSE for turn in turns)


@dataclass(frozen=True, slots=True)
class AreaResult:
    """An attack on the ground: on the point or not, `success_margin` for avoidance, `failure_margin` for
    scatter.
    """

    on_point: bool
    success_margin: int
    failure_margin: int


def attack_result(total: int, settings: Settings) -> AreaResult:
    """Compare the attack's total with the ground's TN of 11.

    Rules: FE-AOE-05.
    """
    if total >= settings.aoe_hit_at:
        return AreaResult(True, total - ATTACK_TN, 0)
    return AreaResult(False, 0, settings.aoe_hit_at - total)


def scatter_limit(failure_margin: int, to_point: float, weapon_range: float, settings: Settings) -> float:
    """Return how far the defender may shift the point: the failure in inches, at most half the attack range.

    to_point: from the attacker to the aiming point. Rules: FE-AOE-07.
    """
    farthest = to_point if settings.scatter_range == "to_point" else weapon_range
    return min(float(failure_margin), farthest / 2)


def scatter(blast: Blast, to: Point, limit: float) -> Blast:
    """Move the point. Raises Forbidden beyond the limit. Rules: FE-AOE-07."""
    if hypot(to[0] - blast.centre[0], to[1] - blast.centre[1]) > limit + CLOSE:
        raise Forbidden(f"You can shift the target point by at most {limit:g} in.", "FE-AOE-07")
    return replace(blast, centre=to)


def scatter_cone(area: Cone, inches: int, failure_margin: int) -> Cone:
    """Shift the far end, whole inches, right above 0 and left below, up to half the failure, rounded down.

    Raises Forbidden. Rules: FE-AOE-08.
    """
    limit = failure_margin // 2
    if abs(inches) > limit:
        raise Forbidden(f"You can shift the cone's end by at most {limit} in.", "FE-AOE-08")
    width = hypot(area.right[0] - area.left[0], area.right[1] - area.left[1])
    side_direction = ((area.right[0] - area.left[0]) / width, (area.right[1] - area.left[1]) / width)
    dx, dy = side_direction[0] * inches, side_direction[1] * inches
    return Cone(area.apex, (area.left[0] + dx, area.left[1] + dy), (area.right[0] + dx, area.right[1] + dy))


def may_scatter(area: Area) -> bool:
    """Return whether a missed attack moves at all; a pulse does not. Rules: FE-AOE-09."""
    return not isinstance(area, Pulse)


def avoidance_tn(result: AreaResult) -> int:
    """Return the TN of avoiding: 10 + Margin of Success, 10 after a miss. Rules: FE-AOE-09, FE-AOE-11."""
    return DEFAULT_TN + result.success_margin


@dataclass(frozen=True, slots=True)
class InArea:
    """A figure on the map when the area lies where it finally is."""

    figure: int
    at: Point
    saw_attacker: bool


def caught(area: Area, figures: Iterable[InArea]) -> tuple[InArea, ...]:
    """Return the figures in the area. Rules: FE-AOE-01, FE-AOE-10."""
    return tuple(figure for figure in figures if inside(area, figure.at))


def may_avoid(area: Area, figures: Iterable[InArea]) -> tuple[int, ...]:
    """Return figures in the final area that saw the attacker: these may make an avoidance Check.

    Rules: FE-AOE-10.
    """
    return tuple(figure.figure for figure in caught(area, figures) if figure.saw_attacker)


@dataclass(frozen=True, slots=True)
class Avoidance:
    """The result of an avoidance Check: `inches` away at most; `cover`: [+] on the Protection Check."""

    inches: int
    cover: bool


def avoid(edges: int, basic_move: int, *, duck: bool = False) -> Avoidance:
    """Spend the Edges of an avoidance that was achieved: 2 inches, 1 more for each up to the basic Move; one
    may buy hard cover that is near.

    edges: those that the figure may use. Raises Forbidden without one for the cover. Rules: FE-AOE-12.
    """
    if duck and edges < 1:
        raise Forbidden("You need an Edge to duck into cover.", "FE-AOE-12")
    return Avoidance(min(AVOID_INCHES + edges - int(duck), max(basic_move, AVOID_INCHES)), duck)


def _sizes(*sizes: float) -> None:
    if not all(0 < size <= MAX_INCHES for size in sizes):
        raise InvalidInput(f"The size of an area must be more than 0 and at most {MAX_INCHES} inches.")
