"""Checks at the table: any ability or skill, Rally, a single panic test, clearing panic with an order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.common import (
    carry_through,
    orders_of,
    pay,
    price,
    require_plannable,
    settings,
    token_price,
)
from bot.games.counterblast.core.fields import order, who
from bot.games.counterblast.core.narration import ReadyCheck, Telling, Throwing, pass_chances, register_offer
from bot.games.counterblast.core.relics import beacon_button, list_relic_buttons
from bot.games.counterblast.core.wording import chance_lines, dice_words, why_check
from bot.games.counterblast.state.models import fighter, fighters
from bot.replies.chances import percent
from bot.replies.reply import Choice, Menu, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Effect, Propose
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import find_leader
from rules.systems.counterblast.core.checks import CheckResult, throw
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.counters import PANIC_LEVEL
from rules.systems.counterblast.core.dice_pools import Ability, prepare_check
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.panic import (
    PanicResult,
    after_panic_test,
    after_rally,
    panic_test,
    prepare_panic_test,
    prepare_rally,
    rally,
)
from rules.systems.counterblast.core.profile import Skill
from rules.systems.counterblast.gear.salvage import after_check
from rules.systems.counterblast.turn.activation import clear_panic
from rules.wording import join_with_and, possessive, times

SKILLS: dict[str, tuple[Ability, Skill | None]] = {
    "STR": ("STR", None),
    "AGL": ("AGL", None),
    "INT": ("INT", None),
    "PSI": ("PSI", "psionics"),
    "initiative": ("AGL", None),
    "engineering": ("INT", "engineering"),
    "medical": ("INT", "medicine"),
    "technology": ("INT", "technology"),
}
"""What can be rolled by hand: the ability, and the skill where it is one."""

HIGHEST_TARGET = 15
MAX_EDGE = 5
MAX_LEVEL = 60
MAX_SHOWN = 4
"""Net successes that the odds of a check tell apart."""


@dataclass(frozen=True, slots=True)
class Check(Action):
    """Make an ability or skill check.

    edge: advantages less disadvantages; modifier: added to each die; both by the table.
    """

    command = "cb.check"
    typed = "cb check"

    model: Fighter = who()
    ability: str = fields.one_of("Ability or skill", tuple(SKILLS), default="AGL")
    target: int = fields.whole("Target number", 1, HIGHEST_TARGET, default=7, checked=True, fact=True)
    edge: int = fields.whole(
        "Advantages minus disadvantages", -MAX_EDGE, MAX_EDGE, default=0, checked=True, fact=True
    )
    modifier: int = fields.whole(
        "Modifier for each die", -MAX_EDGE, MAX_EDGE, default=0, checked=True, fact=True
    )
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class Rally(Action):
    """Try to rally a Panicked model."""

    command = "cb.rally"
    typed = "cb rally"

    model: Fighter = who()
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class Panic(Action):
    """Roll a single panic test.

    level 0: the crew's. commanded: the leader's INT is borrowed.
    """

    command = "cb.panic"
    typed = "cb panic"
    titled = "Panic test"

    model: Fighter = who()
    level: int = fields.whole("Panic Level", 1, MAX_LEVEL, default=0, checked=True, fact=True, needed=True)
    commanded: bool = fields.switch("Use the leader's INT", fact=True)
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class ClearPanic(Action):
    """Spend a leader's action and order token, so that crew members are no longer panicked."""

    command = "cb.steady"
    decision_of = in_play("the player of the crew's leader")

    models: tuple[int, ...] = fields.unordered()


# ------------------------------------------------------------------------------------------- any check


