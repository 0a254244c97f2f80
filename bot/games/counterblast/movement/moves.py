"""Moves at the table: distance, ground, lying down and getting up, running away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from bot.actions import Action, Raw, declared, reference_by_number
from bot.games.counterblast.core.common import (
    again,
    carry_through,
    may_continue,
    pay,
    price,
    require_plannable,
    token_price,
)
from bot.games.counterblast.core.fields import friend, order, who
from bot.games.counterblast.core.narration import Telling, finish, register_offer
from bot.games.counterblast.core.wording import reason
from bot.games.counterblast.ground.flames import InFire
from bot.games.counterblast.ground.hazards import EXPOSED, TOUCHED, Enter, note_checks
from bot.games.counterblast.ground.places import placed_area
from bot.games.counterblast.movement.falls import check_for_drift, gravity_to_check, odds_of_keeping_feet
from bot.games.counterblast.movement.hiding import describe_coming_into_view, seen_button
from bot.games.counterblast.state.ground import (
    Ground,
    area_names,
    climate_here,
    depth_of,
    gravity_here,
    list_fires_entered,
    owe_hit,
    read_area,
    ruggedness,
)
from bot.games.counterblast.state.models import predict_after
from bot.games.counterblast.state.sight import forget_sightings
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.state.vehicles import require_uplink, store_drive
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.asking.kinds import Asking, Listed, Numbers
from bot.table.asking.offering import completing
from bot.table.board.facts import Fact
from bot.table.board.routes import BoardPath, gone, into_contact
from bot.table.board.surface import HAZARD
from bot.table.encounter import EncounterView, set_counter
from bot.table.handlers import handles
from bot.table.names import find
from bot.table.steps import Chances, Weighed, in_steps, otherwise
from rules import measure
from rules.effects import Propose
from rules.measure import tenths
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.sections import remove_rules
from rules.systems.counterblast.core.burning import Kind, burn_at_activation, catch_fire
from rules.systems.counterblast.core.checks import DANGER_TARGET, FOOTING_TARGET
from rules.systems.counterblast.core.conditions import reach_table_edge
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.movement import movement
from rules.systems.counterblast.movement.environment import water
from rules.systems.counterblast.movement.ground import (
    Hazard,
    Rugged,
    barrier_cost,
    climate,
    require_passable,
    steps_over,
)
from rules.systems.counterblast.movement.movement import Locomotion
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left, may_plan, take
from rules.systems.counterblast.vehicle_rules import in_motion
from rules.wording import times

ENDS = ("on a model", "on impassable ground")

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places(Listed):
    """Places on the table, by name, each once."""

    def write(self, thing: Any) -> Raw:
        return tuple(part if isinstance(part, str) else part.name for part in thing or ())

    def read(self, raw: Raw, context: Asking) -> tuple[Ground, ...]:
        """Return each place. Raises InvalidInput for one that is not there."""
        assert isinstance(raw, tuple)
        encounter = context.act.encounter
        names = [find(str(place), area_names(encounter), str, "place") for place in raw]
        return tuple(read_area(encounter, name) for name in dict.fromkeys(names))


def touched(help_text: str = 'Rugged ratings or places, like "2 1, slick"', **options: Any) -> Any:
    """Declare the places that a Move touches, by name; typed as `rugged`, with the ratings among them."""
    names = completing(placed_area)
    kind = Places(wire=tuple[str, ...], help=help_text, names=names, called="rugged", fact=True, **options)
    return declared(kind, ())


def ratings_of(board_path: BoardPath) -> Fact:
    """Return the ratings of the Rugged ground that it touches. Rules: CB-TERR-12."""
    rugged_pieces = [piece for piece in board_path.ground if piece.rough]
    words = ", ".join(f"{piece.name} (Rugged {piece.rough})" for piece in rugged_pieces)
    return Fact(tuple(sorted(piece.rough for piece in rugged_pieces)), words)


def _dangers_on(context: Asking) -> Fact | None:
    """Return the dangerous places that a way touches. Rules: CB-TERR-07."""
    board_path = context.so_far.get("where")
    return dangers_of(context.act.encounter, board_path) if isinstance(board_path, BoardPath) else None


def dangers_of(encounter: EncounterView, board_path: BoardPath) -> Fact:
    """Return the dangerous places that it touches. Rules: CB-TERR-07."""
    known_areas = area_names(encounter)
    dangerous = [piece.name for piece in board_path.ground if piece.dangerous or piece.kind == HAZARD]
    names = [name for name in dangerous if name in known_areas]
    return Fact(tuple(read_area(encounter, name) for name in names), ", ".join(names))


def _barrier_height(board_path: BoardPath) -> Fact:
    """Return the inches up: over all barriers, and to a higher end. Rules: CB-TERR-02."""
    level = max(board_path.before.bottom, board_path.after.bottom)
    inches_up = tenths(
        sum(barrier.top - level for barrier, _ in board_path.barriers) + max(0.0, board_path.climbed)
    )
    return Fact(inches_up, f"{inches_up:g} in up" if inches_up else "")


def _barrier_depth(board_path: BoardPath) -> Fact:
    """Return the inches through all barriers. Rules: CB-TERR-02."""
    depth = tenths(sum(inches for _, inches in board_path.barriers))
    names = ", ".join(barrier.name for barrier, _ in board_path.barriers)
    return Fact(depth, f"{names} ({depth:g} in deep)" if depth else "")


def barriers_of(board_path: BoardPath) -> Fact:
    """Return the inches that barriers cost, up and through. Rules: CB-TERR-02."""
    height_fact, depth_fact = _barrier_height(board_path), _barrier_depth(board_path)
    return Fact(
        tenths(height_fact.value + depth_fact.value),
        ", ".join(filter(None, (height_fact.words, depth_fact.words))),
    )


def _board_distance_field(label: str, fact_of: Callable[[BoardPath], Fact], **more: Any) -> Any:
    """Return the inches that the way on the board tells."""
    return fields.inches(label, default=0.0, fact=True, measures=measuring.walked("where", fact_of), **more)


def impassable_switch() -> Any:
    """Declare a switch for a path that crosses Impassable ground."""
    return fields.switch("Path crosses Impassable ground", fact=True)


def end_field() -> Any:
    """Declare a field for the kind of place where a Move ends."""
    return fields.one_of("End of the Move (default: on clear ground)", ENDS, default="", fact=True)


def apart(action: T) -> T:
    """Return the action with ratings and places apart, which were typed together as `2 1, slick`."""
    typed: tuple[str, ...] = action.ground  # type: ignore[attr-defined]
    rating_parts = [part for part in typed if not part.strip("0123456789 ")]
    ratings = tuple(int(digit) for part in rating_parts for digit in part if digit.isdecimal())
    place_names = tuple(part for part in typed if part not in rating_parts)
    return replace(action, rugged=ratings, ground=place_names)  # type: ignore[type-var]


def rugged_ground(ratings: tuple[int, ...], places: tuple[Ground, ...]) -> tuple[Rugged, ...]:
    """Return Rugged ground from the entered ratings, and from places on the table.

    Rules: CB-TERR-12, CB-HAZ-05, CB-HAZ-06.
    """
    rated_pieces = (Rugged(f"ground {number}", rating) for number, rating in enumerate(ratings, 1))
    return (*rated_pieces, *(piece for place in places for piece in ruggedness(place)))


def ground_checks(act: Act, model: Fighter, places: tuple[Ground, ...]) -> list[Propose]:
    """Return the checks of the places that a Move touched, where the model was not tested there this turn.

    They are owed from now on.

    Rules: CB-TERR-07, CB-HAZ-01, CB-HAZ-04, CB-HAZ-05, CB-HAZ-06.
    """
    turn, proposals = max(1, act.encounter.row.turn), []
    for ground in places:
        if model.count(EXPOSED.of(ground.name)) == turn:
            continue
        details = (("area", ground.name),)
        if ground.kind == Hazard.SLICK:
            sentence = (
                f"On {ground.words}, {model.name} must pass an Initiative check ({FOOTING_TARGET}+) "
                "or fall Prone."
            )
            proposals.append(Propose("footing", model.id, sentence, details))
        elif ground.kind == Hazard.HEAT_OR_COLD:
            proposals.append(
                Propose(
                    "danger",
                    model.id,
                    f"In {ground.words}, {model.name} can lose movement and actions.",
                    details,
                )
            )
        else:
            sentence = (
                f"In {ground.words}, {model.name} must pass an Initiative check ({DANGER_TARGET}+) "
                "or take damage."
            )
            proposals.append(Propose("danger", model.id, sentence, details))
    note_checks(act.encounter, proposals)
    return proposals


def meets_ground(
    act: Act, telling: Telling, model: Fighter, places: tuple[Ground, ...], walk: BoardPath | None
) -> None:
    """Add what a model owes for its path: the checks of dangerous places, and the hits of fire on the board.

    Rules: CB-TERR-07, CB-BURN-01, CB-BURN-05, CB-FEAT-03.
    """
    telling.proposals += ground_checks(act, again(act, model), places)
    if walk is None:
        return
    model = again(act, model)
    for kind in fires_crossed(act.encounter, model, walk):
        telling.follow(act, catch_fire(model, kind))
        owe_hit(act.encounter, model, kind)
        telling.proposals += carry_through(act, burn_at_activation(model, in_fire=True, kind=kind))


def close_in(act: Act, telling: Telling, model: Fighter, other: Fighter) -> None:
    """Move a model on the board into contact with another, over the ground between them.

    Rules: CB-TERR-07, CB-BURN-01.
    """
    walk = into_contact(act.encounter, model.id, other.id)
    if walk is not None:
        meets_ground(act, telling, model, dangers_of(act.encounter, walk).value, walk)


def fires_crossed(encounter: EncounterView, model: Fighter, walk: BoardPath) -> list[Kind]:
    """Return what burns on a way, on the level where it begins or ends, and has not hit the model this turn.

    Rules: CB-BURN-01, CB-BURN-05, CB-FEAT-03.
    """
    levels = (walk.before.bottom, walk.after.bottom)
    pieces = [
        piece
        for piece in walk.ground
        if any(abs(piece.bottom - level) < measure.SAME_LEVEL for level in levels)
    ]
    return list_fires_entered(encounter, model, pieces)


def checks_beside(encounter: EncounterView, model: Fighter, walk: BoardPath) -> tuple[Button, ...]:
    """Return what a model owes once it went a way that was entered on the board alone, as after a leap.

    Rules: CB-TERR-07, CB-BURN-05, CB-HIDE-03.
    """
    turn, owed_now = max(1, encounter.row.turn), encounter.model(model.id).counters
    places = [
        place
        for place in dangers_of(encounter, walk).value
        if turn not in (owed_now.get(EXPOSED.of(place.name)), owed_now.get(TOUCHED.of(place.name)))
    ]
    return (
        *(Button(f"Check for {place.name}", Enter(model, place), anytime=True) for place in places),
        *(
            Button(f"Hit by the {kind}", InFire(model, kind), anytime=True)
            for kind in fires_crossed(encounter, model, walk)
        ),
        *([seen_button(model)] if describe_coming_into_view(encounter, model) else []),
    )


COME_UP, STAY_UNDER = "come up", "stay under"
"""How a Move underground ends."""
LOCOMOTION: tuple[Locomotion, ...] = ("legs", "wheels", "tracks", "none")


KINDS: dict[str, Locomotion] = {"wheeled": "wheels", "tracked": "tracks"}
"""The locomotion of vehicles of a kind."""


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move a model.

    rugged: ratings of the ground touched; ground: dangerous places and hazards touched; typed, the ratings
    stand among them. height, depth, barrier: a barrier crossed, in inches, and its Rugged rating. where: its
    way on the board.
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
    asked_first = ("moves", "ground", "burrow")
    facts = frozenset({"rugged"})

    model: Fighter = who()
    moves: int = fields.whole("Number of Moves (1 or 2)", 1, 2, default=1)
    where: BoardPath | None = measuring.way("model")
    rugged: tuple[int, ...] = declared(
        Numbers(wire=tuple[int, ...], any_order=1, measures=measuring.walked("where", ratings_of)), ()
    )
    height: float = _board_distance_field("Barrier height (inches)", _barrier_height)
    depth: float = _board_distance_field("Barrier depth (inches)", _barrier_depth)
    barrier: int = fields.whole("Barrier's Rugged rating", 0, 3, default=0, fact=True)
    contact: float = fields.inches("Inches moved with the weapon's helper", default=0.0, fact=True)
    inches: float = _board_distance_field(
        "Distance moved in low gravity (inches)", measuring.walked_inches, checked=True
    )
    order: bool = order()
    odds: bool = fields.odds("Show how far the model can move")
    carry: Fighter | None = friend("Model carried by a flyer", mine=True)
    burrow: str = fields.one_of("End of a burrowing Move", (COME_UP, STAY_UNDER), default="")
    goes_on: Locomotion | None = fields.one_of("Kind of movement", LOCOMOTION[:3], called="on")
    helper: Fighter | None = friend("Model that helps carry the heavy weapon", mine=True)
    tall: float = _board_distance_field("Model's height (inches)", lambda walk: Fact(walk.before.height, ""))
    base: float = _board_distance_field(
        "Base width (inches)", lambda walk: Fact(round(2 * walk.before.radius, 1), "")
    )
    impassable: bool = impassable_switch()
    end: str = end_field()
    ground: tuple[Ground, ...] = touched(measures=_dangers_on)
    by_hand: tuple[str, ...] = fields.by_hand()

    def as_typed_action(self) -> Move:
        return apart(self)


@dataclass(frozen=True, slots=True)
class LieDown(Action):
    """Drop prone."""

    command = "cb.prone"
    typed = "cb move prone"
    titled = "Go prone"

    model: Fighter = who()
    goes_on: Locomotion | None = fields.one_of("", LOCOMOTION)


@dataclass(frozen=True, slots=True)
class StandUp(Action):
    """Stand up."""

    command = "cb.stand"
    typed = "cb move stand"
    titled = "Stand up"

    model: Fighter = who()


def store_locomotion(act: Act, model: Fighter, locomotion: Locomotion | None) -> None:
    """Store how a model moves from now on, if it was entered."""
    if locomotion:
        ModelState(act.encounter.model(model.id)).locomotion = LOCOMOTION.index(locomotion)


def goes_on(model: Fighter, said: Locomotion | None) -> Locomotion:
    """Return a model's locomotion: as entered now or before, or by the kind of vehicle, or on legs.

    Rules: CB-BUILD-13, CB-VEH-08.
    """
    if said:
        return said
    default_locomotion = next((KINDS[kind] for kind in model.profile.types if kind in KINDS), LOCOMOTION[0])
    locomotion_index = model.count(ModelState.locomotion.key)
    return LOCOMOTION[locomotion_index] if locomotion_index else default_locomotion


# ------------------------------------------------------------------------------------------- distance


@dataclass(frozen=True, slots=True)
class Path:
    """How far a model may go, and every reason."""

    inches: float
    lines: tuple[str, ...]


def path_of(encounter: EncounterView, model: Fighter, action: Move) -> Path:
    """Return the distance of so many Moves, with all that the table knows and the player said.

    Rules: CB-MOVE-01, CB-MOVE-09, CB-MOVE-12, CB-TERR-02, CB-TERR-03, CB-TERR-12, CB-HAZ-04, CB-ENV-08,
    CB-FEAT-30, CB-GEAR-47, CB-HAZ-05, CB-HAZ-06.
    """
    if action.burrow or model.count(Counter.UNDERGROUND):
        return _burrow_path(model, action)
    mv = model.mv
    pieces = rugged_ground(action.rugged, action.ground)
    water_depth, own_height = depth_of(encounter, model)
    already_waded = model.count(ModelState.waded_turn.key) == max(1, encounter.row.turn)
    pieces += water(model, water_depth, own_height).rugged if water_depth and not already_waded else ()
    distance = movement.move_distance(model, action.moves, pieces, passenger=bool(action.carry))
    inches, lines = distance.inches, [distance.moves, *(reason(part) for part in distance.parts)]
    if action.contact:
        _require_helper(encounter, model, action)
        shared_inches = movement.carried_inches(model, action.contact, action.moves)
        inches += shared_inches
        lines.append(f"{shared_inches:+g} for sharing the load CB-MOVE-12")
    grade = climate_here(encounter, model)
    lost_inches = mv - climate(model, grade).mv_inches if grade else 0
    if lost_inches:
        lost_inches = lost_inches * action.moves / (2 if model.has(Condition.PRONE) else 1)
        inches -= lost_inches
        lines.append(f"{-lost_inches:+g} heat or cold [{grade}] CB-HAZ-04")
    if model.flies and (pieces or action.height or action.depth):
        lines.append("+0 off the ground (Rugged ground and barriers don't count) CB-TERR-12")
    cost, barrier_lines = _price_barrier(model, action)
    return Path(max(0.0, inches - cost), (*lines, *barrier_lines))


def _require_helper(encounter: EncounterView, model: Fighter, action: Move) -> None:
    """Refuse to share a load with no helper, or with one that can't help. Rules: CB-MOVE-12."""
    if action.helper is None:
        raise InvalidInput("Choose the model that helps carry the heavy weapon.")
    if encounter.row.turn:
        movement.require_team_carry(model, action.helper)


