"""The one reader of Warzone's figures: data/*.toml in, frozen and checked tables out.

Owns the form of the files; knows no rule and reads nothing but the package's own data. A fault in the data
raises ValueError when it is first read.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, cast, get_args

Movement = Literal["foot", "bike", "wheeled", "tracked", "walker", "skimmer", "flyer"]
Terrain = Literal["normal", "limiting", "rough", "impassable", "water"]
Share = Literal["full", "half", "less", "more", "action", "stride", "none"]
DamageType = Literal["concussive", "radiant", "rending"]
ChartKey = Literal["amok", "unhinged", "backlash", "rampage", "wreck", "passenger", "system_failure"]

MOVEMENTS: tuple[Movement, ...] = get_args(Movement)
TERRAINS: tuple[Terrain, ...] = get_args(Terrain)
DAMAGE_TYPES: tuple[DamageType, ...] = get_args(DamageType)
CHARTS: tuple[ChartKey, ...] = get_args(ChartKey)
SIDES = 20


@dataclass(frozen=True, slots=True)
class MovementRow:
    """The limits of a movement type: degrees of turning per action, share of MV per kind of terrain."""

    turning: int
    shares: tuple[tuple[Terrain, Share], ...]

    def share(self, terrain: Terrain) -> Share:
        """Return the share of MV that one move action allows in this terrain."""
        return dict(self.shares)[terrain]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A piece of terrain as a target: armour, wounds, the damage types that hurt it more."""

    key: str
    name: str
    ar: int
    wd: int
    types: tuple[str, ...]
    impenetrable: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a chart: the faces `low` to `high`, its key, its name and what it does in short."""

    low: int
    high: int
    key: str
    name: str
    says: str


def _load_toml(name: str) -> dict[str, Any]:
    path = resources.files(__package__).joinpath("data", name)
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _require(is_met: bool, demand: str) -> None:
    if not is_met:
        raise ValueError(f"The Warzone data is wrong. {demand}.")


@cache
def movements() -> dict[Movement, MovementRow]:
    """Return the terrain table, a row for each movement type. Rules: WZ-TERR-01."""
    data = _load_toml("movement.toml")
    _require(set(data) == set(MOVEMENTS), f"The rows of movement.toml must be {', '.join(MOVEMENTS)}")
    result: dict[Movement, MovementRow] = {}
    for key in MOVEMENTS:
        row = data[key]
        place = f"In movement.toml, row {key},"
        fields_fit = set(row) == {"turning", *TERRAINS}
        _require(fields_fit, f"{place} the fields must be turning, {', '.join(TERRAINS)}")
        turning_fits = isinstance(row["turning"], int) and 0 < row["turning"] <= 360
        _require(turning_fits, f"{place} `turning` must be between 1 and 360 degrees")
        shares = get_args(Share)
        shares_fit = all(row[terrain] in shares for terrain in TERRAINS)
        _require(
            shares_fit, f"{place} every kind of terrain must have one of these values: {', '.join(shares)}"
        )
        result[key] = MovementRow(row["turning"], tuple((terrain, row[terrain]) for terrain in TERRAINS))
    return result


@cache
def obstacles() -> dict[str, Obstacle]:
    """Return terrain and obstacles as targets, by key. Rules: WZ-TERRAIN-01."""
    result = {}
    for key, row in _load_toml("obstacles.toml").items():
        place, required_fields = f"In obstacles.toml, row {key},", {"name", "ar", "wd", "types"}
        fields_fit = required_fields <= set(row) <= {*required_fields, "impenetrable"}
        _require(fields_fit, f"{place} the fields must be name, ar, wd, types and, optionally, impenetrable")
        _require(1 <= row["ar"] <= 60, f"{place} `ar` must be between 1 and 60")
        _require(1 <= row["wd"] <= 30, f"{place} `wd` must be between 1 and 30")
        types_fit = set(row["types"]) <= set(DAMAGE_TYPES)
        _require(types_fit, f"{place} `types` can list only {', '.join(DAMAGE_TYPES)}")
        impenetrable = row.get("impenetrable", False)
        _require(isinstance(impenetrable, bool), f"{place} `impenetrable` must be true or false")
        result[key] = Obstacle(key, row["name"], row["ar"], row["wd"], tuple(row["types"]), impenetrable)
    return result


@cache
def charts() -> dict[ChartKey, tuple[Row, ...]]:
    """Return all charts; the rows of each cover 1 to 20 without gap or overlap."""
    data = _load_toml("charts.toml")
    _require(set(data) == set(CHARTS), f"The charts in charts.toml must be {', '.join(CHARTS)}")
    result: dict[ChartKey, tuple[Row, ...]] = {}
    for key in CHARTS:
        rows = tuple(Row(**cast(dict[str, Any], row)) for row in data[key])
        place, next_face = f"In charts.toml, chart {key},", 1
        for row in rows:
            fits = row.low == next_face and row.high >= next_face
            _require(fits, f"{place} the row {row.name} must begin at {next_face} and can't end before that")
            next_face = row.high + 1
        _require(
            next_face == SIDES + 1, f"{place} the last row must end at {SIDES}, but ends at {next_face - 1}"
        )
        _require(len({row.key for row in rows}) == len(rows), f"{place} each row must have its own key")
        result[key] = rows
    return result


def look_up(chart: ChartKey, number: int) -> Row:
    """Return the row of a chart for a face of the d20 or a margin: above 20 counts as 20, below 1 as 1."""
    number = max(1, min(SIDES, number))
    return next(row for row in charts()[chart] if row.low <= number <= row.high)
