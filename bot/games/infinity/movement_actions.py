"""Movement and other Skills without a roll of their own; distances of jumps, falls, terrain and areas."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from operator import eq

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.fields import ground, ground_of, ground_type, paying_order, who
from bot.games.infinity.narration import Telling, Throwing, join_into_line
from bot.games.infinity.order_resolution import (
    ReadyFall,
    describe_declared_fall,
    describe_fall,
    describe_fall_result,
    fall_dice_lines,
    go_on_from,
    prepare_fall,
    register_end_effect,
    roll_fall,
    whose_fall,
)
from bot.games.infinity.order_rows import Order, order_of
from bot.games.infinity.orders import check_skill, declare, hiding_state
from bot.games.infinity.outcome import Blow, Tally, settle
from bot.games.infinity.reaction_windows import is_full
from bot.games.infinity.troops import settings_for
from bot.replies.chances import bars, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.asking.kinds import Asking
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.board.routes import BoardPath, gone
from bot.table.encounter import EncounterView
from bot.table.handlers import handles
from bot.table.names import plain as plain_text
from bot.table.owners import ANYONE
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Gain, Lose
from rules.measure import leap
from rules.refusals import Forbidden, InvalidInput, Missing, forbid
from rules.systems.infinity.movement import (
    Ground,
    JumpAs,
    allowance,
    arc_degrees,
    check_jump_with,
    check_trajectory,
    cover_counts,
    effective_ground,
    fall_damage,
    fall_inches,
    jump_inches,
    jump_part,
    reactive_inches,
    stops_movement,
    vaults_freely,
)
from rules.systems.infinity.orders import Part, check_order
from rules.systems.infinity.shooting import in_sensor_area
from rules.systems.infinity.trooper import MARKERS, Condition, Trooper, in_zone
from rules.wording import times

MOVE, JUMP, LONG_JUMP, PRONE = "move", "jump", "jump as entire order", "stand or go prone"
CAUTIOUS = "cautious movement"

SKILL_PARTS: dict[str, tuple[Part, str]] = {
    MOVE: (Part.SHORT_MOVEMENT, "short movement"),
    JUMP: (Part.SHORT_MOVEMENT, "short movement"),
    LONG_JUMP: (Part.ENTIRE, "jump"),
    PRONE: (Part.SHORT_MOVEMENT, "short movement"),
    CAUTIOUS: (Part.ENTIRE, CAUTIOUS),
    "reset": (Part.SHORT, "reset"),
    "other short skill": (Part.SHORT, "other"),
    "other entire order": (Part.ENTIRE, "other"),
}
"""The part of an Order that each needs, and the rules' word for Retreat!; a Jump as the profile says."""

MAX_POINT_LETTERS = 40


def _ground_walked(context: Asking) -> Fact | None:
    """Return the ground that a Move crosses on the board; a Jump touches none."""
    is_move = context.so_far.get("skill") in (None, MOVE)
    return measuring.walked("where", ground_of)(context) if is_move else None


@dataclass(frozen=True, slots=True)
class SpendOrder(Action):
    """Spend an Order on a trooper, or declare its second Skill.

    kind: auto, regular, irregular or lieutenant; skill: its first Skill. path: of a Jump, the points it goes
    by, at least where it starts and where it ends. fall: what is left down to the ground then. ground,
    terrain: what a move is on, and its type. where: its way on the board.
    """

    command = "inf.order"
    typed = "inf order"
    titled = "Move or Skill"
    said_first = ("model", "skill", "path", "kind", "ground", "terrain", "fall")

    model: Trooper = who("Trooper to activate")
    kind: str = paying_order()
    skill: str | None = fields.one_of("Skill (leave blank to move)", tuple(SKILL_PARTS))
    path: str = fields.text('Path of a Jump, such as "roof, ledge, ground"', 100)
    fall: float = fields.inches(
        "Fall at the end of a Jump (inches)", 0.0, 200.0, default=0.0, checked=True, fact=True
    )
    where: BoardPath | None = measuring.way("model")
    ground: Ground = ground("Terrain the move crosses", measures=_ground_walked)
    terrain: str = ground_type()
    by_hand: tuple[str, ...] = fields.by_hand()


