"""Dangerous places and hazards that stay on the table, as the encounter keeps them; found by name.

A place is kept as counters of the encounter, `area:<name>:<kind>` with its grade and `area:<name>:power`;
both sides see it. What it does to who enters is in `field_play` and `hazard_play`.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.encounter import Encounter, set_counter
from bot.table.names import find, free_name
from rules.counters import PerPart
from rules.refusals import InvalidInput
from rules.systems.counterblast.movement.ground import (
    SUGGESTED_POWER,
    Hazard,
    HazardArea,
    Rugged,
    hazard_rugged,
)

AREA: PerPart[str] = PerPart("area:")
"""Counters of the encounter, by place: the grade of its kind, which is one of KINDS, and its Power."""
POWER = "power"
ROCKS = "dangerous"
KINDS: tuple[str, ...] = (ROCKS, Hazard.ACID, Hazard.TOXIC, Hazard.SLICK, Hazard.HEAT_OR_COLD)

MOST_AREAS = 20


@dataclass(frozen=True, slots=True)
class Ground:
    """A dangerous place as it is tested: its name if it has one, its kind, grade and Power."""

    name: str
    kind: str
    grade: int
    power: int

    @property
    def words(self) -> str:
        """The place in a few words."""
        kind = kind_words(self.kind)
        if self.name.casefold().startswith(kind):
            return f"{self.name} [{self.grade}]"
        return f"{self.name} ({kind} [{self.grade}])" if self.name else f"{kind} [{self.grade}]"


def kind_words(kind: str) -> str:
    """A kind of danger as people read it."""
    return kind.replace("_", " ")


def ruggedness(ground: Ground) -> tuple[Rugged, ...]:
    """What toxic and slick places take off a Move besides. Rules: CB-HAZ-05, CB-HAZ-06."""
    return hazard_rugged(HazardArea(Hazard(ground.kind), ground.grade)) if ground.kind != ROCKS else ()


def area_names(encounter: Encounter) -> list[str]:
    """The places on the table, by name."""
    return AREA.things(encounter.row.counters)


def area_of(encounter: Encounter, name: str) -> Ground:
    """The place of exactly this name."""
    kind = next(kind for kind in KINDS if encounter.count(AREA.of(name, kind)))
    power = encounter.count(AREA.of(name, POWER)) or SUGGESTED_POWER
    return Ground(name, kind, encounter.count(AREA.of(name, kind)), power)


def areas_on(encounter: Encounter) -> list[Ground]:
    """The places on the table."""
    return [area_of(encounter, name) for name in area_names(encounter)]


def place_meant(encounter: Encounter, text: str) -> Ground:
    """The place on the table that is meant, or the kind of danger, without a grade. Raises InvalidInput."""
    names = area_names(encounter)
    wanted = " ".join(text.split()).casefold()
    exact = next((name for name in names if name.casefold() == wanted), "")
    meant = exact or find(text, [*names, *(kind for kind in KINDS if kind not in names)], str, "place")
    return area_of(encounter, meant) if meant in names else Ground("", meant, 0, 0)


def add_area(encounter: Encounter, wanted: str, kind: str, grade: int, power: int = 0) -> str:
    """Keep a place under a free name; gives the name."""
    names = area_names(encounter)
    if len(names) >= MOST_AREAS:
        raise InvalidInput(f"A table has at most {MOST_AREAS} such places.")
    name = free_name(wanted, names)
    set_counter(encounter.row.counters, AREA.of(name, kind), grade)
    set_counter(encounter.row.counters, AREA.of(name, POWER), power)
    return name
