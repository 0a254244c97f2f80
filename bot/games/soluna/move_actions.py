"""Models on the board: placed by hand, moved, turned, stood up, or letting a phase pass."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.soluna import suggestions
from bot.games.soluna.activation import (
    ActionTurn,
    apply_effects,
    asker_plays,
    begin_action,
    check_begun,
    check_settled,
    describe_passed,
    end_broken_holds,
    list_models_passed_over,
    models_yet_to_act,
    pass_phase,
    phases_so_far,
    refreshed_model,
    settings_for,
    start_action,
    turn_for,
)
from bot.games.soluna.board import (
    FACING_WORDS,
    at,
    board_of,
    facing_of,
    facing_towards,
    put_model,
    square_of,
    take_off_board,
)
from bot.games.soluna.fields import acting_model, facing_field, path_field, placing_model_field, square_field
from bot.games.soluna.look_actions import Look, square_of_spot
from bot.games.soluna.state import clock_of, state_of
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.realdice import ask_waiting_roll_first
from bot.table.session.encounters import NextStep
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.soluna.board import Board, Facing, Point
from rules.systems.soluna.models import (
    Condition,
    Doing,
    Model,
    record_move,
    record_placement,
    stand_up,
    stand_up_price,
    start_or_continue,
)
from rules.systems.soluna.movement import (
    check_path,
    describe_points_left,
    format_speed_points,
    path_to,
    speed_left,
)
from rules.wording import join_with_and, times


@dataclass(frozen=True, slots=True)
class PlaceModel(Action):
    """Put a model on the board or take it off.

    Without a square it is taken off.
    """

    command = "sol.place"
    typed = "sol place"
    titled = "Place a model"
    waits_for_dice = True

    model: Model = placing_model_field("Model")
    square: Point | None = square_field(
        'Square, such as "3,4" (blank to take the model off)',
        suggestions.offer_edge_squares,
        wanted=True,
        freely=True,
    )
    face: Facing | Model | Point | None = facing_field("Direction to face")


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move a model.

    To a square, or along a path of squares if one is given.
    """

    command = "sol.move"
    typed = "sol move"
    waits_for_dice = True

    model: Model = acting_model("Model that moves")
    to: tuple[Point, ...] = path_field('Square, such as "3,4", or every square of the path')
    face: Facing | Model | Point | None = facing_field("Direction to face afterwards")


@dataclass(frozen=True, slots=True)
class Turn(Action):
    """Turn a model on the spot."""

    command = "sol.turn"
    typed = "sol turn"
    waits_for_dice = True

    model: Model = acting_model("Model that turns")
    face: Facing | Model | Point = facing_field(
        "Direction, square or model to face", suggestions.list_turn_targets, needed=True
    )


