"""Burning areas and pools of acid as the encounter keeps them, and what they do at the end of a turn.

Each is a handful of counters of the encounter, `fire:<name>:<what>`, read into the rules' `Fire` and written
back; the table knows them by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from bot.table.act import Act
from bot.table.encounter import Encounter, set_counter
from bot.table.names import find, free_name
from bot.table.rolling.throws import Whose
from rules.counters import PerPart
from rules.dice import Entered, Roller, Shown
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.burning import Fire, Growth, after_growth, growth

Part = Literal["inches", "began", "acid", "lasts", "fought", "hemmed"]
"""What is counted of a burning area."""
FIRE: PerPart[Part] = PerPart("fire:")
PARTS: tuple[Part, ...] = get_args(Part)
MOST_FIRES = 20
LONGEST = 16


def fire_names(encounter: Encounter) -> list[str]:
    """The burning areas on the table, in the order of their names."""
    return FIRE.things(encounter.row.counters)


@dataclass(frozen=True, slots=True)
class Burning:
    """An area that burns, under its name."""

    name: str
    fire: Fire


def fires_on(encounter: Encounter) -> list[Burning]:
    """The burning areas on the table, in the order of their names."""
    return [Burning(name, fire_of(encounter, name)) for name in fire_names(encounter)]


def fire_named(encounter: Encounter, text: str) -> Burning:
    """The area that is meant. Raises InvalidInput."""
    return find(text, fires_on(encounter), lambda one: one.name, "fire")


def fire_of(encounter: Encounter, name: str) -> Fire:
    """The area of exactly this name."""
    values = {part: encounter.count(FIRE.of(name, part)) for part in PARTS}
    return Fire(
        values["began"],
        values["inches"],
        "acid" if values["acid"] else "fire",
        values["lasts"],
        bool(values["fought"]),
        bool(values["hemmed"]),
    )


def write_fire(encounter: Encounter, name: str, fire: Fire | None) -> None:
    """Keep an area, or take it off the table."""
    values: dict[Part, int] = dict.fromkeys(PARTS, 0)
    if fire is not None:
        values = {
            "inches": fire.inches,
            "began": fire.began,
            "acid": int(fire.kind == "acid"),
            "lasts": fire.lasts,
            "fought": int(fire.fought),
            "hemmed": int(fire.hemmed),
        }
    for part, value in values.items():
        set_counter(encounter.row.counters, FIRE.of(name, part), value)


def add_fire(encounter: Encounter, wanted: str, fire: Fire) -> str:
    """Put an area on the table under a name that is free; gives the name."""
    names = fire_names(encounter)
    if len(names) >= MOST_FIRES:
        raise InvalidInput(f"A table has at most {MOST_FIRES} fires.")
    name = free_name(wanted, names)
    write_fire(encounter, name, fire)
    return name


def fire_lines(encounter: Encounter) -> list[str]:
    """Every area: what it is, how wide, since when."""
    lines = []
    for name in fire_names(encounter):
        fire = fire_of(encounter, name)
        last = f", out after turn {fire.began + fire.lasts - 1}" if fire.lasts else ""
        hemmed = ", hemmed in" if fire.hemmed else ""
        lines.append(f"{name}: {fire.kind} R{fire.inches}, since turn {fire.began}{last}{hemmed}")
    return lines


def roll_growth(act: Act, name: str) -> int:
    """Roll whether a burning area grows, stays or ends; gives the face.

    Rules: CB-BURN-03, CB-HAZ-03, CB-TURN-04.
    """
    fire = fire_of(act.encounter, name)
    mark = len(act.dice.trace)
    whose = Whose(name, "growth", f"on the {fire.kind} chart, {fire.age(act.encounter.row.turn):+d}")
    act.roll(whose, growth, fire.age(act.encounter.row.turn), fire.kind)
    return next(entry.face for entry in act.dice.trace[mark:] if isinstance(entry, Shown))


def grown(encounter: Encounter, name: str, face: int) -> tuple[Fire | None, str]:
    """What an area is in the next turn, None where it ends, by the face that fell; and the line that says so.

    Rules: CB-BURN-03, CB-BURN-04, CB-HAZ-03, CB-HAZ-08, CB-TURN-04.
    """
    turn = encounter.row.turn
    fire = fire_of(encounter, name)
    age = fire.age(turn)
    rolled = growth(Roller(Entered((face,))), age, fire.kind)
    after = after_growth(fire, rolled, turn)
    return after, f"{name} {_became(fire, rolled, after)} (d10 {face}{f' + {age}' if age else ''})"


def _became(fire: Fire, rolled: Growth, after: Fire | None) -> str:
    if after is None:
        return "goes out" if rolled is Growth.OUT else "dies out after its turns"
    if after.inches > fire.inches:
        return f"grows to R{after.inches}"
    if rolled is Growth.GROWS:
        return f"is kept at R{after.inches}"
    return f"stays at R{after.inches}"