@handles(SpendOrder)
def spend_order(act: Act, action: SpendOrder) -> Reply:
    """Spend an Order with its first Skill, or declare the second Skill; then others may react."""
    trooper, skill = action.model, action.skill or MOVE
    part, retreat_word = _skill_part(act, trooper, skill)
    act.canonical = replace(action, skill=skill)
    ground = effective_ground(trooper.current, action.ground, action.terrain)
    is_jump = skill in (JUMP, LONG_JUMP)
    _refuse_unused_fields(action, skill)
    path = _path_of(act, action) if is_jump else ()
    if skill == MOVE:
        _check_ground(_own_order(act, trooper), ground)
    moves_before = _count_moves_before(act, trooper)
    if action.where is not None:
        _check_way(action, skill, _reach_inches(trooper, skill, part, moves_before, ground))
    state = hiding_state(trooper)
    opened = declare(act, trooper, part, skill, retreat_word, kind=action.kind, reveals=False)
    order = replace(opened.order, ground=max(opened.order.ground, ground)) if skill == MOVE else opened.order
    if is_jump and action.fall:
        order = replace(order, falls=(*order.falls, float(action.fall)))
    distance = "" if state or action.where else _reach_text(trooper, skill, part, moves_before, ground)
    lines = [_headline(act, order, distance)]
    if action.where is not None:
        is_told = (is_jump or skill == MOVE) and len(order.skills) < 2
        lines[:is_told] = gone(act.encounter, action.where, "jumps" if is_jump else "moves")
        order = order.with_way(action.where)
    if is_jump:
        lines += [*_path_lines(path), describe_declared_fall(trooper, action.fall, is_marker=bool(state))]
    lines += opened.lines
    if not state and skill == MOVE and stops_movement(ground):
        lines.append("The move ends if it touches worse terrain.")
    if state in MARKERS:
        lines.append("It stays a Marker, so enemies can delay their AROs.")
    return go_on_from(act, order, lines)


def _refuse_unused_fields(action: SpendOrder, skill: str) -> None:
    """Raise Missing for an entered field that belongs to another Skill."""
    if skill not in (JUMP, LONG_JUMP) and (action.path.strip() or action.fall):
        raise Missing('Choose "jump" as the Skill, or leave the path and the fall blank.')
    if skill != MOVE and (action.ground is not Ground.OPEN or action.terrain.strip()):
        raise Missing('Choose "move" as the Skill, or leave the terrain and its type blank.')


def _skill_part(act: Act, trooper: Trooper, skill: str) -> tuple[Part, str]:
    """Return the part of an Order that a Skill needs, and the rules' word for it.

    Raises Forbidden where it does not go with the first one, whatever else is said of it. Rules: INF-ORD-04.
    """
    part, retreat_word = SKILL_PARTS[skill]
    if skill == JUMP:
        part = jump_part(trooper.current)
        retreat_word = "short movement" if part is Part.SHORT_MOVEMENT else "jump"
        _check_jump(act, trooper)
    under_way = _own_order(act, trooper)
    if under_way is not None:
        check_skill(trooper, under_way.parts, part, retreat_word, act)
    return part, retreat_word


def _headline(act: Act, order: Order, distance: str) -> str:
    name = act.encounter.model(order.model).name
    *earlier_skills, skill = order.skills
    verb_phrases = {
        MOVE: f"{name} moves",
        JUMP: f"{name} jumps",
        LONG_JUMP: f"{name} jumps",
        PRONE: f"{name} stands up or goes Prone",
        "other short skill": f"{name} declares a Short Skill",
        "other entire order": f"{name} declares an Entire Order",
    }
    after_text = " as its second Skill" if earlier_skills else ""
    return f"{verb_phrases.get(skill, f'{name} declares {skill.title()}')}{distance}{after_text}."


def _count_moves_before(act: Act, trooper: Trooper) -> int:
    """Short Movement Skills that a trooper has declared in its Order under way."""
    own_order = _own_order(act, trooper)
    return own_order.parts.count(Part.SHORT_MOVEMENT) if own_order is not None else 0


def _own_order(act: Act, trooper: Trooper) -> Order | None:
    under_way = order_of(act.encounter)
    is_own = under_way is not None and under_way.model == trooper.id and not is_full(under_way)
    return under_way if is_own else None


