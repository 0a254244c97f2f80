"""The environment: low gravity, vacuum and water, collisions and falls."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.dice import Dice
from rules.effects import Effect
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.burning import find_protection
from rules.systems.counterblast.core.checks import SIDES, PreparedCheck, Throw, roll_one_success
from rules.systems.counterblast.core.conditions import apply_wounds
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import CLOCK, chart_roll, distance_dice, impact, struck_dice
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Size
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.movement.ground import Rugged

EDGE_INCHES = 1
AVOID_TARGET = 5


@dataclass(frozen=True, slots=True)
class Faller:
    """The traits of a model that matter when it falls: its Defense, its base, whether it is Tough."""

    defense: int
    size: Size
    tough: bool = False

    @classmethod
    def of(cls, model: Fighter) -> Faller:
        """Return the model's own figures."""
        return cls(model.defense, model.profile.size, model.has_feature("tough"))


@dataclass(frozen=True, slots=True)
class Fall:
    """Wounds that a fall did: to the one who fell, and to each model struck, in the order given."""

    faller: int
    struck: tuple[int, ...] = ()


def fall(dice: Dice, height_inches: float, faller: Faller, struck: tuple[Faller, ...] = ()) -> Fall:
    """Resolve a fall straight down.

    One die for every full 3 in at the faller's Defense; the same at the Defense of every model below, with
    one more die for each step by which the faller's base is larger. Shielding never counts.
    height_inches: 0 to 1000. Raises InvalidInput. Rules: CB-FALL-03 to CB-FALL-06.
    """
    fall_damage = dice.call(impact, distance_dice(height_inches), faller.defense, "fall", tough=faller.tough)
    return Fall(
        fall_damage,
        tuple(
            dice.call(
                impact,
                struck_dice(height_inches, faller.size, model_below.size),
                model_below.defense,
                "struck",
                tough=model_below.tough,
            )
            for model_below in struck
        ),
    )


