"""What models spit: acid at a model or a spot, sticky goo.

Owns the shots. The pool of acid grows and wounds as a `burning.Fire` of kind "acid"; being Pinned by goo is
in `pinned`.
"""

from __future__ import annotations

from rules.dice import Dice
from rules.effects import Effect
from rules.systems.counterblast.core.casualties import after_wounds
from rules.systems.counterblast.core.checks import Throw, throw
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.pinned import pin
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.core.shields import Impact, Suffered, suffer
from rules.systems.counterblast.ground.burning import Fire, burn_impact, catch_fire, leaves_fire
from rules.systems.counterblast.ground.protection import protection

ACID = Weapon(
    key="acid_spit",
    name="Acid Spit",
    group="natural",
    deliveries=("direct",),
    power=5,
    range_inches=6,
    rules=("CB-FEAT-01",),
)
"""Acid spat at a model: 6 in, at its Defense. Rules: CB-FEAT-01."""

ACID_AREA = Weapon(
    key="acid_spit_area",
    name="Acid Spit",
    group="natural",
    deliveries=("template",),
    power=5,
    range_inches=6,
    template="R",
    template_inches=3,
    rules=("CB-FEAT-01",),
)
"""Acid spat at a spot: rolled as a round template, short up to 3 in. Rules: CB-FEAT-01, CB-TMPL-05."""

GOO = Weapon(
    key="sticky_goo",
    name="Sticky Goo",
    group="natural",
    deliveries=("direct",),
    damage=0,
    range_inches=12,
    rules=("CB-FEAT-49",),
)
"""Goo: 12 in, at Defense, no damage. Rules: CB-FEAT-49."""


def acid_hit(target: Fighter, settings: Settings = DEFAULTS) -> Impact:
    """What acid does to a model it strikes: 1 wound at Power 5. Rules: CB-FEAT-03."""
    return burn_impact(target, settings)


def spit_acid(dice: Dice, throws: tuple[Throw, ...], impact: Impact) -> Suffered:
    """Roll acid spat at a model: however many successes, one hit. Rules: CB-FEAT-01, CB-FEAT-03."""
    rolled = throw(dice, throws, label="attack")
    return suffer(dice, min(1, rolled.net), 0, impact)


def after_acid(target: Fighter, suffered: Suffered, turn: int = 0) -> tuple[Effect, ...]:
    """A model struck directly is wounded at once and goes on corroding, unless it is protected; it leaves no
    pool. Rules: CB-FEAT-01, CB-FEAT-03, CB-FEAT-04.
    """
    if not suffered.hits or protection(target, "acid"):
        return ()
    return (*after_wounds(target, suffered.through, turn), *catch_fire(target, "acid"))


def pool(turn: int) -> Fire:
    """The [R3] pool that an area shot leaves; the spot never catches fire. Rules: CB-FEAT-01."""
    left = leaves_fire(turn, flammable=False, kind="acid")
    assert left is not None
    return left


def after_goo(target: Fighter, suffered: Suffered) -> tuple[Effect, ...]:
    """A model hit by goo is Pinned until it breaks free. Rules: CB-FEAT-49, CB-FEAT-50."""
    return pin(target) if suffered.hits else ()
