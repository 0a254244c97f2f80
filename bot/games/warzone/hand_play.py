"""Rolls on a chart that the table asks for by hand, carried through as when they come of themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from bot.actions import Action
from bot.games.warzone.attacks import fate, system_lines
from bot.games.warzone.common import own, settings
from bot.games.warzone.rampage_play import Rampage, Rampaging, ReadyRampage, chart_chances
from bot.games.warzone.telling import AT_ONCE, Telling
from bot.games.warzone.throwing import Offered
from bot.games.warzone.units import is_gone, model_of
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, in_steps
from rules.effects import Propose
from rules.refusals import InvalidInput
from rules.systems.warzone.charts import roll_chart, row_of
from rules.systems.warzone.tables import ChartKey
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


@dataclass(frozen=True, slots=True)
class ReadyChart:
    """A roll by hand that may be made. model: whom it concerns; rampage: what that chart needs."""

    model: int
    name: str
    rampage: ReadyRampage | None = None


@in_steps(RollChart)
class RollingChart(Offered[RollChart, ReadyChart]):
    """One roll with all that follows; each chart rolls as when it comes of itself.

    Rules: WZ-AMOK-02, WZ-UNH-02, WZ-BACK-02, WZ-WRECK-01, WZ-SYS-01.
    """

    def prepare(self, act: Act, action: RollChart) -> ReadyChart:
        """Which chart, and for whom. Raises InvalidInput, Forbidden."""
        if action.chart not in CHARTS:
            raise InvalidInput(f"The charts are {', '.join(CHARTS)}.")
        if not 0 <= action.magnitude <= 40:
            raise InvalidInput("A magnitude is 0 to 40.")
        row = act.encounter.find_model(
            action.model, user=act.actor.user_id, gone=action.chart == "wreck" or act.looks
        )
        ready = None
        if act.looks:
            pass
        elif action.chart == "rampage":
            ready = Rampaging().prepare(act, Rampage(action.model, action.summoner))
        elif action.chart == "wreck":
            act.require_player()
            if not is_gone(row):
                raise InvalidInput(f"{row.name} is no wreck.")
        elif action.chart == "system" and not own(act, action.model).vehicle:
            raise InvalidInput(f"{row.name} is no vehicle.")
        else:
            own(act, action.model)
        act.canonical = replace(action, model=f"#{row.id}", odds=False)
        return ReadyChart(row.id, row.name, ready)

    def chances(self, act: Act, action: RollChart, ready: ReadyChart) -> Chances:
        """The chance of every row of a chart."""
        key = cast(ChartKey, "system_failure" if action.chart == "system" else action.chart)
        return chart_chances(act, f"{ready.name} on the chart: {action.chart}", key)

    def do(self, act: Act, action: RollChart, ready: ReadyChart) -> Reply:
        """Rolled and carried through."""
        telling = Telling(act)
        if ready.rampage is not None:
            return Rampaging().do(act, Rampage(action.model, action.summoner), ready.rampage)
        if action.chart == "passenger":
            _passenger(telling, ready.model)
        elif action.chart == "system":
            _system(telling, ready.model)
        else:
            squad = 0 if action.chart == "wreck" else own(act, action.model).squad
            details = (("magnitude", action.magnitude), ("squad", squad))
            AT_ONCE[action.chart](telling, Propose(action.chart, ready.model, "", details))
        return telling.reply()


def _passenger(telling: Telling, number: int) -> None:
    """What becomes of somebody in a wreck. Rules: WZ-WRECK-03."""
    model = model_of(telling.act.encounter, telling.act.encounter.model(number))
    key = telling.act.roll(Whose(model.name, "roll", "on the passenger chart"), passenger)
    telling.lines.append(f"{model.name}: {row_of('passenger', key).name.lower()}.")
    telling.thrown()
    telling.follow(after_passenger(model, key))


def _system(telling: Telling, number: int) -> None:
    """A failure rolled outright: a wound and a system. Rules: WZ-VEH-02, WZ-SYS-01, WZ-SYS-08."""
    act = telling.act
    vehicle = model_of(act.encounter, act.encounter.model(number))
    whose = Whose(vehicle.name, "roll", "on the system failure chart")
    key = act.roll(whose, roll_chart, "system_failure")
    same = settings(act).chain_reroll == "same_margin"
    hull = act.roll(whose, system_failure, hull_of(vehicle), key, same)
    telling.lines.append(f"{vehicle.name}: {fate(vehicle, vehicle.wounds_left - hull.wounds)}.")
    telling.lines += system_lines(vehicle, hull)
    telling.thrown()
    telling.follow(after_hull(vehicle, hull))
