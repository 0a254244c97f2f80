"""Measuring on a table: against an independent computation on generated tables, and cases made by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import cos, hypot, inf, pi, sin
from random import Random

import pytest

from rules.measure import (
    Body,
    Piece,
    Point,
    Template,
    apart,
    are_in_contact,
    band,
    bearing,
    beside,
    circle,
    cone,
    covers,
    distance,
    fault_of,
    is_crossed,
    is_in_arc,
    is_within,
    leap,
    moved,
    overlap,
    path,
    rectangle,
    relative_bearing,
    sight,
    tenths,
    touches,
    under,
)

SIZES = (0.49, 0.63, 0.79, 0.98)
"""Half of 25, 32, 40 and 50 mm, in inches."""

MUD, POND = Piece("mud", rectangle((5, 0), 4, 4)), Piece("pond", circle((20, 20), 3))


def wall(x: float, y: float, width: float, depth: float, top: float, **more: object) -> Piece:
    return Piece("wall", rectangle((x, y), width, depth), 0.0, top, **more)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------- another way


def inside(point: tuple[float, float], outline: tuple[tuple[float, float], ...]) -> bool:
    """Whether a point lies in an outline, by counting the edges that a ray to the east meets."""
    x, y = point
    found = False
    for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            found = not found
    return found


def edge_distance(point: tuple[float, float], outline: tuple[tuple[float, float], ...]) -> float:
    """The inches from a point to the nearest edge of an outline."""
    nearest = inf
    for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
        dx, dy = bx - ax, by - ay
        share = ((point[0] - ax) * dx + (point[1] - ay) * dy) / (dx * dx + dy * dy)
        share = min(1.0, max(0.0, share))
        nearest = min(nearest, hypot(point[0] - ax - share * dx, point[1] - ay - share * dy))
    return nearest


def gap_by_points(one: Body, other: Body) -> float:
    """The distance of two bases from the points of their edges, the level by Pythagoras."""
    turns = [2 * pi * number / 720 for number in range(720)]
    middle = other.at
    nearest = min(
        hypot(one.at[0] + one.radius * cos(t) - middle[0], one.at[1] + one.radius * sin(t) - middle[1])
        for t in turns
    )
    plan = max(0.0, nearest - other.radius)
    if hypot(one.at[0] - middle[0], one.at[1] - middle[1]) <= one.radius + other.radius:
        plan = 0.0
    return (plan**2 + (one.bottom - other.bottom) ** 2) ** 0.5


def meets(eye: tuple[float, float, float], goal: tuple[float, float, float], piece: Piece) -> bool:
    """Whether a straight line passes through an upright body, by the edges of its outline."""
    cuts = [0.0, 1.0]
    (ex, ey, ez), (gx, gy, gz) = eye, goal
    for (ax, ay), (bx, by) in pairwise((*piece.outline, piece.outline[0])):
        cross = (gx - ex) * (by - ay) - (gy - ey) * (bx - ax)
        if abs(cross) < 1e-12:
            continue
        along = ((ax - ex) * (by - ay) - (ay - ey) * (bx - ax)) / cross
        beside_it = ((ax - ex) * (gy - ey) - (ay - ey) * (gx - ex)) / cross
        if 0 < along < 1 and 0 <= beside_it <= 1:
            cuts.append(along)
    if abs(gz - ez) > 1e-12:
        cuts += [c for c in ((piece.bottom - ez) / (gz - ez), (piece.top - ez) / (gz - ez)) if 0 < c < 1]
    for start, end in pairwise(sorted(cuts)):
        middle = (start + end) / 2
        height = ez + middle * (gz - ez)
        point = ex + middle * (gx - ex), ey + middle * (gy - ey)
        if end - start > 1e-9 and piece.bottom < height < piece.top and inside(point, piece.outline):
            return True
    return False


def seen_by_rays(viewer: Body, target: Body, pieces: list[Piece], rays: int = 24) -> tuple[float, float]:
    """The shares of a target that are hidden, and hidden or veiled, by rays to a raster of its body."""
    far = apart(viewer.at, target.at)
    along = ((target.at[0] - viewer.at[0]) / far, (target.at[1] - viewer.at[1]) / far)
    eye = (*viewer.at, viewer.bottom + viewer.height)
    around = [
        piece
        for piece in pieces
        if not (inside(viewer.at, piece.outline) and piece.bottom <= eye[2] < piece.top)
    ]
    hidden = veiled = 0
    for across in range(rays):
        for up in range(rays):
            aside = target.radius * (2 * (across + 0.5) / rays - 1)
            goal = (
                target.at[0] - along[1] * aside,
                target.at[1] + along[0] * aside,
                target.bottom + target.height * (up + 0.5) / rays,
            )
            met = [piece for piece in around if meets(eye, goal, piece)]
            hidden += any(piece.opaque for piece in met)
            veiled += bool(met)
    return hidden / rays**2, veiled / rays**2


def a_body(dice: Random) -> Body:
    """A model anywhere on a table of 48 by 48 inches."""
    return Body(
        (round(dice.uniform(2, 46), 2), round(dice.uniform(2, 46), 2)),
        dice.choice(SIZES),
        dice.choice((0.0, 0.0, 0.0, 2.0, 3.5)),
        dice.choice((1.0, 1.5, 2.0)),
    )


def a_piece(dice: Random, number: int) -> Piece:
    at = (dice.uniform(4, 44), dice.uniform(4, 44))
    shape = dice.randrange(4)
    if shape == 0:
        outline = circle(at, dice.uniform(0.5, 3))
    elif shape == 1:
        outline = rectangle(at, dice.uniform(0.3, 8), dice.uniform(0.3, 8), dice.uniform(0, 180))
    elif shape == 2:
        outline = band([at, (at[0] + 4, at[1] + 1), (at[0] + 5, at[1] + 4)], 0.4)
    else:
        corners = ((0, 0), (5, 0), (5, 5), (3, 5), (3, 2), (0, 2))
        outline = tuple((at[0] + x, at[1] + y) for x, y in corners)
    return Piece(f"#{number}", outline, 0.0, dice.choice((0.5, 1.0, 2.0, 4.0)), dice.random() < 0.7)


def edge(body: Body) -> list[tuple[float, float]]:
    """Points on the edge of a base."""
    turns = (2 * pi * number / 360 for number in range(360))
    return [(body.at[0] + body.radius * cos(t), body.at[1] + body.radius * sin(t)) for t in turns]


@pytest.mark.parametrize("first", range(0, 200, 25))
def test_templates_arcs_and_lines_of_200_tables_are_as_another_computation(first: int) -> None:
    """Each base by the points of its edge; what lies within a hundredth of a limit is left out."""
    for seed in range(first, first + 25):
        dice = Random(1000 + seed)
        bodies = [replace(a_body(dice), bottom=0.0) for _ in range(6)]
        middle, radius = bodies[0].at, dice.choice((1.5, 2.0, 4.0))
        aim = bearing(middle, bodies[1].at)
        spray = cone(moved(middle, aim, bodies[0].radius), aim, 8.0, 2.5)
        looks, width = replace(bodies[0], facing=float(dice.randrange(360))), dice.choice((90, 180, 270))
        for body in bodies[1:]:
            inner = [radius - apart(middle, point) for point in edge(body)]
            if min(abs(one) for one in (min(inner), max(inner))) > 0.01:
                expected = "wholly" if min(inner) > 0 else "partly" if max(inner) > 0 else ""
                assert covers(Template(middle=middle, radius=radius), body) == expected
                assert covers(Template(middle=middle, radius=radius, level=1.0), body) == ""
            near, within = edge_distance(body.at, spray), inside(body.at, spray)
            if abs(near - body.radius) > 0.01:
                expected = "wholly" if within and near > body.radius else ""
                expected = expected or ("partly" if within or near < body.radius else "")
                assert covers(Template(spray), body) == expected
            off = [abs(relative_bearing(looks, point)) - width / 2 for point in edge(body)]
            if abs(min(off)) > 1 and apart(looks.at, body.at) > 2:
                assert is_in_arc(looks, body, width) == (min(off) < 0)
            steps = [moved(middle, aim, apart(middle, bodies[1].at) * n / 2000) for n in range(2001)]
            nearest = min(apart(step, body.at) for step in steps)
            if abs(nearest - body.radius) > 0.02:
                assert is_crossed(body, middle, bodies[1].at) == (nearest < body.radius)


@pytest.mark.parametrize("first", range(0, 200, 10))
def test_200_generated_tables_measure_as_another_computation(first: int) -> None:
    for seed in range(first, first + 10):
        _measures_as_another_computation(seed)


def _measures_as_another_computation(seed: int) -> None:
    dice = Random(seed)
    pieces = [a_piece(dice, number) for number in range(dice.randint(4, 14))]
    bodies = [a_body(dice) for _ in range(5)]
    for one, other in pairwise(bodies):
        assert distance(one, other) == pytest.approx(gap_by_points(one, other), abs=0.01)
        assert abs(tenths(distance(one, other)) - distance(one, other)) <= 0.05 + 1e-9
        aimed = (other.at[0] - one.at[0], other.at[1] - one.at[1])
        turn = bearing(one.at, other.at)
        assert moved(one.at, turn, hypot(*aimed)) == pytest.approx(other.at, abs=1e-9)
    viewer, target = bodies[:2]
    seen = sight(viewer, target, pieces)
    rays = 24 if seed < 16 else 12
    hidden, veiled = seen_by_rays(viewer, target, pieces, rays)
    assert seen.hidden == pytest.approx(hidden, abs=1.5 / rays)
    assert seen.veiled == pytest.approx(veiled, abs=1.5 / rays)
    if 0.02 < hidden < 0.98:
        assert not seen.is_blocked
    for body in bodies:
        for piece in pieces:
            near, within = edge_distance(body.at, piece.outline), inside(body.at, piece.outline)
            expected = "wholly" if within and near >= body.radius else ""
            expected = expected or ("partly" if within or near < body.radius else "")
            assert under(body, piece.outline) == expected
            assert touches(body, piece.outline) == bool(expected)
    way = [body.at for body in bodies[:3]]
    walked = path(way, bodies[0].radius, pieces)
    assert walked.length == pytest.approx(apart(way[0], way[1]) + apart(way[1], way[2]))
    steps = [moved(a, bearing(a, b), apart(a, b) * n / 400) for a, b in pairwise(way) for n in range(401)]
    for name, inches in walked.crossed:
        piece = next(one for one in pieces if one.name == name)
        share = sum(inside(step, piece.outline) for step in steps[:401]) / 401 * apart(way[0], way[1])
        share += sum(inside(step, piece.outline) for step in steps[401:]) / 401 * apart(way[1], way[2])
        assert inches == pytest.approx(share, abs=0.35)
    touched = {name for name, _ in walked.crossed}
    for piece in pieces:
        nearest = min(
            0.0 if inside(step, piece.outline) else edge_distance(step, piece.outline) for step in steps
        )
        if abs(nearest - bodies[0].radius) > 0.1:
            assert (piece.name in touched) == (nearest < bodies[0].radius)


# ------------------------------------------------------------------------------------------- by hand


MAN = Body((0, 0), 0.5)


def at(x: float, y: float = 0.0, **more: float) -> Body:
    return Body((x, y), 0.5, **more)


def test_distances_are_between_bases_and_include_the_level() -> None:
    assert distance(MAN, at(9)) == 8
    assert distance(MAN, at(5, bottom=3)) == 5
    assert distance(MAN, at(1)) == 0
    assert are_in_contact(MAN, at(1.04))
    assert not are_in_contact(MAN, at(1.06))
    assert not are_in_contact(MAN, at(1, bottom=2))
    assert overlap(MAN, at(0.9)) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("exact", "shown"), [(8.44, 8.4), (8.45, 8.5), (8.449999, 8.4), (0.04, 0.0), (0.05, 0.1)]
)
def test_tenths_are_rounded_to_the_nearest(exact: float, shown: float) -> None:
    assert tenths(exact) == pytest.approx(shown)


def test_open_ground_hides_nothing() -> None:
    assert sight(MAN, at(10), []) == sight(MAN, at(10), [wall(20, 0, 1, 9, 9)])
    assert sight(MAN, at(10), [wall(-3, 0, 1, 9, 9)]).hidden == 0, "behind the viewer"
    assert sight(MAN, MAN, []).hidden == 0


def test_a_high_wall_hides_all_and_half_a_wall_half() -> None:
    assert sight(MAN, at(10), [wall(5, 0, 0.2, 4, 3)]).is_blocked
    assert sight(MAN, at(10), [wall(5, 2, 0.2, 4, 3)]).hidden == pytest.approx(0.5)


@pytest.mark.parametrize("side", [1, -1])
def test_a_wall_that_is_only_grazed_hides_nothing(side: int) -> None:
    assert sight(MAN, at(10), [wall(5, side * 2.5, 10, 4, 3)]).hidden == pytest.approx(0, abs=0.001)
    assert sight(MAN, at(10), [wall(5, side * 2.4, 10, 4, 3)]).hidden == pytest.approx(0.1, abs=0.001)


def test_a_corner_hides_the_part_behind_it() -> None:
    """Its corner at half the way, so far beside the line: at the target it is twice as far."""
    assert sight(MAN, at(10), [wall(4, 5.0, 2, 10, 3)]).hidden == pytest.approx(0.5)
    assert sight(MAN, at(10), [wall(4, 5.125, 2, 10, 3)]).hidden == pytest.approx(0.25)
    assert sight(MAN, at(10), [wall(4, 5.25, 2, 10, 3)]).hidden == pytest.approx(0)


def test_a_low_wall_hides_the_legs_of_whoever_stands_behind_it_and_nothing_from_the_one_who_leans_on_it() -> (
    None
):
    near = sight(MAN, at(10), [wall(9.4, 0, 0.1, 6, 1.0)])
    assert near.hidden == pytest.approx(0.643, abs=0.01), "a third of the body looks over it, or a bit more"
    assert sight(MAN, at(10), [wall(1, 0, 0.1, 6, 1.0)]).hidden == 0, "the viewer looks over it and down"
    assert sight(MAN, at(10), [wall(9.4, 0, 0.1, 6, 1.5)]).is_blocked, "as high as the eyes and the body"


def test_levels_look_over_walls_and_down_from_roofs() -> None:
    low = wall(5, 0, 0.2, 6, 2.0)
    assert sight(MAN, at(10), [low]).is_blocked
    assert sight(Body((0, 0), 0.5, 6.0), at(10), [low]).hidden == 0
    roof = wall(0, 0, 8, 8, 3.0)
    assert sight(Body((3.4, 0), 0.5, 3.0), at(12), [roof]).hidden == 0
    assert sight(Body((0, 0), 0.5, 3.0), at(5.2), [roof]).is_blocked, "right below the edge"
    gate = Piece("gate", rectangle((5, 0), 0.5, 6), 2.0, 4.0)
    assert sight(MAN, at(10), [gate]).hidden == 0, "it is seen through below"


def test_a_model_between_hides_what_it_stands_before() -> None:
    between = Piece("Smap", circle((5, 0), 0.5), 0.0, 1.5)
    assert sight(MAN, at(10), [between]).is_blocked
    aside = Piece("Smap", circle((5, 0.5), 0.5), 0.0, 1.5)
    assert sight(MAN, at(10), [aside]).hidden == pytest.approx(0.5, abs=0.06)
    small = Piece("Smap", circle((9, 0), 0.25), 0.0, 0.75)
    assert 0.2 < sight(MAN, at(10), [small]).hidden < 0.35


def test_woods_veil_and_do_not_hide_and_nobody_is_veiled_by_where_the_viewer_stands() -> None:
    woods = Piece("woods", circle((10, 0), 3), 0.0, 4.0, opaque=False)
    seen = sight(MAN, at(10), [woods])
    assert (seen.hidden, seen.veiled) == (0.0, pytest.approx(1.0))
    assert seen.by == (("woods", pytest.approx(1.0)),)
    assert sight(at(10), at(20), [woods]).veiled == 0
    assert sight(MAN, at(7.2), [woods]).veiled == pytest.approx(1.0, abs=0.01), "half of its base is in"


def test_what_hides_most_is_named_first() -> None:
    seen = sight(MAN, at(10), [Piece("low", rectangle((8, 0), 0.2, 4), 0, 0.5), wall(8, 1, 0.2, 2, 3)])
    assert [name for name, _ in seen.by] == ["wall", "low"]


def test_templates_cover_wholly_partly_or_not() -> None:
    flame = cone((0, 0), 90, 8, 3)
    assert under(at(6.5), flame) == "wholly"
    assert under(at(8.2), flame) == "partly"
    assert under(at(4, 2), flame) == ""


def test_arcs_are_measured_from_the_facing() -> None:
    looks = Body((0, 0), 0.5, facing=90)
    assert relative_bearing(looks, (5, 0)) == 0
    assert relative_bearing(looks, (0, 5)) == pytest.approx(-90)
    assert relative_bearing(looks, (-5, 0.0001)) == pytest.approx(-180, abs=0.01)
    assert relative_bearing(MAN, (0, 5)) == 0


def test_a_path_tells_what_it_touches() -> None:
    way = path([(0, 0), (10, 0), (10, 5)], 0.5, [MUD, POND])
    assert way.length == 15
    assert way.crossed == (("mud", pytest.approx(4.0)),)
    assert path([(0, 2.4), (10, 2.4)], 0.5, [MUD]).crossed == (("mud", 0.0),), "only the base is in it"
    assert path([(0, 2.5), (10, 2.5)], 0.5, [MUD]).crossed == (), "it touches"
    assert path([(1, 1)], 0.5, [MUD]).length == 0


WALL = Piece("wall", rectangle((3.5, 0), 1, 6), 0, 4)
STEP = Piece("step", rectangle((6.5, 0), 1, 6), 0, 1)
HOUSE = Piece("house", rectangle((0, 0), 6, 6), 0, 4)


@pytest.mark.parametrize(
    ("way", "start", "end", "pieces", "inches"),
    [
        ([(0, 0), (7, 0)], 0, 0, [], 7),
        ([(0, 0), (7, 0)], 0, 0, [WALL], 11),
        ([(7, 0), (0, 0)], 0, 0, [WALL], 11),
        ([(0, 0), (4, 0)], 0, 3, [], 5),
        ([(0, 0), (6, 0)], 4, 0, [HOUSE], 8),
        ([(0, 0), (10, 0)], 0, 0, [WALL, STEP], 5 + 1 + hypot(6, 4)),
        ([(0, 0), (7, 0)], 8, 8, [WALL], 7),
        ([(0, -3), (0, 0), (7, 0)], 0, 0, [WALL], hypot(6, 4) + 1 + 5),
        ([(0, 0), (8, 5), (8, 0)], 0, 0, [STEP], hypot(8, 5) + 5),
        ([(1, 1), (1, 1)], 0, 0, [WALL], 0),
    ],
)
def test_a_jump_goes_over_what_is_in_its_way_by_the_shortest_line(
    way: list[Point], start: float, end: float, pieces: list[Piece], inches: float
) -> None:
    assert leap(way, start, end, pieces) == pytest.approx(inches)


def test_into_contact_is_on_the_straight_line() -> None:
    assert beside(MAN, at(10)) == pytest.approx((9, 0))


def test_outlines_that_are_none_are_told() -> None:
    assert fault_of(rectangle((5, 5), 2, 2)) == ""
    assert "doesn't cross itself" in fault_of(((0, 0), (2, 2), (2, 0), (0, 2)))
    assert "three corners" in fault_of(((0, 0), (2, 2)))
    assert "no area" in fault_of(((0, 0), (2, 0), (4, 0.001)))
    assert is_within(rectangle((5, 5), 2, 2), 48, 48)
    assert not is_within(rectangle((0.5, 5), 2, 2), 48, 48)
