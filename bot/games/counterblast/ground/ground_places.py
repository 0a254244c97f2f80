"""Dangerous places and hazards that stay on the table: put there, taken off, found by name.

A place is kept as counters of the encounter, `area:<name>:<kind>` with its grade and `area:<name>:power`;
both sides see it. What it does to who enters is in `field_play`.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.rolls import finish, require_between
from bot.games.counterblast.core.telling import Telling
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.encounter import Encounter, set_counter
from bot.table.handlers import handles
from bot.table.names import checked_name, find, free_name
from rules.refusals import InvalidInput
from rules.systems.counterblast.ground.hazards import Hazard, HazardArea, hazard_rugged
from rules.systems.counterblast.ground.terrain import SUGGESTED_POWER, Rugged

AREA = "area:"
ROCKS = "dangerous"
KINDS: tuple[str, ...] = (ROCKS, Hazard.ACID, Hazard.TOXIC, Hazard.SLICK, Hazard.HEAT_OR_COLD)

MOST_AREAS = 20
LONGEST = 16


@dataclass(frozen=True, slots=True)
class AddArea(Action):
    """Put a dangerous place or a hazard on the table. kind: dangerous, acid, toxic, slick, heat_or_cold."""

    command = "cb.area"

    name: str = ""
    kind: str = ROCKS
    grade: int = 1
    power: int = 0


@dataclass(frozen=True, slots=True)
class DropArea(Action):
    """Take a place off the table again."""

    command = "cb.area.drop"

    name: str = ""


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
    names = [key.split(":")[1] for key in sorted(encounter.row.counters) if key.startswith(AREA)]
    return list(dict.fromkeys(names))


def area_of(encounter: Encounter, name: str) -> Ground:
    """The place of exactly this name."""
    kind = next(kind for kind in KINDS if encounter.count(f"{AREA}{name}:{kind}"))
    power = encounter.count(f"{AREA}{name}:power") or SUGGESTED_POWER
    return Ground(name, kind, encounter.count(f"{AREA}{name}:{kind}"), power)


def add_area(encounter: Encounter, wanted: str, kind: str, grade: int, power: int = 0) -> str:
    """Keep a place under a free name; gives the name."""
    names = area_names(encounter)
    if len(names) >= MOST_AREAS:
        raise InvalidInput(f"A table has at most {MOST_AREAS} such places.")
    name = free_name(wanted, names)
    set_counter(encounter.row.counters, f"{AREA}{name}:{kind}", grade)
    set_counter(encounter.row.counters, f"{AREA}{name}:power", power)
    return name


@handles(AddArea)
def place_area(act: Act, action: AddArea) -> Reply:
    """It stays until it is taken off."""
    act.require_player()
    kind = find(action.kind, KINDS, str, "kind")
    require_between(action.grade, 1, 3, "Grade")
    require_between(action.power, 0, 10, "Power")
    wanted = checked_name(action.name or kind_words(kind), "place")
    if len(wanted) > LONGEST:
        raise InvalidInput(f"A place's name has at most {LONGEST} letters.")
    name = add_area(act.encounter, wanted, kind, action.grade, action.power)
    ground = area_of(act.encounter, name)
    telling = Telling([f"On the table: {ground.words}."])
    telling.lines += [f"Rugged [{piece.rating}] besides." for piece in ruggedness(ground)]
    return finish(act, telling)


@handles(DropArea)
def drop_area(act: Act, action: DropArea) -> Reply:
    """By hand, when gear or abilities removed it."""
    act.require_player()
    name = find(action.name, area_names(act.encounter), str, "place")
    for key in [key for key in act.encounter.row.counters if key.startswith(f"{AREA}{name}:")]:
        del act.encounter.row.counters[key]
    return finish(act, Telling([f"{name} is off the table."]))
