"""Profiles typed and written back: as text and as JSON, both ways without loss.

Owns the two notations; the shapes and their bounds are those of `profile`.

Text is one item a line (or between semicolons): the name first, the ten characteristics, traits, weapons.

    Sergeant Rock
    CC 8 RC 10 PW 0 LD 12 AC 3 WD 1 ST 5 MV 4 SZ 2 AR 22
    leader, ai 2
    weapon Punisher: DM 13, ROF 2, PB +1, SR +2/3, MR 0, LR -2, AV 2, x2, concussive
    weapon Sword: DM 6, close
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from rules.json_text import json_values
from rules.refusals import InvalidInput
from rules.systems.warzone.profile import BANDS, BOUNDS, LEVEL_BOUNDS, MAX_NAME, STATS, Profile, Weapon
from rules.systems.warzone.tables import DAMAGE_TYPES, MOVEMENTS, Movement

MAX_TEXT = 4000
"""Longest text that is read."""

# ------------------------------------------------------------------------------------------------ text

_STAT = re.compile(r"([A-Za-z]{2})\s*[:=]?\s*([+-]?\d{1,4})")
_BAND = re.compile(r"(PB|SR|MR|LR|ER)\s*([+-]?\d{1,3})(?:/(\d{1,3}))?", re.IGNORECASE)
_NUMBER = re.compile(r"(DM|ROF|AV)\s*([+-]?\d{1,3})", re.IGNORECASE)
_HITS = re.compile(r"(x)\s*(\d{1,3})", re.IGNORECASE)
_TEMPLATE_WIDTH = re.compile(r"(template)\s*(\d{1,2})", re.IGNORECASE)
_NO_BAND = re.compile(r"(PB|SR|MR|LR|ER)\s*-", re.IGNORECASE)
_LEVEL = re.compile(r"(ai|cybernetics|dire)\s*(\d{1,3})", re.IGNORECASE)


def parse_weapon(text: str) -> Weapon:
    """Read `Name: DM 13, ROF 2, PB +1, SR +2/3, AV 2, x2, template, concussive`.

    `SR +2/3` is the modifier and, after the stroke, the ROF of that band; a band left out, or `-`, has no
    modifier. `template 4` is 4 in across. Raises InvalidInput.
    """
    name, colon, items = text.partition(":")
    if not colon:
        raise InvalidInput('Enter a weapon like this: "Name: DM 13, ROF 1, PB 0, SR +2".')
    figures: dict[str, int] = {}
    bands: dict[str, int | None] = {}
    rofs: dict[str, int] = {}
    words: list[str] = []
    for item in filter(None, (part.strip() for part in items.split(","))):
        band, no_band = _BAND.fullmatch(item), _NO_BAND.fullmatch(item)
        width_match = _TEMPLATE_WIDTH.fullmatch(item)
        match = band or no_band or width_match or _NUMBER.fullmatch(item) or _HITS.fullmatch(item)
        words += ["template"] if width_match else []
        if match is None:
            words.append(item.lower())
            continue
        key = match[1].upper()
        if key in figures or key in bands:
            raise InvalidInput(f"{key} appears twice for {name.strip()[:MAX_NAME]}. Remove one.")
        if key in BANDS:
            bands[key] = None if no_band else int(match[2])
            rofs |= {key: int(band[3])} if band and band[3] else {}
        else:
            figures[key] = int(match[2])
    if "DM" not in figures:
        raise InvalidInput(f"Enter a DM for {name.strip()[:MAX_NAME]}.")
    flags = tuple(word for word in words if word not in DAMAGE_TYPES)
    return Weapon(
        name.strip(),
        figures["DM"],
        figures.get("ROF", 1),
        tuple(bands.get(band) for band in BANDS),
        tuple(rofs.get(band) for band in BANDS),
        figures.get("X", 1),
        figures.get("AV", 0),
        tuple(word for word in words if word in DAMAGE_TYPES),
        flags,
        figures.get("TEMPLATE", 0),
    )


def weapon_text(weapon: Weapon) -> str:
    """Return the weapon in the notation that `parse_weapon` reads."""
    items = [f"DM {weapon.dm}", f"ROF {weapon.rof}"]
    for band, modifier, rof in zip(BANDS, weapon.bands, weapon.band_rof, strict=True):
        if modifier is not None:
            items.append(f"{band} {modifier:+d}" + (f"/{rof}" if rof else ""))
    items += [f"AV {weapon.av}"] * (weapon.av > 0) + [f"x{weapon.hits}"] * (weapon.hits > 1)
    width_text = f" {weapon.across}" if weapon.across else ""
    flags = (f"{flag}{width_text if flag == 'template' else ''}" for flag in weapon.flags)
    return f"{weapon.name}: {', '.join((*items, *weapon.types, *flags))}"


def parse_profile(text: str) -> Profile:
    """Read a profile typed as text (see the module's heading). Raises InvalidInput."""
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"Shorten the profile. It can have at most {MAX_TEXT} characters.")
    lines = [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]
    if not lines:
        raise InvalidInput("Enter the model's name, then its characteristics.")
    values: dict[str, Any] = {}
    weapons: list[Weapon] = []
    traits: list[str] = []
    for line in lines[1:]:
        if line.lower().startswith("weapon "):
            weapons.append(parse_weapon(line[len("weapon ") :].strip()))
        elif line[:2].upper() in BOUNDS and not line[2:3].isalpha():
            _read_stats(line, values)
        else:
            _read_traits(line, values, traits)
    missing = [stat for stat in STATS if stat.lower() not in values]
    if missing:
        raise InvalidInput(f"Enter these characteristics for {lines[0][:MAX_NAME]}: {', '.join(missing)}.")
    return Profile(lines[0], traits=tuple(traits), weapons=tuple(weapons), **values)