def _price_barrier(model: Fighter, action: Move) -> tuple[float, list[str]]:
    """Return the inches that a barrier costs, and why. A Large model on legs steps over it for 0.

    Rules: CB-TERR-02, CB-TERR-03.
    """
    rugged_rating = max(0, action.barrier - total(model.footing))
    cost = barrier_cost(action.height, action.depth, rugged_rating, off_ground=model.flies)
    if not cost:
        return 0.0, []
    size, on_legs = model.profile.size, goes_on(model, action.goes_on) == "legs"
    if steps_over(size, action.height, action.depth, action.tall, action.base, walks=on_legs):
        return 0.0, ["+0 barrier (steps over it) CB-TERR-03"]
    lines = [f"{-cost:+g} barrier CB-TERR-02"]
    if size == "L" and on_legs and not (action.tall and action.base):
        lines.append(
            "Large models can ignore low barriers. Enter the model's height and base width. CB-TERR-03"
        )
    return cost, lines


def _burrow_path(model: Fighter, action: Move) -> Path:
    """Return how far a Move underground goes, under models and all terrain. Rules: CB-FEAT-13."""
    distance = movement.burrow_distance(
        model, action.moves, underground=bool(model.count(Counter.UNDERGROUND))
    )
    end = "stays underground" if action.burrow == STAY_UNDER else "comes up on clear ground outdoors"
    return Path(
        distance.inches,
        (distance.moves, *(reason(part) for part in distance.parts), f"{model.name} {end}. CB-FEAT-13"),
    )


