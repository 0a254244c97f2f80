"""Unhinged models and machines that run amok: the charts, and their targets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action, reference_by_number
from bot.games.warzone.activation import build_next_menu, note_deed
from bot.games.warzone.close_combat_actions import Fighting, build_plain_strike
from bot.games.warzone.common import (
    ANY_ATTACK_GRANT,
    Telling,
    allow_at_once,
    carries_out,
    carry_through,
    check_can_act,
    find_grant,
    find_model,
    offers,
    put_in_contact,
    refresh,
    roll_on_chart,
    settings_for,
    sort_by_id,
)
from bot.games.warzone.fields import Reach, models_by_id_field, reach_field, target_field, who
from bot.games.warzone.narration import describe_sum
from bot.games.warzone.shooting_actions import Shooting
from bot.games.warzone.shots import Shoot
from bot.games.warzone.state import model_state, state_of
from bot.games.warzone.steps import Throwing
from bot.games.warzone.units import first_weapon, squad_of
from bot.replies.chances import bars, percent
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form
from bot.table.act import Act, ActView
from bot.table.handlers import handles
from bot.table.owners import in_play
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Cast, Whose, counted
from rules.dice import Dice
from rules.effects import Count, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.command import rank_distance
from rules.systems.warzone.model import ACTIONS, Condition, Model, Squad
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.powers import (
    DERANGED_ARC,
    after_amok,
    after_finding_nobody,
    after_reboot,
    after_regrouping,
    after_unhinged,
    reboot,
    reboot_limit,
    reboot_modifiers,
)
from rules.systems.warzone.templates import DIRECTIONS, Deviation, direction
from rules.wording import possessive

ATTACK_FORM = form(
    "wz.attack",
    "Target and distance (0 if in contact)",
    Blank("target", "Target"),
    Blank("distance", "Distance", default="0", longest=8),
)


@dataclass(frozen=True, slots=True)
class Attack(Action):
    """An attack that a chart makes a model do: with its main weapon, at any distance."""

    command = "wz.attack"

    attacker: Model = who("Model that attacks")
    target: Model = target_field("Enemy", needed=True)
    distance: Reach = reach_field("Distance", unsaid="0")


@dataclass(frozen=True, slots=True)
class Derangement(Action):
    """Roll a direction first for a deranged model's attack."""

    command = "wz.deranged"

    model: Model = who()


@dataclass(frozen=True, slots=True)
class NobodyThere(Action):
    """Enter that no one is where a deranged model would attack, so the action is lost."""

    command = "wz.nobody"

    model: Model = who()


@carries_out("unhinged")
def _unhinged(telling: Telling, proposal: Propose) -> None:
    model = find_model(telling.act, proposal.model)
    cast = Whose(model.name, "roll", "on the Unhinged chart")
    key = roll_on_chart(telling, "unhinged", cast, f"{model.name} is Unhinged: ")
    telling.follow(after_unhinged(model, key))


@offers("derangement")
def _offer_derangement(act: Act, proposal: Propose) -> Button:
    return direction_button(find_model(act, proposal.model))


def direction_button(model: Model) -> Button:
    """Return the button with which a deranged model begins."""
    return Button(f"Roll {possessive(model.name)} direction", Derangement(model), "main")


def nobody_button(model: Model) -> Button:
    """Return the button for a deranged model that finds no one."""
    return Button("No model in that direction", NobodyThere(model), anytime=True)


@dataclass(frozen=True, slots=True)
class ReadyDirection:
    """The model that turns, and the number of sides of its die."""

    model: Model
    sides: int


@in_steps(Derangement)
class Deranging(Throwing[Derangement, ReadyDirection, Deviation]):
    """The direction of this activation's mad attack. Rules: WZ-UNH-05, WZ-DEV-01."""

    def prepare(self, act: ActView, action: Derangement) -> ReadyDirection:
        model = action.model
        if not model.has(Condition.DERANGED):
            raise Forbidden(f"Choose a deranged model. {model.name} isn't deranged.", "WZ-UNH-05")
        check_can_act(act, model, Deed.FIGHT)
        if state_of(model).direction_rolled:
            raise Forbidden(f"Attack now. {model.name} has already rolled its direction.", "WZ-UNH-05")
        return ReadyDirection(model, DIRECTIONS[settings_for(act).deviation_direction])

    def whose(self, action: Derangement, ready: ReadyDirection) -> Whose:
        return Whose(ready.model.name, "deranged attack", "(direction)")

    def rule(self, dice: Dice, ready: ReadyDirection) -> Deviation:
        return direction(dice, ready.sides)

    def settle(self, act: Act, action: Derangement, ready: ReadyDirection, outcome: Deviation) -> Telling:
        telling, model = Telling(act), ready.model
        allow_at_once(act, model, ANY_ATTACK_GRANT)
        model_state(act.encounter, model.id).direction_rolled = True
        way = str(outcome).removeprefix("0 in away, ").replace("at ", "to ")
        telling.lines.append(f"{model.name} turns {way}.")
        telling.thrown()
        arc = f"within {DERANGED_ARC // 2} degrees of that direction"
        telling.next.append(f"{model.name} must attack the nearest model of another squad {arc}.")
        return telling

    def tell(self, act: Act, action: Derangement, ready: ReadyDirection, telling: Telling) -> Reply:
        return telling.reply(attack_button(ready.model), nobody_button(ready.model))

    def chances(self, act: ActView, action: Derangement, ready: ReadyDirection) -> Chances:
        odds = act.solve(self.rule, ready)
        share = percent(1 / ready.sides).strip()
        line = f"{ready.model.name} turns in one of {ready.sides} directions ({share} each)"
        return Chances((line,), "any single direction", 1 / ready.sides, (odds,))


