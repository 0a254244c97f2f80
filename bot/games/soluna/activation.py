"""Acting in this phase: the models that may, and what follows from effects on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.games.soluna.board import square_of, take_off_board, thing_rows
from bot.games.soluna.settings import settings_of
from bot.games.soluna.state import clock_of, model_of, model_state, models_of, state_of, stored_effects
from bot.store.rows import ModelRow, SeatRow
from bot.table.act import Act, ActView
from bot.table.encounter import GONE, Encounter, EncounterView
from rules.effects import Effect, Lose, Propose
from rules.refusals import InvalidInput, forbid
from rules.systems.soluna.board import adjacent
from rules.systems.soluna.models import Condition, Doing, Model, end_run, start_or_continue
from rules.systems.soluna.settings import Settings
from rules.wording import join_with_and

PENDING_ATTACK = "attack"
"""Kind of the thing row that holds an attack while its flips are chosen."""


def settings_for(act: ActView) -> Settings:
    """Return the readings by which this encounter plays."""
    return settings_of(act.encounter)


def phases_so_far(act: ActView) -> int:
    """Return phases since the start of the game, this one included."""
    return clock_of(act.encounter).count(settings_for(act))


def refreshed_model(act: Act, model: Model) -> Model:
    """Return the model as it stands after effects were applied."""
    return model_of(act.encounter, act.encounter.model(model.id))


def is_out(act: Act, model: int) -> bool:
    """Return whether a model has left play."""
    return act.encounter.model(model).status == GONE


def apply_effects(act: Act, effects: Iterable[Effect], *, by: int = 0) -> list[Propose]:
    """Apply what an outcome does; a model that left play leaves the board and lets go of the one it held.

    by: the model whose attack it is, 0 for an accident.
    """
    encounter = act.encounter
    proposals = encounter.apply(stored_effects(effects), by=by)
    for row in encounter.models(gone=True):
        if row.status == GONE:
            take_off_board(row)
    end_broken_holds(encounter)
    return proposals


def end_broken_holds(encounter: Encounter) -> list[str]:
    """End holds by models that are gone, unconscious or elsewhere, and return the names of the freed ones."""
    freed_names = []
    for row in encounter.models():
        hold = encounter.condition(row.id, Condition.GRAPPLED)
        if hold is not None and hold.value and not _can_hold(encounter, hold.value, row):
            encounter.apply([Lose(row.id, Condition.GRAPPLED)])
            freed_names.append(row.name)
    return freed_names


def _can_hold(encounter: Encounter, holder: int, held_row: ModelRow) -> bool:
    row = encounter.model(holder)
    holder_square, held_square = square_of(row), square_of(held_row)
    are_adjacent = (
        holder_square is not None and held_square is not None and adjacent(holder_square, held_square)
    )
    is_awake = encounter.condition(holder, Condition.UNCONSCIOUS) is None
    return row.status != GONE and are_adjacent and is_awake and model_of(encounter, row).value("mind") > 0


# ------------------------------------------------------------------------------------------- whose turn


CHOOSE_FLIPS_FIRST = "First choose the flips for the last attack, or undo the attack with /undo."
"""The refusal for anything that has to wait until the flips are chosen."""


def check_settled(act: ActView) -> None:
    """Refuse to go on while an attack waits for its flips."""
    if thing_rows(act.encounter, PENDING_ATTACK):
        raise InvalidInput(CHOOSE_FLIPS_FIRST)


def check_begun(act: ActView) -> None:
    """Refuse Actions before the game. Rules: SU-SEQ-01."""
    if act.encounter.row.turn < 1:
        raise InvalidInput("Press Begin or use /encounter next. The game hasn't started.")


def is_able(model: Model) -> bool:
    """Return whether a model can take an Action at all. Rules: SU-GRID-06."""
    return model.value("mind") > 0 and not model.has(Condition.UNCONSCIOUS)


def models_yet_to_act(encounter: EncounterView) -> list[Model]:
    """Return the models that may still act in this phase, in their order."""
    return list(encounter.worked_out(models_yet_to_act, lambda: _list_models_yet_to_act(encounter)))


def _list_models_yet_to_act(encounter: EncounterView) -> list[Model]:
    count = clock_of(encounter).count(settings_of(encounter))
    waiting_models = [
        model
        for model in models_of(encounter)
        if (state := state_of(model)).place
        and is_able(model)
        and count not in (state.acted_phase, state.passed)
    ]
    return sorted(waiting_models, key=lambda model: state_of(model).place)


def asker_plays(act: ActView, row: ModelRow) -> bool:
    """Return whether the person who asks plays a model."""
    return _plays(act, act.seat, row)


def _plays(act: ActView, seat: SeatRow | None, row: ModelRow) -> bool:
    is_captain = seat is not None and seat.role == "captain" and seat.side == row.side
    return is_captain or row.owner_id == act.actor.user_id


def list_models_passed_over(act: ActView, model: Model) -> tuple[Model, ...]:
    """Return the faster models of who asks that would let the phase pass if this one acted now.

    Raises Forbidden where its turn in the order has not come. Rules: SU-SEQ-01.
    """
    count, state = phases_so_far(act), state_of(model)
    if state.acted_phase == count or not state.place:
        return ()
    if state.passed == count:
        forbid(f"Choose another model. {model.name} has already passed in this phase.", "SU-SEQ-01")
    if settings_for(act).action_order == "manual":
        return ()
    passed_models, seat = [], act.seat
    for faster_model in models_yet_to_act(act.encounter):
        if state_of(faster_model).place >= state.place:
            continue
        if not _plays(act, seat, act.encounter.model(faster_model.id)):
            forbid(
                f"Wait for {faster_model.name} (Speed {faster_model.value('speed')}) to act or pass before"
                f" {model.name}.",
                "SU-SEQ-01",
            )
        passed_models.append(faster_model)
    return tuple(passed_models)


def pass_phase(act: Act, model: Model) -> None:
    """Pass the model's phase, which is a pause. Rules: SU-SPEED-02, SU-SEQ-01."""
    model_state(act.encounter, model.id).passed = phases_so_far(act)
    act.encounter.apply(end_run(model))