def paces(encounter: EncounterView, model: Fighter, walk: BoardPath | None) -> list[float]:
    """Return how far a model can go with one Move and with two; only the Moves that it can make now.

    Rules: CB-MOVE-01, CB-ACT-01, CB-ACT-06, CB-CREW-13, CB-ENV-02.
    """
    action, distances, model_then = _with_board_facts(encounter, Move(model), walk), list[float](), model
    max_moves = 1 if gravity_here(encounter, model) else movement.MAX_MOVES
    if model.has(Condition.ACTIVE) and not may_continue(encounter, model):
        return []
    for moves in range(1, max_moves + 1):
        try:
            _require_on_foot(model_then)
            may_plan(model_then, "move")
            require_uplink(model_then, "move")
            distances.append(path_of(encounter, model, replace(action, moves=moves)).inches)
        except Forbidden:
            break
        model_then = (
            predict_after(model_then, take(model_then, "move"))
            if model_then.has(Condition.ACTIVE)
            else model_then
        )
    return distances


def _with_board_facts(encounter: EncounterView, action: Move, board_path: BoardPath | None) -> Move:
    """Return a Move with what the board measures of its route."""
    if board_path is None:
        return action
    return replace(
        action,
        rugged=ratings_of(board_path).value,
        ground=dangers_of(encounter, board_path).value,
        height=_barrier_height(board_path).value,
        depth=_barrier_depth(board_path).value,
        tall=board_path.before.height,
        base=2 * board_path.before.radius,
    )


