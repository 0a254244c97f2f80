"""Which models of a unit act, one by one or all together, and the actions of its round. Rules: WZ-TURN-03."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, reference_by_number
from bot.games.warzone.fields import friend, no_enemy_seen_field, squad, who
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
    hidden: bool = no_enemy_seen_field("The commander sees no enemy")
    odds: bool = fields.odds("Show only the odds of the nerve test")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class ActNext(Action):
    """Make a model of the acting unit act now; the one that acted before has finished."""

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
        return replace(self, asks=True)


DONE_BUTTON = Button("Done", Done(asks=True))
"""The button that ends the acting unit's activation; it asks first if actions are left."""


@dataclass(frozen=True, slots=True)
class BeginRound(Action):
    """Choose the side that starts, after winning the initiative."""

    command = "wz.starts"
    decision_of = in_play("the side that won the initiative")

    side: int = 0


_STEP_DONE_LABELS: dict[Step, str] = {"moves": "All moves done", "attacks": "All attacks done"}
_STEP_WORDS: dict[Step, str] = {"moves": "moving", "attacks": "attacking", "rest": "other actions"}


def together(encounter: EncounterView, squad: Squad) -> bool:
    """Return whether the models of a unit act all together; a model on its own acts as it likes."""
    return settings_of(encounter).squad_order == "together" and len(squad.models) > 1


def find_acting_model(encounter: Encounter, squad: Squad) -> Model | None:
    """Return the acting model of a unit if it has actions left, or None if all act together."""
    acting_id = encounter_state(encounter).acting[squad.id]
    return next((model for model in squad.models if model.id == acting_id and model.count(ACTIONS)), None)


def to_come(squad: Squad) -> list[Model]:
    """Return the models of an acting unit that have actions left and have not finished."""
    return [model for model in squad.models if model.count(ACTIONS) and not state_of(model).finished]


def find_current_step(encounter: EncounterView, squad_id: int) -> Step:
    """Return the present step of a unit whose models act together."""
    return STEPS[min(encounter_state(encounter).step[squad_id], len(STEPS) - 1)]


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
    """Refuse an action that breaks the order of the unit's models. Rules: WZ-TURN-03."""
    squad = squad_of(encounter, model.squad)
    if state_of(model).finished and model.count(ACTIONS):
        raise Forbidden(
            f"Choose another model. Other models of {squad.name} have acted since {model.name} did.",
            "WZ-TURN-03",
        )
    if together(encounter, squad):
        _check_step(squad.name, find_current_step(encounter, squad.id), step_of(deed))


def _check_step(unit_name: str, reached_step: Step, needed_step: Step) -> None:
    if STEPS.index(needed_step) < STEPS.index(reached_step):
        raise Forbidden(
            f"Choose another action. {unit_name} has already finished its {needed_step}, and its models act "
            "together.",
            "WZ-TURN-03",
        )
    if needed_step != reached_step:
        raise Barred(
            f'Press "{_STEP_DONE_LABELS[reached_step]}" first. {possessive(unit_name)} models act '
            f"together and are still making their {reached_step}.",
            "WZ-TURN-03",
            Button(_STEP_DONE_LABELS[reached_step], Done(step=needed_step), "main"),
        )


def note_deed(encounter: Encounter, model: Model) -> str:
    """Note that a model has acted and the one before it has finished; return a line on its unused actions.

    Rules: WZ-TURN-03.
    """
    if encounter.row.turn < 1:
        return ""
    unused_text = make_acting_model(encounter, model)
    model_state(encounter, model.id).deeds += 1
    return unused_text


def make_acting_model(encounter: Encounter, model: Model) -> str:
    """Make a model the acting one, finish the one before, and return a line on its unused actions."""
    squad = squad_of(encounter, model.squad)
    if together(encounter, squad) or squad.id not in read_turn(encounter).active:
        return ""
    acting_by_squad = encounter_state(encounter).acting
    previous_id = acting_by_squad[model.squad]
    acting_by_squad[model.squad] = model.id
    if not previous_id or previous_id == model.id:
        return ""
    previous_row = encounter.model(previous_id)
    if ModelState(previous_row).squad != model.squad or not ModelState(previous_row).deeds:
        return ""
    return finish_model(encounter, previous_row.id)


