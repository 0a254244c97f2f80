"""Shooting: which models may shoot at which targets, alone or together, with how many dice, and why.

Owns the preparation of a ranged attack; the rules that are rolled are in `shots`. Templates are in
`templates`; what wounds lead to is in `casualties`. Players enter sight, distances and cover.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, Missing, forbid
from rules.systems.counterblast.core import dice_pools
from rules.systems.counterblast.core.checks import ORDER_TOKEN, PreparedCheck
from rules.systems.counterblast.core.conditions import (
    list_attacker_edges,
    list_target_edges,
    require_able,
    require_targetable,
)
from rules.systems.counterblast.core.dice_pools import Pool, allotted
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import (
    Impact,
    PreparedImpact,
    chameleon,
    dark_penalty,
    impact_on,
    is_short,
    must_work,
    needs_air,
    target_number,
    teamwork,
    to_hit_bonus,
)
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.shooting.shots import Shot
from rules.systems.counterblast.turn.activation import pair_modifier

Mode = Literal["shoot", "aim", "run_and_gun", "snap", "overwatch", "full_auto"]

RAPID_FIRE_DICE = 4
FULL_AUTO_DICE = 8

# ---------------------------------------------------------------- situation


@dataclass(frozen=True, slots=True)
class Mark:
    """One target of a volley: with which weapon, how far away, how many dice, behind what cover (0 to 3).

    `dice` 0 means all dice. `friend` is the model engaged with the target that stray dice hit. `edges` are
    advantages and disadvantages against this target alone, named by the table.
    """

    target: Fighter
    weapon: Weapon
    inches: float
    dice: int = 0
    cover: int = 0
    friend: Fighter | None = None
    sighted: bool = True
    edges: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Volley:
    """A ranged attack as it is declared.

    `team` is how many models of the group take part in it; `extra` are further modifiers, named by the table.
    """

    shooter: Fighter
    marks: tuple[Mark, ...]
    mode: Mode = "shoot"
    dark: bool = False
    vacuum: bool = False
    underwater: bool = False
    order_token: bool = False
    team: int = 1
    extra: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedShot:
    """A shot ready to be rolled, with its reasons; `stray` is the shot that misses become: what it adds and
    its Defense count, not its number of dice."""

    shot: Shot
    target: Fighter
    weapon: Weapon
    parts: tuple[PreparedCheck, ...]
    impact: PreparedImpact
    stray: Shot | None = None


@dataclass(frozen=True, slots=True)
class PreparedVolley:
    """A volley ready to be rolled: the dice that the shooter had to give, and its shots."""

    pool: Pool
    shots: tuple[PreparedShot, ...]

    @property
    def rolls(self) -> tuple[Shot, ...]:
        """Return the arguments of `volley`."""
        return tuple(prepared.shot for prepared in self.shots)

    @property
    def into_melee(self) -> tuple[tuple[Shot, Shot | None], ...]:
        """Return the arguments of `volley_into_melee`: every shot, its misses' stray. Rules: CB-SHOOT-10."""
        return tuple((prepared.shot, prepared.stray) for prepared in self.shots)


# ---------------------------------------------------------------- preparation


def shooting_pool(
    shooter: Fighter, weapon: Weapon, mode: Mode, settings: Settings, *, placing: bool = False
) -> Pool:
    """Return the dice a shooter can share out: AGL, rapid fire, and what applies at any target.

    placing: they place a template, which is no Shooting attack that Sure Shot would help.
    Rules: CB-SHOOT-01, CB-SHOOT-09, CB-ACT-11, CB-WEAP-35, CB-WEAP-36, CB-FEAT-57, CB-FIGHT-13.
    """
    rating = shooter.profile.agility
    dice = [Modifier(rating.dice, f"AGL {rating}", "CB-STAT-02")]
    if weapon.has_effect("rapid_fire"):
        if mode == "full_auto":
            dice.append(Modifier(FULL_AUTO_DICE, "full auto", "CB-WEAP-36"))
        else:
            dice.append(Modifier(RAPID_FIRE_DICE, "rapid fire", "CB-WEAP-35"))
    edges = list(list_attacker_edges(shooter, melee=False))
    if mode == "aim":
        edges.append(Modifier(1, "aimed", "CB-ACT-11"))
    feature_edges = dice_pools.feature_edges(shooter, "AGL", "marksmanship", "", settings)
    edges += [edge for edge in feature_edges if not (placing and edge == dice_pools.SKILLED["sure_shot"])]
    return Pool(tuple(dice), tuple(edges), settings.advantage_stacks)


