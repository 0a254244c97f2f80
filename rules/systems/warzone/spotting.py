"""Spotting concealed models: who may try, the test's modifiers, and who may use the sighting."""

from __future__ import annotations

from dataclasses import dataclass

from rules.effects import Assign, Count, Effect, Gain
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.model import SPOT, SPOTTED, Condition, Model
from rules.systems.warzone.morale import Act, refuse
from rules.systems.warzone.ranged import may_act_on
from rules.systems.warzone.settings import Settings


@dataclass(frozen=True, slots=True)
class Spot:
    """An attempt to spot, an action of its own. afraid: under Fear or the like."""

    spotter: Model
    target: Model
    afraid: bool = False


def check_spot(spot: Spot) -> None:
    """Raise Forbidden where this model may not try. Rules: WZ-SPOT-01, WZ-SPOT-05."""
    spotter, target = spot.spotter, spot.target
    refuse(spotter, Act.SPOT)
    reasons = (
        (spotter.has(Condition.CLIMBING), "climbs"),
        (spotter.has(Condition.ENGAGED), "is in close combat"),
        (spot.afraid or spotter.has(Condition.IN_DIRE), "is under Fear or Dire"),
    )
    for applies, words in reasons:
        if applies:
            raise Forbidden(f"{spotter.name} {words} and may not spot.", "WZ-SPOT-05")
    if may_act_on(spotter, target):
        raise Forbidden(f"{target.name} need not be spotted.", "WZ-SPOT-01")


def spot_modifiers(spot: Spot) -> tuple[Modifier, ...]:
    """Modifiers of the test: earlier attempts, and presence on both sides. Raises Forbidden.

    Rules: WZ-SPOT-02, WZ-SPOT-03.
    """
    check_spot(spot)
    modifiers = []
    attempts = spot.spotter.count(SPOT.of(spot.target.id))
    if attempts:
        amount = 2 if attempts == 1 else 3
        modifiers.append(Modifier(amount, f"attempt {attempts + 1} on this target", "WZ-SPOT-02"))
    if spot.target.has(Condition.MINIMIZED):
        modifiers.append(Modifier(-2, "target minimizes presence", "WZ-SPOT-03"))
    if spot.spotter.has(Condition.MINIMIZED):
        modifiers.append(Modifier(-2, "spotter minimizes presence", "WZ-SPOT-03"))
    return tuple(modifiers)


def spot_limit(spot: Spot, settings: Settings) -> int:
    """What the d20 must not exceed, for `characteristic.check`. Raises Forbidden. Rules: WZ-SPOT-01."""
    profile = spot.spotter.profile
    base = profile.ld if settings.spot_stat == "LD" else profile.rc
    return base + total(spot_modifiers(spot))


def after_spot(spot: Spot, grade: Grade) -> tuple[Effect, ...]:
    """Count the attempt; on a success the spotter's whole unit may act on the target.

    Rules: WZ-SPOT-02, WZ-SPOT-04.
    """
    attempt = Count("model", spot.spotter.id, SPOT.of(spot.target.id), 1)
    if not grade.passed:
        return (attempt,)
    return (attempt, Assign("model", spot.target.id, SPOTTED.of(spot.spotter.squad), spot.spotter.id))


def share_sightings(spotter: Model, unit: int, concealed: tuple[Model, ...]) -> tuple[Effect, ...]:
    """A unit that the spotter activates as a Commander may act on what he himself has spotted.

    Rules: WZ-SPOT-04.
    """
    return tuple(
        Assign("model", target.id, SPOTTED.of(unit), spotter.id)
        for target in concealed
        if target.count(SPOTTED.of(spotter.squad)) == spotter.id
    )


def conceal(target: Model, observers: tuple[Model, ...]) -> tuple[Effect, ...]:
    """The target conceals itself: earlier sightings and attempts are forgotten. Rules: WZ-SPOT-02."""
    attempts = SPOT.of(target.id)
    return (
        Gain(target.id, Condition.CONCEALED),
        *_unseen(target),
        *(Assign("model", each.id, attempts, 0) for each in observers if each.count(attempts)),
    )


def sightings_end(targets: tuple[Model, ...], settings: Settings) -> tuple[Effect, ...]:
    """At the end of a turn: sightings end where the settings say so. Rules: WZ-SPOT-04."""
    if settings.spotted_until != "turn_end":
        return ()
    return tuple(effect for target in targets for effect in _unseen(target))


def _unseen(target: Model) -> list[Effect]:
    seen = SPOTTED.among(target.counters)
    return [Assign("model", target.id, SPOTTED.of(unit), 0) for unit, spotter in seen.items() if spotter]
