"""Cover: what stands at the sight lines, how much Body it adds, and what an attack does to it.

Owns cover values against a Power; lines come from `sight`, the board from `board`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.refusals import Forbidden
from rules.systems.soluna.board import Board, Obstacle
from rules.systems.soluna.geometry import Point
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import View, views


@dataclass(frozen=True, slots=True)
class Cover:
    """One piece of cover in an attack's way: what it is, its Body, and the ledger's rule it counts by."""

    name: str
    body: int
    rule: str


def excess(body: int, power: int) -> int:
    """What cover of that Body adds to the target's Body against so many dice. Rules: SU-COV-02, SU-COV-03."""
    return max(0, body - power)


def walls_in_the_way(board: Board, attacker: Point, target: Point, settings: Settings) -> tuple[Cover, ...]:
    """Objects that a sight line touches, strongest first.

    With `cover_front_corner` = chosen the attacker takes the front corner that leaves the weakest cover.
    Rules: SU-COV-01, SU-COV-03, SU-COV-08.
    """
    standing = [o for o in board.obstacles if not o.debris]
    squares = {square for o in standing for square in o.squares} - {attacker, target}
    choices = [_touched(view, settings) for view in views(attacker, target, squares)]
    if not choices:
        return ()
    if settings.cover_front_corner == "both":
        choices = [frozenset().union(*choices)]
    found = [_pieces(standing, touched) for touched in choices]
    return min(found, key=lambda covers: tuple(cover.body for cover in covers))


def _touched(view: View, settings: Settings) -> frozenset[Point]:
    empty: frozenset[Point] = frozenset()
    if settings.cover_touch == "blocked":
        return empty.union(*(line.blockers for line in view.lines))
    return empty.union(*(line.touched for line in view.lines))


def _pieces(standing: list[Obstacle], touched: frozenset[Point]) -> tuple[Cover, ...]:
    hit = [Cover(o.name, o.body, "SU-COV-01") for o in standing if o.squares & touched]
    return tuple(sorted(hit, key=lambda cover: -cover.body))


def models_in_the_way(
    board: Board, attacker: Point, target: Point, settings: Settings, names: dict[int, str] | None = None
) -> tuple[Cover, ...]:
    """Models that block, each taken alone, enough of the lines: cover of Size plus Body, strongest first.

    names: model ids with their names, for replies. Rules: SU-COV-05, SU-LOS-08.
    """
    found = []
    for piece in board.pieces:
        if piece.square in (attacker, target):
            continue
        lines = min((view.blocked for view in views(attacker, target, (piece.square,))), default=0)
        if lines >= settings.model_cover_lines:
            name = (names or {}).get(piece.id, "a model")
            found.append(Cover(name, piece.size + piece.body, "SU-COV-05"))
    return tuple(sorted(found, key=lambda cover: -cover.body))


def cover_pieces(
    board: Board, attacker: Point, target: Point, settings: Settings, names: dict[int, str] | None = None
) -> tuple[Cover, ...]:
    """Everything that covers the target square from the attacker's, strongest first.

    Rules: SU-COV-01, SU-COV-05.
    """
    pieces = walls_in_the_way(board, attacker, target, settings) + models_in_the_way(
        board, attacker, target, settings, names
    )
    return tuple(sorted(pieces, key=lambda cover: -cover.body))


def cover_bonus(pieces: tuple[Cover, ...], power: int, settings: Settings) -> int:
    """Body that the cover adds against an attack of so many dice. Rules: SU-COV-02, SU-COV-03."""
    if settings.cover_combine == "sum":
        return excess(sum(piece.body for piece in pieces), power)
    return max((excess(piece.body, power) for piece in pieces), default=0)


def cover_damage(body: int, power: int, settings: Settings) -> int:
    """What an attack of so many dice takes off cover of that Body, 0 to the whole of it.

    body: 1 or more. Raises Forbidden for debris. Rules: SU-COV-07, SU-COV-08.
    """
    if body < 1:
        raise Forbidden("That cover is debris already; attack something that stands.", "SU-COV-08")
    hits = power - body if settings.cover_protects_itself else power
    return max(0, min(body, hits))


def struck(obstacle: Obstacle, power: int, settings: Settings) -> Obstacle:
    """Cover after an attack of so many dice on it, debris at Body 0. Raises Forbidden for debris.

    Rules: SU-COV-07, SU-COV-08.
    """
    return replace(obstacle, body=obstacle.body - cover_damage(obstacle.body, power, settings))
