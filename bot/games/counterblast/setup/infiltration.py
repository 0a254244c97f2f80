"""Infiltrators: set up far forward, in reserve and called in; and those made by scouting."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.common import again, carry_through, fighter_of, settings, token_price
from bot.games.counterblast.core.crews import exclude_partners
from bot.games.counterblast.core.fields import lost_model, order, several_by_number, who
from bot.games.counterblast.core.narration import (
    ReadyCheck,
    Telling,
    Throwing,
    finish,
    model_choices,
    pass_chances,
)
from bot.games.counterblast.core.wording import dice_words, why_check
from bot.games.counterblast.state.missions import RESERVE, find_mission
from bot.games.counterblast.state.models import fighters
from bot.games.counterblast.state.table_state import ModelState, SideState
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import GONE, GONE_IN_TURN, IN_PLAY
from bot.table.handlers import handles
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Gain, Leave
from rules.refusals import Forbidden, InvalidInput, Missing, forbid, is_allowed
from rules.systems.counterblast.building.crew import find_leader
from rules.systems.counterblast.core.checks import roll_one_success
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.fighter import BORROWED_FEATURE, Condition, Fighter
from rules.systems.counterblast.missions.missions import require_escort_set_up
from rules.systems.counterblast.missions.setup import (
    ENTRY_TURN,
    in_default_zone,
    prepare_entry,
    require_in_zone,
    require_infiltrator_spot,
    start_on_overwatch,
)
from rules.systems.counterblast.turn.activation import group_limit, needs_activation, start_activation
from rules.wording import times

FAR = 999.0


@dataclass(frozen=True, slots=True)
class SetUpSpot(Action):
    """Check whether you can set up a model at a spot.

    Distances in inches, -1 where there is nothing to measure to.
    """

    command = "cb.spot.check"
    typed = "game spot"
    titled = "Check a spot"

    model: Fighter = who()
    inside: bool = fields.switch("The spot is in your deployment zone")
    zone: float = fields.inches("Distance to the enemy deployment zone (inches)", default=-1.0)
    enemy: float = fields.inches("Distance to the nearest enemy (inches)", default=-1.0)
    objective: float = fields.inches("Distance to the nearest objective (inches)", default=-1.0)
    middle: float = fields.inches("Distance to the middle of your table edge (inches)", default=-1.0)
    corner: float = fields.inches("Distance to your Escort corner (inches)", default=-1.0)


@dataclass(frozen=True, slots=True)
class Watch(Action):
    """Start an Infiltrator on Overwatch."""

    command = "cb.watch"
    typed = "game watch"
    titled = "Start on Overwatch"

    model: Fighter = who()


@dataclass(frozen=True, slots=True)
class Scout(Action):
    """Make a model an Infiltrator through scouting.

    For this encounter.
    """

    command = "cb.scout"
    typed = "game scout"
    titled = "Scout"

    model: Fighter = who()


@dataclass(frozen=True, slots=True)
class Placed(Action):
    """Infiltrators wait in reserve, or start on Overwatch."""

    command = "cb.placed"

    models: tuple[Fighter, ...] = several_by_number(mine=True)
    watch: bool = False


@dataclass(frozen=True, slots=True)
class Reserve(Action):
    """Put an Infiltrator into reserve."""

    command = "cb.reserve"
    typed = "game reserve"
    titled = "Keep in reserve"

    model: Fighter = who()


@dataclass(frozen=True, slots=True)
class CallIn(Action):
    """Call a model in from reserve.

    Its leader does, with a check.
    """

    command = "cb.call"
    typed = "game call"
    titled = "Call in from reserve"

    model: Fighter = lost_model("Model in reserve", mine=True, needed=True)
    order: bool = order()
    odds: bool = fields.odds()


def infiltrator_menus(act: Act) -> tuple[Menu, ...]:
    """Return menus for reserve, for starting on Overwatch, and for making Infiltrators by scouting."""
    models = fighters(act.encounter)
    infiltrators = [model for model in models if model.has_feature("infiltrator")]
    scouting_sides = {side.id for side in act.encounter.sides() if SideState(side).scouted_infiltrators}
    menus = []
    if infiltrators:
        choices = model_choices(infiltrators)
        reserve_action, watch_action = Placed(), Placed(watch=True)
        for prompt, action in (
            ("Infiltrators to keep in reserve", reserve_action),
            ("Infiltrators to start on Overwatch", watch_action),
        ):
            menus.append(Menu(prompt, action, "models", choices, 1, len(choices), anytime=True))
    candidates = [model for model in models if model.side in scouting_sides and model not in infiltrators]
    if candidates:
        candidate_choices = tuple(Choice(model.name, reference_by_number(model.id)) for model in candidates)
        menus.append(
            Menu(
                "Model that becomes an Infiltrator by scouting",
                Scout(),
                "model",
                candidate_choices,
                anytime=True,
            )
        )
    return tuple(menus)


@handles(Scout)
def scout(act: Act, action: Scout) -> Reply:
    """Make a model an Infiltrator, once for each scouting benefit. Rules: CB-MISS-33, CB-SETUP-10."""
    model, side = action.model, act.encounter.side(action.model.side)
    if not SideState(side).scouted_infiltrators:
        raise Forbidden(
            f"{side.name} has no scouting benefit left, so it can't make a model an Infiltrator.",
            "CB-MISS-33",
        )
    if model.has_feature("infiltrator"):
        raise InvalidInput(f"{model.name} is already an Infiltrator.")
    if act.encounter.row.turn:
        forbid("You can make a model an Infiltrator only before the game begins.", "CB-MISS-33")
    SideState(side).scouted_infiltrators -= 1
    carry_through(act, [Gain(model.id, BORROWED_FEATURE.of("infiltrator"), source="scouting")])
    return finish(act, Telling([f"{model.name} is an Infiltrator for this game."]))


@handles(Placed)
def placed(act: Act, action: Placed) -> Reply:
    """Put each model into reserve, or start it on Overwatch."""
    if not action.models:
        raise Missing("Choose at least one model.")
    lines: list[str] = []
    for model in action.models:
        reply = watch(act, Watch(model)) if action.watch else reserve(act, Reserve(model))
        lines += reply.lines
    return finish(act, Telling(list(dict.fromkeys(lines))))


@handles(SetUpSpot)
def spot(act: Act, action: SetUpSpot) -> Reply:
    """Check that a regular model is in its zone, or an Infiltrator more than 8 in from what it must avoid."""
    model = action.model
    is_infiltrator = model.has_feature("infiltrator")
    with act.overridable():
        inside = _is_inside_zone(act, model, action)
        require_in_zone(inside, infiltrator=is_infiltrator)
        if not inside:
            distances = (action.zone, action.enemy, action.objective)
            require_infiltrator_spot(*(FAR if inches < 0 else inches for inches in distances))
    return Reply((f"You can set up {model.name} at this spot.",), private=True)


def _is_inside_zone(act: Act, model: Fighter, action: SetUpSpot) -> bool:
    """Return whether the spot is in the crew's zone: as entered, by distance, or in an Escort corner.

    Raises Forbidden. Rules: CB-SETUP-07, CB-MISS-12.
    """
    mission = find_mission(act.encounter, model.side)
    if mission is None or mission.key != "escort":
        return action.inside or (action.middle >= 0 and in_default_zone(action.middle))
    if action.corner < 0:
        return action.inside
    if model.has_feature("infiltrator"):
        return is_allowed(require_escort_set_up, action.corner)
    require_escort_set_up(action.corner)
    return True


@handles(Watch)
def watch(act: Act, action: Watch) -> Reply:
    """Start a model on Overwatch, before the first turn."""
    model = action.model
    if act.encounter.row.turn:
        forbid("You can choose who starts on Overwatch only before the game begins.", "CB-FEAT-31")
    carry_through(act, start_on_overwatch(model))
    return finish(act, Telling([f"{model.name} starts on Overwatch."]))


@handles(Reserve)
def reserve(act: Act, action: Reserve) -> Reply:
    """Put a model in reserve until its leader calls it in."""
    model = action.model
    if act.encounter.row.turn:
        forbid("You can put a model into reserve only before the game begins.", "CB-FEAT-32")
    if not model.has_feature("infiltrator"):
        forbid(f"{model.name} is not an Infiltrator, so it can't wait in reserve.", "CB-SETUP-10")
    carry_through(act, [Leave(model.id, RESERVE)])
    act.encounter.model(model.id).counters.pop(GONE_IN_TURN, None)
    return finish(
        act,
        Telling(
            [
                f"{model.name} waits in reserve.",
                "From turn 2, you can call models in from reserve with /game call.",
            ]
        ),
    )


@dataclass(frozen=True, slots=True)
class ReadyCall(ReadyCheck):
    """A check by which a leader calls a model in. leader: its number; who: its name."""

    leader: int = 0
    who: str = ""


@in_steps(CallIn)
class CallingIn(Throwing[CallIn, ReadyCall, bool]):
    """The leader's INT at 5; on a failure again next turn."""

    def prepare(self, act: ActView, action: CallIn) -> ReadyCall:
        encounter, model = act.encounter, action.model
        row = encounter.model(model.id)
        if row.status != GONE or row.left_how != RESERVE:
            raise InvalidInput(f"{row.name} is not in reserve, so it can't be called in.")
        leader = find_leader(model.side, fighters(encounter))
        if leader is None:
            raise Forbidden(f"The crew has no leader to call {row.name} in.", "CB-FEAT-32")
        turn = encounter.row.turn
        prepared = prepare_entry(model, leader, turn, order_token=action.order, settings=settings(act))
        if ModelState(row).called_turn == turn:
            forbid(
                f"You have already tried to call in {model.name} this turn. Try again next turn.",
                "CB-FEAT-32",
            )
        _require_allowance(act, leader)
        effects = token_price(act, model, spent=action.order)
        return ReadyCall(prepared, effects, leader.id, leader.name)

    def whose(self, action: CallIn, ready: ReadyCall) -> Whose:
        return Whose(ready.who, "INT check", f"to call in {action.model.name}")

    def rule(self, dice: Dice, ready: ReadyCall) -> bool:
        return roll_one_success(dice, (ready.prepared.throw,), "reserve")

    def settle(self, act: Act, action: CallIn, ready: ReadyCall, outcome: bool) -> Telling:
        row, leader = act.encounter.model(action.model.id), fighter_of(act, ready.leader)
        ModelState(row).called_turn = act.encounter.row.turn
        carry_through(act, (*ready.due, *end_conditions(leader, Event.INT_CHECKED)))
        telling = Telling(
            why=why_check(ready.prepared, f"{ready.who} tries to call in {row.name}"),
            dice=[dice_words(ready.prepared, "INT")],
        )
        if outcome:
            row.status, row.left_how = IN_PLAY, ""
            telling.lines.append(f"{row.name} can enter from any table edge.")
            _activate_with_leader(act, telling, action.model, leader)
        else:
            telling.lines += [
                f"{row.name} doesn't arrive.",
                f"It still counts as one of the models that {leader.name} activates.",
            ]
        return telling

    def chances(self, act: ActView, action: CallIn, ready: ReadyCall) -> Chances:
        odds = act.solve(roll_one_success, (ready.prepared.throw,))
        return pass_chances(action.model.name, "enters", odds, dice_words(ready.prepared, "INT"))


