"""Command: command distance, orders out of turn, actions, and the turn of alternating units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from rules.effects import Assign, Count, Effect, Lose, Propose
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.warzone.model import (
    ACTIONS,
    LOST_ACTIONS,
    NON_MOVES,
    ORDERS_GIVEN,
    SYSTEM_HITS,
    Condition,
    Model,
    Squad,
)
from rules.systems.warzone.morale import MOVES, Act, check_may_act
from rules.systems.warzone.settings import Settings
from rules.wording import times

_DISTANCES = (("force_commander", 10), ("officer", 8), ("individual", 8), ("leader", 6))
SNIPER_EXTRA = 4
FLYER_INCHES = 6


def command_distance(commander: Model, model: Model) -> int | None:
    """Return inches up to which the model is in command of this commander; None for no limit (Para Deploy).

    A commander of no rank commands no one: 0. A model that took over its squad counts as a leader. Rules:
    WZ-CMD-01, WZ-CMD-02.
    """
    if model.profile.has("para_deploy"):
        return None
    inches = rank_distance(commander)
    if model.profile.movement == "flyer":
        inches = min(inches, FLYER_INCHES)
    return inches + SNIPER_EXTRA if model.profile.has("sniper") and inches else inches


def rank_distance(commander: Model) -> int:
    """Return the distance in inches at which a model commands by its rank; 0 if it commands no one.

    Rules: WZ-CMD-01.
    """
    ranks = (inches for rank, inches in _DISTANCES if commander.profile.has(rank))
    return next(ranks, 6 if commander.has(Condition.LEADING) else 0)


def in_command(commander: Model, model: Model, inches: float, altitude_levels: int = 0) -> bool:
    """Return whether the model is in command: base to base, and for a flyer within one altitude level.

    After a System Reboot no one is, including the leader. Rules: WZ-CMD-02, WZ-CMD-03, WZ-AMOK-04.
    """
    if model.has(Condition.REBOOTED):
        return False
    if model.id == commander.id:
        return True
    limit = command_distance(commander, model)
    if limit is None:
        return True
    if model.profile.movement == "flyer" and abs(altitude_levels) > 1:
        return False
    return inches <= limit


def must_return(model: Model, squad: Squad, settings: Settings, *, commanded: bool) -> bool:
    """Return whether the model's next action must take it towards its leader's command distance.

    Not where it is locked in close combat, Broken, or its squad has no leader. Rules: WZ-CMD-04.
    """
    if commanded or settings.out_of_command == "mark_only" or squad.leading is None:
        return False
    return not model.has(Condition.ENGAGED) and not model.broken


def lent_leadership(lender: Model, borrower: Model, inches: float) -> int:
    """Return the LD that a squad's leader may rally on instead of his own.

    inches: from the borrower to the lender, base to base. Raises InvalidInput, Forbidden: a lender is another
    model of the side, awake, of a rank with a command distance, and the borrower stands inside it.
    Rules: WZ-RALLY-07, WZ-CMD-01, WZ-BACK-03.
    """
    if lender.side != borrower.side:
        raise InvalidInput(f"Choose a friend. {lender.name} belongs to another side.")
    if lender.id == borrower.id:
        raise InvalidInput(f"Choose another model. {lender.name} can't lend LD to itself.")
    if lender.has(Condition.UNCONSCIOUS):
        forbid(f"{lender.name} is unconscious, so its LD can't be used.", "WZ-BACK-03")
    rank_inches = rank_distance(lender)
    if not rank_inches:
        forbid(f"{lender.name} has no command distance, so its LD can't be used.", "WZ-RALLY-07")
    elif not in_command(lender, borrower, inches):
        limit = command_distance(lender, borrower)
        forbid(
            (
                f"{borrower.name} is {inches:g} in away from {lender.name}, whose LD can be used only "
                f"within {limit} in."
            ),
            "WZ-RALLY-07",
        )
    return lender.profile.ld


# ---------------------------------------------------------------------------------------------- actions


def begin_activation(model: Model) -> tuple[Effect, ...]:
    """Return the model's actions, less those it lost, never below 0; an unused wait ends.

    The next roll or action is proposed. Rules: WZ-TURN-03, WZ-TURN-04, WZ-WAIT-01, WZ-AMOK-04, WZ-AMOK-05,
    WZ-BROKEN-01, WZ-SYS-06, WZ-UNH-05.
    """
    actions = max(0, model.profile.ac - model.count(LOST_ACTIONS))
    if model.has(Condition.UNCONSCIOUS):
        actions = 0
    ended_conditions = [
        Lose(model.id, kind) for kind in (Condition.WAITING, Condition.LEADING) if model.has(kind)
    ]
    return (
        Assign("model", model.id, ACTIONS, actions),
        Assign("model", model.id, LOST_ACTIONS, 0),
        *ended_conditions,
        *_first_duties(model),
    )


def _first_duties(model: Model) -> list[Effect]:
    duties = (
        (model.has(Condition.REBOOTED), "reboot", "must test LD to use its remaining actions."),
        (model.has(Condition.DERANGED), "derangement", "must roll to see which way it attacks."),
        (model.broken, "flee", "must first move directly away from what broke its morale."),
        (model.count(SYSTEM_HITS.of("cascade")) > 0, "cascade", "must roll for its cascading failures."),
    )
    return [Propose(act, model.id, f"{model.name} {words}") for is_due, act, words in duties if is_due]


Step = Literal["moves", "attacks", "rest"]

STEPS: tuple[Step, ...] = get_args(Step)
"""In what order the models of a squad that act together do what they do."""

_ATTACKS = frozenset({Act.SHOOT, Act.FIGHT, Act.AIM, Act.SPOT, Act.CONCENTRATE, Act.CHANNEL})


def step_of(act: Act) -> Step:
    """Return the step of an act when a squad acts together: preparations go with what they prepare.

    Rules: WZ-TURN-03.
    """
    if act in MOVES or act is Act.BREAK_AWAY:
        return "moves"
    return "attacks" if act in _ATTACKS else "rest"


def spend_actions(model: Model, act: Act, actions: int = 1) -> tuple[Effect, ...]:
    """Spend actions, 1 or more; concentration ends with any act but channelling or concentrating.

    Raises Forbidden where a condition forbids the act or too few actions are left.
    Rules: WZ-TURN-03, WZ-CONC-01, WZ-UNH-04.
    """
    check_may_act(model, act)
    if actions < 1:
        raise InvalidInput("The cost must be at least 1 action.")
    available = model.count(ACTIONS)
    if actions > available:
        raise Forbidden(
            f"{model.name} needs {times(actions, 'action')} to {act} (it has {available}).", "WZ-TURN-03"
        )
    effects: list[Effect] = [Count("model", model.id, ACTIONS, -actions)]
    if act not in MOVES:
        effects.append(Count("model", model.id, NON_MOVES, actions))
    if act not in (Act.CHANNEL, Act.CONCENTRATE) and model.has(Condition.CONCENTRATING):
        effects.append(Lose(model.id, Condition.CONCENTRATING))
    return tuple(effects)


# ------------------------------------------------------------------------------------------- the turn


@dataclass(frozen=True, slots=True)
class Unit:
    """A squad, individual or support in the order of play."""

    id: int
    side: int
    activated: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way. order: sides, the one that starts first. active: units acting now, the innermost
    last (an order puts one unit's activation inside another's). to_move: the side whose round it is.
    """

    number: int
    order: tuple[int, ...]
    units: tuple[Unit, ...]
    to_move: int
    active: tuple[int, ...] = ()

    def unit(self, unit_id: int) -> Unit:
        """Return a unit by its id. Raises InvalidInput."""
        for unit in self.units:
            if unit.id == unit_id:
                return unit
        raise InvalidInput("There is no unit with this name in the game.")

    def left(self, side: int) -> tuple[int, ...]:
        """Return units of a side not activated yet."""
        return tuple(unit.id for unit in self.units if unit.side == side and not unit.activated)

    @property
    def over(self) -> bool:
        """Return whether every unit has been activated and none is acting. Rules: WZ-TURN-02."""
        return not self.active and all(unit.activated for unit in self.units)


