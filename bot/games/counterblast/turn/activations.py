"""The activation that a drawn token is for: who may be chosen, whether it has begun, how it ends.

Used by the bag and by the activation itself, so it knows neither's handlers.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import left_to_act, may_go_on, side_places
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.core.tokens import carried
from bot.games.counterblast.templates.coverage import go_off
from bot.games.counterblast.turn.begins import OVER_AT_END, over, still_owed
from bot.games.counterblast.turn.pair_play import leash_buttons
from bot.games.counterblast.vehicles.vehicle_state import must_drive, owes_move
from bot.replies.reply import Button
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.owners import side_of
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.turn import activation, bag


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """Activate models of the crew whose token was drawn: one, or a group. tokens: order tokens for more."""

    command = "bag.act"
    decision_of = side_of("models")

    models: tuple[int, ...] = ()
    tokens: int = 0


def side_name(encounter: Encounter, place: int) -> str:
    """The name of the side that draws at this place."""
    return encounter.sides()[place].name


def drawn_side(encounter: Encounter, now: bag.Bag) -> int:
    """The side whose token was drawn. Raises Forbidden before a draw. Rules: CB-BAG-03."""
    if now.drawn is None:
        raise Forbidden("Draw a token first.", "CB-BAG-03")
    return side_places(encounter)[now.drawn]


def active(encounter: Encounter) -> tuple[Fighter, ...]:
    """The models that are being activated."""
    return tuple(model for model in fighters(encounter) if model.has(Condition.ACTIVE))


def acting_on(encounter: Encounter) -> tuple[Fighter, ...]:
    """Those of them that have not finished: of a group, once another one has begun. Rules: CB-ACT-06."""
    return tuple(model for model in active(encounter) if may_go_on(encounter, model))


def to_act(encounter: Encounter) -> tuple[Fighter, ...]:
    """Who of them has actions left; where nobody has, all who have not finished, or who are activated."""
    going_on = acting_on(encounter)
    return tuple(one for one in going_on if activation.actions_left(one)) or going_on or active(encounter)


def unfinished(encounter: Encounter) -> list[Fighter]:
    """Who is activated and could still take an action. Rules: CB-ACT-01."""
    return [
        model
        for model in acting_on(encounter)
        if any(activation.ACTION[key].cost for key in activation.choices(model))
    ]


def require_done(act: Act) -> None:
    """An activation with actions left is ended by who plays it. Raises NotAllowed. Rules: CB-BAG-04."""
    busy = unfinished(act.encounter)
    if busy:
        side = act.encounter.side(busy[0].side)
        act.require(act.plays_on(side.id), f"{busy[0].name} still acts: {side.name} end it with Done.")


def require_driven(act: Act) -> None:
    """A vehicle In Motion travels before its activation ends. Raises Forbidden. Rules: CB-VEH-10."""
    turn = act.encounter.row.turn
    still = [
        model
        for model in active(act.encounter)
        if must_drive(act.encounter.model(model.id), model, turn)
        if activation.actions_left(model) or owes_move(act.encounter.model(model.id), turn)
    ]
    if still:
        name, mv = still[0].name, still[0].profile.mv
        forbid(f"{name} is In Motion: /vehicle drive, {mv} in or more.", "CB-VEH-10")


def ended_activation(encounter: Encounter, model: Fighter) -> None:
    """A model has acted: what lasts until then is over, its bombs go off. Rules: CB-COND-07, CB-GEAR-51."""
    carried(encounter, activation.end_activation(model))
    over(encounter, model, OVER_AT_END)
    go_off(encounter, encounter.model(model.id))


def next_drawer(encounter: Encounter, now: bag.Bag) -> int:
    """The place that draws once everybody who is active is done: an activation that no token began, by hand
    and between two draws, hands no draw on.

    Rules: CB-BAG-04.
    """
    return now.drawer if now.drawn is None else bag.pass_on(now, left_to_act(encounter)).drawer


def finish(encounter: Encounter, now: bag.Bag) -> tuple[bag.Bag, list[str], tuple[Button, ...]]:
    """End the activation of everybody who is active and hand the draw on, if a token began it; with what is
    still to be done.

    Rules: CB-BAG-04, CB-COND-07.
    """
    done = active(encounter)
    for model in done:
        ended_activation(encounter, model)
    after = now if now.drawn is None else bag.pass_on(now, left_to_act(encounter))
    names = ", ".join(model.name for model in done)
    said = f"{names}: done." if names else "Done."
    lines = [said, *(line for model in done for line in still_owed(encounter, model))]
    return after, lines, leash_buttons(encounter, done)
