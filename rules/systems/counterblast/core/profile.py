"""The things of Counterblast that have figures: ratings, models, weapons, gear, Features, powers, charts.

Owns the frozen, hashable shapes that all Counterblast rules share, and nothing else; those of `ratings` and
`tables` are offered here too. It does not know where the figures come from (``library`` reads them), how dice
fall, or what happens at a table.

Words used throughout: a *key* is the short lower-case name of a row in the data (``pulsar_rifle``); distances
are inches; *dice* are d10; *points* are requisition points; a *level* is 2 for a Hero and 1 for a Lackey.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.systems.counterblast.core.tables import (
    AFFILIATIONS,
    LIVING_TYPES,
    MODEL_TYPES,
    RANKS,
    SIZES,
    SKILLS,
    VEHICLE_KINDS,
    Builder,
    Chart,
    ChartRow,
    Delivery,
    Feature,
    Note,
    Power,
    Rank,
    Rating,
    Size,
    Skill,
    TargetKind,
    Template,
    TemplateKind,
    Trait,
    WeaponGroup,
    as_size,
)

__all__ = [
    "AFFILIATIONS",
    "LIVING_TYPES",
    "MODEL_TYPES",
    "RANKS",
    "SIZES",
    "SKILLS",
    "VEHICLE_KINDS",
    "Builder",
    "Chart",
    "ChartRow",
    "Delivery",
    "Feature",
    "Gear",
    "Note",
    "Power",
    "Profile",
    "Rank",
    "Rating",
    "Size",
    "Skill",
    "TargetKind",
    "Template",
    "TemplateKind",
    "Trait",
    "Weapon",
    "WeaponGroup",
    "as_size",
]


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

    def __hash__(self) -> int:
        """By what tells blocks apart most often: they are looked up far more often than they are made."""
        return hash((self.key, self.name, self.points))

    @property
    def is_hero(self) -> bool:
        """Return whether the model is a Hero."""
        return self.rank == "hero"

    @property
    def level(self) -> int:
        """Return 2 for a Hero, 1 for a Lackey. Rules: CB-STAT-07, CB-BUILD-23."""
        return 2 if self.is_hero else 1

    @property
    def is_cyberform(self) -> bool:
        """Return whether it is part living, part robot. Rules: CB-BUILD-06."""
        return "cyberform" in self.types

    @property
    def is_robot(self) -> bool:
        """Return whether it is a Robot; a Cyberform is neither Fearless nor immune. Rules: CB-BUILD-13."""
        return "robot" in self.types

    @property
    def is_cavalry(self) -> bool:
        """Return a rider and beast in one model. Rules: CB-VEH-04."""
        return "cavalry" in self.types

    @property
    def is_beast(self) -> bool:
        """Return an animal, fit for a pair. Rules: CB-FEAT-08."""
        return "beast" in self.types

    @property
    def is_vehicle(self) -> bool:
        """Return a vehicle, Cavalry included. Rules: CB-BUILD-15, CB-VEH-01."""
        return "vehicle" in self.types

    @property
    def is_living(self) -> bool:
        """Return whether it is living: living types, Cyberforms, Cavalry. Rules: CB-BUILD-03, CB-WEAP-27."""
        return self.is_cyberform or self.is_cavalry or any(kind in LIVING_TYPES for kind in self.types)

    @property
    def is_mechanical(self) -> bool:
        """Return whether it is a Robot, Cyberform, or vehicle other than Cavalry. Rules: CB-WEAP-28."""
        return self.is_robot or self.is_cyberform or (self.is_vehicle and not self.is_cavalry)

    def has_feature(self, key: str) -> bool:
        """Return whether the block lists the Feature, at any level."""
        return key in [trait.key for trait in self.features]

    def feature_level(self, key: str) -> int:
        """Return the level in brackets, 1 for a Feature printed without one, 0 for a Feature not there."""
        return max((max(trait.level, 1) for trait in self.features if trait.key == key), default=0)

    def feature_choices(self, key: str) -> tuple[str, ...]:
        """Return what was chosen for a Feature such as Knack or Savant, in printed order."""
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

    def __hash__(self) -> int:
        """By what tells weapons apart most often: see `Profile`."""
        return hash((self.key, self.name))

    @property
    def short_range_inches(self) -> float:
        """Return the inches up to which the range is short: half the maximum. Rules: CB-WEAP-12."""
        return self.range_inches / 2

    @property
    def distance_limits(self) -> tuple[float, float]:
        """Return the distances up to which nothing changes for a shot. Rules: CB-SHOOT-03."""
        return self.short_range_inches, float(self.range_inches)

    @property
    def is_natural(self) -> bool:
        """Return whether it is a part of the body, which takes no slot. Rules: CB-GEAR-06."""
        return self.group == "natural"

    @property
    def is_energized(self) -> bool:
        """Return whether EMP and Energy Drain switch it off. Rules: CB-GEAR-09."""
        return not self.is_natural and "immune_to_emp" not in self.effects

    def has_effect(self, key: str) -> bool:
        """Return whether the weapon has a special effect of the charts."""
        return key in self.effects

    def bonus_against(self, profile: Profile) -> int:
        """Return extra wounds once per attack that does damage to this model. Rules: CB-WEAP-16, -27, -28."""
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
        """Return a figure by name, 0 when it has none of that name."""
        return dict(self.values).get(name, 0)
