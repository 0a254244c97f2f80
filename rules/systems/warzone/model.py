"""Models and squads in play as the rules see them: frozen views, and how long their conditions last.

Owns the words for conditions and counters. The table keeps the state and builds these views from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from rules.counters import AnyCounter, CounterName, PerNumber, PerWord
from rules.effects import Assign, Effect, Lose
from rules.systems.warzone.profile import Profile

Moment = Literal["activation", "turn", "game"]


class Condition(StrEnum):
    """The conditions of a model, and the values that some of them have.

    AIMING: the target's id. WAITING: actions kept. The three results of the unhinged chart come on top of
    BROKEN. CHARGED: it charged in this activation and the bonus is not yet used. LEADING: it leads its squad
    in place of the one who did. RECKLESS, WRACKED, BLINDED: results of the rampage table. IN_DIRE: the
    highest level of a Dire effect in whose area it stands.
    """

    MINIMIZED = "minimized"
    PRONE = "prone"
    PANICKED = "panicked"
    BROKEN = "broken"
    CRIPPLING_FEAR = "crippling_fear"
    REGRESSION = "forced_regression"
    DERANGED = "derangement"
    FUMBLED = "fumbled"
    AIMING = "aiming"
    CONCENTRATING = "concentrating"
    WAITING = "waiting"
    CONCEALED = "concealed"
    ENGAGED = "engaged"
    CHARGED = "charged"
    MOVED = "moved"
    CLIMBING = "climbing"
    UNCONSCIOUS = "unconscious"
    SCRAMBLED = "mind_scramble"
    RECOGNITION_FAULT = "recognition_fault"
    REBOOTED = "system_reboot"
    LEADING = "leading"
    RECKLESS = "reckless"
    WRACKED = "wracked"
    BLINDED = "blinded"
    IN_DIRE = "in_dire"


UNHINGED = (Condition.CRIPPLING_FEAR, Condition.REGRESSION, Condition.DERANGED)
"""The results of the unhinged chart that stay with a model."""

DURATIONS: dict[Condition, Moment] = {
    Condition.AIMING: "activation",
    Condition.CONCENTRATING: "activation",
    Condition.CHARGED: "activation",
    Condition.MOVED: "activation",
    Condition.RECOGNITION_FAULT: "activation",
    Condition.REBOOTED: "activation",
    Condition.BLINDED: "activation",
    Condition.SCRAMBLED: "turn",
    Condition.RECKLESS: "turn",
}
"""The moment at which some conditions end; all others last until something ends them."""

ACTIONS = CounterName("actions")
"""Counter of a model: actions left in its activation."""
LOST_ACTIONS = CounterName("lost_actions")
"""Counter of a model: actions it loses in its next activation."""
NON_MOVES = CounterName("non_moves")
"""Counter of a model: actions other than moves that it took in this turn."""
ATTACKS = CounterName("attacks")
"""Counter of a model: attacks it made in this activation."""
RALLY = PerNumber("rally.")
"""Counters of the encounter: rally attempts for a squad in this turn, by squad."""
ORDERS_GIVEN = CounterName("ordered")
"""Counter of a model: units it activated out of turn in this turn."""
WAKE_ATTEMPTS = CounterName("wakings")
"""Counter of a model: its attempts to wake up in this turn."""
SYSTEM_HITS = PerWord("system.")
"""Counters of a vehicle: hits, by location."""
SPOT_ATTEMPTS = PerNumber("spot.")
"""Counters of a model: its attempts to spot, by target."""
SPOTTED_BY = PerNumber("spotted.")
"""Counters of a concealed model: who spotted it, by the unit that may act on it."""

_TURN_COUNTERS = (NON_MOVES, ORDERS_GIVEN, WAKE_ATTEMPTS)


@dataclass(frozen=True, slots=True)
class Model:
    """A model in play. damage: wounds lost. conditions: (Condition, value). counters: (key, number).

    id, side and squad are the table's own. Rules: WZ-STAT-01, WZ-DMG-04.
    """

    id: int
    name: str
    side: int
    squad: int
    profile: Profile
    damage: int = 0
    conditions: frozenset[tuple[str, int]] = frozenset()
    counters: frozenset[tuple[AnyCounter, int]] = frozenset()

    def has(self, *conditions: Condition) -> bool:
        """Return whether the model is under one of these conditions."""
        return any(kind in conditions for kind, _ in self.conditions)

    def value(self, condition: Condition) -> int:
        """Return the value of a condition; 0 without it."""
        return dict(self.conditions).get(condition, 0)

    def count(self, key: AnyCounter) -> int:
        """Return the number of a counter; 0 before its first use."""
        return dict(self.counters).get(key, 0)

    @property
    def wounds_left(self) -> int:
        """Return the wounds until it is removed, 0 or more."""
        return max(0, self.profile.wd - self.damage)

    @property
    def vehicle(self) -> bool:
        """Return whether it is a vehicle."""
        return self.profile.has("vehicle")

    @property
    def unhinged(self) -> Condition | None:
        """Return its result of the unhinged chart, if it is Unhinged. Rules: WZ-UNH-01."""
        return next((condition for condition in UNHINGED if self.has(condition)), None)

    @property
    def broken(self) -> bool:
        """Return whether it is Broken; an Unhinged model still is. Rules: WZ-UNH-01."""
        return self.has(Condition.BROKEN, *UNHINGED)

    @property
    def panicked(self) -> bool:
        """Return whether it is Panicked and no worse."""
        return self.has(Condition.PANICKED) and not self.broken


@dataclass(frozen=True, slots=True)
class Squad:
    """A unit in play: its living models, how many it started with, and its leader (None: no leader)."""

    id: int
    name: str
    side: int
    starting: int
    models: tuple[Model, ...]
    leader: int | None = None

    @property
    def lost(self) -> int:
        """Return the models eliminated so far."""
        return self.starting - len(self.models)

    @property
    def leading(self) -> Model | None:
        """Return the leader, if he is alive; a model that took over by a System Reboot goes before him."""
        for model in self.models:
            if model.has(Condition.LEADING):
                return model
        return next((model for model in self.models if model.id == self.leader), None)

    @property
    def tester(self) -> Model:
        """Return the model that rolls for the squad: its leader or, without one, the model with the best
        LD.

        Raises ValueError for a squad without models. Rules: WZ-TEST-06.
        """
        return self.leading or max(self.models, key=lambda model: model.profile.ld)


def expire(model: Model, moment: Moment) -> tuple[Effect, ...]:
    """Return what ends for a model with its activation or the turn. Rules: WZ-TURN-04, WZ-RALLY-05."""
    ended_conditions = [
        Lose(model.id, condition)
        for condition, duration in DURATIONS.items()
        if model.has(condition) and duration == moment
    ]
    keys = _TURN_COUNTERS if moment == "turn" else (ACTIONS, ATTACKS)
    reset_counters = [Assign("model", model.id, key, 0) for key in keys if model.count(key)]
    return (*ended_conditions, *reset_counters)
