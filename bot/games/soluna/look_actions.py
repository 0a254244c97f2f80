"""The board shown: picture and text, with reach, sight lines and the squares that can be walked to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.soluna.activation import settings_for
from bot.games.soluna.board import OBJECT, artifacts, at, board_of, describe_squares, square_of, thing_rows
from bot.games.soluna.board_actions import describe_object
from bot.games.soluna.board_picture import (
    ARTIFACT_SIGN,
    MAX_TEXT_ROWS,
    Marks,
    artifacts_on_board,
    assign_letters,
    build_rays,
    columns_shown,
    draw_board,
    legend,
    list_figures,
    list_places,
    surroundings,
    window,
)
from bot.games.soluna.fields import friend_field, square_or_model
from bot.games.soluna.narration import describe_sight_lines, find_best_view
from bot.games.soluna.settings import settings_of
from bot.games.soluna.state import clock_of
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.game import uses_plain_text
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from rules.refusals import InvalidInput, refuse_typed
from rules.systems.soluna.attack import cover_pieces
from rules.systems.soluna.board import Board, Point, reach
from rules.systems.soluna.models import Condition, Model
from rules.systems.soluna.movement import format_speed_points, speed_left, squares_in_speed
from rules.systems.soluna.sight import Eyes, Sight, effective_reach, sight_for
from rules.systems.soluna.sight import surroundings as light_between
from rules.wording import possessive


@dataclass(frozen=True, slots=True)
class ShowBoard(Action):
    """Show the board (visible only to you).

    around: the square or model in the middle of the text. share: everyone sees it.
    """

    command = "sol.show"
    typed = "sol board show"
    titled = "Board"
    decision_of = ANYONE

    around: Model | Point | None = square_or_model("Square or model to centre on")
    share: bool = fields.switch("Show the board to everyone")


@dataclass(frozen=True, slots=True)
class Look(Action):
    """Show what a model can reach, see or walk to.

    target: what to show the sight lines to.
    """

    command = "sol.look"
    typed = "sol look"
    decision_of = ANYONE

    model: Model = friend_field("Model that looks", needed=True)
    target: Model | Point | None = square_or_model("Model or square to show sight lines to")
    steps: bool = fields.switch("Show where the model can move")


def square_of_spot(act: ActView, place: Model | Point) -> Point:
    """Return the square itself, or the model's square. Raises InvalidInput for one off the board."""
    return board_of(act.encounter).piece(place.id).square if isinstance(place, Model) else place