@in_steps(Check)
class Checking(Throwing[Check, ReadyCheck, CheckResult]):
    """Net successes, or a critical failure, with every die."""

    def prepare(self, act: ActView, action: Check) -> ReadyCheck:
        ability, skill = SKILLS[action.ability]
        rules = settings(act)
        if action.ability == "initiative":
            ability = cast(Ability, rules.initiative_check_ability)
        prepared = prepare_check(
            action.model,
            ability,
            action.target,
            skill=skill,
            edges=(Modifier(action.edge, "agreed at the table"),) if action.edge else (),
            modifiers=(Modifier(action.modifier, "agreed at the table"),) if action.modifier else (),
            order_token=action.order,
            settings=rules,
        )
        return ReadyCheck(prepared, token_price(act, action.model, spent=action.order))

    def whose(self, action: Check, ready: ReadyCheck) -> Whose:
        check_name = f"{SKILLS[action.ability][0]} check"
        return Whose(action.model.name, check_name, f"against {ready.prepared.throw.target}")

    def rule(self, dice: Dice, ready: ReadyCheck) -> CheckResult:
        return throw(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: Check, ready: ReadyCheck, outcome: CheckResult) -> Telling:
        model, (ability, skill) = action.model, SKILLS[action.ability]
        carry_through(act, ready.due)
        if ability == "INT":
            carry_through(act, end_conditions(model, Event.INT_CHECKED))
        carry_through(act, after_check(model, skill or ""))
        return Telling(
            [f"{model.name}, {action.ability}: {describe_outcome(outcome)}"],
            why_check(ready.prepared, f"{model.name}, {action.ability}"),
            dice=[dice_words(ready.prepared, action.ability)],
            more=list_relic_buttons(act, model, failed=not outcome.net, critical=outcome.critical_failure),
        )

    def chances(self, act: ActView, action: Check, ready: ReadyCheck) -> Chances:
        odds = act.solve(self.rule, ready)
        names = [
            "fails",
            *(times(n, "success", "successes") for n in range(1, MAX_SHOWN)),
            f"{MAX_SHOWN} or more",
        ]
        critical = odds.chance(lambda result: result.critical_failure)
        lines = (
            f"{action.model.name}, {dice_words(ready.prepared, action.ability)}",
            *chance_lines(odds.map(_net), names),
            f"Critical failure: {percent(critical).strip()}",
        )
        return Chances(lines, "at least 1 success", odds.chance(lambda result: result.net > 0), (odds,))


def describe_outcome(result: CheckResult) -> str:
    """Return the result of a check in words."""
    if result.critical_failure:
        return f"critical failure ({times(result.net_ones, 'net 1', 'net 1s')})"
    return times(result.net, "success", "successes") if result.net else "fails"


def _net(result: CheckResult) -> int:
    return result.net


# ------------------------------------------------------------------------------------------- nerves


@in_steps(Rally)
class Rallying(Throwing[Rally, ReadyCheck, bool]):
    """Free, once per activation; without success the model runs for the edge."""

    def prepare(self, act: ActView, action: Rally) -> ReadyCheck:
        prepared = prepare_rally(action.model, order_token=action.order, settings=settings(act))
        effects: tuple[Effect, ...] = ()
        if action.odds:
            require_plannable(act, action.model, "rally")
        else:
            effects = price(act, action.model, "rally")
        return ReadyCheck(prepared, (*effects, *token_price(act, action.model, spent=action.order)))

    def whose(self, action: Rally, ready: ReadyCheck) -> Whose:
        return Whose(action.model.name, "Rally", f"against {ready.prepared.throw.target}")

    def rule(self, dice: Dice, ready: ReadyCheck) -> bool:
        return rally(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: Rally, ready: ReadyCheck, outcome: bool) -> Telling:
        model = action.model
        carry_through(act, ready.due)
        telling = Telling(
            [f"{model.name} {'rallies' if outcome else 'stays Panicked'}."],
            why_check(ready.prepared, f"{possessive(model.name)} Rally"),
            dice=[dice_words(ready.prepared, "INT")],
        )
        telling.follow(act, after_rally(model, outcome))
        if not outcome:
            telling.more = (*list_relic_buttons(act, model, failed=True), *beacon_button(model))
        return telling

    def chances(self, act: ActView, action: Rally, ready: ReadyCheck) -> Chances:
        odds = act.solve(self.rule, ready)
        return pass_chances(action.model.name, "rallies", odds, dice_words(ready.prepared, "INT"))