def describe_passed(names: Sequence[str]) -> list[str]:
    """Return who was passed over, for their players to read."""
    if not names:
        return []
    return [f"{join_with_and(names)} pass{'es' if len(names) == 1 else ''} this phase."]


@dataclass(frozen=True, slots=True)
class ActionTurn:
    """An Action that may begin or go on: the model as it is then, what begins it, who lets the phase pass.

    not_yet: for odds, why it cannot be just now.
    """

    model: Model
    effects: tuple[Effect, ...] = ()
    passed: tuple[Model, ...] = ()
    not_yet: tuple[str, ...] = ()


def turn_for(act: ActView, model: Model, doing: Doing) -> ActionTurn:
    """Return the model's Action of this phase, where it may take it; alters nothing.

    For odds, it is not refused if the game has not begun, an attack waits, or others act before; it is
    refused for the model's own state. Raises Forbidden, InvalidInput. Rules: SU-SEQ-01, SU-SEQ-02, SU-SEQ-03.
    """
    passed_models: tuple[Model, ...] = ()
    if not act.action.looks:
        check_begun(act)
        check_settled(act)
        passed_models = list_models_passed_over(act, model)
    effects: tuple[Effect, ...] = ()
    with act.overridable():
        effects = start_or_continue(model, clock_of(act.encounter), doing, settings_for(act))
    reasons = _reasons_to_wait(act, model) if act.action.looks else ()
    not_yet = tuple(f"You can't do this yet, because {words}" for words in reasons)
    return ActionTurn(model.after(effects), effects, passed_models, not_yet)


def begin_action(act: Act, turn: ActionTurn) -> list[str]:
    """Begin the Action; a line that tells who was passed over."""
    for passed_model in turn.passed:
        pass_phase(act, passed_model)
    act.encounter.apply(turn.effects)
    return describe_passed([passed_model.name for passed_model in turn.passed])


def start_action(act: Act, model: Model, doing: Doing) -> tuple[Model, list[str]]:
    """Begin the model's Action of this phase, or go on with it: the model as it is then, who was passed over.

    Rules: SU-SEQ-01, SU-SEQ-02, SU-SEQ-03.
    """
    passed_lines = begin_action(act, turn_for(act, model, doing))
    return refreshed_model(act, model), passed_lines


def _reasons_to_wait(act: ActView, model: Model) -> list[str]:
    count, state = phases_so_far(act), state_of(model)
    if act.encounter.row.turn < 1:
        return ["the game hasn't started."]
    if thing_rows(act.encounter, PENDING_ATTACK):
        return ["the flips for the last attack have to be chosen first."]
    if state.acted_phase == count or not state.place:
        return []
    if state.passed == count:
        return [f"{model.name} has already passed in this phase."]
    if settings_for(act).action_order == "manual":
        return []
    plays_model = asker_plays(act, act.encounter.model(model.id))
    faster_models = (
        faster_model
        for faster_model in models_yet_to_act(act.encounter)
        if state_of(faster_model).place < state.place
    )
    for faster_model in faster_models:
        row = act.encounter.model(faster_model.id)
        if not asker_plays(act, row) if plays_model else row.side != model.side:
            return [f"{faster_model.name} has to act or pass before {model.name}."]
    return []


def names_of(encounter: EncounterView) -> tuple[tuple[int, str], ...]:
    """Return every model's number with its name."""
    return encounter.worked_out(
        names_of, lambda: tuple((row.id, row.name) for row in encounter.models(gone=True))
    )
