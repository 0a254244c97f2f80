"""A Crew Card: the frozen profile of a figure, its text and JSON forms, and the figure in play.

Owns `Profile` with its bounds, and `Figure`, the view of a figure that the other modules read. It decides
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from rules.refusals import InvalidInput
from rules.systems.fracd_earth.weapons import VERSUS, Versus, Weapon

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
            raise InvalidInput("A skill has a name, a rank from - to [+ + +] and points up to 30.")


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
                "An ability has a title, a kind, what it changes, up to 3 marks, up to 30 points."
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
            raise InvalidInput("A figure's name has 1 to 40 letters.")
        if self.rank not in RANKS:
            raise InvalidInput(f"A figure is one of {', '.join(RANKS)}.")
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
        for values in (self.traits, self.resists, self.skills, self.effects, self.weapons):
            if len(values) > 20:
                raise InvalidInput("A Crew Card lists at most 20 of each kind.")

    def _within(self, what: str, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            raise InvalidInput(f"{what} is {low} to {high}, not {value}.")

    def trait(self, name: str) -> int:
        """The value of a trait, Attribute or armour; 0 where the card has none. Rules: FE-MOD-02."""
        return dict[str, int]((*self.traits, *self.resists)).get(name, 0)

    def skill(self, name: str) -> Skill | None:
        """The skill of that name, or None."""
        wanted = name.casefold()
        return next((skill for skill in self.skills if skill.name.casefold() == wanted), None)


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
        """The figure's name."""
        return self.profile.name

    def has(self, kind: str) -> bool:
        """Whether it is under that condition."""
        return any(name == kind for name, _ in self.conditions)

    def grade(self, kind: str) -> int:
        """The condition's grade, 0 without it."""
        return max((value for name, value in self.conditions if name == kind), default=0)