@dataclass(frozen=True, slots=True)
class ReadyPanic(ReadyCheck):
    """A panic test that may be rolled, and its level."""

    level: int = 0


@in_steps(Panic)
class Holding(Throwing[Panic, ReadyPanic, PanicResult]):
    """Rolls one model against a Panic Level; Upkeep rolls all that are due."""

    def prepare(self, act: ActView, action: Panic) -> ReadyPanic:
        model = action.model
        leader = find_leader(model.side, fighters(act.encounter)) if action.commanded else None
        if action.commanded and leader is None:
            raise InvalidInput('Turn off "Use the leader\'s INT", because the crew has no leader.')
        level = action.level or act.encounter.side(model.side).counters.get(PANIC_LEVEL, 0)
        act.canonical = replace(as_done(action), level=level)
        prepared = prepare_panic_test(model, level, leader, order_token=action.order, settings=settings(act))
        return ReadyPanic(prepared, token_price(act, model, spent=action.order), level)

    def whose(self, action: Panic, ready: ReadyPanic) -> Whose:
        return Whose(action.model.name, "panic test", f"against Panic Level {ready.level}")

    def rule(self, dice: Dice, ready: ReadyPanic) -> PanicResult:
        return panic_test(dice, (ready.prepared.throw,))

    def settle(self, act: Act, action: Panic, ready: ReadyPanic, outcome: PanicResult) -> Telling:
        model = action.model
        carry_through(act, ready.due)
        verb = "panics" if outcome.panicked else "passes its panic test"
        telling = Telling(
            [f"{model.name} {verb} at Panic Level {ready.level}."],
            why_check(ready.prepared, f"{possessive(model.name)} panic test"),
            dice=[dice_words(ready.prepared, "INT")],
            more=list_relic_buttons(act, model, failed=outcome.panicked, critical=outcome.shaken),
        )
        telling.follow(act, after_panic_test(model, outcome))
        if outcome.shaken:
            telling.lines.append(f"Critical failure: {model.name} has disadvantage on its next INT check.")
        return telling

    def chances(self, act: ActView, action: Panic, ready: ReadyPanic) -> Chances:
        odds = act.solve(self.rule, ready).map(_passes_test)
        return pass_chances(action.model.name, "holds", odds, dice_words(ready.prepared, "INT"))


def _passes_test(result: PanicResult) -> bool:
    return not result.panicked


def panicked_choices(encounter: Encounter, side: int) -> tuple[Choice, ...]:
    """Return the panicked models of a side, as choices of a menu."""
    return tuple(
        Choice(model.name, str(model.id))
        for model in fighters(encounter, side)
        if model.has(Condition.PANICKED)
    )


@handles(ClearPanic)
def rally_models(act: Act, action: ClearPanic) -> Reply:
    """Rally models by the leader in its own activation; if none are named, ask which."""
    encounter = act.encounter
    seat = act.seat
    models = [fighter(encounter, encounter.model(number)) for number in action.models]
    side = models[0].side if models else (seat.side if seat else 0)
    leader = find_leader(side, fighters(encounter))
    if leader is None:
        raise InvalidInput("The crew has no leader to rally other models.")
    act.require_model(encounter.model(leader.id))
    if not models:
        choices = panicked_choices(encounter, side)
        if not choices:
            raise InvalidInput("None of your models are Panicked.")
        max_models = min(len(choices), leader.profile.intellect.value)
        menu = Menu("Which models should the leader rally?", ClearPanic(), "models", choices, 1, max_models)
        return Reply(
            (f"{leader.name} can rally up to {times(max_models, 'model')}.",), private=True, menus=(menu,)
        )
    effects = clear_panic(leader, tuple(models), orders_of(encounter.side(side)))
    pay(act, leader, "steady")
    carry_through(act, effects)
    names = join_with_and([model.name for model in models])
    return Reply(
        (f"{leader.name} rallies {names}.", "This costs one action and one order token."), buttons=(UNDO,)
    )


@register_offer("rally")
def _rally_button(proposal: Propose) -> tuple[str, Action]:
    return "Rally", Rally(reference_by_number(proposal.model))
