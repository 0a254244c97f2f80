"""A model on paper: attributes, weapons, items, grid; read from text or JSON and written back.

Owns the frozen profiles, their ranges and both notations. Knows nothing of a model in play.

A profile as text, one thing a line, in any order after the name:

    Meena
    Size 2, Mind 3, Health 3, Body 2, Shield 1, Speed 4, CP 2
    Traits: sees in the dark
    Weapon: Gravity Saber, Reach 2, Power 4, Accuracy 2, Health 2, melee
    Weapon: Smoke Grenade, Reach 5, Power 1, Accuracy 0, Health 1, burst 2, cloud 4
    Item: Medkit, Health 1

A weapon may also be given as the game prints it: `Weapon: Particle Accelerator Cannon 10 6 4`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rules.json_text import json_values
from rules.refusals import InvalidInput
from rules.systems.soluna.faces import HUMANOID_GRID, LOCATIONS, Grid, Square

MAX_TEXT = 4000
"""Longest profile that is read, in characters."""

MAX_NAME = 40
MAX_CARRIED = 12
MAX_VALUE = 30
MAX_REACH = 100
MAX_POWER = 30

Trait = Literal["sees in the dark", "sightless", "psionic"]
AreaKind = Literal["burst", "corridor", "fan", "star", "pulse"]
Smoke = Literal["", "poor", "abysmal"]
TRAITS: tuple[str, ...] = get_args(Trait)
AREAS: tuple[str, ...] = get_args(AreaKind)

_ATTRIBUTES = ("size", "mind", "health", "body", "shield", "speed", "cp")
_PRINTED_WEAPON = re.compile(r"(?P<name>\S.*?)[\s|]+(\d{1,3})[\s|]+(\d{1,2})[\s|]+(-?\d{1,2})[\s|]*")
_FIGURE = re.compile(r"([a-z]+)\s+(-?\d{1,3})")


def _require_between(noun: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidInput(f"{noun} must be between {low} and {high}.")


def _require_name(noun: str, name: object) -> None:
    if (
        not isinstance(name, str)
        or not 1 <= len(name) <= MAX_NAME
        or name != " ".join(name.split())
        or not name.isprintable()
        or any(character in name for character in ",:;|")
    ):
        raise InvalidInput(f"{noun} needs 1 to {MAX_NAME} characters, without , : ; | or extra spaces.")


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon: Reach 1 to 100, Power 1 to 30 dice, Accuracy -20 to 20 flips, its own Health 1 to 30.

    area, area_size: the shape of its area effect and its X, "" and 0 for none. cloud: phases that the area
    stays, 0 for none; smoke: what such a cloud does to sight ("" takes the group's setting).
    Raises InvalidInput. Rules: SU-STAT-01.
    """

    name: str
    reach: int
    power: int
    accuracy: int = 0
    health: int = 1
    melee: bool = False
    blast: bool = False
    area: AreaKind | Literal[""] = ""
    area_size: int = 0
    cloud: int = 0
    smoke: Smoke = ""

    def __post_init__(self) -> None:
        _require_name("A weapon's name", self.name)
        _require_between("Reach", self.reach, 1, MAX_REACH)
        _require_between("Power", self.power, 1, MAX_POWER)
        _require_between("Accuracy", self.accuracy, -20, 20)
        _require_between("A weapon's Health", self.health, 1, MAX_VALUE)
        if self.area not in ("", *AREAS):
            raise InvalidInput(f"Pick one of these areas: {', '.join(AREAS)}.")
        if self.area_size and not self.area:
            raise InvalidInput(
                'Add an area to the weapon, such as "burst 2", or remove the size of the area.'
            )
        _require_between(
            "The size (X) of an area", self.area_size, 1 if self.area else 0, 20 if self.area else 0
        )
        _require_between("The duration of a cloud", self.cloud, 0, 100)
        if self.cloud and not self.area:
            raise InvalidInput('Give the cloud an area, such as "burst 2".')
        if self.smoke not in get_args(Smoke) or (self.smoke and not self.cloud):
            raise InvalidInput('Write the smoke as "poor" or "abysmal", and give the weapon a cloud.')


