"""One full roll of a shot at the table: its dice, and then what they do; special weapons among them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.counterblast.core.common import again, fighter_of
from bot.games.counterblast.core.narration import Telling, strike
from bot.games.counterblast.core.throwers import at
from bot.games.counterblast.shooting.arc_play import with_arc_modifier
from bot.games.counterblast.shooting.special_play import (
    Overload,
    SpecialHit,
    is_special,
    strike_overload,
    strike_special,
    throw_overload,
    throw_special,
)
from bot.table.act import Act
from bot.table.rolling.throws import each
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import UNHURT, Suffered
from rules.systems.counterblast.shooting.shooting import PreparedVolley
from rules.systems.counterblast.shooting.shots import ShotResult, volley, volley_into_melee


@dataclass(frozen=True, slots=True)
class Fallen:
    """What the dice of one full roll did: to each target and the friend beside it, or by a special weapon.

    overload: a weapon that turned on its firer.
    """

    hits: tuple[tuple[ShotResult, Suffered], ...] = ()
    special: tuple[tuple[SpecialHit, ...], ...] = ()
    overload: Overload | None = None


def throw_volley(act: Act, shooter: Fighter, prepared: PreparedVolley, *, aimed: bool) -> Fallen:
    """One full roll of a volley, what strays into a melee, and a weapon that overloads: the dice alone.

    Rules: CB-SHOOT-01, CB-SHOOT-10, CB-WEAP-37.
    """
    if is_special(prepared.shots[0].weapon):
        return Fallen(special=tuple(throw_special(act, shooter, one, aimed=aimed) for one in prepared.shots))
    beside = [fighter_of(act, one.stray.target).name if one.stray else "" for one in prepared.shots]
    owners = [
        at(shooter.name, one.target.name, friend) for one, friend in zip(prepared.shots, beside, strict=True)
    ]
    if any(beside):
        hits = act.roll(each(*owners, *owners), volley_into_melee, prepared.into_melee, aimed)
    else:
        hits = tuple((result, UNHURT) for result in act.roll(each(*owners), volley, prepared.rolls))
    return Fallen(hits, overload=throw_overload(act, shooter, prepared, [result for result, _ in hits]))


def strike_volley(
    act: Act, telling: Telling, shooter: Fighter, prepared: PreparedVolley, fell: Fallen
) -> None:
    """Carry one full roll through, and tell it."""
    for one, special in zip(prepared.shots, fell.special, strict=False):
        for hit in special:
            strike_special(act, telling, shooter, one.weapon, hit)
    for one, (result, astray) in zip(prepared.shots, fell.hits, strict=False):
        strike(act, telling, shooter, again(act, one.target), one.weapon, result.suffered)
        with_arc_modifier(act, telling, one.parts[0].throw.modifier)
        if one.stray is not None and astray.hits:
            neighbour = fighter_of(act, one.stray.target)
            strike(act, telling, shooter, neighbour, one.weapon, astray)
    if fell.overload is not None:
        strike_overload(act, telling, shooter, prepared.shots[0].weapon, fell.overload)
