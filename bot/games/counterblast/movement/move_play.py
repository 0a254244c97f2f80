"""Moving at the table: how far, low gravity, lying down and getting up, running away."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, could, own, pay, settings
from bot.games.counterblast.core.fields import order
from bot.games.counterblast.core.rolls import (
    asked,
    finish,
    odds_reply,
    ref,
    require_between,
)
from bot.games.counterblast.core.surroundings import climate_here, depth_of, gravity_here
from bot.games.counterblast.core.telling import Telling, offers
from bot.games.counterblast.core.words import reason, times
from bot.games.counterblast.movement.drift_play import FARTHEST, drifting, may_drift
from bot.games.counterblast.movement.ground_moves import (
    apart,
    crosses_impassable,
    ends_on,
    ground_checks,
    pieces_of,
    touched,
)
from bot.games.counterblast.shooting.recalled import forget
from bot.games.counterblast.vehicles.vehicle_marks import drive
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from rules.effects import Propose
from rules.modifiers import total
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.ability import initiative_check
from rules.systems.counterblast.core.casualties import after_reaching_edge
from rules.systems.counterblast.core.fighter import Condition, Counter, Fighter
from rules.systems.counterblast.core.initiative import FOOTING_TARGET
from rules.systems.counterblast.ground.hazards import climate
from rules.systems.counterblast.ground.terrain import barrier_cost, require_passable, steps_over
from rules.systems.counterblast.movement import movement
from rules.systems.counterblast.movement.environment import (
    keeps_down,
    water,
)
from rules.systems.counterblast.movement.movement import Locomotion
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left
from rules.systems.counterblast.vehicles.vehicle_move import in_motion

COME_UP, STAY_UNDER = "come up", "stay under"
"""How a Move underground ends."""
LOCOMOTION: tuple[Locomotion, ...] = ("legs", "wheels", "tracks", "none")
GOES_ON = "goes on"
"""Counter of a model: the place of what it goes on, once it was said; only vehicles print it."""

WADED = "waded"
"""Counter of a model: the turn in which its water took inches off a Move, once in an activation."""
KINDS: dict[str, Locomotion] = {"wheeled": "wheels", "tracked": "tracks"}
"""What vehicles of a kind go on."""


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move, and how far that is.

    rugged: ratings of the ground touched; ground: dangerous places and hazards touched, by name; typed, the
    ratings stand among them. height, depth, barrier: a barrier crossed, in inches, and its Rugged rating.
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

    model: str = fields.words("Who", offering.own_model, needed=True)
    moves: int = fields.whole("1 or 2", 1, 2, default=1)
    rugged: tuple[int, ...] = ()
    height: float = fields.inches("Of a barrier crossed", default=0.0)
    depth: float = fields.inches("Of the barrier", default=0.0)
    barrier: int = fields.whole("The barrier's Rugged rating", 0, 3, default=0)
    contact: float = fields.inches("Inches carried together", default=0.0)
    inches: float = fields.inches("How far, in low gravity", default=0.0)
    order: bool = order()
    odds: bool = fields.odds("Only show how far")
    carry: str = fields.words("Whom a flyer takes along, half as far", offering.own_model)
    burrow: str = fields.word_of("Underground: how the Move ends", (COME_UP, STAY_UNDER))
    goes_on: str = fields.word_of("What it goes on, from now on", LOCOMOTION[:3], called="on")
    helper: str = fields.words("Who carries the heavy weapon too", offering.own_model)
    tall: float = fields.inches("How tall it is, to step over a barrier", default=0.0)
    base: float = fields.inches("How wide its base is, to step over", default=0.0)
    impassable: bool = crosses_impassable()
    end: str = ends_on()
    ground: tuple[str, ...] = touched()

    def when_typed(self) -> Move:
        """With the ratings apart from the places."""
        return apart(self)


@dataclass(frozen=True, slots=True)
class LieDown(Action):
    """Lie down."""

    command = "cb.prone"
    typed = "cb move prone"

    model: str = fields.words("Who", offering.own_model, needed=True)
    goes_on: str = ""


@dataclass(frozen=True, slots=True)
class StandUp(Action):
    """Get up."""

    command = "cb.stand"
    typed = "cb move stand"

    model: str = fields.words("Who", offering.own_model, needed=True)


@dataclass(frozen=True, slots=True)
class Flee(Action):
    """A panicked model runs for the edge.

    The nearest edge of the table, with all its Moves. edge: typed, once it is there.
    """

    command = "cb.flee"
    typed = "cb move flee"

    model: str = fields.words("Who", offering.own_model, needed=True)
    edge: bool = fields.switch("It reaches the table edge")

    def when_typed(self) -> Action:
        """The run, or its end."""
        return AtEdge(self.model) if self.edge else self


@dataclass(frozen=True, slots=True)
class AtEdge(Action):
    """A model reached the table edge by a forced move."""

    command = "cb.edge"

    model: str = ""


def goes_on(act: Act, model: Fighter, said: str = "", *, keep: bool = True) -> Locomotion:
    """What a model goes on: as said now, or before, or by the kind of vehicle; else on legs.

    keep: what is said holds from now on. Raises InvalidInput. Rules: CB-BUILD-13, CB-VEH-08.
    """
    if said and said not in LOCOMOTION:
        raise InvalidInput(f"It goes on: {', '.join(LOCOMOTION)}.")
    if said:
        place = LOCOMOTION.index(said)
        if keep:
            set_counter(act.encounter.model(model.id).counters, GOES_ON, place)
        return LOCOMOTION[place]
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
    pieces = pieces_of(act, action.rugged, action.ground)
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
    if not action.helper:
        raise InvalidInput("Say who carries with it: helper.")
    helper = asked(act, action.helper)
    if act.encounter.row.turn:
        movement.require_team_carry(model, helper)


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
    if action.burrow not in ("", COME_UP, STAY_UNDER):
        raise InvalidInput(f"A Move underground ends with: {COME_UP}, {STAY_UNDER}.")
    reach = movement.burrow_distance(model, action.moves, underground=bool(model.count(Counter.UNDERGROUND)))
    end = "It stays underground." if action.burrow == STAY_UNDER else "It comes up on free ground, outdoors."
    return Path(reach.inches, (reach.moves, *(reason(part) for part in reach.parts), f"{end} CB-FEAT-13"))


@handles(Move)
def move(act: Act, action: Move) -> Reply:
    """One or two Moves, with the drift of low gravity where it is due."""
    model = asked(act, action.model)
    require_between(action.inches, 0, FARTHEST, "Inches")
    _may_walk(model)
    passenger = asked(act, action.carry) if action.carry else None
    if passenger is not None:
        with act.overridable():
            movement.require_passenger(model, passenger)
    under = bool(action.burrow or model.count(Counter.UNDERGROUND))
    require_passable(model, crosses=action.impassable, end=action.end, under=under)
    path = path_of(act, model, action)
    asks = replace(action, model=ref(model), carry=ref(passenger) if passenger else "", odds=False)
    act.canonical = asks
    gravity = may_drift(act, model, action.inches or path.inches)
    deep = depth_of(act.encounter, model)[0] > 0
    if gravity_here(act.encounter, model) and action.moves > 1:
        raise InvalidInput("In low gravity declare one Move at a time: each may drift.")
    if action.inches > path.inches:
        forbid(f"{model.name} moves {path.inches:g} in at most.", "CB-MOVE-01")
    if action.odds:
        could(act, model, "move")
        return _move_odds(act, model, asks, path, drifting=gravity > 0)
    for _ in range(action.moves):
        pay(act, again(act, model), "move", joint=bool(action.contact))
    goes_on(act, model, action.goes_on)
    row = act.encounter.model(model.id)
    set_counter(row.counters, Counter.UNDERGROUND, int(action.burrow == STAY_UNDER))
    if deep and act.encounter.row.turn:
        row.counters[WADED] = act.encounter.row.turn
    telling = Telling([f"{model.name} moves up to {path.inches:g} in."], list(path.lines))
    telling.lines += path.lines[1:]
    if passenger is not None:
        telling.lines.append(f"{passenger.name} comes along.")
        forget(act.encounter, passenger.id)
    if not under:
        telling.proposals += ground_checks(act, again(act, model), action.ground)
    if not gravity:
        return finish(act, telling)
    return drifting(act, telling, model, gravity, order=asks.order)


def _may_walk(model: Fighter) -> None:
    """A vehicle drives, and a passenger gets out first. Raises Forbidden. Rules: CB-VEH-05, CB-VEH-09."""
    if model.profile.is_vehicle:
        forbid(f"{model.name} is a vehicle: /vehicle drive.", "CB-VEH-09")
    if model.count(Counter.RIDES):
        forbid(f"{model.name} rides: /vehicle leave comes first.", "CB-VEH-05")


def _move_odds(act: Act, model: Fighter, asks: Move, path: Path, *, drifting: bool) -> Reply:
    lines = [f"{model.name} moves up to {path.inches:g} in", *path.lines]
    if drifting:
        prepared = initiative_check(model, FOOTING_TARGET, order_token=asks.order, settings=settings(act))
        stays = act.solve(keeps_down, (prepared.throw,)).chance(bool)
        lines += [*bars([("stays down", stays), ("drifts", 1 - stays)]), act.exactness]
    label = f"Move ({times(asks.moves, 'action')})"
    return odds_reply(act, model.side, lines, label, asks, may_order=drifting)


# ------------------------------------------------------------------------------------------- prone


@handles(LieDown)
def lie_down(act: Act, action: LieDown) -> Reply:
    """One action."""
    model = own(act, action.model)
    effects = movement.drop_prone(model, goes_on(act, model, action.goes_on))
    pay(act, model, "drop_prone")
    carry_through(act, effects)
    return finish(act, Telling([f"{model.name} is prone."]))


@handles(StandUp)
def stand_up(act: Act, action: StandUp) -> Reply:
    """Two actions, none for a Quick model that was knocked down."""
    model = own(act, action.model)
    row = act.encounter.condition(model.id, Condition.PRONE)
    knocked_down = row is not None and bool(row.source)
    effects = movement.stand_up(model)
    cost = movement.stand_up_actions(model, knocked_down=knocked_down)
    pay(act, model, "stand_up" if cost else "stand_quick")
    carry_through(act, effects)
    return finish(act, Telling([f"{model.name} stands up ({times(cost, 'action') if cost else 'free'})."]))


# ------------------------------------------------------------------------------------------- running away


@handles(Flee)
def flee(act: Act, action: Flee) -> Reply:
    """All its Moves toward the nearest edge; reaching it is the end of its game."""
    model = own(act, action.model)
    if not model.has(Condition.PANICKED):
        raise InvalidInput(f"{model.name} is not panicked.")
    moves = min(actions_left(model), ACTIONS) if act.encounter.row.turn else ACTIONS
    if not moves:
        raise InvalidInput(f"{model.name} has no action left.")
    path = path_of(act, model, Move(moves=moves))
    for _ in range(moves):
        pay(act, again(act, model), "move")
    if model.profile.is_vehicle:
        row, turn = act.encounter.model(model.id), max(1, act.encounter.row.turn)
        drive(row, turn, path.inches, moving=in_motion(model, path.inches))
    lines = [f"{model.name} runs {path.inches:g} in for the edge.", *path.lines[1:]]
    edge = Button("It reaches the edge", AtEdge(ref(model)), "main")
    return finish(act, Telling(lines), (), edge)


@handles(AtEdge)
def at_edge(act: Act, action: AtEdge) -> Reply:
    """A panicked model has fled; any other stops there."""
    model = own(act, action.model)
    effects = after_reaching_edge(model)
    telling = Telling([f"{model.name} has fled." if effects else f"{model.name} stops at the edge."])
    telling.follow(act, effects)
    return finish(act, telling)


@offers("flee")
def _flee(proposal: Propose) -> tuple[str, Action]:
    return "Run", Flee(f"#{proposal.model}")


@offers("stand")
def _stand(proposal: Propose) -> tuple[str, Action]:
    return "Stand up", StandUp(f"#{proposal.model}")
