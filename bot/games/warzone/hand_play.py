"""Rolls on a chart that the table asks for by hand, carried through as when they come of themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from bot.actions import Action
from bot.games.warzone.attacks import fate, system_lines
from bot.games.warzone.chart_play import Rampage, rampage
from bot.games.warzone.common import named, own, settings
from bot.games.warzone.telling import AT_ONCE, Telling
from bot.games.warzone.units import is_gone, model_of
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from rules.effects import Propose
from rules.refusals import InvalidInput
from rules.systems.warzone.charts import roll_chart, row_of
from rules.systems.warzone.tables import ChartKey, charts
from rules.systems.warzone.vehicles import after_hull, after_passenger, hull_of, passenger, system_failure

CHARTS = ("unhinged", "amok", "backlash", "rampage", "wreck", "passenger", "system")


@dataclass(frozen=True, slots=True)
class RollChart(Action):
    """Roll on a chart, with all that follows.

    magnitude: of the power, for backlash; summoner: for rampage.
    """

    command = "wz.chart"
    typed = "wz chart"
    titled = "Roll on a chart"

    chart: str = fields.word_of(
        "Which", ("unhinged", "amok", "backlash", "rampage", "wreck", "passenger", "system"), needed=True
    )
    model: str = fields.words("For whom", offering.any_model, needed=True)
    magnitude: int = fields.whole("Of the power (backlash)", 0, 40, default=0)
    summoner: str = fields.words("Whose it is (rampage)", offering.any_model)
    odds: bool = fields.odds("Only the chances")


def _chances(act: Act, action: RollChart) -> Reply:
    """The chance of every row of a chart."""
    key = cast(ChartKey, "system_failure" if action.chart == "system" else action.chart)
    model = named(act, action.model, gone=True)
    act.canonical = replace(action, model=f"#{model.id}", odds=False)
    odds = act.solve(roll_chart, key)
    each = odds.each()
    rows = [(row.name, each.get(row.key, 0.0)) for row in charts()[key]]
    return Reply(
        (f"{model.name} on the chart: {action.chart}", *bars(rows), act.exactness, "Nothing is rolled."),
        private=True,
        buttons=(Button("Roll", act.canonical, "main"),),
    )


@handles(RollChart)
def roll_by_hand(act: Act, action: RollChart) -> Reply:
    """One roll with all that follows. Rules: WZ-AMOK-02, WZ-UNH-02, WZ-BACK-02, WZ-WRECK-01, WZ-SYS-01."""
    if action.chart not in CHARTS:
        raise InvalidInput(f"The charts are {', '.join(CHARTS)}.")
    if action.odds:
        return _chances(act, action)
    if action.chart == "rampage":
        return rampage(act, Rampage(action.model, action.summoner))
    if not 0 <= action.magnitude <= 40:
        raise InvalidInput("A magnitude is 0 to 40.")
    telling = Telling(act)
    if action.chart == "wreck":
        row = act.encounter.find_model(action.model, gone=True)
        act.require_player()
        if not is_gone(row):
            raise InvalidInput(f"{row.name} is no wreck.")
        act.canonical = replace(action, model=f"#{row.id}")
        AT_ONCE["wreck"](telling, Propose("wreck", row.id, ""))
        return telling.reply()
    model = own(act, action.model)
    act.canonical = replace(action, model=f"#{model.id}")
    if action.chart == "passenger":
        key = act.roll(Whose(model.name, "roll", "on the passenger chart"), passenger)
        telling.lines.append(f"{model.name}: {row_of('passenger', key).name.lower()}.")
        telling.thrown()
        telling.follow(after_passenger(model, key))
    elif action.chart == "system":
        _system(telling, model.id)
    else:
        details = (("magnitude", action.magnitude), ("squad", model.squad))
        AT_ONCE[action.chart](telling, Propose(action.chart, model.id, "", details))
    return telling.reply()


def _system(telling: Telling, number: int) -> None:
    """A failure rolled outright: a wound and a system. Rules: WZ-VEH-02, WZ-SYS-01, WZ-SYS-08."""
    act = telling.act
    vehicle = model_of(act.encounter, act.encounter.model(number))
    if not vehicle.vehicle:
        raise InvalidInput(f"{vehicle.name} is no vehicle.")
    whose = Whose(vehicle.name, "roll", "on the system failure chart")
    key = act.roll(whose, roll_chart, "system_failure")
    same = settings(act).chain_reroll == "same_margin"
    hull = act.roll(whose, system_failure, hull_of(vehicle), key, same)
    telling.lines.append(f"{vehicle.name}: {fate(vehicle, vehicle.wounds_left - hull.wounds)}.")
    telling.lines += system_lines(vehicle, hull)
    telling.thrown()
    telling.follow(after_hull(vehicle, hull))
