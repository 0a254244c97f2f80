"""Line of sight: three lines between two squares, what blocks them, and how light and smoke change reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Literal

from rules.systems.soluna.board import Board, Cloud, Light, Point, sign
from rules.systems.soluna.settings import Settings, Visibility

Corner = Literal["SW", "SE", "NW", "NE"]
Kind = Literal["side", "rear"]

_NAMES: dict[Point, Corner] = {(-1, -1): "SW", (1, -1): "SE", (-1, 1): "NW", (1, 1): "NE"}
_OFFSETS: dict[Corner, Point] = {"SW": (0, 0), "SE": (1, 0), "NW": (0, 1), "NE": (1, 1)}


class Sight(IntEnum):
    """How well a target is seen, by the number of blocked lines. Rules: SU-LOS-05."""

    CLEAR = 0
    PARTLY = 1
    HIDDEN = 2
    NONE = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One sight line: corner names at the attacker's and the target's end, and where they lie."""

    start: Corner
    end: Corner
    kind: Kind
    p: Point
    q: Point


@dataclass(frozen=True, slots=True)
class LineSight:
    """The result of a line: blocked or not, the squares that block it, and all squares it touches."""

    line: Line
    blocked: bool
    blockers: frozenset[Point]
    touched: frozenset[Point]


@dataclass(frozen=True, slots=True)
class View:
    """The three lines for one choice of the attacker's front corner, side lines first."""

    lines: tuple[LineSight, ...]

    @property
    def blocked(self) -> int:
        """Number of blocked lines, 0 to 3."""
        return sum(line.blocked for line in self.lines)


def front_corners(attacker: Point, target: Point) -> tuple[Corner, ...]:
    """Return the attacker's front corners: one, two in one row or column, none on the same square.

    Rules: SU-LOS-01, SU-LOS-02.
    """
    dx, dy = sign(target[0] - attacker[0]), sign(target[1] - attacker[1])
    if dx == dy == 0:
        return ()
    xs = (dx,) if dx else (1, -1)
    ys = (dy,) if dy else (1, -1)
    return tuple(_NAMES[x, y] for x in xs for y in ys)


def opposite_corner(corner: Corner) -> Corner:
    """Return the corner diagonally opposite."""
    x, y = _OFFSETS[corner]
    return next(name for name, place in _OFFSETS.items() if place == (1 - x, 1 - y))


def sight_lines(attacker: Point, target: Point, front: Corner) -> tuple[Line, ...]:
    """Return the two side lines and the rear line for this front corner of the attacker.

    Rules: SU-LOS-01, SU-LOS-02, SU-LOS-03.
    """
    rear = opposite_corner(front)
    sides = [corner for corner in _OFFSETS if corner not in (front, rear)]
    pairs: list[tuple[Corner, Corner, Kind]] = [(corner, corner, "side") for corner in sides]
    pairs.append((rear, front, "rear"))
    return tuple(Line(a, b, kind, corner_of(attacker, a), corner_of(target, b)) for a, b, kind in pairs)


def corner_of(square: Point, corner: Corner) -> Point:
    """Return the coordinates of a square's corner."""
    x, y = _OFFSETS[corner]
    return square[0] + x, square[1] + y


def views(attacker: Point, target: Point, obstructions: Collection[Point]) -> tuple[View, ...]:
    """Return the lines for every choice of front corner; empty on the same square.

    The squares of attacker and target never obstruct. Rules: SU-LOS-03, SU-LOS-04, SU-LOS-06.
    """
    return _views(attacker, target, tuple(sorted(_obstacles_between(attacker, target, obstructions))))


@lru_cache(maxsize=4096)
def _views(attacker: Point, target: Point, obstacles: tuple[Point, ...]) -> tuple[View, ...]:
    result = []
    for front in front_corners(attacker, target):
        lines = sight_lines(attacker, target, front)
        inner_sides = [_side_of_line(lines[0], lines[1].p), _side_of_line(lines[1], lines[0].p), 0]
        result.append(
            View(
                tuple(
                    _judge_line(line, obstacles, side) for line, side in zip(lines, inner_sides, strict=True)
                )
            )
        )
    return tuple(result)


