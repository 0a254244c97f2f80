"""Rolls on a chart by hand, rampages of summoned models, and models in the area of a Dire effect."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone.attacks import describe_broken_systems, fate
from bot.games.warzone.common import CARRIED_OUT_AT_ONCE, Telling, settings_for
from bot.games.warzone.fields import any_model_field, model_list_field, who
from bot.games.warzone.state import model_state, side_state, state_of
from bot.games.warzone.steps import Throwing, WarzoneWeighed
from bot.games.warzone.units import is_gone, read_turn, squad_of
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import either_side_of, in_play
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Gain, Lose, Propose
from rules.refusals import InvalidInput, Missing, forbid
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.powers import after_domination, after_rampage, check_rampage, find_row, roll_chart
from rules.systems.warzone.tables import ChartKey, charts
from rules.systems.warzone.vehicles import after_hull, after_passenger, hull_of, passenger, system_failure


@dataclass(frozen=True, slots=True)
class Rampage(Action):
    """A summoned model rolls on the rampage table."""

    command = "wz.rampage"

    model: Model = who()
    summoner: Model | None = any_model_field("Summoner", gone=True)


@dataclass(frozen=True, slots=True)
class Dominate(Action):
    """Have a summoner dominate its summoned model."""

    command = "wz.dominate"
    typed = "wz state dominate"
    titled = "Dominate"
    waits_for_dice = True

    model: Model = who("Summoned model")


def solve_chart(act: ActView, title: str, key: ChartKey) -> Chances:
    """Return the chance of every row of a chart."""
    odds = act.solve(roll_chart, key)
    row_chances = odds.each()
    rows = [(row.name, row_chances.get(row.key, 0.0)) for row in charts()[key]]
    return Chances((title, *bars(rows)), rows[0][0], rows[0][1], (odds,))


@dataclass(frozen=True, slots=True)
class ReadyRampage:
    """A model that must roll. summoner: the one who summoned it, while he is in play."""

    model: Model
    summoner: Model | None


@in_steps(Rampage)
class Rampaging(Throwing[Rampage, ReadyRampage, str]):
    """Roll on the rampage table, and apply the result. Rules: WZ-RAMP-01, WZ-RAMP-02."""

    def prepare(self, act: ActView, action: Rampage) -> ReadyRampage:
        model, summoner = action.model, action.summoner
        if summoner is not None and summoner.id == model.id:
            raise InvalidInput(f"Choose the model that summoned {model.name}. A model can't summon itself.")
        with act.overridable():
            check_rampage(model, settings_for(act), dominated=bool(state_of(model).dominated))
        is_summoner_in_play = summoner is not None and not is_gone(act.encounter.model(summoner.id))
        return ReadyRampage(model, summoner if is_summoner_in_play else None)

    def whose(self, action: Rampage, ready: ReadyRampage) -> Whose:
        return Whose(ready.model.name, "roll", "on the rampage table")

    def rule(self, dice: Dice, ready: ReadyRampage) -> str:
        return roll_chart(dice, "rampage")

    def settle(self, act: Act, action: Rampage, ready: ReadyRampage, outcome: str) -> Telling:
        telling, model, summoner = Telling(act), ready.model, ready.summoner
        chart_row = find_row("rampage", outcome)
        telling.lines.append(f"{model.name} rampages: {chart_row.name}.")
        telling.thrown()
        if outcome == "turns_on_summoner" and summoner is None:
            telling.next.append(f"{model.name} is blinded instead, because it has no summoner in play.")
            chart_row = find_row("rampage", "blinded")
        telling.next.append(chart_row.says)
        telling.follow(after_rampage(model, outcome, summoner.id if summoner else None))
        if outcome == "lash_out" or (outcome == "turns_on_summoner" and summoner is not None):
            _use_up_activation(act, model)
        return telling

    def chances(self, act: ActView, action: Rampage, ready: ReadyRampage) -> Chances:
        return solve_chart(act, f"{ready.model.name} rampages", "rampage")


def _use_up_activation(act: Act, model: Model) -> None:
    """Use up the model's activation of this turn. Rules: WZ-RAMP-02."""
    encounter, squad = act.encounter, squad_of(act.encounter, model.squad)
    model_state(encounter, model.id).actions = 0
    turn = read_turn(encounter)
    if squad.id in turn.active or squad.id not in turn.left(squad.side):
        return
    if len(squad.models) == 1:
        side_state(encounter, squad.side).activated[squad.id] = 1
    else:
        model_state(encounter, model.id).lost_actions = model.profile.ac