def shot_modifiers(volley: Volley, mark: Mark, settings: Settings) -> tuple[Modifier, ...]:
    """Return everything added to each die against one target.

    Rules: CB-SHOOT-03, CB-SHOOT-09, CB-ENV-01, CB-ACT-09, CB-ORDER-05, CB-RUN-01, CB-CHARGE-04, CB-SPEC-04,
    CB-SPEC-12, CB-GEAR-26, CB-FEAT-14, CB-FEAT-52.
    """
    shooter, weapon = volley.shooter, mark.weapon
    short_range = is_short(weapon, mark.inches)
    _, rated = dice_pools.rating_parts(shooter.profile.agility, "AGL")
    modifiers = [*rated, *shooter.standing_modifiers("marksmanship"), *shooter.gear_modifiers("marksmanship")]
    modifiers += dark_penalty(shooter, dark=volley.dark, short=short_range, melee=False, settings=settings)
    if volley.mode == "run_and_gun" and not shooter.has_feature("strafing_fire"):
        modifiers.append(Modifier(-1, "Run and Gun", "CB-RUN-01"))
    if volley.mode == "snap":
        modifiers.append(Modifier(-2, "snap attack", "CB-CHARGE-04"))
    modifiers += shooter.relic_weapon(weapon)
    if shooter.has_gear("scope") and weapon.group in ("pistol", "rifle"):
        modifiers.append(Modifier(1, "Scope", "CB-GEAR-26"))
    modifiers += chameleon(shooter, mark.target)
    modifiers += to_hit_bonus(mark.target, weapon, settings)
    modifiers += teamwork(volley.team)
    if volley.team >= 2 and shooter.crew.has("galactic_defenders"):
        modifiers.append(Modifier(1, "Galactic Defenders", "CB-SPEC-04"))
    modifiers += dice_pools.crew_modifiers(shooter, "AGL", "marksmanship")
    modifiers += volley.extra
    if volley.order_token:
        modifiers.append(ORDER_TOKEN)
    return tuple(modifiers)


def prepare_volley(volley: Volley, settings: Settings = DEFAULTS) -> PreparedVolley:
    """Check a declared ranged attack and work out all of its dice, modifiers, targets and shields.

    Raises Forbidden for what the rules do not allow and InvalidInput for values out of range.
    Rules: CB-SHOOT-01 to CB-SHOOT-11, CB-SHOOT-16, CB-FIGHT-13.
    """
    must_be_allowed(volley)
    first = volley.marks[0]
    pool = shooting_pool(volley.shooter, first.weapon, volley.mode, settings)
    shares = pool.share(tuple(mark.dice for mark in volley.marks), volley.shooter.name)
    if min(shares) < 1:
        raise InvalidInput("Each target needs at least one die.")
    shots = tuple(
        _prepare_shot(volley, mark, pool, dice, settings)
        for mark, dice in zip(volley.marks, shares, strict=True)
    )
    return PreparedVolley(pool, shots)


def _prepare_shot(
    volley: Volley, mark: Mark, pool: Pool, dice: int, settings: Settings, *, stray: bool = False
) -> PreparedShot:
    """stray: dice that missed, which neither Sure Shot nor a Knack helps. Rules: CB-FEAT-34, CB-FEAT-57."""
    shooter, weapon = volley.shooter, mark.weapon
    short_range = is_short(weapon, mark.inches)
    knack = () if stray else dice_pools.knack(shooter, "marksmanship")
    part = allotted(
        pool,
        dice,
        edges=(*list_target_edges(mark.target, melee=False), *mark.edges),
        modifiers=shot_modifiers(volley, mark, settings),
        targets=(*target_number(shooter, mark.target, weapon, near=short_range), *knack),
        faces=dice_pools.faces_of(shooter, "marksmanship", with_equipment=not weapon.is_natural),
    )
    impact = impact_on(
        shooter, mark.target, weapon, settings, short=short_range, cover=mark.cover, vacuum=volley.vacuum
    )
    full_auto = volley.mode == "full_auto"
    prepared = Shot(mark.target.id, (part.throw,), impact.impact, counts_ones=full_auto)
    beside_it = None
    if mark.friend is not None:
        friend_mark = replace(mark, target=mark.friend, friend=None, edges=())
        friend_volley = replace(volley, marks=(friend_mark,))
        beside_it = _prepare_shot(friend_volley, friend_mark, Pool(pool.dice), 1, settings, stray=True).shot
    return PreparedShot(prepared, mark.target, weapon, (part,), impact, beside_it)


