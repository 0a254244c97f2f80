"""Facts that the board measures between models: distance, sight, contact, arc and obstacles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.store.rows import ModelRow
from bot.table.board.routes import Passes, not_on_board, passing
from bot.table.board.surface import (
    MAX_HEIGHT,
    SMOKE,
    TABLE,
    Board,
    TableState,
    Terrain,
    board_of,
    clouds_on,
    require_board,
    things,
)
from bot.table.encounter import Encounter, EncounterView
from bot.table.game import OnBoard, game_of
from rules import measure
from rules.measure import Body, Piece, Point, Sight, Template, tenths
from rules.refusals import Forbidden, InvalidInput
from rules.wording import times

LIMIT_STEP = 0.5
"""Limits of games are multiples of this: a distance just beyond one isn't rounded down to it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A measured fact.

    value: as the field of an action holds it. words: as it is shown. barred: the sentence that refuses a
    blank field; empty if the value is used instead. of: the models between which it was measured, by number.
    settles: no form needs to ask the field.
    """

    value: Any
    words: str
    barred: str = ""
    of: tuple[int, int] = (0, 0)
    settles: bool = False

    def meant(self) -> Any:
        """Return the value to use if the player entered none. Raises Forbidden."""
        if self.barred:
            raise Forbidden(self.barred)
        return self.value


def standing(encounter: EncounterView, number: int) -> Body | None:
    """Return a model with its place on the board; None without a board, or if it is not on it."""
    board = board_of(encounter)
    return board.standing.get(number) if board is not None else None


def inches(distance: float) -> float:
    """Return a field's distance: in tenths, or in hundredths if rounding would take it below a limit."""
    rounded = tenths(distance)
    is_over = distance > rounded + 1e-9 and abs(rounded / LIMIT_STEP - round(rounded / LIMIT_STEP)) < 1e-9
    return (
        round(rounded + 0.01 * max(1, round((distance - rounded) * 100)), 2) if is_over else round(rounded, 1)
    )


def pair(encounter: EncounterView, first_id: int, second_id: int) -> tuple[Body, Body] | None:
    """Return two models as they stand, one that moves now where the other sees it best.

    None if one of them is not on the board.
    """
    seen_places = _seen(encounter, first_id, second_id)
    return seen_places[:2] if seen_places is not None else None


def _seen(encounter: EncounterView, viewer: int, target: int) -> tuple[Body, Body, Sight | None] | None:
    """Return a pair, with how its first model sees the second if that was measured to find a place."""
    first = standing(encounter, viewer)
    second = standing(encounter, target) if first is not None else None
    if first is None or second is None:
        return None
    moving = passing(encounter)
    if moving is not None and moving[0] == target:
        return first, *exposure(encounter, first, viewer, target)
    if moving is not None and moving[0] == viewer:
        return exposure(encounter, second, target, viewer)[0], second, None
    return first, second, None


def exposure(encounter: EncounterView, eyes: Body, watcher: int, target: int) -> tuple[Body, Sight]:
    """Return where and how a model on the board is seen best from these eyes: on its way, if it moves now.

    It has the least cover there, and of several such places the nearest counts. watcher: the number of the
    viewer.
    """
    return encounter.worked_out(
        (exposure, eyes, watcher, target), lambda: _exposure(encounter, eyes, watcher, target)
    )


def _exposure(encounter: EncounterView, eyes: Body, watcher: int, target: int) -> tuple[Body, Sight]:
    board, moving = require_board(encounter), passing(encounter)
    hiding = _hiding(encounter, board, watcher, target)
    if moving is None or moving[0] != target:
        return board.standing[target], measure.sight(eyes, board.standing[target], hiding)
    game = game_of(encounter)
    least = game.covered_from if isinstance(game, Passes) else 0.0

    def visibility_key(place: tuple[Body, Sight]) -> tuple[bool, int, float]:
        body, sight = place
        return sight.is_blocked, cover_rating(board, sight, least)[0], measure.distance(eyes, body)

    return min(((body, measure.sight(eyes, body, hiding)) for body in moving[1]), key=visibility_key)


def between(encounter: EncounterView, first_id: int, second_id: int) -> Fact | None:
    """Return the distance of two models; None if it can't be measured."""
    bodies = pair(encounter, first_id, second_id)
    if bodies is None:
        return None
    gap = inches(measure.distance(*bodies))
    return Fact(gap, f"{tenths(gap):g} in", of=(first_id, second_id))


def apart(encounter: EncounterView, first_id: int, second_id: int) -> float:
    """Return the inches between two models, or 0 if they can't be measured."""
    bodies = pair(encounter, first_id, second_id)
    return measure.distance(*bodies) if bodies is not None else 0.0


