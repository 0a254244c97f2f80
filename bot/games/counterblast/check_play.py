"""Checks at the table: any ability or skill, Rally, a single panic test, clearing panic with an order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from bot.actions import Action
from bot.games.counterblast.attacks import Telling, offers
from bot.games.counterblast.carrying import carried
from bot.games.counterblast.checking import odds_reply, passing_odds
from bot.games.counterblast.common import (
    UNDO,
    carry_through,
    named,
    orders_of,
    otherwise,
    own,
    pay,
    settings,
    spend_order,
)
from bot.games.counterblast.fighters import fighter, fighters
from bot.games.counterblast.relic_play import beacon_button, luck
from bot.games.counterblast.words import chance_lines, dice_words, exactness, times, trace_lines, why_check
from bot.replies.chances import percent
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.throws import Whose
from rules.dice import Dice
from rules.effects import Propose
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.counterblast.ability import Ability, prepare_check
from rules.systems.counterblast.checks import CheckResult, Prepared, Throw, throw
from rules.systems.counterblast.conditions import Event, ended_by
from rules.systems.counterblast.crew import leader_of
from rules.systems.counterblast.fighter import Condition, Fighter
from rules.systems.counterblast.orders import clear_panic
from rules.systems.counterblast.panic import after_panic_test, panic_test, prepare_panic_test
from rules.systems.counterblast.profile import Skill
from rules.systems.counterblast.rally import after_rally, prepare_rally, rally
from rules.systems.counterblast.relics import after_check

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
MOST_EDGE = 5
MOST_SHOWN = 4
"""Net successes that the odds of a check tell apart."""


@dataclass(frozen=True, slots=True)
class Check(Action):
    """Roll a check. edge: advantages less disadvantages; modifier: added to each die; both by the table."""

    command = "cb.check"
    facts = frozenset({"target", "edge", "modifier"})

    model: str = ""
    ability: str = "AGL"
    target: int = 7
    edge: int = 0
    modifier: int = 0
    order: bool = False
    odds: bool = False


@dataclass(frozen=True, slots=True)
class Rally(Action):
    """A panicked model tries to pull itself together."""

    command = "cb.rally"

    model: str = ""
    order: bool = False
    odds: bool = False


@dataclass(frozen=True, slots=True)
class Panic(Action):
    """One panic test at a Panic Level. commanded: the leader's INT is borrowed."""

    command = "cb.panic"
    facts = frozenset({"level", "commanded"})

    model: str = ""
    level: int = 0
    commanded: bool = False
    order: bool = False
    odds: bool = False


@dataclass(frozen=True, slots=True)
class ClearPanic(Action):
    """The leader spends an action and an order token: crew members are panicked no more."""

    command = "cb.steady"

    models: tuple[int, ...] = ()


def prepared_check(act: Act, action: Check, model: Fighter) -> Prepared:
    """The check with everything that state implies. Raises InvalidInput and Forbidden."""
    if action.ability not in SKILLS:
        raise InvalidInput(f"Roll one of: {', '.join(SKILLS)}.")
    if not 1 <= action.target <= HIGHEST_TARGET:
        raise InvalidInput(f"A target is 1 to {HIGHEST_TARGET}.")
    if abs(action.edge) > MOST_EDGE or abs(action.modifier) > MOST_EDGE:
        raise InvalidInput(f"Edge and modifier are -{MOST_EDGE} to {MOST_EDGE}.")
    ability, skill = SKILLS[action.ability]
    chosen = settings(act)
    if action.ability == "initiative":
        ability = cast(Ability, chosen.initiative_check_ability)
    edges = (Modifier(action.edge, "by the table"),) if action.edge else ()
    added = (Modifier(action.modifier, "by the table"),) if action.modifier else ()
    return prepare_check(
        model,
        ability,
        action.target,
        skill=skill,
        edges=edges,
        modifiers=added,
        order_token=action.order,
        settings=chosen,
    )


@handles(Check)
def check(act: Act, action: Check) -> Reply:
    """Net successes, or a critical failure, with every die."""
    model = named(act, action.model) if action.odds else own(act, action.model)
    prepared = prepared_check(act, action, model)
    act.canonical = replace(action, model=f"#{model.id}", odds=False)
    if action.odds:
        turned = prepared_check(act, replace(action, order=not action.order), model)
        return _check_odds(act, model, prepared, turned)
    if action.order:
        spend_order(act, model.side)
    whose = Whose(model.name, f"{SKILLS[action.ability][0]} check", f"against {prepared.throw.target}")
    result = act.roll(whose, throw, (prepared.throw,))
    if SKILLS[action.ability][0] == "INT":
        carry_through(act, ended_by(model, Event.INT_CHECKED))
    carry_through(act, after_check(model, SKILLS[action.ability][1] or ""))
    lines = [f"{model.name}, {action.ability}: {outcome(result)}", "", dice_words(prepared, action.ability)]
    relics = luck(act, model, failed=not result.net, critical=result.critical_failure)
    return _told(act, lines, why_check(prepared, f"{model.name}, {action.ability}"), relics)


def outcome(result: CheckResult) -> str:
    """What a check came to, in words."""
    if result.critical_failure:
        return f"critical failure ({times(result.net_ones, 'net 1', 'net 1s')})"
    return times(result.net, "success", "successes") if result.net else "fails"


def _told(act: Act, lines: list[str], why: list[str], relics: tuple[Button, ...]) -> Reply:
    telling = Telling([*lines, *trace_lines(act.dice.trace)], why)
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, *relics, UNDO), why=tuple(why))


