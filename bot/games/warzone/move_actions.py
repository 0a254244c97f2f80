"""Moving at the table: how far, what has to be rolled first, presence, jumps and falls."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.break_away_actions import BreakAway
from bot.games.warzone.common import (
    Telling,
    allow_at_once,
    end_contact,
    find_enemies_in_contact,
    find_model,
    offers,
    refresh,
    settings_for,
)
from bot.games.warzone.fields import (
    fear_direction_field,
    find_highest_obstacle,
    no_enemy_seen_field,
    read_ground,
    who,
    worst_ground_field,
)
from bot.games.warzone.reactions import offer_reactions
from bot.games.warzone.state import state_of
from bot.games.warzone.steps import (
    CountedRoll,
    DeedStart,
    DeedWithoutRoll,
    MultiRollDeed,
    System,
    apply_rule,
    begin,
    report_system_roll,
    roll_system,
)
from bot.games.warzone.unit_actions import COMMAND_FORM, CheckCommandDistance
from bot.games.warzone.units import settings_of, squad_of
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.board.routes import BoardPath, gone, require_reach
from bot.table.encounter import Encounter, EncounterView
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from bot.table.steps import Chances, in_steps
from rules.effects import Count, Effect, Propose
from rules.refusals import Forbidden, refuse_typed
from rules.systems.warzone.command import must_return
from rules.systems.warzone.model import ACTIONS, SYSTEM_HITS, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import Bearing, Undertaken
from rules.systems.warzone.movement import (
    OPEN_GROUND,
    Between,
    Gait,
    Ground,
    Presence,
    after_move,
    change_presence,
    check_gap,
    check_turn,
    knock_prone,
    move_allowance,
)
from rules.systems.warzone.tables import Terrain
from rules.systems.warzone.vehicles import check_reverse, system_works


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move a model (one action).

    turn: degrees; obstacle: its height, -1 for none. bearing: seen from what frightened it. deep: the water
    is impassable. hidden: no enemy is in its line of sight. where: its way on the board.
    """

    command = "wz.move"
    typed = "wz move"
    asked_first = ("gait", "terrain")

    model: Model = who("Model that moves")
    where: BoardPath | None = measuring.way("model")
    terrain: frozenset[Terrain] = worst_ground_field(measures=measuring.walked("where", read_ground))
    gait: Gait = fields.one_of(
        "Move, crawl or climb", ("move", "crawl", "climb"), called="how", default="move"
    )
    bearing: Bearing = fear_direction_field()
    turn: int = fields.whole("Angle of the vehicle's turn (degrees)", 0, 360, default=0, fact=True)
    reverse: bool = fields.switch("The vehicle reverses")
    obstacle: float = fields.inches(
        "Height of the highest obstacle (inches)",
        0.0,
        200.0,
        default=-1.0,
        fact=True,
        measures=measuring.walked("where", find_highest_obstacle),
    )
    deep: bool = fields.switch("The water is impassable", fact=True)
    hidden: bool = no_enemy_seen_field()
    odds: bool = fields.odds("Show only the odds")
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class SetPresence(Action):
    """Stand up, minimize presence or go Prone.

    knocked: by an effect, without an action.
    """

    command = "wz.presence"
    typed = "wz presence"
    waits_for_dice = True

    model: Model = who()
    to: Presence = fields.one_of(
        "Stance", ("standing", "minimized", "prone"), needed=True, default="standing"
    )
    knocked: bool = fields.switch("Knocked Prone by an effect (no action)", fact=True)
    hidden: bool = no_enemy_seen_field()
    odds: bool = fields.odds("Show only the odds")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class ReadyMove:
    """A move that may be made. crossing: its action takes it just over the feature."""

    begin: DeedStart
    inches: float
    crossing: bool


@dataclass(frozen=True, slots=True)
class Driven:
    """The rolls of a damaged vehicle before it turned and moved, None if not needed."""

    turns: CountedRoll[bool] | None
    moves: CountedRoll[bool] | None