@dataclass(frozen=True, slots=True)
class Item:
    """Equipment or an Artifact that is carried, with its own Health 1 to 30. Raises InvalidInput."""

    name: str
    health: int = 1

    def __post_init__(self) -> None:
        _require_name("An item's name", self.name)
        _require_between("An item's Health", self.health, 1, MAX_VALUE)


@dataclass(frozen=True, slots=True)
class Profile:
    """A model's attributes, 0 to 30 each, Health at least 1; Size 0 to 4, larger ones count as 4.

    cp: Combat Points in a turn, None for the group's default. grid: which of the six locations it has and how
    they are struck. Weapons, then items, make up the Arsenal: at most 12, each name once.
    Raises InvalidInput. Rules: SU-STAT-01, SU-STAT-02.
    """

    name: str
    size: int = 2
    mind: int = 1
    health: int = 1
    body: int = 0
    shield: int = 0
    speed: int = 0
    cp: int | None = None
    traits: frozenset[str] = frozenset()
    weapons: tuple[Weapon, ...] = ()
    items: tuple[Item, ...] = ()
    grid: Grid = HUMANOID_GRID

    def __post_init__(self) -> None:
        _require_name("A model's name", self.name)
        _require_between("Size", self.size, 0, 20)
        object.__setattr__(self, "size", min(self.size, 4))
        for key in ("mind", "body", "shield", "speed"):
            _require_between(key.capitalize(), getattr(self, key), 0, MAX_VALUE)
        _require_between("Health", self.health, 1, MAX_VALUE)
        if self.cp is not None:
            _require_between("CP", self.cp, 0, 20)
        if not self.traits <= set(TRAITS):
            raise InvalidInput(f"Use only these traits: {', '.join(TRAITS)}.")
        names = [name.lower() for name, _ in self.arsenal()]
        if len(names) > MAX_CARRIED or len(set(names)) != len(names):
            raise InvalidInput(
                f"A model can carry at most {MAX_CARRIED} weapons and items, each with its own name."
            )
        if not set(self.grid.keys) <= set(LOCATIONS):
            raise InvalidInput(f"Use only these locations in the grid: {', '.join(LOCATIONS)}.")

    def attribute(self, location: str) -> int:
        """Return a location's starting value; the Arsenal's is the Health of all that is carried."""
        if location == "arsenal":
            return sum(health for _, health in self.arsenal())
        if location not in LOCATIONS:
            raise InvalidInput(f"Pick one of these locations: {', '.join(LOCATIONS)}.")
        return int(getattr(self, location))

    def arsenal(self) -> tuple[tuple[str, int], ...]:
        """Return (name, Health) of weapons, then items."""
        weapons = [(weapon.name, weapon.health) for weapon in self.weapons]
        return (*weapons, *((item.name, item.health) for item in self.items))

    def weapon(self, name: str) -> int:
        """Return the place of that weapon among `weapons`, in any case. Raises InvalidInput."""
        for place, weapon in enumerate(self.weapons):
            if weapon.name.lower() == name.strip().lower():
                return place
        carried = ", ".join(weapon.name for weapon in self.weapons)
        raise InvalidInput(
            f"Pick a weapon that {self.name} carries: {carried}."
            if carried
            else f"{self.name} carries no weapons."
        )


# ------------------------------------------------------------------------------------------- as text


