"""Movement: distances, climbing, jumping, lying down and hiding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Literal

from rules.dice import Dice
from rules.effects import Assign, Effect, Gain, Lose, Propose
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import PreparedCheck, Throw, roll_one_success, throw
from rules.systems.counterblast.core.conditions import LASTS_UNTIL, Event, end_conditions, require_able
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.general import size_steps
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.movement.ground import Rugged, rugged_penalty

Locomotion = Literal["legs", "wheels", "tracks", "none"]
"""How a model goes about on the ground; statblocks do not say, legs unless the players do."""

CLIMB_BASE = 3
SHEER = 3
JUMP_TARGET = 5
MAX_MOVES = 2


# ------------------------------------------------------------------------------------------- distance


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a model may go in one activation, in inches: its Moves in words, and what changes them."""

    inches: float
    moves: str
    parts: tuple[Modifier, ...] = ()


def move_distance(
    model: Fighter,
    moves: int = 1,
    rugged: Iterable[Rugged] = (),
    *,
    carried: bool = False,
    passenger: bool = False,
    underground: bool = False,
    other: tuple[Modifier, ...] = (),
) -> Reach:
    """Return the inches that a model may move in one activation.

    Up to Mv for each Move, half of that crawling, less what Rugged ground takes once and 1 in a Move for a
    heavy weapon. moves: 1 or 2, measured from leading base edge to leading base edge. carried: another model
    carries with it all the way. passenger: it flies with another model, half as far. underground:
    it burrows, so that flying does not help. other: further inches,
    such as cold's. Raises Forbidden for other numbers of Moves.
    Rules: CB-MOVE-01, CB-MOVE-09, CB-MOVE-12, CB-TERR-12, CB-WEAP-34, CB-FEAT-30, CB-GEAR-47.
    """
    if not 1 <= moves <= MAX_MOVES:
        raise Forbidden("A model can make one or two Moves in an activation.", "CB-MOVE-01")
    mv = model.mv
    parts = (
        *(() if carried else burden(model, moves)),
        *rugged_penalty(rugged, eases=model.footing, off_ground=model.flies and not underground),
        *other,
    )
    prone = model.has(Condition.PRONE)
    pack = "" if mv == model.profile.mv else " with a rocket pack"
    halved = (", halved while crawling" if prone else "") + (", halved with a passenger" if passenger else "")
    share = (2 if prone else 1) * (2 if passenger else 1)
    return Reach(max(0.0, mv * moves / share + total(parts)), f"{moves} x Mv {mv}{pack}{halved}", parts)


def burden(model: Fighter, moves: int = 1) -> tuple[Modifier, ...]:
    """Return the penalty of a heavy weapon to its bearer's Moves, 1 in for each. Rules: CB-WEAP-34."""
    heavy = next((weapon for weapon in model.weapons if weapon.has_effect("slows")), None)
    return (Modifier(-moves, heavy.name, "CB-WEAP-34"),) if heavy else ()


DIG_IN = Modifier(-2, "going underground", "CB-FEAT-13")
UNDERGROUND = Rugged("underground", 2)


def burrow_distance(model: Fighter, moves: int = 1, *, underground: bool = False) -> Reach:
    """Return the inches that a model may move when it goes underground, or is there already.

    Digging in takes 2 in, the way counts as Rugged [2], surfacing is free at any point. It passes under
    models and every terrain. Raises Forbidden without Burrow. Rules: CB-FEAT-13.
    """
    require_burrow(model)
    other = () if underground else (DIG_IN,)
    return move_distance(model, moves, (UNDERGROUND,), underground=True, other=other)


def burrow_cost(model: Fighter) -> float:
    """Return inches that burrowing takes off a charge. Raises Forbidden without Burrow. Rules: CB-FEAT-13."""
    require_burrow(model)
    dug = () if model.count(Counter.UNDERGROUND) else (DIG_IN,)
    return -total((*rugged_penalty((UNDERGROUND,), eases=model.footing), *dug))


def require_burrow(model: Fighter) -> None:
    """Refuse, with Forbidden, a model that cannot Burrow. Rules: CB-FEAT-13."""
    if not model.has_feature("burrow"):
        forbid(f"{model.name} can't Burrow.", "CB-FEAT-13")


