"""Machines that run amok: the table's roll, and a squad's reboot with its new leader."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone.core.acting import next_menu
from bot.games.warzone.core.common import REGROUPS, in_order, model_at
from bot.games.warzone.core.fields import several_by_number
from bot.games.warzone.core.telling import Telling, at_once, offers
from bot.games.warzone.core.throwing import Throwing
from bot.games.warzone.core.units import squad_of
from bot.games.warzone.core.words import narrow, sum_lines
from bot.replies.chances import bars
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.owners import in_play
from bot.table.rolling.throws import Cast, Whose, counted
from bot.table.steps import Chances, in_steps
from rules.dice import Dice
from rules.effects import Propose
from rules.refusals import Forbidden
from rules.systems.warzone.command import own_distance
from rules.systems.warzone.model import Condition, Model, Squad
from rules.systems.warzone.powers import (
    after_amok,
    after_reboot,
    after_regrouping,
    reboot,
    reboot_limit,
    reboot_modifiers,
    roll_chart,
    row_of,
)


@dataclass(frozen=True, slots=True)
class Reboot(Action):
    """A squad in System Reboot tests, one model after another."""

    command = "wz.reboot"
    decision_of = in_play("the players of the squad")

    squad: int = 0


@dataclass(frozen=True, slots=True)
class Regroup(Action):
    """Who stands within the command distance of the model that passed. nobody: no one does."""

    command = "wz.regroup"
    decision_of = in_play("the players of the squad")

    squad: int = 0
    within: tuple[Model, ...] = several_by_number()


@at_once("amok")
def _amok(telling: Telling, proposal: Propose) -> None:
    act, details = telling.act, dict(proposal.details)
    squad = squad_of(act.encounter, int(details["squad"]))
    alone = int(details.get("alone", 0))
    who = model_at(act, alone).name if alone else squad.name
    key = act.roll(Whose(who, "roll", "on the amok table"), roll_chart, "amok")
    row = row_of("amok", key)
    telling.lines.append(f"{who} on the amok table: {row.name}.")
    telling.thrown()
    telling.next.append(row.says)
    telling.follow(after_amok(squad, key, alone))


@offers("reboot")
def _offer_reboot(act: Act, proposal: Propose) -> Button:
    return reboot_button(squad_of(act.encounter, model_at(act, proposal.model).squad))


def reboot_button(squad: Squad) -> Button:
    """What a squad in System Reboot begins with."""
    return Button(f"{squad.name} reboots", Reboot(squad.id), "main")


def _rebooting(act: Act, number: int) -> tuple[Squad, tuple[Model, ...]]:
    """The squad and those of it that reboot. Raises NotAllowed, Forbidden."""
    squad = squad_of(act.encounter, number)
    act.require_side(squad.side)
    models = tuple(model for model in squad.models if model.has(Condition.REBOOTED))
    if not models:
        raise Forbidden(f"{squad.name} does not reboot.", "WZ-AMOK-04")
    return squad, models


@dataclass(frozen=True, slots=True)
class ReadyReboot:
    """A squad that may reboot. limits: of each model's LD test."""

    squad: Squad
    models: tuple[Model, ...]
    limits: tuple[int, ...]


@in_steps(Reboot)
class Rebooting(Throwing[Reboot, ReadyReboot, int]):
    """One after another tests LD less its A.I. level. Rules: WZ-AMOK-04, WZ-AMOK-05."""

    def prepare(self, act: Act, action: Reboot) -> ReadyReboot:
        """Who of the squad reboots. Raises NotAllowed, Forbidden."""
        squad, models = _rebooting(act, action.squad)
        if any(model.has(Condition.LEADING) for model in squad.models):
            raise Forbidden(f"{squad.name} has rebooted.", "WZ-AMOK-05")
        return ReadyReboot(squad, models, tuple(reboot_limit(each, enemy_in_sight=True) for each in models))

    def whose(self, action: Reboot, ready: ReadyReboot) -> Cast:
        """Each one's test."""
        both = zip(ready.models, ready.limits, strict=True)
        return counted(*(Whose(m.name, "LD test", f"to reboot, {n} or less") for m, n in both))

    def rule(self, dice: Dice, ready: ReadyReboot) -> int:
        """Until one passes."""
        return reboot(dice, ready.limits)

    def settle(self, act: Act, action: Reboot, ready: ReadyReboot, outcome: int) -> Telling:
        """The first who passed leads."""
        telling, squad, models = Telling(act), ready.squad, ready.models
        telling.lines.append(
            f"{models[outcome].name} reboots {squad.name} and leads."
            if outcome >= 0
            else f"Nobody of {squad.name} reboots."
        )
        telling.thrown(", ".join(f"{m.name} {n} or less" for m, n in zip(models, ready.limits, strict=True)))
        for model in models:
            parts = reboot_modifiers(model, enemy_in_sight=True)
            telling.why += [model.name, *sum_lines("LD", model.profile.ld, parts)]
        telling.follow(after_reboot(models, outcome))
        others = tuple(model for place, model in enumerate(models) if place != outcome)
        if outcome < 0 or not others:
            return telling
        leader = models[outcome]
        act.encounter.model(leader.id).counters[REGROUPS] = 1
        now = squad_of(act.encounter, squad.id)
        telling.ask(*who_regroups(now, now.leading or leader))
        return telling

    def tell(self, act: Act, action: Reboot, ready: ReadyReboot, told: Telling) -> Reply:
        """With the question who is in command."""
        return told.reply()

    def chances(self, act: Act, action: Reboot, ready: ReadyReboot) -> Chances:
        """Whether any of them reboots it."""
        odds = act.solve(self.rule, ready)
        passed = odds.chance(lambda place: place >= 0)
        rows = bars([("reboots", passed), ("nobody", 1 - passed)])
        return Chances((f"{ready.squad.name} reboots", *rows), "reboots", passed, (odds,))


def who_regroups(squad: Squad, leader: Model) -> tuple[Menu, Button]:
    """Who of a squad stands near the model that has rebooted it, or nobody. Rules: WZ-AMOK-05."""
    others = [model for model in squad.models if model.has(Condition.REBOOTED)][:25]
    choices = tuple(Choice(model.name, str(model.id)) for model in others)
    prompt = f"Who is within {own_distance(leader)} in of {leader.name}?"
    menu = Menu(prompt, Regroup(squad.id), "within", choices, 1, len(choices), anytime=True)
    return menu, Button("Nobody", Regroup(squad.id), anytime=True)


@handles(Regroup)
def regrouping(act: Act, action: Regroup) -> Reply:
    """Who is in command of the new leader goes on with one action. Rules: WZ-AMOK-05."""
    squad, models = _rebooting(act, action.squad)
    leader = squad.leading
    if leader is None or not leader.has(Condition.LEADING):
        raise Forbidden(f"Nobody of {squad.name} has rebooted it yet.", "WZ-AMOK-05")
    near = in_order(*(model for model in action.within if model in models))
    act.canonical = replace(action, within=near)
    within = frozenset(model.id for model in near)
    act.encounter.model(leader.id).counters.pop(REGROUPS, None)
    telling = Telling(act)
    names = [model.name for model in models if model.id in within]
    telling.lines += narrow([f"In command of {leader.name}: {', '.join(names) or 'nobody else'}."])
    telling.lines += ["Each of them has 1 action."] if names else []
    telling.follow(after_regrouping(leader, models, within))
    telling.menus += next_menu(act.encounter)
    return telling.reply()
