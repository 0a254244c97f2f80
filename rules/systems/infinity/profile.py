"""A trooper's profile: Attributes, weapons and skills, with bounds on every figure.

Owns what a profile is and which skills a trooper has at which Level; reading and writing profiles as text
or JSON is in `profile_text`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from rules.refusals import InvalidInput, Missing
from rules.systems.infinity.settings import DEFAULT, Settings


class TroopType(StrEnum):
    """Kinds of troops, by the abbreviation on the profile."""

    LI = "LI"
    MI = "MI"
    HI = "HI"
    SK = "SK"
    WB = "WB"
    TAG = "TAG"
    REM = "REM"


class Skill(StrEnum):
    """Skills and equipment that the rules of this package know, by the key of their trait."""

    ASSAULT = "assault"
    AUTOMEDIKIT = "automedikit"
    BERSERK = "berserk"
    CAMOUFLAGE = "ch_camouflage"
    DOCTOR = "doctor"
    ENGINEER = "engineer"
    IMPERSONATION = "impersonation"
    MEDIKIT = "medikit"
    LIMITED_CAMOUFLAGE = "ch_limited_camouflage"
    MARTIAL_ARTS = "martial_arts"
    MIMETISM = "ch_mimetism"
    MOTORCYCLE = "motorcycle"
    ODD = "odd"
    PARAMEDIC = "paramedic"
    REGENERATION = "regeneration"
    RELIGIOUS = "religious_troop"
    SENSOR = "sensor"
    SHASVASTII = "shasvastii"
    SIXTH_SENSE = "sixth_sense"
    SNIFFER = "sniffer"
    STRATEGOS = "strategos"
    SUPER_JUMP = "super_jump"
    SURPRISE_SHOT = "surprise_shot"
    TERRAIN = "terrain"
    TO_CAMOUFLAGE = "ch_to_camouflage"
    TOTAL_REACTION = "total_reaction"
    TRANSMUTATION = "transmutation"
    VALOR = "valor"
    VETERAN = "veteran"


LABELS = {"wounds": "W", "silhouette": "S"}
"""How Attributes are written whose name is not their key in capitals."""

NAMES = {
    "automedikit": "AutoMediKit",
    "ch_camouflage": "CH: Camouflage",
    "ch_limited_camouflage": "CH: Limited Camouflage",
    "ch_mimetism": "CH: Mimetism",
    "ch_to_camouflage": "CH: TO Camouflage",
    "odd": "ODD",
    "super_jump": "Super-Jump",
}
"""How skills are written whose name is not their key with capital letters."""

ATTRIBUTES = {
    "cc": (0, 30),
    "bs": (0, 30),
    "ph": (0, 30),
    "wip": (0, 30),
    "arm": (0, 15),
    "bts": (0, 15),
    "wounds": (1, 10),
    "silhouette": (0, 10),
    "cost": (0, 500),
}
"""Least and greatest figure of every Attribute but MOV."""

MAX_MOV = 20
MAX_WEAPONS = 12
MAX_SKILLS = 30
MAX_NAME = 60


def _bounded(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise InvalidInput(f"{name} must be between {low} and {high} (you entered {value}).")


_WORDS = re.compile(r"[^\W_](?:[\w '&/.+-]*[\w'.+])?")


def checked_name(name: str, noun: str) -> str:
    """Return the name itself, when it is 1 to 60 letters, digits and simple marks. Raises InvalidInput."""
    if len(name) > MAX_NAME or not _WORDS.fullmatch(name):
        raise Missing(
            f"Choose another name for the {noun}. It can have up to {MAX_NAME} characters: letters,"
            " digits, spaces and the signs - + ' . / &"
        )
    return name


@dataclass(frozen=True, slots=True)
class Trait:
    """A skill or piece of equipment as one trooper has it: Level 0 without one, `choice` for a type."""

    key: str
    level: int = 0
    choice: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", self.key) or len(self.key) > MAX_NAME:
            raise InvalidInput("Write a skill like this: `Sixth Sense L1`.")
        _bounded("The Level of a skill", self.level, 0, 9)
        if self.choice:
            checked_name(self.choice, "skill's option in brackets")

    def __str__(self) -> str:
        name = NAMES.get(self.key) or self.key.replace("_", " ").title()
        level = f" L{self.level}" if self.level else ""
        return name + level + (f" ({self.choice})" if self.choice else "")


@dataclass(frozen=True, slots=True)
class Band:
    """A range band: up to and including `limit` inches this MOD applies. Rules: INF-BS-02."""

    limit: int
    mod: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon: Burst 1 to 10, Damage, range bands, ammunition.

    damage: 1 to 40; with `physical` it is -12 to +12 and added to the user's PH. ammunition: its word.
    rolls: saves per hit, 1 to 5. bts: saves use BTS. template: it places a template. close: a CC weapon.
    hacking: a program, used with WIP and without line of fire.
    bands: by rising limit; without bands the range is not looked up.
    Raises InvalidInput for anything else.
    Rules: INF-BS-02, INF-CCS-07, INF-ROLL-06, INF-ARM-04, INF-F2F-07.
    """

    name: str
    burst: int
    damage: int
    physical: bool = False
    ammunition: str = "N"
    rolls: int = 1
    bts: bool = False
    template: bool = False
    close: bool = False
    hacking: bool = False
    bands: tuple[Band, ...] = ()

    def __post_init__(self) -> None:
        checked_name(self.name, "weapon")
        _bounded("Burst", self.burst, 1, 10)
        _bounded("Damage", self.damage, *((-12, 12) if self.physical else (1, 40)))
        _bounded("The number of saves per hit", self.rolls, 1, 5)
        if not re.fullmatch(r"[A-Z0-9+/-]{1,12}", self.ammunition):
            raise InvalidInput('Write the ammunition as a short word, such as "N", "DA" or "EXP".')
        if self.hacking and (self.close or self.template or self.physical):
            raise InvalidInput("Write a hacking program's Damage as a number, and leave out CC and TEMPLATE.")
        limits = [band.limit for band in self.bands]
        if limits != sorted(set(limits)) or len(limits) > 8:
            raise InvalidInput('List range bands from near to far, such as "8:+3 16:+3 32:-3".')
        for band in self.bands:
            _bounded("The end of a range band", band.limit, 1, 120)
            _bounded("A range MOD", band.mod, -12, 12)

    def damage_of(self, ph: int, modifier: int = 0) -> int:
        """Damage of a hit by a user of that PH; a Damage MOD counts only where Damage comes from PH.

        Rules: INF-CCS-07.
        """
        return ph + self.damage + modifier if self.physical else self.damage


