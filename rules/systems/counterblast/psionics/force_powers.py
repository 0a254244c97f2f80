"""Powers that mend, shield and wound: Heal, Force Field, Blast, Power Blast.

Owns what each roll leads to; the dice are prepared and rolled by `psionics`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.dice import Dice
from rules.effects import Effect, Gain
from rules.refusals import forbid
from rules.systems.counterblast.core.casualties import after_wounds
from rules.systems.counterblast.core.checks import CheckResult, Throw
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.core.shields import Suffered
from rules.systems.counterblast.gear.skills import Treatment, after_treatment, treat
from rules.systems.counterblast.psionics.mind_powers import floored
from rules.systems.counterblast.psionics.psionics import Struck


def after_force_field(results: tuple[tuple[Fighter, CheckResult], ...]) -> tuple[Effect, ...]:
    """Force Field: each success lends the ally one shield die until this turn's Upkeep is over; it adds up.

    Rules: CB-PSI-12.
    """
    return tuple(
        Gain(
            ally.id, Condition.WARDED, ally.grade(Condition.WARDED) + result.net, Until.UPKEEP, "Force Field"
        )
        for ally, result in results
        if result.net
    )


def require_healing(patient: Fighter, healers: Iterable[Fighter], inches: float = 0) -> None:
    """Refuse, with Forbidden, to Heal a machine, out of contact, or while anyone involved is engaged.

    Rules: CB-PSI-13, CB-BUILD-13, CB-BUILD-15.
    """
    if inches > 0:
        forbid(f"Heal needs base contact with {patient.name}.", "CB-PSI-13")
    if not patient.profile.is_living:
        forbid(f"{patient.name} is a machine: it is repaired only.", "CB-PSI-13")
    for model in (patient, *healers):
        if model.is_engaged:
            forbid(f"{model.name} is engaged: no Heal now.", "CB-PSI-13")


def heal(dice: Dice, throws: tuple[Throw, ...], curable: int) -> Treatment:
    """Roll Heal: each success restores 1 Life, each net 1 does 1 damage.

    curable: what the patient lost, see `skills.curable`. Rules: CB-PSI-13, CB-PSI-14.
    """
    return treat(dice, throws, curable, label="psionics")


def after_heal(patient: Fighter, treatment: Treatment) -> tuple[Effect, ...]:
    """What Heal does: Life back up to the starting value; damage that removes the patient when its Life is
    used up. Rules: CB-PSI-13, CB-PSI-14.
    """
    return after_treatment(patient, treatment, "medicine")


def after_blast(
    psionic: Fighter, results: tuple[tuple[Fighter, Struck], ...], back: Suffered, turn: int = 0
) -> tuple[Effect, ...]:
    """Blast: wounds to every target, and to the psionic by its own botch.

    back: the `backlash` for the net 1s of all targets added up (`net_ones`). Rules: CB-PSI-17, CB-PSI-18.
    """
    hurt = tuple(
        effect for target, struck in results for effect in after_wounds(target, struck.suffered.through, turn)
    )
    return (*hurt, *after_wounds(psionic, back.through, turn))


def after_power_blast(
    psionic: Fighter,
    results: tuple[tuple[Fighter, Struck], ...],
    back: Suffered,
    turn: int = 0,
    *,
    in_range: tuple[Fighter, ...] = (),
    settings: Settings = DEFAULTS,
) -> tuple[Effect, ...]:
    """Power Blast: wounds as by a Blast; a critical success floors its target, hurt or not, a critical
    failure the psionic.

    in_range: every model within range, who all lie down after a critical success by the prose.
    Rules: CB-PSI-21, CB-PSI-22, CB-PSI-06.
    """
    effects = list(after_blast(psionic, results, back, turn))
    down = [target for target, struck in results if struck.critical]
    if down and settings.psi_text == "prose":
        down = [model for model in in_range if model.id != psionic.id]
    for target in down:
        effects += floored(target, "Power Blast")
    if net_ones(results):
        effects += floored(psionic, "Power Blast")
    return tuple(effects)


def net_ones(results: Iterable[tuple[Fighter, Struck]]) -> int:
    """Net natural 1s of all targets added up: the dice of the backlash. Rules: CB-PSI-18, CB-PSI-22."""
    return sum(struck.net_ones for _, struck in results)
