"""Moving at the table: how far, low gravity, lying down and getting up."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, numbered
from bot.games.counterblast.core.common import again, carry_through, could, pay, price, token_price
from bot.games.counterblast.core.fields import friend, order, who
from bot.games.counterblast.core.fighters import as_after
from bot.games.counterblast.core.narration import Telling, finish, offers
from bot.games.counterblast.core.surroundings import climate_here, depth_of, gravity_here
from bot.games.counterblast.core.words import reason
from bot.games.counterblast.ground.areas import Ground
from bot.games.counterblast.movement.drift_play import drifting, may_drift, stays_down
from bot.games.counterblast.movement.ground_moves import (
    apart,
    crosses_impassable,
    ends_on,
    ground_checks,
    pieces_of,
    touched,
)
from bot.games.counterblast.shooting.recalled import forget
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.steps import Chances, Weighed, in_steps, otherwise
from rules.counters import CounterName
from rules.effects import Propose
from rules.modifiers import total
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.movement import movement
from rules.systems.counterblast.movement.environment import water
from rules.systems.counterblast.movement.ground import barrier_cost, climate, require_passable, steps_over
from rules.systems.counterblast.movement.movement import Locomotion
from rules.wording import times

COME_UP, STAY_UNDER = "come up", "stay under"
"""How a Move underground ends."""
LOCOMOTION: tuple[Locomotion, ...] = ("legs", "wheels", "tracks", "none")
GOES_ON = CounterName("goes on")
"""Counter of a model: the place of what it goes on, once it was said; only vehicles print it."""

WADED = CounterName("waded")
"""Counter of a model: the turn in which its water took inches off a Move, once in an activation."""
KINDS: dict[str, Locomotion] = {"wheeled": "wheels", "tracked": "tracks"}
"""What vehicles of a kind go on."""


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move, and how far that is.

    rugged: ratings of the ground touched; ground: dangerous places and hazards touched; typed, the ratings
    stand among them. height, depth, barrier: a barrier crossed, in inches, and its Rugged rating.
    contact: inches in contact with the helper. inches: how far it goes, all the way for 0. odds: the chance
    to drift, too.
    """

    command = "cb.move"
    typed = "cb move go"
    titled = "Move"
    said_first = (
        *("model", "moves", "ground", "height", "depth", "barrier", "contact", "inches", "carry", "burrow"),
        *("goes_on", "helper", "tall", "base", "impassable", "end", "order", "odds"),
    )
    facts = frozenset({"rugged"})

    model: Fighter = who()
    moves: int = fields.whole("1 or 2", 1, 2, default=1)
    rugged: tuple[int, ...] = fields.unordered()
    height: float = fields.inches("Of a barrier crossed", default=0.0, fact=True)
    depth: float = fields.inches("Of the barrier", default=0.0, fact=True)
    barrier: int = fields.whole("The barrier's Rugged rating", 0, 3, default=0, fact=True)
    contact: float = fields.inches("Inches carried together", default=0.0, fact=True)
    inches: float = fields.inches("How far, in low gravity", default=0.0, checked=True, fact=True)
    order: bool = order()
    odds: bool = fields.odds("Only show how far")
    carry: Fighter | None = friend("Whom a flyer takes along, half as far", mine=True)
    burrow: str = fields.one_of("Underground: how the Move ends", (COME_UP, STAY_UNDER), default="")
    goes_on: Locomotion | None = fields.one_of("What it goes on, from now on", LOCOMOTION[:3], called="on")
    helper: Fighter | None = friend("Who carries the heavy weapon too", mine=True)
    tall: float = fields.inches("How tall it is, to step over a barrier", default=0.0, fact=True)
    base: float = fields.inches("How wide its base is, to step over", default=0.0, fact=True)
    impassable: bool = crosses_impassable()
    end: str = ends_on()
    ground: tuple[Ground, ...] = touched()

    def when_typed(self) -> Move:
        """With the ratings apart from the places."""
        return apart(self)


@dataclass(frozen=True, slots=True)
class LieDown(Action):
    """Lie down."""

    command = "cb.prone"
    typed = "cb move prone"
    titled = "Go prone"

    model: Fighter = who()
    goes_on: Locomotion | None = fields.one_of("", LOCOMOTION)


@dataclass(frozen=True, slots=True)
class StandUp(Action):
    """Get up."""

    command = "cb.stand"
    typed = "cb move stand"
    titled = "Stand up"

    model: Fighter = who()


