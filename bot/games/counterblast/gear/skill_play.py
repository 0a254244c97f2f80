"""Treatment and repair at the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from bot.games.counterblast.core.common import again as as_it_is
from bot.games.counterblast.core.fields import anybody, who
from bot.games.counterblast.core.narration import Telling, finish
from bot.games.counterblast.gear.tasks import wounded
from bot.games.counterblast.gear.teams import (
    OPEN,
    SkillAction,
    Team,
    check_price,
    relics_for,
    reminder,
    rolled,
    second_chance,
    skilled,
    team_dice,
    team_of,
    told_why,
    waits,
    work_chances,
)
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.encounter import GONE
from bot.table.steps import Chances, Weighed, in_steps
from rules.effects import Effect
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import CheckResult
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Skill
from rules.systems.counterblast.gear.skills import (
    NAMES,
    Job,
    Treatment,
    after_treatment,
    curable,
    may_still_act,
    treat,
)
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Treat(SkillAction):
    """Treat a living model.

    skill: Medicine, or Engineering for a machine.
    """

    command = "cb.treat"
    typed = "cb heal"
    said_first = ("worker", "patient", "helpers", "order", "odds")

    worker: Fighter = who("Who treats", called="model")
    patient: Fighter = anybody("Whom", names=wounded, needed=True, helps=True)

    def when_typed(self) -> Treat:
        """With Medicine."""
        return replace(self, skill="medicine")


@dataclass(frozen=True, slots=True)
class Repair(Treat):
    """Repair a machine."""

    command = "cb.repair"
    typed = "cb repair"

    skill: Skill | None = skilled(default="engineering")
    worker: Fighter = who("Who repairs", called="model")
    patient: Fighter = anybody("What", names=wounded, needed=True, helps=True)

    def when_typed(self) -> Treat:
        """A treatment with Engineering."""
        return Treat(
            self.worker, "engineering", self.order, self.helpers, odds=self.odds, patient=self.patient
        )


@dataclass(frozen=True, slots=True)
class ReadyTreatment:
    """A treatment that may be tried, and what it costs."""

    team: Team
    patient: Fighter
    skill: Skill
    due: tuple[Effect, ...] = ()


@in_steps(Treat, also=(Repair,))
class Treating(Weighed[Treat, ReadyTreatment]):
    """One check: each success gives 1 Life back, a critical failure harms."""

    def prepare(self, act: Act, action: Treat) -> ReadyTreatment:
        """Who has wounds that can be cured, and who does it. Raises InvalidInput, Forbidden."""
        patient, skill = action.patient, action.skill or "medicine"
        if not curable(patient):
            raise InvalidInput(f"{patient.name} has no wounds.")
        team = team_of(act, action, Job(skill, needed=curable(patient), patient=patient))
        asks = replace(action, skill=skill, odds=False)
        act.canonical = asks
        return ReadyTreatment(team, patient, skill, check_price(act, team, asks))

    def do(self, act: Act, action: Treat, ready: ReadyTreatment) -> Reply:
        """The check, which may be rolled again before a critical failure harms."""
        team, patient, skill = ready.team, ready.patient, ready.skill
        worker, asks = team.models[0], cast(Treat, act.canonical)
        label = "heal" if skill == "medicine" else "repair"
        result = rolled(act, team, asks, ready.due, label, patient.name)
        choice = second_chance(act, team, asks, result)
        telling = Telling(why=told_why(team, order=action.order, title=NAMES[skill]))
        if choice and result.net_ones:
            telling.lines += waits(worker, skill, result)
        else:
            _treated(act, telling, team, patient, result, skill)
            again = act.encounter.model(worker.id).counters.get(OPEN)
            telling.lines += waits(worker, skill, result) if again else []
            telling.lines += reminder(act, team, skill)
        more = relics_for(act, team, asks, result)
        dice = team_dice(team, order=action.order) if not action.stands else []
        return finish(act, telling, dice, *choice, *more)

    def chances(self, act: Act, action: Treat, ready: ReadyTreatment) -> Chances:
        """Life given back, or harm."""
        most = curable(ready.patient)
        odds = act.solve(treat, ready.team.throws(order=action.order), most)
        shown: list[tuple[str, float]] = [
            ("nothing", odds.chance(lambda got: not got.restored and not got.harmed))
        ]
        shown += [
            (f"{n} Life", odds.chance(lambda got, n=n: got.restored == n))  # type: ignore[misc]
            for n in range(1, min(most, 4) + 1)
        ]
        shown.append(("harm", odds.chance(lambda got: got.harmed > 0)))
        aim = ("Life back", odds.chance(lambda got: got.restored > 0))
        return work_chances(act, ready.team, action, ready.patient.name, shown, aim)


def _treated(
    act: Act, telling: Telling, team: Team, patient: Fighter, result: CheckResult, skill: Skill
) -> None:
    treatment = Treatment(min(curable(patient), result.net), result.net_ones)
    telling.follow(act, after_treatment(patient, treatment, skill))
    now = as_it_is(act, patient)
    verb = "treats" if skill == "medicine" else "repairs"
    head = f"{team.models[0].name} {verb} {patient.name}"
    left = f"{now.damage}/{now.profile.life} wounds"
    if treatment.harmed:
        telling.lines.append(f"{head}: {times(treatment.harmed, 'wound')} more.")
        gone = act.encounter.model(patient.id).status == GONE
        telling.lines.append(f"{patient.name} is removed from play." if gone else f"{patient.name}: {left}.")
        return
    if not treatment.restored:
        telling.lines.append(f"{head}: no success, {left}.")
        return
    telling.lines.append(f"{head}: {treatment.restored} Life back, {left}.")
    if patient.is_down:
        when = "at its crew's next draw" if may_still_act(now) else "again next turn"
        telling.lines.append(f"{patient.name} is up and may act {when}.")