@dataclass(frozen=True, slots=True)
class Profile:
    """A trooper's figures; bounds are those of `ATTRIBUTES`, MOV values are 0 to 20 inches.

    cc, bs, ph, wip: 0 where the profile does not give them. structure: its Wounds are STR.
    irregular: its Order is Irregular by profile. alternate: what Transmutation turns it into.
    Raises InvalidInput out of bounds.
    """

    name: str
    mov: tuple[int, int] = (4, 4)
    cc: int = 0
    bs: int = 0
    ph: int = 0
    wip: int = 0
    arm: int = 0
    bts: int = 0
    wounds: int = 1
    silhouette: int = 0
    cost: int = 0
    type: TroopType = TroopType.LI
    structure: bool = False
    irregular: bool = False
    weapons: tuple[Weapon, ...] = ()
    skills: tuple[Trait, ...] = ()
    alternate: Profile | None = None

    def __post_init__(self) -> None:
        checked_name(self.name, "trooper")
        for value in self.mov:
            _bounded("A MOV value", value, 0, MAX_MOV)
        for attribute, (low, high) in ATTRIBUTES.items():
            _bounded(LABELS.get(attribute, attribute.upper()), getattr(self, attribute), low, high)
        if len(self.weapons) > MAX_WEAPONS or len(self.skills) > MAX_SKILLS:
            raise InvalidInput(f"List at most {MAX_WEAPONS} weapons and {MAX_SKILLS} skills in a profile.")
        if len({weapon.name.casefold() for weapon in self.weapons}) < len(self.weapons):
            raise InvalidInput("Rename a weapon. Two weapons of this trooper have the same name.")
        if self.alternate is not None and self.alternate.alternate is not None:
            raise InvalidInput(
                "Remove the inner alternate profile. An alternate profile can't have one of its own."
            )

    def attribute(self, name: str) -> int:
        """Return the figure of cc, bs, ph or wip. Raises InvalidInput where the profile does not give it."""
        value = int(getattr(self, name))
        if not value:
            raise InvalidInput(f"Add {name.upper()} to the profile of {self.name}. It is missing.")
        return value

    def weapon(self, name: str) -> Weapon:
        """Return the weapon of that name, in any case. Raises InvalidInput where there is none."""
        for weapon in self.weapons:
            if weapon.name.casefold() == name.strip().casefold():
                return weapon
        weapon_names = ", ".join(weapon.name for weapon in self.weapons)
        raise Missing(
            f"Choose a weapon that {self.name} has: {weapon_names}."
            if weapon_names
            else f"Add a weapon to the profile of {self.name}. It has none."
        )

    def has(self, skill: str) -> bool:
        """Return whether the profile lists the skill, at any Level."""
        return any(trait.key == skill for trait in self.skills)

    def levels(self, skill: str, settings: Settings = DEFAULT) -> frozenset[int]:
        """Return levels of a skill whose effects the trooper has: none without it, 1 where it has no Levels.

        Veteran L2 grants Sixth Sense L2 and Valor L3. Rules: INF-LVL-01, INF-VET-04.
        """
        skill_levels = {max(trait.level, 1) for trait in self.skills if trait.key == skill}
        granted = _GRANTED_BY_VETERAN.get(skill, 0)
        if granted and 2 in self.levels(Skill.VETERAN, settings):
            skill_levels.add(granted)
        if skill_levels and settings.cumulative_levels and skill in _CUMULATIVE:
            return frozenset(range(1, max(skill_levels) + 1))
        return frozenset(skill_levels)

    def choices(self, skill: str) -> frozenset[str]:
        """Return the types given with a skill such as Terrain, in lower case."""
        return frozenset(trait.choice.casefold() for trait in self.skills if trait.key == skill)


_CUMULATIVE = frozenset({Skill.STRATEGOS, Skill.SIXTH_SENSE, Skill.VALOR, Skill.VETERAN})

_GRANTED_BY_VETERAN: dict[str, int] = {Skill.SIXTH_SENSE: 2, Skill.VALOR: 3}