@in_steps(Move)
class Moving(MultiRollDeed[Move, ReadyMove, Driven]):
    """How far one action takes a model, with what must be rolled first.

    Rules: WZ-MOVE-01, WZ-MOVE-03, WZ-MOVE-04, WZ-TERR-01 to WZ-TERR-08, WZ-SYS-02, WZ-SYS-05, WZ-BREAK-03.
    """

    label = "Move"

    def prepare(self, act: ActView, action: Move) -> ReadyMove:
        """Work out how far the model may move. Raises InvalidInput, Forbidden."""
        model = action.model
        obstacle = action.obstacle if action.obstacle >= 0 else None
        ground = Ground(action.terrain, obstacle, action.deep)
        with act.overridable():
            _check_move(act, model, action)
        allowance = move_allowance(model, settings_for(act), ground, action.gait)
        if action.where is not None and not allowance.crossing:
            require_reach(act.encounter, action.where, allowance.inches, "WZ-MOVE-01")
        deed_start = begin(act, model, Deed.MOVE, bearing=action.bearing, hidden=action.hidden)
        return ReadyMove(deed_start, allowance.inches, allowance.crossing)

    def chances(self, act: ActView, action: Move, ready: ReadyMove) -> Chances:
        model, preconditions = ready.begin.model, ready.begin.hurdle
        systems_to_check: list[tuple[System, str]] = [("transmission", "moves")]
        if action.turn:
            systems_to_check.append(("steering", "turns"))
        system_odds = tuple(
            act.solve(system_works, system, model.count(SYSTEM_HITS.of(system)))
            for system, _ in systems_to_check
        )
        rows = [
            (outcome, odds.chance(bool))
            for (_, outcome), odds in zip(systems_to_check, system_odds, strict=True)
        ]
        title = f"{model.name} moves up to {ready.inches:g} in"
        lines = (title, *bars(rows), *preconditions.lines)
        return Chances(lines, "moves", rows[0][1], system_odds, not_yet=preconditions.not_yet)

    def rolls(self, act: Act, action: Move, ready: ReadyMove) -> Driven:
        model = ready.begin.model
        steering_roll = roll_system(act, model, "steering") if action.turn else None
        return Driven(steering_roll, roll_system(act, model, "transmission"))

    def done(self, telling: Telling, action: Move, ready: ReadyMove, result: Driven) -> None:
        act, model = telling.act, ready.begin.model
        if model.vehicle:
            end_contact(act.encounter, model)
        can_turn = report_system_roll(telling, model, "steering", result.turns)
        can_move = report_system_roll(telling, model, "transmission", result.moves)
        telling.lines += _describe_move(model, action, ready.inches, can_turn=can_turn, can_move=can_move)
        if can_move:
            telling.lines += _describe_ground(action)
        if action.where is not None and can_move:
            telling.lines += gone(act.encounter, action.where)
        if ready.crossing and can_move:
            telling.lines.append(f"This action takes {model.name} to just past the terrain.")
        if can_move or can_turn:
            telling.follow(after_move(model, action.gait))
        if state_of(model).out_of_command:
            squad, settings = squad_of(act.encounter, model.squad), settings_for(act)
            is_returning = must_return(model, squad, settings, commanded=False)
            duty_text = ", so it must move towards its leader" if is_returning else ""
            telling.next.append(f"{model.name} is out of command{duty_text}.")
            telling.buttons.append(build_command_distance_button(model))
        offer_reactions(telling, refresh(act, model), "move")
        telling.more = (Button("Again", act.canonical),)


def find_reach(encounter: EncounterView, model: Model, route: BoardPath | None) -> float | None:
    """Return how far one action takes a model along a route; None if it can't move so, or nothing limits it.

    Rules: WZ-MOVE-01, WZ-TERR-01 to WZ-TERR-07, WZ-BREAK-03.
    """
    if find_enemies_in_contact(encounter, model) and not model.vehicle:
        return None
    ground = OPEN_GROUND
    if route is not None:
        highest_obstacle = find_highest_obstacle(route).value
        ground = Ground(read_ground(route).value, highest_obstacle if highest_obstacle >= 0 else None)
    try:
        allowance = move_allowance(model, settings_of(encounter), ground)
    except Forbidden:
        return None
    climbed_inches = abs(route.climbed) if route is not None else 0.0
    return None if allowance.crossing else allowance.inches - climbed_inches


def _check_move(act: ActView, model: Model, action: Move) -> None:
    if find_enemies_in_contact(act.encounter, model) and not model.vehicle:
        raise Forbidden(f"{model.name} is in close combat and has to break away first.", "WZ-BREAK-03")
    check_turn(model, action.turn)
    refuse_typed(
        f'Leave "The vehicle reverses" off. {model.name} isn\'t a vehicle.',
        action.reverse and not model.vehicle,
    )
    if action.reverse:
        check_reverse(model)


def _describe_move(model: Model, action: Move, inches: float, *, can_turn: bool, can_move: bool) -> list[str]:
    verb = {"move": "moves", "crawl": "crawls", "climb": "climbs"}[action.gait]
    move_line = f"{model.name} {verb} up to {inches:g} in."
    if action.bearing == "away" and verb == "moves":
        move_line = f"{model.name} moves directly away from what broke its morale (up to {inches:g} in)."
    if not can_move:
        move_line = f"{model.name} doesn't move."
    if not action.turn:
        return [move_line]
    if can_turn:
        return [move_line, f"{model.name} turns up to {action.turn} degrees."]
    return [f"{model.name} can't turn.", move_line] if can_move else [f"{model.name} can't move or turn."]


def _describe_ground(action: Move) -> list[str]:
    """Describe the ground that was entered, for the opponent to check; open ground isn't mentioned."""
    kinds = " and ".join(sorted(action.terrain))
    crossed_features = [] if kinds == "normal" else [f"{kinds} terrain"]
    crossed_features += [f"an obstacle {action.obstacle:g} in high"] if action.obstacle >= 0 else []
    lines = [f"The move crosses {' and '.join(crossed_features)}."] if crossed_features else []
    return [*lines, *(["The vehicle moves backwards."] if action.reverse else [])]


