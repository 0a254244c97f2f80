"""The ground: terrain, structures and named hazards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.dice import Dice
from rules.effects import Assign, Count, Effect, Gain, Propose
from rules.modifiers import Modifier
from rules.refusals import InvalidInput, Missing, forbid
from rules.systems.counterblast.core.burning import Fire, catch_fire, find_protection
from rules.systems.counterblast.core.checks import (
    DANGER_TARGET,
    FOOTING_TARGET,
    Throw,
    build_check_die,
    roll_one_success,
    throw,
)
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.general import chart_roll
from rules.systems.counterblast.core.impacts import Impact, shield_roll, suffer, tough_roll
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import ChartRow, Size
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

MAX_RATING = 3
SUGGESTED_POWER = 5

COVER_KINDS: dict[str, int] = {
    **dict.fromkeys(("brush", "hedge", "tall grass", "ravine", "crater", "scrub", "chain fence"), 1),
    **dict.fromkeys(("barrels", "crates", "foliage", "woods", "pipes", "tents", "huts"), 2),
    **dict.fromkeys(("vehicle", "ruins", "bunkers", "buildings", "barriers", "solid fence", "ink cloud"), 3),
}
"""Cover rating by what it is. Rules: CB-TERR-06."""


def _rating(rating: int, least: int = 0) -> None:
    if not least <= rating <= MAX_RATING:
        raise InvalidInput(f"Terrain ratings go from {least} to {MAX_RATING} (you entered {rating}).")


# ------------------------------------------------------------------------------------------- cover


def has_cover(hidden_percent: float) -> bool:
    """Return whether at least half of the model is blocked by, or within, terrain or models.

    Rules: CB-TERR-04.
    """
    return hidden_percent >= 50


def cover_rating(kind: str) -> int:
    """Return the Cover rating, 1 to 3, of a piece of terrain by what it is. Raises InvalidInput.

    The rating is as many shield dice against ranged attacks, and nothing in melee.
    Rules: CB-TERR-05, CB-TERR-06.
    """
    try:
        return COVER_KINDS[kind.strip().casefold()]
    except KeyError:
        raise Missing("Choose a kind of cover: " + ", ".join(COVER_KINDS) + ".") from None


# ------------------------------------------------------------------------------------------- dangerous


@dataclass(frozen=True, slots=True)
class Exposure:
    """A model exposed to Dangerous ground, in plain numbers.

    rating: dice of damage, 1 to 3. power: what a shield die must reach. defense: what a damage die must
    reach. shields: shield dice, cover excluded.
    """

    rating: int
    power: int
    defense: int
    shields: int = 0
    tough: bool = False
    ones_cancel: bool = False

    def __post_init__(self) -> None:
        _rating(self.rating, 1)


def exposure(
    model: Fighter, rating: int, power: int = SUGGESTED_POWER, settings: Settings = DEFAULTS
) -> Exposure:
    """Return the model's own numbers against a danger of this rating and Power.

    Raises InvalidInput for a rating outside 1 to 3. Rules: CB-TERR-08.
    """
    tough = model.has_feature("tough")
    return Exposure(rating, power, model.defense, model.shield, tough, settings.shield_ones_cancel)


def damage_score(dice: Dice, number: int, defense: int) -> int:
    """Roll the wounds of so many damage dice against Defense, before shields.

    Natural 10s earn bonus dice, natural 1s cancel nothing, but more natural 1s than successes void the whole
    roll, which then had no success worth keeping. Rules: CB-TERR-08, CB-TERR-09, CB-CHECK-15.
    """
    score, ones = dice.pool(number, build_check_die(0, defense, extras=("ones",)), "danger")
    return score + ones if score >= 0 else 0


def danger(dice: Dice, throws: tuple[Throw, ...], exposed: Exposure) -> int:
    """Roll for a model on Dangerous ground: Initiative check at 5, damage dice on a failure, shield dice.

    throws: its Initiative check. A critical failure adds a damage die for each net 1. Gives the wounds that
    come through. Rules: CB-TERR-07, CB-TERR-08, CB-TERR-09, CB-STAT-06, CB-HAZ-01, CB-HAZ-06.
    """
    result = throw(dice, throws, label="initiative")
    if result.net:
        return 0
    return dice.call(danger_damage, exposed, result.net_ones)


def danger_damage(dice: Dice, exposed: Exposure, extra_damage: int = 0) -> int:
    """Roll the damage dice of a danger whose check failed, shields included; `extra_damage` dice for net 1s.

    Rules: CB-TERR-08, CB-TERR-09.
    """
    wounds = dice.call(damage_score, exposed.rating + extra_damage, exposed.defense)
    wounds -= shield_roll(dice, wounds, exposed.shields, exposed.power, exposed.ones_cancel)
    return wounds - tough_roll(dice, wounds) if exposed.tough else wounds


def is_at_risk(model: Fighter, *, on_ground: bool, airborne_danger: bool = False) -> bool:
    """Return whether Dangerous terrain can hurt it: not Robots, the protected, or those off the ground.

    airborne_danger: gas or radiation, which reaches models off the ground too. Rules: CB-TERR-10, CB-GEAR-15.
    """
    return (on_ground or airborne_danger) and not find_protection(model, "dangerous")


# ------------------------------------------------------------------------------------------- movement


@dataclass(frozen=True, slots=True)
class Rugged:
    """A piece of Rugged ground touched in this activation: what it is and its rating, 1 to 3."""

    name: str
    rating: int

    def __post_init__(self) -> None:
        _rating(self.rating, 1)


def rugged_penalty(
    pieces: Iterable[Rugged], *, eases: tuple[Modifier, ...] = (), off_ground: bool = False
) -> tuple[Modifier, ...]:
    """Return the inches that Rugged ground takes from a model's movement in one activation.

    Every piece counts once, however many Moves. eases: inches that each piece costs less, down to 0, as by
    Sure Footed. Models that do not depend on the ground ignore it. Rules: CB-TERR-12, CB-FEAT-53, CB-MISS-33.
    """
    if off_ground:
        return ()
    modifiers = []
    for piece in dict.fromkeys(pieces):
        modifiers.append(Modifier(-piece.rating, f"{piece.name}, Rugged [{piece.rating}]", "CB-TERR-12"))
        remaining_rating = piece.rating
        for ease in eases:
            ignored = min(remaining_rating, ease.amount)
            modifiers += [replace(ease, amount=ignored)] if ignored else []
            remaining_rating -= ignored
    return tuple(modifiers)


def barrier_cost(
    height_inches: float, depth_inches: float, rugged: int = 0, *, off_ground: bool = False
) -> float:
    """Return the inches of movement that crossing a barrier costs: height and depth and Rugged rating added.

    rugged: 0 to 3. Models that do not depend on the ground pay nothing. Raises InvalidInput.
    Rules: CB-TERR-02.
    """
    _rating(rugged)
    if height_inches < 0 or depth_inches < 0:
        raise InvalidInput("A barrier's height and depth can't be below 0 in.")
    return 0.0 if off_ground else height_inches + depth_inches + rugged


def steps_over(
    size: Size,
    barrier_height_inches: float,
    barrier_depth_inches: float,
    model_height_inches: float,
    base_inches: float,
    *,
    walks: bool = True,
) -> bool:
    """Return whether a walker on a Large base steps over a barrier freely.

    It may be no taller than a quarter of the model and no wider than half its base. Rules: CB-TERR-03.
    """
    if size != "L" or not walks:
        return False
    return barrier_height_inches <= model_height_inches / 4 and barrier_depth_inches <= base_inches / 2


ON_MODEL, ON_IMPASSABLE = "on a model", "on impassable ground"
"""Where a Move may not end, though a flyer passes over it."""


def require_passable(model: Fighter, *, crosses: bool = False, end: str = "", below: bool = False) -> None:
    """Refuse, with Forbidden, to enter Impassable ground on foot, or to stop where one may only pass over.

    crosses: the way leads over Impassable ground. end: what the Move ends on, nothing for free ground. below:
    it passes below. A model off the ground passes over both but stops at the nearest free edge. Raises
    InvalidInput for another end, and for a model on the ground that is to end on another.
    Rules: CB-TERR-11, CB-FEAT-30, CB-VEH-38.
    """
    if end not in ("", ON_MODEL, ON_IMPASSABLE):
        raise InvalidInput(f"Choose where the Move ends: {ON_MODEL}, {ON_IMPASSABLE} or on clear ground.")
    impassable = end == ON_IMPASSABLE
    if (crosses or impassable) and not (model.flies or below):
        forbid(
            f"{model.name} can't enter Impassable ground. Only models that fly or burrow can cross it.",
            "CB-TERR-11",
        )
    if impassable:
        forbid(f"{model.name} can't end a Move on Impassable ground. It stops at the edge.", "CB-TERR-11")
    if end == ON_MODEL:
        if not model.flies:
            raise InvalidInput(f"{model.name} can't fly, so it stops in front of the other model.")
        rule = "CB-VEH-38" if model.profile.is_vehicle else "CB-FEAT-30"
        forbid(
            f"{model.name} can't end a Move on another model. It stops at the nearest free edge of that "
            "model's base.",
            rule,
        )


# ------------------------------------------------------------------------------------------- structures


def structure(key: str) -> ChartRow:
    """Return a structure by its key in the chart (thin_wall to normal_bulkhead): its `target` and `life`.

    Raises InvalidInput naming what there is. Rules: CB-TERR-13.
    """
    chart = load().charts["structures"]
    try:
        return chart.named(key)
    except LookupError:
        raise InvalidInput("Structures: " + "; ".join(row.name for row in chart.rows) + ".") from None


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
            raise InvalidInput(f"A hazard's grade must be between 1 and 3 (you entered {self.grade}).")


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
    """Return the burning area of a random fire: [R5], and it dies out after as many turns as its grade.

    Raises InvalidInput for another hazard. Rules: CB-HAZ-03, CB-HAZ-07, CB-HAZ-08.
    """
    if area.hazard is not Hazard.FIRE:
        raise InvalidInput("Only a fire leaves a burning area.")
    return Fire(turn, TEMPLATE_INCHES, lasts=area.grade)


def after_random_hazard(model: Fighter, area: HazardArea) -> tuple[Effect, ...]:
    """Return the immediate effects of the hazard on the active model, on which its area is centred.

    A slick surface asks for the footing check, acid and toxins for the check of Dangerous ground, unless the
    model is protected; fire sets it burning. Rules: CB-HAZ-01, CB-HAZ-03, CB-HAZ-05, CB-HAZ-06, CB-HAZ-08.
    """
    if area.hazard is Hazard.FIRE:
        return catch_fire(model)
    if area.hazard is Hazard.SLICK:
        reason = (
            f"{model.name} is on slick ground and must pass an Initiative check ({FOOTING_TARGET}+) or "
            "fall Prone."
        )
        return (Propose("footing", model.id, reason, (("target", FOOTING_TARGET),)),)
    if area.hazard is Hazard.HEAT_OR_COLD or hazard_exposure(model, area) is None:
        return ()
    danger_name = "acid" if area.hazard is Hazard.ACID else "toxins"
    reason = (
        f"{model.name} is exposed to {danger_name} and must pass an Initiative check ({DANGER_TARGET}+) or "
        "take damage."
    )
    details: tuple[tuple[str, int | str], ...] = (("hazard", area.hazard.value), ("grade", area.grade))
    return (Propose("danger", model.id, reason, details),)


# ------------------------------------------------------------------------------------------- acid and toxins


def hazard_exposure(model: Fighter, area: HazardArea, settings: Settings = DEFAULTS) -> Exposure | None:
    """Return the model's numbers in acid or toxins, for `terrain.danger`; None if it is protected.

    The grade is the dice, the chart gives the Power: 3, 4, 5 for acid, 3, 5, 7 for toxins.
    Raises InvalidInput for another hazard. Rules: CB-HAZ-01, CB-HAZ-06.
    """
    if area.hazard is Hazard.ACID:
        safe = find_protection(model, "acid")
    elif area.hazard is Hazard.TOXIC:
        safe = find_protection(model, "toxic")
    else:
        raise InvalidInput("Only acid and toxins need this roll.")
    if safe:
        return None
    row = load().charts[area.hazard.value].row(area.grade)
    return exposure(model, row.value("dice"), row.value("power"), settings)


def hazard_rugged(area: HazardArea) -> tuple[Rugged, ...]:
    """Return the additional Rugged rating of toxins and slick surfaces. Rules: CB-HAZ-05, CB-HAZ-06."""
    if area.hazard in (Hazard.TOXIC, Hazard.SLICK):
        return (Rugged("slick ground" if area.hazard is Hazard.SLICK else "toxic ground", area.grade),)
    return ()


def acid_on_gear(model: Fighter, *, treated: bool = False) -> tuple[Effect, ...]:
    """Remove one shield die from untreated gear in acid, until none is left and it is useless.

    Rules: CB-HAZ-02.
    """
    if treated or model.count(Counter.EATEN) >= model.profile.shield:
        return ()
    return (Count("model", model.id, Counter.EATEN, 1),)


# ------------------------------------------------------------------------------------------- heat and cold


@dataclass(frozen=True, slots=True)
class Climate:
    """The effects of severe heat or cold on an unprotected model: Mv in inches, actions, and a hit or not."""

    mv_inches: float
    actions: int
    power: int = 0


def climate(model: Fighter, grade: int, actions: int = 2) -> Climate:
    """Return Mv and actions left in severe heat or cold, and the Power of each turn's hit, or 0.

    grade: 1 to 3. Mv never falls below 0. Raises InvalidInput. Rules: CB-HAZ-04.
    """
    mv = float(model.mv)
    if find_protection(model, "heat_or_cold"):
        return Climate(mv, actions)
    if not 1 <= grade <= 3:
        raise InvalidInput(f"The grade of heat or cold must be between 1 and 3 (you entered {grade}).")
    row = load().charts["heat_or_cold"].row(grade)
    climate_values = dict(row.values)
    mv = mv / 2 if climate_values.get("mv_halved") else max(0.0, mv + climate_values.get("mv_inches", 0))
    return Climate(mv, max(0, actions + climate_values.get("actions", 0)), climate_values.get("power", 0))


def climate_hit(dice: Dice, power: int, shields: int, tough: bool = False, ones_cancel: bool = False) -> int:
    """Return the automatic hit of the worst heat or cold: one wound, shield dice help. Gives the wounds left.

    ones_cancel: natural 1s cancel shield successes. Rules: CB-HAZ-04, CB-SHIELD-02.
    """
    impact = Impact(power=power, shields=shields, tough=tough, ones_cancel=ones_cancel)
    return suffer(dice, 1, 0, impact).through


# ------------------------------------------------------------------------------------------- slick


def keeps_footing(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll the Initiative check at target 7 of a slick surface; false is a fall.

    It is due each turn in the area, and at once where the chart made it. Rules: CB-HAZ-05, CB-HAZ-08.
    """
    return roll_one_success(dice, throws, "footing")


def after_footing(model: Fighter, *, kept_footing: bool) -> tuple[Effect, ...]:
    """Make a model that lost its footing Prone. Rules: CB-HAZ-05."""
    if kept_footing or model.has(Condition.PRONE):
        return ()
    return (Gain(model.id, Condition.PRONE, until=Until.STOOD, source="slick ground"),)


def reset_acid(model: Fighter) -> tuple[Effect, ...]:
    """Restore the shield dice of gear that was repaired or replaced. Rules: CB-HAZ-02."""
    return (Assign("model", model.id, Counter.EATEN, 0),) if model.count(Counter.EATEN) else ()
