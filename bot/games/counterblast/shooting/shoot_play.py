"""Shooting at the table: from the stored statblocks to wounds, or to the exact chances of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from bot.actions import Action, with_text
from bot.games.counterblast.core.common import (
    UNDO,
    again,
    carry_through,
    could,
    named,
    order_buttons,
    otherwise,
    own,
    pay,
    price,
    settings,
    spend_order,
)
from bot.games.counterblast.core.telling import Telling, strike
from bot.games.counterblast.core.throwers import at
from bot.games.counterblast.core.words import (
    dice_words,
    harm_lines,
    trace_lines,
    why_check,
    why_impact,
    worst_words,
)
from bot.games.counterblast.gear.relic_play import luck
from bot.games.counterblast.shooting.arc_play import attacked, require_mastery, with_arc_modifier
from bot.games.counterblast.shooting.bearings import within_arc
from bot.games.counterblast.shooting.cloud_marks import cover_from
from bot.games.counterblast.shooting.compare_play import compare_button
from bot.games.counterblast.shooting.recalled import remember
from bot.games.counterblast.shooting.special_play import (
    fire_special,
    is_special,
    overloaded,
    void_fate,
    void_odds,
    wound_odds,
)
from bot.games.counterblast.shooting.strays import astray_lines
from bot.games.counterblast.shooting.volleys import Declared, Shoot, canonical, declared
from bot.games.counterblast.vehicles.vehicle_marks import crossing, owes_move
from bot.replies.chances import exactness, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.rolling.throws import each
from rules.effects import Assign
from rules.refusals import forbid
from rules.systems.counterblast.core.casualties import after_attacking
from rules.systems.counterblast.core.fighter import Counter as Counted
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.shields import UNHURT
from rules.systems.counterblast.shooting.overwatch import prepare_overwatch
from rules.systems.counterblast.shooting.shooting import (
    PreparedShot,
    PreparedVolley,
    Volley,
    prepare_volley,
)
from rules.systems.counterblast.shooting.shots import volley, volley_into_melee


def _may_shoot(act: Act, action: Shoot) -> None:
    """Refuses a plain shot of one who may take none now."""
    if action.mode == "shoot":
        price(act, own(act, action.shooter), "shoot")


@handles(Shoot, may=_may_shoot)
def shoot(act: Act, action: Shoot) -> Reply:
    """One attack: dice, shields, wounds and what follows; or its odds, to the asker alone."""
    shooter = own(act, action.shooter) if not action.odds else named(act, action.shooter)
    said = declared(act, action, shooter)
    chosen = settings(act)
    act.canonical = canonical(action, said)
    rolls = [prepare_volley(one, chosen) for one in said.volleys]
    weapon, mode = said.marks[0].weapon, said.volley.mode
    arc = within_arc(act, shooter, weapon, action.bearing, action.mount, keep=not action.odds)
    if action.odds:
        could_shoot(act, said.volley)
        return odds_reply(act, act.canonical, shooter, said)
    require_mastery(act, shooter, weapon)
    if not action.straight and crossing(said.marks):
        return ask_way(act.canonical, crossing(said.marks), shooter.name, late=action.mode == "overwatch")
    pay_for_shot(act, said.volley)
    if action.order:
        spend_order(act, shooter.side)
    for place in said.places:
        remember(act.encounter, shooter.id, place)
    telling = Telling()
    for ready in rolls:
        fire(act, telling, shooter, ready, aimed=mode == "aim")
    telling.headed(shooter)
    attacked(act, shooter.id)
    telling.follow(act, after_attacking(again(act, shooter), overwatch=mode == "overwatch"))
    shots = [one for ready in dict.fromkeys(rolls) for one in ready.shots]
    for one in shots:
        telling.why += why_check(one.parts[0], f"{shooter.name} at {one.target.name}, {one.weapon.name}")
        telling.why += why_impact(one.impact)
    if owes_move(act.encounter.model(shooter.id), act.encounter.row.turn):
        telling.lines.append("It may drive its Move now: /vehicle drive.")
    telling.why += [words for _, words in [cover_from(act.encounter, action.cloud)] if words]
    fired = [one for ready in rolls for one in ready.shots]
    whose = [one.target.name for one in fired] if len(fired) > 1 else []
    telling.lines += [
        "",
        *_dice_lines(shots),
        *said.told,
        *arc,
        *trace_lines(act.dice.trace, whose),
        *telling.proposal_lines(),
    ]
    more = luck(act, shooter, failed=not telling.hits)
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, *more, UNDO), why=tuple(telling.why))


def ask_way(action: Action, vehicle: str, shooter: str, *, late: bool = False) -> Reply:
    """How a moving vehicle moves, which only the players see; `action` has the field straight.

    late: the shot may be fired although the game has moved on. Rules: CB-VEH-30.
    """
    across, straight = with_text(action, {"straight": "no"}), with_text(action, {"straight": "yes"})
    return Reply(
        (f"{vehicle} moves, as {shooter} sees it:",),
        private=True,
        buttons=(
            Button("Across: disadvantage", across, "main", anytime=late),
            Button("Straight at or away", straight, "main", anytime=late),
        ),
    )


def pay_for_shot(act: Act, declaration: Volley, *, joint: bool = False) -> None:
    """What the shot costs; a shot out of turn costs no action, and Telekinesis was the Move of a Run and Gun.

    A snap attack is asked for when a charge is declared: typed, it would be a free shot at any time.
    joint: several shoot together. Rules: CB-ACT-08, CB-CHARGE-04, CB-OVER-02, CB-PSI-24.
    """
    mode, shooter = declaration.mode, declaration.shooter
    if mode == "snap" and act.encounter.row.turn:
        forbid("A snap attack answers a charge: press it when a charge asks; else shoot.", "CB-CHARGE-04")
    if mode == "overwatch" and act.encounter.row.turn:
        prepare_overwatch(shooter, declaration.marks[0], dark=declaration.dark, settings=settings(act))
    elif mode == "run_and_gun" and shooter.count(Counted.LIFTED):
        pay(act, shooter, "shoot", joint=joint)
        carry_through(act, [Assign("model", shooter.id, Counted.LIFTED, 0)])
    elif mode not in ("snap", "overwatch"):
        pay(act, shooter, mode, joint=joint)


def could_shoot(act: Act, declaration: Volley) -> None:
    """What the shot asks of its model, asked for its chances. Raises Forbidden."""
    mode, shooter = declaration.mode, declaration.shooter
    if mode not in ("snap", "overwatch"):
        lifted = mode == "run_and_gun" and shooter.count(Counted.LIFTED)
        could(act, shooter, "shoot" if lifted else mode)


def fire(act: Act, telling: Telling, shooter: Fighter, prepared: PreparedVolley, *, aimed: bool) -> None:
    """One full roll of a volley, what strays into a melee, and a weapon that overloads.

    Rules: CB-SHOOT-01, CB-SHOOT-10, CB-WEAP-37.
    """
    if is_special(prepared.shots[0].weapon):
        for one in prepared.shots:
            fire_special(act, telling, shooter, one, aimed=aimed)
        return
    beside = [named(act, f"#{one.stray.target}").name if one.stray else "" for one in prepared.shots]
    owners = [
        at(shooter.name, one.target.name, friend) for one, friend in zip(prepared.shots, beside, strict=True)
    ]
    if any(beside):
        rolled = act.roll(each(*owners, *owners), volley_into_melee, prepared.into_melee, aimed)
    else:
        rolled = tuple((result, UNHURT) for result in act.roll(each(*owners), volley, prepared.rolls))
    for one, (result, astray) in zip(prepared.shots, rolled, strict=True):
        strike(act, telling, shooter, again(act, one.target), one.weapon, result.suffered)
        with_arc_modifier(act, telling, one.parts[0].throw.modifier)
        if one.stray is not None and astray.hits:
            neighbour = named(act, f"#{one.stray.target}")
            strike(act, telling, shooter, neighbour, one.weapon, astray)
    overloaded(act, telling, shooter, prepared, [result for result, _ in rolled])


def _dice_lines(shots: list[PreparedShot]) -> list[str]:
    return [f"{dice_words(one.parts[0], 'AGL')}, {one.weapon.name}" for one in shots]


def odds_reply(act: Act, action: Shoot, shooter: Fighter, said: Declared) -> Reply:
    """The chances of every number of wounds on every target, and buttons that shoot."""
    chosen, rolls = settings(act), Counter(said.volleys)
    ready = {one: prepare_volley(one, chosen) for one in rolls}
    lines: list[str] = []
    for one, times_rolled in rolls.items():
        for aimed in ready[one].shots:
            lines += shot_odds(act, shooter, aimed, times_rolled)
    lines += said.told
    lines += astray_lines(act, [ready[one] for one in said.volleys], aimed=said.volley.mode == "aim")
    other = otherwise(act, shooter.side, order=action.order)
    if other:
        turned = said.ordered(order=not action.order)
        shots = [
            (one, often)
            for each_roll, often in Counter(turned.volleys).items()
            for one in prepare_volley(each_roll, chosen).shots
        ]
        if len(shots) == 1:
            lines.append(f"{other}: {_worst(act, *shots[0])}")
        else:
            lines += [
                f"{other}:",
                *(f"  {one.target.name} {_worst(act, one, often)}" for one, often in shots),
            ]
    buttons = order_buttons(act, shooter.side, "Shoot", action)
    if not action.straight and crossing(said.marks):
        lines.append(f"{crossing(said.marks)} is taken to move across.")
        buttons.append(Button("It moves straight", replace(action, straight="yes", odds=True)))
    first = said.marks[0]
    buttons.append(compare_button(shooter, first.target, action.distance, action.cover))
    return Reply((*lines, "Nothing is rolled."), private=True, buttons=tuple(buttons))


def shot_odds(act: Act, shooter: Fighter, one: PreparedShot, rolls: int = 0) -> list[str]:
    """The dice of a shot and the chances of every number of wounds. rolls: full ones; 0: its weapon's."""
    target = one.target
    cover = next((part.amount for part in one.impact.shields if part.rule == "CB-TERR-05"), 0)
    lines = [
        f"{shooter.name} -> {target.name}{f', cover {cover}' if cover else ''}",
        f"{dice_words(one.parts[0], 'AGL')}, {one.weapon.name}",
    ]
    if one.weapon.has_effect("void"):
        return [*lines, *void_odds(act, one)]
    odds = wound_odds(act, one, rolls)
    return [*lines, *harm_lines(odds, one.weapon, target), exactness(odds)]


def _worst(act: Act, one: PreparedShot, rolls: int) -> str:
    """The worst that a shot may do to its target, with its chance."""
    if one.weapon.has_effect("void"):
        return f"gone {percent(void_fate(act, one).chance(lambda fate: fate == 'removed')).strip()}"
    return worst_words(wound_odds(act, one, rolls), one.weapon, one.target)
