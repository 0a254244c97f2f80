"""From what is typed to areas on the map: shapes around the point aimed at, figures with their places.

The map is told in inches: for a blast from the point aimed at; for cones and pulses from the attacker, who
faces along x.
"""

from __future__ import annotations

import re
from typing import Any

from bot.actions import numbered
from bot.store.rows import ModelRow
from bot.table.asking.things import split
from bot.table.encounter import Encounter
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import area
from rules.systems.fracd_earth.area import Area, Blast, Cone, Point, Pulse

_PLACE = re.compile(r"(.+?) (-?\d{1,3}(?:\.\d{1,2})?) ?, ?(-?\d{1,3}(?:\.\d{1,2})?)")


def area_of(facts: dict[str, Any]) -> Area:
    """The area as it lies, shifted as it was. Raises InvalidInput for sizes that are none."""
    size, width = facts["size"], facts["width"]
    if not 0 < size <= area.MAX_INCHES:
        raise InvalidInput(f"An area measures up to {area.MAX_INCHES} inches.")
    x, y = facts["shift"]
    if facts["shape"] == "cone":
        made = area.cone((0.0, 0.0), size, width, 0.0)
        return area.scatter_cone(made, int(x), 2 * abs(int(x)) + 1) if x else made
    if facts["shape"] == "blast":
        return Blast((x, y), size)
    return Pulse((0.0, 0.0), size, 0.0 if facts["shape"] == "half pulse" else None)


def _middle(shape: Area) -> Point:
    """A point inside, for who is said to be in the area without a place."""
    if isinstance(shape, Cone):
        return (shape.left[0] + shape.right[0]) / 2, (shape.left[1] + shape.right[1]) / 2
    return shape.centre


Placed = tuple[tuple[ModelRow, Point | None], ...]
"""Figures with where they stand, None for somewhere in the area."""


def read_places(encounter: Encounter, text: str) -> Placed:
    """Figures with where they stand: "Vale 1,0; Rook 2,1.5", or names alone with commas, who are in it.

    Raises InvalidInput.
    """
    found: Placed
    if ";" not in text and not _PLACE.fullmatch(text.strip()):
        found = tuple((encounter.find_model(name), None) for name in split(text))
    else:
        found = tuple(_placed(encounter, part.strip()) for part in text.split(";") if part.strip())
    if len({row.id for row, _ in found}) != len(found):
        raise InvalidInput("A figure is named twice.")
    return found


def _placed(encounter: Encounter, text: str) -> tuple[ModelRow, Point]:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise InvalidInput("Write places like: Vale 1,0; Rook 2,1.5")
    return encounter.find_model(match[1]), (float(match[2]), float(match[3]))


def places_written(placed: Placed) -> str:
    """The words again that `read_places` reads as the same."""
    if any(at is None for _, at in placed):
        return ", ".join(numbered(row.id) for row, _ in placed)
    return "; ".join(f"{numbered(row.id)} {at[0]},{at[1]}" for row, at in placed if at is not None)


def places(placed: Placed, facts: dict[str, Any]) -> list[tuple[int, Point]]:
    """The numbers of figures with the points of the map where they stand."""
    shape = area_of(facts)
    return [(row.id, _middle(shape) if at is None else at) for row, at in placed]
