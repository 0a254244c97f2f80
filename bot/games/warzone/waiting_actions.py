"""Going on wait, reacting to the enemy, diving for cover; hiding a model and spotting one."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action, reference_by_number
from bot.games.warzone.common import Telling, allow_at_once, end_contact, is_out, settings_for
from bot.games.warzone.fear import build_deed_check, describe_ld_roller, report_ld_test
from bot.games.warzone.fields import target_field, who
from bot.games.warzone.narration import describe_sum, format_short_sum
from bot.games.warzone.reactions import REACTION_VERBS, Dive, React, Wait
from bot.games.warzone.shooting_actions import build_fire_button
from bot.games.warzone.state import model_state
from bot.games.warzone.steps import (
    DeedStart,
    DeedWithoutRoll,
    Rolling,
    SingleRollDeed,
    apply_rule,
    begin,
    build_test_chances,
)
from bot.games.warzone.units import models_of, squad_of
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.reaction_windows import require_no_dice
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Effect, Lose, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import ACTIONS, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import ld_limit, ld_modifiers
from rules.systems.warzone.movement import after_move, knock_prone
from rules.systems.warzone.ranged import lose_aim
from rules.systems.warzone.waiting import (
    Reaction,
    after_reaction,
    after_spot,
    answers_to,
    check_waiting,
    conceal,
    dive_inches,
    go_on_wait,
    needs_test_to_react,
    spot_limit,
    spot_modifiers,
)
from rules.systems.warzone.waiting import Spot as Attempt
from rules.wording import possessive


@dataclass(frozen=True, slots=True)
class Spot(Action):
    """Spot a concealed model, or see the odds.

    afraid: under Fear, Dire or the like.
    """

    command = "wz.spot"
    typed = "wz spot"

    spotter: Model = who("Model that tries to spot", called="model")
    target: Model = target_field("Concealed model", needed=True)
    afraid: bool = fields.switch("The spotter is affected by Fear or Dire", fact=True)
    odds: bool = fields.odds("Show only the odds")


@dataclass(frozen=True, slots=True)
class Conceal(Action):
    """Conceal a model, or reveal it.

    reveal: it no longer is concealed.
    """

    command = "wz.conceal"
    typed = "wz state hide"
    titled = "Conceal a model"
    waits_for_dice = True

    model: Model = who()
    reveal: bool = fields.switch("Reveal it instead")


@dataclass(frozen=True, slots=True)
class ReadySpot:
    """An attempt that may be made. stat, base: what is tested."""

    begin: DeedStart
    attempt: Attempt
    modifiers: tuple[Modifier, ...]
    limit: int
    stat: str
    base: int


@in_steps(Spot, may=build_deed_check("spotter", Deed.SPOT))
class Spotting(SingleRollDeed[Spot, ReadySpot, Grade]):
    """The attempt; a success serves the spotter's whole unit. Rules: WZ-SPOT-01 to WZ-SPOT-07."""

    label = "Spot"

    def prepare(self, act: ActView, action: Spot) -> ReadySpot:
        spotter, target, settings = action.spotter, action.target, settings_for(act)
        if target.side == spotter.side:
            raise InvalidInput(f"{target.name} is a friendly model. Choose an enemy.")

        def rule(spotter_then: Model, overridden: bool) -> Attempt:
            attempt = Attempt(spotter_then, target, afraid=action.afraid and not overridden)
            spot_modifiers(attempt)
            return attempt

        attempt = apply_rule(act, rule, spotter)
        base = spotter.profile.ld if settings.spot_stat == "LD" else spotter.profile.rc
        return ReadySpot(
            begin(act, spotter, Deed.SPOT),
            attempt,
            spot_modifiers(attempt),
            spot_limit(attempt, settings),
            settings.spot_stat,
            base,
        )

    def thrower(self, action: Spot, ready: ReadySpot) -> Whose:
        return Whose(
            ready.begin.model.name, "attempt to spot", f"{ready.attempt.target.name} ({ready.limit} or less)"
        )

    def throw(self, dice: Dice, ready: ReadySpot) -> Grade:
        return check(dice, ready.limit, label="spot")

    def done(self, telling: Telling, action: Spot, ready: ReadySpot, result: Grade) -> None:
        act, spotter, target = telling.act, ready.begin.model, ready.attempt.target
        verb = "spots" if result.passed else "doesn't spot"
        telling.lines.append(f"{spotter.name} {verb} {target.name}.")
        telling.thrown(
            f"Spot: {ready.limit} or less ({format_short_sum(ready.stat, ready.base, ready.modifiers)})"
        )
        telling.why += [f"{spotter.name} tries to spot {target.name}"]
        telling.why += describe_sum(ready.stat, ready.base, ready.modifiers)
        telling.follow(after_spot(ready.attempt, result))
        if result.passed:
            squad = squad_of(act.encounter, spotter.squad)
            telling.next.append(f"Every model of {squad.name} can now attack {target.name}.")
            return
        telling.next.append(f"{possessive(spotter.name)} next attempt to spot {target.name} gets a bonus.")
        telling.more = (Button("Again", act.canonical),)

    def chances(self, act: ActView, action: Spot, ready: ReadySpot) -> Chances:
        spotter, odds = ready.begin.model, act.solve(self.throw, ready)
        title = f"{spotter.name} spots {ready.attempt.target.name}"
        return build_test_chances(title, ready.limit, ("spots", "fails"), odds, ready.begin.hurdle)


