"""Ratings, and what Features, powers, templates, prices, charts and notes look like in the data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

Rank = Literal["hero", "lackey"]
Size = Literal["S", "M", "L"]
Skill = Literal["melee", "marksmanship", "psionics", "engineering", "technology", "medicine"]
WeaponGroup = Literal[
    "hand", "natural", "pistol", "rifle", "rapid_fire", "unique", "template", "grenade", "bomb", "mounted"
]
Delivery = Literal["melee", "direct", "template", "thrown", "burst", "placed"]
TemplateKind = Literal["S", "L", "R"]
TargetKind = Literal["living", "mechanical"]

SIZES: tuple[Size, ...] = get_args(Size)
RANKS: tuple[Rank, ...] = get_args(Rank)
SKILLS: tuple[Skill, ...] = get_args(Skill)
AFFILIATIONS: tuple[str, ...] = ("edofleini", "gcw", "mekkus", "neiran")
LIVING_TYPES: tuple[str, ...] = (
    "alanti",
    "beast",
    "edofleini",
    "edokin",
    "human",
    "illyrian",
    "neiran",
    "shrinaar",
)
VEHICLE_KINDS: tuple[str, ...] = ("cavalry", "flyer", "mech", "tracked", "wheeled")
MODEL_TYPES: tuple[str, ...] = (*LIVING_TYPES, "cyberform", "robot", "vehicle", *VEHICLE_KINDS)

_RATING = re.compile(r"(\d{1,2})D([+-]\d)?", re.IGNORECASE)
_MAX_DICE = 20
_MAX_MODIFIER = 9


@dataclass(frozen=True, slots=True, order=True)
class Rating:
    """An ability written ``2D+1``: so many d10, and a modifier added to each of them.

    ``dice`` is 1 to 20; ``modifier`` is -9 to 9. Raises ValueError outside these bounds.

    Rules: CB-STAT-02, CB-STAT-04.
    """

    dice: int
    modifier: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.dice <= _MAX_DICE:
            raise ValueError(f"a rating must have 1 to {_MAX_DICE} dice, not {self.dice}")
        if not -_MAX_MODIFIER <= self.modifier <= _MAX_MODIFIER:
            raise ValueError(
                f"a rating's modifier must be -{_MAX_MODIFIER} to {_MAX_MODIFIER}, not {self.modifier}"
            )

    @classmethod
    def parse(cls, text: str) -> Rating:
        """Read ``2D+1``, ``1D-1`` or ``2D``; case and surrounding blanks do not matter.

        Raises ValueError if the text is not a rating.
        """
        match = _RATING.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"{text!r} isn't a rating such as 2D+1")
        return cls(int(match.group(1)), int(match.group(2) or 0))

    @property
    def value(self) -> int:
        """Return the ability's value for rules that count it: its dice alone. Rules: CB-STAT-04."""
        return self.dice

    def plus(self, *, dice: int = 0, modifier: int = 0) -> Rating:
        """Return the rating with dice and modifier changed. Raises ValueError if the result is invalid."""
        return Rating(self.dice + dice, self.modifier + modifier)

    def __str__(self) -> str:
        return f"{self.dice}D{self.modifier:+d}"


@dataclass(frozen=True, slots=True)
class Trait:
    """A Feature as one model has it: ``level`` is the number in brackets (0 without), ``choice`` a word."""

    key: str
    level: int = 0
    choice: str = ""

    def __str__(self) -> str:
        suffix = self.choice or (str(self.level) if self.level else "")
        return f"{self.key}:{suffix}" if suffix else self.key


def as_size(text: str) -> Size:
    """Return S, M or L from any case. Raises ValueError otherwise. Rules: CB-GEN-03."""
    upper = text.strip().upper()
    if upper not in SIZES:
        raise ValueError(f"{text!r} isn't one of the base sizes S, M and L")
    return upper