def find_window_corner(board: Board, centre: Point | None) -> Point:
    """Return the south-west corner of the window of text around a square."""
    if centre is None:
        return 0, max(0, board.height - MAX_TEXT_ROWS)
    columns, rows = columns_shown(board), min(board.height, MAX_TEXT_ROWS)
    x = min(max(0, centre[0] - columns // 2), board.width - columns)
    y = min(max(0, centre[1] - rows // 2), board.height - rows)
    return x, y


@handles(ShowBoard)
def show_board(act: Act, action: ShowBoard) -> Reply:
    """Return the picture, the text, and who is where."""
    encounter = act.encounter
    board = board_of(encounter)
    centre = square_of_spot(act, action.around) if action.around is not None else None
    corner = find_window_corner(board, centre)
    lines = [f"Board of {board.width} by {board.height} squares, {describe_phase(encounter)}"]
    lines += surroundings(board)
    in_words_only = uses_plain_text(encounter)
    text_grid = window(board, assign_letters(encounter), artifacts_on_board(encounter), corner)
    lines += list_places(encounter) if in_words_only else ["```", *text_grid, "```", *legend(encounter)]
    lines += [describe_object(row) for row in thing_rows(encounter, OBJECT)]
    lines += [
        f"{ARTIFACT_SIGN} {artifact.name}: Artifact, Health {artifact.health}, on {at(artifact.square)}"
        for artifact in artifacts(encounter)
    ]
    lines += [f"cloud: {describe_squares(cloud.squares)}" for cloud in board.clouds]
    return Reply(
        tuple(lines),
        private=not action.share,
        files=() if in_words_only else act.drawn(draw_board, encounter, board),
        buttons=(*_build_window_buttons(action, board, corner), Button("Refresh", action, anytime=True)),
        replaces=True,
    )


def describe_phase(encounter: Encounter) -> str:
    """Return the turn and phase in words."""
    if not encounter.row.turn:
        return "before the game begins"
    clock = clock_of(encounter)
    return f"turn {clock.turn}, phase {clock.phase} of {settings_of(encounter).phases_per_turn}"


def _build_window_buttons(action: ShowBoard, board: Board, corner: Point) -> tuple[Button, ...]:
    """Buttons that move the window of text over a board too large for it."""
    columns, rows = columns_shown(board), min(board.height, MAX_TEXT_ROWS)
    x, y = corner[0] + columns // 2, corner[1] + rows // 2
    buttons = []
    for label, can_move, square in (
        ("West", corner[0] > 0, (x - columns + 2, y)),
        ("North", corner[1] + rows < board.height, (x, y + rows - 2)),
        ("South", corner[1] > 0, (x, y - rows + 2)),
        ("East", corner[0] + columns < board.width, (x + columns - 2, y)),
    ):
        if can_move:
            place = min(max(0, square[0]), board.width - 1), min(max(0, square[1]), board.height - 1)
            buttons.append(Button(label, replace(action, around=place), anytime=True))
    return tuple(buttons)


@handles(Look)
def look(act: Act, action: Look) -> Reply:
    """Show only the asker the reach of every square it sees, where it can go, or the lines to one target."""
    model, board = action.model, board_of(act.encounter)
    if action.target is not None:
        refuse_typed('Choose either a target or "Show where the model can move", not both.', action.steps)
        return _show_sight(act, board, model, action.target)
    return _show_steps(act, board, model) if action.steps else _show_reach(act, board, model)


def eyes_of(model: Model, *, target_lit: bool = False) -> Eyes:
    """Return how a model sees targets in a light of their own, or not."""
    traits = model.profile.traits
    return Eyes("sees in the dark" in traits, "sightless" in traits, model.has(Condition.BLINDED), target_lit)


def _find_lit_squares(encounter: Encounter) -> set[Point]:
    """Return the squares of models in a light of their own. Rules: SU-VIS-01, SU-VIS-02."""
    lit_squares = (square_of(row) for row in encounter.models() if encounter.condition(row.id, Condition.LIT))
    return {square for square in lit_squares if square is not None}


def _show_reach(act: Act, board: Board, model: Model) -> Reply:
    settings, piece = settings_for(act), board.piece(model.id)
    reach_by_square = {}
    for x in range(board.width):
        for y in range(board.height):
            plain_reach = reach(piece.square, piece.facing, (x, y))
            if plain_reach is not None and (x, y) not in board.walls():
                visibility = light_between(board, piece.square, (x, y), eyes_of(model))
                reach_by_square[x, y] = effective_reach(plain_reach, visibility.factors, settings)
    caption = f"{possessive(model.name)} reach when facing {piece.facing.name.lower()}"
    return _reply_with_marks(act, board, Marks(figures=reach_by_square), piece.square, [caption])


def _show_steps(act: Act, board: Board, model: Model) -> Reply:
    points = speed_left(model, clock_of(act.encounter), settings_for(act))
    cost_by_square = squares_in_speed(board, model.id, points, settings_for(act))
    square = board.piece(model.id).square
    marked_costs = {reachable: cost for reachable, cost in cost_by_square.items() if reachable != square}
    caption = f"Squares that {model.name} can move to with {format_speed_points(points)}"
    return _reply_with_marks(act, board, Marks(figures=marked_costs), square, [caption])


def _show_sight(act: Act, board: Board, model: Model, target: Model | Point) -> Reply:
    settings, start = settings_for(act), board.piece(model.id)
    end = square_of_spot(act, target)
    target_name = target.name if isinstance(target, Model) else at(target)
    if not board.holds(end):
        raise InvalidInput(
            f"Pick a square from 0,0 to {board.width - 1},{board.height - 1}. {at(end)} is outside the board."
        )
    view = find_best_view(board, start.square, end, settings)
    if view is None:
        raise InvalidInput("Pick another square. A model always sees its own.")
    plain_reach = reach(start.square, start.facing, end)
    words_by_sight = {
        Sight.CLEAR: "clear",
        Sight.PARTLY: "partly seen (-2 Accuracy)",
        Sight.HIDDEN: "hidden (-4 Accuracy)",
    }
    sight_words = words_by_sight.get(sight_for(view.blocked, settings), "no line of sight")
    lines = [f"{model.name} to {target_name}: {sight_words}", *describe_sight_lines(view)]
    is_lit = end in _find_lit_squares(act.encounter)
    visibility = light_between(board, start.square, end, eyes_of(model, target_lit=is_lit))
    if plain_reach is None:
        lines.append("The target is behind the model, which has to turn to attack it.")
    else:
        counted_reach = effective_reach(plain_reach, visibility.factors, settings)
        lines.append(
            f"Reach {plain_reach}" + (f" (counts as {counted_reach})" if counted_reach != plain_reach else "")
        )
    lines += [f"x{factor.factor} {factor.reason}" for factor in visibility.factors]
    if visibility.groping:
        lines.append(f"{visibility.groping.reason.capitalize()} limits attacks to reach 1.")
    names = {row.id: row.name for row in act.encounter.models()}
    lines += [
        f"Cover: {cover_piece.name}, Body {cover_piece.body}"
        for cover_piece in cover_pieces(board, start.square, end, settings, names)
    ]
    rays, blockers = build_rays(view)
    return _reply_with_marks(act, board, Marks(rays=rays, blockers=blockers), start.square, lines)


def _reply_with_marks(act: Act, board: Board, marks: Marks, centre: Point, captions: list[str]) -> Reply:
    corner = find_window_corner(board, centre)
    marks = replace(marks, things=artifacts_on_board(act.encounter).things)
    if uses_plain_text(act.encounter):
        return Reply((*captions, *list_figures(marks), *list_places(act.encounter)), private=True)
    text = ["```", *window(board, assign_letters(act.encounter), marks, corner), "```"]
    picture_files = act.drawn(draw_board, act.encounter, board, marks, captions[:1])
    return Reply((*captions, *text), private=True, files=picture_files)
