"""Accuracy: how many flips an attack has, with every modifier named.

Owns the list of modifiers; knows no dice. Below 0 the amount is the target's flips.
"""

from __future__ import annotations

from rules.modifiers import Modifier
from rules.systems.soluna.models import Condition, Counter, Model
from rules.systems.soluna.phases import STILL_PHASES, phases_still
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import Sight
from rules.systems.soluna.situation import Situation
from rules.systems.soluna.targeting import Distance, overreach

SIZES = {0: -3, 1: -1, 3: 1, 4: 3}
MOVING_RUN = 5
FAST_RUN = 10


def size_modifier(size: int) -> int:
    """Accuracy for the target's Size, 0 or more; above 4 as 4. Rules: SU-ACC-02, SU-STAT-02."""
    return SIZES.get(min(size, 4), 0)


def sight_modifier(sight: Sight) -> Modifier | None:
    """Accuracy for blocked sight lines. Rules: SU-ACC-03, SU-ACC-04, SU-LOS-05."""
    if sight is Sight.PARTLY:
        return Modifier(-2, "partially obstructed", "SU-ACC-03")
    if sight is Sight.HIDDEN:
        return Modifier(-4, "hidden", "SU-ACC-04")
    return None


def movement_modifier(run: int) -> Modifier | None:
    """Accuracy for the squares of the target's unbroken run. Rules: SU-ACC-07, SU-ACC-08."""
    if run > FAST_RUN:
        return Modifier(-3, "fast moving target", "SU-ACC-08")
    if run >= MOVING_RUN:
        return Modifier(-1, "moving target", "SU-ACC-07")
    return None


def injury_modifier(attacker: Model) -> Modifier | None:
    """Accuracy for what the attacker has lost from Mind and Health. Rules: SU-ACC-09."""
    pairs = (attacker.lost("mind") + attacker.lost("health")) // 2
    return Modifier(-pairs, "injured attacker", "SU-ACC-09") if pairs else None


def still_modifier(attacker: bool, target: bool, settings: Settings) -> Modifier | None:
    """Accuracy when attacker or target has not changed square for five phases. Rules: SU-ACC-06."""
    still = int(attacker) + int(target)
    if not still:
        return None
    who = "both stationary" if still == 2 else "stationary attacker" if attacker else "stationary target"
    return Modifier(2 * still if settings.stationary_each else 2, who, "SU-ACC-06")


def accuracy_modifiers(situation: Situation, found: Distance, settings: Settings) -> tuple[Modifier, ...]:
    """The weapon's Accuracy and everything that changes it; no lower limit.

    Where the attacker only gropes there is no Accuracy: one entry of 0 that says why.
    Rules: SU-ACC-01 to SU-ACC-10, SU-GRAP-04, SU-OPT-01, SU-OPT-02, SU-VIS-02, SU-VIS-04, SU-TGT-05.
    """
    groping = found.visible.groping
    if groping:
        return (Modifier(0, f"{groping.reason}: no Accuracy", groping.rule),)
    gear, attacker, target = situation.gear, situation.attacker, situation.target
    if gear is None:
        listed: list[Modifier | None] = [Modifier(0, "bare hands", "SU-TGT-05")]
    else:
        listed = [Modifier(gear.accuracy, gear.name, "SU-ACC-01")]
    listed += situation.accuracy_effects
    listed.append(sight_modifier(found.sight))
    still = [
        model is not None and phases_still(model, situation.clock, settings) >= STILL_PHASES
        for model in (attacker, target)
    ]
    listed.append(still_modifier(still[0] and not situation.lunge, still[1], settings))
    if target is not None:
        listed += _target_modifiers(target, melee=situation.melee)
    listed.append(injury_modifier(attacker))
    if situation.payment is not None:
        listed.append(situation.payment.modifier)
    if settings.long_reach_option and not situation.melee:
        beyond = overreach(found.effective, situation.weapon_reach)
        listed.append(Modifier(-beyond, "beyond Reach", "SU-OPT-01") if beyond else None)
    return tuple(modifier for modifier in listed if modifier is not None)


def _target_modifiers(target: Model, *, melee: bool) -> list[Modifier | None]:
    size = size_modifier(target.profile.size)
    return [
        Modifier(size, f"Size {target.profile.size}", "SU-ACC-02") if size else None,
        Modifier(-2, "prone target", "SU-ACC-05") if target.has(Condition.PRONE) else None,
        movement_modifier(target.counter(Counter.RUN)),
        Modifier(2, "grappled target", "SU-GRAP-04") if melee and target.has(Condition.GRAPPLED) else None,
    ]