@dataclass(frozen=True, slots=True)
class ReadyMove:
    """A Move that may be made. gravity: the low gravity that it is checked for, 0 for none."""

    path: Path
    gravity: int
    under: bool


@in_steps(Move)
class Moving(Weighed[Move, ReadyMove]):
    """One or two Moves, with the drift of low gravity where it is due."""

    def prepare(self, act: ActView, action: Move) -> ReadyMove:
        model, passenger = action.model, action.carry
        _require_on_foot(model)
        if passenger is not None:
            with act.overridable():
                movement.require_passenger(model, passenger)
        underground = bool(action.burrow or model.count(Counter.UNDERGROUND))
        require_passable(model, crosses=action.impassable, end=action.end, below=underground)
        path = path_of(act.encounter, model, action)
        gravity = gravity_to_check(act, model, action.inches or path.inches)
        if gravity_here(act.encounter, model) and action.moves > 1:
            raise InvalidInput(
                "In low gravity, make one Move at a time, because the model can drift during each one."
            )
        if action.inches > path.inches:
            forbid(f"{model.name} can move at most {path.inches:g} in.", "CB-MOVE-01")
        if act.action.looks:
            require_plannable(act, model, "move")
        else:
            model_then = model
            for _ in range(action.moves):
                model_then = predict_after(
                    model_then, price(act, model_then, "move", joint=bool(action.contact))
                )
        token_price(act, model, spent=action.order and gravity > 0)
        return ReadyMove(path, gravity, underground)

    def do(self, act: Act, action: Move, ready: ReadyMove) -> Reply:
        model, path = action.model, ready.path
        for _ in range(action.moves):
            pay(act, again(act, model), "move", joint=bool(action.contact))
        store_locomotion(act, model, action.goes_on)
        row = act.encounter.model(model.id)
        set_counter(row.counters, Counter.UNDERGROUND, int(action.burrow == STAY_UNDER))
        if depth_of(act.encounter, model)[0] > 0 and act.encounter.row.turn:
            ModelState(row).waded_turn = act.encounter.row.turn
        telling = Telling([f"{model.name} moves up to {path.inches:g} in."], list(path.lines))
        if action.where is not None:
            telling.lines[:] = gone(act.encounter, action.where)
        telling.lines += map(remove_rules, path.lines[1:])
        if action.carry is not None:
            telling.lines.append(f"{action.carry.name} is carried along.")
            forget_sightings(act.encounter, action.carry.id)
        if not ready.under:
            meets_ground(act, telling, model, action.ground, action.where)
        is_on_board = action.where is not None
        view_lines = describe_coming_into_view(act.encounter, again(act, model)) if is_on_board else []
        telling.lines += view_lines
        if not ready.gravity:
            return finish(act, telling, (), *([seen_button(model)] if view_lines else []))
        return check_for_drift(act, telling, model, ready.gravity, order=action.order)

    def chances(self, act: ActView, action: Move, ready: ReadyMove) -> Chances:
        """Return how far it can move, and whether it drifts. Rules: CB-ENV-02."""
        path = ready.path
        lines = [f"{action.model.name} moves up to {path.inches:g} in", *path.lines]
        if not ready.gravity:
            return Chances(tuple(lines))
        odds = odds_of_keeping_feet(act, action.model, order=action.order)
        chance = odds.chance(bool)
        lines += bars([("stays on the ground", chance), ("drifts", 1 - chance)])
        return Chances(tuple(lines), "stays on the ground", chance, (odds,))

    def labelled(self, plain: Move, ready: ReadyMove) -> str:
        return f"Move ({times(plain.moves, 'action')})"

    def turned(self, plain: Move, ready: ReadyMove) -> Move | None:
        return otherwise(plain) if ready.gravity else None


