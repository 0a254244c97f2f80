"""Rolls on a chart that the table asks for by hand, carried through as when they come of themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone.core.attacks import fate, system_lines
from bot.games.warzone.core.common import settings
from bot.games.warzone.core.fields import anybody
from bot.games.warzone.core.telling import AT_ONCE, Telling
from bot.games.warzone.core.throwing import Offered
from bot.games.warzone.core.units import is_gone
from bot.games.warzone.nerves.rampage_play import Rampage, Rampaging, ReadyRampage, chart_chances
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.owners import in_play
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, in_steps
from rules.effects import Propose
from rules.refusals import InvalidInput
from rules.systems.warzone.model import Model
from rules.systems.warzone.powers import roll_chart, row_of
from rules.systems.warzone.tables import ChartKey
from rules.systems.warzone.vehicles import after_hull, after_passenger, hull_of, passenger, system_failure

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
    """Roll on a chart, with all that follows.

    magnitude: of the power, for backlash; summoner: for rampage.
    """

    command = "wz.chart"
    typed = "wz chart"
    titled = "Roll on a chart"
    decision_of = in_play("the player of the model; any player for a wreck")

    chart: ChartKey = fields.one_of("Which", CHARTS, needed=True)
    model: Model = anybody("For whom", gone=True, needed=True)
    magnitude: int = fields.whole("Of the power (backlash)", 0, 40, default=0, checked=True, fact=True)
    summoner: Model | None = anybody("Whose it is (rampage)", gone=True)
    odds: bool = fields.odds("Only the chances")


@dataclass(frozen=True, slots=True)
class ReadyChart:
    """A roll by hand that may be made. model: whom it concerns; rampage: what that chart needs.

    not_yet: why it cannot be rolled just now, where only its chances are asked.
    """

    model: Model
    not_yet: tuple[str, ...]
    rampage: ReadyRampage | None = None


@in_steps(RollChart)
class RollingChart(Offered[RollChart, ReadyChart]):
    """One roll with all that follows; each chart rolls as when it comes of itself.

    Rules: WZ-AMOK-02, WZ-UNH-02, WZ-BACK-02, WZ-WRECK-01, WZ-SYS-01.
    """

    def prepare(self, act: Act, action: RollChart) -> ReadyChart:
        """Which chart, and for whom. Raises InvalidInput, Forbidden."""
        not_yet = _check_chart(act, action)
        rampages = action.chart == "rampage"
        ready = Rampaging().prepare(act, _rampage(action)) if rampages else None
        return ReadyChart(action.model, not_yet, ready)

    def chances(self, act: Act, action: RollChart, ready: ReadyChart) -> Chances:
        """The chance of every row of a chart."""
        words = next(word for word, key in CHARTS.items() if key == action.chart)
        found = chart_chances(act, f"{ready.model.name} on the chart: {words}", action.chart)
        return replace(found, not_yet=ready.not_yet)

    def do(self, act: Act, action: RollChart, ready: ReadyChart) -> Reply:
        """Rolled and carried through."""
        telling, model = Telling(act), ready.model
        if ready.rampage is not None:
            return Rampaging().do(act, _rampage(action), ready.rampage)
        if action.chart == "passenger":
            _passenger(telling, model)
        elif action.chart == "system_failure":
            _system(telling, model)
        else:
            details = (("magnitude", action.magnitude), ("squad", model.squad))
            AT_ONCE[action.chart](telling, Propose(action.chart, model.id, "", details))
        return telling.reply()


def _check_chart(act: Act, action: RollChart) -> tuple[str, ...]:
    """A wreck is rolled for by any player, anything else by who plays the model; why not yet, for chances.

    Raises InvalidInput, NotAllowed.
    """
    model, row = action.model, act.encounter.model(action.model.id)
    if action.chart == "wreck":
        if act.looks:
            return () if is_gone(row) else (f"Not now: {model.name} is no wreck.",)
        act.require_player()
        if not is_gone(row):
            raise InvalidInput(f"{model.name} is no wreck.")
        return ()
    if not act.looks:
        act.require_model(row)
    if is_gone(row):
        raise InvalidInput(f"{model.name} is out of play ({row.left_how}).")
    if action.chart == "system_failure" and not model.vehicle:
        raise InvalidInput(f"{model.name} is no vehicle.")
    return ()


def _rampage(action: RollChart) -> Rampage:
    return Rampage(action.model, action.summoner)


def _passenger(telling: Telling, model: Model) -> None:
    """What becomes of somebody in a wreck. Rules: WZ-WRECK-03."""
    key = telling.act.roll(Whose(model.name, "roll", "on the passenger chart"), passenger)
    telling.lines.append(f"{model.name}: {row_of('passenger', key).name.lower()}.")
    telling.thrown()
    telling.follow(after_passenger(model, key))


def _system(telling: Telling, vehicle: Model) -> None:
    """A failure rolled outright: a wound and a system. Rules: WZ-VEH-02, WZ-SYS-01, WZ-SYS-08."""
    act = telling.act
    whose = Whose(vehicle.name, "roll", "on the system failure chart")
    key = act.roll(whose, roll_chart, "system_failure")
    same = settings(act).chain_reroll == "same_margin"
    hull = act.roll(whose, system_failure, hull_of(vehicle), key, same)
    telling.lines.append(f"{vehicle.name}: {fate(vehicle, vehicle.wounds_left - hull.wounds)}.")
    telling.lines += system_lines(vehicle, hull)
    telling.thrown()
    telling.follow(after_hull(vehicle, hull))
