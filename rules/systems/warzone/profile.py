"""Profiles: a model's or a vehicle's characteristics and weapons, and the bounds of every figure.

Their notation is in `notation`; the effects of the figures in play are not known here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from rules.refusals import InvalidInput
from rules.systems.warzone.tables import DAMAGE_TYPES, MOVEMENTS, Movement

Stat = Literal["CC", "RC", "PW", "LD", "AC", "WD", "ST", "MV", "SZ", "AR"]
Band = Literal["PB", "SR", "MR", "LR", "ER"]

STATS: tuple[Stat, ...] = get_args(Stat)
BANDS: tuple[Band, ...] = get_args(Band)

BOUNDS: dict[str, tuple[int, int]] = {
    "CC": (0, 40),
    "RC": (0, 40),
    "PW": (0, 40),
    "LD": (0, 40),
    "AC": (1, 10),
    "WD": (1, 30),
    "ST": (0, 40),
    "MV": (0, 48),
    "SZ": (0, 20),
    "AR": (0, 60),
}
"""Least and most of every characteristic. WD is wounds, MV inches per move action, AC actions."""

WEAPON_BOUNDS: dict[str, tuple[int, int]] = {
    "DM": (0, 60),
    "ROF": (1, 20),
    "AV": (0, 20),
    "x": (1, 10),
    "modifier": (-20, 20),
}
LEVEL_BOUNDS: dict[str, tuple[int, int]] = {"ai": (0, 10), "cybernetics": (0, 10), "dire": (0, 10)}

WEAPON_FLAGS: tuple[str, ...] = ("close", "natural", "template", "no_roll", "no_deviation")
"""close: for close combat; natural: its DM counts ST already; no_roll: a template without an attack roll."""

TRAITS: tuple[str, ...] = (
    "leader",
    "officer",
    "individual",
    "force_commander",
    "commander",
    "sniper",
    "para_deploy",
    "ambush",
    "machine",
    "vehicle",
)
"""machine: it is an A.I. and uses the amok table; commander: it may activate units out of turn."""

MAX_WEAPONS = 12
MAX_NAME = 60


def require_between(name: str, value: object, bounds: tuple[int, int]) -> int:
    """Return the value if it is a whole number within the bounds. Raises InvalidInput otherwise."""
    low, high = bounds
    if type(value) is not int or not low <= value <= high:
        raise InvalidInput(f"{name} must be between {low} and {high} (you entered {value}).")
    return value


def _require_name(noun: str, name: str) -> str:
    if not 1 <= len(name) <= MAX_NAME or re.search(r"[;:\n\r]", name) or name != name.strip():
        raise InvalidInput(
            f"Each {noun} needs a name of 1 to {MAX_NAME} characters, without semicolons or colons."
        )
    return name


def _require_known(noun: str, words: Sequence[str], known_words: Sequence[str]) -> tuple[str, ...]:
    for word in words:
        if word not in known_words:
            raise InvalidInput(
                f"There is no {noun} called {word}. Use one of these: {', '.join(known_words)}."
            )
    return tuple(word for word in known_words if word in words)


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon. Rules: WZ-STAT-01, WZ-RANGE-02, WZ-RC-02, WZ-DMG-06.

    dm: damage modifier. rof: shots per action, or for one band that of `band_rof`. bands: the RC modifier of
    PB, SR, MR, LR, ER, None where it has none. hits: separate hits of one success (xN). av: anti-vehicle
    rating, 0 for none. types: damage types. across: inches across its template, 0 if unsaid. Raises
    InvalidInput beyond the bounds.
    """

    name: str
    dm: int
    rof: int = 1
    bands: tuple[int | None, ...] = (None,) * 5
    band_rof: tuple[int | None, ...] = (None,) * 5
    hits: int = 1
    av: int = 0
    types: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    across: int = 0

    def __post_init__(self) -> None:
        _require_name("weapon", self.name)
        require_between(f"The template width of {self.name}", self.across, (0, 12))
        require_between(f"The DM of {self.name}", self.dm, WEAPON_BOUNDS["DM"])
        require_between(f"The number of hits (xN) of {self.name}", self.hits, WEAPON_BOUNDS["x"])
        require_between(f"The AV of {self.name}", self.av, WEAPON_BOUNDS["AV"])
        if len(self.bands) != len(BANDS) or len(self.band_rof) != len(BANDS):
            raise InvalidInput(f"{self.name} needs one entry for each of {', '.join(BANDS)}.")
        for rof in (self.rof, *(rof for rof in self.band_rof if rof is not None)):
            require_between(f"The ROF of {self.name}", rof, WEAPON_BOUNDS["ROF"])
        for band, modifier in zip(BANDS, self.bands, strict=True):
            if modifier is not None:
                require_between(f"{band} of {self.name}", modifier, WEAPON_BOUNDS["modifier"])
        object.__setattr__(self, "types", _require_known("damage type", self.types, DAMAGE_TYPES))
        object.__setattr__(self, "flags", _require_known("weapon property", self.flags, WEAPON_FLAGS))

    def has(self, flag: str) -> bool:
        """Return whether the weapon carries this flag of WEAPON_FLAGS."""
        return flag in self.flags


@dataclass(frozen=True, slots=True)
class Profile:
    """A model's figures. Rules: WZ-STAT-01, WZ-AMOK-01.

    mv: inches per move action. sz: its size, also in inches. movement: its row of the terrain table.
    ai: its A.I. level; each of `cybernetics` raises it by one. dire: the level of its Dire effect.
    Raises InvalidInput beyond the bounds.
    """

    name: str
    cc: int
    rc: int
    pw: int
    ld: int
    ac: int
    wd: int
    st: int
    mv: int
    sz: int
    ar: int
    movement: Movement = "foot"
    ai: int = 0
    cybernetics: int = 0
    dire: int = 0
    traits: tuple[str, ...] = ()
    weapons: tuple[Weapon, ...] = ()

    def __post_init__(self) -> None:
        _require_name("model", self.name)
        for stat in STATS:
            require_between(stat, getattr(self, stat.lower()), BOUNDS[stat])
        for level, bounds in LEVEL_BOUNDS.items():
            require_between(level, getattr(self, level), bounds)
        _require_known("movement type", (self.movement,), MOVEMENTS)
        object.__setattr__(self, "traits", _require_known("trait", self.traits, TRAITS))
        if len(self.weapons) > MAX_WEAPONS:
            raise InvalidInput(f"Remove a weapon. A model can have at most {MAX_WEAPONS} weapons.")
        if len({weapon.name.lower() for weapon in self.weapons}) < len(self.weapons):
            raise InvalidInput("Rename a weapon. Two weapons of a model can't have the same name.")

    def has(self, trait: str) -> bool:
        """Return whether the model has this trait of TRAITS."""
        return trait in self.traits

    @property
    def ai_level(self) -> int:
        """Return the A.I. level with cybernetic enhancements. Rules: WZ-AMOK-01."""
        return self.ai + self.cybernetics

    def weapon(self, name: str) -> Weapon:
        """Return the weapon of this name, whatever its case. Raises InvalidInput."""
        for weapon in self.weapons:
            if weapon.name.lower() == name.strip().lower():
                return weapon
        names = ", ".join(weapon.name for weapon in self.weapons) or "no weapons"
        raise InvalidInput(f"{self.name} has no weapon called {name}. It has {names}.")