def _obstacles_between(attacker: Point, target: Point, obstructions: Collection[Point]) -> list[Point]:
    """The obstructions that a line between the two squares could meet, their own squares left out."""
    xs = range(min(attacker[0], target[0]) - 1, max(attacker[0], target[0]) + 2)
    ys = range(min(attacker[1], target[1]) - 1, max(attacker[1], target[1]) + 2)
    if len(xs) * len(ys) < len(obstructions):
        obstacles = [(x, y) for x in xs for y in ys if (x, y) in obstructions]
    else:
        obstacles = [square for square in obstructions if square[0] in xs and square[1] in ys]
    return [square for square in obstacles if square not in (attacker, target)]


def blocked_lines(attacker: Point, target: Point, obstructions: Collection[Point]) -> int:
    """Return the blocked lines for the better front corner, 0 to 3. Rules: SU-LOS-04, SU-LOS-06."""
    return min((view.blocked for view in views(attacker, target, obstructions)), default=0)


def obstructions(board: Board, attacker: Point, target: Point, settings: Settings) -> frozenset[Point]:
    """Return the squares that block sight: standing obstacles, models too where `models_block_los` is set.

    Rules: SU-LOS-04, SU-LOS-08, SU-COV-08.
    """
    squares = set(board.walls())
    if settings.models_block_los:
        squares |= {piece.square for piece in board.pieces}
    return frozenset(squares - {attacker, target})


def sight_for(blocked: int, settings: Settings) -> Sight:
    """Return the grade of sight for 0 to 3 blocked lines. Rules: SU-LOS-05."""
    if blocked == Sight.HIDDEN and settings.hidden_blocks_los:
        return Sight.NONE
    return Sight(blocked)


def sight_of(board: Board, attacker: Point, target: Point, settings: Settings) -> Sight:
    """Return how well the target square is seen. Rules: SU-LOS-05, SU-LOS-06, SU-LOS-08."""
    obstacles = obstructions(board, attacker, target, settings)
    return sight_for(blocked_lines(attacker, target, obstacles), settings)


def _side_of_line(line: Line, point: Point) -> int:
    """1 when the point lies left of the line, -1 right of it, 0 on it."""
    (px, py), (qx, qy) = line.p, line.q
    return sign((qx - px) * (point[1] - py) - (qy - py) * (point[0] - px))


def _judge_line(line: Line, squares: Collection[Point], inner_side: int) -> LineSight:
    """Judge one line; `inner` is the side on which the other side line lies, 0 for the rear line."""
    through: set[Point] = set()
    contacts: dict[int, set[Point]] = {1: set(), -1: set()}
    for square in squares:
        contact = _contact_with(line, square)
        if contact == "through":
            through.add(square)
        elif contact:
            contacts[contact].add(square)
    left_contacts, right_contacts = contacts[1], contacts[-1]
    blockers = set(through)
    if left_contacts and right_contacts:
        blockers |= left_contacts | right_contacts
    if inner_side:
        blockers |= contacts[inner_side]
    return LineSight(
        line, bool(blockers), frozenset(blockers), frozenset(through | left_contacts | right_contacts)
    )


def _contact_with(line: Line, square: Point) -> Literal["through", 1, -1] | None:
    """How the line meets a closed square: through its inside, contact on its left (1) or right (-1), or not.

    Contact at nothing but an end of the line is none. Rules: SU-LOS-04.
    """
    span = clip_line(line.p, line.q, square)
    if span is None:
        return None
    first, last, steps = span
    if first == last and first in (0, steps):
        return None
    (px, py), (qx, qy) = line.p, line.q
    dx, dy = qx - px, qy - py
    # the middle of the part inside, seen from the square's corner, in steps of 1 / (2 * whole)
    mx = 2 * steps * (px - square[0]) + (first + last) * dx
    my = 2 * steps * (py - square[1]) + (first + last) * dy
    if 0 < mx < 2 * steps and 0 < my < 2 * steps:
        return "through"
    cross = dx * (2 * (square[1] - py) + 1) - dy * (2 * (square[0] - px) + 1)
    return 1 if cross > 0 else -1


def clip_line(p: Point, q: Point, square: Point) -> tuple[int, int, int] | None:
    """Return where the line from p to q enters and leaves the closed square: (first, last, whole), or None.

    first and last count from p in steps of which the line has `whole`, so that all is exact.
    """
    dx, dy = q[0] - p[0], q[1] - p[1]
    corner = dx * (square[1] - p[1]) - dy * (square[0] - p[0])
    if corner + min(0, dx) + min(0, -dy) > 0 or corner + max(0, dx) + max(0, -dy) < 0:
        return None  # all four corners lie on one side of the line
    wide, high = abs(dx) or 1, abs(dy) or 1
    first, last = 0, wide * high
    for step, corner_offset, scale in ((dx, square[0] - p[0], high), (dy, square[1] - p[1], wide)):
        if step > 0:
            first, last = max(first, corner_offset * scale), min(last, (corner_offset + 1) * scale)
        elif step < 0:
            first, last = max(first, -(corner_offset + 1) * scale), min(last, -corner_offset * scale)
        elif corner_offset > 0 or corner_offset + 1 < 0:
            return None
    return (first, last, wide * high) if first <= last else None


