"""What abilities, Artifacts and surroundings give to an attack, and the words in which it is said."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.refusals import InvalidInput
from rules.systems.soluna.grid import LOCATIONS

_EXTRA = re.compile(r"(power|accuracy|range|reach)\s*([+-]\s*\d{1,2})|ignore\s+([a-z]+)")


@dataclass(frozen=True, slots=True)
class Extras:
    """What is given to an attack beside what the table knows."""

    power: int = 0
    accuracy: int = 0
    weapon_reach: int = 0
    target_reach: int = 0
    ignored: frozenset[str] = frozenset()


def read_extras(text: str) -> Extras:
    """What was typed as power+1 accuracy-2 range+1 reach-1 ignore shield. Raises InvalidInput."""
    numbers = {"power": 0, "accuracy": 0, "range": 0, "reach": 0}
    ignored: set[str] = set()
    lowered = text.lower()
    for match in _EXTRA.finditer(lowered):
        if match[1]:
            numbers[match[1]] += int(match[2].replace(" ", ""))
        elif match[3] in LOCATIONS:
            ignored.add(match[3])
        else:
            raise InvalidInput(f"Locations are: {', '.join(LOCATIONS)}.")
    if _EXTRA.sub("", lowered).replace(",", "").strip():
        raise InvalidInput("Extras are written: power+1 accuracy-2 range+1 reach-1 ignore shield.")
    return Extras(
        numbers["power"], numbers["accuracy"], numbers["range"], numbers["reach"], frozenset(ignored)
    )


def extras_written(extras: Extras) -> str:
    """The words again that `read_extras` reads as the same."""
    numbers = (
        ("power", extras.power),
        ("accuracy", extras.accuracy),
        ("range", extras.weapon_reach),
        ("reach", extras.target_reach),
    )
    words = [f"{name}{number:+d}" for name, number in numbers if number]
    return " ".join([*words, *(f"ignore {location}" for location in sorted(extras.ignored))])