def note_attack(encounter: Encounter, attacker: int, target: int) -> None:
    """Store the last attack's model and target, for the line in the picture. 0 and 0 remove the line."""
    for table in things(encounter, TABLE):
        state = TableState(table)
        state.shooter, state.target = attacker, target


def in_contact(encounter: EncounterView, first_id: int, second_id: int) -> bool | None:
    """Return whether two models touch; None if it can't be measured."""
    first, second = standing(encounter, first_id), standing(encounter, second_id)
    return None if first is None or second is None else measure.are_in_contact(first, second)


def sight(encounter: EncounterView, viewer: int, target: int) -> Sight | None:
    """Return how a model is seen by another past terrain and models; None if it can't be measured."""
    return encounter.worked_out((sight, viewer, target), lambda: _sight(encounter, viewer, target))


def _sight(encounter: EncounterView, viewer: int, target: int) -> Sight | None:
    seen_places = _seen(encounter, viewer, target)
    if seen_places is None:
        return None
    eyes, body, view = seen_places
    return view or measure.sight(eyes, body, _hiding(encounter, require_board(encounter), viewer, target))


def sees_any(encounter: Encounter, viewer: int, target: int, places: Sequence[Body] = ()) -> bool:
    """Return whether a model sees another where it is, or at any of these places.

    True if nothing is measured.
    """
    board = board_of(encounter)
    if board is None or viewer not in board.standing or target not in board.standing:
        return True
    eyes, hiding = board.standing[viewer], _hiding(encounter, board, viewer, target)
    return any(
        not measure.sight(eyes, place, hiding).is_blocked for place in (board.standing[target], *places)
    )


def _hiding(encounter: EncounterView, board: Board, viewer: int, target: int) -> list[Piece]:
    """Return what may hide a target: terrain, other models, and clouds that neither of the two touches."""
    pair_bodies = [body for number in (viewer, target) if (body := board.standing.get(number)) is not None]
    return [
        *board.pieces(),
        *(
            Piece(cloud.name, cloud.shape.outline, 0.0, MAX_HEIGHT)
            for cloud in clouds_on(board)
            if not any(map(cloud.touches, pair_bodies))
        ),
        *(
            Piece(row.name, measure.circle(body.at, body.radius), body.bottom, body.top)
            for row in encounter.models()
            if row.id not in (viewer, target) and (body := board.standing.get(row.id)) is not None
        ),
    ]


def sight_past_smoke(encounter: EncounterView, viewer: int, target: int) -> Sight | None:
    """Return how a model is seen by another as if there were no smoke; None if it can't be measured."""
    bodies, board = pair(encounter, viewer, target), board_of(encounter)
    if bodies is None or board is None:
        return None
    return measure.sight(*bodies, _hiding(encounter, board.without_smoke(), viewer, target))


def find_smoke(encounter: EncounterView, viewer: int, target: int) -> list[Terrain]:
    """Return the smoke that two models are in, or that a line between them goes through."""
    bodies = pair(encounter, viewer, target)
    if bodies is None:
        return []
    smoke = [piece for piece in require_board(encounter).terrain if piece.kind == SMOKE]
    crossed_names = {name for name, _ in measure.sight(*bodies, [piece.piece for piece in smoke]).by}
    return [
        piece
        for piece in smoke
        if piece.name in crossed_names
        or any(measure.touches(body, piece.shape.outline) and body.bottom < piece.top for body in bodies)
    ]


def cover_rating(board: Board, sight: Sight, least_share: float) -> tuple[int, str]:
    """Return the best cover of what hides or veils that share of a target, 0 to 3, and its name.

    A model in the way gives light cover, and a cloud gives none by hiding a part.
    """
    if sight.veiled < least_share:
        return 0, ""
    rated, cloud_names = [], [cloud.name for cloud in clouds_on(board)]
    for name, share in sight.by:
        piece = board.terrain_named(name)
        if piece is not None or name not in cloud_names:
            rated.append((piece.cover if piece is not None else 1, share, name))
    best = max(rated, default=(0, 0.0, ""))
    return best[0], best[2]


def unseen(encounter: EncounterView, target: int, sight: Sight) -> Fact:
    """Return the fact that no part of a target is visible, so a player who sees it has to enter its cover."""
    words, name = sight_words(sight), encounter.model(target).name
    return Fact(
        None,
        words,
        f"On the board, there is {words}. If you agree that {name} can be seen, enter its cover by hand.",
    )