def runs_through(attacker: Point, target: Point, squares: Collection[Point]) -> bool:
    """Return whether a sight line of the better choice runs through the inside of one of the squares.

    Rules: SU-CLOUD-03.
    """
    return all(
        any(
            _contact_with(line, square) == "through"
            for line in sight_lines(attacker, target, front)
            for square in squares
        )
        for front in front_corners(attacker, target)
    ) and bool(front_corners(attacker, target))


DOUBLE = Fraction(2)
HALF_MORE = Fraction(3, 2)
VISIBILITY_FACTORS: dict[Visibility, tuple[Fraction, str]] = {
    "poor": (HALF_MORE, "SU-VIS-05"),
    "abysmal": (DOUBLE, "SU-VIS-06"),
}


@dataclass(frozen=True, slots=True)
class Eyes:
    """The attacker's way of seeing, and whether the target is in a light of its own."""

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
    """The visibility for an attacker: the factors on its reach, and whether it can only grope at reach 1.

    groping: targets beyond reach 1 cannot be attacked, and the attack has no Accuracy at all.
    """

    factors: tuple[Factor, ...] = ()
    groping: Factor | None = None


def judge_visibility(light: Light, weather: Visibility, smoke: Visibility, eyes: Eyes) -> Visible:
    """Collect what light, weather and smoke do to one attack.

    Rules: SU-VIS-01, SU-VIS-02, SU-VIS-03, SU-VIS-04, SU-VIS-05, SU-VIS-06.
    """
    factors: list[Factor] = []
    groping = None
    can_see = eyes.sees_in_dark or eyes.target_lit
    if light == "dark" and not can_see:
        factors.append(Factor(DOUBLE, "darkness", "SU-VIS-01"))
    elif light == "total_dark" and can_see:
        factors.append(Factor(DOUBLE, "total darkness", "SU-VIS-02"))
    elif light == "total_dark":
        groping = Factor(DOUBLE, "total darkness", "SU-VIS-02")
    elif light == "extreme_bright" and not eyes.sightless:
        groping = Factor(DOUBLE, "extreme brightness", "SU-VIS-04")
    if (light == "bright" or eyes.blinded) and not eyes.sightless and groping is None:
        factors.append(Factor(DOUBLE, "blinded by light", "SU-VIS-03"))
    for visibility, reason in ((weather, f"{weather} visibility"), (smoke, f"smoke, {smoke} visibility")):
        if visibility in VISIBILITY_FACTORS:
            factor, rule = VISIBILITY_FACTORS[visibility]
            factors.append(Factor(factor, reason, rule))
    return Visible(tuple(factors), groping)


def smoke_between(clouds: Iterable[Cloud], attacker: Point, target: Point) -> Visibility:
    """Return the strongest factor of the clouds that an attack runs through, starts in or ends in.

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
    """Return `judge_visibility` with the board's light, weather and clouds between the two squares."""
    return judge_visibility(board.light, board.weather, smoke_between(board.clouds, attacker, target), eyes)


def effective_reach(base_reach: int, factors: tuple[Factor, ...], settings: Settings) -> int:
    """Return the reach after visibility: factors multiplied, rounded up once; 0 and 1 never change.

    base_reach: printed reach with the effects of abilities and Artifacts, 0 or more.
    Rules: SU-VIS-05, SU-VIS-07, SU-VIS-08, SU-VIS-09.
    """
    if base_reach <= 1:
        return base_reach
    product = Fraction(1)
    for factor in factors:
        product = (
            max(product, factor.factor)
            if settings.visibility_stack == "strongest"
            else product * factor.factor
        )
    return ceil(base_reach * product)


def plain_reach(printed_reach: int, effects: int) -> int:
    """Return printed reach changed by effects in play; at least 1 except for the attacker's square.

    Rules: SU-VIS-09.
    """
    return max(1, printed_reach + effects) if printed_reach else 0
