"""Summoned models that rampage: the roll on the chart, its result, and being dominated."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.core.common import settings
from bot.games.warzone.core.fields import anybody, who
from bot.games.warzone.core.telling import Telling
from bot.games.warzone.core.throwing import Throwing
from bot.games.warzone.core.units import ACTIVATED, is_gone, read_turn, squad_of
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, in_steps
from rules.counters import CounterName
from rules.dice import Dice
from rules.refusals import InvalidInput, forbid
from rules.systems.warzone.model import ACTIONS, LOST_ACTIONS, Condition, Model
from rules.systems.warzone.powers import after_rampage, dominate, rampage_due, roll_chart, row_of
from rules.systems.warzone.tables import ChartKey, charts

DOMINATED = CounterName("dominated")
"""Counter of a model: its summoner dominates it in this turn."""


@dataclass(frozen=True, slots=True)
class Rampage(Action):
    """A summoned model rolls on the rampage table."""

    command = "wz.rampage"

    model: Model = who()
    summoner: Model | None = anybody("Whose it is", gone=True)


@dataclass(frozen=True, slots=True)
class Dominate(Action):
    """The summoner dominates his model."""

    command = "wz.dominate"
    typed = "wz state dominate"
    titled = "Dominate"

    model: Model = who("Whom")


def chart_chances(act: Act, title: str, key: ChartKey) -> Chances:
    """The chance of every row of a chart."""
    odds = act.solve(roll_chart, key)
    each = odds.each()
    rows = [(row.name, each.get(row.key, 0.0)) for row in charts()[key]]
    return Chances((title, *bars(rows)), rows[0][0], rows[0][1], (odds,))


@dataclass(frozen=True, slots=True)
class ReadyRampage:
    """A model that must roll. summoner: the one who summoned it, while he is in play."""

    model: Model
    summoner: Model | None


@in_steps(Rampage)
class Rampaging(Throwing[Rampage, ReadyRampage, str]):
    """The roll and its result; what ends at once is offered. Rules: WZ-RAMP-01, WZ-RAMP-02."""

    def prepare(self, act: Act, action: Rampage) -> ReadyRampage:
        """Who rampages, and whose it is. Raises InvalidInput, Forbidden."""
        model, summoner = action.model, action.summoner
        if summoner is not None and summoner.id == model.id:
            raise InvalidInput(f"{model.name} did not summon itself.")
        with act.overridable():
            rampage_due(model, settings(act), dominated=bool(model.count(DOMINATED)))
        alive = summoner is not None and not is_gone(act.encounter.model(summoner.id))
        return ReadyRampage(model, summoner if alive else None)

    def whose(self, action: Rampage, ready: ReadyRampage) -> Whose:
        """The model's own."""
        return Whose(ready.model.name, "roll", "on the rampage chart")

    def rule(self, dice: Dice, ready: ReadyRampage) -> str:
        """One roll on the chart."""
        return roll_chart(dice, "rampage")

    def settle(self, act: Act, action: Rampage, ready: ReadyRampage, outcome: str) -> Telling:
        """What it does now."""
        telling, model, summoner = Telling(act), ready.model, ready.summoner
        row = row_of("rampage", outcome)
        telling.lines.append(f"{model.name} rampages: {row.name}.")
        telling.thrown()
        if outcome == "turns_on_summoner" and summoner is None:
            telling.next.append("Its summoner is gone: it is blinded.")
            row = row_of("rampage", "blinded")
        telling.next.append(row.says)
        telling.follow(after_rampage(model, outcome, summoner.id if summoner else None))
        if outcome == "lash_out" or (outcome == "turns_on_summoner" and summoner is not None):
            _use_up(act, model)
        return telling

    def chances(self, act: Act, action: Rampage, ready: ReadyRampage) -> Chances:
        """Of every row."""
        return chart_chances(act, f"{ready.model.name} rampages", "rampage")


def _use_up(act: Act, model: Model) -> None:
    """The model's activation of this turn is used up by the rampage. Rules: WZ-RAMP-02."""
    encounter, squad = act.encounter, squad_of(act.encounter, model.squad)
    encounter.model(model.id).counters.pop(ACTIONS, None)
    turn = read_turn(encounter)
    if squad.id in turn.active or squad.id not in turn.left(squad.side):
        return
    if len(squad.models) == 1:
        encounter.side(squad.side).counters[ACTIVATED.of(squad.id)] = 1
    else:
        encounter.model(model.id).counters[LOST_ACTIONS] = model.profile.ac


@handles(Dominate)
def dominated(act: Act, action: Dominate) -> Reply:
    """The summoner dominates the model in this turn, where that changes anything.

    Rules: WZ-RAMP-01, WZ-RAMP-02.
    """
    model = action.model
    rolls = settings(act).rampage_trigger == "no_domination"
    if not rolls and not model.has(Condition.WRACKED):
        forbid(f"{model.name} is not wracked by its rampage: domination ends nothing.", "WZ-RAMP-01")
    act.encounter.model(model.id).counters[DOMINATED] = 1
    telling = Telling(act)
    telling.follow(dominate(model))
    telling.lines.append(f"{model.name} is dominated this turn.")
    return telling.reply()