def finish_model(encounter: Encounter, model_id: int) -> str:
    """Finish a model, and return a line on its unused actions."""
    row = encounter.model(model_id)
    state = ModelState(row)
    had_finished, actions_left = state.finished, state.actions
    state.finished = True
    if had_finished or row.status == GONE or not actions_left:
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
    can_still_act = row.status != GONE and (ModelState(row).actions or ModelState(row).grants)
    if can_still_act:
        return []
    squad = squad_of(encounter, model.squad)
    waiting_models = to_come(squad)
    if together(encounter, squad):
        return [] if waiting_models else [f"{squad.name} has used all its actions."]
    if len(waiting_models) == 1:
        encounter_state(encounter).acting[squad.id] = waiting_models[0].id
        return [f"Next: {waiting_models[0].name} ({times(waiting_models[0].count(ACTIONS), 'action')})."]
    encounter_state(encounter).acting[squad.id] = 0
    if waiting_models:
        return [f"Which model of {squad.name} acts next?"]
    return [f"{squad.name} has used all its actions."] if squad.starting > 1 else []


def has_spent_all_actions(encounter: Encounter) -> bool:
    """Return whether no model of the acting unit has an action left."""
    turn = read_turn(encounter)
    return bool(turn.active) and not to_come(squad_of(encounter, turn.active[-1]))


def build_next_menu(encounter: Encounter) -> tuple[Menu, ...]:
    """Return a menu of the acting unit's models, unless one of them is acting."""
    turn = read_turn(encounter)
    if not turn.active:
        return ()
    squad = squad_of(encounter, turn.active[-1])
    waiting_models = to_come(squad)
    if together(encounter, squad) or len(waiting_models) < 2 or find_acting_model(encounter, squad):
        return ()
    choices = tuple(
        Choice(model.name, reference_by_number(model.id), times(model.count(ACTIONS), "action"))
        for model in waiting_models[:25]
    )
    return (Menu(f"Which model of {squad.name} acts next?", ActNext(), "model", choices, named=True),)


def build_step_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return buttons that end the step of a unit, or of its model that acts before others."""
    turn = read_turn(encounter)
    if not turn.active:
        return ()
    squad = squad_of(encounter, turn.active[-1])
    if not together(encounter, squad):
        actor = find_acting_model(encounter, squad)
        has_others = actor is not None and any(other.id != actor.id for other in to_come(squad))
        return (
            (Button(f"End {possessive(actor.name)} activation", Done(model=actor)),)
            if actor and has_others
            else ()
        )
    step = find_current_step(encounter, turn.active[-1])
    if step not in _STEP_DONE_LABELS:
        return ()
    return (Button(_STEP_DONE_LABELS[step], Done(step=STEPS[STEPS.index(step) + 1])),)


def build_done_button(encounter: Encounter) -> Button:
    """Return the button that ends the acting unit's round; it warns if other models could still act."""
    turn = read_turn(encounter)
    squad = squad_of(encounter, turn.active[-1]) if turn.active else None
    if squad is None or len(squad.models) < 2 or not to_come(squad):
        return DONE_BUTTON
    return replace(DONE_BUTTON, label=f"Done (all of {squad.name})")


def describe_acting_unit(encounter: Encounter, squad: Squad) -> list[str]:
    """Return which models of the acting unit act, are to come, and have finished."""
    waiting_models = to_come(squad)
    if together(encounter, squad):
        step = find_current_step(encounter, squad.id)
        return [f"Active: {squad.name} ({_STEP_WORDS[step]})", *_list_still_to_act(waiting_models)]
    actor = find_acting_model(encounter, squad)
    if squad.starting == 1:
        return [
            f"Active: {squad.name} ({times(sum(model.count(ACTIONS) for model in squad.models), 'action')})"
        ]
    lines = [f"Active: {squad.name}"]
    lines += [f"Now: {actor.name} ({times(actor.count(ACTIONS), 'action')})"] if actor else []
    later_models = [model for model in waiting_models if actor is None or model.id != actor.id]
    return [*lines, *_list_still_to_act(later_models)]


def _list_still_to_act(models: Sequence[Model]) -> list[str]:
    return [f"Still to act: {join_names_with_actions(models)}"] if models else []


def join_names_with_actions(models: Iterable[Model]) -> str:
    """Return the models' names with their actions left; those with equally many are grouped."""
    names_by_actions: dict[int, list[str]] = {}
    for model in models:
        names_by_actions.setdefault(model.count(ACTIONS), []).append(model.name)
    return ", ".join(
        f"{', '.join(model_names)} ({times(count, 'action')}{' each' if len(model_names) > 1 else ''})"
        for count, model_names in names_by_actions.items()
    )
