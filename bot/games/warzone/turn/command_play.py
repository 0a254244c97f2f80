"""Who is in command of a leader, as the table measured it: remembered until it is asked again."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.core.common import OUT, leads, settings
from bot.games.warzone.core.fields import friend, who
from bot.games.warzone.core.units import squad_of
from bot.replies.reply import Blank, Reply, form
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from rules.refusals import InvalidInput
from rules.systems.warzone.command import command_distance, in_command
from rules.systems.warzone.model import Model


def _own_leader(asking: Asking) -> ModelRow | None:
    """Who leads the squad of the model that was said."""
    encounter, model = asking.act.encounter, asking.so_far["model"]
    leader = squad_of(encounter, model.squad).leading if model else None
    return encounter.model(leader.id) if leader else None


@dataclass(frozen=True, slots=True)
class InCommand(Action):
    """Is a model in command? It is remembered.

    Say how far a model stands from its leader. of: another commander than its leader.
    """

    command = "wz.command"
    typed = "wz check command"
    titled = "In command"

    model: Model = who()
    distance: float = fields.inches(
        "Inches to its leader", 0.0, 200.0, default=0.0, needed=True, checked=True
    )
    of: Model | None = friend("Another commander", default=_own_leader, helps=True)
    altitude: int = fields.whole("Levels between flyers", -20, 20, default=0)


COMMAND_FORM = form("wz.incommand", "Inches to its leader", Blank("distance", "Distance", longest=6))


@handles(InCommand)
def check_command(act: Act, action: InCommand) -> Reply:
    """In command or out of it; of the own leader it is remembered until it is asked again.

    Rules: WZ-CMD-01 to WZ-CMD-04.
    """
    model, leader = action.model, action.of
    if leader is None:
        raise InvalidInput("The squad has no leader; nobody is out of command (WZ-CMD-04).")
    inside = in_command(leader, model, action.distance, action.altitude)
    limit = command_distance(leader, model)
    led = leads(act.encounter, leader) and leader.squad == model.squad
    if led:
        set_counter(act.encounter.model(model.id).counters, OUT, int(not inside))
    reach = "no limit" if limit is None else f"{limit} in"
    lines = [
        f"{model.name} is {'in' if inside else 'out of'} command.",
        f"{leader.name} commands to {reach}; it stands at {action.distance:g} in.",
    ]
    if not inside and led and settings(act).out_of_command == "must_return":
        lines.append("Its actions must bring it back first.")
    return Reply(tuple(lines), private=not led, buttons=(UNDO,) if led else ())
