"""Hiding and spotting.

Owns who may hide, what keeps and ends it, and the checks that find a hidden model. What a hidden model's
attack gains is in `conditions`. Who stands in whose sight is told by the players.
"""

from __future__ import annotations

from rules.dice import Dice
from rules.effects import Effect, Gain
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import LASTS, Event, ended_by, must_be_able
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

TARGET = 7
EASY_TARGET = 5
SCANNER_INCHES = 8


def hide(model: Fighter, *, out_of_sight: bool, at_terrain: bool) -> tuple[Effect, ...]:
    """The model becomes Hidden.

    out_of_sight: no enemy has a line of sight to it. at_terrain: it ended its movement in contact with the
    terrain that blocks them. Raises Forbidden otherwise. Rules: CB-HIDE-01.
    """
    must_be_able(model)
    if model.is_engaged:
        forbid(f"{model.name} is engaged and cannot hide.", "CB-ACT-10")
    if not at_terrain:
        forbid("It must touch terrain that blocks the enemies' sight.", "CB-HIDE-01")
    if not out_of_sight:
        forbid(f"An enemy sees {model.name}: it cannot hide here.", "CB-HIDE-01")
    return (Gain(model.id, Condition.HIDDEN, until=LASTS[Condition.HIDDEN], source="Hide"),)


def after_moving_into_view(model: Fighter) -> tuple[Effect, ...]:
    """A Hidden model that an enemy sees is Hidden no more. Rules: CB-HIDE-03."""
    return ended_by(model, Event.MOVED_INTO_VIEW)


def spot_target(spotter: Fighter, hidden: Fighter, settings: Settings = DEFAULTS) -> int:
    """What INT dice must reach to spot: 7, or 5 for Beasts and Cavalry. Rules: CB-HIDE-04."""
    who = (spotter if settings.spot_easy_for == "spotter" else hidden).profile
    return EASY_TARGET if who.is_beast or who.is_cavalry else TARGET


def prepare_spot(
    spotter: Fighter,
    hidden: Fighter,
    *,
    sighted: bool = True,
    order_token: bool = False,
    settings: Settings = DEFAULTS,
) -> Prepared:
    """Prepare an attempt to spot, 1 action: INT at 7, or 5 for Beasts and Cavalry.

    sighted: the spotter has a line of sight. Raises Forbidden without it or where nothing is hidden.
    Rules: CB-HIDE-04, CB-COND-02.
    """
    _must_be_hidden(hidden, spotter)
    if not sighted:
        forbid(f"{spotter.name} has no line of sight there; a Scanner needs none.", "CB-HIDE-04")
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
) -> Prepared:
    """Prepare an attempt with a Scanner, free and without line of sight: Technology at 7, within 8 in.

    Raises Forbidden without a Scanner or beyond its range. Rules: CB-HIDE-05, CB-GEAR-38.
    """
    _must_be_hidden(hidden, spotter)
    if not spotter.has_gear("scanner"):
        forbid(f"{spotter.name} carries no Scanner.", "CB-HIDE-05")
    if inches < 0:
        raise InvalidInput("A distance is 0 inches or more.")
    if inches > SCANNER_INCHES:
        forbid(f"A Scanner reaches {SCANNER_INCHES} in, not {inches:g} in.", "CB-HIDE-05")
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
        raise Forbidden(f"{hidden.name} is of the same crew.", "CB-HIDE-04")


def spot(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll an attempt to spot; true when the model is found. Rules: CB-HIDE-04, CB-HIDE-05."""
    return throw(dice, throws, label="spot").net >= 1


def after_spot(hidden: Fighter, spotted: bool) -> tuple[Effect, ...]:
    """A spotted model is revealed to the whole crew of the spotter. Rules: CB-HIDE-07."""
    return ended_by(hidden, Event.SPOTTED) if spotted else ()
