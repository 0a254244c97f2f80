"""A charge that arrives: fear, who steps in beside the target, and then the blows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import again, carry_through, settings
from bot.games.counterblast.core.fighters import fighter, fighters
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.core.words import dice_words, trace_lines, why_check
from bot.games.counterblast.melee.answers import ask_or_fight
from bot.games.counterblast.melee.charges import ASKED, Charge, blows, joined, waiting
from bot.games.counterblast.melee.contact import names, touch
from bot.games.counterblast.shooting.recalled import forget
from bot.games.counterblast.vehicles.vehicle_crash import charged
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.rolling.throws import Whose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.melee.engagement import after_fear, fear, may_step_in, prepare_fear, scares

BESIDE = 1_000_000
"""In a menu of who steps in a choice is the helper's number, plus this times the place of the charger."""


@dataclass(frozen=True, slots=True)
class StepIn(Action):
    """Friends of the target within 1 in step into contact with a charger; nobody where none is named.

    models: their numbers, each plus BESIDE times the place of the charger that it steps up to.
    """

    command = "cb.step-in"
    decision_of = in_play("the side that is charged")

    row: int = 0
    models: tuple[int, ...] = fields.unordered()


Helper = tuple[Fighter, int, Fighter]
"""Who may step in, the place of a charger among those who charge, and that charger."""


def helpers_menu(number: int, near: list[Helper]) -> Menu:
    """Asks who steps in, of those who may; number: the charge that waits. Rules: CB-CHARGE-05."""
    chargers = {charger.id: charger for _, _, charger in near}
    alone = len(chargers) == 1
    choices = tuple(
        Choice(
            helper.name if alone else f"{helper.name} to {charger.name}",
            str(helper.id + BESIDE * place),
        )
        for helper, place, charger in near
    )
    prompt = f"Who is within 1 in of {names(list(chargers.values()))}?"
    return Menu(prompt, StepIn(number), "models", choices, 1, len(choices), anytime=True)


def arrive(act: Act, telling: Telling, declared: Charge) -> Reply:
    """Bases touch: fear, then helpers are asked for, or the blows fall.

    Who does not come so far leaves the charges of the others as they are. Rules: CB-CHARGE-04, CB-CHARGE-06.
    """
    target = again(act, declared.target)
    if declared.gap:
        return ask_or_fight(act, telling, blows(act, declared))
    there = [one for one in declared.each if _in_contact(act, telling, one, target)]
    if not there or again(act, target).is_incapacitated:
        telling.lines += ["The charge ends.", *telling.proposal_lines()]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    declared = joined(there)
    if declared.helpers is not None:
        helpers = [again(act, one) for one in declared.helpers.models]
        return _stepped_in(act, telling, declared, [(one, _beside(act, declared, one)) for one in helpers])
    near = may_help(act, declared, target)
    if not near:
        return ask_or_fight(act, telling, blows(act, declared))
    act.minor = act.roller is None or not act.roller.record
    number = common.keep(act, declared.charger.side, replace(declared, helpers=ASKED))
    menu = helpers_menu(number, near)
    telling.lines.append(f"Contact. {act.encounter.side(target.side).name}: who steps in?")
    return Reply(
        tuple(telling.lines),
        buttons=(Button("Nobody", StepIn(number), "main", anytime=True), UNDO),
        menus=(menu,),
        why=tuple(telling.why),
    )


def _in_contact(act: Act, telling: Telling, one: Charge, target: Fighter) -> bool:
    """One of those who charge touches the target, which may be frightened; whether it came so far."""
    charger, target = again(act, one.charger), again(act, target)
    if target.is_incapacitated:
        return False
    charged(act, telling, charger, target, one.inches)
    charger, target = again(act, charger), again(act, target)
    if charger.is_incapacitated or target.is_incapacitated:
        return False
    touch(act, charger, target)
    if scares(charger, target, settings=settings(act)):
        _frighten(act, telling, again(act, target))
    return True


def _frighten(act: Act, telling: Telling, target: Fighter) -> None:
    ready = prepare_fear(target, settings=settings(act))
    mark = len(act.dice.trace)
    kept = act.roll(Whose(target.name, "INT check", "against fear"), fear, (ready.throw,))
    telling.proposals += carry_through(act, after_fear(target, kept))
    telling.lines.append(f"{target.name} {'holds' if kept else 'panics'} (Scary).")
    telling.lines += [dice_words(ready, "INT"), *trace_lines(act.dice.trace[mark:])]
    telling.why += why_check(ready, f"{target.name}, Scary")


def may_help(act: Act, declared: Charge, target: Fighter) -> list[Helper]:
    """Friends of the target who may step up to a charger, if they stand near enough."""
    chargers = [again(act, one.charger) for one in declared.each]
    return [
        (model, place, charger)
        for place, charger in enumerate(chargers)
        for model in fighters(act.encounter, target.side)
        if model.id != target.id and may_step_in(model, charger, 0)
    ]


def _beside(act: Act, declared: Charge, helper: Fighter) -> int:
    """The place of the charger that a helper named by itself steps up to: the first that it may."""
    chargers = [again(act, one.charger) for one in declared.each]
    return next((place for place, one in enumerate(chargers) if may_step_in(helper, one, 0)), 0)


@handles(StepIn)
def step_in(act: Act, action: StepIn) -> Reply:
    """The target's player says who; then the blows fall."""
    declared, _, target = waiting(act, action.row)
    act.require_side(target.side)
    if not declared.is_asked:
        raise InvalidInput("The charge has not arrived yet.")
    chosen = []
    for number in action.models:
        place, model = divmod(number, BESIDE)
        if place >= len(declared.each):
            raise InvalidInput("Nobody charges there.")
        chosen.append((fighter(act.encounter, act.encounter.model(model)), place))
    common.settle(act, action.row)
    chargers = names([one.charger for one in declared.each])
    telling = Telling([f"{chargers} {'charge' if declared.more else 'charges'} {target.name}."])
    return _stepped_in(act, telling, declared, chosen)


def _stepped_in(act: Act, telling: Telling, declared: Charge, chosen: list[tuple[Fighter, int]]) -> Reply:
    target = declared.target
    for one, place in chosen:
        helper, charger = again(act, one), again(act, declared.each[place].charger)
        if helper.side != target.side or not may_step_in(helper, charger, 0):
            forbid(f"{helper.name} cannot step in: engaged or out of action.", "CB-CHARGE-05")
        touch(act, helper, charger)
        forget(act.encounter, helper.id)
    if chosen:
        helpers = names([one for one, _ in chosen])
        telling.lines.append(f"{helpers} {'steps' if len(chosen) == 1 else 'step'} in.")
    return ask_or_fight(act, telling, blows(act, declared))
