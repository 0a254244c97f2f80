"""A model in play as the rules see it: its statblock, what it has suffered, what it is under.

Owns the frozen view `Fighter` and the words for conditions and counters. It knows no dice and decides no
rule; the table builds it from its rows and applies the effects that the rules return.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.counters import AnyCounter, PerWord
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.counterblast.core.counters import ENGAGED_WITH, RELIC, RELIC_WEAPON, Counter
from rules.systems.counterblast.core.profile import Gear, Profile, Skill, Weapon


class Condition(StrEnum):
    """The conditions of a model. Rules: CB-COND-01."""

    ACTIVE = "active"
    BLINDED = "blinded"
    BURNING = "burning"
    CALMED = "calmed"
    CORRODED = "corroded"
    DRAINED = "drained"
    ENGAGED = "engaged"
    HIDDEN = "hidden"
    INCAPACITATED = "incapacitated"
    OVERWATCH = "overwatch"
    PANICKED = "panicked"
    PINNED = "pinned"
    PRONE = "prone"
    SCANNED = "scanned"
    SHAKEN = "shaken"
    WARDED = "warded"


class Until(StrEnum):
    """The events that end a condition."""

    ACTIVATION_END = "the end of its activation"
    NEXT_ACTIVATION = "its next activation"
    NEXT_ACTIVATION_END = "the end of its next activation"
    SECOND_ACTIVATION_END = "the end of its following activation"
    NEXT_CHECK = "its next INT check"
    UPKEEP = "Upkeep"
    NEXT_UPKEEP = "the Upkeep after a missed activation"
    FREED = "the condition is removed"
    RALLIED = "it rallies"
    STOOD = "it stands up"
    SPOTTED = "it is spotted"


BORROWED_FEATURE = PerWord("borrowed feature: ")
BORROWED_POWER = PerWord("borrowed power: ")
"""Conditions that lend the Feature or power of that key, of a Feature with a choice the choice after a colon;
the value is the Feature's level. Rules: CB-PSI-19."""

DRAINED_ITEM = "drained item: "
"""Conditions that begin so switch off the item whose key follows. Rules: CB-GEAR-35."""

IDENTIFIABLE: tuple[Skill, ...] = ("engineering", "medicine", "technology")
"""Skills whose checks the power Identify helps. Rules: CB-PSI-15."""

SPECIALTY_FEATURES: dict[str, tuple[tuple[str, bool], ...]] = {
    "intrepid_explorers": (("brave", False), ("commanding_presence", True)),
    "pirates": (("ferocious", True), ("scary", True)),
    "scouting_party": (("infiltrator", False),),
}
"""Features that a Specialty gives, and whether to Heroes only. CB-SPEC-09, CB-SPEC-15, CB-SPEC-22."""


@dataclass(frozen=True, slots=True)
class CrewTraits:
    """The traits that a model gets from its crew: Specialties by key, its affiliation, and choices made.

    `marauder` is the ability that Marauders chose, "strength" or "agility"; `easy_ground` what scouting takes
    off every Rugged rating.
    """

    specialties: frozenset[str] = frozenset()
    alignment: str = ""
    marauder: str = ""
    easy_ground: int = 0

    def has(self, specialty: str) -> bool:
        """Return whether the crew took the Specialty."""
        return specialty in self.specialties


@dataclass(frozen=True, slots=True)
class Standing:
    """A lasting modifier on one skill of one model: an injury, a relic, an agreement."""

    skill: Skill
    modifier: Modifier


