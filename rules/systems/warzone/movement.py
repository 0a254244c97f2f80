"""Moving: what one action gives in each terrain, presence, turning, gaps, jumps, climbs and falls.

Measuring is the table's; this module says how far, at what cost, and what a fall does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import ceil, floor
from typing import Literal

from rules.dice import Dice, Die, Facet
from rules.effects import Count, Effect, Gain, Lose, Propose
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.warzone.attacks import after_wounds, saves
from rules.systems.warzone.characteristic import check
from rules.systems.warzone.model import ACTIONS, SYSTEM_HITS, Condition, Model
from rules.systems.warzone.morale import Act, check_may_act
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import SIDES, Terrain, movements

Gait = Literal["move", "crawl", "climb"]
Presence = Literal["standing", "minimized", "prone"]
Between = Literal["same_squad", "friends", "enemies"]

PRESENCE_ACTIONS = 1
"""Every change of presence that the model makes itself costs one action. Rules: WZ-MOVE-02, WZ-PRES-03."""

_GAPS: dict[Between, tuple[float, str]] = {
    "same_squad": (0, "WZ-SPACE-01"),
    "friends": (1, "WZ-SPACE-02"),
    "enemies": (4, "WZ-SPACE-04"),
}
_STOPPED_BY_DEEP_WATER = ("bike", "wheeled", "tracked", "walker")


@dataclass(frozen=True, slots=True)
class Ground:
    """The ground that a move action crosses.

    terrains: all kinds of it. obstacle_inches: height of the highest impassable obstacle, None for more than
    anybody strides over. deep_water: water that the table declared impassable. At what altitude a flyer meets
    it does not matter, since no terrain limits one.
    """

    terrains: frozenset[Terrain] = frozenset({"normal"})
    obstacle_inches: float | None = None
    deep_water: bool = False


OPEN_GROUND = Ground()


@dataclass(frozen=True, slots=True)
class Allowance:
    """The distance of one action: inches, exact to the half; crossing: it just clears a feature."""

    inches: float
    crossing: bool = False


def move_value(model: Model) -> float:
    """Return the inches of a full move action before terrain: MV, engine hits, Crippling Fear.

    Rules: WZ-MOVE-01, WZ-SYS-04, WZ-UNH-03.
    """
    mv = max(0, model.profile.mv - 2 * model.count(SYSTEM_HITS.of("engine")))
    return mv / 2 if model.has(Condition.CRIPPLING_FEAR) else float(mv)


def move_allowance(
    model: Model, settings: Settings, ground: Ground = OPEN_GROUND, gait: Gait = "move"
) -> Allowance:
    """Return how far one action takes the model over this ground; the worst terrain limits the whole action.

    Terrain leaves at least 1 inch. Raises Forbidden for what it may not enter.
    Rules: WZ-MOVE-01, WZ-MOVE-03, WZ-MOVE-04, WZ-TERR-01 to WZ-TERR-07.
    """
    if gait != "crawl" and model.has(Condition.PRONE):
        raise Forbidden(f"{model.name} is prone. It can crawl, or stand up first.", "WZ-MOVE-01")
    mv = move_value(model)
    if gait != "move":
        mv = _round_half(mv / 2, settings)
    elif model.has(Condition.MINIMIZED):
        mv = mv * settings.mp_move_percent / 100
    if gait == "climb":
        return Allowance(mv)
    parts = [_in_terrain(model, mv, terrain, ground, settings) for terrain in sorted(ground.terrains)]
    if not parts:
        raise Missing("Choose at least one kind of terrain.")
    return Allowance(min(part.inches for part in parts), any(part.crossing for part in parts))


def _in_terrain(model: Model, mv: float, terrain: Terrain, ground: Ground, settings: Settings) -> Allowance:
    movement = model.profile.movement
    if terrain == "water" and ground.deep_water and movement in _STOPPED_BY_DEEP_WATER:
        terrain = "impassable"
    share = movements()[movement].share(terrain)
    min_inches = min(1.0, mv)
    if share == "none":
        raise Forbidden(f"{model.name} ({movement}) can't enter {terrain} terrain.", "WZ-TERR-01")
    if share == "stride" and not _can_step_over(ground, model):
        raise Forbidden(
            (
                f"{model.name} can step over obstacles up to {model.profile.sz / 2:g} in high, but this one "
                "is higher."
            ),
            "WZ-TERR-03",
        )
    if share == "action":
        return Allowance(mv, crossing=settings.limiting_terrain_foot == "crossing")
    inches = {"half": _round_half(mv / 2, settings), "less": mv - 1, "more": mv + 1 if mv else 0.0}
    return Allowance(max(min_inches, inches.get(share, mv)))


def _can_step_over(ground: Ground, model: Model) -> bool:
    return ground.obstacle_inches is not None and 2 * ground.obstacle_inches <= model.profile.sz


def _round_half(inches: float, settings: Settings) -> float:
    if settings.half_mv_rounding == "none":
        return inches
    return float(ceil(inches) if settings.half_mv_rounding == "up" else floor(inches))


def after_move(model: Model, gait: Gait = "move") -> tuple[Effect, ...]:
    """Note that the model has moved or turned in this activation, and climbs or no longer does.

    Rules: WZ-RC-10, WZ-SPOT-05.
    """
    effects: list[Effect] = [Gain(model.id, Condition.MOVED, 0, "activation")]
    if gait == "climb":
        effects.append(Gain(model.id, Condition.CLIMBING, 0, "its next move"))
    elif model.has(Condition.CLIMBING):
        effects.append(Lose(model.id, Condition.CLIMBING))
    return tuple(effects)


def check_turn(model: Model, degrees: int) -> None:
    """Raise Forbidden for more turning than its movement type allows in one action.

    degrees: 0 to 360, either way. Rules: WZ-TERR-08, WZ-TERR-01.
    """
    if not 0 <= degrees <= 360:
        raise InvalidInput("A turn must be between 0 and 360 degrees.")
    limit = movements()[model.profile.movement].turning
    if degrees > limit:
        raise Forbidden(
            (f"{model.name} can turn at most {limit} degrees per action (you entered {degrees})."),
            "WZ-TERR-08",
        )


def check_gap(between: Between, gap_inches: float, *, overlaps_at_end: bool = False) -> None:
    """Raise Forbidden where a model may not pass: between models of its squad, of friends, of enemies.

    The same gaps hold beside terrain, friends and enemies each. Rules: WZ-SPACE-01, WZ-SPACE-02, WZ-SPACE-04.
    """
    min_gap, rule = _GAPS[between]
    if gap_inches < min_gap:
        raise Forbidden(
            (f"The gap must be at least {min_gap:g} in wide to pass (you entered {gap_inches:g})."), rule
        )
    if overlaps_at_end:
        raise Forbidden("Bases can't overlap at the end of a move.", "WZ-SPACE-01")


def presence_of(model: Model) -> Presence:
    """Return how the model stands, kneels or lies."""
    if model.has(Condition.PRONE):
        return "prone"
    return "minimized" if model.has(Condition.MINIMIZED) else "standing"


def change_presence(model: Model, new_presence: Presence) -> tuple[Effect, ...]:
    """Change any presence into any other for one action. Raises Forbidden.

    Rules: WZ-MOVE-02, WZ-PRES-01, WZ-PRES-03, WZ-PANIC-04, WZ-BROKEN-05.
    """
    check_may_act(model, Act.MINIMIZE if new_presence == "minimized" else Act.STAND)
    if presence_of(model) == new_presence:
        state = "minimizing its presence" if new_presence == "minimized" else new_presence
        raise Forbidden(f"{model.name} is already {state}.", "WZ-MOVE-02")
    return (Count("model", model.id, ACTIONS, -PRESENCE_ACTIONS), *_set_presence(model, new_presence))


def knock_prone(model: Model) -> tuple[Effect, ...]:
    """Knock it prone by an effect; no action is spent. Rules: WZ-MOVE-02."""
    return _set_presence(model, "prone") if presence_of(model) != "prone" else ()


def _set_presence(model: Model, new_presence: Presence) -> tuple[Effect, ...]:
    effects: list[Effect] = []
    for condition in (Condition.MINIMIZED, Condition.PRONE):
        if model.has(condition):
            effects.append(Lose(model.id, condition))
        if condition == new_presence:
            effects.append(Gain(model.id, condition))
    return tuple(effects)


# --------------------------------------------------------------------------------------- jumps and falls


class Landing(StrEnum):
    """How a long jump ends."""

    ACROSS = "across"
    FAR_END = "falls into the gap at the far edge"
    START = "falls into the gap at the near edge"


_LANDINGS = tuple(Landing)


@cache
def jump_die() -> Die:
    """Return the d20 of a long jump: 19 falls at the far end, 20 at the start. Rules: WZ-JUMP-02."""

    def facet(landing: Landing) -> Facet:
        return Facet(landing.value, tuple(int(landing is other) for other in _LANDINGS))

    end_facets = (facet(Landing.FAR_END), facet(Landing.START))
    return Die(tuple(_LANDINGS), (facet(Landing.ACROSS),) * (SIDES - 2) + end_facets)


def long_jump(dice: Dice) -> Landing:
    """Roll a jump over more than half MV. Rules: WZ-JUMP-02."""
    return _LANDINGS[dice.pool(1, jump_die(), "jump").index(1)]


def long_jump_needed(model: Model, gap_inches: float) -> bool:
    """Return whether the gap needs the roll; False up to half MV. Raises Forbidden beyond MV.

    Rules: WZ-JUMP-01, WZ-JUMP-02.
    """
    mv = move_value(model)
    if gap_inches > mv:
        raise Forbidden(
            f"{model.name} can jump at most {mv:g} in (you entered {gap_inches:g}).", "WZ-JUMP-02"
        )
    return 2 * gap_inches > mv


def after_long_jump(model: Model, landing: Landing, depth_inches: float) -> tuple[Effect, ...]:
    """Drop a model that falls into the gap, or make it prone if there is no depth. Rules: WZ-JUMP-02."""
    if landing is Landing.ACROSS:
        return ()
    if depth_inches > 0:
        details = (("inches", ceil(depth_inches)),)
        return (Propose("fall", model.id, f"{model.name} {landing.value}.", details),)
    return knock_prone(model)


@dataclass(frozen=True, slots=True)
class Fall:
    """The effects of a fall: so many separate hits of a DM, or none. ar: of the model that falls."""

    hits: int
    dm: int
    ar: int


def prepare_fall(height_inches: float, size: int, ar: int, settings: Settings) -> Fall:
    """Return DM 6, +1 for every inch beyond SZ, times the height in SZ. Nothing up to SZ.

    height_inches: above 0, rounded up to whole inches. Rules: WZ-FALL-01, WZ-FALL-02, WZ-JUMP-03.
    """
    if not 0 < height_inches <= 1000:
        raise InvalidInput("The height must be more than 0 and at most 1000 inches.")
    height, size = ceil(height_inches), max(1, size)
    if height <= size:
        return Fall(0, 0, ar)
    dm, multiplier = 6 + height - size, height // size
    return Fall(multiplier, dm, ar) if settings.fall_multiplier == "hits" else Fall(1, dm * multiplier, ar)


def fall(dice: Dice, numbers: Fall) -> int:
    """Roll the armour saves of a fall; returns the wounds. Rules: WZ-FALL-01, WZ-FALL-02."""
    return saves(dice, numbers.hits, numbers.ar, numbers.dm)


def after_fall(model: Model, numbers: Fall, wounds: int, settings: Settings) -> tuple[Effect, ...]:
    """Apply wounds, and make the model prone. For models, not vehicles. Rules: WZ-FALL-02."""
    return (*after_wounds(model, wounds), *ends_prone(model, numbers, wounds, settings))


def ends_prone(model: Model, numbers: Fall, wounds: int, settings: Settings) -> tuple[Effect, ...]:
    """Make a model that survives a fall which hurts prone. Rules: WZ-FALL-02."""
    if not numbers.hits or not settings.fall_prone or wounds >= model.wounds_left:
        return ()
    return knock_prone(model)


@dataclass(frozen=True, slots=True)
class JumpDown:
    """A jump down more than SZ. limit: of the LD test. on_fail: damage only where the test fails."""

    limit: int
    fall: Fall
    on_fail: bool = False


@dataclass(frozen=True, slots=True)
class JumpedDown:
    """Whether the model jumped, and its wounds."""

    jumped: bool
    wounds: int = 0


def jump_down(dice: Dice, numbers: JumpDown) -> JumpedDown:
    """Roll the LD test, and the falling damage it leads to. A jump of no more than SZ needs no roll.

    Where damage is always taken a failed test means no jump, and the action is lost. Rules: WZ-JUMP-04.
    """
    if not numbers.fall.hits:
        return JumpedDown(True)
    passed = check(dice, numbers.limit, label="leadership").passed
    if numbers.on_fail:
        return JumpedDown(True, 0 if passed else fall(dice, numbers.fall))
    return JumpedDown(True, fall(dice, numbers.fall)) if passed else JumpedDown(False)
