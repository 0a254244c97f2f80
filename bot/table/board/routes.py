"""Ways of models on the board: planned before they are gone, with their length and all that they cross."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Protocol, runtime_checkable

from bot.replies.reply import Button
from bot.store.rows import ModelRow
from bot.table.board.places import direction, place_words, way
from bot.table.board.surface import (
    MAX_HEIGHT,
    Board,
    Terrain,
    board_of,
    body_of,
    kept,
    misplaced,
    require_board,
    stand,
)
from bot.table.encounter import Encounter, EncounterView
from bot.table.game import game_of
from rules import measure
from rules.measure import Body, Point, tenths
from rules.refusals import InvalidInput, forbid
from rules.wording import join_with_and


@dataclass(frozen=True, slots=True)
class BoardPath:
    """A way that a model may go.

    words: as it was entered. crossed: the terrain on it, each with its inches.
    """

    model: int
    words: str
    points: tuple[Point, ...]
    before: Body
    after: Body
    length: float
    crossed: tuple[tuple[Terrain, float], ...] = ()

    @property
    def ground(self) -> tuple[Terrain, ...]:
        """Return the terrain that it touches on its level and walks through."""
        return tuple(
            piece for piece, _ in self.crossed if not piece.is_opaque and piece.bottom <= self.before.bottom
        )

    @property
    def barriers(self) -> tuple[tuple[Terrain, float], ...]:
        """Return the terrain that blocks the way and is higher than both its ends, each with its depth."""
        level = max(self.before.bottom, self.after.bottom)
        return tuple(
            (piece, distance)
            for piece, distance in self.crossed
            if piece.is_solid and distance > 0 and piece.bottom <= level < piece.top
        )

    @property
    def climbed(self) -> float:
        """Return how much higher it ends; below 0 if it is lower."""
        return self.after.bottom - self.before.bottom


@runtime_checkable
class KnowsPaces(Protocol):
    """A game that knows how far its moves on the board take a model."""

    def paces(
        self, encounter: EncounterView, model: ModelRow, walk: BoardPath | None = None
    ) -> Sequence[float]:
        """Return the inches along the ground of each move that it may make now, the shortest first.

        Of the game's `board_moves`; empty if it may make none, or if nothing limits it. walk: the route whose
        terrain counts; without one it goes over open ground.
        """
        ...


@runtime_checkable
class ChecksGround(Protocol):
    """A game in which ground on the board may harm a model that goes over it."""

    def ground_checks(self, encounter: EncounterView, walk: BoardPath) -> tuple[Button, ...]:
        """Return what a model has to roll if a way that was gone on the board alone counts in the game."""
        ...


def require_reach(encounter: EncounterView, walk: BoardPath, limit: float, rule: str) -> None:
    """Refuse a way that is longer than a move goes; climbing counts. Raises Forbidden."""
    inches = walk.length + abs(walk.climbed)
    if inches > limit + 1e-9:
        name = encounter.model(walk.model).name
        forbid(
            f"Choose a shorter route. This one is {tenths(inches):g} in, and {name} can move at most "
            f"{limit:g} in.",
            rule,
        )


def standing(encounter: EncounterView, name: str) -> Body:
    """Return a named model with its place. Raises InvalidInput."""
    row = encounter.find_model(name)
    body = body_of(encounter, row)
    if body is None:
        raise InvalidInput(not_on_board(row))
    return body


def not_on_board(row: ModelRow) -> str:
    """Return the refusal for a model that isn't on the board, with what places it there."""
    return f"Press Deploy, or use /board place. {row.name} isn't on the board."


def level_at(board: Board, point: Point, level: float, before: float) -> float:
    """Return the level on which a model ends: as entered, or as before while something there carries it."""
    if level >= 0:
        return level
    return before if _carries(board, Body(point, 0.01, before)) else 0.0


def _carries(board: Board, body: Body) -> bool:
    """Return whether some terrain ends at the level of a base and lies under a part of it."""
    return any(
        abs(piece.top - body.bottom) < 0.05 and measure.touches(body, piece.shape.outline)
        for piece in board.terrain
    )


def in_the_air(board: Board, body: Body) -> list[str]:
    """Return a line for a level that no terrain there carries: the model flies, or its player is wrong."""
    if not body.bottom or _carries(board, body):
        return []
    return [f"No terrain at that place supports the model at level {body.bottom:g}."]


