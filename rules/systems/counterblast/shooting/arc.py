"""Arc weapons: the die that leaps to a neighbour, and their use by others than the Edo.

Owns the bonus attack and the check before it; the first attack is `shooting`'s or `fighting`'s.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rules.dice import Dice
from rules.refusals import Forbidden
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import must_be_targetable
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.core.weapons import impact_on
from rules.systems.counterblast.melee.blows import Blow, Melee
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.shooting.shooting import Mark, PreparedShot, Volley, prepare_volley
from rules.systems.counterblast.shooting.shots import Shot, ShotResult, shot

ARC_INCHES = 2
ARC_TARGET = 8
Handling = Literal["ready", "no attack", "backfires"]


def prepare_arc(
    attacker: Fighter,
    wounded: Fighter,
    neighbour: Fighter,
    weapon: Weapon,
    modifier: int,
    inches: float,
    *,
    cover: int = 0,
    vacuum: bool = False,
    settings: Settings = DEFAULTS,
) -> Shot:
    """Prepare the single die that leaps from a wounded model to one within 2 in of it, friend or enemy.

    modifier: that of the first attack. inches: between the two models. The die does 1 damage at the weapon's
    Power. Raises Forbidden for a weapon without arc, too far away, or the same model.
    Rules: CB-WEAP-23, CB-ENV-07.
    """
    if not weapon.has_effect("arc"):
        raise Forbidden(f"{weapon.name} does not arc.", "CB-WEAP-23")
    if neighbour.id == wounded.id:
        raise Forbidden("The arc leaps to another model.", "CB-WEAP-23")
    if not 0 <= inches <= ARC_INCHES:
        raise Forbidden(f"The arc leaps {ARC_INCHES} in, not {inches:g} in.", "CB-WEAP-23")
    must_be_targetable(neighbour)
    prepared = impact_on(attacker, neighbour, weapon, settings, cover=cover, vacuum=vacuum)
    single = replace(prepared.impact, damage=1, extra=0, per_critical=0, once_critical=0)
    return Shot(neighbour.id, (Throw(1, modifier, neighbour.defense),), single)


def arc(dice: Dice, leap: Shot) -> ShotResult:
    """Roll the die of an arc; it arcs no further. Rules: CB-WEAP-23."""
    return shot(dice, leap)


def prepare_handling(user: Fighter, settings: Settings = DEFAULTS) -> Prepared:
    """Prepare the Psionic check at 8 that a stranger to Arc weapons makes, 1 action.

    Raises Forbidden without a Psionic rating. Rules: CB-WEAP-24, CB-CHECK-08.
    """
    return prepare_check(
        user,
        "PSI",
        ARC_TARGET,
        skill="psionics",
        target_reason="Arc weapon",
        target_rule="CB-WEAP-24",
        settings=settings,
    )


def handle(dice: Dice, throws: tuple[Throw, ...]) -> Handling:
    """Roll to master an Arc weapon: a critical failure turns the attack on its user. Rules: CB-WEAP-24."""
    result = throw(dice, throws, label="psionics")
    if result.critical_failure:
        return "backfires"
    return "ready" if result.net else "no attack"


def prepare_backfire(
    user: Fighter, weapon: Weapon, settings: Settings = DEFAULTS, *, vacuum: bool = False
) -> PreparedShot:
    """Prepare the attack of an Arc weapon on its own user: with AGL at no distance, or with STR against
    nobody's defence where the user is engaged or the weapon does not shoot. vacuum: +1 Power.

    Rules: CB-WEAP-24, CB-ENV-07.
    """
    kept = frozenset(one for one in user.conditions if one[0] not in (Condition.HIDDEN, Condition.ENGAGED))
    mirror = replace(user, id=-user.id, side=-user.side, conditions=kept, counters=frozenset())
    if "direct" in weapon.deliveries and not user.is_engaged:
        ready = prepare_volley(Volley(user, (Mark(mirror, weapon, 0),), vacuum=vacuum), settings).shots[0]
        return replace(ready, shot=replace(ready.shot, target=user.id), target=user)
    blow = Blow(user, mirror, weapon)
    struck = prepare_melee(Melee((blow,), must_be_engaged=False, vacuum=vacuum), settings).blows[0]
    aimed = Shot(user.id, (struck.attack.throw,), struck.impact.impact)
    return PreparedShot(aimed, user, weapon, (struck.attack,), struck.impact)