def prepare_joint_shot(volleys: tuple[Volley, ...], settings: Settings = DEFAULTS) -> PreparedShot:
    """Prepare one shot of several models of a group at one target: their dice form one pool.

    volleys: one for each model, each with a single mark, all at the same target. Every model keeps its own
    rating and modifiers. Of different weapons the lowest Power and damage count, and only effects that all
    share; of different cover the highest. Raises Forbidden when the targets differ.
    Rules: CB-ACT-08, CB-ACT-09, CB-FEAT-09, CB-SPEC-04.
    """
    if len(volleys) < 2:
        raise InvalidInput("Teamwork needs at least two models.")
    if len({volley.marks[0].target.id for volley in volleys}) > 1 or any(len(v.marks) > 1 for v in volleys):
        raise Forbidden("In Teamwork, all models must shoot at the same single target.", "CB-ACT-08")
    team = tuple(volley.shooter for volley in volleys)
    together = [
        replace(volley, team=len(team), extra=(*volley.extra, *pair_modifier(volley.shooter, team)))
        for volley in volleys
    ]
    shots = [prepare_volley(volley, settings).shots[0] for volley in together]
    weakest = min(shots, key=lambda shot: (shot.impact.impact.damage, shot.weapon.key))
    impact = weakest_impact(tuple(prepared.shot.impact for prepared in shots))
    throws = tuple(throw for prepared in shots for throw in prepared.shot.throws)
    joint = Shot(shots[0].target.id, throws, impact)
    parts = tuple(part for prepared in shots for part in prepared.parts)
    strays = tuple(prepared.stray for prepared in shots if prepared.stray)
    shielded = max(shots, key=lambda shot: shot.impact.impact.shields)
    named = replace(weakest.impact, impact=impact, shields=shielded.impact.shields)
    return PreparedShot(joint, shots[0].target, weakest.weapon, parts, named, _joint_stray(strays))


def _joint_stray(strays: tuple[Shot, ...]) -> Shot | None:
    """The misses of a team: every model's own modifiers against the friend, the weakest of their impacts.

    Rules: CB-ACT-08, CB-SHOOT-10, CB-SHOOT-11.
    """
    if not strays:
        return None
    throws = tuple(throw for stray in strays for throw in stray.throws)
    return replace(strays[0], throws=throws, impact=weakest_impact(tuple(stray.impact for stray in strays)))


def weakest_impact(impacts: tuple[Impact, ...]) -> Impact:
    """Return the effect of a joint attack's hits: the lowest Power and damage, and the extras that all
    share.

    Rules: CB-ACT-08.
    """
    powers = [impact.power for impact in impacts if impact.power is not None]
    return Impact(
        power=min(powers, default=None),
        damage=min(impact.damage for impact in impacts),
        extra=min(impact.extra for impact in impacts),
        per_critical=min(impact.per_critical for impact in impacts),
        once_critical=min(impact.once_critical for impact in impacts),
        shields=max(impact.shields for impact in impacts),
        tough=impacts[0].tough,
        stuns=all(impact.stuns for impact in impacts),
        ones_cancel=impacts[0].ones_cancel,
        counts_criticals=all(impact.counts_criticals for impact in impacts),
    )


# ---------------------------------------------------------------- what is allowed