def _read_stats(line: str, values: dict[str, Any]) -> None:
    unread_text = _STAT.sub("", line).strip(" ,")
    if unread_text:
        raise InvalidInput(
            f'I don\'t understand {unread_text[:MAX_NAME]}. Enter characteristics like "CC 8 RC 10 ...".'
        )
    for name, number in _STAT.findall(line):
        if name.upper() not in BOUNDS:
            raise InvalidInput(f"There is no characteristic called {name}. Use these: {', '.join(STATS)}.")
        if name.lower() in values:
            raise InvalidInput(f"{name.upper()} appears twice. Remove one.")
        values[name.lower()] = int(number)


def _read_traits(line: str, values: dict[str, Any], traits: list[str]) -> None:
    key: str
    value: int | str
    for word in filter(None, (part.strip().lower() for part in line.split(","))):
        if match := _LEVEL.fullmatch(word):
            key, value = match[1], int(match[2])
        elif word in MOVEMENTS:
            key, value = "movement", word
        else:
            traits.append(word.replace(" ", "_"))
            continue
        if key in values:
            raise InvalidInput(f"{key.capitalize()} appears twice. Remove one.")
        values[key] = value


def profile_text(profile: Profile) -> str:
    """Return the profile in the notation that `parse_profile` reads."""
    stats = " ".join(f"{stat} {getattr(profile, stat.lower())}" for stat in STATS)
    levels = (f"{level} {getattr(profile, level)}" for level in LEVEL_BOUNDS if getattr(profile, level))
    traits = ", ".join((profile.movement, *profile.traits, *levels))
    weapons = (f"weapon {weapon_text(weapon)}" for weapon in profile.weapons)
    return "\n".join((profile.name, stats, traits, *weapons))


# ------------------------------------------------------------------------------------------------ JSON


