"""The charge at the table: declared, its odds, and the question that its target's player has not answered.

What waits for the defender is kept as the `Charge` itself; every answer leads on from there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import carry_through, could, price, settings, token_price
from bot.games.counterblast.core.fields import arm_of
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.core.owed import Debt, finds
from bot.games.counterblast.melee.charge_contact import StepIn, arrive, helpers_menu, may_help
from bot.games.counterblast.melee.charges import MOST_CHARGERS, Charge, Helpers, blows, joined, waiting
from bot.games.counterblast.melee.fight_play import blow_odds, goes_down, weighed
from bot.games.counterblast.melee.melees import Melee, prepared
from bot.games.counterblast.movement.drift_play import charge_drifts, drift_odds, may_drift
from bot.games.counterblast.movement.ground_moves import pieces_of
from bot.games.counterblast.shooting.arc_play import require_mastery
from bot.games.counterblast.shooting.snap_play import ask_snap, snap_buttons, snap_targets
from bot.games.counterblast.vehicles.vehicle_crash import charge_crash, collision_odds
from bot.replies.chances import percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.encounter import set_counter
from bot.table.steps import Chances, Weighed, in_steps
from rules.effects import Effect
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.engagement import (
    fear,
    is_ambush,
    must_be_reachable,
    prepare_fear,
    scares,
)
from rules.systems.counterblast.movement.ground import require_passable, rugged_penalty
from rules.systems.counterblast.movement.movement import burrow_cost
from rules.wording import possessive


def _sets_out_now(act: Act, action: Charge) -> None:
    """Refuses the charge of one who may not set out now."""
    price(act, action.charger, "charge", joint=bool(action.also or action.more))


@dataclass(frozen=True, slots=True)
class ReadyCharge:
    """A charge that may set out, in its one form; who charges, in its order; what it costs each."""

    declared: Charge
    chargers: tuple[Fighter, ...]
    target: Fighter
    due: tuple[tuple[Effect, ...], ...] = ()


@in_steps(Charge, may=_sets_out_now)
class Charging(Weighed[Charge, ReadyCharge]):
    """Two actions of each who charges; where the target may shoot first, its player is asked."""

    label = "Charge"

    def prepare(self, act: Act, action: Charge) -> ReadyCharge:
        """Who reaches the target, with the weapon of each. Raises InvalidInput, Forbidden."""
        target = action.target
        if len(action.others) >= MOST_CHARGERS:
            raise InvalidInput(f"At most {MOST_CHARGERS} charge together.")
        chargers = tuple(_may_charge(act, one) for one in action.each)
        numbers, sides = {model.id for model in chargers}, {model.side for model in chargers}
        if len(numbers) < len(chargers) or len(sides) > 1:
            raise InvalidInput("Name each charger once, all of one crew.")
        armed, fought = _armed(act, action, chargers)
        _require_friends(action)
        declared = replace(armed, odds=False)
        prepared(act, fought, must_be_engaged=False)
        act.canonical = declared
        joint = len(chargers) > 1
        costs = [
            _to_set_out(act, one, charger, joint=joint)
            for one, charger in zip(declared.each, chargers, strict=True)
        ]
        return ReadyCharge(declared, chargers, target, tuple(costs))

    def do(self, act: Act, action: Charge, ready: ReadyCharge) -> Reply:
        """They set out; what may happen on the way comes first."""
        declared, target, telling = ready.declared, ready.target, Telling()
        for one, charger, due in zip(declared.each, ready.chargers, ready.due, strict=True):
            carry_through(act, due)
            _sets_out(act, telling, one, charger, target)
        away = charge_drifts(act, telling, ready.chargers[0], action.inches)
        if away is not None:
            return away
        if snap_targets(act, declared, target):
            return ask_snap(act, telling, declared, target)
        return arrive(act, telling, declared)

    def chances(self, act: Act, action: Charge, ready: ReadyCharge) -> Chances:
        """The blows with the charge's bonus; a snap attack and helpers are not counted."""
        declared, target = ready.declared, ready.target
        melee = blows(act, declared)
        lines = drift_odds(act, ready.chargers[0], declared.inches)
        lines += ["Charge, once in contact:" if not declared.gap else "Charge, stopping at Reach:"]
        for one, model in zip(declared.each, ready.chargers, strict=True):
            crash = None if declared.gap else charge_crash(model, target, one.inches)
            lines += ["Collision:", *collision_odds(act, model, [target], crash), "Then:"] if crash else []
        scary = [model for model in ready.chargers if scares(model, target, settings=settings(act))]
        if not declared.gap and scary:
            fright = prepare_fear(target, settings=settings(act))
            panics = act.solve(fear, (fright.throw,)).chance(lambda kept: not kept)
            lines.append(f"Scary: {target.name} panics {percent(panics).strip()}")
            lines.append(f"If so: {goes_down(act, melee, panicked=True)}. If not:")
        for place in range(len(ready.chargers)):
            lines += blow_odds(act, melee, place)
        lines += ["Its defence is split evenly."] if len(ready.chargers) > 1 else []
        lines += _not_counted(act, declared, target)
        word, chance, hurts = weighed(act, melee)
        return Chances(tuple(lines), word, chance, hurts=hurts)