def _reach_text(trooper: Trooper, skill: str, part: Part, moves_before: int, ground: Ground) -> str:
    """Return how far the Skill takes a figure, in words. Rules: INF-SJ-01."""
    reach = _reach_inches(trooper, skill, part, moves_before, ground)
    return f" up to {reach} in" if reach is not None and skill != CAUTIOUS else ""


def _reach_inches(trooper: Trooper, skill: str, part: Part, moves_before: int, ground: Ground) -> int | None:
    """Return the inches of a Skill; None where it has none. Rules: INF-SJ-01, INF-TER-02."""
    if skill in (JUMP, LONG_JUMP):
        jump_kind = JumpAs.SECOND_SHORT if moves_before else JumpAs.FIRST_SHORT
        return jump_inches(trooper.current, JumpAs.ENTIRE_ORDER if part is Part.ENTIRE else jump_kind)
    if skill not in (MOVE, CAUTIOUS):
        return None
    allowed_inches = allowance(trooper.current, ground)
    return allowed_inches.second if moves_before else allowed_inches.first


def _check_way(action: SpendOrder, skill: str, reach: int | None) -> None:
    """Refuse a way on the board that the Skill doesn't go; what is climbed or jumped over counts as inches.

    Raises InvalidInput, Forbidden. Rules: INF-SJ-01, INF-SJ-05, INF-TER-02.
    """
    trooper, walk = action.model, action.where
    if skill in (PRONE, "reset"):
        raise Missing('Choose "move" as the Skill, or leave the path on the board blank.')
    if reach is None or walk is None:
        return
    if skill in (JUMP, LONG_JUMP):
        distance, height = _jumped_inches(trooper, walk, action.fall), "through the air"
    else:
        distance, height = walk.length + _climbed_inches(trooper, walk), "with climbing"
    if distance > reach + 1e-9:
        measured = height if distance > walk.length + 1e-9 else "long"
        forbid(
            f"Choose a path of up to {reach} in; this one is {facts.inches(distance):g} in {measured}.",
            "INF-TER-02",
        )


def _climbed_inches(trooper: Trooper, path: BoardPath) -> float:
    """Return what a route costs beside its length: over obstacles and down again, and to a higher end.

    Raises Forbidden for more than a move climbs. Rules: INF-SJ-05.
    """
    level, own_height = max(path.before.bottom, path.after.bottom), path.before.height
    heights = [piece.top - level for piece, _ in path.barriers]
    if max((*heights, path.climbed)) > own_height:
        forbid(f"Declare a Jump instead. A move can climb at most {own_height:g} in.", "INF-SJ-05")
    heights = [height for height in heights if not vaults_freely(trooper.current, height, own_height)]
    return 2 * sum(heights) + max(0.0, path.climbed)


def _jumped_inches(trooper: Trooper, walk: BoardPath, fall: float = 0.0) -> float:
    """Return how long a Jump along a route is: over what is in its way, to where it lands or falls from.

    With Super-Jump, obstacles up to its own height cost nothing. Rules: INF-SJ-01, INF-SJ-05.
    """
    level, tall = max(walk.before.bottom, walk.after.bottom), walk.before.height
    pieces = [
        piece.piece
        for piece, distance in walk.crossed
        if piece.is_solid
        and distance > 0
        and piece.bottom <= level
        and not (piece.top > level and vaults_freely(trooper.current, piece.top - level, tall))
    ]
    return leap(walk.points, walk.before.bottom, walk.after.bottom + fall, pieces)


def inches_now(encounter: EncounterView, trooper: Trooper, walk: BoardPath | None) -> list[float]:
    """Return how far along a route the Move and the Jumps go that a trooper may declare next, each farther
    than the one before.

    Rules: INF-ORD-04, INF-SJ-01, INF-SJ-02, INF-SJ-05, INF-TER-02, INF-TER-03, INF-WND-02.
    """
    order = order_of(encounter)
    under_way = order if order is not None and order.model == trooper.id and not order.over else None
    if trooper.is_null or (under_way is not None and is_full(under_way)):
        return []
    found = list[float]()
    for skill in (MOVE, JUMP, LONG_JUMP):
        try:
            inches = _inches_along(trooper, under_way, skill, walk)
        except Forbidden:
            continue
        found += [inches] if inches > max(found, default=0.0) + 1e-9 else []
    return found


