"""Shots out of turn: at a charge before contact, and from Overwatch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import again, carry_through, orders_of, settings, token_price
from bot.games.counterblast.core.contact import join_names
from bot.games.counterblast.core.narration import Telling, apply_attack
from bot.games.counterblast.core.wording import at, dice_words, hurt_words, trace_lines, why_check, why_impact
from bot.games.counterblast.melee.charges import Charge, arrive, require_waiting_charge
from bot.games.counterblast.shooting.arcs import with_arc_modifier
from bot.games.counterblast.state.ground import is_airless
from bot.games.counterblast.state.table_state import EncounterState
from bot.games.counterblast.state.vehicles import apply_vehicle_edges
from bot.replies.chances import exactness
from bot.replies.reply import Button, Note, Reply
from bot.table.act import Act, ActView
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import ANYONE, in_play
from bot.table.steps import Chances, Weighed, in_steps
from rules.dice import Odds
from rules.effects import Effect
from rules.refusals import InvalidInput, is_allowed
from rules.systems.counterblast.core.conditions import end_attacker_conditions
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.engagement import may_snap_attack
from rules.systems.counterblast.shooting.shooting import (
    Mark,
    PreparedVolley,
    Volley,
    attack_rolls,
    prepare_volley,
)
from rules.systems.counterblast.shooting.shots import shot_wounds, volley
from rules.wording import possessive


def snap_volley(
    act: ActView, shooter: Fighter, charger: Fighter, weapon: Weapon, inches: float, order: bool
) -> PreparedVolley:
    """Return the shot as late as it helps: before contact, so within short range, straight on.

    Raises InvalidInput, Forbidden. Rules: CB-CHARGE-04.
    """
    counters = act.encounter.row.counters
    shot_inches = min(inches, weapon.short_range_inches)
    return prepare_volley(
        Volley(
            shooter,
            (apply_vehicle_edges(act.encounter, shooter, Mark(charger, weapon, shot_inches), straight=True),),
            "snap",
            dark=bool(counters.get(EncounterState.dark.key)),
            vacuum=bool(counters.get(EncounterState.vacuum.key)),
            underwater=is_airless(act.encounter, shooter),
            order_token=order,
        ),
        settings(act),
    )


def snap_weapons(act: ActView, shooter: Fighter, charger: Fighter) -> list[tuple[int, Weapon]]:
    """Return the weapons that a charged model may shoot with, each with its place. Rules: CB-CHARGE-04."""
    weapons = []
    for place, weapon in enumerate(shooter.weapons, 1):
        if is_allowed(snap_volley, act, shooter, charger, weapon, 0, order=False):
            weapons.append((place, weapon))
    return weapons


def snap_shot(
    act: Act, telling: Telling, shooter: Fighter, charger: Fighter, weapon: Weapon, ready: PreparedVolley
) -> None:
    """Roll the shot at a charger and carry it through. Rules: CB-CHARGE-04."""
    prepared_shot = ready.shots[0]
    trace_start = len(act.dice.trace)
    for _ in range(attack_rolls(weapon)):
        result = act.roll(at(shooter.name, charger.name), volley, ready.rolls)[0]
        apply_attack(act, telling, shooter, again(act, charger), weapon, result.suffered)
    with_arc_modifier(act, telling, prepared_shot.parts[0].throw.modifier)
    telling.follow(act, end_attacker_conditions(again(act, shooter)))
    telling.lines.append(f"Snap attack: {dice_words(prepared_shot.parts[0], 'AGL')}, {weapon.name}")
    telling.lines += [*trace_lines(act.dice.trace[trace_start:]), ""]
    telling.why += why_check(
        prepared_shot.parts[0], f"{possessive(shooter.name)} snap attack on {charger.name}"
    )
    telling.why += why_impact(prepared_shot.impact)


@dataclass(frozen=True, slots=True)
class Snap(Action):
    """The target shoots before contact. weapon: which of its ranged ones.

    at: the target among several chargers, or 0 for the first. charger, target and tenths are told by the
    charge; the log keeps them.
    """

    command = "cb.snap"
    facts = frozenset({"tenths"})
    decision_of = in_play("the side being charged")

    row: int = 0
    weapon: int = 0
    order: bool = False
    charger: int = 0
    target: int = 0
    tenths: int = 0
    at: int = 0


@dataclass(frozen=True, slots=True)
class SnapOdds(Action):
    """The chances of the shots that the target may make before contact."""

    command = "cb.snap-odds"
    decision_of = ANYONE

    row: int = 0
    odds: bool = True


@dataclass(frozen=True, slots=True)
class LetCome(Action):
    """The target does not shoot; the charge arrives."""

    command = "cb.let-come"
    decision_of = in_play("the side being charged")

    row: int = 0


def snap_targets(act: ActView, declared: Charge, target: Fighter) -> list[tuple[Fighter, float]]:
    """Return the chargers that the target may shoot first, and how far away each set out.

    Rules: CB-CHARGE-04.
    """
    chargers_with_inches = [(again(act, charge.charger), charge.inches) for charge in declared.each]
    return [
        (charger, inches)
        for charger, inches in chargers_with_inches
        if may_snap_attack(charger, target, inches) and snap_weapons(act, target, charger)
    ]


def ask_snap(act: Act, telling: Telling, declared: Charge, target: Fighter) -> Reply:
    """Store the charge until the target's player has answered. Rules: CB-CHARGE-04."""
    number = common.store_pending(act, declared.charger.side, declared)
    aim_text = " at one of them" if declared.more else ""
    telling.lines.append(f"{target.name} can shoot{aim_text} first, with a -2 penalty.")
    reply = Reply(tuple(telling.lines), buttons=(*snap_buttons(act, number, declared, target), UNDO))
    return reply.minor(not act.has_rolled)