@offers("flee")
def _offer_flee(act: Act, proposal: Propose) -> Button:
    return build_flee_button(act.encounter, find_model(act, proposal.model))


def build_flee_button(encounter: Encounter, model: Model) -> Button:
    """Return how a Broken model begins: straight away, or out of close combat first. Rules: WZ-BROKEN-01."""
    if find_enemies_in_contact(encounter, model) and not model.vehicle:
        return Button(f"{model.name} breaks away", BreakAway(model), "main", anytime=True)
    return Button(f"{model.name} flees", Move(model, bearing="away"), "main", anytime=True)


@offers("move")
def _offer_move(act: Act, proposal: Propose) -> Button | None:
    """A move that costs no action; others are told only. Rules: WZ-BREAK-01."""
    if dict(proposal.details).get("actions") != 0:
        return None
    model = find_model(act, proposal.model)
    allow_at_once(act, model, Deed.MOVE.value)
    return build_move_button(model)


def build_move_button(model: Model) -> Button:
    """Return a move at once."""
    return Button(f"{model.name} moves", Move(model), "main", anytime=True)


def build_command_distance_button(model: Model) -> Button:
    """Ask whether a model that was out of command still is."""
    return Button("Check command distance", CheckCommandDistance(model), anytime=True, form=COMMAND_FORM)


# ------------------------------------------------------------------------------------------- presence


@dataclass(frozen=True, slots=True)
class ReadyPresence:
    """A change of presence. effects: its effects."""

    begin: DeedStart
    effects: tuple[Effect, ...]


@in_steps(SetPresence)
class ChangingPresence(DeedWithoutRoll[SetPresence, ReadyPresence]):
    """Any presence into any other for one action; knocked prone for none.

    Rules: WZ-MOVE-02, WZ-PRES-01 to WZ-PRES-03.
    """

    def prepare(self, act: ActView, action: SetPresence) -> ReadyPresence:
        model = action.model
        deed = Deed.MINIMIZE if action.to == "minimized" else Deed.STAND
        if action.knocked:
            return ReadyPresence(DeedStart(model, deed, actions=0), knock_prone(model))
        effects = (
            change_presence(model, action.to) if action.to != "minimized" else _minimize_presence(act, model)
        )
        other_effects = tuple(
            effect for effect in effects if not (isinstance(effect, Count) and effect.key == ACTIONS)
        )
        return ReadyPresence(begin(act, model, deed, hidden=action.hidden), other_effects)

    def settle(
        self, act: Act, action: SetPresence, ready: ReadyPresence, outcome: Undertaken[bool]
    ) -> Telling:
        if not action.knocked:
            return super().settle(act, action, ready, outcome)
        telling = Telling(act, [f"{ready.begin.model.name} is knocked Prone."])
        telling.follow(ready.effects)
        return telling

    def done(self, telling: Telling, action: SetPresence, ready: ReadyPresence, result: bool) -> None:
        telling.follow(ready.effects)
        telling.lines.append(f"{ready.begin.model.name} {_PRESENCE_TEXTS[action.to]}")

    def tell(self, act: Act, action: SetPresence, ready: ReadyPresence, telling: Telling) -> Reply:
        return telling.reply() if action.knocked else super().tell(act, action, ready, telling)


def _minimize_presence(act: ActView, model: Model) -> tuple[Effect, ...]:
    return apply_rule(act, lambda mover, _: change_presence(mover, "minimized"), model)


_PRESENCE_TEXTS = {
    "standing": "stands up.",
    "minimized": "minimizes presence (-2 to shots at it).",
    "prone": "goes Prone (+4 to hit it, and it can't attack).",
}


@dataclass(frozen=True, slots=True)
class Gap(Action):
    """Check whether a model can pass through a gap.

    between: same_squad, friends or enemies; overlap: bases at the end.
    """

    command = "wz.gap"
    typed = "wz check gap"
    titled = "Check a gap"
    decision_of = ANYONE

    between: Between = fields.one_of(
        "Models beside the gap", ("same_squad", "friends", "enemies"), needed=True, default="friends"
    )
    inches: float = fields.inches(
        "Width of the gap (inches)", 0.0, 200.0, default=0.0, needed=True, checked=True
    )
    overlap: bool = fields.switch("Bases would overlap at the end of the move")


@handles(Gap)
def check_gap_width(act: Act, action: Gap) -> Reply:
    """Move through a gap. Rules: WZ-SPACE-01, WZ-SPACE-02, WZ-SPACE-04."""
    check_gap(action.between, action.inches, overlaps_at_end=action.overlap)
    words = "models of the same squad" if action.between == "same_squad" else action.between
    answer_text = f"A gap of {action.inches:g} in is wide enough to pass between {words}."
    return Reply((answer_text,), private=True)