def _inches_along(trooper: Trooper, under_way: Order | None, skill: str, walk: BoardPath | None) -> float:
    """Return how far one of these Skills goes along a route. Raises Forbidden."""
    earlier = tuple(map(Part, under_way.parts)) if under_way is not None else ()
    part = jump_part(trooper.current) if skill == JUMP else SKILL_PARTS[skill][0]
    check_order((*earlier, part))
    crossed: Ground = ground_of(walk).value if walk is not None and skill == MOVE else Ground.OPEN
    ground = effective_ground(trooper.current, crossed, "")
    reach = _reach_inches(trooper, skill, part, earlier.count(Part.SHORT_MOVEMENT), ground)
    assert reach is not None, "each of them has inches"
    if skill == MOVE:
        _check_ground(under_way, ground)
        return reach - (_climbed_inches(trooper, walk) if walk is not None else 0.0)
    return reach - (_jumped_inches(trooper, walk) - walk.length if walk is not None else 0.0)


# ------------------------------------------------------------------------------------ bad ground


def _check_ground(under_way: Order | None, ground: Ground) -> None:
    """Refuse a second Short Movement Skill in Very Difficult Terrain. Rules: INF-TER-03."""
    if under_way is None or Part.SHORT_MOVEMENT not in under_way.parts:
        return
    if max(ground, under_way.ground) >= Ground.VERY_DIFFICULT:
        forbid("You can use only one Short Movement Skill per Order in Very Difficult Terrain.", "INF-TER-03")


# ------------------------------------------------------------------------------------ is_jump


def _path_of(act: Act, action: SpendOrder) -> tuple[str, ...]:
    """Return the points that a Jump goes by as typed, if the board has none. Raises Forbidden.

    Rules: INF-SJ-10.
    """
    points = tuple(plain_text(point, MAX_POINT_LETTERS) for point in action.path.split(",") if point.strip())
    with act.overridable():
        check_trajectory(len(points) if action.where is None else len(action.where.points))
    return points


def _path_lines(points: tuple[str, ...]) -> list[str]:
    """Return the path of a Jump as typed, and that its line of fire is all round. Rules: INF-SJ-10."""
    lines = join_into_line([f"Path: {points[0]}", *points[1:]]) if points else []
    return [*lines, f"The trooper's line of fire covers {arc_degrees(moving=True)} degrees during the Jump."]


def _check_jump(act: Act, trooper: Trooper) -> None:
    """Raise Forbidden where a Jump does not go with the other Skill of the Order. Rules: INF-SJ-02."""
    under_way = _own_order(act, trooper)
    with act.overridable():
        for part in under_way.parts if under_way is not None else ():
            check_jump_with(trooper.current, Part(part))


# ------------------------------------------------------------------------------------ stance


@register_end_effect(PRONE)
def _change_stance(act: Act, telling: Telling, order: Order) -> None:
    trooper = troops.by_id(act.encounter, order.model)
    if trooper.is_null or concealment.is_marker(act.encounter, trooper.id):
        return
    is_prone = trooper.has(Condition.PRONE)
    telling.follow(
        act, [Lose(trooper.id, Condition.PRONE) if is_prone else Gain(trooper.id, Condition.PRONE)]
    )
    telling.head.append(f"{trooper.current.name} {'stands up' if is_prone else 'goes Prone'}.")


MAX_FALL = 200

JUMP_CHOICES = {str(one): one for one in (JumpAs.ENTIRE_ORDER, JumpAs.FIRST_SHORT, JumpAs.SECOND_SHORT)}
"""Words for how a Jump is declared."""


