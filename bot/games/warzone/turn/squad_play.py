"""Within a unit's round: which of its models acts next, and how far one that acts together has come."""

from __future__ import annotations

from bot.games.warzone.core.acting import (
    FINISHED,
    STEP,
    finish_model,
    put_forward,
    round_over,
    step_buttons,
    step_now,
    together,
)
from bot.games.warzone.core.common import again
from bot.games.warzone.core.telling import Telling
from bot.games.warzone.core.turn_actions import ActNext
from bot.games.warzone.core.units import read_turn, squad_of
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.encounter import Encounter, set_counter
from bot.table.handlers import handles
from bot.table.rolling.realdice import thrown_first
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.command import STEPS, Step
from rules.systems.warzone.model import ACTIONS, Model, Squad
from rules.wording import times


def acting_squad(encounter: Encounter) -> Squad:
    """The unit that acts. Raises Forbidden."""
    turn = read_turn(encounter)
    if not turn.active:
        raise Forbidden("No unit is acting.", "WZ-TURN-02")
    return squad_of(encounter, turn.active[-1])


@handles(ActNext)
def act_next(act: Act, action: ActNext) -> Reply:
    """Who of the acting unit acts now. Rules: WZ-TURN-03."""
    model = action.model
    squad = acting_squad(act.encounter)
    if model.squad != squad.id:
        raise InvalidInput(f"{model.name} is not of {squad.name}, which acts now.")
    if together(act.encounter, squad):
        raise Forbidden(f"All of {squad.name} act together.", "WZ-TURN-03")
    if model.count(FINISHED) or not model.count(ACTIONS):
        raise Forbidden(f"{model.name} has finished.", "WZ-TURN-03")
    thrown = thrown_first(act)
    if thrown is not None:
        return thrown
    telling = Telling(act)
    telling.lines.append(f"{model.name} acts: {times(model.count(ACTIONS), 'action')}.")
    telling.note(put_forward(act.encounter, model))
    return telling.reply(round_over(act.encounter))


def model_done(act: Act, model: Model, squad: Squad) -> Reply:
    """One model has finished; the next one acts. Rules: WZ-TURN-03."""
    if model.squad != squad.id:
        raise InvalidInput(f"{model.name} is not of {squad.name}, which acts now.")
    if model.count(FINISHED):
        raise Forbidden(f"{model.name} has finished.", "WZ-TURN-03")
    telling = Telling(act)
    words = finish_model(act.encounter, model.id)
    telling.lines.append(words or f"{model.name} is done.")
    set_counter(act.encounter.model(model.id).counters, ACTIONS, 0)
    return telling.closing(again(act, model))


def go_to_step(act: Act, step: Step, squad: Squad) -> Reply:
    """A squad that acts together goes on to its attacks, or to the rest. Rules: WZ-TURN-03."""
    encounter = act.encounter
    if not together(encounter, squad):
        raise Forbidden(f"The models of {squad.name} act one after another.", "WZ-TURN-03")
    now = step_now(encounter, squad.id)
    if STEPS.index(step) <= STEPS.index(now):
        raise Forbidden(f"{squad.name} has come to its {now} already.", "WZ-TURN-03")
    encounter.row.counters[STEP.of(squad.id)] = STEPS.index(step)
    telling = Telling(act)
    telling.lines.append(f"{squad.name}: the {'moves' if step == 'attacks' else 'attacks'} are over.")
    telling.next.append("Now all attack." if step == "attacks" else "Now the rest: rally, orders, wait.")
    return telling.reply(*step_buttons(encounter), round_over(encounter))