def profile_json(profile: Profile) -> str:
    """Return the profile as a JSON object, what is at its default left out."""
    data: dict[str, Any] = {"name": profile.name}
    data |= {stat: getattr(profile, stat.lower()) for stat in STATS}
    for key, default in (("movement", "foot"), ("ai", 0), ("cybernetics", 0), ("dire", 0), ("traits", ())):
        if getattr(profile, key) != default:
            data[key] = getattr(profile, key)
    data["weapons"] = [_weapon_data(weapon) for weapon in profile.weapons]
    return json.dumps(data, ensure_ascii=False)


def _weapon_data(weapon: Weapon) -> dict[str, Any]:
    data: dict[str, Any] = {"name": weapon.name, "DM": weapon.dm, "ROF": weapon.rof}
    places = zip(BANDS, weapon.bands, weapon.band_rof, strict=True)
    data["bands"] = {
        band: modifier if rof is None else [modifier, rof]
        for band, modifier, rof in places
        if modifier is not None
    }
    other_values = (
        ("AV", weapon.av, 0),
        ("hits", weapon.hits, 1),
        ("types", weapon.types, ()),
        ("flags", weapon.flags, ()),
        ("across", weapon.across, 0),
    )
    return data | {key: value for key, value, default in other_values if value != default}


def parse_json(text: str) -> Profile:
    """Read a profile written by `profile_json`. Raises InvalidInput for anything else."""
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"Shorten the profile. It can have at most {MAX_TEXT} characters.")
    try:
        data = json_values(text)
    except (ValueError, RecursionError):
        raise InvalidInput("This isn't valid JSON. Check the quotes, commas and braces.") from None
    allowed = {"name", *STATS, "movement", *LEVEL_BOUNDS, "traits", "weapons"}
    data = _read_object("profile", data, {"name", *STATS}, allowed)
    weapons = tuple(_read_weapon(item) for item in _read_list("weapons", data.get("weapons", [])))
    values = {stat.lower(): data[stat] for stat in STATS}
    values |= {level: data.get(level, 0) for level in LEVEL_BOUNDS}
    movement = _read_string('"movement"', data.get("movement", "foot"))
    traits = tuple(
        _read_string('Each entry in "traits"', word) for word in _read_list("traits", data.get("traits", []))
    )
    name = _read_string('"name"', data["name"])
    return Profile(name, movement=cast(Movement, movement), traits=traits, weapons=weapons, **values)


def _read_weapon(item: object) -> Weapon:
    allowed = {"name", "DM", "ROF", "bands", "AV", "hits", "types", "flags", "across"}
    data = _read_object("weapon", item, {"name", "DM"}, allowed)
    entries = _read_object("bands", data.get("bands", {}), set(), set(BANDS))
    pairs = [entry if isinstance(entry := entries.get(band), list) else [entry, None] for band in BANDS]
    if any(len(pair) != 2 for pair in pairs):
        raise InvalidInput("A range band must be a modifier, or [modifier, ROF].")
    return Weapon(
        _read_string('"name"', data["name"]),
        data["DM"],
        data.get("ROF", 1),
        tuple(pair[0] for pair in pairs),
        tuple(pair[1] for pair in pairs),
        data.get("hits", 1),
        data.get("AV", 0),
        tuple(
            _read_string('Each entry in "types"', word) for word in _read_list("types", data.get("types", []))
        ),
        tuple(
            _read_string('Each entry in "flags"', word) for word in _read_list("flags", data.get("flags", []))
        ),
        data.get("across", 0),
    )


def _read_object(
    noun: str, value: object, required_keys: set[str], allowed_keys: set[str]
) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InvalidInput(f"The {noun} must be a JSON object in braces.")
    if missing_keys := sorted(required_keys - set(value)):
        raise InvalidInput(f"The {noun} needs {', '.join(missing_keys)}.")
    if unknown_keys := sorted(set(value) - allowed_keys):
        raise InvalidInput(f"The {noun} can't have {', '.join(unknown_keys)[:MAX_NAME]}.")
    return value


def _read_list(noun: str, value: object) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidInput(f'"{noun}" must be a list in square brackets.')
    return value


def _read_string(noun: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{noun} must be text in quotes.")
    return value
