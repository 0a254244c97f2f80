"""Skill checks at the table: who makes them together, what they cost, a failed one rolled again.

A Hero of a crew with the right Specialty may roll a failed check again, once a game; a critical failure waits
for that choice and does nothing until it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from bot.actions import Action
from bot.games.counterblast.core.checks import describe_outcome
from bot.games.counterblast.core.common import carry_through, price, require_plannable, settings, token_price
from bot.games.counterblast.core.fields import helping, order, who
from bot.games.counterblast.core.narration import house_rule
from bot.games.counterblast.core.relics import list_relic_buttons
from bot.games.counterblast.core.wording import cast_together, dice_words, why_check
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.chances import bars, percent
from bot.replies.reply import Button
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.steps import Chances
from rules.effects import Effect
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import REROLL_SPECIALTIES, may_reroll, use_reroll
from rules.systems.counterblast.building.crew import SPECIALTY_NAMES as SPECIALTIES
from rules.systems.counterblast.core.checks import CheckResult, PreparedCheck, Throw
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import teamwork
from rules.systems.counterblast.core.profile import Skill
from rules.systems.counterblast.gear.salvage import after_check
from rules.systems.counterblast.gear.skills import NAMES, Job, prepare_job, skill_check
from rules.systems.counterblast.turn.activation import pair_modifier
from rules.wording import possessive

SKILLS: tuple[Skill, ...] = ("technology", "engineering", "medicine")


def skill_field(about: str = "", *, default: Skill | None = None) -> Any:
    """Return a field for the skill. about: "" if only the command itself says it."""
    return fields.one_of(about, SKILLS, default=default)


@dataclass(frozen=True, slots=True)
class SkillAction(Action):
    """The fields of every skill check. helpers: of the same group. again: repeats a failed check;
    stands: net 1s of a critical failure that is not rolled again.
    """

    worker: Fighter = who()
    skill: Skill | None = skill_field()
    order: bool = order()
    helpers: tuple[Fighter, ...] = helping("Helpers, separated by commas", called="team")
    again: bool = False
    stands: int = 0
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class Team:
    """Models at one check: their dice, without and with an order token."""

    models: tuple[Fighter, ...]
    plain: tuple[PreparedCheck, ...]
    ordered: tuple[PreparedCheck, ...]

    def throws(self, *, order: bool) -> tuple[Throw, ...]:
        """Return the dice of all."""
        return tuple(prepared.throw for prepared in (self.ordered if order else self.plain))


def build_team(act: ActView, action: SkillAction, job: Job) -> Team:
    """Return the worker and who helps it, each with its own dice. Rules: CB-ACT-08, CB-ACT-09, CB-FEAT-09."""
    models = (action.worker, *action.helpers)
    if len({model.id for model in models}) < len(models):
        raise InvalidInput("Name each model only once.")
    bonus = teamwork(len(models))
    rules = settings(act)
    has_gear = any(name == job.skill for model in models for gear in model.gear for name, _ in gear.checks)
    job = replace(job, has_item=has_gear)
    extra_modifiers = [(*bonus, *pair_modifier(model, models)) for model in models]
    unordered, ordered = (
        tuple(
            prepare_job(model, job, modifiers=modifiers, order_token=order, settings=rules)
            for model, modifiers in zip(models, extra_modifiers, strict=True)
        )
        for order in (False, True)
    )
    return Team(models, unordered, ordered)


def check_price(act: ActView, team: Team, action: SkillAction) -> tuple[Effect, ...]:
    """Return the price of a check: each model's action, and a token; for a re-roll its Specialty.

    Raises InvalidInput for one that is settled or must be settled first, and Forbidden.
    """
    worker = team.models[0]
    if act.action.looks:
        for model in team.models:
            require_plannable(act, model, "skill")
        return token_price(act, worker, spent=action.order)
    failed = ModelState(act.encounter.model(worker.id)).failed_check
    if action.again or action.stands:
        if not failed or (action.stands and failed != 1 + action.stands):
            raise InvalidInput("That check has already been resolved. Nothing was changed.")
        return tuple(use_reroll(worker, cast(Skill, action.skill))) if action.again else ()
    if failed > 1:
        raise InvalidInput("Resolve the critical failure first. Roll again, or keep that result.")
    costs = [
        cost for fighter in team.models for cost in price(act, fighter, "skill", joint=len(team.models) > 1)
    ]
    return (*costs, *token_price(act, worker, spent=action.order))


def roll_check(
    act: Act, team: Team, action: SkillAction, due: Sequence[Effect], label: str, against: str
) -> CheckResult:
    """Return the check: paid for and rolled, or let stand as it fell, or spoiled by Identify.

    due: see `check_price`. label, against: what is done and to what, told to who throws. Rules: CB-PSI-15.
    """
    ModelState(act.encounter.model(team.models[0].id)).failed_check = 0
    carry_through(act, due)
    if action.stands:
        return CheckResult(-action.stands)
    if any(model.count(Counter.SPOILED) for model in team.models):
        return CheckResult(-1)
    throws = team.throws(order=action.order)
    skill = NAMES[action.skill] if action.skill else "skill"
    names = [model.name for model in team.models]
    reroll_note = " (re-roll)" if action.again else ""
    rollers = cast_together(f"{skill} check", f"to {label} {against}{reroll_note}", throws, names)
    result = act.roll(rollers, skill_check, throws, label=label)
    for model in team.models:
        carry_through(act, end_conditions(model, Event.INT_CHECKED))
        carry_through(act, after_check(model, action.skill or ""))
    return result


def relics_for(act: Act, team: Team, action: SkillAction, result: CheckResult) -> tuple[Button, ...]:
    """Return relics that help the worker after this check; [] after a re-roll. Rules: CB-RELIC-05,
    CB-RELIC-07.
    """
    if action.again or action.stands:
        return ()
    return list_relic_buttons(act, team.models[0], failed=not result.net, critical=result.critical_failure)


def build_reroll_buttons(
    act: Act, team: Team, action: SkillAction, result: CheckResult
) -> tuple[Button, ...]:
    """Return buttons to re-roll a failed check, if possible; a critical failure waits for the choice."""
    skill = cast(Skill, action.skill)
    if result.net or action.again or action.stands or not may_reroll(team.models[0], skill):
        return ()
    ModelState(act.encounter.model(team.models[0].id)).failed_check = 1 + result.net_ones
    buttons = [Button("Roll again", replace(action, again=True), "main", anytime=True)]
    if result.net_ones:
        kept_result = replace(action, stands=result.net_ones)
        buttons.append(Button("Keep this result", kept_result, anytime=True))
    return tuple(buttons)


def describe_reroll(worker: Fighter, skill: str, result: CheckResult) -> list[str]:
    """Return what is told while a failed check may be rolled again."""
    name = SPECIALTIES[REROLL_SPECIALTIES[skill][0]]
    outcome_line = f"{worker.name}: {describe_outcome(result)}." if result.net_ones else ""
    return [line for line in (outcome_line, f"{name} lets you roll again (once per game).") if line]


def explain_checks(team: Team, *, order: bool, title: str) -> list[str]:
    """Return everything that made the check, model by model."""
    prepared = team.ordered if order else team.plain
    pairs = zip(team.models, prepared, strict=True)
    return [
        line
        for model, prepared in pairs
        for line in why_check(prepared, f"{possessive(model.name)} {title} check")
    ]


def team_dice(team: Team, *, order: bool) -> list[str]:
    """Return the team's dice as a player reads them."""
    return [dice_words(prepared, "INT") for prepared in (team.ordered if order else team.plain)]


