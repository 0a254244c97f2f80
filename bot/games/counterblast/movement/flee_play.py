"""Running away at the table: a panicked model runs for the edge, and what reaches it is gone."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, numbered
from bot.games.counterblast.core.common import again, pay
from bot.games.counterblast.core.fields import who
from bot.games.counterblast.core.narration import Telling, finish, offers
from bot.games.counterblast.movement.move_play import Move, path_of
from bot.games.counterblast.vehicles.vehicle_state import drive
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from rules.effects import Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.conditions import after_reaching_edge
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left
from rules.systems.counterblast.vehicle_rules import in_motion


@dataclass(frozen=True, slots=True)
class Flee(Action):
    """A panicked model runs for the edge.

    The nearest edge of the table, with all its Moves. edge: typed, once it is there.
    """

    command = "cb.flee"
    typed = "cb move flee"
    titled = "Flee"

    model: Fighter = who()
    edge: bool = fields.switch("It reaches the table edge")

    def when_typed(self) -> Action:
        """The run, or its end."""
        return AtEdge(self.model) if self.edge else self


@dataclass(frozen=True, slots=True)
class AtEdge(Action):
    """A model reached the table edge by a forced move."""

    command = "cb.edge"

    model: Fighter = who("")


@handles(Flee)
def flee(act: Act, action: Flee) -> Reply:
    """All its Moves toward the nearest edge; reaching it is the end of its game."""
    model = action.model
    if not model.has(Condition.PANICKED):
        raise InvalidInput(f"{model.name} is not panicked.")
    moves = min(actions_left(model), ACTIONS) if act.encounter.row.turn else ACTIONS
    if not moves:
        raise InvalidInput(f"{model.name} has no action left.")
    path = path_of(act, model, Move(moves=moves))
    for _ in range(moves):
        pay(act, again(act, model), "move")
    if model.profile.is_vehicle:
        row, turn = act.encounter.model(model.id), max(1, act.encounter.row.turn)
        drive(row, turn, path.inches, moving=in_motion(model, path.inches))
    lines = [f"{model.name} runs {path.inches:g} in for the edge.", *path.lines[1:]]
    edge = Button("It reaches the edge", AtEdge(model), "main")
    return finish(act, Telling(lines), (), edge)


@handles(AtEdge)
def at_edge(act: Act, action: AtEdge) -> Reply:
    """A panicked model has fled; any other stops there."""
    model = action.model
    effects = after_reaching_edge(model)
    telling = Telling([f"{model.name} has fled." if effects else f"{model.name} stops at the edge."])
    telling.follow(act, effects)
    return finish(act, telling)


@offers("flee")
def _flee(proposal: Propose) -> tuple[str, Action]:
    return "Run", Flee(numbered(proposal.model))
