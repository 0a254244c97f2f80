"""Contact: the bot cannot see bases, so players enter it, and both models are marked as engaged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through
from bot.games.counterblast.core.crews import apply_outcome
from bot.games.counterblast.core.fields import anybody
from bot.games.counterblast.state.models import fighter
from bot.games.counterblast.state.sight import forget_sightings
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import either_side_of
from rules.effects import Assign
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.counters import ENGAGED_WITH
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.melee.engagement import engage, opponents


@dataclass(frozen=True, slots=True)
class Engage(Action):
    """Mark whether two models are in contact."""

    command = "cb.engage"
    typed = "cb engage"
    titled = "Mark contact"
    decision_of = either_side_of("first", "second")
    waits_for_dice = True

    first: Fighter = anybody("First model", needed=True)
    second: Fighter = anybody("Second model", needed=True)
    apart: bool = fields.switch("Separate the two models")


def mark_engaged(act: Act, first: Fighter, second: Fighter) -> None:
    """Mark two enemies engaged; Overwatch ends for both. Rules: CB-COND-03, CB-OVER-03."""
    encounter = act.encounter
    apply_outcome(encounter, engage(first, second))
    for model in (first, second):
        apply_outcome(encounter, end_conditions(model, Event.ENGAGED))


def mark_separated(act: Act, first: Fighter, second: Fighter) -> None:
    """Mark two models as no longer engaged. Rules: CB-COND-03."""
    carry_through(
        act,
        (
            Assign("model", first.id, ENGAGED_WITH.of(second.id), 0),
            Assign("model", second.id, ENGAGED_WITH.of(first.id), 0),
        ),
    )


def list_engaged_enemies(act: ActView, model: Fighter) -> tuple[Fighter, ...]:
    """Return the enemies that a model is engaged with, in the order of their numbers."""
    return opponents(model, tuple(fighter(act.encounter, row) for row in act.encounter.models()))


def join_names(models: Iterable[Fighter]) -> str:
    """Return the names one after another: A, B and C."""
    model_names = [model.name for model in models]
    return (
        " and ".join(filter(None, (", ".join(model_names[:-1]), model_names[-1])))
        if model_names
        else "nobody"
    )


@handles(Engage)
def mark_contact(act: Act, action: Engage) -> Reply:
    """Mark contact, entered by the player of one of the two."""
    first, second = action.first, action.second
    seat = act.seat
    sides = {first.side, second.side}
    owners = {act.encounter.model(model.id).owner_id for model in (first, second)}
    has_seat = seat is not None and seat.role != "spectator" and seat.side in sides
    act.require(
        has_seat or act.actor.user_id in owners, "You can only do this if you play one of the two models."
    )
    are_engaged = first.is_engaged_with(second)
    if action.apart:
        if not are_engaged:
            raise InvalidInput(f"{first.name} and {second.name} are not in contact. Nothing was changed.")
        mark_separated(act, first, second)
        _forget_sight(act, first, second)
        return Reply((f"{first.name} and {second.name} are no longer in contact.",), buttons=(UNDO,))
    if are_engaged:
        raise Forbidden(f"{first.name} and {second.name} are already engaged.", "CB-COND-03")
    mark_engaged(act, first, second)
    _forget_sight(act, first, second)
    return Reply(
        (f"{first.name} and {second.name} are engaged.", "They can now Fight or Disengage."), buttons=(UNDO,)
    )


def _forget_sight(act: Act, *models: Fighter) -> None:
    for model in models:
        forget_sightings(act.encounter, model.id)