def _require_allowance(act: ActView, leader: Fighter) -> None:
    """Count every try as one of the models that an active leader directs. Rules: CB-FEAT-32, CB-ACT-04."""
    if not leader.has(Condition.ACTIVE):
        return
    turn, rules = act.encounter.row.turn, settings(act)
    attempted_rows = [
        row for row in act.encounter.models(leader.side, gone=True) if ModelState(row).called_turn == turn
    ]
    called_ids = {row.id for row in attempted_rows}
    crew = fighters(act.encounter, leader.side)
    directed_models = [
        fighter
        for fighter in crew
        if fighter.has(Condition.ACTIVE) and fighter.id not in called_ids | {leader.id}
    ]
    limit = group_limit(leader, settings=rules)
    if len(called_ids) + len(exclude_partners((leader, *directed_models))) - 1 >= limit:
        forbid(
            f"{leader.name} can direct up to {times(limit, 'model')}, including any called in from reserve.",
            "CB-FEAT-32",
        )


def _activate_with_leader(act: Act, telling: Telling, model: Fighter, leader: Fighter) -> None:
    """Activate a model that was called in during its leader's activation. Rules: CB-FEAT-32."""
    arriving_model = again(act, model)
    if leader.has(Condition.ACTIVE) and needs_activation(arriving_model):
        carry_through(act, start_activation(arriving_model))
        telling.lines.append(f"{arriving_model.name} acts with {leader.name}.")


def reserve_buttons(act: Act, active_models: tuple[Fighter, ...]) -> tuple[Button, ...]:
    """Return a button for each model in reserve whose leader is among those who act. Rules: CB-FEAT-32."""
    encounter = act.encounter
    sides_with_active_leader = {model.side for model in active_models if model.leader}
    if encounter.row.turn < ENTRY_TURN:
        return ()
    reserve_rows = [
        row
        for side in sorted(sides_with_active_leader)
        for row in encounter.models(side, gone=True)
        if row.status == GONE
        and row.left_how == RESERVE
        and ModelState(row).called_turn != encounter.row.turn
    ]
    return tuple(
        Button(f"Call in {row.name}", CallIn(reference_by_number(row.id)), anytime=True)
        for row in reserve_rows
    )