def initiative_bases(models: tuple[Model, ...], sides: tuple[int, ...]) -> tuple[int, ...]:
    """Return the best LD on the table of every side, for `characteristic.contest`. Rules: WZ-TURN-01."""
    return tuple(
        max((model.profile.ld for model in models if model.side == side), default=0) for side in sides
    )


def start_turn(
    number: int,
    sides: tuple[int, ...],
    units: tuple[Unit, ...],
    winner: int,
    settings: Settings,
    first: int | None = None,
) -> Turn:
    """Return a new turn in which no one has been activated. sides: in seating order. winner: the side with
    the initiative.

    first: the starting side, if the settings leave that to the winner; otherwise it is the winner. Raises
    InvalidInput, Forbidden. Rules: WZ-TURN-01, WZ-TURN-02.
    """
    if winner not in sides or (first is not None and first not in sides):
        raise InvalidInput("That side isn't in this game.")
    if first not in (None, winner) and not settings.initiative_choice:
        raise Forbidden("The side that won the initiative goes first.", "WZ-TURN-02")
    place = sides.index(winner if first is None else first)
    order = sides[place:] + sides[:place]
    reset_units = tuple(replace(unit, activated=False) for unit in units)
    turn = Turn(number, order, reset_units, order[0])
    return turn if turn.left(order[0]) else replace(turn, to_move=_next_side(turn))