@handles(Dominate)
def dominated(act: Act, action: Dominate) -> Reply:
    """Note that the summoner dominates the model in this turn.

    Rules: WZ-RAMP-01, WZ-RAMP-02.
    """
    model = action.model
    is_always_allowed = settings_for(act).rampage_trigger == "no_domination"
    if not is_always_allowed and not model.has(Condition.WRACKED):
        forbid(f"Choose a wracked model. {model.name} isn't wracked.", "WZ-RAMP-01")
    model_state(act.encounter, model.id).dominated = True
    telling = Telling(act)
    telling.follow(after_domination(model))
    telling.lines.append(f"{model.name} is dominated until the end of the turn.")
    return telling.reply()


CHARTS: dict[str, ChartKey] = {
    "unhinged": "unhinged",
    "amok": "amok",
    "backlash": "backlash",
    "rampage": "rampage",
    "wreck": "wreck",
    "passenger": "passenger",
    "system": "system_failure",
}


@dataclass(frozen=True, slots=True)
class RollChart(Action):
    """Roll on a chart and apply the result.

    magnitude: of the power, for backlash; summoner: for rampage.
    """

    command = "wz.chart"
    typed = "wz chart"
    titled = "Roll on a chart"
    waits_for_dice = True
    decision_of = in_play("the model's player; for a wreck, any player")

    chart: ChartKey = fields.one_of("Chart to roll on", CHARTS, needed=True)
    model: Model = any_model_field("Model", gone=True, needed=True)
    magnitude: int = fields.whole(
        "Magnitude of the power (only for backlash)", 0, 40, default=0, checked=True, fact=True
    )
    summoner: Model | None = any_model_field("Summoner (only for rampage)", gone=True)
    odds: bool = fields.odds("Show only the odds")


@dataclass(frozen=True, slots=True)
class ReadyChart:
    """A roll by hand that may be made. model: its subject; rampage: data for that chart.

    not_yet: why it cannot be rolled just now, where only its chances are asked.
    """

    model: Model
    not_yet: tuple[str, ...]
    rampage: ReadyRampage | None = None


@in_steps(RollChart)
class RollingChart(WarzoneWeighed[RollChart, ReadyChart]):
    """Roll on a chart by hand, with all that follows from it.

    Rules: WZ-AMOK-02, WZ-UNH-02, WZ-BACK-02, WZ-WRECK-01, WZ-SYS-01.
    """

    def prepare(self, act: ActView, action: RollChart) -> ReadyChart:
        not_yet = _check_chart(act, action)
        is_rampage = action.chart == "rampage"
        rampage_ready = Rampaging().prepare(act, _build_rampage(action)) if is_rampage else None
        return ReadyChart(action.model, not_yet, rampage_ready)

    def chances(self, act: ActView, action: RollChart, ready: ReadyChart) -> Chances:
        chart_name = action.chart.replace("_", " ").capitalize()
        chances = solve_chart(act, f"{chart_name} chart for {ready.model.name}", action.chart)
        return replace(chances, not_yet=ready.not_yet)

    def do(self, act: Act, action: RollChart, ready: ReadyChart) -> Reply:
        telling, model = Telling(act), ready.model
        if ready.rampage is not None:
            return Rampaging().do(act, _build_rampage(action), ready.rampage)
        if action.chart == "passenger":
            _roll_passenger(telling, model)
        elif action.chart == "system_failure":
            _roll_system_failure(telling, model)
        else:
            details = (("magnitude", action.magnitude), ("squad", model.squad))
            CARRIED_OUT_AT_ONCE[action.chart](telling, Propose(action.chart, model.id, "", details))
        return telling.reply()


