"""Measuring on a table: distance, sight, cover, contact, templates, arcs and paths, in inches; knows no game.

Conventions: a base is round. A distance is between bases: the gap in plan between the two edges and the
difference of level, together by Pythagoras. It is compared with a limit as it is, and shown in tenths, halves
rounded up. A body is as wide as its base and as high as its height. Eyes are above the middle of the base at
the body's full height. Sight is blocked if no part of the target's body can be seen; a body is taken as it
appears from the eyes, as a plate through its middle as wide as its base. A line that only touches a corner or
runs along a face isn't blocked. A piece in which the eyes are hides nothing from them.

Shapely does the plane geometry (decision 0050). It is loaded with the first measurement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import pairwise
from math import asin, atan2, cos, degrees, floor, hypot, radians, sin, tau
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Point = tuple[float, float]
"""A place on the table: inches from its south-west corner, to the east and to the north."""

TOUCH = 0.05
"""Bases that are nearer than this many inches are in contact: it is shown as 0.0 in."""
MAY_OVERLAP = 0.02
"""So little may two bases overlap, since places are kept in hundredths of an inch."""
HIDDEN = 0.999
"""From this share on nothing of a body is seen."""
CORNERS = 48
"""The number of corners of the polygon that is used for a circle."""

_NEAR = 0.001

Under = Literal["", "partly", "wholly"]


@dataclass(frozen=True, slots=True)
class Body:
    """A model on the table. bottom: the level of its base; facing: degrees clockwise from north, or None."""

    at: Point
    radius: float
    bottom: float = 0.0
    height: float = 1.5
    facing: float | None = None

    @property
    def top(self) -> float:
        """Return the height of its eyes."""
        return self.bottom + self.height


@dataclass(frozen=True, slots=True)
class Piece:
    """An upright piece of terrain on the table.

    opaque: it hides what is behind it; otherwise what is behind or in it is seen, but not clearly.
    """

    name: str
    outline: tuple[Point, ...]
    bottom: float = 0.0
    top: float = 1.0
    opaque: bool = True


@dataclass(frozen=True, slots=True)
class Sight:
    """How a body is seen. hidden: the share that is out of sight; veiled: that is out of sight or not clear.

    by: what hides or veils it, each with its own share, the largest first.
    """

    hidden: float = 0.0
    veiled: float = 0.0
    by: tuple[tuple[str, float], ...] = ()

    @property
    def is_blocked(self) -> bool:
        """Return whether nothing of it is seen."""
        return self.hidden >= HIDDEN


@dataclass(frozen=True, slots=True)
class Path:
    """A way in plan. crossed: each piece that the base touches, with the inches of its middle inside."""

    length: float
    crossed: tuple[tuple[str, float], ...] = ()


# ------------------------------------------------------------------------------------------- distance


def tenths(inches: float) -> float:
    """Return a distance as it is shown."""
    return floor(inches * 10 + 0.5 + 1e-9) / 10


def apart(one: Point, other: Point) -> float:
    """Return the inches between two points."""
    return hypot(other[0] - one[0], other[1] - one[1])


def overlap(one: Body, other: Body) -> float:
    """Return by how many inches two bases on one level overlap; 0 if they don't."""
    return max(0.0, one.radius + other.radius - apart(one.at, other.at))


def distance(one: Body, other: Body) -> float:
    """Return the inches between two models, base to base."""
    plan = max(0.0, apart(one.at, other.at) - one.radius - other.radius)
    return hypot(plan, one.bottom - other.bottom)


def are_in_contact(one: Body, other: Body) -> bool:
    """Return whether two bases touch."""
    return distance(one, other) < TOUCH


# ------------------------------------------------------------------------------------------- directions


def bearing(origin: Point, target: Point) -> float:
    """Return the direction from one point to another: degrees clockwise from north, 0 to 360."""
    return degrees(atan2(target[0] - origin[0], target[1] - origin[1])) % 360


