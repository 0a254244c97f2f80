"""Which models of a unit act, one by one or all together, and the actions of its round. Rules: WZ-TURN-03."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.actions import Action, numbered
from bot.games.warzone.fields import friend, no_enemy_seen, squad, who
from bot.games.warzone.state import ModelState, encounter_state, model_state, state_of
from bot.games.warzone.units import read_turn, settings_of, squad_of
from bot.replies.reply import Button, Choice, Menu
from bot.table.act import Barred
from bot.table.asking import fields, offering
from bot.table.encounter import GONE, Encounter, EncounterView
from bot.table.owners import in_play
from rules.refusals import Forbidden
from rules.systems.warzone.command import STEPS, Step, step_of
from rules.systems.warzone.model import ACTIONS, Model, Squad
from rules.systems.warzone.morale import Act as Deed
from rules.wording import possessive, times


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """Activate a unit.

    by: a commander who orders it out of turn; hidden: no enemy is in his line of sight.
    """

    command = "wz.activate"
    typed = "wz activate"

    unit: Squad = squad("Unit to activate", needed=True)
    by: Model | None = friend("Commander who orders the unit to act", offering.own_model, mine=True)
    hidden: bool = no_enemy_seen("The commander sees no enemy")
    odds: bool = fields.odds("Show only the odds of the nerve test")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class ActNext(Action):
    """This model of the acting unit acts now; who acted before it has finished."""

    command = "wz.next"

    model: Model = who()


@dataclass(frozen=True, slots=True)
class Done(Action):
    """End the activation of the acting unit.

    model: only that one of it. step: the unit goes on to that step. asks: first ask where that ends actions
    that are left.
    """

    command = "wz.done"
    typed = "wz done"

    model: Model | None = friend("End only this model's activation", mine=True)
    step: Step | None = fields.one_of("Step to start next (if the models act together)", STEPS[1:])
    asks: bool = False

    def as_typed_action(self) -> Done:
        """Return the action that asks first."""
        return replace(self, asks=True)


ROUND_OVER = Button("Done", Done(asks=True))
"""Ends the round of the unit that acts; asks first where actions are left."""


@dataclass(frozen=True, slots=True)
class BeginRound(Action):
    """The winner of the initiative says who starts."""

    command = "wz.starts"
    decision_of = in_play("the side that won the initiative")

    side: int = 0


_OVER: dict[Step, str] = {"moves": "All moves done", "attacks": "All attacks done"}
_NOW: dict[Step, str] = {"moves": "moving", "attacks": "attacking", "rest": "other actions"}


def together(encounter: EncounterView, squad: Squad) -> bool:
    """Return whether the models of a unit act all together; a model on its own acts as it likes."""
    return settings_of(encounter).squad_order == "together" and len(squad.models) > 1


def acts_now(encounter: Encounter, squad: Squad) -> Model | None:
    """Return the acting model of a unit if it has actions left, or None if all act together."""
    number = encounter_state(encounter).acting[squad.id]
    return next((model for model in squad.models if model.id == number and model.count(ACTIONS)), None)


def to_come(squad: Squad) -> list[Model]:
    """Return the models of an acting unit that have actions left and have not finished."""
    return [model for model in squad.models if model.count(ACTIONS) and not state_of(model).finished]


def step_now(encounter: EncounterView, squad: int) -> Step:
    """Return the step that a unit which acts together has reached."""
    return STEPS[min(encounter_state(encounter).step[squad], len(STEPS) - 1)]


def begin(encounter: Encounter, squad: Squad) -> None:
    """Begin a unit's activation; a single model acts at once."""
    forget(encounter, squad)
    if len(squad.models) == 1:
        encounter_state(encounter).acting[squad.id] = squad.models[0].id


def forget(encounter: Encounter, squad: Squad) -> None:
    """Forget who acts or has finished, because a unit's activation is over."""
    state = encounter_state(encounter)
    state.acting[squad.id] = state.step[squad.id] = 0
    for row in encounter.models(squad.side, gone=True):
        if ModelState(row).squad == squad.id:
            ModelState(row).forget_activation()


def forget_all(encounter: Encounter) -> None:
    """Forget all acting models."""
    state = encounter_state(encounter)
    state.acting.clear()
    state.step.clear()
    for row in encounter.models(gone=True):
        ModelState(row).forget_activation()


# ------------------------------------------------------------------------------------------- may it act


def check_order(encounter: EncounterView, model: Model, deed: Deed) -> None:
    """Raise Forbidden where the order of its unit's models is against it. Rules: WZ-TURN-03."""
    squad = squad_of(encounter, model.squad)
    if state_of(model).finished and model.count(ACTIONS):
        raise Forbidden(
            f"Choose another model. Other models of {squad.name} have acted since {model.name} did.",
            "WZ-TURN-03",
        )
    if together(encounter, squad):
        _check_step(squad.name, step_now(encounter, squad.id), step_of(deed))


def _check_step(name: str, step: Step, needed: Step) -> None:
    if STEPS.index(needed) < STEPS.index(step):
        raise Forbidden(
            f"Choose another action. {name} has already finished its {needed}, and its models act together.",
            "WZ-TURN-03",
        )
    if needed != step:
        raise Barred(
            f'Press "{_OVER[step]}" first. {possessive(name)} models act together and are still making '
            f"their {step}.",
            "WZ-TURN-03",
            Button(_OVER[step], Done(step=needed), "main"),
        )


