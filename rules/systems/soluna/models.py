"""A model in play: its values, conditions and counters, its Combat Points, and its turns and phases."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from rules.counters import AnyCounter, CounterNames, PerNumber, PerWord
from rules.dice import Dice
from rules.effects import Assign, Count, Effect, Lose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Facing, Piece, Point
from rules.systems.soluna.profile import Profile
from rules.systems.soluna.settings import Settings
from rules.wording import times


class Condition(StrEnum):
    """States of a model. The value of `grappled` is the id of the model that holds it."""

    PRONE = "prone"
    GRAPPLED = "grappled"
    UNCONSCIOUS = "unconscious"
    BLINDED = "blinded"
    LIT = "lit"


class Counter(CounterNames):
    """Numbers kept for a model; all are 0 before their first use.

    Phases are counted from the start of the game (`Clock.count`).
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


LOST_POINTS = PerWord("lost_")
"""Counters of a model: the points that a location has lost, by location."""
LOST_ITEM_HEALTH = PerNumber("lost_item_")
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
        """Return whether the model is under the condition."""
        return condition in [kind for kind, _ in self.conditions]

    def counter(self, key: AnyCounter) -> int:
        """Return the number of a counter; 0 before its first use."""
        for name, number in self.counters:
            if name == key:
                return number
        return 0

    def value(self, location: str) -> int:
        """Present value of a location, never below 0; the Arsenal's is the Health of all that is carried."""
        if location == "arsenal":
            return sum(health for _, health in self.carried())
        return max(0, self.profile.attribute(location) - self.counter(LOST_POINTS.of(location)))

    def lost(self, location: str) -> int:
        """Return the points that a location has lost."""
        return min(self.counter(LOST_POINTS.of(location)), self.profile.attribute(location))

    def carried(self) -> tuple[tuple[str, int], ...]:
        """Return (name, Health left) of weapons, then items. Rules: SU-GRID-05."""
        return tuple(
            (name, max(0, health - self.counter(LOST_ITEM_HEALTH.of(place))))
            for place, (name, health) in enumerate(self.profile.arsenal())
        )

    def piece(self, square: Point, facing: Facing) -> Piece:
        """Return the model on the board, with its Size and present Body."""
        return Piece(self.id, square, facing, self.profile.size, self.value("body"))

    def after(self, effects: tuple[Effect, ...]) -> Model:
        """Return the model with the counters of these effects changed; conditions are left alone."""
        numbers = dict(self.counters)
        for effect in effects:
            if isinstance(effect, Count | Assign) and (effect.owner, effect.id) == ("model", self.id):
                old_number = numbers.get(effect.key, 0) if isinstance(effect, Count) else 0
                numbers[effect.key] = old_number + (
                    effect.amount if isinstance(effect, Count) else effect.value
                )
        return Model(self.id, self.name, self.side, self.profile, self.conditions, tuple(numbers.items()))


STILL_PHASES = 5
MAX_TURNS = 1000
TIE_ROLLS = 6


class Doing(IntEnum):
    """The purpose of an activation: the value of the counter `doing`."""

    NOTHING = 0
    MOVE = 1
    ATTACK = 2
    LUNGE = 3
    BREAK_GRAPPLE = 4
    STAND_UP = 5


@dataclass(frozen=True, slots=True)
class Clock:
    """Turn and phase, both from 1. Rules: SU-SEQ-01."""

    turn: int = 1
    phase: int = 1

    def count(self, settings: Settings) -> int:
        """Return phases since the start of the game, this one included."""
        return (self.turn - 1) * settings.phases_per_turn + self.phase

    def next(self, settings: Settings) -> Clock:
        """Return the next phase, after the last one in the next turn. Raises InvalidInput at turn 1000."""
        if self.phase < settings.phases_per_turn:
            return Clock(self.turn, self.phase + 1)
        if self.turn >= MAX_TURNS:
            raise InvalidInput(f"End the game. It can have at most {MAX_TURNS} turns.")
        return Clock(self.turn + 1, 1)


TIE_LABEL = "tie"
"""How the label of a die begins that settles equal Speed; the model's id follows."""


def order(dice: Dice, speeds: tuple[tuple[int, int], ...], settings: Settings) -> tuple[int, ...]:
    """Order of Actions in a phase, higher Speed first, ties by D6, rolled again among those still equal.

    speeds: (model id, Speed) of those that act. After six rolls the order given decides, and at once where
    `action_order` is manual. Rules: SU-SEQ-01.
    """
    if settings.action_order == "manual":
        return tuple(model for model, _ in speeds)
    ordered: list[int] = []
    for speed in sorted({speed for _, speed in speeds}, reverse=True):
        tied = tuple(model for model, own_speed in speeds if own_speed == speed)
        ordered += dice.call(break_tie, tied, TIE_ROLLS)
    return tuple(ordered)