def relative_bearing(viewer: Body, target: Point) -> float:
    """Return the degrees from a model's facing to a point, to the right (below 0: left); 0 without facing."""
    if viewer.facing is None:
        return 0.0
    return (bearing(viewer.at, target) - viewer.facing + 180) % 360 - 180


def is_in_arc(viewer: Body, target: Body, width: float) -> bool:
    """Return whether any part of a base is within so many degrees before a model.

    True for a model without facing, and in contact.
    """
    far = apart(viewer.at, target.at)
    if viewer.facing is None or far <= viewer.radius + target.radius:
        return True
    return abs(relative_bearing(viewer, target.at)) - degrees(asin(target.radius / far)) < width / 2


def moved(origin: Point, towards: float, inches: float) -> Point:
    """Return the point so many inches away in a direction, for example where a template scatters to."""
    return origin[0] + inches * sin(radians(towards)), origin[1] + inches * cos(radians(towards))


def beside(mover: Body, target: Body) -> Point:
    """Return where a base touches another, on the straight line between them."""
    return moved(target.at, bearing(target.at, mover.at), target.radius + mover.radius)


# ------------------------------------------------------------------------------------------- outlines


def circle(middle: Point, radius: float) -> tuple[Point, ...]:
    """Return the outline of a circle."""
    turns = (tau * number / CORNERS for number in range(CORNERS))
    return tuple((middle[0] + radius * cos(turn), middle[1] + radius * sin(turn)) for turn in turns)


def rectangle(middle: Point, width: float, depth: float, turned: float = 0.0) -> tuple[Point, ...]:
    """Return the outline of a rectangle. turned: degrees clockwise."""
    c, s = cos(radians(turned)), sin(radians(turned))
    corners = ((-width, -depth), (width, -depth), (width, depth), (-width, depth))
    return tuple((middle[0] + (x * c + y * s) / 2, middle[1] + (y * c - x * s) / 2) for x, y in corners)


def band(points: Sequence[Point], thickness: float) -> tuple[Point, ...]:
    """Return the outline of a line with a thickness: a wall, a hedge, a beam."""
    made = _shapely().LineString(points).buffer(thickness / 2, cap_style="flat", join_style="mitre")
    return tuple(made.exterior.coords)[:-1]


def cone(origin: Point, towards: float, length: float, width: float) -> tuple[Point, ...]:
    """Return the outline of a template that begins in a point and ends in a half circle of that width."""
    half = width / 2
    middle = moved(origin, towards, length - half)
    end = (moved(middle, towards + turn, half) for turn in range(-90, 91, 10))
    return (origin, *end)


def fault_of(outline: Sequence[Point]) -> str:
    """Return in words why an outline is invalid, or "" if it is valid."""
    if len(outline) < 3:
        return "Use at least three corners for an outline."
    made = _shapely().Polygon(outline)
    if not made.is_valid:
        return "Move the corners so that the outline doesn't cross itself."
    return "" if made.area > 0.01 else "Move the corners apart, because the outline has no area."


def is_within(outline: Sequence[Point], width: float, depth: float) -> bool:
    """Return whether every corner is on the table."""
    return all(0 <= x <= width and 0 <= y <= depth for x, y in outline)


@lru_cache(maxsize=1024)
def room(outline: tuple[Point, ...]) -> float:
    """Return the radius of the largest circle that lies wholly in an outline."""
    return float(_shapely().maximum_inscribed_circle(_polygon(outline)).length)


def gap(body: Body, outline: tuple[Point, ...]) -> float:
    """Return the inches in plan from a base to an outline, or 0 if it is at least partly in it."""
    return max(0.0, _to_middle(body, outline) - body.radius)


def touches(body: Body, outline: tuple[Point, ...]) -> bool:
    """Return whether a base is at least partly in an outline."""
    return _to_middle(body, outline) < body.radius - 1e-9


def _to_middle(body: Body, outline: tuple[Point, ...]) -> float:
    return float(_polygon(outline).distance(_shapely().Point(body.at)))


