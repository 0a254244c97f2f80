"""Within a unit's round: which of its models acts next; and who is in command of a leader."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.activation import ActNext, find_current_step, finish_model, make_acting_model, together
from bot.games.warzone.common import Telling, leads, refresh, settings_for
from bot.games.warzone.fields import friend, who
from bot.games.warzone.state import encounter_state, model_state, state_of
from bot.games.warzone.units import read_turn, squad_of
from bot.replies.reply import Blank, Reply, form
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.realdice import ask_waiting_roll_first
from rules.refusals import Forbidden, InvalidInput, refuse_typed
from rules.systems.warzone.command import STEPS, Step, command_distance, in_command
from rules.systems.warzone.model import ACTIONS, Condition, Model, Squad
from rules.wording import possessive, times


def acting_squad(encounter: Encounter) -> Squad:
    """Return the unit that acts. Raises Forbidden."""
    turn = read_turn(encounter)
    if not turn.active:
        raise Forbidden("No unit is active. Activate one first.", "WZ-TURN-02")
    return squad_of(encounter, turn.active[-1])


@handles(ActNext)
def act_next(act: Act, action: ActNext) -> Reply:
    """Choose who of the acting unit acts now. Rules: WZ-TURN-03."""
    model = action.model
    squad = acting_squad(act.encounter)
    if model.squad != squad.id:
        raise InvalidInput(f"Choose a model from {squad.name}, the active unit. {model.name} isn't in it.")
    if together(act.encounter, squad):
        raise Forbidden(
            f"You don't need to choose. {possessive(squad.name)} models act together.", "WZ-TURN-03"
        )
    if state_of(model).finished or not model.count(ACTIONS):
        raise Forbidden(f"Choose another model. {model.name} has finished its activation.", "WZ-TURN-03")
    thrown = ask_waiting_roll_first(act)
    if thrown is not None:
        return thrown
    telling = Telling(act)
    telling.lines.append(f"{model.name} acts now ({times(model.count(ACTIONS), 'action')}).")
    telling.note(make_acting_model(act.encounter, model))
    return telling.reply()


def model_done(act: Act, model: Model, squad: Squad) -> Reply:
    """Finish one model; the next one acts. Rules: WZ-TURN-03."""
    if model.squad != squad.id:
        raise InvalidInput(f"Choose a model from {squad.name}, the active unit. {model.name} isn't in it.")
    if state_of(model).finished:
        raise Forbidden(f"Choose another model. {model.name} has finished its activation.", "WZ-TURN-03")
    telling = Telling(act)
    words = finish_model(act.encounter, model.id)
    telling.lines.append(words or f"{model.name} ends its activation.")
    model_state(act.encounter, model.id).actions = 0
    return telling.closing(refresh(act, model))


def go_to_step(act: Act, step: Step, squad: Squad) -> Reply:
    """Move a squad that acts together on to its attacks, or to the rest. Rules: WZ-TURN-03."""
    encounter = act.encounter
    if not together(encounter, squad):
        raise Forbidden(
            f"Press Done instead. {possessive(squad.name)} models act one after another, not in steps.",
            "WZ-TURN-03",
        )
    finished = "moves" if step == "attacks" else "attacks"
    if STEPS.index(step) <= STEPS.index(find_current_step(encounter, squad.id)):
        raise Forbidden(f"{squad.name} has already finished its {finished}.", "WZ-TURN-03")
    encounter_state(encounter).step[squad.id] = STEPS.index(step)
    telling = Telling(act)
    telling.lines.append(f"{squad.name} has finished its {finished}.")
    telling.next.append(
        f"All of {possessive(squad.name)} models attack now."
        if step == "attacks"
        else f"All of {possessive(squad.name)} models now use their other actions, such as rallying, "
        "giving orders and waiting."
    )
    return telling.reply()


def _own_leader(context: Asking) -> ModelRow | None:
    encounter, model = context.act.encounter, context.so_far["model"]
    leader = squad_of(encounter, model.squad).leading if model else None
    return encounter.model(leader.id) if leader else None


@dataclass(frozen=True, slots=True)
class CheckCommandDistance(Action):
    """Check and record whether a model is within command distance.

    Enter how far a model is from its leader. of: another commander than its leader.
    """

    command = "wz.command"
    typed = "wz check command"
    titled = "Check command distance"

    model: Model = who()
    distance: float = fields.inches(
        "Distance to the commander (inches)", 0.0, 200.0, default=0.0, needed=True, checked=True
    )
    of: Model | None = friend("Commander (if not the squad's leader)", default=_own_leader, helps=True)
    altitude: int = fields.whole("Difference in altitude between flyers (levels)", -20, 20, default=0)


COMMAND_FORM = form(
    "wz.incommand", "Distance to the leader (inches)", Blank("distance", "Distance", longest=6)
)


@handles(CheckCommandDistance)
def check_command(act: Act, action: CheckCommandDistance) -> Reply:
    """Note whether it is in command; of its own leader this is remembered until it is asked again.

    Rules: WZ-CMD-01 to WZ-CMD-04.
    """
    model, leader = action.model, action.of
    if leader is None:
        raise InvalidInput("You don't need to check this. A squad without a leader is never out of command.")
    if model.profile.movement != "flyer":
        refuse_typed(f"Leave the difference in altitude blank. {model.name} can't fly.", action.altitude)
    inside = in_command(leader, model, action.distance, action.altitude)
    limit, rebooted = command_distance(leader, model), model.has(Condition.REBOOTED)
    led = leads(act.encounter, leader) and leader.squad == model.squad
    if led:
        model_state(act.encounter, model.id).out_of_command = not inside
    if not inside:
        headline = f"{model.name} is out of command{' after its System Reboot' if rebooted else ''}."
    elif limit is None:
        headline = f"{model.name} is in command, because it ignores command distance."
    else:
        headline = f"{model.name} is within command distance of {leader.name}."
    lines = [headline]
    if limit is not None:
        limit_text = f"{possessive(leader.name)} command distance is {limit} in"
        lines.append(f"{limit_text}, and {model.name} is {action.distance:g} in away.")
    if action.altitude:
        lines.append(f"The two models are {times(abs(action.altitude), 'altitude level')} apart.")
    if not inside and led and settings_for(act).out_of_command == "must_return":
        lines.append(f"{model.name} must first use its actions to move back within command distance.")
    return Reply(tuple(lines), private=not led, buttons=(UNDO,) if led else ())