def within_words(board: Board, body: Body) -> list[str]:
    """Return the terrain and clouds that a model is in, without what carries it."""
    clouds = [cloud.name for cloud in clouds_on(board) if cloud.touches(body)]
    return clouds + [
        piece.name
        for piece in board.terrain
        if not piece.is_opaque and piece.bottom <= body.bottom and measure.touches(body, piece.shape.outline)
    ]


@dataclass(frozen=True, slots=True)
class Covered:
    """The models under a template by number, the nearest first."""

    wholly: tuple[int, ...] = ()
    partly: tuple[int, ...] = ()


def covered(encounter: EncounterView, template: Template, origin: Point, but: Sequence[int] = ()) -> Covered:
    """Return the models under a template, the nearest to where it comes from first. but: who is left out."""
    board = require_board(encounter)
    nearest_first = sorted(
        board.standing, key=lambda model: (measure.apart(origin, board.standing[model].at), model)
    )
    coverage = {
        model: measure.covers(template, board.standing[model]) for model in nearest_first if model not in but
    }
    return Covered(
        tuple(number for number, extent in coverage.items() if extent == "wholly"),
        tuple(number for number, extent in coverage.items() if extent == "partly"),
    )


def on_line(
    encounter: EncounterView, start: Point, end: Point, level: float, but: Sequence[int] = ()
) -> tuple[int, ...]:
    """Return the models whose bases a straight line on a level crosses, the nearest to its start first."""
    crossed = {
        model: body
        for model, body in require_board(encounter).standing.items()
        if model not in but
        and abs(body.bottom - level) < measure.SAME_LEVEL
        and measure.is_crossed(body, start, end)
    }
    return tuple(sorted(crossed, key=lambda number: (measure.apart(start, crossed[number].at), number)))


# ------------------------------------------------------------------------------------------- in words


def size_words(encounter: Encounter) -> str:
    """Return the size of the table."""
    board = require_board(encounter)
    return f"{board.width:g} by {board.depth:g} in"


def sight_words(sight: Sight) -> str:
    """Return how a model is seen, in words."""
    names = " and ".join(name for name, _ in sight.by[:2])
    if sight.is_blocked:
        return f"no line of sight because of {names}"
    share = round(100 * sight.veiled)
    if not share:
        return "clear line of sight"
    return f"partly visible, {share}% hidden by {names}"


def find_target(encounter: EncounterView, viewer: int, target: int) -> tuple[str, bool]:
    """Return how far away a target is, in words, and whether its viewer can see it.

    Without a viewer on the board nothing is measured: the words are empty, and the target counts as seen.
    """
    if standing(encounter, viewer) is None:
        return "", True
    apart, view = between(encounter, viewer, target), sight(encounter, viewer, target)
    if apart is None or view is None:
        return "not on the board", False
    return (f"{apart.words}, out of sight", False) if view.is_blocked else (apart.words, True)


def seen_words(encounter: EncounterView, viewer: int, target: int) -> str:
    """Return how a model on the board is seen by another, with its cover as the game has it."""
    view, game = sight(encounter, viewer, target), game_of(encounter)
    assert view is not None, "both stand on the board"
    words = sight_words(view)
    if view.is_blocked or not isinstance(game, OnBoard):
        return words
    cover = game.cover(encounter, viewer, target, view) or ("no cover" if round(100 * view.veiled) else "")
    return f"{words}: {cover}" if cover else words


def tells_sight(sentence: str) -> bool:
    """Return whether a refusal says that a target is out of sight."""
    return "line of sight" in sentence or "line of fire" in sentence


def measured_lines(encounter: Encounter, model: ModelRow, other: ModelRow) -> tuple[list[str], list[str]]:
    """Return what is between two models: distance and sight, and then all else.

    Raises InvalidInput where one of them is off the board.
    """
    board = require_board(encounter)
    for row in (model, other):
        if row.id not in board.standing:
            raise InvalidInput(not_on_board(row))
    bodies, words = pair(encounter, model.id, other.id), seen_words(encounter, model.id, other.id)
    assert bodies is not None, "both stand on the board"
    first, second = bodies
    head = [f"{model.name} to {other.name}: {tenths(measure.distance(first, second)):.1f} in"]
    head += ["They are in base contact."] if measure.are_in_contact(first, second) else []
    head.append(f"{words[0].upper()}{words[1:]}.")
    terrain_names = within_words(board, second)
    lines = [f"{other.name} is in {', '.join(terrain_names)}."] if terrain_names else []
    if first.facing is not None:
        turn = round(measure.relative_bearing(first, second.at))
        aside = (
            f"{other.name} is {times(abs(turn), 'degree')} to the {'right' if turn > 0 else 'left'} of where "
            f"{model.name} faces."
        )
        lines.append(aside if turn else f"{other.name} is straight ahead of {model.name}.")
    return head, lines
