"""A Crew Card: the profile of a figure, its text and JSON forms, and the figure in play."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from rules.json_text import json_values
from rules.refusals import InvalidInput
from rules.systems.fracd_earth.weapons import VERSUS, Versus, Weapon, read_rank, read_weapon

Trait = Literal["cast", "def", "fight", "manv", "shoot"]
Rank = Literal["figure", "henchman", "minion"]

TRAITS: tuple[Trait, ...] = get_args(Trait)
RANKS: tuple[Rank, ...] = get_args(Rank)
BASIC_MOVE = 6
MAX_TRAIT = 30

PRONE = "prone"
INACTIVE = "inactive"
STUNNED = "stunned"
RESTRAINED = "restrained"
HIDDEN = "hidden"
WAIT = "wait"
REDRAW = "redraw"
PENALTY = "penalty "
LESS = "less "
"""Conditions. "penalty fight" takes draw cards away, "less fight" points; "penalty all" counts always."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill of the Crew Card: rank 0 to 3, and the points printed after it, -30 to 30.

    Rules: FE-MOD-01, FE-MOD-02.
    """

    name: str
    rank: int
    points: int = 0

    def __post_init__(self) -> None:
        if not 1 <= len(self.name) <= 40 or not 0 <= self.rank <= 3 or abs(self.points) > MAX_TRAIT:
            raise InvalidInput(
                'A skill needs a name of up to 40 characters and a rank from "-" to "[+ + +]". '
                f"Its points must be between -{MAX_TRAIT} and {MAX_TRAIT}."
            )


@dataclass(frozen=True, slots=True)
class CrewEffect:
    """A Special Ability or Power Effect of the Crew Card that changes a skill, Attribute or trait.

    `kind` groups effects for the Stacking rule; `target` is the skill, Attribute or trait named; `marks` are
    draw cards, -3 to 3, `points` are -30 to 30. Rules: FE-MOD-03.
    """

    title: str
    kind: str
    target: str
    marks: int = 0
    points: int = 0

    def __post_init__(self) -> None:
        words = (self.title, self.kind, self.target)
        if any(not 1 <= len(word) <= 40 for word in words) or abs(self.marks) > 3 or abs(self.points) > 30:
            raise InvalidInput(
                "An effect needs a title, a kind and a target, each with at most 40 characters. "
                "Its marks must be between -3 and 3, and its points between -30 and 30."
            )


@dataclass(frozen=True, slots=True)
class Profile:
    """The Crew Card of one figure. Raises InvalidInput outside these bounds.

    `size` is 0 to 20, a human about 4; `move_inches` 1 to 40; `capacity` are damage points, 1 to 99;
    `second_capacity` those of the second track, 0 for none. `traits` hold Cast, Def, Fight, Manv and Shoot,
    `resists` Acts, Body, Mind, Soul and the armours dp and de, each 0 to 30. `surge_ranks` are Meta-Speed
    ranks, 0 to 20; `build` the build total.
    Rules: FE-MOD-02, FE-MOV-01, FE-META-01, FE-PRO-07, FE-CREW-01, FE-CREW-02.
    """

    name: str
    rank: Rank = "figure"
    size: int = 4
    move_inches: int = BASIC_MOVE
    capacity: int = 10
    second_capacity: int = 0
    traits: tuple[tuple[Trait, int], ...] = ()
    resists: tuple[tuple[Versus, int], ...] = ()
    skills: tuple[Skill, ...] = ()
    effects: tuple[CrewEffect, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    surge_ranks: int = 0
    build: int = 0

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.strip()) <= 40 or "\n" in self.name:
            raise InvalidInput("A figure's name must have 1 to 40 characters.")
        if self.rank not in RANKS:
            raise InvalidInput(f"A figure's rank must be one of {', '.join(RANKS)}.")
        self._within("Size", self.size, 0, 20)
        self._within("Move", self.move_inches, 1, 40)
        self._within("Capacity", self.capacity, 1, 99)
        self._within("The second capacity", self.second_capacity, 0, 99)
        self._within("Surge ranks", self.surge_ranks, 0, 20)
        self._within("Build", self.build, 0, 999)
        for name, value in (*self.traits, *self.resists):
            if name not in (*TRAITS, *VERSUS):
                raise InvalidInput(f"There is no trait called {name!r}.")
            self._within(name.title(), value, 0, MAX_TRAIT)
        for kind in ("traits", "resists", "skills", "effects", "weapons"):
            if len(getattr(self, kind)) > 20:
                raise InvalidInput(f"Shorten the list of {kind}. A Crew Card can have at most 20.")

    def _within(self, noun: str, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            raise InvalidInput(f"{noun} must be between {low} and {high} (you entered {value}).")

    def trait(self, name: str) -> int:
        """Return the value of a trait, Attribute or armour; 0 if the card has none. Rules: FE-MOD-02."""
        return dict[str, int]((*self.traits, *self.resists)).get(name, 0)

    def skill(self, name: str) -> Skill | None:
        """Return the skill of that name, or None."""
        skill_name = name.casefold()
        return next((skill for skill in self.skills if skill.name.casefold() == skill_name), None)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure in play. `conditions` are kinds with their grade; `damage` and `second_damage` points lost;
    `sustained` counts ongoing power effects it maintains.
    """

    id: int
    side: int
    profile: Profile
    damage: int = 0
    second_damage: int = 0
    conditions: frozenset[tuple[str, int]] = field(default_factory=frozenset)
    sustained: int = 0

    @property
    def name(self) -> str:
        """Return the figure's name."""
        return self.profile.name

    def has(self, kind: str) -> bool:
        """Return whether it is under that condition."""
        return any(name == kind for name, _ in self.conditions)

    def grade(self, kind: str) -> int:
        """Return the condition's grade, 0 without it."""
        return max((value for name, value in self.conditions if name == kind), default=0)


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
    """Return the card as lines `key: value`."""
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
    """Return a card typed as lines `key: value`. Raises InvalidInput that names the line."""
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"Shorten the Crew Card to at most {MAX_TEXT} characters.")
    given: dict[str, Any] = {}
    lists: dict[str, list[Any]] = {"skills": [], "effects": [], "weapons": []}
    for line in filter(str.strip, text.splitlines()):
        key, colon, value = line.partition(":")
        key, value = " ".join(key.casefold().split()), value.strip()
        if not colon:
            raise InvalidInput(f'Write each line as "key: value" ({line.strip()[:40]!r} has no colon).')
        if key in _LISTED:
            name, read = _LISTED[key]
            lists[name].append(read(value))
            continue
        name, parsed = _single(key, value)
        if name in given:
            raise InvalidInput(f'Write the line "{key}" only once.')
        given[name] = parsed
    if "name" not in given:
        raise InvalidInput('Begin the Crew Card with a line such as "name: Vale".')
    given |= {name: tuple(values) for name, values in lists.items()}
    return Profile(**given)