def snap_buttons(act: Act, number: int, declared: Charge, target: Fighter) -> list[Button]:
    """Return the possible answers and the odds; number: the charge that waits."""
    return [*snap_answers(act, number, declared, target), Button("Odds", SnapOdds(number), anytime=True)]


def snap_answers(act: Act, number: int, declared: Charge, target: Fighter) -> list[Button]:
    """Return the answers: allow it, or shoot with each weapon that can. Rules: CB-CHARGE-04, CB-ORDER-05."""
    tokens = orders_of(act.encounter.side(target.side))
    buttons = [Button("Don't shoot", LetCome(number), "main", anytime=True)]
    for charger, _ in snap_targets(act, declared, target):
        charger_id, shoot_at = (charger.id, f"Shoot {charger.name}") if declared.more else (0, "Shoot")
        for place, weapon in snap_weapons(act, target, charger):
            shot_action = Snap(number, place, at=charger_id)
            buttons.append(Button(f"{shoot_at}: {weapon.name}"[:80], shot_action, anytime=True))
            if tokens:
                order_label = f"{shoot_at}: {weapon.name} with an order token (+1)"
                buttons.append(Button(order_label[:80], replace(shot_action, order=True), anytime=True))
    return buttons


@handles(SnapOdds)
def snap_odds(act: Act, action: SnapOdds) -> Reply:
    """Show the odds to the person for each charger and weapon, and with an order token if there is one."""
    declared, _, target = require_waiting_charge(act, action.row)
    tokens = orders_of(act.encounter.side(target.side))
    lines, solved = [f"If {target.name} shoots first:"], list[Odds[Any]]()
    for charger, _ in snap_targets(act, declared, target):
        lines += [f"At {charger.name}:"] if declared.more else []
        for place, weapon in snap_weapons(act, target, charger):
            for order in (False, True) if tokens else (False,):
                ready = ready_snap(act, Snap(action.row, place, order, at=charger.id))
                chances = snap_chances(act, ready)
                solved += chances.solved
                lines.append(f"{weapon.name}{' (order token +1)' if order else ''}: {chances.lines[0]}")
    buttons = snap_answers(act, action.row, declared, target) if act.plays_on(target.side) else ()
    lines += [exactness(*solved), Note("No dice were rolled.")]
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))


