"""Figures and rolls that need no Order: jumps, falls, movement on bad ground, areas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from operator import eq

from bot.actions import Action
from bot.games.infinity import veils
from bot.games.infinity.common import Telling, settings
from bot.games.infinity.falling import (
    ReadyFall,
    fall_dice,
    fall_head,
    fall_result,
    ready_fall,
    roll_fall,
    whose_fall,
)
from bot.games.infinity.fields import ground, who
from bot.games.infinity.move_play import JUMP, LONG_JUMP, SpendOrder
from bot.games.infinity.outcome import Blow, Tally, settle
from bot.games.infinity.throwing import Throwing
from bot.replies.chances import bars, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, in_steps
from rules.dice import Dice
from rules.refusals import InvalidInput
from rules.systems.infinity.movement import (
    Ground,
    JumpAs,
    allowance,
    cover_counts,
    effective_ground,
    fall_damage,
    fall_inches,
    jump_inches,
    reactive_inches,
    stops_movement,
    vaults_freely,
)
from rules.systems.infinity.shooting import in_sensor_area
from rules.systems.infinity.trooper import Trooper, in_zone
from rules.wording import times

MOST_FALL = 200

DECLARED = {str(one): one for one in (JumpAs.ENTIRE_ORDER, JumpAs.FIRST_SHORT, JumpAs.SECOND_SHORT)}
"""Words for how a Jump is declared."""


@dataclass(frozen=True, slots=True)
class Jump(Action):
    """How far it jumps and falls, to you alone.

    And whether Cover counts. Heights in inches above the table. up: the height that the jump gains, below
    0 down. lands: it reaches a place to stand.
    """

    command = "inf.jump"
    typed = "inf jump"
    titled = "How far it jumps"

    model: Trooper = who()
    declared: JumpAs = fields.one_of("Declared as", DECLARED, default=JumpAs.ENTIRE_ORDER)
    start: float = fields.inches("Height it leaves", -200.0, 200.0, default=0.0)
    up: float = fields.inches("Height gained; below 0 down", -200.0, 200.0, default=0.0)
    landing: float = fields.inches("Height below the end", -200.0, 200.0, default=0.0)
    lands: bool = fields.switch("It reaches a place to stand")
    cover: bool = fields.switch("It ends in cover")
    obstacle: float = fields.inches("Height of an obstacle", 0.0, 200.0, default=0.0)
    height: float = fields.inches("Its own height", 0.0, 200.0, default=0.0)


@dataclass(frozen=True, slots=True)
class FallDown(Action):
    """Roll a fall, or see its odds.

    A fall of so many inches: ARM Rolls until one is passed, or their odds.
    """

    command = "inf.falling"
    typed = "inf fall"
    titled = "Fall"

    model: Trooper = who(weighed=True)
    inches: float = fields.inches("How far down", 0.0, 200.0, default=0.0, needed=True, fact=True)
    odds: bool = fields.odds("Show odds, roll nothing")


@dataclass(frozen=True, slots=True)
class Ways(Action):
    """How far an Order moves it, to you alone."""

    command = "inf.terrain"
    typed = "inf terrain"
    titled = "How far it moves"

    model: Trooper = who()
    ground: Ground = ground("The ground", needed=True)
    kind: str = fields.text("Type of the terrain: Mountain ...", None)


@handles(Jump)
def jump(act: Act, action: Jump) -> Reply:
    """To the asker alone. Rules: INF-SJ-01 to INF-SJ-06, INF-SJ-09, INF-SJ-12."""
    profile = action.model.current
    reach = jump_inches(profile, action.declared)
    if abs(action.up) > reach:
        raise InvalidInput(f"{profile.name} jumps {reach} in at most, not {abs(action.up):g}.")
    lines = [f"{profile.name} jumps up to {reach} in."]
    fallen = 0.0
    lines.append("In the air: no Cover.")
    if cover_counts(in_air=False, cover=action.cover):
        lines.append("At its start and end: Partial Cover.")
    if action.obstacle:
        free = vaults_freely(profile, action.obstacle, action.height)
        lines.append(f"Obstacle of {action.obstacle:g} in: {'crossed freely' if free else 'not free'}.")
    if action.start or action.landing or action.up:
        fallen = fall_inches(
            profile, action.start, action.up, action.landing, lands=action.lands, settings=settings(act)
        )
        damage = fall_damage(profile, fallen)
        lines.append(_fall_words(fallen, damage))
    button = Button("Declare it", _declared(action, float(fallen)), "main", anytime=True)
    return Reply(tuple(lines), private=True, buttons=(button,))


def _declared(action: Jump, fallen: float) -> SpendOrder:
    """Return the Jump as the Skill of an Order, its path told by heights, and its fall. Rules: INF-SJ-10."""
    whole = action.declared is JumpAs.ENTIRE_ORDER
    end = action.start + action.up
    points = [f"height {action.start:g} in", f"height {end:g} in"]
    if not action.lands and end > action.landing:
        points.append(f"height {action.landing:g} in")
    skill = LONG_JUMP if whole else JUMP
    return SpendOrder(action.model, skill=skill, path=", ".join(points), fall=fallen)


def _fall_words(inches: float, damage: int) -> str:
    if inches <= 0:
        return "It lands: no fall."
    return f"Fall of {inches:g} in: {f'damage {damage}' if damage else 'no damage'}."


@in_steps(FallDown)
class Falling(Throwing[FallDown, ReadyFall, int]):
    """The fall's ARM Rolls, repeated until one is passed."""

    label = "Fall"

    def prepare(self, act: Act, action: FallDown) -> ReadyFall:
        """A figure and its fall; its odds may be asked of any figure. Rules: INF-SJ-06, INF-SJ-07."""
        one = action.model
        if not 0 < action.inches <= MOST_FALL:
            raise InvalidInput(f"A fall is more than 0, at most {MOST_FALL} in, not {action.inches:g}.")
        if one.id < 0 or veils.is_marker(act.encounter, one.id):
            raise InvalidInput("A Marker shows itself first: /inf reveal.")
        return ready_fall(one, float(action.inches))

    def whose(self, action: FallDown, ready: ReadyFall) -> Whose:
        """The trooper's own."""
        return whose_fall(ready)

    def rule(self, dice: Dice, ready: ReadyFall) -> int:
        """Points lost. Rules: INF-SJ-08, INF-SJ-11."""
        return roll_fall(dice, ready)

    def settle(self, act: Act, action: FallDown, ready: ReadyFall, outcome: int) -> Telling:
        """What the points lost make of it."""
        telling, tally = Telling(), Tally()
        tally.blows[ready.one.id] = Blow(ready.one, outcome)
        settle(act, telling, tally)
        telling.head[:0] = [fall_result(act, ready, outcome), *fall_head(ready)]
        telling.dice += fall_dice(ready, list(act.dice.trace))
        return telling

    def chances(self, act: Act, action: FallDown, ready: ReadyFall) -> Chances:
        """Each number of points lost, and death."""
        odds = act.solve(self.rule, ready)
        names = ["unhurt", *(times(count, "wound") for count in range(1, ready.left + 2))]
        rows = [(name, odds.chance(partial(eq, count))) for count, name in enumerate(names)]
        dead = odds.chance(lambda lost: lost > ready.left)
        lines = (*fall_head(ready), *bars(rows), f"Dead: {percent(dead).strip()}")
        return Chances(lines, "it dies", dead, (odds,))