def prepare_holding_on(
    model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare the check not to fall: AGL, target 5. Roll it with `roll_one_success`.

    Raises Forbidden for a model that can make no checks. Rules: CB-FALL-01.
    """
    return prepare_check(
        model,
        "AGL",
        AVOID_TARGET,
        order_token=order_token,
        settings=settings,
        target_reason="holding on to an edge",
        target_rule="CB-FALL-01",
    )


def falls_at_once(model: Fighter, edge_inches: float, *, wounds: int = 0, removed: bool = False) -> bool:
    """Return whether a model falls without a check: one wounded that can make none, or one being removed.

    Any other that is wounded within 1 in of the edge tries to hold on. A model that fell when it went down
    does not fall again: it lies below, away from the edge. Rules: CB-FALL-01, CB-FALL-02.
    """
    if edge_inches > EDGE_INCHES:
        return False
    return removed or (wounds >= 1 and model.is_incapacitated)


DEEP_INCHES = 3
DEEP_GRAVITY = 2
DEEP_RUGGED = 3
MAX_GRAVITY = 3


# ------------------------------------------------------------------------------------------- low gravity


class Drift(StrEnum):
    """A row of the drift chart."""

    FLOAT = "float"
    FLY = "fly"
    TUMBLE = "tumble"


@dataclass(frozen=True, slots=True)
class Drifted:
    """How a model drifts: which row, how far in inches at most, and whether it may run into something.

    The direction is that of the declared move; when it tumbles it goes towards `clock`, with 12 the way that
    it was going.
    """

    row: Drift
    inches: int
    collides: bool
    clock: int = CLOCK


def must_check_drift(model: Fighter, move_inches: float, *, deep_water: bool = False) -> bool:
    """Return whether a Move in low gravity calls for an Initiative check: more than half of the full Mv.

    Flyers ignore low gravity, Aquatic models the drift of deep water. Rules: CB-ENV-02, CB-ENV-10.
    """
    if model.flies or (deep_water and model.has_feature("aquatic")):
        return False
    return move_inches > model.mv / 2


def keeps_down(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll the Initiative check at target 7 of a long Move in low gravity; false means drifting.

    Rules: CB-ENV-02, CB-STAT-06.
    """
    return roll_one_success(dice, throws, "low gravity")


def _inch_die(dice: Dice) -> int:
    return dice.face(SIDES, "scatter")


def drift(dice: Dice, rating: int, mv: int) -> Drifted:
    """Roll how a model drifts: d10 and the Low Gravity rating.

    rating: 1 to 3. mv: its full move in inches. Raises InvalidInput. Rules: CB-ENV-03, CB-CHECK-17.
    """
    if not 1 <= rating <= MAX_GRAVITY:
        raise InvalidInput(f"Low Gravity must be rated 1 to {MAX_GRAVITY} (you entered {rating}).")
    row = load().charts["low_gravity"].row(chart_roll(dice, rating, "drift"))
    kind = Drift(row.key)
    if kind is Drift.TUMBLE:
        clock = dice.face(CLOCK, "direction")
        return Drifted(kind, dice.total(row.value("scatter_d10"), _inch_die), True, clock)
    return Drifted(kind, row.value("moves") * mv, kind is Drift.FLY)


@dataclass(frozen=True, slots=True)
class Collision:
    """Wounds of a collision: to the one who moved, and to each model struck, in the order given."""

    mover: int
    struck: tuple[int, ...] = ()


def collide(
    dice: Dice,
    inches: float,
    mover: Faller,
    struck: tuple[Faller, ...] = (),
    *,
    deep_water: bool = False,
    absorbed: int = 0,
) -> Collision:
    """Resolve running into models or terrain after so many inches.

    One die for every full 3 in at the Defense of the mover and of each model struck, one more on a struck
    model for each step by which the mover's base is larger. Shielding never counts. Drifting in deep water
    does no damage. inches: 0 to 1000. absorbed: dice that a Power Ram takes off the mover's. Raises
    InvalidInput. Rules: CB-ENV-04, CB-ENV-05, CB-ENV-08, CB-VEH-22 to CB-VEH-25, CB-VEH-54.
    """
    if deep_water:
        return Collision(0, (0,) * len(struck))
    number = max(0, distance_dice(inches) - absorbed)
    mover_damage = dice.call(impact, number, mover.defense, "collision", tough=mover.tough)
    hits = (
        dice.call(impact, struck_dice(inches, mover.size, hit.size), hit.defense, "struck", tough=hit.tough)
        for hit in struck
    )
    return Collision(mover_damage, tuple(hits))


def is_met(drifted_inches: float, obstacle_inches: float) -> bool:
    """Return whether a model that drifts so far meets an object or the edge of Impassable ground
    along its way; what lies beyond it does not meet. Rules: CB-ENV-03, CB-ENV-05.
    """
    return obstacle_inches <= drifted_inches


# ------------------------------------------------------------------------------------------- vacuum and water


def vacuum_hit(model: Fighter, turn: int) -> tuple[Effect, ...]:
    """Return the hit that vacuum does to a model when it is activated: one wound, no roll, no shielding.

    Nothing for Robots and in an Envirosuit. Rules: CB-ENV-06, CB-SHIELD-04.
    """
    return () if find_protection(model, "vacuum") else apply_wounds(model, 1, turn)


@dataclass(frozen=True, slots=True)
class Water:
    """The effects of water at a depth: Rugged and Low Gravity ratings, and whether it covers the model."""

    rugged: tuple[Rugged, ...]
    gravity: int
    submerged: bool


def water(model: Fighter, depth_inches: float, height_inches: float) -> Water:
    """Return the effects of water on a model of that height, both in inches.

    Shallow water is Rugged [1]; water that covers the model and is deeper than 3 in is Rugged [3] and Low
    Gravity [2]. Aquatic models ignore deep water. Rules: CB-ENV-08, CB-ENV-10, CB-TERR-12.
    """
    if depth_inches < height_inches:
        return Water((Rugged("shallow water", 1),), 0, False)
    if model.has_feature("aquatic"):
        return Water((), 0, True)
    if depth_inches > DEEP_INCHES:
        return Water((Rugged("deep water", DEEP_RUGGED),), DEEP_GRAVITY, True)
    return Water((Rugged("water", 1),), 0, True)


def drowning_hit(model: Fighter, turn: int, went_under: int | None) -> tuple[Effect, ...]:
    """Return the hit of having no air: one wound at each activation from the turn after it went under.

    went_under: the turn in which it was submerged, None when it is above water. Rules: CB-ENV-09, CB-ENV-10,
    CB-SHIELD-04.
    """
    if went_under is None or turn <= went_under or find_protection(model, "deep_water"):
        return ()
    return apply_wounds(model, 1, turn)