def _check_odds(act: Act, model: Fighter, prepared: Prepared, turned: Prepared) -> Reply:
    """turned: the other way, with or without an order token."""
    odds = act.solve(throw, (prepared.throw,))
    names = [
        "fails",
        *(times(n, "success", "successes") for n in range(1, MOST_SHOWN)),
        f"{MOST_SHOWN} or more",
    ]
    critical = odds.chance(lambda result: result.critical_failure)
    assert isinstance(act.canonical, Check)
    lines = [
        f"{model.name}, {dice_words(prepared, act.canonical.ability)}",
        *chance_lines(odds.map(_net), names),
        f"Critical failure {percent(critical).strip()}",
    ]
    other = otherwise(act, model.side, order=act.canonical.order)
    if other:
        chance = act.solve(throw, (turned.throw,)).chance(lambda result: result.net > 0)
        lines.append(f"{other}: a success {percent(chance).strip()}")
    return odds_reply(act, model.side, [*lines, exactness(odds)], "Roll", act.canonical)


def _net(result: CheckResult) -> int:
    return result.net


@handles(Rally)
def try_rally(act: Act, action: Rally) -> Reply:
    """Free, once per activation; without success the model runs for the edge."""
    model = named(act, action.model) if action.odds else own(act, action.model)
    prepared = prepare_rally(model, order_token=action.order, settings=settings(act))
    act.canonical = replace(action, model=f"#{model.id}", odds=False)
    if action.odds:
        plain = prepare_rally(model, settings=settings(act))
        ordered = prepare_rally(model, order_token=True, settings=settings(act))
        return passing_odds(act, model, ("rallies", "INT"), rally, (plain, ordered), act.canonical)
    pay(act, model, "rally")
    if action.order:
        spend_order(act, model.side)
    whose = Whose(model.name, "Rally", f"against {prepared.throw.target}")
    rallied = act.roll(whose, rally, (prepared.throw,))
    telling = Telling()
    telling.lines.append(f"{model.name} {'rallies' if rallied else 'stays panicked'}.")
    telling.follow(act, after_rally(model, rallied))
    telling.lines += [
        *telling.proposal_lines(),
        "",
        dice_words(prepared, "INT"),
        *trace_lines(act.dice.trace),
    ]
    telling.why += why_check(prepared, f"{model.name}, Rally")
    relics = () if rallied else (*luck(act, model, failed=True), *beacon_button(model))
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, *relics, UNDO), why=tuple(telling.why))


@handles(Panic)
def test_panic(act: Act, action: Panic) -> Reply:
    """One model against a Panic Level; Upkeep rolls all that are due by itself."""
    model = named(act, action.model) if action.odds else own(act, action.model)
    leader = leader_of(model.side, fighters(act.encounter)) if action.commanded else None
    if action.commanded and leader is None:
        raise InvalidInput("The crew has no leader whose INT could be borrowed.")
    level = action.level or act.encounter.side(model.side).counters.get("panic level", 0)
    prepared = prepare_panic_test(model, level, leader, order_token=action.order, settings=settings(act))
    act.canonical = replace(action, model=f"#{model.id}", level=level, odds=False)
    if action.odds:
        plain, ordered = (
            prepare_panic_test(model, level, leader, order_token=order, settings=settings(act))
            for order in (False, True)
        )
        return passing_odds(act, model, ("holds", "INT"), _holds, (plain, ordered), act.canonical)
    if action.order:
        spend_order(act, model.side)
    whose = Whose(model.name, "panic test", f"against Panic Level {level}")
    result = act.roll(whose, panic_test, (prepared.throw,))
    telling = Telling()
    telling.follow(act, after_panic_test(model, result))
    lines = [f"{model.name} {'panics' if result.panicked else 'holds'} at panic level {level}."]
    if result.shaken:
        lines.append("Critical failure: its next INT check is at disadvantage.")
    relics = luck(act, model, failed=result.panicked, critical=result.shaken)
    why = why_check(prepared, f"{model.name}, panic")
    lines += telling.proposal_lines()
    return _told(act, [*lines, "", dice_words(prepared, "INT")], why, relics)


def _holds(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Whether the model does not panic: `panic_test` with fewer outcomes, for odds. Rules: CB-PANIC-06."""
    return not panic_test(dice, throws).panicked


def panicked_choices(encounter: Encounter, side: int) -> tuple[Choice, ...]:
    """The panicked models of a side, as choices of a menu."""
    return tuple(
        Choice(model.name, str(model.id))
        for model in fighters(encounter, side)
        if model.has(Condition.PANICKED)
    )


@handles(ClearPanic)
def clear(act: Act, action: ClearPanic) -> Reply:
    """By the leader, in its own activation; without models named a menu asks for them."""
    encounter = act.encounter
    seat = act.seat
    chosen = [fighter(encounter, encounter.model(number)) for number in action.models]
    side = chosen[0].side if chosen else (seat.side if seat else 0)
    leader = leader_of(side, fighters(encounter))
    if leader is None:
        raise InvalidInput("The crew has no leader.")
    act.require_model(encounter.model(leader.id))
    if not chosen:
        choices = panicked_choices(encounter, side)
        if not choices:
            raise InvalidInput("Nobody of the crew is panicked.")
        most = min(len(choices), leader.profile.intellect.value)
        menu = Menu("Whom does the leader steady?", ClearPanic(), "models", choices, 1, most)
        return Reply((f"{leader.name} steadies up to {most}.",), private=True, menus=(menu,))
    effects = clear_panic(leader, tuple(chosen), orders_of(encounter.side(side)))
    pay(act, leader, "steady")
    carried(encounter, effects)
    names = ", ".join(model.name for model in chosen)
    return Reply((f"{leader.name} steadies {names}.", "One action, one order token."), buttons=(UNDO,))


@offers("rally")
def _rally_button(proposal: Propose) -> tuple[str, Action]:
    return "Rally", Rally(f"#{proposal.model}")