def goes_on(act: Act, model: Fighter, said: Locomotion | None = None, *, keep: bool = True) -> Locomotion:
    """What a model goes on: as said now, or before, or by the kind of vehicle; else on legs.

    keep: what is said holds from now on. Rules: CB-BUILD-13, CB-VEH-08.
    """
    if said and keep:
        set_counter(act.encounter.model(model.id).counters, GOES_ON, LOCOMOTION.index(said))
    if said:
        return said
    built = next((KINDS[kind] for kind in model.profile.types if kind in KINDS), LOCOMOTION[0])
    return LOCOMOTION[model.count(GOES_ON)] if model.count(GOES_ON) else built


# ------------------------------------------------------------------------------------------- distance


@dataclass(frozen=True, slots=True)
class Path:
    """How far a model may go, and every reason."""

    inches: float
    lines: tuple[str, ...]


def path_of(act: Act, model: Fighter, action: Move) -> Path:
    """The distance of so many Moves, with all that the table knows and the player said.

    Rules: CB-MOVE-01, CB-MOVE-09, CB-MOVE-12, CB-TERR-02, CB-TERR-03, CB-TERR-12, CB-HAZ-04, CB-ENV-08,
    CB-FEAT-30, CB-GEAR-47, CB-HAZ-05, CB-HAZ-06.
    """
    if action.burrow or model.count(Counter.UNDERGROUND):
        return _dug(model, action)
    mv = model.mv
    pieces = pieces_of(action.rugged, action.ground)
    depth, tall = depth_of(act.encounter, model)
    waded = model.count(WADED) == max(1, act.encounter.row.turn)
    pieces += water(model, depth, tall).rugged if depth and not waded else ()
    reach = movement.move_distance(model, action.moves, pieces, passenger=bool(action.carry))
    inches, lines = reach.inches, [reach.moves, *(reason(part) for part in reach.parts)]
    if action.contact:
        _shares(act, model, action)
        shared = movement.carried_inches(model, action.contact, action.moves)
        inches += shared
        lines.append(f"{shared:+g} carried together CB-MOVE-12")
    grade = climate_here(act.encounter, model)
    less = mv - climate(model, grade).mv_inches if grade else 0
    if less:
        less = less * action.moves / (2 if model.has(Condition.PRONE) else 1)
        inches -= less
        lines.append(f"{-less:+g} heat or cold [{grade}] CB-HAZ-04")
    if model.flies and (pieces or action.height or action.depth):
        lines.append("+0 off the ground: neither Rugged nor barriers CB-TERR-12")
    cost, barrier = _barrier(act, model, action)
    return Path(max(0.0, inches - cost), (*lines, *barrier))


def _shares(act: Act, model: Fighter, action: Move) -> None:
    """Who carries with it is said, and activated with it once turns are counted. Rules: CB-MOVE-12."""
    if action.helper is None:
        raise InvalidInput("Say who carries with it: helper.")
    if act.encounter.row.turn:
        movement.require_team_carry(model, action.helper)


def _barrier(act: Act, model: Fighter, action: Move) -> tuple[float, list[str]]:
    """Inches that a barrier costs, nothing where a Large walker steps over. Rules: CB-TERR-02, CB-TERR-03."""
    rated = max(0, action.barrier - total(model.footing))
    cost = barrier_cost(action.height, action.depth, rated, off_ground=model.flies)
    if not cost:
        return 0.0, []
    size, walks = model.profile.size, goes_on(act, model, action.goes_on, keep=False) == "legs"
    if steps_over(size, action.height, action.depth, action.tall, action.base, walks=walks):
        return 0.0, ["+0 it steps over the barrier CB-TERR-03"]
    lines = [f"{-cost:+g} barrier CB-TERR-02"]
    if size == "L" and walks and not (action.tall and action.base):
        lines.append("Large: say tall and base; a low one is free CB-TERR-03")
    return cost, lines


def _dug(model: Fighter, action: Move) -> Path:
    """Under models and every terrain; it comes up where there is room. Rules: CB-FEAT-13."""
    reach = movement.burrow_distance(model, action.moves, underground=bool(model.count(Counter.UNDERGROUND)))
    end = "It stays underground." if action.burrow == STAY_UNDER else "It comes up on free ground, outdoors."
    return Path(reach.inches, (reach.moves, *(reason(part) for part in reach.parts), f"{end} CB-FEAT-13"))


@dataclass(frozen=True, slots=True)
class ReadyMove:
    """A Move that may be made. gravity: the low gravity that it is checked for, 0 for none."""

    path: Path
    gravity: int
    under: bool