@dataclass(frozen=True, slots=True)
class Jump(Action):
    """Show how far a model can jump and fall (visible only to you).

    And whether Cover counts. Heights in inches above the table. up: the height that the jump gains, below
    0 down. lands: it reaches a place to stand.
    """

    command = "inf.jump"
    typed = "inf jump"
    titled = "Jump distance"

    model: Trooper = who()
    declared: JumpAs = fields.one_of("Declare the Jump as", JUMP_CHOICES, default=JumpAs.ENTIRE_ORDER)
    start: float = fields.inches("Height at the start (inches)", -200.0, 200.0, default=0.0)
    up: float = fields.inches("Height gained (inches, negative for down)", -200.0, 200.0, default=0.0)
    landing: float = fields.inches("Ground height where the Jump ends (inches)", -200.0, 200.0, default=0.0)
    lands: bool = fields.switch("The Jump ends on a surface")
    cover: bool = fields.switch("The Jump ends in cover")
    obstacle: float = fields.inches("Height of the obstacle (inches)", 0.0, 200.0, default=0.0)
    height: float = fields.inches("Height of the trooper (inches)", 0.0, 200.0, default=0.0)


@dataclass(frozen=True, slots=True)
class FallDown(Action):
    """Roll the saves for a fall, or see the odds.

    A fall of so many inches: ARM Rolls until one is passed, or their odds.
    """

    command = "inf.falling"
    typed = "inf fall"
    titled = "Fall"
    waits_for_dice = True

    model: Trooper = who(weighed=True)
    inches: float = fields.inches(
        "Height of the fall (inches)", 0.0, 200.0, default=0.0, needed=True, fact=True
    )
    odds: bool = fields.odds("Show only the odds")


@dataclass(frozen=True, slots=True)
class MoveDistance(Action):
    """Show how far a model can move in terrain (visible only to you)."""

    command = "inf.terrain"
    typed = "inf terrain"
    titled = "Move distance"

    model: Trooper = who()
    ground: Ground = ground("Terrain", needed=True)
    kind: str = fields.text("Type of terrain, such as Mountain", None)


@handles(Jump)
def show_jump(act: Act, action: Jump) -> Reply:
    """Show only the asker a jump. Rules: INF-SJ-01 to INF-SJ-06, INF-SJ-09, INF-SJ-12."""
    profile = action.model.current
    reach_inches = jump_inches(profile, action.declared)
    if abs(action.up) > reach_inches:
        raise InvalidInput(
            f"The height gained must be between -{reach_inches} and {reach_inches} in"
            f" (you entered {action.up:g}). {profile.name} can't jump further."
        )
    lines = [f"{profile.name} can jump up to {reach_inches} in."]
    fall_height = 0.0
    lines.append("It gets no Cover in the air.")
    if cover_counts(in_air=False, cover=action.cover):
        lines.append("It gets Partial Cover where the Jump ends.")
    if action.obstacle:
        cost_text = (
            "costs nothing" if vaults_freely(profile, action.obstacle, action.height) else "costs movement"
        )
        lines.append(f"Crossing an obstacle {action.obstacle:g} in high {cost_text}.")
    if action.start or action.landing or action.up:
        fall_height = fall_inches(
            profile, action.start, action.up, action.landing, lands=action.lands, settings=settings_for(act)
        )
        damage = fall_damage(profile, fall_height)
        lines.append(_fall_words(fall_height, damage))
    button = Button("Declare this Jump", _declare_jump(action, float(fall_height)), "main", anytime=True)
    return Reply(tuple(lines), private=True, buttons=(button,))


def _declare_jump(action: Jump, fall_height: float) -> SpendOrder:
    """Return the Jump as the Skill of an Order, its path told by heights, and its fall. Rules: INF-SJ-10."""
    is_entire = action.declared is JumpAs.ENTIRE_ORDER
    end = action.start + action.up
    points = [f"height {action.start:g} in", f"height {end:g} in"]
    if not action.lands and end > action.landing:
        points.append(f"height {action.landing:g} in")
    skill = LONG_JUMP if is_entire else JUMP
    return SpendOrder(action.model, skill=skill, path=", ".join(points), fall=fall_height)


def _fall_words(inches: float, damage: int) -> str:
    if inches <= 0:
        return "It lands on its feet."
    return f"A fall of {inches:g} in causes {f'Damage {damage}' if damage else 'no Damage'}."


