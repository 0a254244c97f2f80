"""What of the figures could not be read safely, in words for whoever plays with them.

The notes themselves are data (`unsure` of a row, "field: why"); this only words them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Gear, Profile, Weapon

FIELDS = {
    "affiliations": "faction",
    "agility": "AGL",
    "barred": "who may take it",
    "bonus_damage": "bonus damage",
    "cost": "price",
    "costs": "price",
    "damage_dice": "damage dice",
    "defense": "Def",
    "extra_psionic_shield": "psionic shield",
    "free": "free Features",
    "free_choices": "free Features",
    "intellect": "INT",
    "life": "Life",
    "line_of_sight": "line of sight",
    "points": "Pts",
    "rows": "rows",
    "size": "base",
    "strength": "STR",
    "strength_modifier": "STR modifier",
    "text": "rule",
    "types": "type",
    "values": "figures",
    "vehicle_costs": "price on vehicles",
    "vehicle_open": "who may take it",
}
"""Fields of the data as players call them; any other is called by its own name."""

PRICES = frozenset({"cost", "costs", "vehicle_costs", "points", "affiliations", "barred", "vehicle_open"})
"""Fields that matter to who builds a crew, not to who plays it."""


class Doubtful(Protocol):
    """A row of the data, with its notes."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def unsure(self) -> tuple[str, ...]:
        """What could not be read safely: field, colon, reason."""


def field_words(fields: str) -> str:
    """The fields of a note as players call them: STR, AGL, Life."""
    return ", ".join(FIELDS.get(field, field.replace("_", " ")) for field in fields.split(", "))


def doubt_lines(row: Doubtful, *, named: bool = False, playing: bool = False) -> list[str]:
    """Every doubt about a row with its reason, one in a line.

    named: begin with the row's name, where lines of several rows stand together. playing: leave out what
    matters only to who builds a crew.
    """
    lines = []
    for note in row.unsure:
        fields, _, reason = note.partition(": ")
        if not (playing and PRICES.issuperset(fields.split(", "))):
            about = f"{row.name} {field_words(fields)}" if named else field_words(fields)
            lines.append(f"Unsure, {about}: {reason}.")
    return lines


def parts(profile: Profile, weapons: Sequence[Weapon], gear: Sequence[Gear]) -> list[Doubtful]:
    """What a model brings beside its block: weapons, gear, Features, powers."""
    library = load()
    features = [library.features[trait.key] for trait in profile.features]
    powers = [use for power in profile.powers for use in library.power_uses(power)]
    found: list[Doubtful] = [*weapons, *gear, *features, *powers]
    return list(dict.fromkeys(found))


def model_doubts(profile: Profile, weapons: Sequence[Weapon], gear: Sequence[Gear]) -> list[str]:
    """What somebody who plays a model should know was not read safely: of its block, of what it carries."""
    lines = doubt_lines(profile, playing=True)
    for part in parts(profile, weapons, gear):
        lines += doubt_lines(part, named=True, playing=True)
    return lines


def bought(profile: Profile, weapons: Sequence[Weapon], gear: Sequence[Gear]) -> list[Doubtful]:
    """A model and what was bought for it one by one: what a printed block comes with is in its own price."""
    if profile.key not in load().profiles:
        return [profile, *parts(profile, weapons, gear)]
    printed = load().profiles[profile.key]
    added = [one for one in weapons if one.key not in printed.weapons]
    return [profile, *added, *(one for one in gear if one.key not in printed.gear)]


def crew_doubts(rows: Iterable[Doubtful]) -> list[str]:
    """One line that names what of a crew was not read safely; none where all is sure."""
    found = dict.fromkeys(f"{row.name} ({_about(row)})" for row in rows if row.unsure)
    return [f"Unsure: {'; '.join(found)}. Why: /book."] if found else []


def _about(row: Doubtful) -> str:
    return ", ".join(dict.fromkeys(field_words(note.partition(": ")[0]) for note in row.unsure))