def spot_button(spotter: Model, target: int) -> Button:
    """Return the button for an immediate attempt. target: the number of its target."""
    label = f"{spotter.name} tries to spot the enemy"
    return Button(label, Spot(spotter, reference_by_number(target)), "main", anytime=True)


@handles(Conceal)
def hide(act: Act, action: Conceal) -> Reply:
    """Conceal it again: sightings and attempts are forgotten. Rules: WZ-SPOT-02, WZ-SPOT-06."""
    telling, model = Telling(act), action.model
    if action.reveal:
        telling.follow([Lose(model.id, Condition.CONCEALED)])
        telling.lines.append(f"{model.name} is no longer concealed.")
        return telling.reply()
    enemies = tuple(model_there for model_there in models_of(act.encounter) if model_there.side != model.side)
    telling.follow(conceal(model, enemies))
    telling.follow(effect for enemy in enemies for effect in lose_aim(enemy, model.id))
    telling.lines.append(f"{model.name} is concealed.")
    telling.next.append(f"Enemies must spot {model.name} before they can target it.")
    return telling.reply()


TO_REACT = "Reaction test"


@dataclass(frozen=True, slots=True)
class ReadyToWait:
    """A model that goes on wait, and its actions. effects: its effects."""

    begin: DeedStart
    left: int
    effects: tuple[Effect, ...]


@in_steps(Wait)
class Waiting(DeedWithoutRoll[Wait, ReadyToWait]):
    """The last action is kept for the enemy's turn. Rules: WZ-WAIT-01."""

    def prepare(self, act: ActView, action: Wait) -> ReadyToWait:
        model = action.model
        actions = model.count(ACTIONS) if act.encounter.row.turn else 1
        effects = apply_rule(act, lambda who, over: go_on_wait(who, 1 if over else actions), model)
        return ReadyToWait(begin(act, model, Deed.WAIT, actions=max(1, actions)), actions, tuple(effects))

    def done(self, telling: Telling, action: Wait, ready: ReadyToWait, result: bool) -> None:
        telling.follow(ready.effects)
        name = ready.begin.model.name
        telling.lines.append(f"{name} waits.")
        if ready.left > 1:
            telling.lines.append(f"{name} keeps {ready.left} actions for reactions (Ambush).")
        telling.next.append(f"{name} can react when an enemy moves or charges.")


@dataclass(frozen=True, slots=True)
class ReadyReaction:
    """A reaction that may be made. test: modifiers of its LD test, None where it needs none."""

    model: Model
    enemy: Model
    how: Reaction
    test: tuple[Modifier, ...] | None

    @property
    def limit(self) -> int:
        """Return the highest d20 result that passes that test."""
        return ld_limit(self.model, self.test or ())