@dataclass(frozen=True, slots=True)
class Template:
    """The area of a template: an outline, or a circle with its exact middle and radius; and its level."""

    outline: tuple[Point, ...] = ()
    middle: Point = (0.0, 0.0)
    radius: float = 0.0
    level: float = 0.0


SAME_LEVEL = 1.0
"""A template reaches models that stand less than so many inches above or below its level."""


def covers(template: Template, body: Body) -> Under:
    """Return how much of a base a template covers."""
    if abs(body.bottom - template.level) >= SAME_LEVEL:
        return ""
    if template.outline:
        return under(body, template.outline)
    far = apart(template.middle, body.at)
    if far + body.radius <= template.radius + 1e-9:
        return "wholly"
    return "partly" if far < template.radius + body.radius - 1e-9 else ""


def is_crossed(body: Body, start: Point, end: Point) -> bool:
    """Return whether a straight line crosses a base; touching it is not enough."""
    (x, y), length = start, apart(start, end)
    east, north = (end[0] - x, end[1] - y) if length else (0.0, 0.0)
    along = ((body.at[0] - x) * east + (body.at[1] - y) * north) / (length**2 or 1.0)
    along = min(1.0, max(0.0, along))
    return apart(body.at, (x + along * east, y + along * north)) < body.radius - 1e-9


def under(body: Body, outline: tuple[Point, ...]) -> Under:
    """Return how much of a base is in an outline."""
    west, south, east, north = _bounds(outline)
    (x, y), r = body.at, body.radius
    if not (west - r < x < east + r and south - r < y < north + r):
        return ""
    area, middle = _polygon(outline), _shapely().Point(body.at)
    if area.contains(middle) and area.exterior.distance(middle) >= body.radius - 1e-9:
        return "wholly"
    return "partly" if area.distance(middle) < body.radius - 1e-9 else ""


# ------------------------------------------------------------------------------------------- paths


def path(points: Sequence[Point], radius: float, pieces: Iterable[Piece] = ()) -> Path:
    """Return a way of straight parts that a base goes."""
    length = sum(apart(one, other) for one, other in pairwise(points))
    if len(points) < 2 or not length:
        return Path(0.0)
    way = _shapely().LineString(points)
    crossed = []
    for piece in pieces:
        area = _polygon(piece.outline)
        if way.distance(area) < radius - 1e-9:
            crossed.append((piece.name, float(way.intersection(area).length)))
    return Path(length, tuple(crossed))


def leap(points: Sequence[Point], start: float, end: float, pieces: Iterable[Piece]) -> float:
    """Return the length of the shortest jump along a way, from one level to another, over these pieces."""
    gone, tops = 0.0, list[Point]()
    areas = [(_polygon(piece.outline), piece.top) for piece in pieces]
    for one, other in pairwise(points):
        leg = _shapely().LineString((one, other))
        for area, top in areas:
            inside = leg.intersection(area)
            for part in getattr(inside, "geoms", (inside,)):
                tops += [(gone + apart(one, corner), top) for corner in part.coords]
        gone += apart(one, other)
    taut = [(0.0, start)]
    for corner in (*sorted(tops), (gone, end)):
        while len(taut) > 1 and _is_below(taut[-1], taut[-2], corner):
            taut.pop()
        taut.append(corner)
    return sum(apart(one, other) for one, other in pairwise(taut))


def _is_below(corner: Point, before: Point, after: Point) -> bool:
    """Return whether a corner is on or below the straight line between its neighbours."""
    rise, run = after[1] - before[1], after[0] - before[0]
    return (corner[1] - before[1]) * run <= rise * (corner[0] - before[0])


# ------------------------------------------------------------------------------------------- sight


