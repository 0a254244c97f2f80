"""Models on the board: placed by hand, moved, turned, stood up, or letting a phase pass."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.soluna import suggestions
from bot.games.soluna.activation import (
    ActionTurn,
    asker_plays,
    begin_action,
    carry_through,
    check_begun,
    check_settled,
    end_broken_holds,
    faster_own_models,
    pass_over,
    passed_words,
    phases_so_far,
    refreshed_model,
    settings_for,
    start_action,
    turn_for,
    yet_to_act,
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
from bot.games.soluna.fields import acting_model, board_square, facing_field, model_to_place, path_field
from bot.games.soluna.look_actions import Look, square_of_spot
from bot.games.soluna.state import clock_of, state_of
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.realdice import thrown_first
from bot.table.session.encounters import NextStep
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.soluna.board import Board, Facing, Point
from rules.systems.soluna.models import (
    Condition,
    Doing,
    Model,
    begin,
    placed,
    record_move,
    stand_up,
    stand_up_price,
)
from rules.systems.soluna.movement import path_to, points_words, speed_left, walk
from rules.wording import times, together


@dataclass(frozen=True, slots=True)
class PlaceModel(Action):
    """Put a model on the board or take it off.

    Without a square it is taken off.
    """

    command = "sol.place"
    typed = "sol place"
    titled = "Place a model"
    waits_for_dice = True

    model: Model = model_to_place("Model")
    square: Point | None = board_square(
        'Square, such as "3,4" (blank takes the model off)',
        suggestions.edge_square,
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
        "Direction, square or model to face", suggestions.turn_targets, needed=True
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
    """Free before the game; later only for models that enter play, or by the organiser."""
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
    face = _usual_facing(act, model) if action.face is None else action.face
    facing = resolve_facing(act, face, square)
    put_model(encounter, model.id, square, facing)
    if encounter.row.turn:
        carry_through(act, placed(model.id, clock_of(encounter), settings_for(act)))
        end_broken_holds(encounter)
    line = f"{model.name} is placed on {at(square)}, facing {FACING_WORDS[facing]}."
    has_unplaced = any(square_of(row) is None and asker_plays(act, row) for row in encounter.models())
    next_button = Button("Place the next model...", PlaceModel(), "main", anytime=True, asks=True)
    return Reply((line,), buttons=(next_button, UNDO) if has_unplaced else (UNDO,))


def _usual_facing(act: Act, model: Model) -> Facing:
    """As it stood; a newcomer of the first side looks north, of others south."""
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
            raise InvalidInput(f"Pick a free square. {at(square)} is occupied by {obstacle.name}.")


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
    end, squares, cost, previous = _walk_path(act, turn.model, action.to)
    facing = facing_towards(previous, end) if action.face is None else resolve_facing(act, action.face, end)
    return ReadyMove(turn, start, end, facing, squares, cost)


@handles(Move, prepare=_prepare_move)
def move_model(act: Act, action: Move) -> Reply:
    """Return the cheapest way, or the path given; speed points and the run are kept. Rules: SU-SPEED-01."""
    ready = _prepare_move(act, action)
    passed, model = begin_action(act, ready.turn), ready.turn.model
    put_model(act.encounter, model.id, ready.end, ready.facing)
    freed_names = end_broken_holds(act.encounter)
    clock = clock_of(act.encounter)
    carry_through(act, record_move(model, ready.squares, ready.cost, clock, settings_for(act)))
    speed = speed_left(refreshed_model(act, model), clock, settings_for(act))
    lines = [
        f"{model.name} moves from {at(ready.here)} to {at(ready.end)}.",
        (f"{times(ready.squares, 'square')}, Speed {speed} left, facing {FACING_WORDS[ready.facing]}"),
    ]
    lines += [f"No longer grappled: {together(freed_names)}."] if freed_names else []
    lines += passed
    reach = Button("Reach", Look(model), anytime=True)
    return Reply(tuple(lines), buttons=(UNDO, reach))


def _walk_path(act: ActView, model: Model, goals: tuple[Point, ...]) -> tuple[Point, int, int, Point]:
    """Where the move ends, squares, cost, and the square before the last. Raises Forbidden."""
    board, settings = board_of(act.encounter), settings_for(act)
    points = speed_left(model, clock_of(act.encounter), settings)
    if act.reason and act.is_organiser:
        points = 100
    path = goals if len(goals) > 1 else path_to(board, model.id, goals[0], points, settings)
    if not path:
        raise InvalidInput(f"Pick another square. {model.name} is already there. To turn it, use /sol turn.")
    walked = walk(board, model.id, path, points, settings)
    previous_square = path[-2] if len(path) > 1 else board.piece(model.id).square
    return walked.end, walked.squares, walked.cost, previous_square


def resolve_facing(act: ActView, face: Facing | Model | Point, square: Point) -> Facing:
    """Return the facing of a model on a square that looks so, or towards that. Raises InvalidInput."""
    if isinstance(face, Facing):
        return face
    goal = square_of_spot(act, face)
    if goal == square:
        raise InvalidInput("Choose another square to face. This is the model's own square.")
    return facing_towards(square, goal)


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
    passed: tuple[Model, ...] = ()
    if act.encounter.row.turn:
        check_settled(act)
        passed = faster_own_models(act, model)
        with act.overridable():
            _check_can_turn(act, model)
    return ReadyTurn(model, square, resolve_facing(act, action.face, square), passed)


@handles(Turn, prepare=_prepare_turn)
def turn_model(act: Act, action: Turn) -> Reply:
    """Free, once the model's turn in the phase has come. Rules: SU-SPEED-01."""
    ready = _prepare_turn(act, action)
    for other in ready.passed:
        pass_over(act, other)
    put_model(act.encounter, ready.model.id, ready.square, ready.facing)
    line = f"{ready.model.name} turns to face {FACING_WORDS[ready.facing]}."
    words = passed_words([other.name for other in ready.passed])
    return Reply((line, *words), buttons=(UNDO,))


