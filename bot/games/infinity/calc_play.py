"""Rolls and figures that need no Order: free d20 rolls, jumps, falls, movement on bad ground."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from operator import eq

from bot.actions import Action
from bot.games.infinity import suggestions, veils
from bot.games.infinity.common import UNDO, Telling, again, ground_of, own, pointer, seen, settings
from bot.games.infinity.library_play import SYSTEM
from bot.games.infinity.move_play import JUMP, LONG_JUMP, SpendOrder
from bot.games.infinity.outcome import Blow, Tally, settle
from bot.games.infinity.throwing import Throwing
from bot.games.infinity.words import normal_lines, opposed_lines, save_lines, state_word, times, wrapped
from bot.replies.chances import bars, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import Place, handles
from bot.table.rolling.throws import Whose, hands
from bot.table.steps import Chances, in_steps
from rules.dice import Dice, Thrown
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.infinity.armour import Losses, Save, exchange, wounds
from rules.systems.infinity.f2f import Side, face_to_face
from rules.systems.infinity.falls import (
    fall,
    fall_damage,
    fall_inches,
    free_inches,
    survivable_inches,
)
from rules.systems.infinity.jumps import JumpAs, cover_counts, jump_inches, vaults_freely
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.rolls import Hits, modified, normal_rolls
from rules.systems.infinity.sensor import in_sensor_area
from rules.systems.infinity.settings import DEFAULT
from rules.systems.infinity.sixth_sense import in_zone
from rules.systems.infinity.states import deadly_points
from rules.systems.infinity.terrain import allowance, reactive_inches, stops_movement
from rules.systems.infinity.trooper import Trooper

MOST_BURST = 10
MOST_FALL = 200


@dataclass(frozen=True, slots=True)
class RollD20(Action):
    """A Normal Roll against an Attribute.

    Dice against a value: the Attribute with all MODs.
    """

    command = "inf.roll"
    typed = "inf roll"
    titled = "Normal Roll"

    value: int = fields.whole("The value to roll", 0, 30, default=12, needed=True)
    burst: int = fields.whole("How many dice", 1, 10, default=1)
    mod: int = fields.whole("MOD to the value", None, None, default=0)
    odds: bool = fields.odds("Show odds, roll nothing")


@dataclass(frozen=True, slots=True)
class FaceToFaceRoll(Action):
    """A Face to Face Roll of bare figures.

    Values with all MODs, bursts, damage and armour of each.
    """

    command = "inf.f2f"
    typed = "inf f2f"
    titled = "Face to Face"

    value: int = fields.whole("First side, with MODs", -12, 42, default=12, needed=True)
    against: int = fields.whole("Second side", -12, 42, default=12, needed=True)
    burst: int = fields.whole("Dice of the first", 1, 10, default=1)
    against_burst: int = fields.whole("Dice of the second", 1, 10, default=1)
    damage: int = fields.whole("DAM of the first", 0, 40, default=13)
    armour: int = fields.whole("ARM of the first, with cover", 0, 20, default=0)
    against_damage: int = fields.whole("DAM of the second", 0, 40, default=13)
    against_armour: int = fields.whole("ARM of the second, with cover", 0, 20, default=0)
    odds: bool = fields.odds("Show odds, roll nothing")


@dataclass(frozen=True, slots=True)
class Jump(Action):
    """How far it jumps and falls, to you alone.

    And whether Cover counts. Heights in inches above the table. up: the height that the jump gains, below
    0 down. lands: it reaches a place to stand.
    """

    command = "inf.jump"
    typed = "inf jump"

    model: str = fields.words("Who", suggestions.my_trooper, needed=True)
    declared: str = fields.word_of(
        "Declared as", ("entire order", "first short skill", "second short skill"), default="entire order"
    )
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

    model: str = fields.words("Who", suggestions.my_trooper, needed=True)
    inches: float = fields.inches("How far down", 0.0, 200.0, default=0.0, needed=True)
    odds: bool = fields.odds("Show odds, roll nothing")


@dataclass(frozen=True, slots=True)
class Ways(Action):
    """How far an Order moves it, to you alone."""

    command = "inf.terrain"
    typed = "inf terrain"

    model: str = fields.words("Who", suggestions.my_trooper, needed=True)
    ground: str = fields.word_of(
        "The ground", ("open", "difficult", "very difficult"), needed=True, default="open"
    )
    kind: str = fields.text("Type of the terrain: Mountain ...", None)


def _checked(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise InvalidInput(f"{name} is {low} to {high}, not {value}.")


@dataclass(frozen=True, slots=True)
class ReadyD20:
    """Who rolls so many d20 against a value, and how that came about."""

    who: str
    burst: int
    value: int
    shown: str


@in_steps(RollD20, Place.CHANNEL)
class RollingD20(Throwing[RollD20, ReadyD20, Hits]):
    """A Normal Roll."""

    def prepare(self, act: Act, action: RollD20) -> ReadyD20:
        """Figures within their bounds. Rules: INF-ROLL-01, INF-ROLL-02."""
        _checked("The Attribute", action.value, 0, 30)
        _checked("Burst", action.burst, 1, MOST_BURST)
        _checked("The MODs together", action.mod, -100, 100)
        here = act.has_encounter and act.encounter.row.system == SYSTEM
        given = (Modifier(action.mod, "given at the table"),)
        value = modified(action.value, given, settings(act) if here else DEFAULT)
        act.canonical = replace(action, odds=False)
        shown = f"{action.value} {value - action.value:+d} = {value}" if action.mod else str(value)
        return ReadyD20(act.actor.name, action.burst, value, shown)

    def whose(self, action: RollD20, ready: ReadyD20) -> Whose:
        """Of whoever asks for it."""
        return Whose(ready.who, "roll", f"against {ready.value} or less")

    def rule(self, dice: Dice, ready: ReadyD20) -> Hits:
        """All dice. Rules: INF-ROLL-04, INF-ROLL-05."""
        return normal_rolls(dice, ready.burst, ready.value, label="d20")

    def settle(self, act: Act, action: RollD20, ready: ReadyD20, outcome: Hits) -> Telling:
        """Nothing is altered."""
        critical = f", {outcome.critical} critical" if outcome.critical else ""
        said = f"{times(outcome.total, 'success', 'successes')}{critical}" if outcome else "No success"
        dice = normal_lines(act.dice.trace, f"Against {ready.shown}", ready.value)
        return Telling([f"{act.actor.name} rolls: {said}.", *dice])

    def chances(self, act: Act, action: RollD20, ready: ReadyD20) -> Chances:
        """One success or more, and a Critical."""
        odds = act.solve(self.rule, ready)
        rows = [("a success", odds.chance(bool)), ("a critical", odds.chance(lambda got: got.critical > 0))]
        head = f"{times(ready.burst, 'die', 'dice')} against {ready.shown}"
        return Chances((head, *bars(rows)), "a success", odds.chance(bool), (odds,))


@handles(FaceToFaceRoll, Place.CHANNEL)
def f2f_roll(act: Act, action: FaceToFaceRoll) -> Reply:
    """A Face to Face Roll of bare figures with its saves. Rules: INF-F2F-02 to INF-F2F-05."""
    for burst in (action.burst, action.against_burst):
        _checked("Burst", burst, 1, MOST_BURST)
    for value in (action.value, action.against):
        _checked("A value with its MODs", value, -12, 42)
    for armour in (action.armour, action.against_armour):
        _checked("ARM with Cover", armour, 0, 20)
    a, b = Side(action.burst, action.value), Side(action.against_burst, action.against)
    save_a = Save(action.against_damage, action.armour)
    save_b = Save(action.damage, action.against_armour)
    act.canonical = replace(action, odds=False)
    if action.odds:
        return _f2f_odds(act, a, b, save_a, save_b)
    first = Whose("the first side", "Face to Face Roll", f"against the second, {a.value} or less")
    second = Whose("the second side", "Face to Face Roll", f"against the first, {b.value} or less")
    result = act.roll(hands(first, second), face_to_face, a, b, label="first side, then second")
    lines = opposed_lines(act.dice.trace, (f"First, {a.value}", a), (f"Second, {b.value}", b))
    winner, hits, save = ("First", result.a, save_b) if result.a else ("Second", result.b, save_a)
    if not hits:
        return Reply(("Nobody hits.", *lines), buttons=(UNDO,))
    since = len(act.dice.trace)
    other = "Second" if winner == "First" else "First"
    whose = Whose(
        f"the {other.lower()} side",
        "saves",
        f"against {times(hits.total, 'hit')}, {save.limit} or less fails",
    )
    lost = act.roll(whose, wounds, hits, save, label="saves")
    lines += save_lines(act.dice.trace[since:], other, save)
    return Reply(
        (f"{winner} side: {times(hits.total, 'hit')}, {times(lost, 'wound')}.", *lines), buttons=(UNDO,)
    )


def _f2f_odds(act: Act, a: Side, b: Side, save_a: Save, save_b: Save) -> Reply:
    odds = act.solve(exchange, a, b, save_a, save_b)

    def lost_by(odd: Losses) -> tuple[int, int]:
        return odd.a, odd.b

    rows = [
        ("first loses 1+", odds.chance(lambda odd: lost_by(odd)[0] > 0)),
        ("second loses 1+", odds.chance(lambda odd: lost_by(odd)[1] > 0)),
        ("second loses 2+", odds.chance(lambda odd: lost_by(odd)[1] > 1)),
        ("nothing", odds.chance(lambda odd: lost_by(odd) == (0, 0))),
    ]
    head = f"{a.burst} dice at {a.value} vs {b.burst} at {b.value}"
    return Reply(
        (head, *bars(rows), act.exactness), private=True, buttons=(Button("Roll", act.canonical, "main"),)
    )


@handles(Jump)
def jump(act: Act, action: Jump) -> Reply:
    """To the asker alone. Rules: INF-SJ-01 to INF-SJ-06, INF-SJ-09, INF-SJ-12."""
    one = own(act, action.model)
    profile = one.current
    if action.declared not in set(JumpAs):
        raise InvalidInput(f"A jump is declared as {', '.join(JumpAs)}.")
    reach = jump_inches(profile, JumpAs(action.declared))
    if abs(action.up) > reach:
        raise InvalidInput(f"{profile.name} jumps {reach} in at most, not {abs(action.up):g}.")
    lines = [f"{profile.name} jumps up to {reach} in."]
    buttons = [Button("Declare it", _declared(one, action), "main", anytime=True)]
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
        if damage:
            fall_down = FallDown(pointer(one), float(fallen))
            buttons.append(Button("Fall", fall_down, anytime=True))
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))


def _declared(one: Trooper, action: Jump) -> SpendOrder:
    """The Jump as the Skill of an Order, its path told by heights. Rules: INF-SJ-10."""
    whole = action.declared == JumpAs.ENTIRE_ORDER
    end = action.start + action.up
    points = [f"height {action.start:g} in", f"height {end:g} in"]
    if not action.lands and end > action.landing:
        points.append(f"height {action.landing:g} in")
    return SpendOrder(pointer(one), skill=LONG_JUMP if whole else JUMP, path=", ".join(points))


def _fall_words(inches: float, damage: int) -> str:
    if inches <= 0:
        return "It lands: no fall."
    return f"Fall of {inches:g} in: {f'damage {damage}' if damage else 'no damage'}."


@dataclass(frozen=True, slots=True)
class ReadyFall:
    """Who falls, against which Damage, with how many points to lose.

    head: how far, and what would be deadly.
    """

    one: Trooper
    damage: int
    left: int
    head: tuple[str, ...]


@in_steps(FallDown)
class Falling(Throwing[FallDown, ReadyFall, int]):
    """The fall's ARM Rolls, repeated until one is passed."""

    label = "Fall"

    def prepare(self, act: Act, action: FallDown) -> ReadyFall:
        """A figure and its fall; its odds may be asked of any figure. Rules: INF-SJ-06, INF-SJ-07."""
        one = seen(act, action.model) if act.looks else own(act, action.model)
        if not 0 < action.inches <= MOST_FALL:
            raise InvalidInput(f"A fall is more than 0, at most {MOST_FALL} in, not {action.inches:g}.")
        if one.id < 0 or veils.is_marker(act.encounter, one.id):
            raise InvalidInput("A Marker shows itself first: /inf reveal.")
        profile = one.current
        damage = fall_damage(profile, action.inches)
        act.canonical = FallDown(pointer(one), float(action.inches))
        free = f" ({free_inches(profile)} in are free)" if profile.has(Skill.SUPER_JUMP) else ""
        head = (
            f"{profile.name} falls {action.inches:g} in{free}: damage {damage}.",
            f"ARM {profile.arm}; deadly above {survivable_inches(profile)} in.",
        )
        return ReadyFall(one, damage, deadly_points(one) - 1, head)

    def whose(self, action: FallDown, ready: ReadyFall) -> Whose:
        """The trooper's own."""
        return Whose(ready.one.current.name, "ARM Roll", f"for a fall of {action.inches:g} in")

    def rule(self, dice: Dice, ready: ReadyFall) -> int:
        """Points lost. Rules: INF-SJ-08, INF-SJ-11."""
        return fall(dice, ready.damage, ready.one.current.arm, ready.left)

    def settle(self, act: Act, action: FallDown, ready: ReadyFall, outcome: int) -> Telling:
        """What the points lost make of it."""
        telling, tally = Telling(), Tally()
        tally.blows[ready.one.id] = Blow(ready.one, outcome)
        settle(act, telling, tally)
        after = state_word(again(act, ready.one))
        said = f"{times(outcome, 'wound')}{f', {after}' if after else ''}" if outcome else "unhurt"
        faces = [str(entry.waves[0][0]) for entry in act.dice.trace if isinstance(entry, Thrown)]
        telling.head[:0] = [f"{ready.one.current.name} falls: {said}.", *ready.head]
        over = f"Over {ready.damage - ready.one.current.arm} saves"
        telling.dice += wrapped([f"{over}: {faces[0]}", *faces[1:]], "") if faces else []
        return telling

    def chances(self, act: Act, action: FallDown, ready: ReadyFall) -> Chances:
        """Each number of points lost, and death."""
        odds = act.solve(self.rule, ready)
        names = ["unhurt", *(times(count, "wound") for count in range(1, ready.left + 2))]
        rows = [(name, odds.chance(partial(eq, count))) for count, name in enumerate(names)]
        dead = odds.chance(lambda lost: lost > ready.left)
        return Chances((*ready.head, *bars(rows), f"Dead: {percent(dead).strip()}"), "it dies", dead, (odds,))


@dataclass(frozen=True, slots=True)
class Area(Action):
    """Zone of Control and Sensor Area, to you alone.

    sniffers: inches, by comma.
    """

    command = "inf.area"
    typed = "inf area"

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
    one = own(act, action.model)
    ground = ground_of(one, action.ground, action.kind)
    allowed = allowance(one.current, ground)
    lines = [f"{one.current.name}: {allowed.first} in and {allowed.second} in."]
    if stops_movement(ground):
        lines.append("Touching it ends a move at once.")
        lines.append(f"Reactive moves: {reactive_inches(2, ground)} in.")
    elif action.ground != "open":
        lines.append("It knows this terrain (INF-TER-01).")
    return Reply(tuple(lines), private=True)