@dataclass(frozen=True, slots=True)
class Fighter:
    """A model in play.

    `damage` is wounds taken, beyond Life too. `conditions` are (kind, value) pairs, `counters` (key, amount)
    pairs. `weapons` and `gear` are what it carries now; `leader` says that it leads its crew. Weapons come in
    the order in which it prefers to use them.
    """

    id: int
    name: str
    side: int
    profile: Profile
    weapons: tuple[Weapon, ...] = ()
    gear: tuple[Gear, ...] = ()
    damage: int = 0
    conditions: frozenset[tuple[str, int]] = frozenset()
    counters: frozenset[tuple[AnyCounter, int]] = frozenset()
    leader: bool = False
    crew: CrewTraits = field(default_factory=CrewTraits)
    standing: tuple[Standing, ...] = ()
    extra_features: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        """By what tells models apart most often: they are looked up far more often than they are made."""
        return hash((self.id, self.name, self.damage, self.conditions, self.counters))

    # ------------------------------------------------------------- life

    @property
    def life_left(self) -> int:
        """Return the wounds it can still take, 0 when it is down. Rules: CB-STAT-09."""
        return max(0, self.profile.life - self.damage)

    @property
    def is_down(self) -> bool:
        """Return whether its damage meets or exceeds its Life. Rules: CB-CAS-01."""
        return self.damage >= self.profile.life

    @property
    def is_incapacitated(self) -> bool:
        """Return whether it is down, or put out by an effect. Rules: CB-COND-04, CB-COND-05."""
        return self.is_down or self.has(Condition.INCAPACITATED)

    # ------------------------------------------------------------- conditions and counters

    def has(self, condition: str) -> bool:
        """Return whether it is under the condition, at any value."""
        return bool(self.conditions) and condition in [kind for kind, _ in self.conditions]

    def grade(self, condition: str) -> int:
        """Return the condition's value, 0 without it."""
        return max((value for kind, value in self.conditions if kind == condition), default=0)

    def count(self, key: AnyCounter) -> int:
        """Return a counter's amount, 0 before its first use."""
        for name, amount in self.counters:
            if name == key:
                return amount
        return 0

    @property
    def engaged_with(self) -> frozenset[int]:
        """Return the ids of the models that it is engaged with. Rules: CB-COND-03."""
        return frozenset(number for number, amount in ENGAGED_WITH.among(self.counters).items() if amount > 0)

    def is_engaged_with(self, other: Fighter) -> bool:
        """Return whether the two hold each other; a model that is out holds no one. Rules: CB-COND-03."""
        if self.is_incapacitated or other.is_incapacitated or self.side == other.side:
            return False
        return other.id in self.engaged_with or self.id in other.engaged_with

    @property
    def is_engaged(self) -> bool:
        """Return whether it is engaged with anyone. Rules: CB-COND-03."""
        return not self.is_incapacitated and (self.has(Condition.ENGAGED) or bool(self.engaged_with))

    # ------------------------------------------------------------- what it is and has

    def has_feature(self, key: str) -> bool:
        """Return whether it has the Feature, by its block, its gear, its crew's Specialty or for a while."""
        if key == "ferocious" and self.has(Condition.CALMED):
            return False
        if self.profile.has_feature(key) or key in self.extra_features or self._borrowed(key):
            return True
        for item in self.gear:
            if key in item.grants and self.works(item.key):
                return True
        for specialty in self.crew.specialties:
            for feature, heroes_only in SPECIALTY_FEATURES.get(specialty, ()):
                if key == feature and (self.profile.is_hero or not heroes_only):
                    return True
        return False

    def choices(self, key: str) -> tuple[str, ...]:
        """Return what was chosen for a Feature such as Knack or Savant, by its block or one that it borrows.

        Rules: CB-FEAT-34, CB-FEAT-46, CB-PSI-19.
        """
        return (*self.profile.feature_choices(key), *sorted(filter(None, self._borrowed(key))))

    def _borrowed(self, key: str) -> list[str]:
        """What was chosen for each Feature of that key that is lent to it, empty for nothing."""
        if not self.conditions:
            return []
        lent = (BORROWED_FEATURE.rest(kind) for kind, _ in self.conditions if BORROWED_FEATURE.counts(kind))
        return [choice for feature, _, choice in (entry.partition(":") for entry in lent) if feature == key]

    def has_gear(self, key: str) -> bool:
        """Return whether it carries the gear, or a vehicle's version, and it works. Rules: CB-VEH-49."""
        return any(item.key in (key, f"vehicle_{key}") and self.works(item.key) for item in self.gear)

    @property
    def flies(self) -> bool:
        """Return whether it flies, by Feature, pack or as a vehicle. Rules: CB-CHARGE-02, CB-VEH-38."""
        return "flyer" in self.profile.types or self.has_feature("fly") or self.has_gear("rocket_pack")

    @property
    def mv(self) -> int:
        """Return the inches of one Move: its Mv, or what its rocket pack flies where that is farther.

        Rules: CB-STAT-05, CB-GEAR-47.
        """
        packs = (item.value("fly_inches") for item in self.gear if self.works(item.key))
        return max(self.profile.mv, *packs, 0)

    @property
    def footing(self) -> tuple[Modifier, ...]:
        """Return what makes Rugged ground easier, in inches per piece. Rules: CB-FEAT-53, CB-MISS-33."""
        lent = max(self.grade(BORROWED_FEATURE.of("sure_footed")), int(self.has_feature("sure_footed")))
        level = max(self.profile.feature_level("sure_footed"), lent)
        surefooted = (Modifier(level, "Sure Footed", "CB-FEAT-53"),) if level else ()
        scouted = self.crew.easy_ground
        return (*surefooted, *((Modifier(scouted, "scouted ground", "CB-MISS-33"),) if scouted else ()))

    @property
    def defense(self) -> int:
        """Return the number that attack dice must reach. Rules: CB-STAT-08."""
        return self.profile.defense - self.grade(Condition.SCANNED)

    def works(self, key: str) -> bool:
        """Return whether an item with that key works: it is not drained, and not energized under an EMP.

        Rules: CB-GEAR-09, CB-GEAR-35, CB-FEAT-25.
        """
        if self.has(DRAINED_ITEM + key):
            return False
        emp = self.has(Condition.DRAINED)
        return not (emp and any(item.energized for item in self.gear if item.key == key))

    @property
    def shield(self) -> int:
        """Return the shield dice of its own, see `shield_parts`. Rules: CB-SHIELD-03."""
        return sum(part.amount for part in self.shield_parts())

    def shield_parts(self) -> tuple[Modifier, ...]:
        """Return the sources of its own shield dice (at least 0): armour and force fields, psionic ones
        included.

        Acid eats those of its gear, an item that is drained gives none, an Alien Artifact one more.
        Rules: CB-SHIELD-03, CB-HAZ-02, CB-GEAR-09, CB-GEAR-11, CB-GEAR-35, CB-PSI-12, CB-PSI-23, CB-RELIC-03.
        """
        worn = [
            Modifier(item.shield, item.name, item.rules[-1] if item.rules else "")
            for item in self.gear
            if item.shield and self.works(item.key)
        ]
        printed_shield = self.profile.shield - sum(item.shield for item in self.gear)
        dice = max(0, printed_shield + sum(part.amount for part in worn))
        parts = (
            *worn,
            Modifier(printed_shield, "shield", "CB-SHIELD-03"),
            Modifier(-min(dice, self.count(Counter.EATEN)), "eaten by acid", "CB-HAZ-02"),
            Modifier(self.grade(Condition.WARDED), "Force Field", "CB-PSI-12"),
            Modifier(-self.grade(Condition.SCANNED), "scanned", "CB-PSI-23"),
            Modifier(self.count(RELIC.of("alien_artifact")), "Alien Artifact", "CB-RELIC-03"),
        )
        shortfall = -min(0, sum(part.amount for part in parts))
        return tuple(
            part
            for part in (*parts, Modifier(shortfall, "a shield can't go below 0", "CB-SHIELD-03"))
            if part.amount
        )

    def relic_weapon(self, weapon: Weapon) -> tuple[Modifier, ...]:
        """Return the bonuses of Relic Weapons to checks with this weapon, 1 for each. Rules: CB-RELIC-06."""
        number = self.count(RELIC_WEAPON.of(weapon.key))
        return (Modifier(number, f"Relic {weapon.name}", "CB-RELIC-06"),) if number else ()

    def standing_modifiers(self, skill: Skill | None) -> tuple[Modifier, ...]:
        """Return its lasting modifiers on one skill, those on all checks for now, and what Identify adds.

        Rules: CB-PSI-15, CB-PSI-23.
        """
        dazed = (Modifier(-1, Counter.DAZED, "CB-PSI-23"),) if self.count(Counter.DAZED) else ()
        insight_amount = self.count(Counter.INSIGHT) if skill in IDENTIFIABLE else 0
        insight = (Modifier(insight_amount, Counter.INSIGHT, "CB-PSI-15"),) if insight_amount else ()
        return (*(entry.modifier for entry in self.standing if entry.skill == skill), *dazed, *insight)

    def gear_modifiers(self, skill: Skill) -> tuple[Modifier, ...]:
        """Return the bonuses of its gear to checks of one skill."""
        return tuple(
            Modifier(amount, item.name, item.rules[-1] if item.rules else "")
            for item in self.gear
            for name, amount in item.checks
            if name == skill and self.works(item.key)
        )

    def weapon(self, key: str) -> Weapon:
        """Return the weapon of that key that it carries. Raises Forbidden when it carries none."""
        for weapon in self.weapons:
            if weapon.key == key:
                return weapon
        names = ", ".join(weapon.name for weapon in self.weapons)
        carried_text = f"It carries: {names}." if names else "It carries no weapons."
        raise Forbidden(f"{self.name} doesn't carry that weapon. {carried_text}", "CB-GEAR-04")
