"""Shooting at the table: from the stored statblocks to wounds, or to the exact chances of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action, with_text
from bot.games.counterblast.arc_play import attacked, require_mastery, with_arc_modifier
from bot.games.counterblast.arms import firearms
from bot.games.counterblast.attacks import Telling, strike
from bot.games.counterblast.bearings import within_arc
from bot.games.counterblast.cloud_marks import cover_from
from bot.games.counterblast.common import (
    UNDO,
    again,
    carry_through,
    named,
    order_buttons,
    otherwise,
    own,
    pay,
    settings,
    spend_order,
)
from bot.games.counterblast.compare_play import compare_button
from bot.games.counterblast.fighters import weapon_named
from bot.games.counterblast.marks import DARK, VACUUM, airless
from bot.games.counterblast.relic_play import luck
from bot.games.counterblast.special_play import (
    fire_special,
    is_special,
    overloaded,
    void_fate,
    void_odds,
    wound_odds,
)
from bot.games.counterblast.strays import astray_lines, whom_misses_hit
from bot.games.counterblast.throwers import at
from bot.games.counterblast.vehicle_marks import as_target, crossing, owes_move
from bot.games.counterblast.words import (
    dice_words,
    exactness,
    harm_lines,
    trace_lines,
    why_check,
    why_impact,
    worst_words,
)
from bot.replies.chances import percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.throws import each
from rules.effects import Assign
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.casualties import after_attacking
from rules.systems.counterblast.fighter import Counter, Fighter
from rules.systems.counterblast.overwatch import prepare_overwatch
from rules.systems.counterblast.profile import Weapon
from rules.systems.counterblast.settings import Settings
from rules.systems.counterblast.shields import UNHURT
from rules.systems.counterblast.shooting import (
    Mark,
    Mode,
    PreparedShot,
    PreparedVolley,
    Volley,
    attack_rolls,
    prepare_volley,
    shooting_pool,
)
from rules.systems.counterblast.shots import volley, volley_into_melee

MODES: dict[str, Mode] = {
    "shoot": "shoot",
    "aim": "aim",
    "run and gun": "run_and_gun",
    "overwatch": "overwatch",
    "snap": "snap",
    "full auto": "full_auto",
}


@dataclass(frozen=True, slots=True)
class Shoot(Action):
    """Shoot. Models by name or #number; distances in inches; dice: how many of them at the first target.

    target2 gets the rest of the dice, or the second roll of a weapon that fires twice; weapon2: a second
    pistol, at target2 or at the same target. friend: whom misses hit in a melee, after a comma whom those at
    target2. straight: yes or no, whether a moving vehicle comes or goes straight; empty: ask where it
    matters. bearing: degrees of the target from the middle of the weapon's arc.
    mount: how the weapon is mounted. cloud: one in the way, and after a colon how it lies.
    """

    command = "cb.shoot"
    facts = frozenset({"distance", "cover", "distance2", "cover2", "friend"})

    shooter: str = ""
    target: str = ""
    distance: float = 0.0
    cover: int = 0
    weapon: str = ""
    mode: str = "shoot"
    order: bool = False
    friend: str = ""
    target2: str = ""
    distance2: float = 0.0
    cover2: int = 0
    dice: int = 0
    odds: bool = False
    weapon2: str = ""
    straight: str = ""
    bearing: float = 0.0
    mount: str = ""
    cloud: str = ""


def ranged_weapon(shooter: Fighter, text: str, inches: float = 0) -> Weapon:
    """The weapon named, or the first that shoots at one model and reaches so far. Raises InvalidInput."""
    if text:
        return weapon_named(shooter, text)
    fit = firearms(shooter)
    if not fit:
        raise InvalidInput(f"{shooter.name} has nothing to shoot with.")
    return next((weapon for weapon in fit if weapon.range_inches >= inches), fit[0])


def declared(act: Act, action: Shoot, shooter: Fighter) -> Volley:
    """The volley as the rules see it."""
    if action.mode not in MODES:
        raise InvalidInput(f"Ways to shoot: {', '.join(MODES)}.")
    weapon = ranged_weapon(shooter, action.weapon, action.distance)
    target = named(act, action.target)
    hidden, _ = cover_from(act.encounter, action.cloud)
    marks = [
        Mark(
            target,
            weapon,
            action.distance,
            action.dice,
            max(action.cover, hidden),
            _friends(act, action, shooter)[0],
        )
    ]
    if (action.target2 or action.weapon2) and not rolls_apart(action, weapon):
        marks = _shared(act, action, shooter, marks[0])
    marks = [as_target(act.encounter, shooter, mark, straight=action.straight == "yes") for mark in marks]
    row = act.encounter.row.counters
    return Volley(
        shooter,
        tuple(marks),
        MODES[action.mode],
        dark=bool(row.get(DARK)),
        vacuum=bool(row.get(VACUUM)),
        underwater=airless(act.encounter, shooter),
        order_token=action.order,
    )


def rolls_apart(action: Shoot, weapon: Weapon) -> bool:
    """Whether the second roll of a weapon that fires twice has a target of its own. Rules: CB-WEAP-34."""
    return bool(action.target2) and not action.dice and attack_rolls(weapon) > 1


def _second_roll(act: Act, action: Shoot, shooter: Fighter, first: Volley) -> Volley | None:
    """The second full roll, at another target, of a weapon that fires twice. Rules: CB-WEAP-34."""
    weapon = first.marks[0].weapon
    if not rolls_apart(action, weapon):
        return None
    target = named(act, action.target2)
    friend = _friends(act, action, shooter)[1]
    mark = Mark(target, weapon, action.distance2, 0, action.cover2, friend)
    seen = as_target(act.encounter, shooter, mark, straight=action.straight == "yes")
    return replace(first, marks=(seen,))


def _shared(act: Act, action: Shoot, shooter: Fighter, first: Mark) -> list[Mark]:
    """Two marks with the dice between them: as many as named at the first, or an even split.

    Raises InvalidInput. Rules: CB-SHOOT-06, CB-SHOOT-07.
    """
    available = shooting_pool(shooter, first.weapon, MODES[action.mode], settings(act)).available
    dice = action.dice or available - available // 2
    if not 0 < dice < available:
        if available < 2:
            raise InvalidInput(f"{shooter.name} has one die: one target.")
        raise InvalidInput(
            f"{shooter.name} has {available} dice: 1 to {available - 1} at {first.target.name}."
        )
    weapon = weapon_named(shooter, action.weapon2) if action.weapon2 else first.weapon
    second = replace(first, weapon=weapon, dice=available - dice)
    if action.target2:
        target = named(act, action.target2)
        friend = _friends(act, action, shooter)[1]
        second = replace(second, target=target, inches=action.distance2, cover=action.cover2, friend=friend)
    return [replace(first, dice=dice), second]


def _friends(act: Act, action: Shoot, shooter: Fighter) -> list[Fighter | None]:
    """Whom misses hit at each target, as named."""
    targets = [named(act, text) for text in (action.target, action.target2) if text]
    return whom_misses_hit(act, shooter, targets, action.friend)


def canonical(action: Shoot, declaration: Volley) -> Shoot:
    """The action in one form, whatever was typed or left out: models by number, the weapon by name."""
    first, second = declaration.marks[0], declaration.marks[-1]
    alone = len(declaration.marks) == 1
    return replace(
        action,
        shooter=f"#{declaration.shooter.id}",
        target=f"#{first.target.id}",
        dice=0 if alone else first.dice,
        target2="" if alone else f"#{second.target.id}",
        distance2=0.0 if alone else second.inches,
        cover2=0 if alone else second.cover,
        weapon2="" if alone else second.weapon.name,
        friend=_friend_words(first, None if alone else second),
        weapon=first.weapon.name,
        odds=False,
    )


def _friend_words(first: Mark, second: Mark | None) -> str:
    """Whom misses hit at each target, in the form of the action."""
    words = [f"#{mark.friend.id}" if mark and mark.friend else "" for mark in (first, second)]
    return ",".join(words) if words[1] else words[0]


@handles(Shoot)
def shoot(act: Act, action: Shoot) -> Reply:
    """One attack: dice, shields, wounds and what follows; or its odds, to the asker alone."""
    shooter = own(act, action.shooter) if not action.odds else named(act, action.shooter)
    declaration = declared(act, action, shooter)
    chosen = settings(act)
    act.canonical = canonical(action, declaration)
    prepared = prepare_volley(declaration, chosen)
    second = _second_roll(act, action, shooter, declaration)
    rolls = [prepared] * attack_rolls(prepared.shots[0].weapon)
    if second is not None:
        rolls[1] = prepare_volley(second, chosen)
        number = f"#{rolls[1].shots[0].target.id}"
        both = _friend_words(declaration.marks[0], second.marks[0])
        act.canonical = replace(
            act.canonical, target2=number, distance2=action.distance2, cover2=action.cover2, friend=both
        )
    arc = within_arc(
        act, shooter, prepared.shots[0].weapon, action.bearing, action.mount, keep=not action.odds
    )
    if action.odds:
        return odds_reply(act, act.canonical, shooter, prepared, declaration, chosen)
    require_mastery(act, shooter, prepared.shots[0].weapon)
    if not action.straight and crossing(declaration.marks):
        late = action.mode == "overwatch"
        return ask_way(act.canonical, crossing(declaration.marks), shooter.name, late=late)
    _pay(act, shooter, declaration)
    if action.order:
        spend_order(act, shooter.side)
    telling = Telling()
    for ready in rolls:
        fire(act, telling, shooter, ready, aimed=declaration.mode == "aim")
    attacked(act, shooter.id)
    telling.follow(act, after_attacking(again(act, shooter), overwatch=declaration.mode == "overwatch"))
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


def _pay(act: Act, shooter: Fighter, declaration: Volley) -> None:
    """What the shot costs; a shot out of turn costs no action, and Telekinesis was the Move of a Run and Gun.

    A snap attack is asked for when a charge is declared: typed, it would be a free shot at any time.
    Rules: CB-CHARGE-04, CB-OVER-02, CB-PSI-24.
    """
    if declaration.mode == "snap" and act.encounter.row.turn:
        forbid("A snap attack answers a charge: press it when a charge asks; else shoot.", "CB-CHARGE-04")
    if declaration.mode == "overwatch" and act.encounter.row.turn:
        prepare_overwatch(shooter, declaration.marks[0], dark=declaration.dark, settings=settings(act))
    elif declaration.mode == "run_and_gun" and shooter.count(Counter.LIFTED):
        pay(act, shooter, "shoot")
        carry_through(act, [Assign("model", shooter.id, Counter.LIFTED, 0)])
    elif declaration.mode not in ("snap", "overwatch"):
        pay(act, shooter, declaration.mode)


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


def odds_reply(
    act: Act, action: Shoot, shooter: Fighter, prepared: PreparedVolley, declaration: Volley, chosen: Settings
) -> Reply:
    """The chances of every number of wounds, and buttons that shoot."""
    lines = []
    for one in prepared.shots:
        lines += shot_odds(act, shooter, one)
    lines += astray_lines(act, prepared, aimed=declaration.mode == "aim")
    other = otherwise(act, shooter.side, order=action.order)
    if other:
        turned = prepare_volley(replace(declaration, order_token=not action.order), chosen)
        lines.append(f"{other}: {_worst(act, turned.shots[0])}")
    buttons = order_buttons(act, shooter.side, "Shoot", action)
    if not action.straight and crossing(declaration.marks):
        lines.append(f"{crossing(declaration.marks)} is taken to move across.")
        buttons.append(Button("It moves straight", replace(action, straight="yes", odds=True)))
    buttons.append(compare_button(shooter, prepared.shots[0].target, action.distance, action.cover))
    return Reply((*lines, "Nothing is rolled."), private=True, buttons=tuple(buttons))


def shot_odds(act: Act, shooter: Fighter, one: PreparedShot) -> list[str]:
    """The dice of a shot, and the chances of every number of wounds."""
    target = one.target
    cover = next((part.amount for part in one.impact.shields if part.rule == "CB-TERR-05"), 0)
    lines = [
        f"{shooter.name} -> {target.name}{f', cover {cover}' if cover else ''}",
        f"{dice_words(one.parts[0], 'AGL')}, {one.weapon.name}",
    ]
    if one.weapon.has_effect("void"):
        return [*lines, *void_odds(act, one)]
    odds = wound_odds(act, one)
    return [*lines, *harm_lines(odds, one.weapon, target), exactness(odds)]


def _worst(act: Act, one: PreparedShot) -> str:
    """The worst that a shot may do to its target, with its chance."""
    if one.weapon.has_effect("void"):
        return f"gone {percent(void_fate(act, one).chance(lambda fate: fate == 'removed')).strip()}"
    return worst_words(wound_odds(act, one), one.weapon, one.target)
