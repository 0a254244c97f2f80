"""Healing and repair: which Attribute is rolled, and the roll; ending Isolated too.

Owns the choice of roll; what it does to the patient is in `states`.
"""

from __future__ import annotations

from enum import StrEnum

from rules.dice import Dice
from rules.effects import Effect, Lose
from rules.refusals import Forbidden, forbid
from rules.systems.infinity.profile import NAMES, Skill
from rules.systems.infinity.rolls import Reading, normal_roll
from rules.systems.infinity.states import check_healing
from rules.systems.infinity.trooper import Condition, Trooper


class Means(StrEnum):
    """What heals."""

    DOCTOR = "doctor"
    ENGINEER = "engineer"
    MEDIKIT = "medikit"
    AUTOMEDIKIT = "automedikit"
    REGENERATION = "regeneration"


_OF_PATIENT = {Means.AUTOMEDIKIT: Skill.AUTOMEDIKIT, Means.REGENERATION: Skill.REGENERATION}
_BY_HEALER = {Means.DOCTOR: Skill.DOCTOR, Means.ENGINEER: Skill.ENGINEER}


def healing_attribute(means: Means, patient: Trooper, healer: Trooper | None = None) -> int:
    """The Attribute to roll: the healer's WIP for Doctor (Wounds) and Engineer (STR), else the patient's PH.

    Raises Forbidden where the patient has not got what heals it by itself, or no fit healer is given, and
    only then where the patient cannot be healed as it is now. A MediKit is taken on the players' word.
    Rules: INF-WND-02, INF-WND-04, INF-VAL-08.
    """
    base = _attribute(means, patient, healer)
    check_healing(patient)
    return base


def _attribute(means: Means, patient: Trooper, healer: Trooper | None) -> int:
    """The same, whatever state the patient is in."""
    if means not in _BY_HEALER:
        needed = _OF_PATIENT.get(means)
        if needed is not None and not patient.levels(needed):
            forbid(f"{patient.current.name} has no {NAMES.get(needed, needed.title())}.", "INF-WND-04")
        return patient.current.attribute("ph")
    structure = patient.current.structure
    if structure is not (means is Means.ENGINEER):
        what, who = ("STR", "an Engineer") if structure else ("Wounds", "a Doctor")
        forbid(f"{patient.current.name} has {what}: it takes {who}.", "INF-WND-04")
    return _wip(healer, _BY_HEALER[means], "INF-WND-04")


def likely_means(patient: Trooper, healer: Trooper | None) -> Means:
    """What heals, by the profiles: the patient's own where nobody tends it, else Engineer, Doctor or MediKit.

    Rules: INF-WND-04.
    """
    if healer is None:
        return Means.REGENERATION if patient.levels(Skill.REGENERATION) else Means.AUTOMEDIKIT
    if patient.current.structure:
        return Means.ENGINEER
    kit = any(healer.levels(skill) for skill in (Skill.MEDIKIT, Skill.PARAMEDIC))
    return Means.MEDIKIT if kit and not healer.levels(Skill.DOCTOR) else Means.DOCTOR


def _wip(healer: Trooper | None, skill: Skill, rule: str) -> int:
    wanted = f"That takes an able {skill.title()} in base contact."
    if healer is None:
        raise Forbidden(wanted, rule)
    if not healer.levels(skill):
        forbid(wanted, rule)
    return healer.current.attribute("wip")


def heal(dice: Dice, value: int) -> bool:
    """The healing roll against the Attribute with its MODs: True where it succeeds.

    Rules: INF-WND-04, INF-VAL-12, INF-SHA-08.
    """
    return normal_roll(dice, value, label="healing") is not Reading.FAILURE


def reconnect_attribute(engineer: Trooper) -> int:
    """The Attribute of an Engineer who ends Isolated: WIP. Raises Forbidden for others. Rules: INF-ISO-03."""
    return _wip(engineer, Skill.ENGINEER, "INF-ISO-03")


def reconnect(dice: Dice, value: int) -> bool:
    """The Engineer's Normal WIP Roll that ends Isolated. Rules: INF-ISO-03."""
    return normal_roll(dice, value, label="engineer") is not Reading.FAILURE


def after_reconnect(patient: Trooper, *, success: bool) -> tuple[Effect, ...]:
    """Isolated ends where the roll succeeded; nothing happens where it failed. Rules: INF-ISO-03."""
    return (Lose(patient.id, Condition.ISOLATED),) if success else ()