def activate(turn: Turn, unit_id: int) -> Turn:
    """Begin the round of a side's unit. Raises Forbidden. Rules: WZ-TURN-02."""
    unit = turn.unit(unit_id)
    if turn.active:
        raise Forbidden("End the activation of the active unit first.", "WZ-TURN-02")
    _check_not_activated(unit)
    if unit.side != turn.to_move:
        raise Forbidden("Wait. It's the other side's turn to activate a unit.", "WZ-TURN-02")
    return replace(turn, active=(unit_id,))


def order_unit(turn: Turn, commander: Model, unit_id: int) -> tuple[Turn, tuple[Effect, ...]]:
    """Activate a unit by a Commander out of turn, once per turn; the action is spent with `spend_actions`.

    Raises Forbidden. Rules: WZ-ORDER-01.
    """
    check_may_act(commander, Act.ORDER)
    unit = turn.unit(unit_id)
    if not commander.profile.has("commander"):
        raise Forbidden(f"{commander.name} doesn't have the Commander ability.", "WZ-ORDER-01")
    if commander.count(ORDERS_GIVEN):
        raise Forbidden(f"{commander.name} has already given an order this turn.", "WZ-ORDER-01")
    if unit.side != commander.side:
        raise Forbidden("Choose a friendly unit. You can't give orders to enemy units.", "WZ-ORDER-01")
    if not turn.active or commander.squad != turn.active[-1]:
        raise Forbidden(f"{commander.name} can give orders only during its own activation.", "WZ-ORDER-01")
    if unit_id in turn.active:
        raise Forbidden("Choose another unit. That one is already active.", "WZ-ORDER-01")
    _check_not_activated(unit)
    return replace(turn, active=(*turn.active, unit_id)), (Count("model", commander.id, ORDERS_GIVEN, 1),)


def finish_activation(turn: Turn) -> Turn:
    """End the acting unit's round; sides alternate, and one without units left is skipped.

    After a unit that acted by order the one that ordered it goes on. Raises Forbidden. Rules: WZ-TURN-02.
    """
    if not turn.active:
        raise Forbidden("No unit is active. Activate one first.", "WZ-TURN-02")
    finished_id = turn.active[-1]
    units = tuple(replace(unit, activated=True) if unit.id == finished_id else unit for unit in turn.units)
    next_turn = replace(turn, units=units, active=turn.active[:-1])
    return next_turn if next_turn.active else replace(next_turn, to_move=_next_side(next_turn))


def remove_unit(turn: Turn, unit_id: int) -> Turn:
    """Remove a unit from the table. Rules: WZ-TURN-02."""
    units = tuple(unit for unit in turn.units if unit.id != unit_id)
    active = tuple(active_id for active_id in turn.active if active_id != unit_id)
    new_turn = replace(turn, units=units, active=active)
    own_round_ended = bool(turn.active) and not active
    if own_round_ended or (not active and not new_turn.left(new_turn.to_move)):
        return replace(new_turn, to_move=_next_side(new_turn))
    return new_turn


def _next_side(turn: Turn) -> int:
    place = turn.order.index(turn.to_move)
    sides_in_order = turn.order[place + 1 :] + turn.order[: place + 1]
    return next((side for side in sides_in_order if turn.left(side)), turn.to_move)


def _check_not_activated(unit: Unit) -> None:
    if unit.activated:
        raise Forbidden("Choose another unit. That one has already acted this turn.", "WZ-TURN-02")
