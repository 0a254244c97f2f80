"""Structures as the encounter keeps them: their kinds, and how those on the table stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.table.encounter import Encounter
from rules.counters import PerPart
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile, Rating
from rules.systems.counterblast.core.tables import ChartRow

STRUCTURE: PerPart[Literal["kind", "damage"]] = PerPart("structure:")
"""Counters of the encounter, by structure: the place of its kind among all, from 1, and its wounds."""


def kinds() -> tuple[ChartRow, ...]:
    """The kinds of structure, weakest first."""
    return tuple(load().charts["structures"].rows)


def structure_names(encounter: Encounter) -> list[str]:
    """The structures on the table, by name."""
    return STRUCTURE.things(encounter.row.counters)


@dataclass(frozen=True, slots=True)
class Standing:
    """A structure as it stands."""

    name: str
    kind: ChartRow
    damage: int

    @property
    def defense(self) -> int:
        """What attack dice must reach."""
        return self.kind.value("target")

    @property
    def life(self) -> int:
        """Wounds until it gives way."""
        return self.kind.value("life")

    def as_target(self) -> Fighter:
        """The structure as the attack's rules look at a target: no shields, no model's numbers."""
        plain = Rating(1)
        abilities = (plain, plain, plain)
        block = Profile(
            self.kind.key, self.name, "lackey", (), (), 0, *abilities, self.defense, self.life, "L", 0
        )
        return Fighter(-1, self.name, -1, block, damage=self.damage)


def structures_on(encounter: Encounter) -> list[Standing]:
    """The structures on the table as they stand."""
    return [_standing(encounter, name) for name in structure_names(encounter)]


def _standing(encounter: Encounter, name: str) -> Standing:
    kind = kinds()[encounter.count(STRUCTURE.of(name, "kind")) - 1]
    return Standing(name, kind, encounter.count(STRUCTURE.of(name, "damage")))


def structure_lines(encounter: Encounter) -> list[str]:
    """Every structure with its Defense and what is left of it."""
    found = structures_on(encounter)
    return [f"{one.name}: Def {one.defense}, {one.damage}/{one.life} wounds" for one in found]