def _single(key: str, value: str) -> tuple[str, Any]:
    if key == "name":
        return "name", value
    if key == "rank":
        return "rank", next((rank for rank in RANKS if rank == value.casefold()), value)
    if key in _NUMBERS:
        if not (value.isascii() and value.isdecimal() and len(value) <= 4):
            raise InvalidInput(f"{key.capitalize()} must be a number (you entered {value[:20]!r}).")
        return _NUMBERS[key], int(value)
    if key == "traits":
        return "traits", _read_pairs(value, TRAITS)
    if key == "resists":
        return "resists", _read_pairs(value, VERSUS)
    raise InvalidInput(f"Remove {key[:30]!r}. A Crew Card has no such line.")


def _read_pairs(text: str, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    pairs: dict[str, int] = {}
    for part in text.split(","):
        match = _PAIR.fullmatch(part.strip())
        if match is None or match[1].casefold() not in names or match[1].casefold() in pairs:
            raise InvalidInput(
                f"Write a list such as `{names[0]} 5, {names[1]} 3`, with each name only once "
                f"(you wrote {part.strip()[:20]!r}). The names are {', '.join(names)}."
            )
        pairs[match[1].casefold()] = int(match[2])
    return tuple(pairs.items())


def _read_skill(text: str) -> Skill:
    match = _SKILL.fullmatch(text)
    if match is None:
        raise InvalidInput('Write a skill like "Notice [+ +] +3".')
    return Skill(match[1].strip(), read_rank(match[2]), int(match[3] or 0))


def _read_effect(text: str) -> CrewEffect:
    parts = [part.strip() for part in text.split("//")]
    if len(parts) != 5 or not all(re.fullmatch(r"[+-]?[0-9]{1,2}", part) for part in parts[3:]):
        raise InvalidInput('Write an effect like "Keen Eye // sight // Shoot // +1 // +0".')
    return CrewEffect(parts[0], parts[1], parts[2], int(parts[3]), int(parts[4]))


_LISTED: dict[str, tuple[str, Callable[[str], Any]]] = {
    "skill": ("skills", _read_skill),
    "effect": ("effects", _read_effect),
    "weapon": ("weapons", read_weapon),
}


def write_json(profile: Profile) -> str:
    """Return the card as JSON: the same fields, weapons as their lines."""
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
    """Return a card from JSON. Raises InvalidInput for anything else."""
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"Shorten the Crew Card to at most {MAX_TEXT} characters.")
    try:
        given = json_values(text)
    except (ValueError, RecursionError):
        raise InvalidInput("This isn't valid JSON. Check the quotes, commas and braces.") from None
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        raise InvalidInput("A Crew Card in JSON must be an object with a name.")
    unknown = sorted(set(given) - {field.name for field in fields(Profile)})
    if unknown:
        raise InvalidInput(f"Remove {unknown[0][:30]!r}. A Crew Card has no such field.")
    values: dict[str, Any] = {}
    for name, value in given.items():
        values[name] = _from_json(name, value)
    return Profile(**values)


def _from_json(name: str, value: Any) -> Any:
    if name in ("name", "rank"):
        return _typed(f'"{name}"', value, str)
    if name in _NUMBERS.values():
        return _typed(f'"{name}"', value, int)
    if name in ("traits", "resists"):
        names: tuple[str, ...] = TRAITS if name == "traits" else VERSUS
        pairs = _typed(f'"{name}"', value, dict).items()
        if any(key not in names for key, _ in pairs):
            raise InvalidInput(f'"{name}" can contain only {", ".join(names)}.')
        return tuple((key, _typed(f'"{key}"', number, int)) for key, number in pairs)
    rows = _typed(f'"{name}"', value, list)
    if name == "weapons":
        return tuple(read_weapon(_typed("A weapon", row, str)) for row in rows)
    kinds = (str, int, int) if name == "skills" else (str, str, str, int, int)
    factory = Skill if name == "skills" else CrewEffect
    return tuple(factory(*_row(name, row, kinds)) for row in rows)


def _row(name: str, row: Any, kinds: tuple[type, ...]) -> list[Any]:
    if not isinstance(row, list) or len(row) != len(kinds):
        raise InvalidInput(f'Each row of "{name}" needs {len(kinds)} entries.')
    return [
        _typed(f'Entry {place} in each row of "{name}"', value, kind)
        for place, (value, kind) in enumerate(zip(row, kinds, strict=True), 1)
    ]


def _typed(name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        words = {str: "text", int: "a whole number", dict: "an object", list: "a list"}
        raise InvalidInput(f"{name} must be {words[kind]}.")
    return value
