"""The things of Counterblast that have figures: ratings, models, weapons, gear, Features, powers, charts.

Owns the frozen, hashable shapes that all Counterblast rules share, and nothing else. It does not know where
the figures come from (``library`` reads them), how dice fall, or what happens at a table.

Words used throughout: a *key* is the short lower-case name of a row in the data (``pulsar_rifle``); distances
are inches; *dice* are d10; *points* are requisition points; a *level* is 2 for a Hero and 1 for a Lackey.
"""

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
            raise ValueError(f"a rating has 1 to {_MAX_DICE} dice, not {self.dice}")
        if not -_MAX_MODIFIER <= self.modifier <= _MAX_MODIFIER:
            raise ValueError(
                f"a rating's modifier is -{_MAX_MODIFIER} to {_MAX_MODIFIER}, not {self.modifier}"
            )

    @classmethod
    def parse(cls, text: str) -> Rating:
        """Read ``2D+1``, ``1D-1`` or ``2D``; case and surrounding blanks do not matter.

        Raises ValueError when the text is no rating.
        """
        match = _RATING.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"{text!r} is no rating: write it like 2D+1")
        return cls(int(match.group(1)), int(match.group(2) or 0))

    @property
    def value(self) -> int:
        """The ability's value where a rule counts it: its dice, without the modifier. Rules: CB-STAT-04."""
        return self.dice

    def plus(self, *, dice: int = 0, modifier: int = 0) -> Rating:
        """The rating with dice and modifier changed; ValueError when the result is no rating."""
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