def carried_inches(model: Fighter, inches_in_contact: float, moves: int = 1) -> float:
    """Return the inches that a model with a heavy weapon gets back when another one carries with it.

    The weapon's -1 in for each Move is lifted for the share of the way that they are in base contact, so all
    of it in contact all the way. inches_in_contact: 0 to Mv for each of the Moves, 1 or 2. Raises
    InvalidInput, Forbidden for a model that no weapon slows. Rules: CB-MOVE-12, CB-WEAP-34.
    """
    if not burden(model):
        raise Forbidden(f"{model.name} doesn't carry a heavy weapon that slows it.", "CB-MOVE-12")
    if not 0 <= inches_in_contact <= model.mv * moves:
        raise InvalidInput(f"Two models can carry a weapon together for at most {model.mv * moves} in.")
    return inches_in_contact / model.mv


def require_passenger(flyer: Fighter, passenger: Fighter) -> None:
    """Refuse, with Forbidden, a passenger of a model that does not fly, of another crew, or on a larger base.

    A flyer with a passenger goes half as far. Rules: CB-FEAT-30, CB-GEAR-47.
    """
    rule = "CB-GEAR-47" if flyer.has_gear("rocket_pack") else "CB-FEAT-30"
    if not flyer.flies:
        raise Forbidden(f"{flyer.name} can't fly, so it can't carry anyone.", rule)
    if passenger.id == flyer.id or passenger.side != flyer.side:
        raise Forbidden(f"{flyer.name} can only carry another model of its crew, not {passenger.name}.", rule)
    if size_steps(passenger.profile.size, flyer.profile.size) > 0:
        raise Forbidden(
            f"{passenger.name} has a larger base than {flyer.name}, so it can't be carried.", rule
        )


def require_team_carry(bearer: Fighter, helper: Fighter) -> None:
    """Refuse, with Forbidden, to carry a weapon with a model that is not activated together with its bearer.

    Raises InvalidInput for the bearer itself and for a model of another crew. Rules: CB-MOVE-12.
    """
    if helper.id == bearer.id or helper.side != bearer.side:
        raise InvalidInput(f"{bearer.name} needs another model of its crew to help carry the weapon.")
    if not helper.has(Condition.ACTIVE):
        forbid(f"{helper.name} must be activated together with {bearer.name}.", "CB-MOVE-12")


# ------------------------------------------------------------------------------------------- climbing