def _require_on_foot(model: Fighter) -> None:
    """Refuse a vehicle, and a model in one. Raises Forbidden. Rules: CB-VEH-05, CB-VEH-09."""
    if model.profile.is_vehicle:
        forbid(f"{model.name} is a vehicle. Use /vehicle drive.", "CB-VEH-09")
    if model.count(Counter.RIDES):
        forbid(f"{model.name} is in a vehicle. Use /vehicle leave first.", "CB-VEH-05")


# ------------------------------------------------------------------------------------------- prone


@handles(LieDown)
def lie_down(act: Act, action: LieDown) -> Reply:
    """Drop a model prone for one action."""
    model = action.model
    store_locomotion(act, model, action.goes_on)
    effects = movement.drop_prone(model, goes_on(model, action.goes_on))
    pay(act, model, "drop_prone")
    carry_through(act, effects)
    return finish(act, Telling([f"{model.name} is prone."]))


@handles(StandUp)
def stand_up(act: Act, action: StandUp) -> Reply:
    """Stand a model up for two actions, or for none if it is Quick and was knocked down."""
    model = action.model
    row = act.encounter.condition(model.id, Condition.PRONE)
    knocked_down = row is not None and bool(row.source)
    effects = movement.stand_up(model)
    cost = movement.stand_up_actions(model, knocked_down=knocked_down)
    pay(act, model, "stand_up" if cost else "stand_quick")
    carry_through(act, effects)
    return finish(act, Telling([f"{model.name} stands up ({times(cost, 'action') if cost else 'free'})."]))