def _check_can_turn(act: ActView, model: Model) -> None:
    """Who could not take an Action does not turn either; who has taken one may still turn."""
    if model.has(Condition.GRAPPLED):
        sentence = f"Use /sol break first. {model.name} is grappled and can only break free."
        raise Forbidden(sentence, "SU-GRAP-03")
    doing = Doing.STAND_UP
    state = state_of(model)
    if state.acted_phase == phases_so_far(act):
        doing = Doing(state.doing)
        if doing in (Doing.MOVE, Doing.ATTACK, Doing.LUNGE):
            return
    if state.acted_phase != phases_so_far(act):
        begin(model, clock_of(act.encounter), doing, settings_for(act))


@handles(StandUp)
def stand_on_feet(act: Act, action: StandUp) -> Reply:
    """Return an activation, or speed points by the setting. Rules: SU-KO-03."""
    check_begun(act)
    with act.overridable():
        stand_up(action.model)
    doing, cost = stand_up_price(settings_for(act))
    model, passed = start_action(act, action.model, doing)
    if cost:
        speed = speed_left(model, clock_of(act.encounter), settings_for(act))
        if cost > speed:
            forbid(
                (
                    f"Standing up costs {points_words(cost)}, but there {'is' if speed == 1 else 'are'} "
                    f"only {speed} left."
                ),
                "SU-KO-03",
            )
        carry_through(act, record_move(model, 0, cost, clock_of(act.encounter), settings_for(act)))
    carry_through(act, stand_up(model))
    return Reply((f"{model.name} stands up.", *passed), buttons=(UNDO,))


@handles(Pass)
def let_pass(act: Act, action: Pass) -> Reply:
    """Do nothing in this phase, which is a pause. Rules: SU-SEQ-01, SU-SPEED-02."""
    check_begun(act)
    check_settled(act)
    overdue_reply = thrown_first(act)
    if overdue_reply is not None:
        return overdue_reply
    waiting = yet_to_act(act.encounter)
    models = [model for model in waiting if asker_plays(act, act.encounter.model(model.id))]
    model = action.model
    if model is not None:
        if model.id not in [model.id for model in waiting]:
            raise Forbidden(
                f"Choose another model. {model.name} has already acted or passed this phase.", "SU-SEQ-01"
            )
        others = [other for other in models if other.id != model.id]
        models = [model, *others] if len(others) < len(models) else [model]
    if not models:
        raise InvalidInput("Wait for the next phase. All your models have acted or passed in this one.")
    passing = models if action.every else models[:1]
    for passing_model in passing:
        pass_over(act, passing_model)
    models_left = yet_to_act(act.encounter)
    names = together([model.name for model in passing])
    return Reply(
        (
            f"{names} {'passes' if len(passing) == 1 else 'pass'}.",
            f"{models_left[0].name} acts next." if models_left else "The phase is over.",
        ),
        buttons=(UNDO,) if models_left else (Button("Next phase", NextStep(), "main"), UNDO),
    )