def require_place(encounter: EncounterView, model: int, body: Body) -> None:
    """Refuse a place where a model can't stand. Raises InvalidInput."""
    names = {model.id: model.name for model in encounter.models()}
    fault = misplaced(require_board(encounter), body, model, names)
    if fault:
        raise InvalidInput(fault)


_ENDS = re.compile(
    r"(?P<way>.*?)(?:\s+facing\s+(?P<facing>.+?))?(?:\s+level\s+(?P<level>\d+(?:\.\d+)?))?", re.I
)


def planned(encounter: EncounterView, model: int, words: str) -> BoardPath:
    """Return a way in words, like "6 north then D7 facing Smap level 2".

    Raises InvalidInput for one that can't be gone.
    """
    board, mover = require_board(encounter), standing(encounter, f"#{model}")
    body_here = partial(standing, encounter)
    match = _ENDS.fullmatch(" ".join(words.split()))
    assert match is not None, "every text is a way"
    facing, level = match["facing"] or "", float(match["level"] or -1)
    if level > MAX_HEIGHT:
        raise InvalidInput(f"A level can be at most {MAX_HEIGHT:g} in above the table.")
    route = way(board, mover, match["way"], body_here)
    body = replace(mover, at=route.end, bottom=level_at(board, route.end, level, mover.bottom))
    if mover.facing is not None and measure.apart(*route.points[-2:]) > 0:
        body = replace(body, facing=float(round(measure.bearing(*route.points[-2:])) % 360))
    body = replace(body, facing=direction(facing, body, board, body_here))
    require_place(encounter, model, body)
    return _measured(board, model, words, route.points, (mover, body))


def _measured(
    board: Board, model: int, words: str, points: tuple[Point, ...], ends: tuple[Body, Body]
) -> BoardPath:
    """Return a way with its length and all that it crosses. ends: the model before it and after it."""
    walked = measure.path(points, ends[0].radius, [terrain.piece for terrain in board.terrain])
    by_name = {terrain.name: terrain for terrain in board.terrain}
    crossed = tuple((by_name[name], distance) for name, distance in walked.crossed)
    return BoardPath(model, words, points, *ends, walked.length, crossed)


def gone(encounter: Encounter, walk: BoardPath, does: str = "moves") -> list[str]:
    """Move the model, and return how far it went, what it crossed and what it touches. does: how it goes."""
    row, board, body = encounter.model(walk.model), require_board(encounter), walk.after
    stand(row, body)
    level_text = f", level {body.bottom:g}" if body.bottom else ""
    lines = [f"{row.name} {does} {tenths(walk.length):g} in, to {place_words(board, body.at)}{level_text}."]
    lines += [*_crossed_lines(walk), *_overlapped_lines(encounter, board, walk)]
    lines += in_the_air(board, body)
    touched = [
        other.name
        for other in encounter.models()
        if other.id != row.id
        and other.id in board.standing
        and measure.are_in_contact(body, board.standing[other.id])
    ]
    return [*lines, f"{row.name} is now in base contact with {join_with_and(touched)}."] if touched else lines


def _overlapped_lines(encounter: Encounter, board: Board, walk: BoardPath) -> list[str]:
    """Return the models on its level whose bases are in its way, as the games differ in what that means."""
    apart = walk.before.radius - measure.MAY_OVERLAP
    names = [
        row.name
        for row in encounter.models()
        if row.id != walk.model
        and (other := board.standing.get(row.id)) is not None
        and abs(other.bottom - walk.before.bottom) < measure.SAME_LEVEL
        and any(
            measure.is_crossed(replace(other, radius=other.radius + apart), *leg)
            for leg in pairwise(walk.points)
        )
    ]
    return (
        [f"The route overlaps the base{'s' * (len(names) > 1)} of {join_with_and(names)}."] if names else []
    )


def _crossed_lines(walk: BoardPath) -> list[str]:
    """Return what a way crosses, and how far it climbs."""
    phrases, before, after = [], walk.before, walk.after
    for piece, distance in walk.crossed:
        if after.bottom >= piece.top > piece.bottom <= before.bottom >= piece.top:
            continue
        kinds = [f"roughness {piece.rough}"] if piece.rough else []
        kinds += [f"danger {piece.dangerous}"] if piece.dangerous else []
        kinds += [f"{piece.top - piece.bottom:g} in high"] if piece.is_opaque else []
        words = f" ({', '.join(kinds)})" if kinds else ""
        phrases.append(
            f"{piece.name}{words} for {tenths(distance):g} in"
            if distance >= 0.05
            else f"the edge of {piece.name}{words}"
        )
    lines = [f"It crosses {join_with_and(phrases)}."] if phrases else []
    climb = walk.climbed
    lines += (
        [f"It {'climbs' if climb > 0 else 'goes down'} {tenths(abs(climb)):g} in."]
        if abs(climb) >= 0.05
        else []
    )
    return lines


