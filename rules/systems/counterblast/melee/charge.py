"""The charge: how far, at whom, what the target and its friends may do, and what it is worth.

Owns the charge up to the moment of contact; the blows themselves are in `fighting`, the snap shot in
`shooting`. Distances are told by the players.
"""

from __future__ import annotations

from rules.dice import Dice
from rules.effects import Effect
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import Event, ended_by, must_be_able, must_be_targetable
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.panic import frightened
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.movement.movement import burden

POUNCE_INCHES = 4
HELPER_INCHES = 1
LEAP_INCHES = 6
SCARY_TARGET = 7


def charge_distance(charger: Fighter, *, terrain_inches: float = 0) -> float:
    """Inches that a charger may move: one Move and half of base Mv, less what terrain takes.

    A rocket pack's Move is 10 in. A heavy weapon takes 1 in off the Move. Robots and flyers get no half (a
    Barnstormer with a rocket pack does), Pounce adds 4 in. terrain_inches: 0 or more. Raises InvalidInput.
    Rules: CB-CHARGE-02, CB-FEAT-41, CB-FEAT-30, CB-FEAT-07, CB-BUILD-13, CB-GEAR-47, CB-WEAP-34.
    """
    if terrain_inches < 0:
        raise InvalidInput("Terrain takes 0 inches or more.")
    barnstormer = charger.has_feature("barnstormer") and charger.has_gear("rocket_pack")
    grounded = not charger.flies or barnstormer
    half = charger.profile.mv / 2 if grounded and not charger.profile.is_robot else 0
    pounce = POUNCE_INCHES if charger.has_feature("pounce") else 0
    return max(0.0, charger.mv + total(burden(charger)) + half + pounce - terrain_inches)


def require_leaper(model: Fighter) -> None:
    """Refuse, with Forbidden, a model that may leap at nobody: without Pounce, or neither Hidden nor an
    Infiltrator. Rules: CB-FEAT-41, CB-ACT-10.
    """
    must_be_able(model)
    if not model.has_feature("pounce"):
        raise Forbidden(f"{model.name} has no Pounce.", "CB-FEAT-41")
    if not (model.has(Condition.HIDDEN) or model.has_feature("infiltrator")):
        forbid(f"{model.name} is neither Hidden nor an Infiltrator.", "CB-FEAT-41")


def require_leap(model: Fighter, target: Fighter, inches: float) -> None:
    """Refuse, with Forbidden, the Move by which a model with Pounce engages an enemy out of hiding, or as an
    Infiltrator from where it was set up: 6 in at most, which is no charge.

    Rules: CB-FEAT-41, CB-ACT-10.
    """
    require_leaper(model)
    must_be_targetable(target)
    if model.side == target.side:
        raise Forbidden(f"{target.name} is of the same crew.", "CB-FEAT-41")
    if inches > LEAP_INCHES:
        forbid(f"{model.name} leaps {LEAP_INCHES} in; {target.name} is {inches:g} in away.", "CB-FEAT-41")


def must_be_reachable(charger: Fighter, target: Fighter, inches: float, *, terrain_inches: float = 0) -> None:
    """Raise Forbidden for a charge that the rules do not allow.

    inches: to the target, along the way. Rules: CB-CHARGE-01, CB-CHARGE-03, CB-ACT-10, CB-COND-04.
    """
    must_be_able(charger)
    must_be_targetable(target)
    if charger.side == target.side:
        forbid(f"{target.name} is of the same crew.", "CB-CHARGE-03")
    if charger.is_engaged:
        forbid(f"{charger.name} is engaged: Fight or Disengage.", "CB-ACT-10")
    reach = charge_distance(charger, terrain_inches=terrain_inches)
    if inches > reach:
        forbid(f"{charger.name} charges {reach:g} in; {target.name} is {inches:g} in away.", "CB-CHARGE-03")


def may_snap_attack(charger: Fighter, target: Fighter, inches: float) -> bool:
    """Whether the target may shoot at the charger, once and at -2, before contact.

    inches: the distance when the charge was declared. Shoot with mode "snap".
    Rules: CB-CHARGE-04, CB-CHARGE-08, CB-COND-04.
    """
    if charger.has(Condition.HIDDEN) or target.is_engaged or target.is_incapacitated:
        return False
    return inches >= charger.profile.mv


def may_step_in(helper: Fighter, charger: Fighter, inches: float) -> bool:
    """Whether a defender's friend may step into contact with the charger, free and without a charge bonus.

    inches: between the helper and the charger when the charge move is complete.
    Rules: CB-CHARGE-05, CB-CHARGE-06.
    """
    if helper.side == charger.side or helper.is_incapacitated or helper.is_engaged:
        return False
    return inches <= HELPER_INCHES


def is_ambush(charger: Fighter) -> bool:
    """Whether the charge starts from hiding; its advantage is that of any attack from hiding, once.

    Rules: CB-CHARGE-08, CB-HIDE-08.
    """
    return charger.has(Condition.HIDDEN)


def scares(
    charger: Fighter, target: Fighter, *, charging: bool = True, settings: Settings = DEFAULTS
) -> bool:
    """Whether the target must check for fear as the bases touch.

    Rules: CB-FEAT-47, CB-SPEC-15, CB-FEAT-26.
    """
    if not charging and settings.scary_on == "charge":
        return False
    if not charger.has_feature("scary") or target.has_feature("scary") or target.is_incapacitated:
        return False
    return bool(frightened(target, "Scary"))


def prepare_fear(target: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS) -> Prepared:
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
    """A model that loses its nerve is Panicked; the check uses up the mark of a critically failed panic test.

    Rules: CB-FEAT-47, CB-PANIC-07, CB-PANIC-09.
    """
    return (*ended_by(target, Event.INT_CHECKED), *(() if kept_nerve else frightened(target, "Scary")))