def break_tie(dice: Dice, models: tuple[int, ...], rolls: int) -> tuple[int, ...]:
    """Order models that are equal: each rolls a D6, highest first, again at most `rolls` times in all.

    Rules: SU-SEQ-01.
    """
    if len(models) < 2 or rolls < 1:
        return models
    faces = {model: dice.face(6, f"{TIE_LABEL} {model}") for model in models}
    ordered: list[int] = []
    for face in sorted(set(faces.values()), reverse=True):
        tied_models = tuple(model for model in models if faces[model] == face)
        ordered += dice.call(break_tie, tied_models, rolls - 1) if len(tied_models) > 1 else tied_models
    return tuple(ordered)


def full_points(model: Model, settings: Settings) -> int:
    """Return the Combat Points of a fresh turn. Rules: SU-SEQ-03."""
    return settings.cp_default if model.profile.cp is None else model.profile.cp


def points_left(model: Model, clock: Clock, settings: Settings) -> int:
    """Return Combat Points usable in this phase's Action, renewal included. Rules: SU-SEQ-03."""
    if _is_renewed(model, clock, settings.cp_refresh, settings):
        return full_points(model, settings)
    return model.counter(Counter.POINTS)


def forced_so_far(model: Model, clock: Clock, settings: Settings) -> int:
    """Return the Combat Points forced since the counter was last reset. Rules: SU-CP-02."""
    if _is_renewed(model, clock, settings.forced_cp_reset, settings):
        return 0
    return model.counter(Counter.FORCED)


def _is_renewed(model: Model, clock: Clock, period: str, settings: Settings) -> bool:
    if period == "phase":
        return model.counter(Counter.ACTED) != clock.count(settings)
    return model.counter(Counter.TURN) != clock.turn


def start_or_continue(model: Model, clock: Clock, doing: Doing, settings: Settings) -> tuple[Effect, ...]:
    """Start the model's Action of this phase, or go on with the one it is in.

    Raises Forbidden when the model cannot act, has acted, is grappled, or would move and attack in one
    activation. Effects: points renewed, the Action noted, a run that was interrupted set to 0.
    Rules: SU-SEQ-01, SU-SEQ-02, SU-SEQ-03, SU-SPEED-02, SU-GRID-06, SU-GRAP-03.
    """
    current_count = clock.count(settings)
    _check_able(model, doing)
    if model.counter(Counter.ACTED) == current_count:
        _check_continues(Doing(model.counter(Counter.DOING)), doing)
        return ()
    changes = {
        Counter.POINTS: points_left(model, clock, settings),
        Counter.FORCED: forced_so_far(model, clock, settings),
        Counter.TURN: clock.turn,
        Counter.ACTED: current_count,
        Counter.DOING: int(doing),
        Counter.WEAPON: 0,
        Counter.SPENT: 0,
    }
    run_ended = model.counter(Counter.MOVED) != model.counter(Counter.ACTED)
    if run_ended or doing not in (Doing.MOVE, Doing.LUNGE):
        changes[Counter.RUN] = 0
    return tuple(Assign("model", model.id, key, number) for key, number in changes.items())


def _check_able(model: Model, doing: Doing) -> None:
    if model.value("health") == 0:
        raise Forbidden(f"{model.name} is out of play.", "SU-GRID-07")
    if model.value("mind") == 0 or model.has(Condition.UNCONSCIOUS):
        raise Forbidden(f"{model.name} can't act with Mind 0.", "SU-GRID-06")
    if model.has(Condition.GRAPPLED) and doing is not Doing.BREAK_GRAPPLE:
        raise Forbidden(f"{model.name} is grappled, so it can only break free.", "SU-GRAP-03")
    if doing in (Doing.MOVE, Doing.LUNGE) and model.value("speed") == 0:
        raise Forbidden(f"{model.name} can't move with Speed 0.", "SU-GRID-08")
    if doing is Doing.BREAK_GRAPPLE and not model.has(Condition.GRAPPLED):
        raise Forbidden(f"{model.name} isn't grappled, so it can't break free.", "SU-GRAP-03")


def _check_continues(earlier_doing: Doing, doing: Doing) -> None:
    """Within one Action a model may go on with what it began, as long as that is a move or attacks."""
    if earlier_doing == doing and doing in (Doing.MOVE, Doing.ATTACK, Doing.BREAK_GRAPPLE):
        return
    pair = {earlier_doing, doing}
    if pair == {Doing.MOVE, Doing.ATTACK}:
        raise Forbidden(
            "Wait for the next phase. A model can't both move and attack in one phase, except with a lunge.",
            "SU-SEQ-02",
        )
    if Doing.LUNGE in pair:
        raise Forbidden(
            "Wait for the next phase. A lunge takes the whole activation and can use only one Combat Point.",
            "SU-LUNGE-01",
        )
    raise Forbidden("Wait for the next phase. This model has already acted.", "SU-SEQ-01")


