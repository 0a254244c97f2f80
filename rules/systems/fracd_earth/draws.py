"""How many cards are drawn: [+] and [-] marks, what lies beyond three, penalty hands.

Owns the sum of marks and points of one side, each with its reason. It does not know where marks come from.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.modifiers import Modifier, total
from rules.refusals import InvalidInput
from rules.systems.fracd_earth.settings import Settings

MOST_MARKS = 3
POINTS_PER_MARK = 2
MAX_NET = 40
MAX_TRAIT = 60


@dataclass(frozen=True, slots=True)
class Draw:
    """What marks come to: `cards` to draw, 1 to 4; `penalty` hands must use the lowest (or what the table's
    setting says); `points` are added to the Combat Trait.
    """

    cards: int
    penalty: bool
    points: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """One side ready to draw, with every reason: `marks` add or take cards, `points` make up the trait.

    `trait` is what is added to the active cards, the points of marks beyond three included. `effect_shifts`
    are bonus Effect shifts earned by the action.
    """

    draw: Draw
    trait: int
    marks: tuple[Modifier, ...]
    points: tuple[Modifier, ...]
    effect_shifts: int = 0


def draw_for(net: int, settings: Settings) -> Draw:
    """The hand for a net number of marks.

    net: bonuses less penalties, -40 to 40. One neutral card and one for each of up to three marks; each
    further mark is worth 2 points. Raises InvalidInput beyond the range.
    Rules: FE-DRAW-01, FE-DRAW-02, FE-DRAW-03.
    """
    if abs(net) > MAX_NET:
        raise InvalidInput(f"At most {MAX_NET} marks count, not {abs(net)}.")
    beyond = max(0, abs(net) - MOST_MARKS)
    points = POINTS_PER_MARK * (beyond if net > 0 else -beyond)
    if net < 0 and settings.penalty_hand == "fewer":
        return Draw(1, penalty=False, points=points)
    return Draw(1 + min(abs(net), MOST_MARKS), penalty=net < 0, points=points)


def prepare(
    marks: Iterable[Modifier], points: Iterable[Modifier], settings: Settings, effect_shifts: int = 0
) -> Prepared:
    """Add up one side's marks and points.

    Marks cancel one for one. Raises InvalidInput where the sum is beyond what the game can mean.
    Rules: FE-DRAW-01, FE-DRAW-02, FE-MOD-02.
    """
    counting = tuple(mark for mark in marks if mark.amount)
    draw = draw_for(total(counting), settings)
    named = tuple(point for point in points if point.amount)
    if draw.points:
        named = (*named, Modifier(draw.points, "marks beyond three", "FE-DRAW-02"))
    trait = total(named)
    if abs(trait) > MAX_TRAIT:
        raise InvalidInput(f"A trait with its modifiers is at most {MAX_TRAIT}, not {trait}.")
    return Prepared(draw, trait, counting, named, effect_shifts)