@dataclass(frozen=True, slots=True)
class Feature:
    """A Feature. Rules: CB-BUILD-21, CB-VEH-44.

    ``costs`` are Upgrade Points by level for Heroes, one figure when there are no levels; ``vehicle_costs``
    the same on the vehicle chart. Empty: the chart does not offer it. ``stacks`` says that it may be taken
    again. ``choices`` are the words one may be taken for. Which type may take it is mostly unreadable
    (CB-BUILD-20); known are ``open_to_all``, ``vehicle_open`` (all five kinds of vehicle), ``free_for`` and
    ``barred``. ``doubled_for`` are the types that pay twice the price, for players who can read the chart.
    ``vehicle_affiliations`` are the factions whose vehicles may have it, all where it is empty.
    """

    key: str
    name: str
    costs: tuple[int, ...]
    vehicle_costs: tuple[int, ...] = ()
    aliases: tuple[str, ...] = ()
    stacks: bool = False
    choices: tuple[str, ...] = ()
    open_to_all: bool = False
    vehicle_open: bool = False
    free_for: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    doubled_for: tuple[str, ...] = ()
    vehicle_affiliations: tuple[str, ...] = ()
    text: str = ""
    rules: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Power:
    """One way of using a psionic power. Rules: CB-PSI-06.

    ``target`` is the number to reach, None for the target model's Defense; ``range_inches`` is 0 for the
    psionic itself or base contact; ``attack`` says that it is the activation's one attack; ``shielded`` that
    shield dice count.
    """

    key: str
    name: str
    power: str
    range_inches: int
    actions: int
    target: int | None
    attack: bool = False
    line_of_sight: bool = False
    shielded: bool = False
    damage: int = 0
    several_targets: bool = False
    text: str = ""
    rules: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """The starting figures of a Hero type or vehicle. Rules: CB-BUILD-02, CB-VEH-40.

    ``mv`` is inches, ``mv_cost`` Upgrade Points for one inch more; ``free`` are Features it starts with and
    ``free_choices`` the number it may still pick without cost.
    """

    key: str
    name: str
    mv: int
    strength: Rating
    agility: Rating
    intellect: Rating
    defense: int
    life: int
    sizes: tuple[Size, ...]
    points: int
    mv_cost: int = 2
    free: tuple[Trait, ...] = ()
    free_choices: int = 0
    rules: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Builder:
    """The prices and limits of upgrades.

    Costs are Upgrade Points for one step; ``max_mv`` (inches) and ``max_life`` are by base size; slots are
    per AGL die, ``mixed_slots_per_die`` for models that may use any slot for weapons or gear.

    Rules: CB-BUILD-16, CB-BUILD-17, CB-BUILD-18, CB-BUILD-22, CB-VEH-41, CB-VEH-42, CB-VEH-43.
    """

    key: str
    name: str
    upgrade_points: int
    die_cost: int
    modifier_cost: int
    defense_cost: int
    life_cost: int
    max_dice: int
    max_modifier: int
    max_defense: int
    max_mv: tuple[tuple[Size, int], ...]
    max_life: tuple[tuple[Size, int], ...]
    weapon_slots_per_die: int
    gear_slots_per_die: int
    mixed_slots_per_die: int
    rules: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One row of a chart: ``low`` to ``high`` inclusive, None for an open end; ``values`` are its figures."""

    key: str
    name: str
    low: int | None
    high: int | None
    values: tuple[tuple[str, int], ...] = ()
    text: str = ""
    rules: tuple[str, ...] = ()

    def covers(self, result: int) -> bool:
        """Return whether the result falls into this row."""
        return (self.low is None or result >= self.low) and (self.high is None or result <= self.high)

    def value(self, name: str) -> int:
        """Return a figure of this row by name. Raises LookupError when it has none of that name."""
        for key, amount in self.values:
            if key == name:
                return amount
        raise LookupError(f"{self.name} has no value called {name}")


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart that a number is looked up on. ``die`` is what is rolled for it, empty when nothing is."""

    key: str
    name: str
    die: str
    rows: tuple[ChartRow, ...]
    rules: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()

    def row(self, result: int) -> ChartRow:
        """Return the row that a result falls into. Raises LookupError when no row covers it."""
        for row in self.rows:
            if row.covers(result):
                return row
        raise LookupError(f"{self.name} has no row for {result}")

    def named(self, key: str) -> ChartRow:
        """Return the row with that key. Raises LookupError when there is none."""
        for row in self.rows:
            if row.key == key:
                return row
        raise LookupError(f"{self.name} has no row called {key}")


@dataclass(frozen=True, slots=True)
class Note:
    """A named thing with few figures: an affiliation, a Specialty, a prey, a mission, a Maneuver.

    ``types`` are the kinds of model it is about; ``grants`` are Features of every member, ``hero_grants``
    those of Heroes only.
    """

    key: str
    name: str
    values: tuple[tuple[str, int], ...] = ()
    types: tuple[str, ...] = ()
    grants: tuple[str, ...] = ()
    hero_grants: tuple[str, ...] = ()
    text: str = ""
    rules: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()

    def value(self, name: str) -> int:
        """Return a figure by name, 0 when it has none of that name."""
        return dict(self.values).get(name, 0)