def prepare_climb(
    model: Fighter, rugged: int = SHEER, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare the check at the start of each Move spent climbing: AGL, target 3 and the Rugged rating added.

    rugged: 1 to 3, 3 for what was not made to be climbed. Raises InvalidInput, or Forbidden for a model that
    can make no checks. Rules: CB-MOVE-04.
    """
    if not 1 <= rugged <= SHEER:
        raise InvalidInput(f"Rugged ratings for climbs go from 1 to {SHEER} (you entered {rugged}).")
    return prepare_check(
        model,
        "AGL",
        CLIMB_BASE + rugged,
        order_token=order_token,
        settings=settings,
        target_reason=f"climb, Rugged [{rugged}]",
        target_rule="CB-MOVE-04",
    )


def require_climb(locomotion: Locomotion) -> None:
    """Refuse, with Forbidden, a climb on wheels or tracks; ramps wide enough for the base are a Move.

    Rules: CB-BUILD-13.
    """
    if locomotion in ("wheels", "tracks"):
        forbid(
            "Models on wheels or tracks can't climb. If there is a wide enough ramp, use a Move.",
            "CB-BUILD-13",
        )


def climb(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll a climb: true when the model keeps its grip. Rules: CB-MOVE-04."""
    return roll_one_success(dice, throws, "climb")


def after_climb(
    model: Fighter, height_inches: int, gained_inches: int, *, held_on: bool
) -> tuple[Effect, ...]:
    """Return where a climb leaves the model: its new height above the ground, or a fall from its present one.

    height_inches: before this Move. gained_inches: up, or down when negative. Rules: CB-MOVE-04, CB-GEN-04.
    """
    if held_on:
        return (Assign("model", model.id, Counter.HEIGHT, max(0, height_inches + gained_inches)),)
    reason = f"{model.name} loses its grip and falls {height_inches} in."
    return (
        Assign("model", model.id, Counter.HEIGHT, 0),
        Propose("fall", model.id, reason, (("height", height_inches),)),
    )


# ------------------------------------------------------------------------------------------- jumping


class Jump(StrEnum):
    """How a jump ended."""

    CLEARED = "cleared"
    STAYED = "stayed at the edge"
    FELL = "fell"


def free_jump(mv: int) -> float:
    """Return the inches that a model jumps without a roll: half its base Mv. Rules: CB-MOVE-05."""
    return mv / 2


def require_jump(locomotion: Locomotion, gap_inches: float, rise_inches: float, mv: int) -> None:
    """Refuse, with Forbidden, a jump by wheels or tracks, upwards, or longer than the move itself.

    rise_inches: how much higher the far side is, 0 or less for level or lower. mv: inches left of the Move.
    Rules: CB-MOVE-05.
    """
    if locomotion in ("wheels", "tracks"):
        forbid("Models on wheels or tracks can't jump. Look for a ramp.", "CB-MOVE-05")
    if rise_inches > 0:
        forbid("You can only jump to the same level or down. Climb to get higher.", "CB-MOVE-05")
    if gap_inches > mv:
        forbid(f"A jump is part of a Move, so it can be at most {mv} in.", "CB-MOVE-05")


def jump_successes(mv: int, gap_inches: float) -> int:
    """Return the successes that a jump needs: one for every inch, or part of one, beyond half of Mv.

    Rules: CB-MOVE-05, CB-MOVE-06.
    """
    return max(0, ceil(gap_inches - free_jump(mv)))


def prepare_jump(
    model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare the check of a longer jump: AGL, target 5. Rules: CB-MOVE-06."""
    return prepare_check(
        model,
        "AGL",
        JUMP_TARGET,
        order_token=order_token,
        settings=settings,
        target_reason="jump",
        target_rule="CB-MOVE-06",
    )


def jump(dice: Dice, throws: tuple[Throw, ...], needed: int, *, short_falls: bool = False) -> Jump:
    """Roll a jump that needs so many successes; bonus dice count, a critical failure is a fall.

    needed: 0 clears without a roll. short_falls: too few successes are a fall as well, by
    `Settings.short_jump`; otherwise the model stays at the edge and the action is spent. Rules: CB-MOVE-06.
    """
    if needed <= 0:
        return Jump.CLEARED
    result = throw(dice, throws, label="jump")
    if result.net >= needed:
        return Jump.CLEARED
    return Jump.FELL if result.critical_failure or short_falls else Jump.STAYED


def after_jump(model: Fighter, jumped: Jump, drop_inches: int) -> tuple[Effect, ...]:
    """Return the effects of a jump: a fall from the edge, or none; landing lower does no damage.

    drop_inches: from the edge down. Rules: CB-MOVE-05, CB-MOVE-06.
    """
    if jumped is not Jump.FELL:
        return ()
    distance_words = f"{drop_inches} in" if drop_inches else "into the gap. Enter how far it falls"
    reason = f"{model.name} falls {distance_words}."
    return (Propose("fall", model.id, reason, (("height", drop_inches),)),)


# ------------------------------------------------------------------------------------------- prone


def drop_prone(model: Fighter, locomotion: Locomotion = "legs") -> tuple[Effect, ...]:
    """Make a model lie down: 1 action, if it is not engaged and has legs.

    Raises Forbidden otherwise, also for vehicles and mounts. Rules: CB-MOVE-07.
    """
    if model.is_engaged:
        forbid(f"{model.name} is engaged, so it can't drop Prone.", "CB-MOVE-07")
    if locomotion != "legs" or model.profile.is_vehicle or model.profile.is_cavalry:
        forbid(f"{model.name} isn't on foot, so it can't drop Prone.", "CB-MOVE-07")
    if model.has(Condition.PRONE):
        raise Forbidden(f"{model.name} is already Prone.", "CB-MOVE-07")
    return (Gain(model.id, Condition.PRONE, until=Until.STOOD),)


def stand_up_actions(model: Fighter, *, knocked_down: bool) -> int:
    """Return the actions that standing up takes: 2, none for a Quick model that was knocked down.

    Rules: CB-MOVE-08, CB-FEAT-44.
    """
    return 0 if knocked_down and model.has_feature("quick") else 2


def stand_up(model: Fighter) -> tuple[Effect, ...]:
    """Make a Prone model get up. Raises Forbidden for one that stands. Rules: CB-MOVE-08."""
    if not model.has(Condition.PRONE):
        raise Forbidden(f"{model.name} is not Prone.", "CB-MOVE-08")
    return (Lose(model.id, Condition.PRONE),)


TARGET = 7
EASY_TARGET = 5
SCANNER_INCHES = 8


def hide(model: Fighter, *, out_of_sight: bool, at_terrain: bool) -> tuple[Effect, ...]:
    """Make the model Hidden.

    out_of_sight: no enemy has a line of sight to it. at_terrain: it ended its movement in contact with the
    terrain that blocks them. Raises Forbidden otherwise. Rules: CB-HIDE-01.
    """
    require_able(model)
    if model.is_engaged:
        forbid(f"{model.name} is engaged, so it can't hide.", "CB-ACT-10")
    if not at_terrain:
        forbid(f"{model.name} must touch terrain that blocks the enemies' line of sight.", "CB-HIDE-01")
    if not out_of_sight:
        forbid(f"{model.name} can't hide here, because an enemy can see it.", "CB-HIDE-01")
    return (Gain(model.id, Condition.HIDDEN, until=LASTS_UNTIL[Condition.HIDDEN], source="Hide"),)


def after_moving_into_view(model: Fighter) -> tuple[Effect, ...]:
    """Return the effects of being seen by an enemy: a Hidden model is no longer Hidden. Rules: CB-HIDE-03."""
    return end_conditions(model, Event.MOVED_INTO_VIEW)


def spot_target(spotter: Fighter, hidden: Fighter, settings: Settings = DEFAULTS) -> int:
    """Return what INT dice must reach to spot: 7, or 5 for Beasts and Cavalry. Rules: CB-HIDE-04."""
    profile = (spotter if settings.spot_easy_for == "spotter" else hidden).profile
    return EASY_TARGET if profile.is_beast or profile.is_cavalry else TARGET


def prepare_spot(
    spotter: Fighter,
    hidden: Fighter,
    *,
    sighted: bool = True,
    order_token: bool = False,
    settings: Settings = DEFAULTS,
) -> PreparedCheck:
    """Prepare an attempt to spot, 1 action: INT at 7, or 5 for Beasts and Cavalry.

    sighted: the spotter has a line of sight. Raises Forbidden without it or where nothing is hidden.
    Rules: CB-HIDE-04, CB-COND-02.
    """
    _must_be_hidden(hidden, spotter)
    if not sighted:
        forbid(
            f"{spotter.name} has no line of sight to {hidden.name}. Only a Scanner works without it.",
            "CB-HIDE-04",
        )
    return prepare_check(
        spotter,
        "INT",
        spot_target(spotter, hidden, settings),
        needs_sight=True,
        target_reason="spot",
        target_rule="CB-HIDE-04",
        order_token=order_token,
        settings=settings,
    )


def prepare_scan(
    spotter: Fighter,
    hidden: Fighter,
    inches: float,
    *,
    order_token: bool = False,
    settings: Settings = DEFAULTS,
) -> PreparedCheck:
    """Prepare an attempt with a Scanner, free and without line of sight: Technology at 7, within 8 in.

    Raises Forbidden without a Scanner or beyond its range. Rules: CB-HIDE-05, CB-GEAR-38.
    """
    _must_be_hidden(hidden, spotter)
    if not spotter.has_gear("scanner"):
        forbid(f"{spotter.name} carries no Scanner.", "CB-HIDE-05")
    if inches < 0:
        raise InvalidInput("A distance can't be below 0 in.")
    if inches > SCANNER_INCHES:
        forbid(f"A Scanner reaches {SCANNER_INCHES} in (you entered {inches:g} in).", "CB-HIDE-05")
    return prepare_check(
        spotter,
        "INT",
        TARGET,
        skill="technology",
        with_equipment=True,
        target_reason="Scanner",
        target_rule="CB-HIDE-05",
        order_token=order_token,
        settings=settings,
    )


def _must_be_hidden(hidden: Fighter, spotter: Fighter) -> None:
    if not hidden.has(Condition.HIDDEN):
        raise Forbidden(f"{hidden.name} is not Hidden.", "CB-HIDE-04")
    if hidden.side == spotter.side:
        raise Forbidden(f"Choose an enemy. {hidden.name} belongs to the same crew.", "CB-HIDE-04")


def spot(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll an attempt to spot; true when the model is found. Rules: CB-HIDE-04, CB-HIDE-05."""
    return throw(dice, throws, label="spot").net >= 1


def after_spot(hidden: Fighter, spotted: bool) -> tuple[Effect, ...]:
    """Reveal a spotted model to the whole crew of the spotter. Rules: CB-HIDE-07."""
    return end_conditions(hidden, Event.SPOTTED) if spotted else ()
