"""How a game stands, as values for the page: what anybody may know, and nothing that one side hides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ModelStanding:
    """One model. life: what it has left, of most (0 where that is not known); stats: its statblock.

    words: its Life and conditions as the game says them. lost: how it left play, empty if it did not.
    """

    name: str
    life: int
    most: int
    words: str
    stats: tuple[str, ...]
    is_acting: bool = False
    has_acted: bool = False
    lost: str = ""


@dataclass(frozen=True, slots=True)
class SideStanding:
    """One side. number: its place among the colours and shapes, from 1. tokens: what it has in the bag."""

    number: int
    name: str
    players: tuple[str, ...]
    user_ids: tuple[int, ...]
    models: tuple[ModelStanding, ...]
    tokens: int
    is_next: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the board, and what it shows in words."""

    data: bytes
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The board in inches as one person may see it. svg: the drawing; lines: the models' places in words.

    People who see the same are given the same one.

    own: the numbers of the models that this person plays, each with the inches of its usual moves; acting:
    those of the models that act now; notes: the lines that place what this person has hidden, by its number,
    which is below 0, placed already or not; pictured: a photograph lies under it; begun: models
    move as their game has it, and are not only placed.
    """

    svg: str
    lines: tuple[str, ...]
    own: Mapping[int, Sequence[float]] = field(default_factory=dict)
    acting: tuple[int, ...] = ()
    pictured: bool = False
    begun: bool = True
    notes: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlannedRoute:
    """A route on the board before it is sent.

    barred: why the model can't go that way at all. label, line: the game's own move and the line that makes
    it. refused: why the game allows none. All are empty if the model would only be moved on the board. told:
    what is worth knowing before it is sent. paces: the inches of the model's moves over the terrain of this
    route, the shortest first.
    """

    barred: str = ""
    label: str = ""
    line: str = ""
    refused: str = ""
    told: str = ""
    paces: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class GameStanding:
    """A game. system: the key of its rules. turn: 0 before it begins; turns: how many, 0 if that is open.

    clock: turn and phase as the game says them. wait: what it waits for, in a sentence. waits_for: the
    people in that sentence.
    """

    system: str
    name: str
    turn: int
    turns: int
    clock: str
    is_over: bool
    wait: str
    sides: tuple[SideStanding, ...]
    board: Picture | None = None
    ground: Ground | None = None
    waits_for: tuple[int, ...] = ()

    @property
    def bag(self) -> int:
        """Return how many tokens are in the bag."""
        return sum(side.tokens for side in self.sides)


@dataclass(frozen=True, slots=True)
class Control:
    """The effect of a button. for_all: everyone may need it at any time.

    joins: it takes a seat in the game. shows_log: it shows the log.
    """

    for_all: bool = False
    joins: bool = False
    shows_log: bool = False


class Look(Protocol):
    """Looks at the game of a channel: the one that runs, or was the last one there."""

    def control(self, custom_id: str) -> Control:
        """Return what a button does, by its id."""
        ...

    def pointed(self, custom_id: str, field: str) -> str:
        """Return how a form's field is pointed out on the board: "route", "spot", "spots", or not at all."""
        ...

    async def standing(self, channel_id: int) -> GameStanding | None:
        """Return how it stands, as anybody may know; None where there is none."""
        ...

    async def ground(self, channel_id: int, user_id: int) -> Ground | None:
        """Return its board in inches as this person may see it; None where there is none."""
        ...

    async def photo(self, channel_id: int, digest: str) -> bytes:
        """Return the photograph under its board by its hash, as JPEG; empty if it isn't there."""
        ...

    async def route(
        self, channel_id: int, user_id: int, model: int, where: str, level: float
    ) -> PlannedRoute:
        """Return what it would be if this person moved a model like that, up to a level unless it is 0."""
        ...
