"""Skills that are declared without a roll of their own: movement, Jumps, going Prone, and the like."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import troops, veils
from bot.games.infinity.common import Telling
from bot.games.infinity.falling import declared_fall
from bot.games.infinity.fields import ground, ground_type, paying_order, who
from bot.games.infinity.order_play import check_skill, declare, state_of_hiding
from bot.games.infinity.orders_row import Order, order_of
from bot.games.infinity.resolve_play import ends, go_on_from
from bot.games.infinity.window import is_full
from bot.games.infinity.words import plain, wrapped
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.names import plain as plain_text
from rules.effects import Gain, Lose
from rules.refusals import InvalidInput, forbid
from rules.systems.infinity.movement import (
    Ground,
    JumpAs,
    allowance,
    arc_degrees,
    check_jump_with,
    check_trajectory,
    effective_ground,
    jump_inches,
    jump_part,
    stops_movement,
)
from rules.systems.infinity.orders import Part
from rules.systems.infinity.trooper import MARKERS, Condition, Trooper

MOVE, JUMP, LONG_JUMP, PRONE = "move", "jump", "jump as entire order", "stand or go prone"

SKILLS: dict[str, tuple[Part, str]] = {
    MOVE: (Part.SHORT_MOVEMENT, "short movement"),
    JUMP: (Part.SHORT_MOVEMENT, "short movement"),
    LONG_JUMP: (Part.ENTIRE, "jump"),
    PRONE: (Part.SHORT_MOVEMENT, "short movement"),
    "cautious movement": (Part.ENTIRE, "cautious movement"),
    "reset": (Part.SHORT, "reset"),
    "other short skill": (Part.SHORT, "other"),
    "other entire order": (Part.ENTIRE, "other"),
}
"""What each takes of an Order, and the rules' word where Retreat! asks; a Jump as the profile says."""

TERRAIN_LETTERS = 40


@dataclass(frozen=True, slots=True)
class SpendOrder(Action):
    """Spend an Order: its first Skill, or the second.

    kind: auto, regular, irregular or lieutenant; skill: its first Skill. path: of a Jump, the points it goes
    by, at least where it starts and where it ends. fall: what is left down to the ground then. ground,
    terrain: what a move is on, and its type.
    """

    command = "inf.order"
    typed = "inf order"
    said_first = ("model", "skill", "path", "kind", "ground", "terrain", "fall")

    model: Trooper = who("Who is activated")
    kind: str = paying_order("Whose Order")
    skill: str | None = fields.one_of("The Skill; none: move", tuple(SKILLS))
    path: str = fields.text("A Jump: roof, ledge, ground", 100)
    fall: float = fields.inches(
        "Inches it falls at the end of a Jump", 0.0, 200.0, default=0.0, checked=True, fact=True
    )
    ground: Ground = ground("What a move is on")
    terrain: str = ground_type()


@handles(SpendOrder)
def spend_order(act: Act, action: SpendOrder) -> Reply:
    """An Order with its first Skill, or the second Skill of the Order under way; then whoever may reacts."""
    one, skill = action.model, action.skill or MOVE
    part, word = _taking(act, one, skill)
    act.canonical = replace(action, skill=skill)
    ground = effective_ground(one.current, action.ground, action.terrain)
    jumps = skill in (JUMP, LONG_JUMP)
    _check_fits(action, skill)
    path = _path_of(act, action) if jumps else ()
    if skill == MOVE:
        _check_ground(act, one, ground)
    before = _moves_before(act, one)
    state = state_of_hiding(one)
    begun = declare(act, one, part, skill, word, kind=action.kind, reveals=False)
    order = replace(begun.order, ground=max(begun.order.ground, ground)) if skill == MOVE else begun.order
    if jumps and action.fall:
        order = replace(order, falls=(*order.falls, float(action.fall)))
    far = "" if state else _inches(one, skill, part, before, ground)
    lines = [_headline(act, order, far), *_path_lines(path)]
    lines += [declared_fall(one, action.fall, marker=bool(state)), *begun.lines] if jumps else begun.lines
    if not state and skill == MOVE and stops_movement(ground):
        lines.append("Touching worse ground ends the move.")
    if state in MARKERS:
        lines.append("It stays a Marker: AROs may wait.")
    return go_on_from(act, order, lines)


def _check_fits(action: SpendOrder, skill: str) -> None:
    """Raise InvalidInput for what was said and belongs to another Skill."""
    if skill not in (JUMP, LONG_JUMP) and (action.path.strip() or action.fall):
        raise InvalidInput("A path and a fall belong to a Jump. Choose jump, or leave them out.")
    if skill != MOVE and (action.ground is not Ground.OPEN or action.terrain.strip()):
        raise InvalidInput("Ground and its type belong to a move. Choose move, or leave them out.")


