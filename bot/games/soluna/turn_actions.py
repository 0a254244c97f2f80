"""Phases as the encounter's turn engine: order of Actions, clouds, pulses, and who is still to act."""

from __future__ import annotations

from bot.games.soluna.activation import (
    asker_plays,
    check_settled,
    describe_passed,
    is_able,
    models_yet_to_act,
    pass_phase,
    settings_for,
)
from bot.games.soluna.area_attacks import drift_clouds, run_pulses
from bot.games.soluna.board import board_of, has_board, square_of
from bot.games.soluna.flip_actions import resolve_strikes
from bot.games.soluna.narration import Narration
from bot.games.soluna.settings import settings_of
from bot.games.soluna.state import ModelState, clock_of, encounter_state, model_state, models_of
from bot.games.soluna.strikes import forget_fallen
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.journal.history import UNDO
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import build_question
from bot.table.throw_purposes import Throw, Whose
from bot.table.waits import how_it_ends, player_of
from rules.dice import Shown
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.models import TIE_LABEL, Model, order, record_placement


def next_step(act: Act) -> Reply:
    """Begin the game, or end the phase and begin the next."""
    encounter = act.encounter
    if encounter.row.turn == 0:
        return _begin_game(act)
    check_settled(act)
    with act.overridable():
        _check_others_done(act)
    clock = clock_of(encounter).next(settings_for(act))
    if is_last_phase(encounter):
        raise InvalidInput(f"The last turn is over. {how_it_ends(act)}.")
    waiting_models = models_yet_to_act(encounter)
    for model in waiting_models:
        pass_phase(act, model)
    forget_fallen(encounter)
    encounter.row.turn, encounter_state(encounter).phase = clock.turn, clock.phase
    narration = Narration([write_turn_heading(encounter)])
    drift_clouds(act, narration)
    strikes = run_pulses(act, narration)
    narration.lines += _roll_order(act)
    narration.then += describe_passed([model.name for model in waiting_models])
    return resolve_strikes(act, narration, strikes)


def is_last_phase(encounter: Encounter) -> bool:
    """Return whether no phase comes after this one."""
    last_turn = encounter.row.turns
    return bool(last_turn) and clock_of(encounter).next(settings_of(encounter)).turn > last_turn


def before_next(act: Act) -> Reply | None:
    """Ask whether a phase ends in which the asker's models may still act, or the game begins with
    models that stand nowhere. Rules: SU-SEQ-01.
    """
    encounter = act.encounter
    if not encounter.row.turn:
        unplaced_names = [row.name for row in encounter.models() if square_of(row) is None]
        warning_lines = [
            f"Not on the board yet: {', '.join(unplaced_names)}.",
            'Press "Set up..." to place models.',
        ]
        return build_question(warning_lines if unplaced_names else [], "Begin", NextStep())
    waiting_models = models_yet_to_act(encounter)
    if not waiting_models or not all(asker_plays(act, encounter.model(other.id)) for other in waiting_models):
        return None
    names = ", ".join(model.name for model in waiting_models)
    return build_question([f"Still able to act: {names}."], "Next phase", NextStep())


def _check_others_done(act: Act) -> None:
    """Refuse to end a phase in which another player's models may still act. Rules: SU-SEQ-01."""
    for model in models_yet_to_act(act.encounter):
        if not asker_plays(act, act.encounter.model(model.id)):
            player_name = player_of(act.encounter, model.id)
            raise Forbidden(f"Wait for {player_name}. {model.name} can still act.", "SU-SEQ-01")


def write_turn_heading(encounter: Encounter) -> str:
    """Return the turn and phase in one line."""
    clock = clock_of(encounter)
    return f"Turn {clock.turn}, phase {clock.phase}"


def _begin_game(act: Act) -> Reply:
    encounter = act.encounter
    if len(encounter.sides()) < 2:
        raise InvalidInput("You need two sides. Another player can bring a crew with /encounter join.")
    if not has_board(encounter):
        raise InvalidInput('Create a board first with /sol board new, for example with the size "16x12".')
    board_of(encounter)
    encounter.row.turn, encounter.row.status = 1, "playing"
    encounter_state(encounter).phase = 1
    for row in encounter.models():
        if square_of(row) is not None:
            encounter.apply(record_placement(row.id, clock_of(encounter), settings_for(act)))
    narration = Narration(["The game begins: turn 1, phase 1."])
    unplaced_names = [row.name for row in encounter.models() if square_of(row) is None]
    if unplaced_names:
        narration.lines.append(f"Not on the board yet: {', '.join(unplaced_names)}.")
    narration.lines += _roll_order(act)
    return narration.reply(act, UNDO)


def _roll_order(act: Act) -> list[str]:
    """Roll the order of Actions of this phase, and return lines that report it. Rules: SU-SEQ-01."""
    encounter = act.encounter
    for row in encounter.models():
        ModelState(row).place = 0
    placed_ids = {piece.id for piece in board_of(encounter).pieces}
    able_models = [model for model in models_of(encounter) if model.id in placed_ids and is_able(model)]
    id_speed_pairs = tuple((model.id, model.value("speed")) for model in able_models)
    name_by_id = {model.id: model.name for model in able_models}

    def whose(throw: Throw) -> Whose:
        model_id = int(throw.label.removeprefix(TIE_LABEL))
        return Whose(name_by_id[model_id], "tie-breaker", f"at Speed {dict(id_speed_pairs)[model_id]}")

    ordered_ids = act.roll(whose, order, id_speed_pairs, settings_for(act))
    for place, model_id in enumerate(ordered_ids, 1):
        model_state(encounter, model_id).place = place
    order_text = ", ".join(name_by_id[model_id] for model_id in ordered_ids)
    lines = [f"Order: {order_text}" if order_text else "No model can act."]
    tie_rolls = [
        f"{name_by_id[int(entry.label.removeprefix(TIE_LABEL))]} {entry.face}"
        for entry in act.dice.trace
        if isinstance(entry, Shown) and entry.label.startswith(TIE_LABEL)
    ]
    if tie_rolls:
        lines.append(f"Rolls for ties in Speed: {', '.join(tie_rolls)}.")
    waiting_models = models_yet_to_act(encounter)
    if waiting_models:
        lines.append(
            f"{player_of(encounter, waiting_models[0].id)}: {waiting_models[0].name} acts first or passes."
        )
    return lines


def join_names_with_speed(waiting_models: list[Model]) -> str:
    """Return the models' names, each with its Speed."""
    return ", ".join(f"{model.name} (Speed {model.value('speed')})" for model in waiting_models)