@dataclass(frozen=True, slots=True)
class Profile:
    """A model's statblock. Rules: CB-STAT-01.

    ``mv`` is inches; the four abilities are ratings (``psionic`` is the total printed, or None); ``defense``
    is the number an attack die must reach; ``life`` is wounds; ``points`` are requisition points.
    ``weapons``, ``gear`` and ``powers`` are keys of the library. ``shield`` is the number of shield dice
    printed, which already counts the armour listed. ``size_options`` names every base the block allows, and
    ``size`` the one in use. ``types_inferred`` marks a block that prints no type. ``unsure`` says which
    fields could not be read safely, and why.
    """

    key: str
    name: str
    rank: Rank
    types: tuple[str, ...]
    affiliations: tuple[str, ...]
    mv: int
    strength: Rating
    agility: Rating
    intellect: Rating
    defense: int
    life: int
    size: Size
    points: int
    psionic: Rating | None = None
    features: tuple[Trait, ...] = ()
    weapons: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    shield: int = 0
    size_options: tuple[Size, ...] = ()
    section: str = ""
    types_inferred: bool = False
    unsure: tuple[str, ...] = ()

    @property
    def is_hero(self) -> bool:
        """Whether the model is a Hero."""
        return self.rank == "hero"

    @property
    def level(self) -> int:
        """2 for a Hero, 1 for a Lackey. Rules: CB-STAT-07, CB-BUILD-23."""
        return 2 if self.is_hero else 1

    @property
    def is_cyberform(self) -> bool:
        """Part living, part robot. Rules: CB-BUILD-06."""
        return "cyberform" in self.types

    @property
    def is_robot(self) -> bool:
        """A Robot proper; a Cyberform is not (it is neither Fearless nor immune). Rules: CB-BUILD-13."""
        return "robot" in self.types

    @property
    def is_cavalry(self) -> bool:
        """A rider and beast in one model. Rules: CB-VEH-04."""
        return "cavalry" in self.types

    @property
    def is_vehicle(self) -> bool:
        """A vehicle, Cavalry included. Rules: CB-BUILD-15, CB-VEH-01."""
        return "vehicle" in self.types

    @property
    def is_living(self) -> bool:
        """Living for every effect: living types, Cyberforms, Cavalry. Rules: CB-BUILD-03, CB-WEAP-27."""
        return self.is_cyberform or self.is_cavalry or any(kind in LIVING_TYPES for kind in self.types)

    @property
    def is_mechanical(self) -> bool:
        """Robots, Cyberforms, and vehicles other than Cavalry. Rules: CB-WEAP-28."""
        return self.is_robot or self.is_cyberform or (self.is_vehicle and not self.is_cavalry)

    def has_feature(self, key: str) -> bool:
        """Whether the block lists the Feature, at any level."""
        return any(trait.key == key for trait in self.features)

    def feature_level(self, key: str) -> int:
        """The level printed in brackets, 1 for a Feature printed without one, 0 for a Feature not there."""
        return max((max(trait.level, 1) for trait in self.features if trait.key == key), default=0)

    def feature_choices(self, key: str) -> tuple[str, ...]:
        """What was chosen for a Feature such as Knack or Savant, in printed order."""
        return tuple(trait.choice for trait in self.features if trait.key == key and trait.choice)


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon of the charts. Rules: CB-WEAP-01.

    ``power`` is what a shield die must reach, None for Void effects that allow no shield; ``power_short``
    replaces it at short range. ``melee`` says whether it fights in melee, ``melee_modifier`` at which cost.
    ``reach_inches`` and ``range_inches`` are maxima, 0 for none. ``damage`` is wounds per success (0: the hit
    has another effect), ``damage_short`` the same at short range, ``damage_printed`` the chart's figure where
    the reading differs. A template weapon has ``template``, ``template_inches`` (diameter of a round one) and
    ``damage_dice``. ``strength_dice``, ``strength_modifier`` and ``charge_modifier`` change the melee check.
    ``critical_damage`` is added on a critical success, ``bonus_damage`` against kinds of target;
    ``shield_modifier`` lowers the target's shield. ``sealed_power`` and ``sealed_dice`` replace Power and
    dice against sealed targets. ``cost`` is points. Crews of ``affiliations`` may carry it, and crews with
    one of ``specialties``. The effects are listed in ``library.EFFECTS`` and explained in README.md.
    """

    key: str
    name: str
    group: WeaponGroup
    deliveries: tuple[Delivery, ...]
    aliases: tuple[str, ...] = ()
    affiliations: tuple[str, ...] = AFFILIATIONS
    specialties: tuple[str, ...] = ()
    power: int | None = None
    power_short: int | None = None
    melee: bool = False
    melee_modifier: int = 0
    reach_inches: int = 0
    range_inches: int = 0
    damage: int = 1
    damage_short: int = 1
    damage_printed: int | None = None
    template: TemplateKind | None = None
    template_inches: int = 0
    damage_dice: Rating | None = None
    strength_dice: int = 0
    strength_modifier: int = 0
    charge_modifier: int = 0
    critical_damage: int = 0
    bonus_damage: tuple[tuple[TargetKind, int], ...] = ()
    shield_modifier: int = 0
    sealed_power: int | None = None
    sealed_dice: Rating | None = None
    effects: tuple[str, ...] = ()
    slots: int = 1
    specialist: bool = False
    cost: int = 0
    text: str = ""
    rules: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()

    @property
    def short_range_inches(self) -> float:
        """Up to here the range is short: half the maximum. Rules: CB-WEAP-12."""
        return self.range_inches / 2

    @property
    def is_natural(self) -> bool:
        """Whether it is a part of the body, which takes no slot. Rules: CB-GEAR-06."""
        return self.group == "natural"

    @property
    def is_energized(self) -> bool:
        """Whether EMP and Energy Drain switch it off. Rules: CB-GEAR-09."""
        return not self.is_natural and "immune_to_emp" not in self.effects

    def has_effect(self, key: str) -> bool:
        """Whether the weapon has a special effect of the charts."""
        return key in self.effects

    def bonus_against(self, profile: Profile) -> int:
        """Extra wounds once per attack that does damage to this model. Rules: CB-WEAP-16, -27, -28."""
        applies = {"living": profile.is_living, "mechanical": profile.is_mechanical}
        return sum(amount for kind, amount in self.bonus_damage if applies[kind])


@dataclass(frozen=True, slots=True)
class Gear:
    """A piece of gear. Rules: CB-GEAR-12, CB-VEH-45.

    ``group`` is the part of the chart; a model wears one piece of each ``layer``. ``cost`` is points
    (``cost_per`` names what multiplies it). ``shield`` is shield dice, ``extra_psionic_shield`` those added
    against psionic attacks; ``checks`` are modifiers by skill; ``values`` are other figures of its rule;
    ``grants`` are Features that the wearer has; ``protects`` names dangers that do no harm. ``types`` and
    ``only`` name the types and models that may take it (empty: all), ``needs`` what it must have one of;
    ``uses`` is how often per encounter, 0 without limit.
    """

    key: str
    name: str
    group: str
    energized: bool
    cost: int
    affiliations: tuple[str, ...] = AFFILIATIONS
    aliases: tuple[str, ...] = ()
    cost_per: str = ""
    types: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    layer: str = ""
    shield: int = 0
    extra_psionic_shield: int = 0
    checks: tuple[tuple[Skill, int], ...] = ()
    values: tuple[tuple[str, int], ...] = ()
    grants: tuple[str, ...] = ()
    protects: tuple[str, ...] = ()
    uses: int = 0
    text: str = ""
    rules: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()

    def value(self, name: str) -> int:
        """A figure by name, 0 when it has none of that name."""
        return dict(self.values).get(name, 0)

    def check_modifier(self, skill: Skill) -> int:
        """What it adds to every check of a skill."""
        return dict(self.checks).get(skill, 0)


@dataclass(frozen=True, slots=True)
class Feature:
    """A Feature. Rules: CB-BUILD-21, CB-VEH-44.

    ``costs`` are Upgrade Points by level for Heroes, one figure when there are no levels; ``vehicle_costs``
    the same on the vehicle chart. Empty: the chart does not offer it. ``stacks`` says that it may be taken
    again. ``choices`` are the words one may be taken for. Which type may take it is mostly unreadable
    (CB-BUILD-20); known are ``open_to_all``, ``vehicle_open`` (all five kinds of vehicle), ``free_for`` and
    ``barred``.
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
    """What upgrades cost and may reach.

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
        """Whether the result falls into this row."""
        return (self.low is None or result >= self.low) and (self.high is None or result <= self.high)

    def value(self, name: str) -> int:
        """A figure of this row by name. Raises LookupError when it has none of that name."""
        for key, amount in self.values:
            if key == name:
                return amount
        raise LookupError(f"{self.name} has no figure called {name}")


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
        """The row that a result falls into. Raises LookupError when no row covers it."""
        for row in self.rows:
            if row.covers(result):
                return row
        raise LookupError(f"{self.name} has no row for {result}")

    def named(self, key: str) -> ChartRow:
        """The row with that key. Raises LookupError when there is none."""
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
        """A figure by name, 0 when it has none of that name."""
        return dict(self.values).get(name, 0)


def as_size(text: str) -> Size:
    """S, M or L from any case. Raises ValueError otherwise. Rules: CB-GEN-03."""
    upper = text.strip().upper()
    if upper not in SIZES:
        raise ValueError(f"{text!r} is no base size: S, M or L")
    return upper
