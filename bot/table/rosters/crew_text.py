"""A crew written down, for people to read and for programs: both forms are read back to the same crew.

Owns the forms and what a reader refuses at once; what a member is, its game says. Text is read within bounds:
nothing typed can make the reader work long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.table.names import plain
from rules.json_text import json_values
from rules.refusals import InvalidInput

FORMAT = "adjutant-crew"
VERSION = 1
MAX_CHARACTERS = 60_000
MAX_LINES = 2_000
MAX_WRITTEN_MEMBERS = 60
DEEPEST = 12

YES_OR_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

Values = dict[str, Any]


@dataclass(slots=True)
class WrittenMember:
    """A member as it is written: its name, and words by key or the values that a program wrote.

    said: the keys that were read of it.
    """

    name: str
    words: dict[str, str] = field(default_factory=dict)
    values: Values | None = None
    points: int | None = None
    leader: bool = False
    note: str = ""
    said: set[str] = field(default_factory=set)


@dataclass(slots=True)
class WrittenCrew:
    """A crew as it is written. traits: by key; wrong: what could not be read, with its line."""

    name: str = ""
    system: str = ""
    traits: dict[str, str] = field(default_factory=dict)
    members: list[WrittenMember] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


# ------------------------------------------------------------------------------------------- writing


def as_json(crew: WrittenCrew) -> str:
    """The crew for programs."""
    members = [
        {
            "name": one.name,
            "points": one.points,
            "leader": one.leader,
            "note": one.note,
            "profile": one.values or {},
        }
        for one in crew.members
    ]
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "game": crew.system,
        "name": crew.name,
        "traits": crew.traits,
        "members": members,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def as_text(crew: WrittenCrew) -> str:
    """The crew for people: a heading, then a paragraph for each member."""
    lines = [f"Crew: {crew.name}", f"Game: {crew.system}"]
    lines += [f"{key.capitalize()}: {value}" for key, value in crew.traits.items() if value]
    for one in crew.members:
        lines += ["", f"Member: {one.name}"]
        lines += ["  leader: yes"] if one.leader else []
        lines += [f"  {key}: {value}" for key, value in one.words.items() if value]
        lines += [f"  points: {one.points}"] if one.points is not None else []
        lines += [f"  note: {one.note}"] if one.note else []
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------- reading


def read(text: str) -> WrittenCrew:
    """A crew in either form. Raises InvalidInput for what is neither."""
    if len(text) > MAX_CHARACTERS:
        raise InvalidInput(f"A written crew has at most {MAX_CHARACTERS // 1000},000 characters.")
    if "\0" in text:
        raise InvalidInput("That is no text: it has characters that no text has.")
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        return _read_json(text.lstrip("\ufeff"))
    return _read_text(text.lstrip("\ufeff"))


def _read_json(text: str) -> WrittenCrew:
    if _depth(text) > DEEPEST:
        raise InvalidInput("The file is nested too deeply for a crew.")
    try:
        whole = json_values(text)
    except (ValueError, RecursionError) as error:
        where = f" in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(f"The JSON cannot be read: something is wrong{where}.") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise InvalidInput(f'That JSON is no crew: it needs "format": "{FORMAT}".')
    if whole.get("version") != VERSION:
        raise InvalidInput(f"This crew was written by another version: {VERSION} can be read.")
    crew = WrittenCrew()
    known = {"format": str, "version": int, "game": str, "name": str, "traits": dict, "members": list}
    crew.wrong += _strange(whole, known)
    crew.name, crew.system = _string(whole, "name"), _string(whole, "game")
    traits = whole.get("traits", {})
    if not isinstance(traits, dict) or not all(isinstance(one, str) for one in traits.values()):
        crew.wrong.append('"traits" holds words by key.')
    else:
        crew.traits = traits
    members = whole.get("members", [])
    if not isinstance(members, list) or len(members) > MAX_WRITTEN_MEMBERS:
        raise InvalidInput(f'"members" is a list of at most {MAX_WRITTEN_MEMBERS}.')
    known = {"name": str, "points": int, "leader": bool, "note": str, "profile": dict}
    for place, one in enumerate(members, 1):
        if isinstance(one, dict) and isinstance(one.get("profile"), dict):
            crew.wrong += [f"Member {place}: {line}" for line in _strange(one, known)]
            crew.members.append(_member(one))
        else:
            crew.wrong.append(f'Member {place} has no "profile".')
    return crew


def _depth(text: str) -> int:
    deepest = now = 0
    for letter in text:
        if letter in "{[":
            now += 1
            deepest = max(deepest, now)
        elif letter in "}]":
            now -= 1
    return deepest


def _strange(values: Mapping[str, Any], known: Mapping[str, type]) -> list[str]:
    """The keys that nobody knows, and those whose values are not what they should be, in words."""
    kinds = {str: "a text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}
    unknown = [key for key in values if key not in known]
    found = [f"nobody knows {plain(key, 30)!r}. There are: {', '.join(known)}." for key in unknown]
    for key, kind in known.items():
        if key in values and type(values[key]) is not kind and values[key] is not None:
            found.append(f'"{key}" is {kinds[kind]}.')
    return found


def _string(values: Mapping[str, Any], key: str) -> str:
    found = values.get(key, "")
    return found if isinstance(found, str) else ""


def _member(values: Values) -> WrittenMember:
    points = values.get("points")
    return WrittenMember(
        _string(values, "name"),
        values=values["profile"],
        points=points if isinstance(points, int) and not isinstance(points, bool) else None,
        leader=values.get("leader") is True,
        note=_string(values, "note"),
    )


def _read_text(text: str) -> WrittenCrew:
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise InvalidInput(f"A written crew has at most {MAX_LINES} lines.")
    crew = WrittenCrew()
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, colon, value = line.partition(":")
        key, value = key.strip().casefold(), value.strip()
        if not colon or not key or len(key) > 30:
            crew.wrong.append(f'Line {number} is not of the form "key: value".')
        elif key == "member":
            crew.members.append(WrittenMember(value))
        elif crew.members:
            _said(crew, crew.members[-1], key, value, number)
        elif key in seen:
            crew.wrong.append(f"Line {number}: {key} was said before.")
        elif key in ("crew", "game"):
            seen.add(key)
            crew.name, crew.system = (value, crew.system) if key == "crew" else (crew.name, value)
        else:
            seen.add(key)
            crew.traits[key] = value
    if not crew.name and not crew.members:
        raise InvalidInput("That is no crew. A crew begins with Crew: and its name, then Member: lines.")
    if len(crew.members) > MAX_WRITTEN_MEMBERS:
        raise InvalidInput(f"A crew has at most {MAX_WRITTEN_MEMBERS} members.")
    return crew


def _said(crew: WrittenCrew, member: WrittenMember, key: str, value: str, number: int) -> None:
    if key in member.said:
        crew.wrong.append(f"Line {number}: {key} of {plain(member.name, 32)} was said before.")
        return
    member.said.add(key)
    if key == "leader":
        if value.casefold() not in YES_OR_NO:
            crew.wrong.append(f"Line {number}: leader is yes or no.")
        member.leader = YES_OR_NO.get(value.casefold(), False)
    elif key == "note":
        member.note = value
    elif key == "points":
        if value.isdecimal() and len(value) < 6:
            member.points = int(value)
        else:
            crew.wrong.append(f"Line {number}: points are a number.")
    else:
        member.words[key] = value
