"""Enter and leave a melee: charges, Disengage and Minders."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice, add_up
from rules.effects import Assign, Effect, Gain, Leave, Propose
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core import dice_pools
from rules.systems.counterblast.core.checks import PreparedCheck, Throw, score, throw
from rules.systems.counterblast.core.conditions import Event, end_conditions, require_able, require_targetable
from rules.systems.counterblast.core.counters import ENGAGED_WITH
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.general import size_steps
from rules.systems.counterblast.core.impacts import Impact, suffer
from rules.systems.counterblast.core.panic import frightened
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.melee.bouts import Blow, Bout, Melee, PreparedMelee, wounds_by_bouts
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.movement.movement import burden
from rules.systems.counterblast.psionics.psionics import psionic_impact
from rules.wording import possessive

POUNCE_INCHES = 4
HELPER_INCHES = 1
LEAP_INCHES = 6
SCARY_TARGET = 7


def charge_distance(charger: Fighter, *, terrain_inches: float = 0) -> float:
    """Return the inches that a charger may move: one Move and half of base Mv, less what terrain takes.

    A rocket pack's Move is 10 in. A heavy weapon takes 1 in off the Move. Robots and flyers get no half (a
    Barnstormer with a rocket pack does), Pounce adds 4 in. terrain_inches: 0 or more. Raises InvalidInput.
    Rules: CB-CHARGE-02, CB-FEAT-41, CB-FEAT-30, CB-FEAT-07, CB-BUILD-13, CB-GEAR-47, CB-WEAP-34.
    """
    if terrain_inches < 0:
        raise InvalidInput("Movement spent on terrain can't be below 0.")
    barnstormer = charger.has_feature("barnstormer") and charger.has_gear("rocket_pack")
    grounded = not charger.flies or barnstormer
    half = charger.profile.mv / 2 if grounded and not charger.profile.is_robot else 0
    pounce = POUNCE_INCHES if charger.has_feature("pounce") else 0
    return max(0.0, charger.mv + total(burden(charger)) + half + pounce - terrain_inches)


def require_leaper(model: Fighter) -> None:
    """Raise Forbidden for a model without Pounce, or neither Hidden nor an Infiltrator. Rules: CB-FEAT-41,
    CB-ACT-10.
    """
    require_able(model)
    if not model.has_feature("pounce"):
        raise Forbidden(f"{model.name} doesn't have Pounce.", "CB-FEAT-41")
    if not (model.has(Condition.HIDDEN) or model.has_feature("infiltrator")):
        forbid(f"{model.name} must be Hidden or an Infiltrator to Pounce.", "CB-FEAT-41")


def require_leap(model: Fighter, target: Fighter, inches: float) -> None:
    """Raise Forbidden unless a model with Pounce may engage this enemy from hiding, or as an Infiltrator
    from where it was set up: at most 6 in, and not a charge.

    Rules: CB-FEAT-41, CB-ACT-10.
    """
    require_leaper(model)
    require_targetable(target)
    if model.side == target.side:
        raise Forbidden(f"Choose an enemy. {target.name} belongs to the same crew.", "CB-FEAT-41")
    if inches > LEAP_INCHES:
        forbid(
            f"{model.name} can leap {LEAP_INCHES} in, but {target.name} is {inches:g} in away.", "CB-FEAT-41"
        )


def must_be_reachable(charger: Fighter, target: Fighter, inches: float, *, terrain_inches: float = 0) -> None:
    """Raise Forbidden for a charge that the rules do not allow.

    inches: to the target, along the way. Rules: CB-CHARGE-01, CB-CHARGE-03, CB-ACT-10, CB-COND-04.
    """
    require_able(charger)
    require_targetable(target)
    if charger.side == target.side:
        forbid(f"Choose an enemy. {target.name} belongs to the same crew.", "CB-CHARGE-03")
    if charger.is_engaged:
        forbid(f"{charger.name} is engaged. It can Fight or Disengage.", "CB-ACT-10")
    reach = charge_distance(charger, terrain_inches=terrain_inches)
    if inches > reach:
        forbid(
            f"{charger.name} can charge {reach:g} in, but {target.name} is {inches:g} in away.",
            "CB-CHARGE-03",
        )


def may_snap_attack(charger: Fighter, target: Fighter, inches: float) -> bool:
    """Return whether the target may shoot at the charger, once and at -2, before contact.

    inches: the distance when the charge was declared. Shoot with mode "snap".
    Rules: CB-CHARGE-04, CB-CHARGE-08, CB-COND-04.
    """
    if charger.has(Condition.HIDDEN) or target.is_engaged or target.is_incapacitated:
        return False
    return inches >= charger.profile.mv


def may_step_in(helper: Fighter, charger: Fighter, inches: float) -> bool:
    """Return whether a defender's friend may step in, free and without a charge bonus.

    inches: between the helper and the charger when the charge move is complete.
    Rules: CB-CHARGE-05, CB-CHARGE-06.
    """
    if helper.side == charger.side or helper.is_incapacitated or helper.is_engaged:
        return False
    return inches <= HELPER_INCHES


def is_ambush(charger: Fighter) -> bool:
    """Return whether the charge starts from hiding; its advantage is that of any attack from hiding, once.

    Rules: CB-CHARGE-08, CB-HIDE-08.
    """
    return charger.has(Condition.HIDDEN)


def scares(
    charger: Fighter, target: Fighter, *, charging: bool = True, settings: Settings = DEFAULTS
) -> bool:
    """Return whether the target must check for fear as the bases touch.

    Rules: CB-FEAT-47, CB-SPEC-15, CB-FEAT-26.
    """
    if not charging and settings.scary_on == "charge":
        return False
    if not charger.has_feature("scary") or target.has_feature("scary") or target.is_incapacitated:
        return False
    return bool(frightened(target, "Scary"))


def prepare_fear(
    target: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare the check of a model charged by a Scary one: INT at 7. Rules: CB-FEAT-47, CB-FEAT-12."""
    return prepare_check(
        target,
        "INT",
        SCARY_TARGET,
        nerve="panic",
        target_reason="Scary",
        target_rule="CB-FEAT-47",
        order_token=order_token,
        settings=settings,
    )