def use_weapon(model: Model, weapon: int) -> tuple[Effect, ...]:
    """Note the weapon of this Action: its place among the profile's weapons, -1 for none.

    Raises Forbidden when the Action already saw another one. Rules: SU-CP-03.
    """
    used_weapon = model.counter(Counter.WEAPON)
    if used_weapon and used_weapon != weapon + 2:
        raise Forbidden("Use the same weapon for the rest of this Action.", "SU-CP-03")
    return (Assign("model", model.id, Counter.WEAPON, weapon + 2),)


def record_move(
    model: Model, squares: int, cost: int, clock: Clock, settings: Settings
) -> tuple[Effect, ...]:
    """Return the effects of a move, with squares and speed points of 0 or more; turning is not a move.

    Rules: SU-SPEED-01, SU-SPEED-02.
    """
    spent_effect = Assign("model", model.id, Counter.SPENT, model.counter(Counter.SPENT) + cost)
    if squares <= 0:
        return (spent_effect,)
    return (
        spent_effect,
        Assign("model", model.id, Counter.MOVED, clock.count(settings)),
        Assign("model", model.id, Counter.RUN, model.counter(Counter.RUN) + squares),
    )


def end_run(model: Model) -> tuple[Effect, ...]:
    """Pass a model's phase: a pause, which ends its run.

    A phase in which it is not due changes nothing. Rules: SU-SPEED-02, SU-SEQ-01.
    """
    return (Assign("model", model.id, Counter.RUN, 0),) if model.counter(Counter.RUN) else ()


def record_placement(model: int, clock: Clock, settings: Settings) -> tuple[Effect, ...]:
    """Note that a model that enters play has just changed square. Rules: SU-SPEED-02."""
    return (Assign("model", model, Counter.MOVED, clock.count(settings)),)


def phases_still(model: Model, clock: Clock, settings: Settings) -> int:
    """Return phases since the model last changed square, this one included, 0 in the phase it moved.

    Rules: SU-SPEED-02, SU-ACC-06.
    """
    return max(0, clock.count(settings) - model.counter(Counter.MOVED))


def stand_up_price(settings: Settings) -> tuple[Doing, int]:
    """Return the price of standing up: an activation, or speed points within a move. Rules: SU-KO-03."""
    if settings.stand_up_cost:
        return Doing.MOVE, settings.stand_up_cost
    return Doing.STAND_UP, 0


def stand_up(model: Model) -> tuple[Effect, ...]:
    """Make the model stand up; see `stand_up_price`. Raises Forbidden. Rules: SU-KO-03."""
    if not model.has(Condition.PRONE):
        raise Forbidden(f"{model.name} is already standing.", "SU-KO-03")
    return (Lose(model.id, Condition.PRONE),)


MAX_ATTACK_COST = 20
FORCED_PENALTY = -2


@dataclass(frozen=True, slots=True)
class Payment:
    """Points paid for one attack: from the purse, forced now, and forced so far this turn, these included."""

    own: int
    forced: int
    forced_so_far: int

    @property
    def modifier(self) -> Modifier | None:
        """Return the effect of forcing on this attack's Accuracy, or None if nothing was forced for it.

        Rules: SU-CP-02, SU-ACC-10.
        """
        if not self.forced:
            return None
        return Modifier(FORCED_PENALTY * self.forced_so_far, "forced Combat Points", "SU-ACC-10")


def pay(points: int, forced_so_far: int, cost: int = 1, *, force: bool = False) -> Payment:
    """Pay an attack: own points first, the rest forced when `force` is set.

    points: Combat Points left; forced_so_far: forced this turn; cost: 1 to 20.
    Raises Forbidden when the points do not suffice. Rules: SU-CP-01, SU-CP-02.
    """
    if not 1 <= cost <= MAX_ATTACK_COST:
        raise InvalidInput(f"An attack must cost 1 to {MAX_ATTACK_COST} Combat Points.")
    own_points = min(points, cost)
    missing_points = cost - own_points
    if missing_points and not force:
        penalty = FORCED_PENALTY * (forced_so_far + missing_points)
        left_text = f"only {points}" if points else "none left"
        raise Forbidden(
            (
                f"You need {times(cost, 'Combat Point')} but have {left_text}. To attack anyway with "
                f"{penalty} Accuracy, force the missing points."
            ),
            "SU-CP-01",
            asks=True,
        )
    return Payment(own_points, missing_points, forced_so_far + missing_points)


def after_payment(model: int, points: int, payment: Payment) -> tuple[Effect, ...]:
    """Return the purse after the attack, hit or miss. Rules: SU-CP-01, SU-CP-02."""
    return (
        Assign("model", model, Counter.POINTS, points - payment.own),
        Assign("model", model, Counter.FORCED, payment.forced_so_far),
    )
