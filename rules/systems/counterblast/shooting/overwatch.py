"""Attacks that belong to a movement or wait for one: Overwatch, Run and Gun, Slash and Dash.

Owns what these allow and cost. The shots are `shooting`'s, with the mode of the same name; the blows are
`fighting`'s.
"""

from __future__ import annotations

from rules.effects import Effect, Gain
from rules.modifiers import Modifier
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.core.conditions import LASTS, must_be_able
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.melee.blows import Blow, Melee, PreparedMelee
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.shooting.shooting import Mark, PreparedVolley, Volley, prepare_volley

SLASH_AND_DASH = Modifier(-1, "Slash and Dash", "CB-SLASH-01")


def go_on_overwatch(model: Fighter) -> tuple[Effect, ...]:
    """The model waits for an enemy to shoot at; its activation ends.

    Raises Forbidden in contact with an enemy. Rules: CB-OVER-01.
    """
    must_be_able(model)
    if model.is_engaged:
        forbid(f"{model.name} touches an enemy: no Overwatch.", "CB-OVER-01")
    return (Gain(model.id, Condition.OVERWATCH, until=LASTS[Condition.OVERWATCH], source="Overwatch"),)


def prepare_overwatch(
    shooter: Fighter, mark: Mark, *, dark: bool = False, settings: Settings = DEFAULTS
) -> PreparedVolley:
    """Prepare the shot of a model on Overwatch at the enemy that is being activated.

    Raises Forbidden for a model not on Overwatch and for a target that is not active.
    Rules: CB-OVER-02, CB-HIDE-09.
    """
    require_overwatch(shooter, mark.target)
    return prepare_volley(Volley(shooter, (mark,), "overwatch", dark=dark), settings)


def require_waiting(shooter: Fighter) -> None:
    """Refuse, with Forbidden, a shot out of turn of a model not on Overwatch. Rules: CB-OVER-02."""
    if not shooter.has(Condition.OVERWATCH):
        forbid(f"{shooter.name} is not on Overwatch.", "CB-OVER-02")


def require_overwatch(shooter: Fighter, target: Fighter | None) -> None:
    """Refuse, with Forbidden, a shot or a template of a model not on Overwatch, or not at an active enemy.

    A template is fired at the spot where that enemy stands, in sight. Rules: CB-OVER-02.
    """
    require_waiting(shooter)
    if target is None or target.side == shooter.side or not target.has(Condition.ACTIVE):
        forbid("Overwatch fires at an enemy in its activation.", "CB-OVER-02")


def prepare_slash_and_dash(
    attacker: Fighter,
    target: Fighter,
    weapon: Weapon,
    inches: float,
    *,
    defence_weapon: Weapon | None = None,
    dark: bool = False,
    orders: frozenset[int] = frozenset(),
    settings: Settings = DEFAULTS,
) -> PreparedMelee:
    """Prepare one melee attack in passing with a weapon of Reach, at -1, without contact.

    inches: between the bases, more than 0. Raises Forbidden for a weapon without Reach, in contact, and for a
    model that is engaged. Rules: CB-SLASH-01, CB-SLASH-02, CB-WEAP-09.
    """
    if not has_reach(weapon):
        forbid(f"{weapon.name} has no Reach: Slash and Dash needs it.", "CB-SLASH-01")
    if attacker.is_engaged:
        forbid(f"{attacker.name} is engaged: Fight or Disengage.", "CB-ACT-10")
    if inches <= 0:
        raise Forbidden("The bases touch: the move stops there and they are engaged.", "CB-SLASH-02")
    blow = Blow(attacker, target, weapon, inches=inches, defence_weapon=defence_weapon)
    melee = Melee((blow,), dark=dark, orders=orders, group=False, attack_modifiers=(SLASH_AND_DASH,))
    return prepare_melee(melee, settings)


def has_reach(weapon: Weapon) -> bool:
    """Whether it strikes at a distance. Rules: CB-SLASH-01, CB-WEAP-09."""
    return weapon.reach_inches >= 1


def may_strike_back(defender: Fighter, inches: float) -> bool:
    """Whether a model attacked in melee may make its Ferocious free attack on the attacker.

    inches: between the bases; beyond contact only within the defender's own Reach.
    Rules: CB-FEAT-27, CB-FIGHT-07, CB-SLASH-01, CB-SLASH-02, CB-WEAP-08.
    """
    if not defender.has_feature("ferocious") or defender.is_incapacitated:
        return False
    reach = max((weapon.reach_inches for weapon in defender.weapons if weapon.melee), default=0)
    return inches <= reach