@in_steps(FallDown)
class Falling(Throwing[FallDown, ReadyFall, int]):
    """The fall's ARM Rolls, repeated until one is passed."""

    label = "Fall"

    def prepare(self, act: ActView, action: FallDown) -> ReadyFall:
        """Return a figure and its fall; its odds may be asked of any figure. Rules: INF-SJ-06, INF-SJ-07."""
        trooper = action.model
        if not 0 < action.inches <= MAX_FALL:
            raise InvalidInput(
                f"The fall must be more than 0 and at most {MAX_FALL} in (you entered {action.inches:g})."
            )
        if trooper.id < 0 or concealment.is_marker(act.encounter, trooper.id):
            raise InvalidInput("Reveal the trooper first with /inf reveal. It is hidden.")
        return prepare_fall(trooper, float(action.inches))

    def whose(self, action: FallDown, ready: ReadyFall) -> Whose:
        return whose_fall(ready)

    def rule(self, dice: Dice, ready: ReadyFall) -> int:
        """Return the points lost. Rules: INF-SJ-08, INF-SJ-11."""
        return roll_fall(dice, ready)

    def settle(self, act: Act, action: FallDown, ready: ReadyFall, outcome: int) -> Telling:
        telling, tally = Telling(), Tally()
        tally.blows[ready.trooper.id] = Blow(ready.trooper, outcome)
        settle(act, telling, tally)
        telling.head[:0] = [describe_fall_result(act, ready, outcome), *describe_fall(ready)]
        telling.dice += fall_dice_lines(ready, list(act.dice.trace))
        return telling

    def chances(self, act: ActView, action: FallDown, ready: ReadyFall) -> Chances:
        odds = act.solve(self.rule, ready)
        names = ["unhurt", *(times(count, "wound") for count in range(1, ready.left + 2))]
        rows = [(name, odds.chance(partial(eq, count))) for count, name in enumerate(names)]
        death_chance = odds.chance(lambda lost: lost > ready.left)
        lines = (*describe_fall(ready), *bars(rows), f"Chance of death: {percent(death_chance).strip()}")
        return Chances(lines, "dies", death_chance, (odds,))


@dataclass(frozen=True, slots=True)
class Area(Action):
    """Check the Zone of Control and Sensor Area (visible only to you).

    sniffers: inches, by comma.
    """

    command = "inf.area"
    typed = "inf area"
    titled = "Zone and Sensor Area"
    decision_of = ANYONE

    distance: float = fields.inches("Distance between models (inches)", 0.0, 200.0, default=0.0, needed=True)
    sniffers: str = fields.text('Distances to allied Sniffers (inches), such as "3, 9.5"', None)


@handles(Area)
def check_area(act: Act, action: Area) -> Reply:
    """Show only the asker an area. Rules: INF-ORD-06, INF-SEN-05."""
    try:
        sniffers = [float(word) for word in action.sniffers.split(",") if word.strip()]
    except ValueError:
        raise Missing(
            'Enter the distances to Sniffers as numbers with commas between them, such as "3, 9.5".'
        ) from None
    if not all(0 <= inches <= 200 for inches in (action.distance, *sniffers)):
        raise InvalidInput("Distances must be between 0 and 200 in.")
    zone_word = "inside" if in_zone(action.distance) else "outside"
    sensor_word = "inside" if in_sensor_area(action.distance, sniffers) else "outside"
    return Reply(
        (
            f"A distance of {action.distance:g} in is {zone_word} the Zone of Control (8 in)"
            f" and {sensor_word} the Sensor Area.",
        ),
        private=True,
    )


@handles(MoveDistance)
def terrain(act: Act, action: MoveDistance) -> Reply:
    """Show only the asker a terrain. Rules: INF-TER-01, INF-TER-02, INF-TER-03."""
    trooper = action.model
    ground = effective_ground(trooper.current, action.ground, action.kind)
    allowed_inches = allowance(trooper.current, ground)
    second_move_text = (
        f"and {allowed_inches.second} in more as a second Skill"
        if allowed_inches.second
        else "but can't move again as a second Skill"
    )
    lines = [f"{trooper.current.name} can move {allowed_inches.first} in, {second_move_text}."]
    if stops_movement(ground):
        lines.append("A move that starts outside this terrain ends as soon as it touches it.")
        lines.append(f"As an ARO, {trooper.current.name} can move up to {reactive_inches(2, ground)} in.")
    elif action.ground is not Ground.OPEN:
        lines.append("It ignores this terrain because of its Terrain skill.")
    return Reply(tuple(lines), private=True)