def must_be_allowed(volley: Volley) -> None:
    """Raise Forbidden for a ranged attack that the rules do not allow, InvalidInput for impossible values.

    Rules: CB-SHOOT-01, CB-SHOOT-02, CB-SHOOT-07, CB-SHOOT-10, CB-RUN-01, CB-OVER-02, CB-ACT-10, CB-WEAP-25,
    CB-WEAP-33, CB-WEAP-36.
    """
    shooter = volley.shooter
    if not volley.marks:
        raise Missing("Choose at least one target.")
    require_able(shooter)
    if shooter.is_engaged:
        forbid(f"{shooter.name} is engaged, so it can't shoot. It can Fight or Disengage.", "CB-SHOOT-01")
    single = volley.mode in ("run_and_gun", "snap", "overwatch")
    if single and len({mark.target.id for mark in volley.marks}) > 1:
        forbid("This attack can have only one target.", "CB-RUN-01")
    _weapons_fit(volley)
    for mark in volley.marks:
        _mark_is_legal(volley, mark)


def _weapons_fit(volley: Volley) -> None:
    weapons = {mark.weapon.key: mark.weapon for mark in volley.marks}
    if len(weapons) > 2 or (len(weapons) == 2 and any(w.group != "pistol" for w in weapons.values())):
        forbid("In one attack, fire either one weapon or two pistols.", "CB-SHOOT-07")
    for weapon in weapons.values():
        must_work(volley.shooter, weapon)
        needs_air(weapon, vacuum=volley.vacuum, underwater=volley.underwater)
        if weapon.template is not None or not {"direct", "thrown"} & set(weapon.deliveries):
            raise Forbidden(
                f"{weapon.name} can't be fired at a model. Use /cb template for template weapons.",
                "CB-SHOOT-01",
            )
        if volley.mode == "run_and_gun" and (weapon.specialist or weapon.has_effect("rapid_fire")):
            kind = "Specialist" if weapon.specialist else "rapid-fire"
            forbid(f"{weapon.name} is a {kind} weapon, so it can't be used for Run and Gun.", "CB-RUN-01")
        if volley.mode == "full_auto" and not has_full_auto(weapon):
            raise Forbidden(f"{weapon.name} can't fire on full auto.", "CB-WEAP-36")


def has_full_auto(weapon: Weapon) -> bool:
    """Return whether it may fire full auto. Rules: CB-WEAP-36."""
    return weapon.has_effect("rapid_fire")


def _mark_is_legal(volley: Volley, mark: Mark) -> None:
    target = mark.target
    if target.id == volley.shooter.id:
        raise Forbidden(f"{target.name} can't shoot at itself.", "CB-SHOOT-02")
    require_targetable(target)
    if mark.inches < 0:
        raise InvalidInput("A distance can't be below 0 in.")
    if mark.inches > mark.weapon.range_inches:
        weapon = mark.weapon
        forbid(
            f"{weapon.name} only reaches {weapon.range_inches} in (you entered {mark.inches:g} in).",
            "CB-SHOOT-02",
        )
    if not mark.sighted:
        forbid(f"{volley.shooter.name} can't see {target.name}.", "CB-SHOOT-02")
    friend = mark.friend
    if friend is not None and friend.side != volley.shooter.side:
        raise Forbidden("Misses can only hit a friend of the shooter.", "CB-SHOOT-10")
    if friend is not None and not friend.is_engaged_with(target):
        raise Forbidden(f"{friend.name} and {target.name} are not in contact.", "CB-SHOOT-10")


def stray_candidates(target: Fighter, friends: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """Return the friends that stray dice may hit: those engaged with the target. Rules: CB-SHOOT-10."""
    return tuple(friend for friend in friends if friend.is_engaged_with(target))


def attack_rolls(weapon: Weapon) -> int:
    """Return how many full attack rolls one attack with the weapon makes. Rules: CB-WEAP-34."""
    return 2 if weapon.has_effect("fires_twice") else 1


def attack_rolls_together(volleys: tuple[Volley, ...]) -> int:
    """Return how many full rolls a joint attack makes: two only where every weapon of it fires twice.

    Rules: CB-ACT-08, CB-WEAP-34.
    """
    return min(attack_rolls(mark.weapon) for volley in volleys for mark in volley.marks)