@handles(NobodyThere)
def nobody_there(act: Act, action: NobodyThere) -> Reply:
    """Lose the action. Rules: WZ-UNH-05."""
    model = action.model
    word = find_grant(model, Deed.FIGHT)
    if not model.has(Condition.DERANGED) or not word:
        raise Forbidden(
            f"This button no longer applies, because {model.name} isn't looking for a target.", "WZ-UNH-05"
        )
    model_state(act.encounter, model.id).grants[word] = 0
    telling = Telling(act)
    telling.follow(after_finding_nobody(model))
    telling.note(note_deed(act.encounter, model))
    telling.lines.append(f"{model.name} finds no target and loses the action.")
    return telling.closing(model)


@handles(Attack)
def forced_attack(act: Act, action: Attack) -> Reply:
    """Attack with the main weapon: shoot at a distance, or strike in contact. Rules: WZ-UNH-05, WZ-RAMP-01.

    A derangement's attack costs an action, but no nerve is needed for what it must do.
    """
    attacker, target, inches = action.attacker, action.target, action.distance.inches
    close = [weapon for weapon in attacker.profile.weapons if weapon.has("close")]
    if inches > 0 and len(close) == len(attacker.profile.weapons):
        raise InvalidInput(
            f"{attacker.name} has no ranged weapon. If it is in contact, enter 0 as the distance."
        )
    if attacker.has(Condition.DERANGED) and find_grant(attacker, Deed.FIGHT):
        if target.squad == attacker.squad:
            raise Forbidden(
                f"Choose a model from another squad. {target.name} is in the same squad.", "WZ-UNH-05"
            )
        carry_through(act, [Count("model", attacker.id, ACTIONS, -1)])
        note_deed(act.encounter, attacker)
    if inches > 0:
        gun = first_weapon(attacker, close=False)
        shot = act.canonical = Shoot(refresh(act, attacker), target, action.distance, weapon=gun)
        return Shooting().do(act, shot, Shooting().prepare(act, shot))
    if not state_of(attacker).contacts[target.id]:
        put_in_contact(act, attacker, target)
    strike = act.canonical = build_plain_strike(refresh(act, attacker), refresh(act, target))
    return Fighting().do(act, strike, Fighting().prepare(act, strike))


@offers("attack_nearest_friend")
def _offer_friend(act: Act, proposal: Propose) -> Button:
    return _offer_attack(act, proposal, 1)


@offers("attack_nearest")
def _offer_nearest(act: Act, proposal: Propose) -> Button:
    return _offer_attack(act, proposal, 1)


@offers("attack")
def _offer_forced(act: Act, proposal: Propose) -> Button:
    details = dict(proposal.details)
    model = find_model(act, proposal.model)
    return _offer_attack(act, proposal, model.profile.ac if details.get("all_actions") else 1)


def _offer_attack(act: Act, proposal: Propose, attacks: int) -> Button:
    model = find_model(act, proposal.model)
    target = int(dict(proposal.details).get("target", 0))
    allow_at_once(act, model, ANY_ATTACK_GRANT, attacks, target=target)
    return attack_button(model, target)


def attack_button(model: Model, target: int = 0) -> Button:
    """Return the button for an immediate attack. target: the number of its target, or 0 if open."""
    action = Attack(model, reference_by_number(target)) if target else Attack(model)
    return Button(f"{model.name} attacks...", action, "main", anytime=True, form=ATTACK_FORM)


@dataclass(frozen=True, slots=True)
class Reboot(Action):
    """A squad in System Reboot tests, one model after another."""

    command = "wz.reboot"
    decision_of = in_play("the players of the squad")

    squad: int = 0


@dataclass(frozen=True, slots=True)
class Regroup(Action):
    """Enter who is within the command distance of the model that passed. nobody: no one is."""

    command = "wz.regroup"
    decision_of = in_play("the players of the squad")

    squad: int = 0
    within: tuple[Model, ...] = models_by_id_field()


@carries_out("amok")
def _amok(telling: Telling, proposal: Propose) -> None:
    act, details = telling.act, dict(proposal.details)
    squad = squad_of(act.encounter, int(details["squad"]))
    lone_model = int(details.get("alone", 0))
    name = find_model(act, lone_model).name if lone_model else squad.name
    roller = Whose(name, "roll", "on the amok table")
    key = roll_on_chart(telling, "amok", roller, f"{name} rolls ", " on the amok table.")
    telling.follow(after_amok(squad, key, lone_model))


