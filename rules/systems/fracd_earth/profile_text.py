"""Crew Cards as players type them: lines of text, or JSON. Reading back what was written gives the same card.

Owns both forms; the bounds belong to `profile`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from rules.json_text import json_values
from rules.refusals import InvalidInput
from rules.systems.fracd_earth.profile import RANKS, TRAITS, CrewEffect, Profile, Skill
from rules.systems.fracd_earth.weapons import VERSUS, read_rank, read_weapon

MAX_TEXT = 8000

_NUMBERS = {
    "size": "size",
    "move": "move_inches",
    "capacity": "capacity",
    "second capacity": "second_capacity",
    "surge": "surge_ranks",
    "build": "build",
}
_PAIR = re.compile(r"([a-z]+) ?([0-9]{1,3})", re.IGNORECASE)
_SKILL = re.compile(r"([^\[\]]+?) (-|\[(?:\+ ?){1,3}\])(?: ([+-][0-9]{1,2}))?")


def write_text(profile: Profile) -> str:
    """The card as lines `key: value`."""
    lines = [f"name: {profile.name}", f"rank: {profile.rank}"]
    lines += [f"{key}: {getattr(profile, name)}" for key, name in _NUMBERS.items()]
    lines += [f"traits: {_pairs(profile.traits)}"] if profile.traits else []
    lines += [f"resists: {_pairs(profile.resists)}"] if profile.resists else []
    for skill in profile.skills:
        rank = f"[{' '.join('+' * skill.rank)}]" if skill.rank else "-"
        points = f" {skill.points:+d}" if skill.points else ""
        lines.append(f"skill: {skill.name} {rank}{points}")
    for effect in profile.effects:
        words = (effect.title, effect.kind, effect.target, f"{effect.marks:+d}", f"{effect.points:+d}")
        lines.append(f"effect: {' // '.join(words)}")
    lines += [f"weapon: {weapon}" for weapon in profile.weapons]
    return "\n".join(lines)


def _pairs(values: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values)


def read_text(text: str) -> Profile:
    """A card typed as lines `key: value`. Raises InvalidInput that names the line."""
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"A Crew Card has at most {MAX_TEXT} letters.")
    given: dict[str, Any] = {}
    lists: dict[str, list[Any]] = {"skills": [], "effects": [], "weapons": []}
    for line in filter(str.strip, text.splitlines()):
        key, colon, value = line.partition(":")
        key, value = " ".join(key.casefold().split()), value.strip()
        if not colon:
            raise InvalidInput(f"{line.strip()[:40]!r} is no line of a Crew Card: write key: value.")
        if key in _LISTED:
            name, read = _LISTED[key]
            lists[name].append(read(value))
            continue
        name, found = _single(key, value)
        if name in given:
            raise InvalidInput(f"The line {key} stands twice.")
        given[name] = found
    if "name" not in given:
        raise InvalidInput("A Crew Card begins with a line name: ...")
    given |= {name: tuple(values) for name, values in lists.items()}
    return Profile(**given)


def _single(key: str, value: str) -> tuple[str, Any]:
    if key == "name":
        return "name", value
    if key == "rank":
        return "rank", next((rank for rank in RANKS if rank == value.casefold()), value)
    if key in _NUMBERS:
        if not (value.isascii() and value.isdecimal() and len(value) <= 4):
            raise InvalidInput(f"{key} is a number, not {value[:20]!r}.")
        return _NUMBERS[key], int(value)
    if key == "traits":
        return "traits", _read_pairs(value, TRAITS)
    if key == "resists":
        return "resists", _read_pairs(value, VERSUS)
    raise InvalidInput(f"A Crew Card has no line called {key[:30]!r}.")


def _read_pairs(text: str, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    found: dict[str, int] = {}
    for part in text.split(","):
        match = _PAIR.fullmatch(part.strip())
        if match is None or match[1].casefold() not in names or match[1].casefold() in found:
            raise InvalidInput(
                f"{part.strip()[:20]!r}: write each of {', '.join(names)} once, like {names[0]} 5."
            )
        found[match[1].casefold()] = int(match[2])
    return tuple(found.items())


def _read_skill(text: str) -> Skill:
    match = _SKILL.fullmatch(text)
    if match is None:
        raise InvalidInput("A skill is written like Notice [+ +] +3.")
    return Skill(match[1].strip(), read_rank(match[2]), int(match[3] or 0))


def _read_effect(text: str) -> CrewEffect:
    parts = [part.strip() for part in text.split("//")]
    if len(parts) != 5 or not all(re.fullmatch(r"[+-]?[0-9]{1,2}", part) for part in parts[3:]):
        raise InvalidInput("An effect is written like Keen Eye // sight // Shoot // +1 // +0.")
    return CrewEffect(parts[0], parts[1], parts[2], int(parts[3]), int(parts[4]))


_LISTED: dict[str, tuple[str, Callable[[str], Any]]] = {
    "skill": ("skills", _read_skill),
    "effect": ("effects", _read_effect),
    "weapon": ("weapons", read_weapon),
}


def write_json(profile: Profile) -> str:
    """The card as JSON: the same fields, weapons as their lines."""
    return json.dumps(
        {
            "name": profile.name,
            "rank": profile.rank,
            **{name: getattr(profile, name) for name in _NUMBERS.values()},
            "traits": dict(profile.traits),
            "resists": dict(profile.resists),
            "skills": [[skill.name, skill.rank, skill.points] for skill in profile.skills],
            "effects": [[e.title, e.kind, e.target, e.marks, e.points] for e in profile.effects],
            "weapons": [str(weapon) for weapon in profile.weapons],
        },
        ensure_ascii=False,
    )


def read_json(text: str) -> Profile:
    """A card from JSON. Raises InvalidInput for anything that is no card."""
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"A Crew Card has at most {MAX_TEXT} letters.")
    try:
        given = json_values(text)
    except (ValueError, RecursionError):
        raise InvalidInput("This is no JSON.") from None
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        raise InvalidInput("A Crew Card in JSON is an object with a name.")
    unknown = sorted(set(given) - {each.name for each in fields(Profile)})
    if unknown:
        raise InvalidInput(f"A Crew Card has no field called {unknown[0][:30]!r}.")
    values: dict[str, Any] = {}
    for name, value in given.items():
        values[name] = _from_json(name, value)
    return Profile(**values)


def _from_json(name: str, value: Any) -> Any:
    if name in ("name", "rank"):
        return _typed(name, value, str)
    if name in _NUMBERS.values():
        return _typed(name, value, int)
    if name in ("traits", "resists"):
        names: tuple[str, ...] = TRAITS if name == "traits" else VERSUS
        pairs = _typed(name, value, dict).items()
        if any(key not in names for key, _ in pairs):
            raise InvalidInput(f"{name} holds only {', '.join(names)}.")
        return tuple((key, _typed(key, number, int)) for key, number in pairs)
    rows = _typed(name, value, list)
    if name == "weapons":
        return tuple(read_weapon(_typed("a weapon", row, str)) for row in rows)
    kinds = (str, int, int) if name == "skills" else (str, str, str, int, int)
    made = Skill if name == "skills" else CrewEffect
    return tuple(made(*_row(name, row, kinds)) for row in rows)


def _row(name: str, row: Any, kinds: tuple[type, ...]) -> list[Any]:
    if not isinstance(row, list) or len(row) != len(kinds):
        raise InvalidInput(f"Each row of {name} has {len(kinds)} entries.")
    return [_typed(name, value, kind) for value, kind in zip(row, kinds, strict=True)]


def _typed(name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        words = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}
        raise InvalidInput(f"{name} is {words[kind]}.")
    return value
