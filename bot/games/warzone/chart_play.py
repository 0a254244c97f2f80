"""The charts of nerves and powers at the table, carried through: unhinged, backlash, Mind Storm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, numbered
from bot.games.warzone.acting import note_deed
from bot.games.warzone.attacks import fate
from bot.games.warzone.blast_play import who_menu
from bot.games.warzone.common import (
    ATTACK_GRANT,
    CONTACT,
    MADDENED,
    again,
    carry_through,
    check_may_act,
    grant,
    granted,
    in_order,
    model_at,
    settings,
    touch,
)
from bot.games.warzone.fields import by_number, foe, reach, several_by_number, who
from bot.games.warzone.fight_play import Fighting, first_strike
from bot.games.warzone.measures import Reach
from bot.games.warzone.shoot_play import Shooting
from bot.games.warzone.shots import Shoot
from bot.games.warzone.sight import afraid, sight_menu
from bot.games.warzone.telling import Telling, at_once, offers
from bot.games.warzone.throwing import Throwing
from bot.games.warzone.units import first_weapon
from bot.games.warzone.words import sum_lines, times
from bot.replies.chances import bars, percent
from bot.replies.reply import Blank, Button, Menu, Reply, form
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.rolling.throws import Cast, Whose, counted
from bot.table.steps import Chances, in_steps
from rules.dice import Dice
from rules.effects import Count, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.channelling import after_storm, mind_storm, storm_limit, storm_modifiers
from rules.systems.warzone.charts import (
    DERANGED_ARC,
    after_backlash,
    after_unhinged,
    finds_nobody,
    roll_chart,
    row_of,
)
from rules.systems.warzone.model import ACTIONS, Condition, Model
from rules.systems.warzone.morale import Act as Deed
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


@dataclass(frozen=True, slots=True)
class MindStorm(Action):
    """Everyone near a channeler tests LD. hidden: who sees no enemy; roll: nobody is asked any more."""

    command = "wz.storm"

    model: Model = by_number(help="Around whom", needed=True)
    magnitude: int = 0
    near: tuple[Model, ...] = several_by_number()
    hidden: tuple[Model, ...] = several_by_number()
    roll: bool = False


# ------------------------------------------------------------------------------------------- unhinged


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
    model = model_at(act, proposal.model)
    return Button(f"{model.name}: direction", Derangement(model), "main")


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
        return told.reply(
            Button("Attack...", Attack(ready.model), "main", form=ATTACK_FORM),
            Button("Nobody is there", NobodyThere(ready.model)),
        )

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
    grant(act, model, ATTACK_GRANT, attacks)
    target = dict(proposal.details).get("target")
    action = Attack(model, numbered(int(target))) if target else Attack(model)
    return Button(f"{model.name} attacks...", action, "main", anytime=True, form=ATTACK_FORM)


# ------------------------------------------------------------------------------------------- backlash


@at_once("backlash")
def _backlash(telling: Telling, proposal: Propose) -> None:
    model = model_at(telling.act, proposal.model)
    whose = Whose(model.name, "roll", "on the backlash chart")
    key = telling.act.roll(whose, roll_chart, "backlash")
    row = row_of("backlash", key)
    telling.lines.append(f"Backlash on {model.name}: {row.name}.")
    telling.thrown()
    telling.next.append(row.says)
    telling.follow(after_backlash(model, key, int(dict(proposal.details)["magnitude"])))


@offers("mind_storm")
def _offer_storm(act: Act, proposal: Propose) -> Menu:
    storm = MindStorm(model_at(act, proposal.model), int(dict(proposal.details)["magnitude"]))
    return who_menu(act, "Mind Storm: who else is near?", storm, "near")


@dataclass(frozen=True, slots=True)
class ReadyStorm:
    """A Mind Storm. asked: the action in its one form; models: everybody near; limits: of their LD tests."""

    channeler: Model
    asked: MindStorm
    models: tuple[Model, ...]
    limits: tuple[int, ...]

    @property
    def seeing(self) -> list[bool]:
        """Who of them sees an enemy."""
        unseeing = {model.id for model in self.asked.hidden}
        return [model.id not in unseeing for model in self.models]


@in_steps(MindStorm)
class Storming(Throwing[MindStorm, ReadyStorm, tuple[int, ...]]):
    """The channeler and everybody near: an LD test each, or a wound. Rules: WZ-BACK-04."""

    def prepare(self, act: Act, action: MindStorm) -> ReadyStorm:
        """Who is near. Raises InvalidInput, NotAllowed."""
        channeler = action.model
        act.require_model(act.encounter.model(channeler.id))
        models = in_order(*action.near, *action.hidden, channeler)
        asked = act.canonical = replace(action, near=models, hidden=in_order(*action.hidden))
        unseeing = {model.id for model in asked.hidden}
        limits = tuple(
            storm_limit(each, action.magnitude, enemy_in_sight=each.id not in unseeing) for each in models
        )
        return ReadyStorm(channeler, asked, models, limits)

    def asks(self, act: Act, action: MindStorm, ready: ReadyStorm) -> Reply | None:
        """Whose fear counts depends on whether an enemy is in sight."""
        needed = not action.roll and afraid(ready.models)
        return _ask_sight(ready.asked, ready.channeler, ready.models) if needed else None

    def whose(self, action: MindStorm, ready: ReadyStorm) -> Cast:
        """Each one's test."""
        return counted(
            *(
                Whose(one.name, "LD test", f"against the Mind Storm, {limit} or less")
                for one, limit in zip(ready.models, ready.limits, strict=True)
            )
        )

    def rule(self, dice: Dice, ready: ReadyStorm) -> tuple[int, ...]:
        """All tests."""
        return mind_storm(dice, ready.limits)

    def settle(self, act: Act, action: MindStorm, ready: ReadyStorm, outcome: tuple[int, ...]) -> Telling:
        """Who fails is wounded."""
        telling, models = Telling(act), ready.models
        telling.lines.append(f"Mind Storm: {times(sum(outcome), 'wound')}.")
        telling.lines += [
            f"{each.name}: {fate(each, 1) if hurt else 'resists'}"
            for each, hurt in zip(models, outcome, strict=True)
        ]
        telling.thrown(", ".join(f"{m.name} {n} or less" for m, n in zip(models, ready.limits, strict=True)))
        for each, sees in zip(models, ready.seeing, strict=True):
            parts = storm_modifiers(each, action.magnitude, enemy_in_sight=sees)
            telling.why += [each.name, *sum_lines("LD", each.profile.ld, parts)]
        telling.follow(after_storm(models, outcome), source=ready.channeler)
        return telling

    def chances(self, act: Act, action: MindStorm, ready: ReadyStorm) -> Chances:
        """Of a wound for everybody near."""
        solved = tuple(act.solve(mind_storm, (limit,)) for limit in ready.limits)
        rows = [
            (f"{model.name} hurt", odds.chance(any)) for model, odds in zip(ready.models, solved, strict=True)
        ]
        return Chances(("Mind Storm", *bars(rows)), rows[0][0], rows[0][1], solved)


def _ask_sight(action: MindStorm, channeler: Model, models: Sequence[Model]) -> Reply:
    """Whose fear counts depends on whether an enemy is in sight: asked before anything is rolled."""
    roll = Button("Roll", replace(action, roll=True), "main", anytime=True)
    lines = (
        f"Mind Storm around {channeler.name}: {', '.join(model.name for model in models)}.",
        "Is no enemy in sight of who is afraid?",
        "Then: Roll. Nothing is rolled yet.",
    )
    return Reply(lines, buttons=(roll,), menus=(sight_menu(action, models),))
