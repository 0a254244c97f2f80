"""Ranged attacks with a procedure of their own: Overwatch, fields of fire, arcs, clouds and spit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.dice import Dice
from rules.effects import Effect, Gain
from rules.modifiers import Modifier
from rules.refusals import Forbidden, Missing, forbid
from rules.systems.counterblast.core.burning import (
    Fire,
    build_burn_impact,
    catch_fire,
    find_protection,
    leave_fire,
)
from rules.systems.counterblast.core.checks import PreparedCheck, Throw, throw
from rules.systems.counterblast.core.conditions import (
    LASTS_UNTIL,
    apply_wounds,
    require_able,
    require_targetable,
)
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import Impact, Suffered, impact_on, suffer
from rules.systems.counterblast.core.panic import pin
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.melee.bouts import Blow, Melee, PreparedMelee
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.shooting.shooting import (
    Mark,
    PreparedShot,
    PreparedVolley,
    Volley,
    prepare_volley,
)
from rules.systems.counterblast.shooting.shots import Shot, ShotResult, shot

SLASH_AND_DASH = Modifier(-1, "Slash and Dash", "CB-SLASH-01")


def go_on_overwatch(model: Fighter) -> tuple[Effect, ...]:
    """Make the model wait for an enemy to shoot at; its activation ends.

    Raises Forbidden in contact with an enemy. Rules: CB-OVER-01.
    """
    require_able(model)
    if model.is_engaged:
        forbid(f"{model.name} is engaged, so it can't go on Overwatch.", "CB-OVER-01")
    return (Gain(model.id, Condition.OVERWATCH, until=LASTS_UNTIL[Condition.OVERWATCH], source="Overwatch"),)


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
        forbid("You can only fire from Overwatch at an enemy during its activation.", "CB-OVER-02")


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
        forbid(f"{weapon.name} has no Reach, which Slash and Dash needs.", "CB-SLASH-01")
    if attacker.is_engaged:
        forbid(f"{attacker.name} is engaged. It can Fight or Disengage.", "CB-ACT-10")
    if inches <= 0:
        raise Forbidden("The bases touch, so the models are engaged and can't Slash and Dash.", "CB-SLASH-02")
    blow = Blow(attacker, target, weapon, inches=inches, defence_weapon=defence_weapon)
    melee = Melee((blow,), dark=dark, orders=orders, group=False, attack_modifiers=(SLASH_AND_DASH,))
    return prepare_melee(melee, settings)


def has_reach(weapon: Weapon) -> bool:
    """Return whether it strikes at a distance. Rules: CB-SLASH-01, CB-WEAP-09."""
    return weapon.reach_inches >= 1


def may_strike_back(defender: Fighter, inches: float) -> bool:
    """Return whether a model attacked in melee may make its Ferocious free attack on the attacker.

    inches: between the bases; beyond contact only within the defender's own Reach.
    Rules: CB-FEAT-27, CB-FIGHT-07, CB-SLASH-01, CB-SLASH-02, CB-WEAP-08.
    """
    if not defender.has_feature("ferocious") or defender.is_incapacitated:
        return False
    reach = max((weapon.reach_inches for weapon in defender.weapons if weapon.melee), default=0)
    return inches <= reach


Mounting = Literal["carried", "pintle", "turret"]

ALL_ROUND = 360
FIXED_DEGREES = 90
PINTLE_DEGREES = 45


def field_of_fire(model: Fighter, mounting: Mounting = "carried") -> int:
    """Return the degrees of a weapon's arc: 90 for a Fixed Weapon, 45 on a pintle, otherwise all round.

    Rules: CB-FEAT-28, CB-VEH-08.
    """
    if mounting == "pintle":
        return PINTLE_DEGREES
    if mounting == "turret":
        return ALL_ROUND
    return FIXED_DEGREES if model.has_feature("fixed_weapon") else ALL_ROUND


def bears(degrees: int, bearing: float) -> bool:
    """Return whether an arc of so many degrees covers a bearing.

    bearing: the target's, -180 to 180 from the middle of the arc. Raises InvalidInput.
    Rules: CB-FEAT-28, CB-VEH-08.
    """
    if not -180 <= bearing <= 180:
        raise Missing("Enter an angle between -180 and 180 degrees.")
    return abs(bearing) <= degrees / 2


def require_bearing(model: Fighter, weapon: Weapon, bearing: float, mounting: Mounting = "carried") -> None:
    """Refuse, with Forbidden, a target outside the weapon's arc.

    bearing: -180 to 180 degrees from the middle of the arc. Raises InvalidInput for others.
    Rules: CB-FEAT-28, CB-VEH-08.
    """
    degrees = field_of_fire(model, mounting)
    if not bears(degrees, bearing):
        rule = "CB-VEH-08" if mounting == "pintle" else "CB-FEAT-28"
        forbid(
            (f"{weapon.name} can only fire in an arc of {degrees} degrees ({degrees / 2:g} to each side)."),
            rule,
        )


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
        raise Forbidden(f"{weapon.name} is not an Arc weapon.", "CB-WEAP-23")
    if neighbour.id == wounded.id:
        raise Forbidden("The arc must jump to another model.", "CB-WEAP-23")
    if not 0 <= inches <= ARC_INCHES:
        raise Forbidden(f"The arc can jump up to {ARC_INCHES} in (you entered {inches:g} in).", "CB-WEAP-23")
    require_targetable(neighbour)
    prepared = impact_on(attacker, neighbour, weapon, settings, cover=cover, vacuum=vacuum)
    single = replace(prepared.impact, damage=1, extra=0, per_critical=0, once_critical=0)
    return Shot(neighbour.id, (Throw(1, modifier, neighbour.defense),), single)


def arc(dice: Dice, leap: Shot) -> ShotResult:
    """Roll the die of an arc; it arcs no further. Rules: CB-WEAP-23."""
    return shot(dice, leap)


def prepare_handling(user: Fighter, settings: Settings = DEFAULTS) -> PreparedCheck:
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
    """Prepare the attack of an Arc weapon on its own user: with AGL at no distance, or with STR and no
    defence if the user is engaged or the weapon can't shoot. vacuum: +1 Power.

    Rules: CB-WEAP-24, CB-ENV-07.
    """
    remaining_effects = frozenset(
        condition
        for condition in user.conditions
        if condition[0] not in (Condition.HIDDEN, Condition.ENGAGED)
    )
    mirror = replace(user, id=-user.id, side=-user.side, conditions=remaining_effects, counters=frozenset())
    if "direct" in weapon.deliveries and not user.is_engaged:
        ready = prepare_volley(Volley(user, (Mark(mirror, weapon, 0),), vacuum=vacuum), settings).shots[0]
        return replace(ready, shot=replace(ready.shot, target=user.id), target=user)
    blow = Blow(user, mirror, weapon)
    struck = prepare_melee(Melee((blow,), must_be_engaged=False, vacuum=vacuum), settings).blows[0]
    aimed = Shot(user.id, (struck.attack.throw,), struck.impact.impact)
    return PreparedShot(aimed, user, weapon, (struck.attack,), struck.impact)


@dataclass(frozen=True, slots=True)
class Cloud:
    """A cloud: the number of its template (diameter in inches), its Cover, the turn in which it was made."""

    inches: int
    cover: int
    began: int

    def is_gone(self, turn: int) -> bool:
        """Return whether it is gone: at the end of the turn after the one it was made in.

        turn: the one that ends. Rules: CB-FEAT-33, CB-GEAR-27.
        """
        return turn > self.began


def smoke(model: Fighter, turn: int, *, thrown: int = 0) -> Cloud:
    """Return a Smoke Grenade, or a vehicle's launcher: free, an [R5] cloud that touches the user, Cover
    [2].

    thrown: clouds made in this activation already, one is allowed. Raises Forbidden.
    Rules: CB-GEAR-27, CB-VEH-49.
    """
    require_able(model)
    item = next((gear for gear in model.gear if gear.key in ("smoke_grenade", "smoke_screen_launcher")), None)
    if item is None:
        raise Forbidden(f"{model.name} carries no Smoke Grenades.", "CB-GEAR-27")
    if thrown:
        forbid("A model can only make one cloud of smoke per activation.", "CB-GEAR-27")
    return Cloud(item.value("template_inches"), item.value("cover"), turn)


def ink(model: Fighter, turn: int) -> Cloud:
    """Return an Ink Cloud, 1 action: an [R3] cloud that touches the model, Cover [3]. Raises Forbidden.

    Rules: CB-FEAT-33.
    """
    require_able(model)
    if not model.has_feature("ink_cloud"):
        raise Forbidden(f"{model.name} has no Ink Cloud.", "CB-FEAT-33")
    return Cloud(3, 3, turn)


def cover_in(cloud: Cloud, *, inside_or_touching: bool) -> int:
    """Return the Cover of a model: that of the cloud when in it or touching it, else none.

    Rules: CB-FEAT-33, CB-GEAR-27.
    """
    return cloud.cover if inside_or_touching else 0


def blocks_sight(*, crosses: bool, viewer_touches: bool, target_touches: bool) -> bool:
    """Return whether a cloud blocks a line of sight that crosses it: not for models in it or touching it.

    Rules: CB-FEAT-33, CB-GEAR-27.
    """
    return crosses and not viewer_touches and not target_touches


ACID = Weapon(
    key="acid_spit",
    name="Acid Spit",
    group="natural",
    deliveries=("direct",),
    power=5,
    range_inches=6,
    rules=("CB-FEAT-01",),
)
"""Acid spat at a model: 6 in, at its Defense. Rules: CB-FEAT-01."""

ACID_AREA = Weapon(
    key="acid_spit_area",
    name="Acid Spit",
    group="natural",
    deliveries=("template",),
    power=5,
    range_inches=6,
    template="R",
    template_inches=3,
    rules=("CB-FEAT-01",),
)
"""Acid spat at a spot: rolled as a round template, short up to 3 in. Rules: CB-FEAT-01, CB-TMPL-05."""

GOO = Weapon(
    key="sticky_goo",
    name="Sticky Goo",
    group="natural",
    deliveries=("direct",),
    damage=0,
    range_inches=12,
    rules=("CB-FEAT-49",),
)
"""Goo: 12 in, at Defense, no damage. Rules: CB-FEAT-49."""


def acid_hit(target: Fighter, settings: Settings = DEFAULTS) -> Impact:
    """Return the effect of acid on a model that it hits: 1 wound at Power 5. Rules: CB-FEAT-03."""
    return build_burn_impact(target, settings)


def spit_acid(dice: Dice, throws: tuple[Throw, ...], impact: Impact) -> Suffered:
    """Roll acid spat at a model: however many successes, one hit. Rules: CB-FEAT-01, CB-FEAT-03."""
    rolled = throw(dice, throws, label="attack")
    return suffer(dice, min(1, rolled.net), 0, impact)


def after_acid(target: Fighter, suffered: Suffered, turn: int = 0) -> tuple[Effect, ...]:
    """Wound a model that was struck directly at once; it goes on corroding, unless protected, and leaves no
    pool. Rules: CB-FEAT-01, CB-FEAT-03, CB-FEAT-04.
    """
    if not suffered.hits or find_protection(target, "acid"):
        return ()
    return (*apply_wounds(target, suffered.through, turn), *catch_fire(target, "acid"))


def pool(turn: int) -> Fire:
    """Return the [R3] pool that an area shot leaves; the spot never catches fire. Rules: CB-FEAT-01."""
    acid_pool = leave_fire(turn, flammable=False, kind="acid")
    assert acid_pool is not None
    return acid_pool


def after_goo(target: Fighter, suffered: Suffered) -> tuple[Effect, ...]:
    """Pin a model hit by goo until it breaks free. Rules: CB-FEAT-49, CB-FEAT-50."""
    return pin(target) if suffered.hits else ()
