"""The markers of missions on the shared board: what is measured to them and from the deployment zones."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.state.missions import Mission, places
from bot.games.counterblast.state.models import fighter
from bot.store.rows import ModelRow, SideRow, ThingRow
from bot.table.board import facts
from bot.table.board.facts import Covered, Fact
from bot.table.board.surface import Area, Board, board_of, find_objective, roof_at
from bot.table.encounter import EncounterView
from rules import measure
from rules.measure import Body, Point, Template, tenths
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.missions.missions import MarkerSpot
from rules.systems.counterblast.missions.missions import mission as noted
from rules.wording import join_with_and

MARKER_RADIUS = 0.5
"""Inches from the middle of a marker to its edge."""

SAME_CORNER = 0.1
"""Corners whose distances from a zone differ by fewer inches are equally far away."""


def find_marker(encounter: EncounterView, place: ThingRow) -> Body | None:
    """Return the marker of a place on the board, on top of terrain; None if it isn't on the board."""
    board = board_of(encounter)
    area = find_objective(board, place.name) if board is not None else None
    if board is None or area is None:
        return None
    at = area.shape.middle
    return Body(at, MARKER_RADIUS, roof_at(board, at), 0.0)


def _measure_gap(encounter: EncounterView, model: int, marker: Body) -> float | None:
    body = facts.standing(encounter, model)
    if body is None:
        return None
    return 0.0 if measure.are_in_contact(body, marker) else measure.distance(body, marker)


def measure_to_marker(encounter: EncounterView, models: Sequence[Fighter], place: ThingRow) -> Fact | None:
    """Return the inches from the farthest of these models to a place; None if it can't be measured."""
    marker = find_marker(encounter, place)
    gaps = [_measure_gap(encounter, model.id, marker) for model in models] if marker is not None else []
    known_gaps = [gap for gap in gaps if gap is not None]
    if not gaps or len(known_gaps) < len(gaps):
        return None
    farthest = max(known_gaps)
    return Fact(facts.inches(farthest), f"{tenths(farthest):g} in to {place.name}")


def measure_near_marker(encounter: EncounterView, side: SideRow) -> Fact | None:
    """Return the models that count at the marker of a side's Invasion. Rules: CB-MISS-16."""
    laid = places(encounter, side.id)
    marker = find_marker(encounter, laid[0]) if laid else None
    if marker is None:
        return None
    reach = noted("invasion").value("control_inches")
    near = tuple(
        model
        for row in encounter.models()
        if (gap := _measure_gap(encounter, row.id, marker)) is not None and gap <= reach
        if not (model := fighter(encounter, row)).is_down and not model.has(Condition.PANICKED)
    )
    names = join_with_and([model.name for model in near]) if near else "no model"
    return Fact(near, f"{names} within {reach} in of the marker")


def find_under_trap(encounter: EncounterView, place: ThingRow) -> Covered | None:
    """Return the models under the template of a trap at a place; None if it can't be measured.

    Rules: CB-MISS-21, CB-TMPL-01.
    """
    marker = find_marker(encounter, place)
    if marker is None:
        return None
    radius = noted("recovery").value("trap_template_inches") / 2
    return facts.covered(encounter, Template((), marker.at, radius, marker.bottom), marker.at)


def is_near_for_trap(encounter: EncounterView, place: ThingRow) -> bool:
    """Return whether a model is near enough to a place on the board for a trap there. Rules: CB-MISS-21."""
    marker = find_marker(encounter, place)
    reach = noted("recovery").value("trap_inches")
    gaps = [_measure_gap(encounter, row.id, marker) for row in encounter.models()] if marker else []
    return any(gap is not None and gap <= reach for gap in gaps)


def measure_at_home(encounter: EncounterView, model: ModelRow) -> Fact | None:
    """Return whether a model is at least partly in its side's deployment zone.

    Rules: CB-MISS-09, CB-MISS-24.
    """
    board, body = board_of(encounter), facts.standing(encounter, model.id)
    own_zones = _list_zones(encounter, board, model.side) if board is not None else []
    if body is None or not own_zones:
        return None
    is_home = any(measure.gap(body, zone.shape.outline) < measure.TOUCH for zone in own_zones)
    where = "in" if is_home else "outside"
    return Fact(is_home, f"{model.name} is {where} the deployment zone of {encounter.side(model.side).name}")


# ------------------------------------------------------------------------------------ laid


def measure_spots(
    encounter: EncounterView, board: Board, mission: Mission, spots: Sequence[MarkerSpot]
) -> tuple[MarkerSpot, ...]:
    """Return places on the board with the distances from their middle that their mission asks for.

    Rules: CB-MISS-12, CB-MISS-15, CB-MISS-20, CB-MISS-26, CB-MISS-28, CB-MISS-30.
    """
    return tuple(
        MarkerSpot(spot.x, spot.y, _measure_spot(encounter, board, mission, (spot.x, spot.y)))
        for spot in spots
    )


def _measure_spot(encounter: EncounterView, board: Board, mission: Mission, at: Point) -> tuple[float, ...]:
    own_zones, middle = _list_zones(encounter, board, mission.side), Body(at, 0.0)
    if mission.key == "escort":
        return (min(measure.apart(at, corner) for corner in _list_opposite_corners(board, own_zones)),)
    zones = [area for area in board.areas if area.kind == "deployment"]
    if mission.key == "invasion":
        zones = [zone for zone in zones if zone not in own_zones]
    elif mission.key != "sabotage":
        zones = own_zones
    gaps = [measure.gap(middle, zone.shape.outline) for zone in zones]
    return (min(gaps, default=0.0),) if mission.key == "invasion" else tuple(gaps)


def _list_zones(encounter: EncounterView, board: Board, side: int) -> list[Area]:
    order = [side_row.id for side_row in encounter.sides()].index(side) + 1
    return [area for area in board.areas if area.kind == "deployment" and area.side == order]


def _list_opposite_corners(board: Board, own_zones: Sequence[Area]) -> list[Point]:
    """Return the corners of the table that are farthest from one's own zone; all of them without one."""
    corners = [(x, y) for x in (0.0, board.width) for y in (0.0, board.depth)]
    if not own_zones:
        return corners
    start = own_zones[0].shape.middle
    farthest = max(measure.apart(start, corner) for corner in corners)
    return [corner for corner in corners if measure.apart(start, corner) > farthest - SAME_CORNER]