@in_steps(Move)
class Moving(Weighed[Move, ReadyMove]):
    """One or two Moves, with the drift of low gravity where it is due."""

    def prepare(self, act: Act, action: Move) -> ReadyMove:
        """Who walks so far, and may. Raises InvalidInput, Forbidden."""
        model, passenger = action.model, action.carry
        _may_walk(model)
        if passenger is not None:
            with act.overridable():
                movement.require_passenger(model, passenger)
        under = bool(action.burrow or model.count(Counter.UNDERGROUND))
        require_passable(model, crosses=action.impassable, end=action.end, under=under)
        path = path_of(act, model, action)
        gravity = may_drift(act, model, action.inches or path.inches)
        if gravity_here(act.encounter, model) and action.moves > 1:
            raise InvalidInput("In low gravity declare one Move at a time: each may drift.")
        if action.inches > path.inches:
            forbid(f"{model.name} moves {path.inches:g} in at most.", "CB-MOVE-01")
        if act.looks:
            could(act, model, "move")
        else:
            after = model
            for _ in range(action.moves):
                after = as_after(after, price(act, after, "move", joint=bool(action.contact)))
        token_price(act, model, spent=action.order and gravity > 0)
        return ReadyMove(path, gravity, under)

    def do(self, act: Act, action: Move, ready: ReadyMove) -> Reply:
        """It is somewhere else, or drifts."""
        model, path = action.model, ready.path
        for _ in range(action.moves):
            pay(act, again(act, model), "move", joint=bool(action.contact))
        goes_on(act, model, action.goes_on)
        row = act.encounter.model(model.id)
        set_counter(row.counters, Counter.UNDERGROUND, int(action.burrow == STAY_UNDER))
        if depth_of(act.encounter, model)[0] > 0 and act.encounter.row.turn:
            row.counters[WADED] = act.encounter.row.turn
        telling = Telling([f"{model.name} moves up to {path.inches:g} in."], list(path.lines))
        telling.lines += path.lines[1:]
        if action.carry is not None:
            telling.lines.append(f"{action.carry.name} comes along.")
            forget(act.encounter, action.carry.id)
        if not ready.under:
            telling.proposals += ground_checks(act, again(act, model), action.ground)
        if not ready.gravity:
            return finish(act, telling)
        return drifting(act, telling, model, ready.gravity, order=action.order)

    def chances(self, act: Act, action: Move, ready: ReadyMove) -> Chances:
        """How far it comes, and whether it drifts. Rules: CB-ENV-02."""
        path = ready.path
        lines = [f"{action.model.name} moves up to {path.inches:g} in", *path.lines]
        if not ready.gravity:
            return Chances(tuple(lines))
        stays = stays_down(act, action.model, order=action.order)
        chance = stays.chance(bool)
        lines += bars([("stays down", chance), ("drifts", 1 - chance)])
        return Chances(tuple(lines), "stays down", chance, (stays,))

    def labelled(self, plain: Move, ready: ReadyMove) -> str:
        """With the actions that it takes."""
        return f"Move ({times(plain.moves, 'action')})"

    def turned(self, plain: Move, ready: ReadyMove) -> Move | None:
        """A token helps where there is a check."""
        return otherwise(plain) if ready.gravity else None


def _may_walk(model: Fighter) -> None:
    """A vehicle drives, and a passenger gets out first. Raises Forbidden. Rules: CB-VEH-05, CB-VEH-09."""
    if model.profile.is_vehicle:
        forbid(f"{model.name} is a vehicle: /vehicle drive.", "CB-VEH-09")
    if model.count(Counter.RIDES):
        forbid(f"{model.name} rides: /vehicle leave comes first.", "CB-VEH-05")


# ------------------------------------------------------------------------------------------- prone


@handles(LieDown)
def lie_down(act: Act, action: LieDown) -> Reply:
    """One action."""
    model = action.model
    effects = movement.drop_prone(model, goes_on(act, model, action.goes_on))
    pay(act, model, "drop_prone")
    carry_through(act, effects)
    return finish(act, Telling([f"{model.name} is prone."]))


@handles(StandUp)
def stand_up(act: Act, action: StandUp) -> Reply:
    """Two actions, none for a Quick model that was knocked down."""
    model = action.model
    row = act.encounter.condition(model.id, Condition.PRONE)
    knocked_down = row is not None and bool(row.source)
    effects = movement.stand_up(model)
    cost = movement.stand_up_actions(model, knocked_down=knocked_down)
    pay(act, model, "stand_up" if cost else "stand_quick")
    carry_through(act, effects)
    return finish(act, Telling([f"{model.name} stands up ({times(cost, 'action') if cost else 'free'})."]))


@offers("stand")
def _stand(proposal: Propose) -> tuple[str, Action]:
    return "Stand up", StandUp(numbered(proposal.model))