@in_steps(React)
class Reacting(Rolling[React, ReadyReaction, bool]):
    """An LD test, then the kept action at once. Rules: WZ-WAIT-02 to WZ-WAIT-04, WZ-DIVE-01, WZ-SPOT-07."""

    label = "React"

    def prepare(self, act: ActView, action: React) -> ReadyReaction:
        model = action.model
        check_waiting(model)
        if not act.action.looks:
            require_no_dice(act)
        enemy, reaction = action.enemy, action.how
        trigger = action.trigger or answers_to(reaction)
        if trigger != "template" and is_out(act, enemy):
            raise InvalidInput(f"Choose an enemy in play. {enemy.name} is out of play.")
        if enemy.side == model.side and trigger != "template":
            raise InvalidInput(f"{enemy.name} is a friendly model. Choose an enemy.")
        tested = needs_test_to_react(model, reaction, trigger, enemy, settings_for(act))
        modifiers = ld_modifiers(model, enemy_in_sight=not action.hidden)
        return ReadyReaction(model, enemy, reaction, modifiers if tested else None)

    def thrown(self, act: Act, action: React, ready: ReadyReaction) -> bool:
        if ready.test is None:
            return True
        cast = describe_ld_roller(ready.model, ready.test, "reaction test")
        return act.roll(cast, check, ready.limit, label="leadership").passed

    def settle(self, act: Act, action: React, ready: ReadyReaction, outcome: bool) -> Telling:
        telling, model = Telling(act), ready.model
        if ready.test is not None:
            report_ld_test(telling, model, ready.test, TO_REACT)
        if outcome:
            telling.lines.append(f"{model.name} reacts and {REACTION_VERBS[ready.how]}.")
        else:
            telling.lines.append(f"{model.name} hesitates and loses its reaction.")
        _carry(telling, model, ready.how, ready.enemy, passed=outcome)
        return telling

    def chances(self, act: ActView, action: React, ready: ReadyReaction) -> Chances:
        if ready.test is None:
            return Chances((f"{ready.model.name} reacts without a test.",), "reacts", 1.0)
        odds = act.solve(check, ready.limit)
        return build_test_chances(f"{ready.model.name} reacts", ready.limit, ("reacts", "hesitates"), odds)


def _carry(telling: Telling, model: Model, reaction: Reaction, enemy: Model, *, passed: bool) -> None:
    """The reaction itself: buttons for what needs figures, the rest at once."""
    act = telling.act
    effects = after_reaction(model, reaction, enemy, settings_for(act), passed=passed)
    reaction_effects = [
        e for e in effects if not (isinstance(e, Propose) and e.action in ("shoot", "spot", "move"))
    ]
    telling.follow(reaction_effects)
    if not passed:
        return
    if reaction in ("withdraw", "dive"):
        telling.next += [e.reason for e in effects if isinstance(e, Propose)]
    if reaction == "fire":
        allow_at_once(act, model, Deed.SHOOT.value, target=enemy.id)
        telling.buttons.append(build_fire_button(model, enemy.id))
    elif reaction == "spot":
        allow_at_once(act, model, Deed.SPOT.value, target=enemy.id)
        telling.buttons.append(spot_button(model, enemy.id))
    elif reaction == "brace":
        telling.next.append(f"{enemy.name} gets no charge bonus.")
    elif reaction == "withdraw":
        telling.follow(after_move(model))
        end_contact(act.encounter, model)
        telling.next.append(f"{model.name} is no longer in base contact.")
    elif reaction == "dive":
        model_state(act.encounter, model.id).diving = True
        telling.buttons += dive_ends(model)


def dive_ends(model: Model) -> tuple[Button, ...]:
    """Return where a dive may end, as the table measures it. Rules: WZ-DIVE-01."""
    upright, full_inches = dive_inches(model)
    return (
        Button(f"{model.name} gets clear (moving up to {upright:g} in)", Dive(model), "main", anytime=True),
        Button(
            f"{model.name} gets clear but is Prone (moving up to {full_inches:g} in)",
            Dive(model, prone=True),
            anytime=True,
        ),
        Button(f"{model.name} doesn't get clear and is Prone", Dive(model, True, False), anytime=True),
    )


@handles(Dive)
def dive(act: Act, action: Dive) -> Reply:
    """Return where the dive ended, as the table measured it. Rules: WZ-DIVE-01."""
    model = action.model
    state = model_state(act.encounter, model.id)
    if not state.diving:
        raise Forbidden(f"Choose a model that is diving for cover. {model.name} isn't.", "WZ-DIVE-01")
    state.diving = False
    telling = Telling(act)
    if action.prone:
        telling.follow(knock_prone(model))
    if action.clear:
        state.dived_clear = True
    result = "and gets clear" if action.clear else "but doesn't get clear"
    telling.lines.append(f"{model.name} dives {result}{', ending Prone' if action.prone else ''}.")
    return telling.reply()
