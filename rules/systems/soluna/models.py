"""A model in play, as the rules see it: its profile, what it has lost, its conditions and counters.

Owns the names of conditions and counters and the present values; the table keeps the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.counters import AnyCounter, CounterNames, PerNumber, PerWord
from rules.effects import Assign, Count, Effect
from rules.systems.soluna.board import Piece
from rules.systems.soluna.geometry import Facing, Point
from rules.systems.soluna.profile import Profile


class Condition(StrEnum):
    """States of a model. The value of `grappled` is the id of the model that holds it."""

    PRONE = "prone"
    GRAPPLED = "grappled"
    UNCONSCIOUS = "unconscious"
    BLINDED = "blinded"
    LIT = "lit"


class Counter(CounterNames):
    """Numbers kept for a model; all stand at 0 before their first use.

    Phases are counted from the start of the game (`phases.Clock.count`).
    """

    POINTS = "cp"
    FORCED = "forced"
    TURN = "acted_turn"
    ACTED = "acted_phase"
    DOING = "doing"
    WEAPON = "weapon_used"
    MOVED = "moved_phase"
    RUN = "run"
    SPENT = "speed_spent"


LOST = PerWord("lost_")
"""Counters of a model: the points that a location has lost, by location."""
LOST_ITEM = PerNumber("lost_item_")
"""Counters of a model: the Health that a carried thing has lost, by its place, weapons first, then items."""


@dataclass(frozen=True, slots=True)
class Model:
    """One model: `id` is the table's, `conditions` are (kind, value), `counters` (key, number)."""

    id: int
    name: str
    side: int
    profile: Profile
    conditions: frozenset[tuple[str, int]] = frozenset()
    counters: tuple[tuple[AnyCounter, int], ...] = ()

    def has(self, condition: str) -> bool:
        """Whether the model is under the condition."""
        return condition in [kind for kind, _ in self.conditions]

    def counter(self, key: AnyCounter) -> int:
        """A counter's number; 0 before its first use."""
        for name, number in self.counters:
            if name == key:
                return number
        return 0

    def value(self, location: str) -> int:
        """Present value of a location, never below 0; the Arsenal's is the Health of all that is carried."""
        if location == "arsenal":
            return sum(health for _, health in self.carried())
        return max(0, self.profile.attribute(location) - self.counter(LOST.of(location)))

    def lost(self, location: str) -> int:
        """Points that a location has lost."""
        return min(self.counter(LOST.of(location)), self.profile.attribute(location))

    def carried(self) -> tuple[tuple[str, int], ...]:
        """(name, Health left) of weapons, then items. Rules: SU-GRID-05."""
        return tuple(
            (name, max(0, health - self.counter(LOST_ITEM.of(place))))
            for place, (name, health) in enumerate(self.profile.arsenal())
        )

    def piece(self, square: Point, facing: Facing) -> Piece:
        """The model as it stands on the board, with its Size and present Body."""
        return Piece(self.id, square, facing, self.profile.size, self.value("body"))

    def after(self, effects: tuple[Effect, ...]) -> Model:
        """The model with the counters of these effects changed; conditions are left alone."""
        numbers = dict(self.counters)
        for effect in effects:
            if isinstance(effect, Count | Assign) and (effect.owner, effect.id) == ("model", self.id):
                old = numbers.get(effect.key, 0) if isinstance(effect, Count) else 0
                numbers[effect.key] = old + (effect.amount if isinstance(effect, Count) else effect.value)
        return Model(self.id, self.name, self.side, self.profile, self.conditions, tuple(numbers.items()))
