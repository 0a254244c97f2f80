"""Which weapon a model fights with where nobody named one: that which serves it best in this very fight.

Owns the choice; how a fight with a given weapon is prepared is in `fighting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from rules.dice import Solver, TooLarge
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.weapons import BARE_HANDS, MASTERED, is_working, needs_handling
from rules.systems.counterblast.melee.blows import PreparedBlow
from rules.systems.counterblast.melee.bouts import Bout, fight_wounds

WORK = 200_000
"""Possibilities up to which a fight is weighed; of a larger one the weapons are taken to serve alike."""

Worth = tuple[float, float]


def fit_weapons(model: Fighter) -> tuple[Weapon, ...]:
    """Return what a model may fight with, in the order in which it carries it, its bare hands last.

    An Arc weapon in strange hands that was not mastered does not count as long as it carries another.
    Rules: CB-FIGHT-01, CB-WEAP-11, CB-WEAP-24, CB-FEAT-25.
    """
    fit = [weapon for weapon in model.weapons if weapon.melee and is_working(model, weapon)]
    ready = [weapon for weapon in fit if model.count(MASTERED) or not needs_handling(model, weapon)]
    return (*(ready or fit), BARE_HANDS)


def harm(blows: Iterable[PreparedBlow]) -> Worth:
    """The Life that blows are expected to take, and how often they do anything at all.

    Of a weapon that does no damage only the second counts.
    """
    life, felt = 0.0, 0.0
    for blow in blows:
        taken, anything = _expected(blow.bout, max(1, blow.defender.life_left))
        life += taken if blow.weapon.damage else 0.0
        felt += anything
    return round(life, 9), round(felt, 9)


@lru_cache(maxsize=4096)
def _expected(bout: Bout, life: int) -> Worth:
    try:
        odds = Solver(work=WORK).solve(fight_wounds, bout)
    except TooLarge:
        return 0.0, 0.0
    mean = sum(float(chance) * min(wounds, life) for wounds, chance in odds.chances.items())
    return mean, float(odds.chance(bool))


def best(weapons: tuple[Weapon, ...], worth: Callable[[Weapon], Worth | None]) -> Weapon:
    """The weapon of the greatest worth, of equal ones the first carried; None: it cannot be used now."""
    weighed = [(worth(weapon), weapon) for weapon in weapons] if len(weapons) > 1 else []
    usable = [(value, weapon) for value, weapon in weighed if value is not None]
    return max(usable, key=lambda pair: pair[0], default=(None, weapons[0]))[1]