@offers("reboot")
def _offer_reboot(act: Act, proposal: Propose) -> Button:
    return reboot_button(squad_of(act.encounter, find_model(act, proposal.model).squad))


def reboot_button(squad: Squad) -> Button:
    """Return the button with which a squad in System Reboot begins."""
    return Button(f"{squad.name} reboots", Reboot(squad.id), "main")


def _rebooting(act: ActView, number: int) -> tuple[Squad, tuple[Model, ...]]:
    """Return the squad and those of it that reboot. Raises NotAllowed, Forbidden."""
    squad = squad_of(act.encounter, number)
    act.require_side(squad.side)
    models = tuple(model for model in squad.models if model.has(Condition.REBOOTED))
    if not models:
        raise Forbidden(f"{squad.name} has no models left to reboot.", "WZ-AMOK-04")
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

    def prepare(self, act: ActView, action: Reboot) -> ReadyReboot:
        squad, models = _rebooting(act, action.squad)
        if any(model.has(Condition.LEADING) for model in squad.models):
            raise Forbidden(f"{squad.name} has already rebooted.", "WZ-AMOK-05")
        return ReadyReboot(squad, models, tuple(reboot_limit(model, enemy_in_sight=True) for model in models))

    def whose(self, action: Reboot, ready: ReadyReboot) -> Cast:
        tests = zip(ready.models, ready.limits, strict=True)
        return counted(*(Whose(m.name, "LD test", f"to reboot ({n} or less)") for m, n in tests))

    def rule(self, dice: Dice, ready: ReadyReboot) -> int:
        return reboot(dice, ready.limits)

    def settle(self, act: Act, action: Reboot, ready: ReadyReboot, outcome: int) -> Telling:
        telling, squad, models = Telling(act), ready.squad, ready.models
        telling.lines.append(
            f"{models[outcome].name} reboots {squad.name} and leads it."
            if outcome >= 0
            else f"No model in {squad.name} manages to reboot."
        )
        limits = ", ".join(f"{m.name} needs {n} or less" for m, n in zip(models, ready.limits, strict=True))
        telling.thrown(f"LD tests: {limits}")
        for model in models:
            parts = reboot_modifiers(model, enemy_in_sight=True)
            telling.why += [model.name, *describe_sum("LD", model.profile.ld, parts)]
        telling.follow(after_reboot(models, outcome))
        others = tuple(model for place, model in enumerate(models) if place != outcome)
        if outcome < 0 or not others:
            return telling
        leader = models[outcome]
        model_state(act.encounter, leader.id).regroups = True
        squad_now = squad_of(act.encounter, squad.id)
        telling.ask(*who_regroups(squad_now, squad_now.leading or leader))
        return telling

    def tell(self, act: Act, action: Reboot, ready: ReadyReboot, telling: Telling) -> Reply:
        return telling.reply()

    def chances(self, act: ActView, action: Reboot, ready: ReadyReboot) -> Chances:
        odds = act.solve(self.rule, ready)
        passed = odds.chance(lambda place: place >= 0)
        rows = bars([("reboots", passed), ("fails", 1 - passed)])
        return Chances((f"{ready.squad.name} reboots", *rows), "reboots", passed, (odds,))


def who_regroups(squad: Squad, leader: Model) -> tuple[Menu, Button]:
    """Ask which models of a squad are near the one that has rebooted it. Rules: WZ-AMOK-05."""
    others = [model for model in squad.models if model.has(Condition.REBOOTED)][:25]
    choices = tuple(Choice(model.name, str(model.id)) for model in others)
    prompt = f"Which models are within {rank_distance(leader)} in of {leader.name}?"
    menu = Menu(prompt, Regroup(squad.id), "within", choices, 1, len(choices), anytime=True)
    return menu, Button("Nobody", Regroup(squad.id), anytime=True)


@handles(Regroup)
def regrouping(act: Act, action: Regroup) -> Reply:
    """Continue with one action for models in command of the new leader. Rules: WZ-AMOK-05."""
    squad, models = _rebooting(act, action.squad)
    leader = squad.leading
    if leader is None or not leader.has(Condition.LEADING):
        raise Forbidden(f"Reboot {squad.name} first.", "WZ-AMOK-05")
    near_models = sort_by_id(*(model for model in action.within if model in models))
    act.canonical = replace(action, within=near_models)
    near_ids = frozenset(model.id for model in near_models)
    model_state(act.encounter, leader.id).regroups = False
    telling = Telling(act)
    names = [model.name for model in models if model.id in near_ids]
    telling.lines += [f"{leader.name} commands {', '.join(names) or 'no one else'}."]
    if names:
        those = names[0] if len(names) == 1 else "Each of these models"
        telling.lines.append(f"{those} has 1 action.")
    telling.follow(after_regrouping(leader, models, near_ids))
    telling.menus += build_next_menu(act.encounter)
    return telling.reply()