@dataclass(frozen=True, slots=True)
class Area(Action):
    """Zone of Control and Sensor Area, to you alone.

    sniffers: inches, by comma.
    """

    command = "inf.area"
    typed = "inf area"
    titled = "Zones and areas"
    decision_of = ANYONE

    distance: float = fields.inches("Inches between them", 0.0, 200.0, default=0.0, needed=True)
    sniffers: str = fields.text("Inches to allied Sniffers, by comma", None)


@handles(Area)
def area(act: Act, action: Area) -> Reply:
    """To the asker alone. Rules: INF-ORD-06, INF-SEN-05."""
    try:
        sniffers = [float(word) for word in action.sniffers.split(",") if word.strip()]
    except ValueError:
        raise InvalidInput("Distances to Sniffers are numbers with commas: 3, 9.5.") from None
    if not all(0 <= inches <= 200 for inches in (action.distance, *sniffers)):
        raise InvalidInput("A distance is 0 to 200 in.")
    zone = "inside" if in_zone(action.distance) else "outside"
    sensed = "inside" if in_sensor_area(action.distance, sniffers) else "outside"
    return Reply(
        (
            f"{action.distance:g} in: {zone} the Zone of Control (8 in).",
            f"{sensed.capitalize()} the Sensor Area.",
        ),
        private=True,
    )


@handles(Ways)
def terrain(act: Act, action: Ways) -> Reply:
    """To the asker alone. Rules: INF-TER-01, INF-TER-02, INF-TER-03."""
    one = action.model
    ground = effective_ground(one.current, action.ground, action.kind)
    allowed = allowance(one.current, ground)
    lines = [f"{one.current.name}: {allowed.first} in and {allowed.second} in."]
    if stops_movement(ground):
        lines.append("Touching it ends a move at once.")
        lines.append(f"Reactive moves: {reactive_inches(2, ground)} in.")
    elif action.ground is not Ground.OPEN:
        lines.append("It knows this terrain (INF-TER-01).")
    return Reply(tuple(lines), private=True)
