"""A charge that arrives: fear, who steps in beside the target, and then the blows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast import pending
from bot.games.counterblast.answers import ask_or_fight
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.charges import NOBODY, Charge, blows, waiting
from bot.games.counterblast.common import UNDO, again, carry_through, named, settings
from bot.games.counterblast.contact import names, touch
from bot.games.counterblast.fighters import fighter, fighters
from bot.games.counterblast.vehicle_crash import charged
from bot.games.counterblast.words import dice_words, trace_lines, why_check
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.throws import Whose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.charge import after_fear, fear, may_step_in, prepare_fear, scares
from rules.systems.counterblast.fighter import Fighter


@dataclass(frozen=True, slots=True)
class StepIn(Action):
    """Friends of the target within 1 in step into contact with the charger; nobody where none is named."""

    command = "cb.step-in"

    row: int = 0
    models: tuple[int, ...] = ()


def helpers_menu(number: int, charger: Fighter, near: list[Fighter]) -> Menu:
    """Asks who steps in, of those who may; number: the charge that waits. Rules: CB-CHARGE-05."""
    choices = tuple(Choice(model.name, str(model.id)) for model in near)
    prompt = f"Who is within 1 in of {charger.name}?"
    return Menu(prompt, StepIn(number), "models", choices, 1, len(choices), anytime=True)


def arrive(act: Act, telling: Telling, declared: Charge) -> Reply:
    """Bases touch: fear, then helpers are asked for, or the blows fall."""
    charger, target = named(act, declared.charger), named(act, declared.target)
    if declared.gap:
        return ask_or_fight(act, telling, blows(act, declared))
    charged(act, telling, charger, target, declared.inches)
    charger, target = again(act, charger), again(act, target)
    if charger.is_incapacitated or target.is_incapacitated:
        telling.lines += ["The charge ends.", *telling.proposal_lines()]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    touch(act, charger, target)
    if scares(charger, target, settings=settings(act)):
        _frighten(act, telling, again(act, target))
    if declared.helpers:
        chosen = [] if declared.helpers == NOBODY else declared.helpers.split(",")
        return _stepped_in(act, telling, declared, [named(act, one) for one in chosen])
    near = may_help(act, charger, target)
    if not near:
        return ask_or_fight(act, telling, blows(act, declared))
    act.minor = act.roller is None or not act.roller.record
    number = pending.keep(act, charger.side, replace(declared, helpers="?"))
    menu = helpers_menu(number, charger, near)
    telling.lines.append(f"Contact. {act.encounter.side(target.side).name}: who steps in?")
    return Reply(
        tuple(telling.lines),
        buttons=(Button("Nobody", StepIn(number), "main", anytime=True), UNDO),
        menus=(menu,),
        why=tuple(telling.why),
    )


def _frighten(act: Act, telling: Telling, target: Fighter) -> None:
    ready = prepare_fear(target, settings=settings(act))
    mark = len(act.dice.trace)
    kept = act.roll(Whose(target.name, "INT check", "against fear"), fear, (ready.throw,))
    telling.proposals += carry_through(act, after_fear(target, kept))
    telling.lines.append(f"{target.name} {'holds' if kept else 'panics'} (Scary).")
    telling.lines += [dice_words(ready, "INT"), *trace_lines(act.dice.trace[mark:])]
    telling.why += why_check(ready, f"{target.name}, Scary")


def may_help(act: Act, charger: Fighter, target: Fighter) -> list[Fighter]:
    """Friends of the target who may step in, if they stand near enough."""
    return [
        model
        for model in fighters(act.encounter, target.side)
        if model.id != target.id and may_step_in(model, charger, 0)
    ]


@handles(StepIn)
def step_in(act: Act, action: StepIn) -> Reply:
    """The target's player says who; then the blows fall."""
    declared, charger, target = waiting(act, action.row)
    act.require_side(target.side)
    if declared.helpers != "?":
        raise InvalidInput("The charge has not arrived yet.")
    chosen = [fighter(act.encounter, act.encounter.model(number)) for number in action.models]
    pending.settle(act, action.row)
    telling = Telling([f"{charger.name} charges {target.name}."])
    return _stepped_in(act, telling, declared, chosen)


def _stepped_in(act: Act, telling: Telling, declared: Charge, chosen: list[Fighter]) -> Reply:
    charger, target = named(act, declared.charger), named(act, declared.target)
    for helper in chosen:
        if helper.side != target.side or not may_step_in(helper, charger, 0):
            forbid(f"{helper.name} cannot step in: engaged or out of action.", "CB-CHARGE-05")
        touch(act, again(act, helper), again(act, charger))
    if chosen:
        telling.lines.append(f"{names(chosen)} {'steps' if len(chosen) == 1 else 'step'} in.")
    return ask_or_fight(act, telling, blows(act, declared))