def fear(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll the check against a Scary charger; true when the model keeps its nerve. Rules: CB-FEAT-47."""
    return throw(dice, throws, label="fear").net >= 1


def after_fear(target: Fighter, kept_nerve: bool) -> tuple[Effect, ...]:
    """Make a model that loses its nerve Panicked; the check uses up the mark of a failed panic test.

    Rules: CB-FEAT-47, CB-PANIC-07, CB-PANIC-09.
    """
    return (*end_conditions(target, Event.INT_CHECKED), *(() if kept_nerve else frightened(target, "Scary")))


TARGET = 7


def opponents(leaver: Fighter, models: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """Return the enemies that hold a model, in the order given. Rules: CB-DISENG-01, CB-COND-03."""
    return tuple(model for model in models if leaver.is_engaged_with(model))


def prepare_disengage(
    model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare one side's dice of the contest: AGL at 7, for the leaver and for every enemy.

    Rules: CB-DISENG-01, CB-FEAT-44, CB-PANIC-11.
    """
    return prepare_check(
        model,
        "AGL",
        TARGET,
        target_reason="Disengage",
        target_rule="CB-DISENG-01",
        order_token=order_token,
        settings=settings,
    )


def beaten(dice: Dice, enemy: Throw, leaver_successes: int) -> bool:
    """Roll one enemy's dice; true when it has more successes than the leaver. Rules: CB-DISENG-02."""
    return throw(dice, (enemy,), label="hold the enemy back").net > leaver_successes


def disengage(dice: Dice, leaver: Throw, enemies: tuple[Throw, ...]) -> tuple[bool, ...]:
    """Roll to leave a melee; gives for each enemy whether it wins a free attack. Ties favour the leaver.

    Rules: CB-DISENG-01, CB-DISENG-02.
    """
    successes = dice.call(leaver_successes, leaver)
    return tuple(dice.call(beaten, enemy, successes) for enemy in enemies)


def free_attacks(dice: Dice, leaver: Throw, enemies: tuple[Throw, ...]) -> int:
    """Count who wins a free attack: `disengage` with fewer outcomes, for odds. Rules: CB-DISENG-02."""
    successes = dice.call(leaver_successes, leaver)
    return dice.call(add_up, *((1, 1, beaten, (enemy, successes)) for enemy in enemies))


def unopposed(dice: Dice, leaver: Throw, enemies: tuple[Throw, ...]) -> bool:
    """Return whether no one wins a free attack: `disengage` with fewer outcomes, for odds.

    Rules: CB-DISENG-01, CB-DISENG-02.
    """
    successes = dice.call(leaver_successes, leaver)
    return not any(dice.call(beaten, enemy, successes) for enemy in enemies)


def leave(
    dice: Dice,
    leaver: Throw,
    enemies: tuple[tuple[Throw, int], ...],
    attacks: tuple[tuple[tuple[int, ...], tuple[Bout, ...]], ...],
    cap: int,
) -> tuple[bool, int]:
    """Roll the contest and the free attacks that follow, for odds; return whether any struck, and the wounds.

    enemies: the dice of each kind of enemy, and how many of that kind there are. attacks: for every number of
    winners of each kind, one or more in all, the blows that follow. cap: wounds that are told apart.
    Rules: CB-DISENG-01, CB-DISENG-02, CB-DISENG-03.
    """
    successes = dice.call(leaver_successes, leaver)
    won = tuple(dice.call(add_up, (blows, 1, beaten, (enemy, successes))) for enemy, blows in enemies)
    blows = dict(attacks).get(won, ())
    return bool(blows), dice.call(wounds_by_bouts, blows, cap) if blows else 0


def leaver_successes(dice: Dice, leaver: Throw) -> int:
    """Return the net successes of the model that leaves. Rules: CB-DISENG-01."""
    return throw(dice, (leaver,), label="disengage").net


def prepare_free_attacks(
    leaver: Fighter,
    attackers: tuple[Fighter, ...],
    defence: tuple[int, ...] = (),
    *,
    dark: bool = False,
    vacuum: bool = False,
    outnumbering: frozenset[int] = frozenset(),
    settings: Settings = DEFAULTS,
) -> PreparedMelee:
    """Prepare the free attacks on a model that leaves: it defends with half its dice, shared out among them.

    attackers: the enemies that won theirs. defence: dice against each in turn, none for an even share. dark,
    vacuum, outnumbering: as in any melee. Raises
    Forbidden for a share that is not the model's. Rules: CB-DISENG-02, CB-DISENG-03, CB-FIGHT-03.
    """
    if not attackers:
        raise Forbidden("There is no free attack to make, because no model won one.", "CB-DISENG-02")
    shares: tuple[int | None, ...] = defence or (None,) * len(attackers)
    blows = tuple(
        Blow(attacker, leaver, defence=share) for attacker, share in zip(attackers, shares, strict=True)
    )
    melee = Melee(
        blows, dark=dark, vacuum=vacuum, outnumbering=outnumbering, halved=frozenset({leaver.id}), group=False
    )
    return prepare_melee(melee, settings)


def after_disengage(leaver: Fighter, enemies: tuple[Fighter, ...]) -> tuple[Effect, ...]:
    """Return the effects for an able leaver: it is no longer engaged and moves up to its Mv in this action.

    Rules: CB-DISENG-04, CB-COND-03.
    """
    if leaver.is_incapacitated:
        return ()
    effects: list[Effect] = []
    for enemy in enemies:
        effects.append(Assign("model", leaver.id, ENGAGED_WITH.of(enemy.id), 0))
        effects.append(Assign("model", enemy.id, ENGAGED_WITH.of(leaver.id), 0))
    reason = f"{leaver.name} gets away and can move up to {leaver.mv} in."
    return (*effects, Propose("move", leaver.id, reason, (("inches", leaver.mv),)))


def engage(model: Fighter, enemy: Fighter) -> tuple[Effect, ...]:
    """Engage two models that come into contact or within Reach.

    Raises Forbidden for models of one crew or out of action. Rules: CB-COND-03, CB-SLASH-02, CB-WEAP-07.
    """
    require_able(model)
    require_able(enemy)
    if model.side == enemy.side:
        forbid(f"Choose an enemy. {model.name} and {enemy.name} are on the same side.", "CB-COND-03")
    return (
        Assign("model", model.id, ENGAGED_WITH.of(enemy.id), 1),
        Assign("model", enemy.id, ENGAGED_WITH.of(model.id), 1),
    )


ABSORBED = "absorbed"
"""How a Minder leaves play that took a mind: no casualty."""
TAKEN = "taken"
"""Condition of a model that a Minder took; its value is 1 where it stays so after the encounter."""

GRASP = Weapon(
    key="minder_grasp",
    name="Minder",
    group="natural",
    deliveries=("melee",),
    melee=True,
    damage=0,
    rules=("CB-FEAT-38",),
)
"""The weapon with which a Minder attacks; no shield helps against it. Rules: CB-FEAT-38."""


@dataclass(frozen=True, slots=True)
class Grapple:
    """The dice of a grapple: the Minder's attack and the target's defence, None without any."""

    attack: Throw
    defence: Throw | None


def require_minder(model: Fighter) -> None:
    """Refuse, with Forbidden, a model that is no Minder. Rules: CB-FEAT-38."""
    if not model.has_feature("minder"):
        raise Forbidden(f"Choose a Minder. {model.name} isn't one.", "CB-FEAT-38")


def prepare_grapple(
    minder: Fighter, target: Fighter, *, charging: bool = False, settings: Settings = DEFAULTS
) -> tuple[PreparedCheck, PreparedCheck | None, Grapple]:
    """Prepare a Minder's attack: STR against the target as in melee, no shields.

    Gives the two sides with their reasons and the arguments of `grapple`. Raises Forbidden for a model that
    is no Minder, a target that is not Living or on a larger base. Rules: CB-FEAT-38.
    """
    require_minder(minder)
    if not target.profile.is_living:
        forbid(f"{target.name} isn't Living, so a Minder can't grapple it.", "CB-FEAT-38")
    if size_steps(target.profile.size, minder.profile.size) > 0:
        forbid(f"{target.name} is too large for {minder.name} to grapple.", "CB-FEAT-38")
    blow = Blow(minder, target, GRASP, charging=charging)
    ready = prepare_melee(Melee((blow,), must_be_engaged=not charging), settings).blows[0]
    dice = Grapple(ready.attack.throw, ready.defence.throw if ready.defence else None)
    return ready.attack, ready.defence, dice


def grapple(dice: Dice, grip: Grapple) -> bool:
    """Roll the grapple: true when the Minder has more successes and attaches itself. Rules: CB-FEAT-38."""
    attack_score = score(dice, grip.attack, "grapple")
    defence_score = score(dice, grip.defence, "defence") if grip.defence is not None else 0
    return attack_score > defence_score


def after_grapple(minder: Fighter, target: Fighter, attached: bool) -> tuple[Effect, ...]:
    """Note that a Minder that attached itself makes its control check next. Rules: CB-FEAT-38, CB-FEAT-39."""
    if not attached:
        return ()
    reason = (
        f"{minder.name} holds {target.name} and needs a Psionic check (target {target.defense}) to take "
        "control."
    )
    return (Propose("mind_control", minder.id, reason, (("target", target.id),)),)


def prepare_control(
    minder: Fighter, target: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> tuple[PreparedCheck, Impact]:
    """Prepare the control check: Psionic dice at the target's Defense; its shields take successes away.

    Raises Forbidden without a psionic rating. Rules: CB-FEAT-39, CB-PSI-04.
    """
    check = dice_pools.prepare_check(
        minder,
        "PSI",
        target.defense,
        skill="psionics",
        target_reason=f"{possessive(target.name)} Defense",
        target_rule="CB-FEAT-39",
        order_token=order_token,
        settings=settings,
    )
    return check, psionic_impact(minder, target, damage=0, settings=settings)


def control(dice: Dice, throws: tuple[Throw, ...], impact: Impact) -> bool:
    """Roll the control check: true when a success is left after the shields. Rules: CB-FEAT-39."""
    rolled = throw(dice, throws, label="psionics")
    return suffer(dice, rolled.net, 0, impact).through >= 1


def after_control(
    minder: Fighter, target: Fighter, controlled: bool, settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Return the effects of the control check.

    Success: the Minder is gone without being a casualty; the target changes sides and is Controlled, in a
    campaign for good by `settings.minder_keeps`. Failure: the two are only engaged, and the Minder has to win
    a melee in its next activation before it tries again. Rules: CB-FEAT-39, CB-FEAT-18.
    """
    if not controlled:
        return engage(minder, target)
    reason = f"{target.name} joins the crew of {minder.name} and is Controlled."
    details: tuple[tuple[str, int | str], ...] = (("side", minder.side),)
    return (
        Leave(minder.id, ABSORBED),
        Gain(target.id, TAKEN, int(settings.minder_keeps), source="Minder"),
        Propose("change_side", target.id, reason, details),
    )
