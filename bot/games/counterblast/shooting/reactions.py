"""Shots out of turn: before a charge makes contact, and from Overwatch."""

from __future__ import annotations

from bot.games.counterblast.core.common import again, settings
from bot.games.counterblast.core.narration import Telling, strike
from bot.games.counterblast.core.surroundings import DARK, VACUUM, airless
from bot.games.counterblast.core.throwers import at
from bot.games.counterblast.core.words import dice_words, trace_lines, why_check, why_impact
from bot.games.counterblast.shooting.arc_play import with_arc_modifier
from bot.games.counterblast.vehicles.vehicle_state import as_target
from bot.table.act import Act
from rules.refusals import allows
from rules.systems.counterblast.core.conditions import after_attacking
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import (
    Mark,
    PreparedVolley,
    Volley,
    attack_rolls,
    prepare_volley,
)
from rules.systems.counterblast.shooting.shots import volley


def snap_volley(
    act: Act, shooter: Fighter, charger: Fighter, weapon: Weapon, inches: float, order: bool
) -> PreparedVolley:
    """The shot as late as it helps: at any point before contact, so within short range; it comes straight.

    Raises InvalidInput, Forbidden. Rules: CB-CHARGE-04.
    """
    counters = act.encounter.row.counters
    nearest = min(inches, weapon.short_range_inches)
    return prepare_volley(
        Volley(
            shooter,
            (as_target(act.encounter, shooter, Mark(charger, weapon, nearest), straight=True),),
            "snap",
            dark=bool(counters.get(DARK)),
            vacuum=bool(counters.get(VACUUM)),
            underwater=airless(act.encounter, shooter),
            order_token=order,
        ),
        settings(act),
    )


def snap_weapons(act: Act, shooter: Fighter, charger: Fighter) -> list[tuple[int, Weapon]]:
    """The weapons that a charged model may shoot with, each with its place. Rules: CB-CHARGE-04."""
    found = []
    for place, weapon in enumerate(shooter.weapons, 1):
        if allows(snap_volley, act, shooter, charger, weapon, 0, order=False):
            found.append((place, weapon))
    return found


def snap_shot(
    act: Act, telling: Telling, shooter: Fighter, charger: Fighter, weapon: Weapon, ready: PreparedVolley
) -> None:
    """Roll the shot at a charger and carry it through. Rules: CB-CHARGE-04."""
    one = ready.shots[0]
    mark = len(act.dice.trace)
    for _ in range(attack_rolls(weapon)):
        result = act.roll(at(shooter.name, charger.name), volley, ready.rolls)[0]
        strike(act, telling, shooter, again(act, charger), weapon, result.suffered)
    with_arc_modifier(act, telling, one.parts[0].throw.modifier)
    telling.follow(act, after_attacking(again(act, shooter)))
    telling.lines.append(f"Snap: {dice_words(one.parts[0], 'AGL')}, {weapon.name}")
    telling.lines += [*trace_lines(act.dice.trace[mark:]), ""]
    telling.why += why_check(one.parts[0], f"{shooter.name} at {charger.name}, snap attack")
    telling.why += why_impact(one.impact)
