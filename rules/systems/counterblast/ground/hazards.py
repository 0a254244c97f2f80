"""Hazards with a name: acid, fire, heat and cold, slick surfaces, toxins, and the chart that picks one.

Owns what each does by its grade; the procedure of Dangerous terrain stands in `terrain`, fire in `burning`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.dice import Dice
from rules.effects import Assign, Count, Effect, Gain, Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.fighter import Condition, Counter, Fighter, Until
from rules.systems.counterblast.core.general import chart_roll
from rules.systems.counterblast.core.initiative import DANGER_TARGET, FOOTING_TARGET, one_success
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.core.shields import Impact, suffer
from rules.systems.counterblast.ground.burning import Fire, catch_fire
from rules.systems.counterblast.ground.protection import protection
from rules.systems.counterblast.ground.terrain import Exposure, Rugged, exposure

TEMPLATE_INCHES = 5
SLICK_RATING = 1
"""Rating of a slick area that the chart made, which prints none."""


class Hazard(StrEnum):
    """A hazard of the chart."""

    ACID = "acid"
    FIRE = "fire"
    HEAT_OR_COLD = "heat_or_cold"
    SLICK = "slick"
    TOXIC = "toxic"


@dataclass(frozen=True, slots=True)
class HazardArea:
    """A hazard and its grade, 1 to 3; for fire the grade is the turns before it dies out."""

    hazard: Hazard
    grade: int

    def __post_init__(self) -> None:
        if not 1 <= self.grade <= 3:
            raise InvalidInput(f"A hazard's grade is 1 to 3, not {self.grade}.")


def random_hazard(dice: Dice) -> HazardArea:
    """Roll a random hazard: d10 for its kind and, for all but a slick surface, d10 for its grade.

    Its area is a template 5 in across, centred on the active model, and stays until gear or abilities remove
    it. Rules: CB-HAZ-07, CB-HAZ-08, CB-CHECK-17.
    """
    charts = load().charts
    hazard = Hazard(charts["random_hazard"].row(chart_roll(dice, 0, "hazard")).key)
    if hazard is Hazard.SLICK:
        return HazardArea(hazard, SLICK_RATING)
    return HazardArea(hazard, charts["hazard_grade"].row(chart_roll(dice, 0, "grade")).value("grade"))


def hazard_fire(area: HazardArea, turn: int) -> Fire:
    """The burning area of a random fire: [R5], and it dies out after as many turns as its grade.

    Raises InvalidInput for another hazard. Rules: CB-HAZ-03, CB-HAZ-07, CB-HAZ-08.
    """
    if area.hazard is not Hazard.FIRE:
        raise InvalidInput("Only a fire burns.")
    return Fire(turn, TEMPLATE_INCHES, lasts=area.grade)


def after_random_hazard(model: Fighter, area: HazardArea) -> tuple[Effect, ...]:
    """What the hazard does at once to the active model, on which its area is centred.

    A slick surface asks for the footing check, acid and toxins for the check of Dangerous ground, unless the
    model is protected; fire sets it burning. Rules: CB-HAZ-01, CB-HAZ-03, CB-HAZ-05, CB-HAZ-06, CB-HAZ-08.
    """
    if area.hazard is Hazard.FIRE:
        return catch_fire(model)
    if area.hazard is Hazard.SLICK:
        reason = f"{model.name} slips: Initiative check at {FOOTING_TARGET} or Prone."
        return (Propose("footing", model.id, reason, (("target", FOOTING_TARGET),)),)
    if area.hazard is Hazard.HEAT_OR_COLD or hazard_exposure(model, area) is None:
        return ()
    reason = f"{model.name} is exposed: Initiative check at {DANGER_TARGET} or damage."
    details: tuple[tuple[str, int | str], ...] = (("hazard", area.hazard.value), ("grade", area.grade))
    return (Propose("danger", model.id, reason, details),)


# ------------------------------------------------------------------------------------------- acid and toxins


def hazard_exposure(model: Fighter, area: HazardArea, settings: Settings = DEFAULTS) -> Exposure | None:
    """The model's numbers in acid or toxins, to be resolved by `terrain.danger`; None when it is protected.

    The grade is the dice, the chart gives the Power: 3, 4, 5 for acid, 3, 5, 7 for toxins.
    Raises InvalidInput for another hazard. Rules: CB-HAZ-01, CB-HAZ-06.
    """
    if area.hazard is Hazard.ACID:
        safe = protection(model, "acid")
    elif area.hazard is Hazard.TOXIC:
        safe = protection(model, "toxic")
    else:
        raise InvalidInput("Only acid and toxins are rolled for like Dangerous ground.")
    if safe:
        return None
    row = load().charts[area.hazard.value].row(area.grade)
    return exposure(model, row.value("dice"), row.value("power"), settings)


def hazard_rugged(area: HazardArea) -> tuple[Rugged, ...]:
    """The Rugged rating that toxins and slick surfaces have besides. Rules: CB-HAZ-05, CB-HAZ-06."""
    if area.hazard in (Hazard.TOXIC, Hazard.SLICK):
        return (Rugged("slick ground" if area.hazard is Hazard.SLICK else "toxic ground", area.grade),)
    return ()


def acid_on_gear(model: Fighter, *, treated: bool = False) -> tuple[Effect, ...]:
    """A turn in acid takes one shield die from untreated gear, until none is left and it is useless.

    Rules: CB-HAZ-02.
    """
    if treated or model.count(Counter.EATEN) >= model.profile.shield:
        return ()
    return (Count("model", model.id, Counter.EATEN, 1),)


# ------------------------------------------------------------------------------------------- heat and cold


@dataclass(frozen=True, slots=True)
class Climate:
    """What severe heat or cold does to an unprotected model: its Mv in inches, its actions, a hit or not."""

    mv_inches: float
    actions: int
    power: int = 0


def climate(model: Fighter, grade: int, actions: int = 2) -> Climate:
    """Mv and actions left in severe heat or cold, and the Power of each turn's hit, 0 without one.

    grade: 1 to 3. Mv never falls below 0. Raises InvalidInput. Rules: CB-HAZ-04.
    """
    mv = float(model.mv)
    if protection(model, "heat_or_cold"):
        return Climate(mv, actions)
    if not 1 <= grade <= 3:
        raise InvalidInput(f"Heat and cold have grade 1 to 3, not {grade}.")
    row = load().charts["heat_or_cold"].row(grade)
    found = dict(row.values)
    mv = mv / 2 if found.get("mv_halved") else max(0.0, mv + found.get("mv_inches", 0))
    return Climate(mv, max(0, actions + found.get("actions", 0)), found.get("power", 0))


def climate_hit(dice: Dice, power: int, shields: int, tough: bool = False, ones_cancel: bool = False) -> int:
    """The automatic hit of the worst heat or cold: one wound, shield dice help. Gives the wounds left.

    ones_cancel: natural 1s cancel shield successes. Rules: CB-HAZ-04, CB-SHIELD-02.
    """
    impact = Impact(power=power, shields=shields, tough=tough, ones_cancel=ones_cancel)
    return suffer(dice, 1, 0, impact).through


# ------------------------------------------------------------------------------------------- slick


def keeps_footing(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll the Initiative check at target 7 of a slick surface; false is a fall.

    It is due each turn in the area, and at once where the chart made it. Rules: CB-HAZ-05, CB-HAZ-08.
    """
    return one_success(dice, throws, "footing")


def after_footing(model: Fighter, *, kept: bool) -> tuple[Effect, ...]:
    """A model that lost its footing is Prone. Rules: CB-HAZ-05."""
    if kept or model.has(Condition.PRONE):
        return ()
    return (Gain(model.id, Condition.PRONE, until=Until.STOOD, source="slick surface"),)


def reset_acid(model: Fighter) -> tuple[Effect, ...]:
    """Gear repaired or replaced has its shield dice again. Rules: CB-HAZ-02."""
    return (Assign("model", model.id, Counter.EATEN, 0),) if model.count(Counter.EATEN) else ()