def _check_chart(act: ActView, action: RollChart) -> tuple[str, ...]:
    """Refuse a model that the chart isn't for, or another player's; return why not yet, if it is for odds.

    Raises InvalidInput, NotAllowed.
    """
    model, row = action.model, act.encounter.model(action.model.id)
    if action.chart == "wreck":
        if act.action.looks:
            not_yet = f"You can't roll on this chart yet, because {model.name} isn't a wreck."
            return () if is_gone(row) else (not_yet,)
        act.require_player()
        if not is_gone(row):
            raise InvalidInput(f"Choose a wreck. {model.name} isn't one.")
        return ()
    if not act.action.looks:
        act.require_model(row)
    if is_gone(row):
        raise InvalidInput(f"Choose a model in play. {model.name} is out of play ({row.left_how}).")
    if action.chart == "system_failure" and not model.vehicle:
        raise InvalidInput(f"Choose a vehicle. {model.name} isn't one.")
    return ()


def _build_rampage(action: RollChart) -> Rampage:
    return Rampage(action.model, action.summoner)


def _roll_passenger(telling: Telling, model: Model) -> None:
    """Describe what happens to a passenger of a wreck. Rules: WZ-WRECK-03."""
    key = telling.act.roll(Whose(model.name, "roll", "on the passenger chart"), passenger)
    telling.lines.append(f"{model.name}: {find_row('passenger', key).name.lower()}.")
    telling.thrown()
    telling.follow(after_passenger(model, key))


def _roll_system_failure(telling: Telling, vehicle: Model) -> None:
    """Roll a system failure and its wound, and apply them. Rules: WZ-VEH-02, WZ-SYS-01, WZ-SYS-08."""
    act = telling.act
    cast = Whose(vehicle.name, "roll", "on the system failure chart")
    key = act.roll(cast, roll_chart, "system_failure")
    same_margin = settings_for(act).chain_reroll == "same_margin"
    hull = act.roll(cast, system_failure, hull_of(vehicle), key, same_margin)
    telling.lines.append(f"{vehicle.name}: {fate(vehicle, vehicle.wounds_left - hull.wounds)}.")
    telling.lines += describe_broken_systems(vehicle, hull)
    telling.thrown()
    telling.follow(after_hull(vehicle, hull))


@dataclass(frozen=True, slots=True)
class InDire(Action):
    """Set which models are under a Dire effect (it lowers their LD).

    level 0: they no longer are.
    """

    command = "wz.dire"
    typed = "wz state dire"
    titled = "Dire effect"
    waits_for_dice = True
    decision_of = either_side_of("models")

    models: tuple[Model, ...] = model_list_field("Models, separated by commas", needed=True)
    level: int = fields.whole(
        "Level of the Dire effect (0 ends it)", 0, 10, default=0, needed=True, checked=True
    )


@handles(InDire)
def in_dire(act: Act, action: InDire) -> Reply:
    """Set or end the Dire effect on models. Rules: WZ-RALLY-06, WZ-TEST-06, WZ-SPOT-05."""
    models = action.models
    if not models:
        raise Missing("Enter the models in the Dire area, separated by commas.")
    names = ", ".join(model.name for model in models)
    if not action.level:
        act.encounter.apply(Lose(model.id, Condition.IN_DIRE) for model in models)
        return Reply((f"No longer in a Dire area: {names}.",), buttons=(UNDO,))
    act.encounter.apply(
        Gain(model.id, Condition.IN_DIRE, action.level, "entered by hand") for model in models
    )
    return Reply((f"Now in a Dire {action.level} area: {names}.",), buttons=(UNDO,))
