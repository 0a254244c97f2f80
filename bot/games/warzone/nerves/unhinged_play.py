"""Unhinged models: the chart, whom a deranged one turns against, attacks that a chart makes models do."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, numbered
from bot.games.warzone.core.acting import note_deed
from bot.games.warzone.core.common import (
    ATTACK_GRANT,
    CONTACT,
    MADDENED,
    again,
    carry_through,
    check_may_act,
    grant,
    granted,
    model_at,
    settings,
    touch,
)
from bot.games.warzone.core.fields import foe, reach, who
from bot.games.warzone.core.measures import Reach
from bot.games.warzone.core.telling import Telling, at_once, offers
from bot.games.warzone.core.throwing import Throwing
from bot.games.warzone.core.units import first_weapon
from bot.games.warzone.melee.fight_play import Fighting, first_strike
from bot.games.warzone.shooting.shoot_play import Shooting
from bot.games.warzone.shooting.shots import Shoot
from bot.replies.chances import percent
from bot.replies.reply import Blank, Button, Reply, form
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, in_steps
from rules.dice import Dice
from rules.effects import Count, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.model import ACTIONS, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.powers import DERANGED_ARC, after_unhinged, finds_nobody, roll_chart, row_of
from rules.systems.warzone.templates import DIRECTIONS, Deviation, direction

ATTACK_FORM = form(
    "wz.attack",
    "Whom, and how far? 0 in contact",
    Blank("target", "Target"),
    Blank("distance", "Distance", default="0", longest=8),
)


@dataclass(frozen=True, slots=True)
class Attack(Action):
    """An attack that a chart makes a model do: with its main weapon, at any distance."""

    command = "wz.attack"

    attacker: Model = who("Who attacks")
    target: Model = foe("Whom", needed=True)
    distance: Reach = reach("How far", unsaid="0")


@dataclass(frozen=True, slots=True)
class Derangement(Action):
    """Roll whom a deranged model attacks: a direction first."""

    command = "wz.deranged"

    model: Model = who()


@dataclass(frozen=True, slots=True)
class NobodyThere(Action):
    """Nobody stands where a deranged model would attack: the action is lost."""

    command = "wz.nobody"

    model: Model = who()


@at_once("unhinged")
def _unhinged(telling: Telling, proposal: Propose) -> None:
    model = model_at(telling.act, proposal.model)
    whose = Whose(model.name, "roll", "on the Unhinged chart")
    key = telling.act.roll(whose, roll_chart, "unhinged")
    row = row_of("unhinged", key)
    telling.lines.append(f"{model.name} is Unhinged: {row.name}.")
    telling.thrown()
    telling.next.append(f"{row.name}: {row.says}")
    telling.follow(after_unhinged(model, key))


@offers("derangement")
def _offer_derangement(act: Act, proposal: Propose) -> Button:
    return direction_button(model_at(act, proposal.model))


def direction_button(model: Model) -> Button:
    """What a deranged model begins with."""
    return Button(f"{model.name}: direction", Derangement(model), "main")


def nobody_button(model: Model) -> Button:
    """A deranged model finds nobody."""
    return Button("Nobody is there", NobodyThere(model), anytime=True)


@dataclass(frozen=True, slots=True)
class ReadyDirection:
    """Who turns, and on a die of how many sides."""

    model: Model
    sides: int


@in_steps(Derangement)
class Deranging(Throwing[Derangement, ReadyDirection, Deviation]):
    """The direction of this activation's mad attack. Rules: WZ-UNH-05, WZ-DEV-01."""

    def prepare(self, act: Act, action: Derangement) -> ReadyDirection:
        """Who turns, on which die. Raises Forbidden."""
        model = action.model
        if not model.has(Condition.DERANGED):
            raise Forbidden(f"{model.name} is not deranged.", "WZ-UNH-05")
        check_may_act(act, model, Deed.FIGHT)
        if model.count(MADDENED):
            raise Forbidden(f"{model.name} has its direction for this activation.", "WZ-UNH-05")
        return ReadyDirection(model, DIRECTIONS[settings(act).deviation_direction])

    def whose(self, action: Derangement, ready: ReadyDirection) -> Whose:
        """The model's own."""
        return Whose(ready.model.name, "direction", "of its mad attack")

    def rule(self, dice: Dice, ready: ReadyDirection) -> Deviation:
        """One die."""
        return direction(dice, ready.sides)

    def settle(self, act: Act, action: Derangement, ready: ReadyDirection, outcome: Deviation) -> Telling:
        """It may attack at once."""
        telling, model = Telling(act), ready.model
        grant(act, model, ATTACK_GRANT)
        act.encounter.model(model.id).counters[MADDENED] = 1
        telling.lines.append(f"{model.name} turns {str(outcome).removeprefix('0 in towards ')}.")
        telling.thrown()
        telling.next.append("It attacks the nearest model of another")
        telling.next.append(f"squad within {DERANGED_ARC // 2} degrees of there.")
        return telling

    def tell(self, act: Act, action: Derangement, ready: ReadyDirection, told: Telling) -> Reply:
        """With whom it may attack."""
        return told.reply(attack_button(ready.model), nobody_button(ready.model))

    def chances(self, act: Act, action: Derangement, ready: ReadyDirection) -> Chances:
        """Every direction is as likely."""
        odds = act.solve(self.rule, ready)
        share = percent(1 / ready.sides).strip()
        line = f"{ready.model.name} turns: {ready.sides} directions, {share} each"
        return Chances((line,), "any one direction", 1 / ready.sides, (odds,))


