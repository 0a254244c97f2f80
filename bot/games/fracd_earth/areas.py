"""From what is typed to areas on the map: shapes around the point aimed at, figures with their places.

The map is told in inches: for a blast from the point aimed at; for cones and pulses from the attacker, who
faces along x.
"""

from __future__ import annotations

import re
from typing import Any

from bot.store.rows import ModelRow
from bot.table.act import Act
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


def places(act: Act, text: str, facts: dict[str, Any]) -> list[tuple[ModelRow, Point]]:
    """Figures with where they stand: "Vale 1,0; Rook 2,1.5", or names alone with commas, who are in it.

    Raises InvalidInput.
    """
    shape = area_of(facts)
    if ";" not in text and not _PLACE.fullmatch(text.strip()):
        names = [part.strip() for part in text.split(",") if part.strip()]
        found = [(act.encounter.find_model(name), _middle(shape)) for name in names]
    else:
        found = [_placed(act, part.strip()) for part in text.split(";") if part.strip()]
    if len({row.id for row, _ in found}) != len(found):
        raise InvalidInput("A figure is named twice.")
    return found


def _placed(act: Act, text: str) -> tuple[ModelRow, Point]:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise InvalidInput("Write places like: Vale 1,0; Rook 2,1.5")
    return act.encounter.find_model(match[1]), (float(match[2]), float(match[3]))