def sight(viewer: Body, target: Body, pieces: Iterable[Piece]) -> Sight:
    """Return how a viewer sees a target, past these pieces."""
    far = apart(viewer.at, target.at)
    if far < _NEAR:
        return Sight()
    shapely = _shapely()
    plate = shapely.box(-target.radius, target.bottom - viewer.top, target.radius, target.top - viewer.top)
    line = _Line(viewer, target, far)
    hiding: list[BaseGeometry] = []
    veiling: list[BaseGeometry] = []
    by: list[tuple[str, float]] = []
    for piece in pieces:
        shadow = line.shadow(piece)
        if shadow is None:
            continue
        covered = shadow.intersection(plate)
        share = float(covered.area / plate.area)
        if share > 1e-6:
            by.append((piece.name, share))
            (hiding if piece.opaque else veiling).append(covered)
    if not by:
        return Sight()
    hidden = shapely.union_all(hiding)
    veiled = shapely.union_all([hidden, *veiling])
    by.sort(key=lambda one: -one[1])
    return Sight(float(hidden.area / plate.area), float(veiled.area / plate.area), tuple(by))


class _Line:
    """The line of sight as a frame: depth along it, across it, and height above the eyes."""

    def __init__(self, viewer: Body, target: Body, far: float) -> None:
        self.eyes, self.far, self.eye_height = viewer.at, far, viewer.top
        self.along = ((target.at[0] - viewer.at[0]) / far, (target.at[1] - viewer.at[1]) / far)
        shapely = _shapely()
        self.strip = shapely.box(_NEAR, -1000.0, far, 1000.0)
        aside = self.along[1] * target.radius, -self.along[0] * target.radius
        ends = ((target.at[0] + turn * aside[0], target.at[1] + turn * aside[1]) for turn in (-1, 1))
        self.fan = shapely.Polygon([viewer.at, *ends])

    def shadow(self, piece: Piece) -> BaseGeometry | None:
        """Return what the piece hides of the plane through the target from these eyes; None for nothing."""
        standing = _polygon(piece.outline)
        if not standing.intersects(self.fan):
            return None
        if piece.bottom <= self.eye_height < piece.top and standing.contains(_shapely().Point(self.eyes)):
            return None
        outline = _shapely().Polygon([self._turned(corner) for corner in piece.outline])
        low, high = piece.bottom - self.eye_height, piece.top - self.eye_height
        parts = _polygons(outline.intersection(self.strip))
        faces = [face for part in parts for face in self._faces(part, low, high)]
        return _shapely().union_all(faces) if faces else None

    def _turned(self, point: Point) -> Point:
        x, y = point[0] - self.eyes[0], point[1] - self.eyes[1]
        return x * self.along[0] + y * self.along[1], y * self.along[0] - x * self.along[1]

    def _faces(self, part: Any, low: float, high: float) -> list[BaseGeometry]:
        """Return every face of an upright body on the plane; a convex body as a whole."""
        corners = list(part.exterior.coords)
        lower = [self._thrown(corner, low) for corner in corners]
        upper = [self._thrown(corner, high) for corner in corners]
        if part.convex_hull.area <= part.area * (1 + 1e-9):
            return [_shapely().LineString([*lower, *upper]).convex_hull]
        walls = [
            _shapely().LineString([lower[one], lower[one + 1], upper[one + 1], upper[one]]).convex_hull
            for one in range(len(corners) - 1)
        ]
        flats = [_shapely().Polygon(ring).buffer(0) for ring in (lower, upper)]
        return [face for face in (*walls, *flats) if face.area > 1e-12]

    def _thrown(self, corner: Point, height: float) -> Point:
        depth, across = corner
        return across * self.far / depth, height * self.far / depth


def _polygons(shape: BaseGeometry) -> list[Any]:
    return [part for part in getattr(shape, "geoms", (shape,)) if part.geom_type == "Polygon" and part.area]


@lru_cache(maxsize=1024)
def _bounds(outline: tuple[Point, ...]) -> tuple[float, float, float, float]:
    """Return the smallest and the largest coordinates of an outline: west, south, east, north."""
    xs, ys = zip(*outline, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


@lru_cache(maxsize=1024)
def _polygon(outline: tuple[Point, ...]) -> Any:
    return _shapely().Polygon(outline)


def _shapely() -> Any:
    return import_module("shapely")