def read_profile(text: str) -> Profile:
    """Read a profile from text or, when it begins with a brace, from JSON. Raises InvalidInput.

    The output of `write_profile` and `to_json` is read back the same. Rules: SU-STAT-01.
    """
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"Shorten the profile to at most {MAX_TEXT} characters.")
    if text.lstrip().startswith("{"):
        return from_json(text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InvalidInput("Begin the profile with the model's name.")
    values: dict[str, Any] = {"name": " ".join(lines[0].split()), "weapons": (), "items": ()}
    for line in lines[1:]:
        heading, colon, value = line.partition(":")
        kind = heading.strip().lower() if colon else ""
        if kind == "weapon":
            values["weapons"] += (_read_weapon(value),)
        elif kind == "item":
            values["items"] += (_read_item(value),)
        elif kind in ("traits", "grid"):
            if kind in values:
                raise InvalidInput(f"Write {kind.capitalize()} only once.")
            traits = frozenset(part.lower() for part in _split_parts(value))
            values[kind] = traits if kind == "traits" else _read_grid(value)
        elif not kind:
            _read_attributes(line, values)
        else:
            raise InvalidInput(
                "Begin a line with Traits, Grid, Weapon or Item "
                f"('{heading.strip()[:20]}:' isn't one of them)."
            )
    return Profile(**values)


def write_profile(profile: Profile) -> str:
    """Return the profile as text, in one fixed form."""
    figures = [f"{key.capitalize()} {getattr(profile, key)}" for key in _ATTRIBUTES[:-1]]
    if profile.cp is not None:
        figures.append(f"CP {profile.cp}")
    lines = [profile.name, ", ".join(figures)]
    if profile.traits:
        lines.append("Traits: " + ", ".join(sorted(profile.traits)))
    if profile.grid != HUMANOID_GRID:
        lines.append("Grid: " + "; ".join(_write_square(square) for square in profile.grid.squares))
    lines += ["Weapon: " + write_weapon(weapon) for weapon in profile.weapons]
    lines += [f"Item: {item.name}, Health {item.health}" for item in profile.items]
    return "\n".join(lines)


def write_weapon(weapon: Weapon) -> str:
    """Return one weapon as text."""
    parts = [weapon.name, f"Reach {weapon.reach}", f"Power {weapon.power}", f"Accuracy {weapon.accuracy}"]
    parts.append(f"Health {weapon.health}")
    parts += [flag for flag in ("melee", "blast") if getattr(weapon, flag)]
    if weapon.area:
        parts.append(f"{weapon.area} {weapon.area_size}")
    if weapon.cloud:
        parts.append(f"cloud {weapon.cloud}")
    if weapon.smoke:
        parts.append(weapon.smoke)
    return ", ".join(parts)


def _split_parts(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split(",") if part.strip()]


def _read_figure(part: str) -> tuple[str, int] | None:
    match = _FIGURE.fullmatch(part.lower())
    return (match[1], int(match[2])) if match else None


def _read_attributes(line: str, values: dict[str, Any]) -> None:
    for part in _split_parts(line):
        figure = _read_figure(part)
        if figure is None or figure[0] not in _ATTRIBUTES:
            raise InvalidInput(f"Write attributes like this: `Health 3` ('{part[:20]}' isn't an attribute).")
        if figure[0] in values:
            name = "CP" if figure[0] == "cp" else figure[0].capitalize()
            raise InvalidInput(f"Write {name} only once.")
        values[figure[0]] = figure[1]


def _read_weapon(text: str) -> Weapon:
    parts = _split_parts(text)
    values: dict[str, Any] = {}
    if not parts:
        raise InvalidInput("Give the weapon a name, a Reach and a Power.")
    printed = _PRINTED_WEAPON.fullmatch(parts[0])
    if printed:
        values = {"name": printed["name"], "reach": int(printed[2]), "power": int(printed[3])}
        values["accuracy"] = int(printed[4])
    else:
        values["name"] = parts[0]
    for part in parts[1:]:
        _read_weapon_part(part, values)
    if "reach" not in values or "power" not in values:
        raise InvalidInput(f"Give {values['name'][:MAX_NAME]} a Reach and a Power.")
    return Weapon(**values)


def _read_weapon_part(part: str, values: dict[str, Any]) -> None:
    figure = _read_figure(part)
    word = part.lower()
    if word in ("melee", "blast"):
        new_values: dict[str, Any] = {word: True}
    elif word in ("poor", "abysmal"):
        new_values = {"smoke": word}
    elif figure and figure[0] in AREAS:
        new_values = {"area": figure[0], "area_size": figure[1]}
    elif figure and figure[0] in ("reach", "power", "accuracy", "health", "cloud"):
        new_values = {figure[0]: figure[1]}
    else:
        raise InvalidInput(f"Write a weapon's values like this: `Power 4` ('{part[:20]}' isn't a value).")
    if set(new_values) & set(values):
        raise InvalidInput(f"Remove '{part[:20]}'. The weapon already has a value of this kind.")
    values.update(new_values)


def _read_item(text: str) -> Item:
    parts = _split_parts(text)
    if not parts or len(parts) > 2:
        raise InvalidInput("Write an item as a name and its Health, such as `Medkit, Health 1`.")
    figure = _read_figure(parts[1]) if len(parts) == 2 else ("health", 1)
    if figure is None or figure[0] != "health":
        raise InvalidInput("Write an item as a name and its Health, such as `Medkit, Health 1`.")
    return Item(parts[0], figure[1])


def _read_grid(text: str) -> Grid:
    squares = []
    for part in text.split(";"):
        match = re.fullmatch(r"\s*([a-z]+)((?:\s+[1-6]){0,6})\s*(?:>\s*([a-z]+)\s*)?", part.lower())
        if match is None:
            raise InvalidInput("Write a grid like this: `body 1 2 3 > health; health 4 5 6 > body`.")
        squares.append(Square(match[1], tuple(int(face) for face in match[2].split()), match[3] or ""))
    return Grid(tuple(squares))


def _write_square(square: Square) -> str:
    faces = "".join(f" {face}" for face in square.faces)
    return f"{square.key}{faces}" + (f" > {square.arrow}" if square.arrow else "")


# ------------------------------------------------------------------------------------------- as JSON


def to_json(profile: Profile) -> str:
    """Return the profile as JSON on one line, keys in a fixed order."""
    data: dict[str, Any] = {"name": profile.name}
    data |= {key: getattr(profile, key) for key in _ATTRIBUTES if getattr(profile, key) is not None}
    if profile.traits:
        data["traits"] = sorted(profile.traits)
    if profile.grid != HUMANOID_GRID:
        data["grid"] = "; ".join(_write_square(square) for square in profile.grid.squares)
    data["weapons"] = [_weapon_data(weapon) for weapon in profile.weapons]
    data["items"] = [{"name": item.name, "health": item.health} for item in profile.items]
    return json.dumps(data, ensure_ascii=False)


def _weapon_data(weapon: Weapon) -> dict[str, Any]:
    keys = ("name", "reach", "power", "accuracy", "health")
    optional_keys = ("melee", "blast", "area", "area_size", "cloud", "smoke")
    data = {key: getattr(weapon, key) for key in keys}
    return data | {key: getattr(weapon, key) for key in optional_keys if getattr(weapon, key)}


def from_json(text: str) -> Profile:
    """Read what `to_json` writes; attributes left out take their usual values. Raises InvalidInput."""
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"Shorten the profile to at most {MAX_TEXT} characters.")
    try:
        data = json_values(text)
    except (ValueError, RecursionError):
        raise InvalidInput("This isn't valid JSON. Check the quotes, commas and braces.") from None
    allowed_keys = {"name", *_ATTRIBUTES, "traits", "grid", "weapons", "items"}
    values = _read_object(data, allowed_keys, "A profile")
    values["traits"] = frozenset(_read_traits(values))
    if "grid" in values:
        values["grid"] = _read_grid(str(values["grid"]))
    weapon_keys = set(Weapon.__dataclass_fields__)
    weapons = [_read_object(entry, weapon_keys, "A weapon") for entry in _read_list(values, "weapons")]
    items = [_read_object(entry, {"name", "health"}, "An item") for entry in _read_list(values, "items")]
    try:
        values["weapons"] = tuple(Weapon(**entry) for entry in weapons)
        values["items"] = tuple(Item(**entry) for entry in items)
        return Profile(**values)
    except TypeError:
        raise InvalidInput(
            "Enter a name for the profile and each item, and a name, a Reach and a Power for each weapon."
        ) from None


def _read_object(data: object, allowed_keys: set[str], noun: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InvalidInput(f"{noun} must be an object in braces.")
    unknown_keys = sorted(set(data) - allowed_keys)
    if unknown_keys:
        raise InvalidInput(f"Remove '{unknown_keys[0][:20]}'. {noun} has no such field.")
    for key in ("melee", "blast"):
        if not isinstance(data.get(key, False), bool):
            raise InvalidInput(f"{key} must be true or false.")
    return dict(data)


def _read_list(values: dict[str, Any], key: str) -> list[Any]:
    data = values.get(key, [])
    if not isinstance(data, list) or len(data) > MAX_CARRIED:
        raise InvalidInput(f"{key} must be a list of at most {MAX_CARRIED} entries.")
    return data


def _read_traits(values: dict[str, Any]) -> list[str]:
    strings = _read_list(values, "traits")
    if not all(isinstance(entry, str) for entry in strings):
        raise InvalidInput(f"Use only these traits: {', '.join(TRAITS)}.")
    return strings
