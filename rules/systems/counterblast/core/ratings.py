"""Ratings, Features as a model has them, and the closed lists of words that all figures use.

Owns what every shape of `profile` and `tables` is made of; knows neither models nor charts.
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


def as_size(text: str) -> Size:
    """S, M or L from any case. Raises ValueError otherwise. Rules: CB-GEN-03."""
    upper = text.strip().upper()
    if upper not in SIZES:
        raise ValueError(f"{text!r} is no base size: S, M or L")
    return upper