def note_deed(encounter: Encounter, model: Model) -> str:
    """Note that the model has acted, and that its predecessor has finished; say what that cost.

    Rules: WZ-TURN-03.
    """
    if encounter.row.turn < 1:
        return ""
    lost = put_forward(encounter, model)
    model_state(encounter, model.id).deeds += 1
    return lost


def put_forward(encounter: Encounter, model: Model) -> str:
    """Put the model forward; the one that acted before has finished, which is told if it had actions left."""
    squad = squad_of(encounter, model.squad)
    if together(encounter, squad) or squad.id not in read_turn(encounter).active:
        return ""
    acting = encounter_state(encounter).acting
    last = acting[model.squad]
    acting[model.squad] = model.id
    if not last or last == model.id:
        return ""
    last_row = encounter.model(last)
    if ModelState(last_row).squad != model.squad or not ModelState(last_row).deeds:
        return ""
    return finish_model(encounter, last_row.id)


def finish_model(encounter: Encounter, number: int) -> str:
    """Finish a model, and return what that cost, in words."""
    row = encounter.model(number)
    state = ModelState(row)
    already, actions_left = state.finished, state.actions
    state.finished = True
    if already or row.status == GONE or not actions_left:
        return ""
    return f"{row.name} ends its activation with {times(actions_left, 'action')} unused."


# ------------------------------------------------------------------------------------------- who is next


def go_on(encounter: Encounter, model: Model) -> list[str]:
    """Go on after an action: if the model has no actions left, the next one of its unit acts or is asked for.

    Rules: WZ-TURN-03.
    """
    turn = read_turn(encounter)
    if encounter.row.turn < 1 or not turn.active or turn.active[-1] != model.squad:
        return []
    row = encounter.model(model.id)
    busy = row.status != GONE and (ModelState(row).actions or ModelState(row).grants)
    if busy:
        return []
    squad = squad_of(encounter, model.squad)
    waiting = to_come(squad)
    if together(encounter, squad):
        return [] if waiting else [f"{squad.name} has used all its actions."]
    if len(waiting) == 1:
        encounter_state(encounter).acting[squad.id] = waiting[0].id
        return [f"Next: {waiting[0].name} ({times(waiting[0].count(ACTIONS), 'action')})."]
    encounter_state(encounter).acting[squad.id] = 0
    if waiting:
        return [f"Which model of {squad.name} acts next?"]
    return [f"{squad.name} has used all its actions."] if squad.starting > 1 else []


def all_spent(encounter: Encounter) -> bool:
    """Return whether a unit acts in which no model has an action left."""
    turn = read_turn(encounter)
    return bool(turn.active) and not to_come(squad_of(encounter, turn.active[-1]))


def next_menu(encounter: Encounter) -> tuple[Menu, ...]:
    """Return the menu of models of the acting unit, while none of them acts."""
    turn = read_turn(encounter)
    if not turn.active:
        return ()
    squad = squad_of(encounter, turn.active[-1])
    waiting = to_come(squad)
    if together(encounter, squad) or len(waiting) < 2 or acts_now(encounter, squad):
        return ()
    choices = tuple(
        Choice(model.name, numbered(model.id), times(model.count(ACTIONS), "action"))
        for model in waiting[:25]
    )
    return (Menu(f"Which model of {squad.name} acts next?", ActNext(), "model", choices, named=True),)


def step_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return buttons that end the step of a unit, or of its model that acts before others."""
    turn = read_turn(encounter)
    if not turn.active:
        return ()
    squad = squad_of(encounter, turn.active[-1])
    if not together(encounter, squad):
        actor = acts_now(encounter, squad)
        others = actor is not None and any(other.id != actor.id for other in to_come(squad))
        return (
            (Button(f"End {possessive(actor.name)} activation", Done(model=actor)),)
            if actor and others
            else ()
        )
    step = step_now(encounter, turn.active[-1])
    if step not in _OVER:
        return ()
    return (Button(_OVER[step], Done(step=STEPS[STEPS.index(step) + 1])),)


def round_over(encounter: Encounter) -> Button:
    """Return the button that ends the acting unit's round; it warns if other models could still act."""
    turn = read_turn(encounter)
    squad = squad_of(encounter, turn.active[-1]) if turn.active else None
    if squad is None or len(squad.models) < 2 or not to_come(squad):
        return ROUND_OVER
    return replace(ROUND_OVER, label=f"Done (all of {squad.name})")


def acting_lines(encounter: Encounter, squad: Squad) -> list[str]:
    """Return which models of the acting unit act, are to come, and have finished."""
    waiting = to_come(squad)
    if together(encounter, squad):
        step = step_now(encounter, squad.id)
        return [f"Active: {squad.name} ({_NOW[step]})", f"Still to act: {with_actions(squad.models)}"]
    actor = acts_now(encounter, squad)
    if squad.starting == 1:
        return [
            f"Active: {squad.name} ({times(sum(model.count(ACTIONS) for model in squad.models), 'action')})"
        ]
    lines = [f"Active: {squad.name}"]
    lines += [f"Now: {actor.name} ({times(actor.count(ACTIONS), 'action')})"] if actor else []
    later_models = [model for model in waiting if actor is None or model.id != actor.id]
    return [*lines, *([f"Still to act: {with_actions(later_models)}"] if later_models else [])]


def with_actions(models: Iterable[Model]) -> str:
    """Return the models by name with the actions that are left to them, those with equally many together."""
    names: dict[int, list[str]] = {}
    for model in models:
        names.setdefault(model.count(ACTIONS), []).append(model.name)
    return ", ".join(
        f"{', '.join(model_names)} ({times(count, 'action')}{' each' if len(model_names) > 1 else ''})"
        for count, model_names in names.items()
    )
