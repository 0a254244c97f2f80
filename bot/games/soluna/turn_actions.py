"""Phases as the encounter's turn engine: order of Actions, clouds, pulses, and who is still to act."""

from __future__ import annotations

from bot.games.soluna.activation import (
    asker_plays,
    check_settled,
    is_able,
    pass_over,
    passed_words,
    settings_for,
    yet_to_act,
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
from bot.table.session.preparations import ask_first
from bot.table.throw_purposes import Throw, Whose
from bot.table.waits import how_it_ends, player_of
from rules.dice import Shown
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.models import TIE, Model, order, placed


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
    waiting_models = yet_to_act(encounter)
    for model in waiting_models:
        pass_over(act, model)
    forget_fallen(encounter)
    encounter.row.turn, encounter_state(encounter).phase = clock.turn, clock.phase
    narration = Narration([turn_heading(encounter)])
    drift_clouds(act, narration)
    strikes = run_pulses(act, narration)
    narration.lines += _roll_order(act)
    narration.then += passed_words([model.name for model in waiting_models])
    return resolve_strikes(act, narration, strikes)


def is_last_phase(encounter: Encounter) -> bool:
    """Return whether no phase comes after this one."""
    turns = encounter.row.turns
    return bool(turns) and clock_of(encounter).next(settings_of(encounter)).turn > turns


def before_next(act: Act) -> Reply | None:
    """Ask whether a phase ends in which the asker's models may still act, or the game begins with
    models that stand nowhere. Rules: SU-SEQ-01.
    """
    encounter = act.encounter
    if not encounter.row.turn:
        unplaced_names = [row.name for row in encounter.models() if square_of(row) is None]
        words = [
            f"Not on the board yet: {', '.join(unplaced_names)}.",
            'Press "Set up..." to place models.',
        ]
        return ask_first(words if unplaced_names else [], "Begin", NextStep())
    waiting = yet_to_act(encounter)
    if not waiting or not all(asker_plays(act, encounter.model(other.id)) for other in waiting):
        return None
    names = ", ".join(model.name for model in waiting)
    return ask_first([f"Still able to act: {names}."], "Next phase", NextStep())


def _check_others_done(act: Act) -> None:
    """Refuse to end a phase in which another player's models may still act. Rules: SU-SEQ-01."""
    for model in yet_to_act(act.encounter):
        if not asker_plays(act, act.encounter.model(model.id)):
            player_name = player_of(act.encounter, model.id)
            raise Forbidden(f"Wait for {player_name}. {model.name} can still act.", "SU-SEQ-01")


def turn_heading(encounter: Encounter) -> str:
    """Turn and phase in a line."""
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
            encounter.apply(placed(row.id, clock_of(encounter), settings_for(act)))
    narration = Narration(["The game begins: turn 1, phase 1."])
    missing = [row.name for row in encounter.models() if square_of(row) is None]
    if missing:
        narration.lines.append(f"Not on the board yet: {', '.join(missing)}.")
    narration.lines += _roll_order(act)
    return narration.reply(act, UNDO)


def _roll_order(act: Act) -> list[str]:
    """Roll the order of Actions of this phase, and say it. Rules: SU-SEQ-01."""
    encounter = act.encounter
    for row in encounter.models():
        ModelState(row).place = 0
    present = {piece.id for piece in board_of(encounter).pieces}
    able = [model for model in models_of(encounter) if model.id in present and is_able(model)]
    speeds = tuple((model.id, model.value("speed")) for model in able)
    names = {model.id: model.name for model in able}

    def whose(throw: Throw) -> Whose:
        number = int(throw.label.removeprefix(TIE))
        return Whose(names[number], "tie-breaker", f"at Speed {dict(speeds)[number]}")

    placed_in_order = act.roll(whose, order, speeds, settings_for(act))
    for place, number in enumerate(placed_in_order, 1):
        model_state(encounter, number).place = place
    order_words = ", ".join(names[number] for number in placed_in_order)
    lines = [f"Order: {order_words}" if order_words else "No model can act."]
    ties = [
        f"{names[int(entry.label.removeprefix(TIE))]} {entry.face}"
        for entry in act.dice.trace
        if isinstance(entry, Shown) and entry.label.startswith(TIE)
    ]
    if ties:
        lines.append(f"Rolls for ties in Speed: {', '.join(ties)}.")
    first = yet_to_act(encounter)
    if first:
        lines.append(f"{player_of(encounter, first[0].id)}: {first[0].name} acts first or passes.")
    return lines


def to_act_words(waiting: list[Model]) -> str:
    """Return who is still to act in this phase."""
    return ", ".join(f"{model.name} ({model.value('speed')})" for model in waiting)
