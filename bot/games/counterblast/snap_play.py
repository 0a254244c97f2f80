"""The shot that the target of a charge may make before contact."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast import pending
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.charge_contact import arrive
from bot.games.counterblast.charges import Charge, waiting
from bot.games.counterblast.common import UNDO, again, orders_of, spend_order
from bot.games.counterblast.reactions import snap_chances, snap_shot, snap_weapons
from bot.games.counterblast.words import hurt_words
from bot.replies.chances import exactness
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from rules.refusals import InvalidInput
from rules.systems.counterblast.fighter import Fighter


@dataclass(frozen=True, slots=True)
class Snap(Action):
    """The target shoots before contact. weapon: which of its ranged ones.

    charger, target and tenths are told by the charge; the log keeps them.
    """

    command = "cb.snap"

    row: int = 0
    weapon: int = 0
    order: bool = False
    charger: int = 0
    target: int = 0
    tenths: int = 0


@dataclass(frozen=True, slots=True)
class SnapOdds(Action):
    """The chances of the shots that the target may make before contact."""

    command = "cb.snap-odds"

    row: int = 0
    odds: bool = True


@dataclass(frozen=True, slots=True)
class LetCome(Action):
    """The target does not shoot; the charge arrives."""

    command = "cb.let-come"

    row: int = 0


def ask_snap(act: Act, telling: Telling, declared: Charge, charger: Fighter, target: Fighter) -> Reply:
    """Keep the charge until the target's player has answered. Rules: CB-CHARGE-04."""
    act.minor = act.roller is None or not act.roller.record
    number = pending.keep(act, charger.side, declared)
    telling.lines.append(f"{target.name} may shoot first, at -2.")
    return Reply(tuple(telling.lines), buttons=(*snap_buttons(act, number, charger, target), UNDO))


def snap_buttons(act: Act, number: int, charger: Fighter, target: Fighter) -> list[Button]:
    """Let it come, each weapon that may shoot, and the odds; number: the charge that waits.

    Rules: CB-CHARGE-04, CB-ORDER-05.
    """
    tokens = orders_of(act.encounter.side(target.side))
    buttons = [Button("Let it come", LetCome(number), "main", anytime=True)]
    for place, weapon in snap_weapons(act, target, charger):
        buttons.append(Button(f"Shoot: {weapon.name}", Snap(number, place), anytime=True))
        if tokens:
            buttons.append(Button(f"{weapon.name} +1 (order)", Snap(number, place, order=True), anytime=True))
    return [*buttons, Button("Odds", SnapOdds(number), anytime=True)]


@handles(SnapOdds)
def snap_odds(act: Act, action: SnapOdds) -> Reply:
    """To whoever asks: for each weapon, and with an order token where there is one."""
    declared, charger, target = waiting(act, action.row)
    tokens = orders_of(act.encounter.side(target.side))
    lines, solved = [f"{target.name} shoots first:"], []
    for _, weapon in snap_weapons(act, target, charger):
        for order in (False, True) if tokens else (False,):
            odds = snap_chances(act, target, charger, weapon, declared.inches, order=order)
            solved.append(odds)
            lines.append(f"{weapon.name}{' +1' if order else ''}: {hurt_words(odds, charger, weapon)}")
    return Reply((*lines, exactness(*solved), "Nothing is rolled."), private=True)


@handles(Snap)
def snap(act: Act, action: Snap) -> Reply:
    """One free shot at -2; if the charger goes down, the charge ends."""
    declared, charger, target = waiting(act, action.row)
    act.require_model(act.encounter.model(target.id))
    if declared.helpers.startswith("?"):
        raise InvalidInput("The charge has arrived: too late to shoot.")
    weapon = dict(snap_weapons(act, target, charger)).get(action.weapon)
    if weapon is None:
        raise InvalidInput(f"{target.name} cannot shoot with that.")
    act.canonical = Snap(0, action.weapon, action.order, charger.id, target.id, round(declared.inches * 10))
    if action.order:
        spend_order(act, target.side)
    pending.settle(act, action.row)
    telling = Telling()
    snap_shot(act, telling, target, charger, weapon, declared.inches, order=action.order)
    if again(act, charger).is_incapacitated:
        telling.lines += ["The charge ends.", *telling.proposal_lines()]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    return arrive(act, telling, declared)


@handles(LetCome)
def let_come(act: Act, action: LetCome) -> Reply:
    """The charge arrives without a shot."""
    declared, charger, target = waiting(act, action.row)
    act.require_model(act.encounter.model(target.id))
    act.canonical = replace(declared, helpers="")
    pending.settle(act, action.row)
    return arrive(act, Telling([f"{target.name} lets {charger.name} come."]), declared)