@dataclass(frozen=True, slots=True)
class ReadySnap:
    """A shot at one who charges that may be fired, and what a token costs."""

    declared: Charge
    shooter: Fighter
    charger: Fighter
    weapon: Weapon
    inches: float
    volley: PreparedVolley
    token: tuple[Effect, ...]


def ready_snap(act: ActView, action: Snap) -> ReadySnap:
    """Return the shot as the rules see it. Raises InvalidInput, Forbidden. Rules: CB-CHARGE-04."""
    declared, first_charger, target = require_waiting_charge(act, action.row)
    if declared.is_asked:
        raise InvalidInput("The charge has already made contact, so it is too late to shoot.")
    possible_targets = {
        charger.id: (charger, inches) for charger, inches in snap_targets(act, declared, target)
    }
    if (action.at or first_charger.id) not in possible_targets:
        raise InvalidInput(f"Choose another charger. {target.name} can't shoot at that charger.")
    charger, inches = possible_targets[action.at or first_charger.id]
    weapon = dict(snap_weapons(act, target, charger)).get(action.weapon)
    if weapon is None:
        raise InvalidInput(f"Choose another weapon. {target.name} can't shoot with that weapon.")
    shot = snap_volley(act, target, charger, weapon, inches, action.order)
    token = token_price(act, target, spent=action.order)
    return ReadySnap(declared, target, charger, weapon, inches, shot, token)


def snap_chances(act: ActView, ready: ReadySnap) -> Chances:
    """Return the effects of one roll on the charger. Rules: CB-CHARGE-04."""
    odds = act.solve(shot_wounds, ready.volley.shots[0].shot)
    return Chances((hurt_words(odds, ready.charger, ready.weapon),), solved=(odds,))


@in_steps(Snap)
class Snapping(Weighed[Snap, ReadySnap]):
    """One free shot at -2, at one of those who charge; if it goes down, its charge ends."""

    label = "Shoot"

    def prepare(self, act: ActView, action: Snap) -> ReadySnap:
        """Return the shot of the charge's target. Raises InvalidInput, Forbidden."""
        _, _, target = require_waiting_charge(act, action.row)
        if not act.action.looks:
            act.require_model(act.encounter.model(target.id))
        return ready_snap(act, action)

    def do(self, act: Act, action: Snap, ready: ReadySnap) -> Reply:
        declared, charger, target = ready.declared, ready.charger, ready.shooter
        tenths = round(ready.inches * 10)
        act.canonical = Snap(0, action.weapon, action.order, charger.id, target.id, tenths)
        carry_through(act, ready.token)
        common.remove_waiting_action(act, action.row)
        telling = Telling()
        snap_shot(act, telling, target, charger, ready.weapon, ready.volley)
        if not again(act, charger).is_incapacitated:
            return arrive(act, telling, declared)
        remaining_charge = declared.without(charger.id)
        if remaining_charge is not None:
            telling.lines.append(f"{possessive(charger.name)} charge ends.")
            return arrive(act, telling, remaining_charge)
        telling.lines += ["The charge ends.", *telling.proposal_lines()]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))

    def chances(self, act: ActView, action: Snap, ready: ReadySnap) -> Chances:
        return snap_chances(act, ready)


@handles(LetCome)
def let_come(act: Act, action: LetCome) -> Reply:
    """Finish the charge without a shot."""
    declared, _, target = require_waiting_charge(act, action.row)
    act.require_model(act.encounter.model(target.id))
    act.canonical = replace(declared, helpers=None)
    common.remove_waiting_action(act, action.row)
    charger_names = join_names([charge.charger for charge in declared.each])
    return arrive(act, Telling([f"{target.name} doesn't shoot at {charger_names}."]), declared)
