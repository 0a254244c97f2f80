"""An attack put together and rolled: its plan, its dice, what they can strike, and cover."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.dice import Dice
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board, Obstacle, Point
from rules.systems.soluna.damage import (
    Target,
    build_target,
    faces_of,
    protection,
    shield_usable,
    striking_faces,
)
from rules.systems.soluna.faces import Counts
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import Sight, View, sight_of, views
from rules.systems.soluna.situation import (
    Distance,
    Situation,
    accuracy_modifiers,
    check_target,
    dice_rolled,
    power_modifiers,
)


@dataclass(frozen=True, slots=True)
class Cover:
    """One piece of cover in an attack's way: what it is, its Body, and the ledger's rule it counts by."""

    name: str
    body: int
    rule: str


def excess(body: int, power: int) -> int:
    """Return the bonus of cover to the target's Body against so many dice. Rules: SU-COV-02, SU-COV-03."""
    return max(0, body - power)


def walls_in_the_way(board: Board, attacker: Point, target: Point, settings: Settings) -> tuple[Cover, ...]:
    """Return objects that a sight line touches, strongest first.

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
    wall_sets = [_pieces(standing, touched) for touched in choices]
    return min(wall_sets, key=lambda covers: tuple(cover.body for cover in covers))


def _touched(view: View, settings: Settings) -> frozenset[Point]:
    no_squares: frozenset[Point] = frozenset()
    if settings.cover_touch == "blocked":
        return no_squares.union(*(line.blockers for line in view.lines))
    return no_squares.union(*(line.touched for line in view.lines))


def _pieces(standing: list[Obstacle], touched: frozenset[Point]) -> tuple[Cover, ...]:
    hit = [Cover(o.name, o.body, "SU-COV-01") for o in standing if o.squares & touched]
    return tuple(sorted(hit, key=lambda cover: -cover.body))


def models_in_the_way(
    board: Board, attacker: Point, target: Point, settings: Settings, names: dict[int, str] | None = None
) -> tuple[Cover, ...]:
    """Return models that block enough lines on their own: cover of Size plus Body, strongest first.

    names: model ids with their names, for replies. Rules: SU-COV-05, SU-LOS-08.
    """
    covers = []
    for piece in board.pieces:
        if piece.square in (attacker, target):
            continue
        lines = min((view.blocked for view in views(attacker, target, (piece.square,))), default=0)
        if lines >= settings.model_cover_lines:
            name = (names or {}).get(piece.id, "a model")
            covers.append(Cover(name, piece.size + piece.body, "SU-COV-05"))
    return tuple(sorted(covers, key=lambda cover: -cover.body))


def cover_pieces(
    board: Board, attacker: Point, target: Point, settings: Settings, names: dict[int, str] | None = None
) -> tuple[Cover, ...]:
    """Return everything that covers the target square from the attacker's, strongest first.

    Rules: SU-COV-01, SU-COV-05.
    """
    pieces = walls_in_the_way(board, attacker, target, settings) + models_in_the_way(
        board, attacker, target, settings, names
    )
    return tuple(sorted(pieces, key=lambda cover: -cover.body))


def cover_bonus(pieces: tuple[Cover, ...], power: int, settings: Settings) -> int:
    """Return the Body that cover adds against an attack of so many dice. Rules: SU-COV-02, SU-COV-03."""
    if settings.cover_combine == "sum":
        return excess(sum(piece.body for piece in pieces), power)
    return max((excess(piece.body, power) for piece in pieces), default=0)


def cover_damage(body: int, power: int, settings: Settings) -> int:
    """Return the damage of an attack of so many dice to cover with that Body, from 0 to all of it.

    body: 1 or more. Raises Forbidden for debris. Rules: SU-COV-07, SU-COV-08.
    """
    if body < 1:
        raise Forbidden("Pick another target. That cover is already debris.", "SU-COV-08")
    hits = power - body if settings.cover_protects_itself else power
    return max(0, min(body, hits))


def struck(obstacle: Obstacle, power: int, settings: Settings) -> Obstacle:
    """Return cover after an attack of so many dice on it, debris at Body 0. Raises Forbidden for debris.

    Rules: SU-COV-07, SU-COV-08.
    """
    return replace(obstacle, body=obstacle.body - cover_damage(obstacle.body, power, settings))


@dataclass(frozen=True, slots=True)
class Plan:
    """A legal attack, ready to roll: `power` dice, `accuracy` flips, the target's below 0.

    distance: of the aim, where it is an area's. cover_bonus: Body that cover adds. target: None if it is not
    a model.
    """

    power: int
    power_modifiers: tuple[Modifier, ...]
    accuracy: int
    accuracy_modifiers: tuple[Modifier, ...]
    cover: tuple[Cover, ...]
    cover_bonus: int
    shield_usable: bool
    distance: Distance
    target: Target | None


def prepare(situation: Situation, settings: Settings) -> Plan:
    """Check a plain attack, or the aim of an area weapon, and work out everything that is rolled with.

    Raises Forbidden, InvalidInput.
    Rules: SU-ATK-02, SU-TGT-01 to SU-TGT-06, SU-PWR-01 to SU-PWR-05, SU-ACC-01 to SU-ACC-10, SU-COV-01.
    """
    return _plan(situation, check_target(situation, settings), settings)


def prepare_in_area(situation: Situation, aim: Distance, settings: Settings) -> Plan:
    """Work out the attack on one model inside an area, whose `origin` must be set.

    aim: distance of the plan with which the area was aimed; visibility and overreach are its own for all.
    Lines, the squares behind and the squares where the Shield fails are counted from the origin; an area
    that penetrates what blocks every line finds its victims hidden. Raises InvalidInput.
    Rules: SU-AREA-01, SU-AREA-02.
    """
    if situation.origin is None or situation.target is None:
        raise InvalidInput("Choose the origin and the targets of the area attack.")
    sight = min(sight_of(situation.board, situation.origin, situation.square, settings), Sight.HIDDEN)
    return _plan(situation, replace(aim, sight=sight), settings)


def _plan(situation: Situation, distance: Distance, settings: Settings) -> Plan:
    powers = power_modifiers(situation, settings)
    power = dice_rolled(total(powers), situation.dice)
    flips = accuracy_modifiers(situation, distance, settings)
    source, square, gear = situation.source, situation.square, situation.gear
    pieces = cover_pieces(situation.board, source, square, settings, dict(situation.names))
    bonus = cover_bonus(pieces, power, settings)
    shield = shield_usable(source, square, blast=gear is not None and gear.blast)
    target = None
    if situation.target is not None:
        target = build_target(situation.target, shield=shield, cover=bonus, ignored=situation.ignored)
    return Plan(power, powers, total(flips), flips, pieces, bonus, shield, distance, target)


def attack_roll(dice: Dice, power: int, label: str = "attack") -> Counts:
    """Roll an attack of `power` dice, 1 to 30; how many show each face. Rules: SU-ATK-01, SU-GRID-02."""
    return faces_of(dice, power, label)


@dataclass(frozen=True, slots=True)
class Aim:
    """What one location offers an attack: the faces that hit it and the hits that its protections stop."""

    location: str
    faces: tuple[int, ...]
    protections: int


def aims(target: Target, settings: Settings) -> tuple[Aim, ...]:
    """Return every location of the target that can be struck, in the order of its lowest face."""
    covers = []
    for location in target.grid.keys:
        faces = striking_faces(target, location, settings)
        if faces:
            covers.append(Aim(location, faces, protection(target, location, settings)))
    return tuple(sorted(covers, key=lambda aim: aim.faces))
