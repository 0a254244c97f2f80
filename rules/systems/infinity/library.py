"""The package's data files, read once and checked: close combat charts and crews to start with."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from rules.refusals import InvalidInput
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.profile_text import read_profile


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One row of a CC chart: MODs to own CC, the enemy's Attribute, Damage and Burst, and its notes.

    Rules: INF-CCS-05 to INF-CCS-10, INF-ASL-04.
    """

    skill: str
    level: int = 0
    attack: int = 0
    opponent: int = 0
    damage: int = 0
    burst: int = 0
    damage_type: str = ""
    special: str = ""


def read_charts(text: str) -> tuple[ChartRow, ...]:
    """CC charts from TOML. Raises InvalidInput with the row that is wrong."""
    try:
        rows = [_chart_row(plain) for plain in tomllib.loads(text).get("row", [])]
    except tomllib.TOMLDecodeError as fault:
        raise InvalidInput(f"CC charts: {fault}.") from None
    keys = [(row.skill, row.level) for row in rows]
    if len(set(keys)) < len(keys):
        raise InvalidInput("A skill and Level stands twice in the CC charts.")
    return tuple(rows)


def _chart_row(plain: dict[str, Any]) -> ChartRow:
    known = {"skill": str, "damage_type": str, "special": str}
    for key, value in plain.items():
        if key not in ChartRow.__slots__ or type(value) is not known.get(key, int):
            raise InvalidInput(f"CC charts: {key} = {value!r} is not understood.")
        if isinstance(value, int) and not -12 <= value <= 12:
            raise InvalidInput(f"CC charts: {key} is -12 to 12, not {value}.")
    if plain.get("skill") not in {Skill.MARTIAL_ARTS, Skill.BERSERK, Skill.ASSAULT}:
        raise InvalidInput(f"CC charts: {plain.get('skill')!r} is no CC skill.")
    return ChartRow(**plain)


def _text(name: str) -> str:
    return resources.files("rules.systems.infinity").joinpath("data", name).read_text(encoding="utf-8")


@cache
def charts() -> tuple[ChartRow, ...]:
    """The CC charts of this package."""
    return read_charts(_text("close_combat.toml"))


def chart(skill: Skill, level: int = 0, rows: tuple[ChartRow, ...] | None = None) -> ChartRow:
    """The row of a CC skill at a Level (0 without Levels). Raises InvalidInput where there is none.

    Rules: INF-CCS-10, INF-CCS-11, INF-ASL-04.
    """
    for row in charts() if rows is None else rows:
        if row.skill == skill and row.level == level:
            return row
    raise InvalidInput(f"There is no {skill.replace('_', ' ')} at Level {level}.")


@dataclass(frozen=True, slots=True)
class Sample:
    """A crew of invented troopers for whoever wants to try; the first is its Lieutenant."""

    name: str
    troopers: tuple[Profile, ...]


@cache
def samples() -> tuple[Sample, ...]:
    """The crews of this package."""
    crews = tomllib.loads(_text("troopers.toml"))["crew"]
    return tuple(Sample(crew["name"], tuple(map(read_profile, crew["troopers"]))) for crew in crews)