@dataclass(frozen=True, slots=True)
class StandUp(Action):
    """Stand a prone model up."""

    command = "sol.stand"
    typed = "sol stand"
    titled = "Stand up"
    waits_for_dice = True

    model: Model = acting_model("Model that stands up")


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Make a model pass in this phase.

    Without a model, the next one of the person who asks. every: all of their models; if a model is named,
    only while that one may act.
    """

    command = "sol.pass"
    typed = "sol pass"
    titled = "Pass"
    waits_for_dice = True

    model: Model | None = acting_model("Model (blank for your next one)", needed=False)
    every: bool = fields.switch("Make all your models pass")


@handles(PlaceModel)
def place_model(act: Act, action: PlaceModel) -> Reply:
    """Place a model: any model before the game, and later one that enters play, or any by the organiser."""
    encounter = act.encounter
    model, square = action.model, action.square
    row = encounter.model(model.id)
    if encounter.row.turn and square_of(row) is not None:
        act.require(act.organises, f"Use /sol move instead. {model.name} is already on the board.")
    if square is None:
        take_off_board(row)
        return Reply((f"{model.name} is taken off the board.",), buttons=(UNDO,))
    board = board_of(encounter)
    check_free(act, board, square, model)
    face = _choose_usual_facing(act, model) if action.face is None else action.face
    facing = resolve_facing(act, face, square)
    put_model(encounter, model.id, square, facing)
    if encounter.row.turn:
        apply_effects(act, record_placement(model.id, clock_of(encounter), settings_for(act)))
        end_broken_holds(encounter)
    line = f"{model.name} is placed on {at(square)}, facing {FACING_WORDS[facing]}."
    has_unplaced = any(square_of(row) is None and asker_plays(act, row) for row in encounter.models())
    next_button = Button("Place the next model...", PlaceModel(), "main", anytime=True, asks=True)
    return Reply((line,), buttons=(next_button, UNDO) if has_unplaced else (UNDO,))


def _choose_usual_facing(act: Act, model: Model) -> Facing:
    """Return its present facing; a newcomer of the first side faces north, of another side south."""
    row = act.encounter.model(model.id)
    if square_of(row) is not None:
        return facing_of(row)
    return Facing.NORTH if act.encounter.sides()[0].id == model.side else Facing.SOUTH


def check_free(act: ActView, board: Board, square: Point, model: Model) -> None:
    """Refuse a square off the board, or one that is taken, with what is there."""
    if not board.holds(square):
        raise InvalidInput(
            f"Pick a square from 0,0 to {board.width - 1},{board.height - 1}. "
            f"{at(square)} is outside the board."
        )
    piece = board.at(square)
    if piece is not None and piece.id != model.id:
        raise InvalidInput(f"Pick a free square. {act.encounter.model(piece.id).name} is on {at(square)}.")
    for obstacle in board.obstacles:
        if square in obstacle.squares and not obstacle.debris:
            raise InvalidInput(f"Pick a free square. {at(square)} is occupied ({obstacle.name}).")


@dataclass(frozen=True, slots=True)
class ReadyMove:
    """A way that may be gone: the Action that it is of, where from and to, facing at its end, its price."""

    turn: ActionTurn
    here: Point
    end: Point
    facing: Facing
    squares: int
    cost: int


def _prepare_move(act: ActView, action: Move) -> ReadyMove:
    model = action.model
    start = board_of(act.encounter).piece(model.id).square
    check_free(act, board_of(act.encounter), action.to[-1], model)
    turn = turn_for(act, model, Doing.MOVE)
    end, square_count, cost, previous_square = _walk_path(act, turn.model, action.to)
    facing = (
        facing_towards(previous_square, end) if action.face is None else resolve_facing(act, action.face, end)
    )
    return ReadyMove(turn, start, end, facing, square_count, cost)


@handles(Move, prepare=_prepare_move)
def move_model(act: Act, action: Move) -> Reply:
    """Move by the cheapest way or the entered path, and store the run. Rules: SU-SPEED-01."""
    ready = _prepare_move(act, action)
    passed_lines, model = begin_action(act, ready.turn), ready.turn.model
    put_model(act.encounter, model.id, ready.end, ready.facing)
    freed_names = end_broken_holds(act.encounter)
    clock = clock_of(act.encounter)
    apply_effects(act, record_move(model, ready.squares, ready.cost, clock, settings_for(act)))
    speed_points = speed_left(refreshed_model(act, model), clock, settings_for(act))
    lines = [
        f"{model.name} moves from {at(ready.here)} to {at(ready.end)}.",
        (f"{times(ready.squares, 'square')}, Speed {speed_points} left, facing {FACING_WORDS[ready.facing]}"),
    ]
    lines += [f"No longer grappled: {join_with_and(freed_names)}."] if freed_names else []
    lines += passed_lines
    reach_button = Button("Reach", Look(model), anytime=True)
    return Reply(tuple(lines), buttons=(UNDO, reach_button))


def _walk_path(act: ActView, model: Model, typed_path: tuple[Point, ...]) -> tuple[Point, int, int, Point]:
    """Where the move ends, squares, cost, and the square before the last. Raises Forbidden."""
    board, settings = board_of(act.encounter), settings_for(act)
    points = speed_left(model, clock_of(act.encounter), settings)
    if act.reason and act.is_organiser:
        points = 100
    path = typed_path if len(typed_path) > 1 else path_to(board, model.id, typed_path[0], points, settings)
    if not path:
        raise InvalidInput(f"Pick another square. {model.name} is already there. To turn it, use /sol turn.")
    walk_result = check_path(board, model.id, path, points, settings)
    previous_square = path[-2] if len(path) > 1 else board.piece(model.id).square
    return walk_result.end, walk_result.squares, walk_result.cost, previous_square


def resolve_facing(act: ActView, face: Facing | Model | Point, square: Point) -> Facing:
    """Return the facing of a model on a square that looks so, or towards that. Raises InvalidInput."""
    if isinstance(face, Facing):
        return face
    faced_square = square_of_spot(act, face)
    if faced_square == square:
        raise InvalidInput("Choose another square to face. This is the model's own square.")
    return facing_towards(square, faced_square)


@dataclass(frozen=True, slots=True)
class ReadyTurn:
    """A model that may turn: where it stands, which way, and who lets the phase pass for it."""

    model: Model
    square: Point
    facing: Facing
    passed: tuple[Model, ...]


def _prepare_turn(act: ActView, action: Turn) -> ReadyTurn:
    model = action.model
    square = board_of(act.encounter).piece(model.id).square
    passed_models: tuple[Model, ...] = ()
    if act.encounter.row.turn:
        check_settled(act)
        passed_models = list_models_passed_over(act, model)
        with act.overridable():
            _check_can_turn(act, model)
    return ReadyTurn(model, square, resolve_facing(act, action.face, square), passed_models)


@handles(Turn, prepare=_prepare_turn)
def turn_model(act: Act, action: Turn) -> Reply:
    """Turn the model at no cost, once its turn in the phase has come. Rules: SU-SPEED-01."""
    ready = _prepare_turn(act, action)
    for passed_model in ready.passed:
        pass_phase(act, passed_model)
    put_model(act.encounter, ready.model.id, ready.square, ready.facing)
    line = f"{ready.model.name} turns to face {FACING_WORDS[ready.facing]}."
    passed_lines = describe_passed([passed_model.name for passed_model in ready.passed])
    return Reply((line, *passed_lines), buttons=(UNDO,))


def _check_can_turn(act: ActView, model: Model) -> None:
    """Who could not take an Action does not turn either; who has taken one may still turn."""
    if model.has(Condition.GRAPPLED):
        sentence = f"Use /sol break first. {model.name} is grappled and can only break free."
        raise Forbidden(sentence, "SU-GRAP-03")
    tested_action = Doing.STAND_UP
    state = state_of(model)
    if state.acted_phase == phases_so_far(act):
        tested_action = Doing(state.doing)
        if tested_action in (Doing.MOVE, Doing.ATTACK, Doing.LUNGE):
            return
    if state.acted_phase != phases_so_far(act):
        start_or_continue(model, clock_of(act.encounter), tested_action, settings_for(act))


@handles(StandUp)
def stand_model_up(act: Act, action: StandUp) -> Reply:
    """Stand up for an Action, or for speed points by the setting. Rules: SU-KO-03."""
    check_begun(act)
    with act.overridable():
        stand_up(action.model)
    action_kind, cost = stand_up_price(settings_for(act))
    model, passed_lines = start_action(act, action.model, action_kind)
    if cost:
        speed_points = speed_left(model, clock_of(act.encounter), settings_for(act))
        if cost > speed_points:
            forbid(
                f"Standing up costs {format_speed_points(cost)}, but {describe_points_left(speed_points)}.",
                "SU-KO-03",
            )
        apply_effects(act, record_move(model, 0, cost, clock_of(act.encounter), settings_for(act)))
    apply_effects(act, stand_up(model))
    return Reply((f"{model.name} stands up.", *passed_lines), buttons=(UNDO,))


@handles(Pass)
def let_pass(act: Act, action: Pass) -> Reply:
    """Make models pass in this phase, which counts as a pause. Rules: SU-SEQ-01, SU-SPEED-02."""
    check_begun(act)
    check_settled(act)
    overdue_reply = ask_waiting_roll_first(act)
    if overdue_reply is not None:
        return overdue_reply
    waiting_models = models_yet_to_act(act.encounter)
    own_models = [model for model in waiting_models if asker_plays(act, act.encounter.model(model.id))]
    model = action.model
    if model is not None:
        if model.id not in [model.id for model in waiting_models]:
            state = state_of(model)
            has_had_phase = phases_so_far(act) in (state.acted_phase, state.passed)
            reason = "has already acted or passed this phase" if has_had_phase else "can't act in this phase"
            raise Forbidden(f"Choose another model. {model.name} {reason}.", "SU-SEQ-01")
        other_models = [other for other in own_models if other.id != model.id]
        own_models = [model, *other_models] if len(other_models) < len(own_models) else [model]
    if not own_models:
        raise InvalidInput("Wait for the next phase. None of your models can still act in this one.")
    passing_models = own_models if action.every else own_models[:1]
    for passing_model in passing_models:
        pass_phase(act, passing_model)
    models_left = models_yet_to_act(act.encounter)
    names = join_with_and([model.name for model in passing_models])
    return Reply(
        (
            f"{names} {'passes' if len(passing_models) == 1 else 'pass'}.",
            f"{models_left[0].name} acts next." if models_left else "The phase is over.",
        ),
        buttons=(UNDO,) if models_left else (Button("Next phase", NextStep(), "main"), UNDO),
    )