@handles(NobodyThere)
def nobody_there(act: Act, action: NobodyThere) -> Reply:
    """The action is lost. Rules: WZ-UNH-05."""
    model = action.model
    key = granted(model, Deed.FIGHT)
    if not model.has(Condition.DERANGED) or not key:
        raise Forbidden(f"{model.name} does not look for anybody now.", "WZ-UNH-05")
    del act.encounter.model(model.id).counters[key]
    telling = Telling(act)
    telling.follow(finds_nobody(model))
    telling.note(note_deed(act.encounter, model))
    telling.lines.append(f"{model.name} finds nobody: action lost.")
    return telling.closing(model)


@handles(Attack)
def forced_attack(act: Act, action: Attack) -> Reply:
    """With the main weapon: shot at a distance, or struck in contact. Rules: WZ-UNH-05, WZ-RAMP-01.

    A derangement's attack costs an action, but no nerve is needed for what it must do.
    """
    attacker, target, inches = action.attacker, action.target, action.distance.inches
    close = [weapon for weapon in attacker.profile.weapons if weapon.has("close")]
    if inches > 0 and len(close) == len(attacker.profile.weapons):
        raise InvalidInput(f"{attacker.name} can only strike: give 0 where it is in contact.")
    if attacker.has(Condition.DERANGED) and granted(attacker, Deed.FIGHT):
        if target.squad == attacker.squad:
            raise Forbidden(f"{target.name} is of its own squad: it attacks another one's.", "WZ-UNH-05")
        carry_through(act, [Count("model", attacker.id, ACTIONS, -1)])
        note_deed(act.encounter, attacker)
    if inches > 0:
        gun = first_weapon(attacker, close=False)
        shot = act.canonical = Shoot(again(act, attacker), target, action.distance, weapon=gun)
        return Shooting().do(act, shot, Shooting().prepare(act, shot))
    if not attacker.count(CONTACT.of(target.id)):
        touch(act, attacker, target)
    strike = act.canonical = first_strike(again(act, attacker), again(act, target))
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
    model = model_at(act, proposal.model)
    return _offer_attack(act, proposal, model.profile.ac if details.get("all_actions") else 1)


def _offer_attack(act: Act, proposal: Propose, attacks: int) -> Button:
    model = model_at(act, proposal.model)
    target = int(dict(proposal.details).get("target", 0))
    grant(act, model, ATTACK_GRANT, attacks, at=target)
    return attack_button(model, target)


def attack_button(model: Model, target: int = 0) -> Button:
    """An attack at once. target: the number of whom it is made on, 0 where that is open."""
    action = Attack(model, numbered(target)) if target else Attack(model)
    return Button(f"{model.name} attacks...", action, "main", anytime=True, form=ATTACK_FORM)