def _may_charge(act: Act, action: Charge) -> Fighter:
    """Who charges, one of those who do. Raises Forbidden, InvalidInput. Rules: CB-CHARGE-01, CB-CHARGE-03."""
    charger = action.charger
    require_passable(charger, crosses=action.impassable, under=_underground(charger, action))
    costs = action.terrain + _ground_cost(act, charger, action)
    must_be_reachable(charger, action.target, action.inches, terrain_inches=costs)
    return charger


def _armed(act: Act, action: Charge, chargers: tuple[Fighter, ...]) -> tuple[Charge, Melee]:
    """The charge with the weapon of each, the best of its own where none was named, and its blows.

    Rules: CB-FIGHT-01.
    """
    if len(chargers) > 1 and (action.gap or any(may_drift(act, one, inches=200) for one in chargers)):
        raise InvalidInput("In low gravity, and to stop at Reach, models charge one after another.")
    fought = blows(act, action)
    armed = [
        replace(one, weapon=arm_of(one.charger, pairing.weapon, settings(act)))
        for one, pairing in zip(action.each, fought.pairings, strict=True)
    ]
    _reach_is_legal(_armed_with(armed[0]), action.gap)
    return joined(armed), fought


def _armed_with(action: Charge) -> Weapon:
    assert action.weapon is not None, "its weapon is taken up"
    return action.weapon


def _to_set_out(act: Act, action: Charge, charger: Fighter, *, joint: bool) -> tuple[Effect, ...]:
    """What it costs to set out. Raises Forbidden. Rules: CB-CHARGE-01, CB-ACT-08."""
    if act.looks:
        could(act, charger, "charge")
        return token_price(act, charger, spent=action.order)
    require_mastery(act, charger, _armed_with(action))
    cost = price(act, charger, "charge", joint=joint)
    return (*cost, *token_price(act, charger, spent=action.order))


def _sets_out(act: Act, telling: Telling, action: Charge, charger: Fighter, target: Fighter) -> None:
    """What is told of it. Rules: CB-CHARGE-01."""
    from_hiding = " from hiding" if is_ambush(charger) else ""
    under = " underground" if _underground(charger, action) else ""
    set_counter(act.encounter.model(charger.id).counters, Counter.UNDERGROUND, 0)
    telling.lines.append(f"{charger.name} charges {target.name}{from_hiding}{under}, {action.inches:g} in.")


def _underground(charger: Fighter, action: Charge) -> bool:
    return bool(action.burrow or charger.count(Counter.UNDERGROUND))


def _ground_cost(act: Act, charger: Fighter, action: Charge) -> float:
    """Inches that Rugged ground takes off the charge, or the way underground.

    Rules: CB-TERR-12, CB-FEAT-13, CB-FEAT-53, CB-HAZ-05, CB-HAZ-06.
    """
    if _underground(charger, action):
        return burrow_cost(charger)
    pieces = pieces_of(action.rugged, action.ground)
    return -total(rugged_penalty(pieces, eases=charger.footing, off_ground=charger.flies))


def _reach_is_legal(weapon: Weapon, gap: float) -> None:
    if gap > weapon.reach_inches:
        forbid(f"{weapon.name} reaches {weapon.reach_inches} in, not {gap:g} in.", "CB-WEAP-07")


def _require_friends(action: Charge) -> None:
    """Who steps in is a friend of the target. Raises Forbidden. Rules: CB-CHARGE-05."""
    target, helpers = action.target, action.helpers or Helpers()
    if any(model.side != target.side for model in helpers.models):
        raise Forbidden(f"Only friends of {target.name} step in.", "CB-CHARGE-05")


@finds
def charges_left(act: Act) -> list[Debt]:
    """Charges that wait for the target's shot or its helpers. Rules: CB-CHARGE-04 to CB-CHARGE-06."""
    found = []
    for number in common.rows(act, Charge):
        if not common.is_answerable(act, number):
            continue
        declared, charger, target = waiting(act, number)
        line = f"{possessive(charger.name)} charge at {target.name} waits."
        if declared.is_asked:
            nobody = Button("Nobody", StepIn(number), "main", anytime=True)
            menu = helpers_menu(number, may_help(act, declared, target))
            found.append(Debt(target.side, line, (nobody,), (menu,)))
        else:
            found.append(Debt(target.side, line, tuple(snap_buttons(act, number, declared, target))))
    return found


def _not_counted(act: Act, declared: Charge, target: Fighter) -> list[str]:
    """What the other side may still do about it. Rules: CB-CHARGE-04, CB-CHARGE-05."""
    shot = snap_targets(act, declared, target)
    joins = not declared.gap and declared.helpers != Helpers() and may_help(act, declared, target)
    left = [what for what, may in (("its snap shot", shot), ("friends stepping in", joins)) if may]
    return [f"Not counted: {', '.join(left)}."] if left else []
