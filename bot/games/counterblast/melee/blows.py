"""The dice of blows that were typed: one weapon for each attacker, what was left out shared evenly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.games.counterblast.core.common import fighter_of, settings
from bot.games.counterblast.core.fields import FIRST, arm_of, number_of
from bot.games.counterblast.melee.blow_words import TypedBlow
from bot.games.counterblast.melee.melees import Melee, Pairing, flat, prepared
from bot.table.act import Act
from rules.refusals import Forbidden, allows
from rules.systems.counterblast.core.dice_pools import even_shares
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.bouts import PreparedBlow
from rules.systems.counterblast.melee.fighting import attack_pool, best, fit_weapons, harm
from rules.wording import times


def shared(act: Act, blows: Sequence[TypedBlow]) -> tuple[Pairing, ...]:
    """Every attacker has one weapon; its dice that were not typed are shared evenly among its other blows.

    Raises InvalidInput, Forbidden.
    """
    pairings = [Pairing(one.attacker.id, one.defender.id, one.dice, one.weapon, one.tenths) for one in blows]
    given = [bool(one.dice) for one in blows]
    shares = list(pairings)
    for number in dict.fromkeys(one.attacker for one in pairings):
        own = [place for place, one in enumerate(pairings) if one.attacker == number]
        fighter = fighter_of(act, number)
        arms = {pairings[place].weapon for place in own} - {FIRST}
        if len(arms) > 1:
            raise Forbidden(f"{fighter.name} attacks with one weapon at a time.", "CB-FIGHT-01")
        if len(own) > 1:
            arm = arms.pop() if arms else _best_arm(act, shares, own, given, fighter)
            shares = _with_arm(act, shares, own, given, fighter, arm)
    return tuple(shares)


def _with_arm(
    act: Act, pairings: list[Pairing], own: list[int], given: list[bool], fighter: Fighter, arm: int
) -> list[Pairing]:
    """The blows of one attacker with a weapon, and the shares of the dice that it has with it."""
    armed = [replace(one, weapon=arm) if place in own else one for place, one in enumerate(pairings)]
    open_places = [place for place in own if not given[place]]
    pool = attack_pool(fighter, arm_of(fighter, arm, settings(act)), settings(act))
    left = pool.available - sum(pairings[place].dice for place in own if given[place])
    if open_places and left < len(open_places):
        raise Forbidden(
            f"{fighter.name} has {times(pool.available, 'die', 'dice')}: too few for {len(own)} blows.",
            "CB-FIGHT-02",
        )
    for place, dice in zip(open_places, even_shares(left, len(open_places)), strict=True):
        armed[place] = replace(armed[place], dice=dice)
    return armed


def _best_arm(act: Act, pairings: list[Pairing], own: list[int], given: list[bool], fighter: Fighter) -> int:
    """The weapon that serves an attacker best in all its blows together. Rules: CB-FIGHT-01."""
    weapons = fit_weapons(fighter)
    if settings(act).melee_weapon == "first":
        return number_of(fighter, weapons[0])

    def struck(weapon: Weapon) -> list[PreparedBlow]:
        tried = _with_arm(act, pairings, own, given, fighter, number_of(fighter, weapon))
        ready = prepared(act, Melee(pairs=flat(tried)), must_be_engaged=False).blows
        return [ready[place] for place in own]

    return number_of(
        fighter, best(weapons, lambda weapon: harm(struck(weapon)) if allows(struck, weapon) else None)
    )