def into_contact(encounter: Encounter, model: int, target: int) -> BoardPath | None:
    """Move a model straight into contact with another, if both are on the board and there is room for it.

    Return its way; None if it stays.
    """
    pair = _both_on_board(encounter, model, target)
    if pair is None or measure.are_in_contact(*pair[1:]):
        return None
    board, mover, other = pair
    straight = measure.bearing(other.at, mover.at)
    for turn in (0, 20, -20, 40, -40, 60, -60, 90, -90, 120, -120, 150, -150, 180):
        point = kept(measure.moved(other.at, straight + turn, other.radius + mover.radius))
        body = replace(mover, at=point, bottom=other.bottom)
        if mover.facing is not None:
            body = replace(body, facing=measure.bearing(point, other.at))
        if not misplaced(board, body, model, {}):
            stand(encounter.model(model), body)
            return _measured(board, model, "", (mover.at, point), (mover, body))
    return None


def straight_on(encounter: Encounter, model: int, target: int, inches: float) -> BoardPath | None:
    """Move a model so far straight towards another, back to where there is room for it.

    Return its way; None if it stays.
    """
    pair = _both_on_board(encounter, model, target)
    if pair is None:
        return None
    board, mover, other = pair
    towards = measure.bearing(mover.at, other.at)
    for step in range(int(inches / STEP)):
        body = replace(mover, at=kept(measure.moved(mover.at, towards, inches - step * STEP)))
        if not misplaced(board, body, model, {}):
            body = replace(body, facing=None if mover.facing is None else towards)
            stand(encounter.model(model), body)
            return _measured(board, model, "", (mover.at, body.at), (mover, body))
    return None


def turn_to(encounter: Encounter, model: int, target: int) -> None:
    """Turn a model to face another, if both are on the board."""
    pair = _both_on_board(encounter, model, target)
    if pair is not None:
        _, body, other = pair
        stand(encounter.model(model), replace(body, facing=measure.bearing(body.at, other.at)))


def _both_on_board(encounter: Encounter, model: int, target: int) -> tuple[Board, Body, Body] | None:
    """Return the board and the bodies of two models if both are on it."""
    board = board_of(encounter)
    if board is None or model not in board.standing or target not in board.standing:
        return None
    return board, board.standing[model], board.standing[target]


# ------------------------------------------------------------------------------------------- on its way

STEP = 0.5
"""Inches between the places of a way at which others are asked what they see."""


@runtime_checkable
class Passes(Protocol):
    """A game in which others react to a move that has been declared.

    covered_from: the share of a body that has to be hidden or veiled before it counts as in cover.
    """

    covered_from: float

    def passing(self, encounter: EncounterView) -> tuple[int, Sequence[Point]] | None:
        """Return the model that moves now and every corner of its way; None if none does."""
        ...


def passing(encounter: EncounterView) -> tuple[int, tuple[Body, ...]] | None:
    """Return the model whose move others may react to, and its places on the way; None if there is none.

    It stands where it is now, so the way begins or ends there.
    """
    return encounter.worked_out(passing, lambda: _passing(encounter))


def _passing(encounter: EncounterView) -> tuple[int, tuple[Body, ...]] | None:
    declared = declared_way(encounter)
    body = body_of(encounter, encounter.model(declared[0])) if declared is not None else None
    return None if declared is None or body is None else (declared[0], places(body, declared[1], body))


def declared_way(encounter: EncounterView) -> tuple[int, Sequence[Point]] | None:
    """Return the model whose move others may react to, and every corner of its way, if there is one."""
    game = game_of(encounter)
    return game.passing(encounter) if isinstance(game, Passes) else None


def places(before: Body, points: Sequence[Point], after: Body) -> tuple[Body, ...]:
    """Return a model at every step of a way, and where it ends."""
    bodies = list[Body]()
    for start, end in pairwise(points):
        distance, turn = measure.apart(start, end), measure.bearing(start, end)
        bodies += [
            replace(before, at=measure.moved(start, turn, STEP * n)) for n in range(int(distance / STEP) + 1)
        ]
    return (*bodies, after)
