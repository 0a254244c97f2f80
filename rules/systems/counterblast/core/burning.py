"""Fire and acid: who catches it, what it does each turn, how it ends, and who is protected from what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from rules.counters import CounterName
from rules.dice import Dice
from rules.effects import Assign, Effect, Gain, Lose, Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import CheckResult, Throw, throw
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.general import chart_roll
from rules.systems.counterblast.core.impacts import Impact, suffer
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Size
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

Danger = Literal["burning", "acid", "dangerous", "heat_or_cold", "toxic", "vacuum", "deep_water"]

_PROTECTIONS: dict[Danger, frozenset[str]] = {
    "burning": frozenset({"burning"}),
    "acid": frozenset({"acid", "dangerous"}),
    "dangerous": frozenset({"dangerous"}),
    "heat_or_cold": frozenset({"dangerous"}),
    "toxic": frozenset({"toxic", "dangerous"}),
    "vacuum": frozenset({"vacuum"}),
    "deep_water": frozenset({"deep_water", "vacuum"}),
}
"""Which protections named by gear help against a danger: a sealed suit is proof against all but slipping."""

_FORCE_FIELD_DANGERS: frozenset[Danger] = frozenset({"burning", "acid", "toxic"})
"""Dangers that the Force Field power keeps off."""


def find_protection(model: Fighter, danger: Danger) -> str:
    """Return in a few words what protects the model from a danger, or "" if nothing does.

    Robots ignore all of them but burning. Gear that works protects by what it names; the Force Field power
    keeps off fire, acid and toxins; Aquatic models breathe under water.
    Rules: CB-BURN-09, CB-TERR-10, CB-HAZ-06, CB-ENV-06, CB-ENV-09, CB-ENV-10, CB-BUILD-13, CB-GEAR-15,
    CB-GEAR-09, CB-GEAR-19, CB-GEAR-24, CB-FEAT-03.
    """
    if model.profile.is_robot and danger != "burning":
        return "Robot"
    if danger == "deep_water" and model.has_feature("aquatic"):
        return "Aquatic"
    for item in model.gear:
        usable = item.key != "respirator" or model.profile.is_living
        if usable and model.works(item.key) and _PROTECTIONS[danger] & set(item.protects):
            return item.name
    if danger in _FORCE_FIELD_DANGERS and model.has(Condition.WARDED):
        return "Force Field"
    return ""


Kind = Literal["fire", "acid"]

START_INCHES = 3
POWER = 5
PUT_OUT_TARGET = 7
MAX_INCHES = 200
DOUSING_SUCCESSES = CounterName("fire put out")
"""Counter of a burning model: successes stored towards putting it out."""

ACTIONS_ON_OWN_FIRE = CounterName("actions on its own fire")
"""Counter of a model: actions that it spent in this activation on putting itself out."""
HIT_DUE_TURN: dict[Kind, CounterName] = {
    "fire": CounterName("hit of the fire due in turn"),
    "acid": CounterName("hit of the acid due in turn"),
}
"""Counters of a model: the turn in which it was activated burning, or corroded."""

CONDITION: dict[Kind, Condition] = {"fire": Condition.BURNING, "acid": Condition.CORRODED}


class Growth(StrEnum):
    """The ways in which a burning area can change at the end of a turn."""

    GROWS = "grows"
    STEADY = "steady"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Fire:
    """A burning area, or a pool of acid.

    inches: the number of its template, its diameter. began: the turn in which it started. lasts: turns after
    which it goes out, or 0 for no such limit. fought: fire suppression was used on it this turn. hemmed: fire
    breaks keep it from growing.
    """

    began: int
    inches: int = START_INCHES
    kind: Kind = "fire"
    lasts: int = 0
    fought: bool = False
    hemmed: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.inches <= MAX_INCHES:
            raise InvalidInput(f"A fire must be 1 to {MAX_INCHES} in across.")

    def age(self, turn: int) -> int:
        """Return whole turns since it began. Rules: CB-BURN-03."""
        return max(0, turn - self.began)


def leave_fire(turn: int, *, flammable: bool, kind: Kind = "fire") -> Fire | None:
    """Return the area that a hit leaves: [R3] in a place that burns, otherwise none; acid leaves a pool.

    Rules: CB-BURN-01, CB-BURN-02, CB-FEAT-01.
    """
    return Fire(turn, kind=kind) if flammable or kind == "acid" else None


def roll_fire_growth(dice: Dice, age: int, kind: Kind = "fire") -> Growth:
    """Roll whether a burning area grows or ends: d10 plus one for every turn since it began.

    age: 0 in the turn in which it began. Rules: CB-BURN-03, CB-HAZ-03, CB-FEAT-02, CB-CHECK-17.
    """
    return Growth(load().charts[f"{kind}_growth"].row(chart_roll(dice, age, kind)).key)


def apply_growth(fire: Fire, rolled_growth: Growth, turn: int) -> Fire | None:
    """Return the area in the next turn, or None when it is gone.

    Growing adds 1 in of radius, so 2 to its number; not where it was fought this turn or breaks hem it in.
    A fire of limited life is gone once its turns are over. Rules: CB-BURN-03, CB-BURN-04, CB-HAZ-08.
    """
    if rolled_growth is Growth.OUT or (fire.lasts and fire.age(turn) + 1 >= fire.lasts):
        return None
    grows = rolled_growth is Growth.GROWS and not fire.fought and not fire.hemmed
    return replace(fire, inches=fire.inches + 2 if grows else fire.inches, fought=False)


# ------------------------------------------------------------------------------------------- models in it


def find_fire_protection(model: Fighter, kind: Kind = "fire") -> str:
    """Return in a few words what protects the model from fire or acid, or "" if nothing does.

    Rules: CB-BURN-09, CB-FEAT-03.
    """
    return find_protection(model, "burning" if kind == "fire" else "acid")


def catch_fire(model: Fighter, kind: Kind = "fire", source: str = "") -> tuple[Effect, ...]:
    """Set a model that fire hit, or that entered it, on fire (acid corrodes it), unless it is protected.

    source: the weapon that did it, where one did. Catching fire alone does no damage. Rules: CB-BURN-01,
    CB-BURN-09, CB-FEAT-03.
    """
    if find_fire_protection(model, kind) or model.has(CONDITION[kind]):
        return ()
    return (Gain(model.id, CONDITION[kind], until=Until.FREED, source=source or kind),)


def must_suffer(
    model: Fighter, *, in_fire: bool = False, already_hit: bool = False, kind: Kind = "fire"
) -> bool:
    """Return whether a model takes this turn's hit of the fire: once a turn, when it is in it or still
    burns.

    A burning model outside may avoid the hit by spending all its actions on putting itself out, which its
    player says before. Rules: CB-BURN-05, CB-BURN-06, CB-FEAT-03, CB-FEAT-04.
    """
    if already_hit or find_fire_protection(model, kind):
        return False
    return in_fire or model.has(CONDITION[kind])


def build_burn_impact(model: Fighter, settings: Settings = DEFAULTS) -> Impact:
    """Return the hit of being in fire: one wound, Power 5, shield dice and Tough help. Rules: CB-BURN-05."""
    return Impact(
        power=POWER,
        shields=model.shield,
        tough=model.has_feature("tough"),
        ones_cancel=settings.shield_ones_cancel,
    )


def roll_burn(dice: Dice, impact: Impact) -> int:
    """Roll the automatic hit of the fire and return the wounds that come through.

    Rules: CB-BURN-05, CB-HAZ-03.
    """
    return suffer(dice, 1, 0, impact).through


def burn_at_activation(
    model: Fighter, *, in_fire: bool, already_hit: bool = False, kind: Kind = "fire"
) -> tuple[Effect, ...]:
    """Return what fire or acid does to a model that is activated.

    The hit inside; outside the choice between all actions to be rid of it and another hit.
    Rules: CB-BURN-05, CB-BURN-06, CB-FEAT-03, CB-FEAT-04.
    """
    if not must_suffer(model, in_fire=in_fire, already_hit=already_hit, kind=kind):
        return ()
    details: tuple[tuple[str, int | str], ...] = (("kind", kind), ("power", POWER))
    situation = f"in the {kind}" if in_fire else CONDITION[kind]
    hit = Propose(
        "burn", model.id, f"{model.name} is {situation} and takes a hit (Power {POWER}, 1 wound).", details
    )
    if in_fire:
        return (hit,)
    action = "put_out" if kind == "fire" else "cleanse"
    attempt = "putting out the fire" if kind == "fire" else "washing off the acid"
    reason = f"{model.name} can avoid this turn's hit by spending all its actions on {attempt}."
    return (Propose(action, model.id, reason, details), hit)


def wash_off_acid(model: Fighter) -> tuple[Effect, ...]:
    """Wash the acid off a corroded model outside the pool, with all its actions. Rules: CB-FEAT-04."""
    return (Lose(model.id, Condition.CORRODED),) if model.has(Condition.CORRODED) else ()


# ------------------------------------------------------------------------------------------- putting out


def count_successes_to_put_out(size: Size) -> int:
    """Return the successes that put out a model: 1 on a Small base, 2 on a larger one. Rules: CB-BURN-07."""
    return 1 if size == "S" else 2


def roll_to_put_out(dice: Dice, throws: tuple[Throw, ...], needed: int) -> int:
    """Roll Engineering at target 7 against the flames; gives the successes that count, at most `needed`.

    needed: what is left to put out, 1 or more; a critical failure does nothing more. Rules: CB-BURN-07.
    """
    result: CheckResult = throw(dice, throws, label="put out")
    return min(needed, result.net)


def roll_checks_to_put_out(dice: Dice, checks: tuple[tuple[Throw, ...], ...], needed: int) -> int:
    """Roll several checks in turn as long as it burns; returns the successes of all. Rules: CB-BURN-06."""
    total_successes = 0
    for throws in checks:
        if total_successes < needed:
            total_successes += roll_to_put_out(dice, throws, needed - total_successes)
    return total_successes


def douse(model: Fighter, successes: int, *, itself: bool = False) -> tuple[Effect, ...]:
    """Return the effects of successes on a burning model; they add up over checks until the fire is out.

    itself: it fights its own flames. Rules: CB-BURN-06, CB-BURN-07, CB-BURN-08.
    """
    stored_successes = model.count(DOUSING_SUCCESSES) + successes
    if not successes:
        return ()
    if stored_successes < count_successes_to_put_out(model.profile.size):
        return (Assign("model", model.id, DOUSING_SUCCESSES, stored_successes),)
    return put_out_flames(model, itself=itself)


def put_out_flames(model: Fighter, *, itself: bool = False) -> tuple[Effect, ...]:
    """Return the effects of putting a model out; if another model did it, this turn's hit is cancelled too.

    itself: it put itself out, so that it owes the hit unless that took all its actions. Rules: CB-BURN-06.
    """
    cancel_effects = () if itself else (Assign("model", model.id, HIT_DUE_TURN["fire"], 0),)
    return (
        Lose(model.id, Condition.BURNING),
        Assign("model", model.id, DOUSING_SUCCESSES, 0),
        *cancel_effects,
    )


def count_successes_for_area(fire: Fire, settings: Settings = DEFAULTS) -> int:
    """Return the successes that put a whole area out. Rules: CB-BURN-07."""
    step = 2 if settings.fire_shrink_per_success == "radius" else 1
    return -(-fire.inches // step)


def shrink_fire(fire: Fire, successes: int, settings: Settings = DEFAULTS) -> Fire | None:
    """Return the area after fire suppression: 1 in less across for each success, 2 in by the radius
    setting.

    None when nothing is left; models inside keep burning and are put out one by one. An area that was fought
    does not grow this turn, successes or not. Rules: CB-BURN-04, CB-BURN-07, CB-BURN-08.
    """
    step = 2 if settings.fire_shrink_per_success == "radius" else 1
    remaining_inches = fire.inches - step * successes
    return replace(fire, inches=remaining_inches, fought=True) if remaining_inches > 0 else None
