"""Profiles as one line of text or as JSON, and the data files of the package, read once."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, cast

from rules.json_text import json_values
from rules.refusals import InvalidInput
from rules.systems.infinity.armour import AMMUNITION_ROLLS
from rules.systems.infinity.profile import Band, Profile, Skill, Trait, TroopType, Weapon

MAX_TEXT = 4000
"""Longest text or JSON of a profile, in characters."""

_KEYS = {
    "CC": "cc",
    "BS": "bs",
    "PH": "ph",
    "WIP": "wip",
    "ARM": "arm",
    "BTS": "bts",
    "W": "wounds",
    "STR": "wounds",
    "S": "silhouette",
    "COST": "cost",
}
_NAME = re.compile(r"([^:;,]+):(.*)")
_MOV = re.compile(r"([0-9]{1,3}) ?- ?([0-9]{1,3})")
_NUMBER = re.compile(r"[0-9]{1,4}")
_BAND = re.compile(r"([0-9]{1,3}):([+-]?[0-9]{1,2})")
_WEAPON = re.compile(
    r"(?P<name>\S.*?)(?P<cc>\s+CC)?\s+B(?P<burst>[0-9]{1,2})\s+DAM\s+(?P<rest>\S.*)", re.I | re.S
)
_DAMAGE = re.compile(r"(PH)?([+-]?[0-9]{1,3})?", re.IGNORECASE)
_SKILL = re.compile(r"([^()]+?)(?: L ?([0-9]))?(?: ?\(([^()]+)\))?", re.IGNORECASE)
_FIELDS = ("name", "cc", "bs", "ph", "wip", "arm", "bts", "wounds", "silhouette", "cost")
_FLAGS = ("structure", "irregular")


def read_profile(text: str, *, name: str = "Trooper") -> Profile:
    """Return a profile from text, or from JSON where it begins with a brace.

    name: used where the text gives none. Raises InvalidInput with a sentence that names the faulty part.
    """
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"Shorten the profile to at most {MAX_TEXT} characters.")
    if text.lstrip().startswith("{"):
        return _from_json(text, name)
    first, *others = _spaced(text).split("=>")
    if len(others) > 1:
        raise InvalidInput('Write "=>" only once. A profile can have only one alternate profile.')
    alternate = _profile(others[0], f"{name} alternate", None) if others else None
    return _profile(first, name, alternate)


def write_profile(profile: Profile) -> str:
    """Return the profile as text that `read_profile` reads back to an equal profile."""
    parts = [f"MOV {profile.mov[0]}-{profile.mov[1]}"]
    for key, field in _KEYS.items():
        value = getattr(profile, field)
        if key in ("W", "STR"):
            if (key == "STR") == profile.structure:
                parts.append(f"{key} {value}")
        elif value:
            parts.append(f"{key} {value}")
    parts.append(f"TYPE {profile.type}")
    if profile.irregular:
        parts.append("IRREGULAR")
    sections = [f"{profile.name}: " + ", ".join(parts), *map(write_weapon, profile.weapons)]
    if profile.skills:
        sections.append("Skills " + ", ".join(map(str, profile.skills)))
    text = "; ".join(sections)
    return text if profile.alternate is None else f"{text} => {write_profile(profile.alternate)}"


def write_weapon(weapon: Weapon) -> str:
    """Return the weapon as `read_weapon` reads it."""
    words = [weapon.name, *(["CC"] if weapon.close else []), f"B{weapon.burst}", "DAM"]
    if weapon.physical:
        words.append("PH" + (f"{weapon.damage:+d}" if weapon.damage else ""))
    else:
        words.append(str(weapon.damage))
    if weapon.ammunition != "N":
        words.append(f"AMMO {weapon.ammunition}")
    if weapon.rolls != AMMUNITION_ROLLS.get(weapon.ammunition, 1):
        words.append(f"ROLLS {weapon.rolls}")
    words += ["BTS"] * weapon.bts + ["TEMPLATE"] * weapon.template + ["HACK"] * weapon.hacking
    if weapon.bands:
        words.append("RANGE " + " ".join(f"{band.limit}:{band.mod:+d}" for band in weapon.bands))
    return " ".join(words)


@cache
def weapons() -> tuple[Weapon, ...]:
    """Return the weapons that a profile may name without their figures. Rules: INF-BS-02."""
    text = resources.files("rules.systems.infinity").joinpath("data", "weapons.toml").read_text("utf-8")
    return tuple(map(_weapon, tomllib.loads(text)["weapons"]))


def read_weapon(text: str) -> Weapon:
    """Return a weapon from text such as `Combi Rifle B3 DAM 13 RANGE 8:+3 16:+3`, or the name of a known
    one.

    Raises InvalidInput.
    """
    weapon_name = _spaced(text).casefold()
    return next((weapon for weapon in weapons() if weapon.name.casefold() == weapon_name), None) or _weapon(
        text
    )


def _weapon(text: str) -> Weapon:
    match = _WEAPON.fullmatch(_spaced(text))
    if match is None:
        raise InvalidInput(
            f"I can't read the weapon {text.strip()[:40]!r}. Write it like this: `Combi Rifle B3 DAM 13`."
        )
    damage, *words = match["rest"].split()
    figure = _DAMAGE.fullmatch(damage)
    if figure is None:
        raise InvalidInput(f"Write Damage as a number, `PH` or `PH+2`. I can't read {damage[:12]!r}.")
    values = _weapon_words([word.upper() for word in words])
    ammunition = values.get("AMMO", "N")
    return Weapon(
        name=match["name"],
        burst=int(match["burst"]),
        damage=int(figure[2] or 0),
        physical=bool(figure[1]),
        ammunition=ammunition,
        rolls=_number(values["ROLLS"], "ROLLS") if "ROLLS" in values else AMMUNITION_ROLLS.get(ammunition, 1),
        bts="BTS" in values,
        template="TEMPLATE" in values,
        close=bool(match["cc"]),
        hacking="HACK" in values,
        bands=_bands(values.get("RANGE", "")),
    )


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _weapon_words(words: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if word in values:
            raise InvalidInput(f"Write {word} only once per weapon.")
        if word in ("BTS", "TEMPLATE", "HACK"):
            values[word] = ""
        elif word in ("AMMO", "ROLLS") and place < len(words):
            values[word] = words[place]
            place += 1
        elif word == "RANGE":
            start = place
            while place < len(words) and ":" in words[place]:
                place += 1
            values[word] = " ".join(words[start:place])
        else:
            raise InvalidInput(
                f"I can't read {word[:20]!r}. Use BTS, TEMPLATE or HACK, or AMMO, ROLLS or RANGE"
                " with a value."
            )
    return values


def _bands(text: str) -> tuple[Band, ...]:
    bands = []
    for word in text.split():
        match = _BAND.fullmatch(word)
        if match is None:
            raise InvalidInput(f"Write a range band like this: `8:+3`. I can't read {word[:12]!r}.")
        bands.append(Band(int(match[1]), int(match[2])))
    return tuple(bands)


def read_trait(text: str) -> Trait:
    """Return a skill from text such as `Martial Arts L3` or `Terrain (Mountain)`. Raises InvalidInput."""
    match = _SKILL.fullmatch(_spaced(text))
    if match is None:
        raise InvalidInput(
            f"I can't read the skill {text.strip()[:40]!r}. Write it like this: `Sixth Sense L1`."
        )
    key = re.sub(r"[^a-z0-9]+", "_", match[1].lower()).strip("_")
    return Trait(key, int(match[2] or 0), (match[3] or "").strip())


def _number(text: str, noun: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise InvalidInput(f"Write a whole number after {noun}. I can't read {text[:12]!r}.")
    return int(text)


def _profile(text: str, name: str, alternate: Profile | None) -> Profile:
    head, *sections = text.split(";")
    named = _NAME.fullmatch(head)
    figures = _attributes(named[2] if named else head)
    weapons: list[Weapon] = []
    skills: list[Trait] = []
    for section in filter(None, map(str.strip, sections)):
        if section.split()[0].lower().rstrip(":") == "skills":
            words = section[len("skills") :].lstrip(" :")
            skills += [read_trait(word) for word in words.split(",") if word.strip()]
        else:
            weapons.append(read_weapon(section))
    return Profile(
        name=named[1].strip() if named else name,
        weapons=tuple(weapons),
        skills=tuple(skills),
        alternate=alternate,
        **figures,
    )


def _attributes(text: str) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        key, _, value = part.partition(" ")
        field, figure = _attribute(key.upper(), value.strip())
        if field in figures:
            raise InvalidInput(f"Write {key.upper()} only once in the profile.")
        figures[field] = figure
        if key.upper() == "STR":
            figures["structure"] = True
    if not figures:
        raise InvalidInput('Begin the profile with its Attributes, such as "BS 12, ARM 1, MOV 4-4, W 1".')
    return figures


def _attribute(key: str, value: str) -> tuple[str, Any]:
    if key == "MOV":
        match = _MOV.fullmatch(value)
        if match is None:
            raise InvalidInput(f"Write MOV like this: `4-4`. I can't read {value[:12]!r}.")
        return "mov", (int(match[1]), int(match[2]))
    if key == "TYPE":
        return "type", _type(value)
    if key == "IRREGULAR" and not value:
        return "irregular", True
    if key not in _KEYS:
        attributes = ", ".join(["MOV", *_KEYS, "TYPE", "IRREGULAR"])
        raise InvalidInput(f"There is no Attribute called {key[:20]!r}. Use one of these: {attributes}.")
    return _KEYS[key], _number(value, key)


def _type(value: str) -> TroopType:
    try:
        return TroopType(value.strip().upper())
    except ValueError:
        raise InvalidInput(f"Use one of these after TYPE: {', '.join(TroopType)}.") from None


def to_json(profile: Profile) -> str:
    """Return the profile as JSON that `read_profile` reads back to an equal profile."""
    return json.dumps(_profile_values(profile), ensure_ascii=False)


def _profile_values(profile: Profile) -> dict[str, Any]:
    values: dict[str, Any] = {field: getattr(profile, field) for field in (*_FIELDS, *_FLAGS)}
    values["mov"] = list(profile.mov)
    values["type"] = str(profile.type)
    values["weapons"] = [write_weapon(weapon) for weapon in profile.weapons]
    values["skills"] = [str(trait) for trait in profile.skills]
    if profile.alternate is not None:
        values["alternate"] = _profile_values(profile.alternate)
    return values


def _from_json(text: str, name: str) -> Profile:
    try:
        values = json_values(text)
    except (ValueError, RecursionError):
        raise InvalidInput("This isn't valid JSON. Check the quotes, commas and braces.") from None
    return _from_plain(values, name)


def _from_plain(values: object, name: str) -> Profile:
    if not isinstance(values, dict):
        raise InvalidInput('Write a profile in JSON as an object with "name", "mov", "bs" and so on.')
    figures: dict[str, Any] = {}
    for word, value in values.items():
        key = _KEYS.get(word.upper(), word.lower())
        if key in figures:
            raise InvalidInput(f"Write {word[:20]} only once in the profile.")
        figures[key] = _json_field(key, value, name)
        if word.upper() == "STR":
            figures["structure"] = True
    return Profile(**{"name": name, **figures})


def _json_field(key: str, value: object, name: str) -> Any:
    if key == "mov":
        return _json_mov(value)
    if key in ("weapons", "skills"):
        words = value if isinstance(value, list) else []
        if not isinstance(value, list) or not all(isinstance(word, str) for word in words):
            raise InvalidInput(f'Write "{key}" as a list of strings.')
        return tuple((read_weapon if key == "weapons" else read_trait)(word) for word in words)
    if key == "alternate":
        if isinstance(value, dict) and value.get("alternate") is not None:
            raise InvalidInput(
                "Remove the inner alternate profile. An alternate profile can't have one of its own."
            )
        return None if value is None else _from_plain(value, f"{name} alternate")
    kind: type = bool if key in _FLAGS else str if key in ("name", "type") else int
    if key not in (*_FIELDS, *_FLAGS, "type"):
        known_fields = ", ".join((*_FIELDS, *_FLAGS, "mov", "type", "weapons", "skills", "alternate"))
        raise InvalidInput(f"There is no field called {key[:20]!r}. Use one of these: {known_fields}.")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        expected = "true or false" if kind is bool else "a string" if kind is str else "a whole number"
        raise InvalidInput(f'Write "{key}" as {expected}.')
    return _type(cast(str, value)) if key == "type" else value


def _json_mov(value: object) -> tuple[int, int]:
    match = _MOV.fullmatch(value) if isinstance(value, str) else None
    if match is not None:
        return int(match[1]), int(match[2])
    all_whole = isinstance(value, list) and all(type(part) is int for part in value)
    if not all_whole or len(cast(list[int], value)) != 2:
        raise InvalidInput('Write "mov" as two whole numbers, such as "[4, 4]".')
    first, second = cast(list[int], value)
    return first, second


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
    """Return CC charts from TOML. Raises InvalidInput with the row that is wrong."""
    try:
        rows = [_chart_row(row) for row in tomllib.loads(text).get("row", [])]
    except tomllib.TOMLDecodeError as fault:
        raise InvalidInput(f"CC charts: {fault}.") from None
    keys = [(row.skill, row.level) for row in rows]
    if len(set(keys)) < len(keys):
        raise InvalidInput("List each skill and Level only once in the CC charts.")
    return tuple(rows)


def _chart_row(values: dict[str, Any]) -> ChartRow:
    texts = {"skill": str, "damage_type": str, "special": str}
    for key, value in values.items():
        if key not in ChartRow.__slots__:
            raise InvalidInput(f"CC charts: remove {key}, because there is no such field.")
        if type(value) is not texts.get(key, int):
            kind = "text" if key in texts else "a whole number"
            raise InvalidInput(f"CC charts: {key} must be {kind}, but is {value!r}.")
        if isinstance(value, int) and not -12 <= value <= 12:
            raise InvalidInput(f"CC charts: {key} must be between -12 and 12, but is {value}.")
    if values.get("skill") not in {Skill.MARTIAL_ARTS, Skill.BERSERK, Skill.ASSAULT}:
        raise InvalidInput(
            f"CC charts: skill must be martial_arts, berserk or assault, but is {values.get('skill')!r}."
        )
    return ChartRow(**values)


def _text(name: str) -> str:
    return resources.files("rules.systems.infinity").joinpath("data", name).read_text(encoding="utf-8")


@cache
def charts() -> tuple[ChartRow, ...]:
    """Return the CC charts of this package."""
    return read_charts(_text("close_combat.toml"))


def chart(skill: Skill, level: int = 0, rows: tuple[ChartRow, ...] | None = None) -> ChartRow:
    """Return the row of a CC skill at a Level (0 without Levels). Raises InvalidInput where there is none.

    Rules: INF-CCS-10, INF-CCS-11, INF-ASL-04.
    """
    for row in charts() if rows is None else rows:
        if row.skill == skill and row.level == level:
            return row
    raise InvalidInput(f"{skill.replace('_', ' ').title()} has no Level {level}.")


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample crew of invented troopers; the first is its Lieutenant."""

    name: str
    troopers: tuple[Profile, ...]


@cache
def samples() -> tuple[Sample, ...]:
    """Return the crews of this package."""
    crews = tomllib.loads(_text("troopers.toml"))["crew"]
    return tuple(Sample(crew["name"], tuple(map(read_profile, crew["troopers"]))) for crew in crews)
