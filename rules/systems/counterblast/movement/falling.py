"""Falling: who falls, how hard, and whom it hits.

Owns falls from a height; what knocks a model about and what wounds do afterwards stand elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice, impact, struck_dice
from rules.systems.counterblast.core.profile import Size
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

EDGE_INCHES = 1
AVOID_TARGET = 5


@dataclass(frozen=True, slots=True)
class Faller:
    """What falling needs to know of a model: its Defense, its base, whether it is Tough."""

    defense: int
    size: Size
    tough: bool = False

    @classmethod
    def of(cls, model: Fighter) -> Faller:
        """The model's own figures."""
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
    own = dice.call(impact, distance_dice(height_inches), faller.defense, "fall", tough=faller.tough)
    return Fall(
        own,
        tuple(
            dice.call(
                impact,
                struck_dice(height_inches, faller.size, below.size),
                below.defense,
                "struck",
                tough=below.tough,
            )
            for below in struck
        ),
    )


def prepare_holding_on(
    model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> Prepared:
    """Prepare the check not to fall: AGL, target 5. Roll it with `one_success`.

    Raises Forbidden for a model that can make no checks. Rules: CB-FALL-01.
    """
    return prepare_check(
        model,
        "AGL",
        AVOID_TARGET,
        order_token=order_token,
        settings=settings,
        target_reason="hold on",
        target_rule="CB-FALL-01",
    )


def falls_at_once(model: Fighter, edge_inches: float, *, wounds: int = 0, removed: bool = False) -> bool:
    """Whether a model falls without a check: one wounded that can make none, or one being removed.

    Any other that is wounded within 1 in of the edge tries to hold on. A model that fell when it went down
    does not fall again: it lies below, away from the edge. Rules: CB-FALL-01, CB-FALL-02.
    """
    if edge_inches > EDGE_INCHES:
        return False
    return removed or (wounds >= 1 and model.is_incapacitated)