def list_gear_reminders(act: Act, team: Team, skill: str, *, lock: bool = False) -> list[str]:
    """Return reminders about gear for the skill. Rules: CB-SKILL-02, CB-GEAR-32."""
    has_suitable_gear = lock and any(model.has_gear("electronic_lockpick") for model in team.models)
    has_suitable_gear |= any(
        name == skill for model in team.models for gear in model.gear for name, _ in gear.checks
    )
    lines = house_rule(act, "skill_needs_gear")
    return (
        lines if has_suitable_gear else [*lines, f"Reminder: no model on the team has {NAMES[skill]} gear."]
    )


def work_chances(
    act: ActView,
    team: Team,
    action: SkillAction,
    about: str,
    shown: Sequence[tuple[str, float]],
    aim: tuple[str, float],
) -> Chances:
    """Return a team's chances. about: what it is for. shown: what it may come to, each with its chance;
    aim: what is hoped for, likewise.
    """
    reroll_lines = _reroll_odds(act, team, action)
    lines = (
        f"{team.models[0].name} -> {about}",
        *team_dice(team, order=action.order),
        *bars(shown),
        *reroll_lines,
    )
    return Chances(lines, *aim, solved=tuple(act.told))


def _reroll_odds(act: ActView, team: Team, action: SkillAction) -> list[str]:
    if not may_reroll(team.models[0], cast(Skill, action.skill)):
        return []
    throws = team.throws(order=action.order)
    chance = act.solve(skill_check, throws, again=True).chance(lambda result: result.net > 0)
    return [f"Chance of success with the re-roll: {percent(chance).strip()}"]