@register_offer("stand")
def _stand_button(proposal: Propose) -> tuple[str, Action]:
    return "Stand up", StandUp(reference_by_number(proposal.model))


@dataclass(frozen=True, slots=True)
class Flee(Action):
    """Run for the table edge when Panicked.

    The nearest edge of the table, with all its Moves. edge: typed, once it is there.
    """

    command = "cb.flee"
    typed = "cb move flee"
    titled = "Flee"

    model: Fighter = who()
    edge: bool = fields.switch("The model reaches the table edge")

    def as_typed_action(self) -> Action:
        return AtEdge(self.model) if self.edge else self


@dataclass(frozen=True, slots=True)
class AtEdge(Action):
    """A model reached the table edge by a forced move."""

    command = "cb.edge"

    model: Fighter = who("")


@handles(Flee)
def flee(act: Act, action: Flee) -> Reply:
    """Make a panicked model use all its Moves towards the nearest table edge."""
    model = action.model
    if not model.has(Condition.PANICKED):
        raise InvalidInput(f"{model.name} is not Panicked. Move it with /cb move go.")
    moves = min(actions_left(model), ACTIONS) if act.encounter.row.turn else ACTIONS
    if not moves:
        raise InvalidInput(f"{model.name} has no actions left, so it can't run now.")
    path = path_of(act.encounter, model, Move(moves=moves))
    for _ in range(moves):
        pay(act, again(act, model), "move")
    if model.profile.is_vehicle:
        row, turn = act.encounter.model(model.id), max(1, act.encounter.row.turn)
        store_drive(row, turn, path.inches, moving=in_motion(model, path.inches))
    lines = [f"{model.name} runs {path.inches:g} in towards the table edge."]
    lines += map(remove_rules, path.lines[1:])
    edge_button = Button(f"{model.name} reaches the edge", AtEdge(model), "main")
    return finish(act, Telling(lines), (), edge_button)


@handles(AtEdge)
def at_edge(act: Act, action: AtEdge) -> Reply:
    """Remove a panicked model, which has fled; any other stops there."""
    model = action.model
    effects = reach_table_edge(model)
    telling = Telling([f"{model.name} has fled." if effects else f"{model.name} stops at the table edge."])
    telling.follow(act, effects)
    return finish(act, telling)


@register_offer("flee")
def _flee_button(proposal: Propose) -> tuple[str, Action]:
    return "Run", Flee(reference_by_number(proposal.model))