def _taking(act: Act, one: Trooper, skill: str) -> tuple[Part, str]:
    """What a Skill takes of an Order, and the rules' word for it.

    Raises Forbidden where it does not go with the first one, whatever else is said of it. Rules: INF-ORD-04.
    """
    part, word = SKILLS[skill]
    if skill == JUMP:
        part = jump_part(one.current)
        word = "short movement" if part is Part.SHORT_MOVEMENT else "jump"
        _check_jump(act, one)
    under_way = _own_order(act, one)
    if under_way is not None:
        check_skill(one, under_way.parts, part, word, act)
    return part, word


def _headline(act: Act, order: Order, far: str) -> str:
    """What is declared, how far it goes, and after what."""
    name = act.encounter.model(order.model).name
    *before, skill = order.skills
    doing = {MOVE: f"{name} moves", JUMP: f"{name} jumps", LONG_JUMP: f"{name} jumps"}
    after = f" (after: {before[-1]})" if before else ""
    return f"{doing.get(skill, f'{name}: {plain(skill)}')}{far}{after}."


def _moves_before(act: Act, one: Trooper) -> int:
    """Short Movement Skills that a trooper has declared in its Order under way."""
    under_way = _own_order(act, one)
    return under_way.parts.count(Part.SHORT_MOVEMENT) if under_way is not None else 0


def _own_order(act: Act, one: Trooper) -> Order | None:
    """The trooper's own Order, where it has room for another Skill."""
    under_way = order_of(act.encounter)
    mine = under_way is not None and under_way.model == one.id and not is_full(under_way)
    return under_way if mine else None


def _inches(one: Trooper, skill: str, part: Part, before: int, ground: Ground) -> str:
    """How far the Skill takes a figure; said of a Marker it would tell whose it is. Rules: INF-SJ-01."""
    if skill in (JUMP, LONG_JUMP):
        short = JumpAs.SECOND_SHORT if before else JumpAs.FIRST_SHORT
        reach = jump_inches(one.current, JumpAs.ENTIRE_ORDER if part is Part.ENTIRE else short)
    elif skill == MOVE:
        allowed = allowance(one.current, ground)
        reach = allowed.second if before else allowed.first
    else:
        return ""
    return f", up to {reach} in"


# ------------------------------------------------------------------------------------ bad ground


def _check_ground(act: Act, one: Trooper, ground: Ground) -> None:
    """Refuse a second Short Movement Skill in Very Difficult Terrain. Rules: INF-TER-03."""
    under_way = _own_order(act, one)
    if under_way is None or Part.SHORT_MOVEMENT not in under_way.parts:
        return
    if max(ground, under_way.ground) >= Ground.VERY_DIFFICULT:
        forbid("Very Difficult Terrain: one Short Movement Skill in an Order.", "INF-TER-03")


# ------------------------------------------------------------------------------------ jumps


def _path_of(act: Act, action: SpendOrder) -> tuple[str, ...]:
    """The points that a Jump goes by, as typed. Raises Forbidden. Rules: INF-SJ-10."""
    points = tuple(plain_text(point, TERRAIN_LETTERS) for point in action.path.split(",") if point.strip())
    with act.overridable():
        check_trajectory(len(points))
    return points


def _path_lines(points: tuple[str, ...]) -> list[str]:
    """The path of a Jump, and that its line of fire is all round on the way. Rules: INF-SJ-10."""
    if not points:
        return []
    told = wrapped([f"From {points[0]}", *(f"to {point}" for point in points[1:])], "")
    return [*told, f"It sees all round: {arc_degrees(moving=True)} degrees."]


def _check_jump(act: Act, one: Trooper) -> None:
    """Raise Forbidden where a Jump does not go with the other Skill of the Order. Rules: INF-SJ-02."""
    under_way = _own_order(act, one)
    with act.overridable():
        for part in under_way.parts if under_way is not None else ():
            check_jump_with(one.current, Part(part))


# ------------------------------------------------------------------------------------ stance


@ends(PRONE)
def _change_stance(act: Act, telling: Telling, order: Order) -> None:
    """Who was prone stands, who stood is prone; not where a Marker stands for it, which shows no stance."""
    one = troops.by_id(act.encounter, order.model)
    if one.is_null or veils.is_marker(act.encounter, one.id):
        return
    lies = one.has(Condition.PRONE)
    telling.follow(act, [Lose(one.id, Condition.PRONE) if lies else Gain(one.id, Condition.PRONE)])
    telling.head.append(f"{one.current.name} {'stands up' if lies else 'goes prone'}.")
