"""The Minder: it grapples a Living model, then takes its mind.

Owns both checks and what they lead to. The weapon table and melee do not know it.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Effect, Gain, Leave, Propose
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.core import ability
from rules.systems.counterblast.core.checks import Prepared, Throw, score, throw
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import size_steps
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.core.shields import Impact, suffer
from rules.systems.counterblast.melee.blows import Blow, Melee
from rules.systems.counterblast.melee.disengage import engage
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.psionics.psionics import psionic_impact

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
"""What a Minder attacks with; no shield helps against it. Rules: CB-FEAT-38."""


@dataclass(frozen=True, slots=True)
class Grapple:
    """The dice of a grapple: the Minder's attack and the target's defence, None without any."""

    attack: Throw
    defence: Throw | None


def require_minder(model: Fighter) -> None:
    """Refuse, with Forbidden, a model that is no Minder. Rules: CB-FEAT-38."""
    if not model.has_feature("minder"):
        raise Forbidden(f"{model.name} is no Minder.", "CB-FEAT-38")


def prepare_grapple(
    minder: Fighter, target: Fighter, *, charging: bool = False, settings: Settings = DEFAULTS
) -> tuple[Prepared, Prepared | None, Grapple]:
    """Prepare a Minder's attack: STR against the target as in melee, no shields.

    Gives the two sides with their reasons and the arguments of `grapple`. Raises Forbidden for a model that
    is no Minder, a target that is not Living or on a larger base. Rules: CB-FEAT-38.
    """
    require_minder(minder)
    if not target.profile.is_living:
        forbid(f"{target.name} is not Living.", "CB-FEAT-38")
    if size_steps(target.profile.size, minder.profile.size) > 0:
        forbid(f"{target.name} is larger than {minder.name}.", "CB-FEAT-38")
    blow = Blow(minder, target, GRASP, charging=charging)
    ready = prepare_melee(Melee((blow,), must_be_engaged=not charging), settings).blows[0]
    dice = Grapple(ready.attack.throw, ready.defence.throw if ready.defence else None)
    return ready.attack, ready.defence, dice


def grapple(dice: Dice, grip: Grapple) -> bool:
    """Roll the grapple: true when the Minder has more successes and attaches itself. Rules: CB-FEAT-38."""
    mine = score(dice, grip.attack, "grapple")
    theirs = score(dice, grip.defence, "defence") if grip.defence is not None else 0
    return mine > theirs


def after_grapple(minder: Fighter, target: Fighter, attached: bool) -> tuple[Effect, ...]:
    """A Minder that attached itself makes its control check next. Rules: CB-FEAT-38, CB-FEAT-39."""
    if not attached:
        return ()
    reason = f"{minder.name} holds {target.name}: Psionic check at {target.defense} to control it."
    return (Propose("mind_control", minder.id, reason, (("target", target.id),)),)


def prepare_control(
    minder: Fighter, target: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> tuple[Prepared, Impact]:
    """Prepare the control check: Psionic dice at the target's Defense; its shields take successes away.

    Raises Forbidden without a psionic rating. Rules: CB-FEAT-39, CB-PSI-04.
    """
    check = ability.prepare_check(
        minder,
        "PSI",
        target.defense,
        skill="psionics",
        target_reason=f"Defense of {target.name}",
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
    """What the control check leads to.

    Success: the Minder is gone and is no casualty; the target changes sides and is Controlled, in a campaign
    for good by `settings.minder_keeps`. Failure: the two are only engaged, and the Minder has to win a melee
    in its next activation before it tries again. Rules: CB-FEAT-39, CB-FEAT-18.
    """
    if not controlled:
        return engage(minder, target)
    reason = f"{target.name} joins the crew of {minder.name}, Controlled."
    details: tuple[tuple[str, int | str], ...] = (("side", minder.side),)
    return (
        Leave(minder.id, ABSORBED),
        Gain(target.id, TAKEN, int(settings.minder_keeps), source="Minder"),
        Propose("change_side", target.id, reason, details),
    )
