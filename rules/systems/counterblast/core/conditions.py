"""Conditions and casualties: what conditions change, forbid and what ends them; what wounds do to a model."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Literal

from rules.effects import Assign, Effect, Gain, Harm, Leave, Lose, Mend, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.burning import catch_fire
from rules.systems.counterblast.core.counters import ENGAGED_WITH, Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.impacts import Suffered
from rules.systems.counterblast.core.profile import Profile, Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

PANICKED = Modifier(-1, "Panicked", "CB-PANIC-11")
BLINDED = Modifier(-1, "Blinded", "CB-COND-02")
SHAKEN = Modifier(-1, "shaken by its panic test", "CB-PANIC-07")
FROM_HIDING = Modifier(1, "attack from hiding", "CB-HIDE-08")
SHOOTING_PRONE = Modifier(1, "shooting while Prone", "CB-MOVE-10")
TARGET_BLINDED = Modifier(1, "target Blinded", "CB-COND-02")
TARGET_PRONE_MELEE = Modifier(1, "target Prone", "CB-MOVE-11")
TARGET_PRONE_SHOT = Modifier(-1, "target Prone", "CB-MOVE-11")


class Event(StrEnum):
    """Events of a model that may end one of its conditions."""

    ACTIVATED = "activated"
    ATTACKED = "attacked"
    ENGAGED = "engaged"
    WOUNDED = "wounded"
    MOVED_INTO_VIEW = "moved into view"
    MOVED_TWICE = "moved twice"
    SPOTTED = "spotted"
    STOOD_UP = "stood up"
    FREED = "freed"
    RALLIED = "rallied"
    WENT_DOWN = "went down"
    OVERWATCH_SHOT = "fired from Overwatch"
    INT_CHECKED = "made an INT check"
    ACTIVATION_ENDED = "ended its activation"
    FIRE_OUT = "is no longer on fire"
    CAUSE_ENDED = "the cause has ended"


ENDING_EVENTS: dict[Condition, frozenset[Event]] = {
    Condition.ACTIVE: frozenset({Event.ACTIVATION_ENDED, Event.WENT_DOWN}),
    Condition.BLINDED: frozenset({Event.CAUSE_ENDED}),
    Condition.BURNING: frozenset({Event.FIRE_OUT}),
    Condition.HIDDEN: frozenset(
        {Event.ATTACKED, Event.MOVED_INTO_VIEW, Event.MOVED_TWICE, Event.SPOTTED, Event.OVERWATCH_SHOT}
    ),
    Condition.OVERWATCH: frozenset(
        {Event.ACTIVATED, Event.ENGAGED, Event.WOUNDED, Event.WENT_DOWN, Event.OVERWATCH_SHOT}
    ),
    Condition.PANICKED: frozenset({Event.RALLIED}),
    Condition.PINNED: frozenset({Event.FREED}),
    Condition.PRONE: frozenset({Event.STOOD_UP}),
    Condition.SHAKEN: frozenset({Event.INT_CHECKED}),
}
"""Which events end which conditions; conditions not named end by a time or by their own rule."""

LASTS_UNTIL: dict[Condition, Until] = {
    Condition.BLINDED: Until.FREED,
    Condition.BURNING: Until.FREED,
    Condition.HIDDEN: Until.SPOTTED,
    Condition.INCAPACITATED: Until.NEXT_UPKEEP,
    Condition.OVERWATCH: Until.NEXT_ACTIVATION,
    Condition.PANICKED: Until.RALLIED,
    Condition.PINNED: Until.FREED,
    Condition.PRONE: Until.STOOD,
    Condition.SHAKEN: Until.NEXT_CHECK,
}
"""What ends each condition, as players are told."""


def end_conditions(fighter: Fighter, event: Event) -> tuple[Effect, ...]:
    """Return the conditions of a model that an event ends.

    Rules: CB-COND-01, CB-COND-07, CB-OVER-03, CB-HIDE-03, CB-HIDE-07, CB-HIDE-08, CB-PANIC-07, CB-PANIC-09.
    """
    return tuple(
        Lose(fighter.id, condition)
        for condition, events in ENDING_EVENTS.items()
        if event in events and fighter.has(condition)
    )


# ---------------------------------------------------------------- advantages and disadvantages


def list_check_edges(fighter: Fighter, *, intellect: bool, needs_sight: bool) -> tuple[Modifier, ...]:
    """Return the effects of a model's conditions on a check that is not an attack.

    intellect: it rolls INT. needs_sight: being blinded matters. A Rally is not prepared here.
    Rules: CB-COND-02, CB-PANIC-07, CB-PANIC-11.
    """
    edges = []
    if fighter.has(Condition.PANICKED):
        edges.append(PANICKED)
    if needs_sight and fighter.has(Condition.BLINDED):
        edges.append(BLINDED)
    if intellect and fighter.has(Condition.SHAKEN):
        edges.append(SHAKEN)
    return tuple(edges)


def list_attacker_edges(fighter: Fighter, *, melee: bool) -> tuple[Modifier, ...]:
    """Return the effects of the attacker's own conditions on its attack dice, whatever it attacks.

    Rules: CB-FIGHT-12, CB-SHOOT-09, CB-COND-02, CB-MOVE-10, CB-HIDE-08, CB-HIDE-09, CB-PANIC-11.
    """
    edges = list(list_check_edges(fighter, intellect=False, needs_sight=True))
    if fighter.has(Condition.HIDDEN):
        edges.append(FROM_HIDING)
    if not melee and fighter.has(Condition.PRONE):
        edges.append(SHOOTING_PRONE)
    return tuple(edges)


def list_target_edges(target: Fighter, *, melee: bool) -> tuple[Modifier, ...]:
    """Return the effects of a target's conditions on the dice allotted to it.

    Rules: CB-FIGHT-12, CB-SHOOT-09, CB-COND-02, CB-MOVE-11.
    """
    edges = []
    if target.has(Condition.BLINDED):
        edges.append(TARGET_BLINDED)
    if target.has(Condition.PRONE):
        edges.append(TARGET_PRONE_MELEE if melee else TARGET_PRONE_SHOT)
    return tuple(edges)


# ---------------------------------------------------------------- what is forbidden


def require_able(fighter: Fighter) -> None:
    """Raise Forbidden for a model that may make no check and no action. Rules: CB-COND-04, CB-COND-05."""
    if fighter.is_down:
        forbid(f"{fighter.name} is down. A friend has to heal or repair it first.", "CB-COND-05")
    if fighter.has(Condition.INCAPACITATED):
        forbid(f"{fighter.name} is Incapacitated and can't do anything.", "CB-COND-04")


def require_targetable(target: Fighter) -> None:
    """Raise Forbidden for a model that no attack may name. Rules: CB-COND-04, CB-COND-05, CB-HIDE-02."""
    if target.is_incapacitated:
        forbid(f"{target.name} is Incapacitated. Choose another target.", "CB-COND-04")
    if target.has(Condition.HIDDEN):
        forbid(f"{target.name} is Hidden. Spot it first with /cb spot.", "CB-HIDE-02")


CASUALTY = "casualty"
FLED = "fled"
HEALING_SKILLS = {"medicine": "Medical", "engineering": "Engineering"}
Category = Literal["fled", "wounded", "severely wounded", ""]


def apply_wounds(model: Fighter, wounds: int, turn: int = 0) -> tuple[Effect, ...]:
    """Return the effects of wounds: harm, Overwatch lost, and going down if its Life is used up.

    wounds: 0 or more. turn: in which the wounds are taken, kept for the Upkeep. A model that goes down lets
    go of everyone it was engaged with and stays on the table until Upkeep.
    Rules: CB-CAS-01, CB-CAS-02, CB-OVER-03, CB-COND-03, CB-COND-05, CB-FIGHT-08.
    """
    if wounds < 0:
        raise InvalidInput("Wounds can't be below 0.")
    if wounds == 0:
        return ()
    wounded_model = replace(model, damage=model.damage + wounds)
    effects: list[Effect] = [Harm(model.id, wounds)]
    if wounded_model.is_down and not model.is_down:
        return (*effects, *end_conditions(model, Event.WENT_DOWN), *go_down(model, turn))
    return (*effects, *end_conditions(model, Event.WOUNDED))


def go_down(model: Fighter, turn: int) -> tuple[Effect, ...]:
    """Return the effects when a model's Life is used up: it is marked with the turn and no longer engaged.

    A Combustible model explodes. Rules: CB-CAS-02, CB-CAS-03, CB-COND-03, CB-FEAT-16.
    """
    effects: list[Effect] = [Assign("model", model.id, Counter.DOWN, turn), *release_engagements(model)]
    if model.has_feature("combustible"):
        effects.append(Propose("explode", model.id, f"{model.name} is Combustible and explodes."))
    return tuple(effects)


def release_engagements(model: Fighter) -> tuple[Effect, ...]:
    """Return the effects of releasing a model that is out of action from all engagements. Rules:
    CB-COND-03.
    """
    effects: list[Effect] = []
    for other in sorted(model.engaged_with):
        effects.append(Assign("model", model.id, ENGAGED_WITH.of(other), 0))
        effects.append(Assign("model", other, ENGAGED_WITH.of(model.id), 0))
    if model.has(Condition.ENGAGED):
        effects.append(Lose(model.id, Condition.ENGAGED))
    return tuple(effects)


def effects_of_attack(
    attacker: Fighter, target: Fighter, weapon: Weapon, suffered: Suffered, turn: int = 0
) -> tuple[Effect, ...]:
    """Return everything that one attack does to its target: wounds or the weapon's effect, and more.

    The end of the attacker's own conditions (such as Hidden) is in `end_attacker_conditions`.
    Rules: CB-CAS-01, CB-CAS-02, CB-WEAP-19, CB-WEAP-22, CB-WEAP-23, CB-WEAP-25, CB-WEAP-29, CB-WEAP-30,
    CB-FEAT-35, CB-FEAT-36, CB-BURN-09.
    """
    if suffered.hits < 1:
        return ()
    is_stunning = weapon.damage == 0
    effects: list[Effect] = []
    if not is_stunning:
        effects += apply_wounds(target, suffered.through, turn)
    elif suffered.through and weapon.has_effect("incapacitates"):
        effects += stun_model(target)
    effects += _throw_about(attacker, target, weapon, suffered)
    if weapon.has_effect("burning"):
        effects += catch_fire(target, source=weapon.name)
    if suffered.through and weapon.has_effect("arc") and not is_stunning:
        reason = f"The arc can jump from {target.name} to a model within 2 in."
        effects.append(Propose("arc", attacker.id, reason, (("from", target.id), ("weapon", weapon.key))))
    return tuple(effects)


def _throw_about(
    attacker: Fighter, target: Fighter, weapon: Weapon, suffered: Suffered
) -> tuple[Effect, ...]:
    effects: list[Effect] = []
    if weapon.has_effect("knockback") or attacker.has_feature("knockback"):
        inches = {"S": 6, "M": 4, "L": 2}[target.profile.size]
        reason = f"{target.name} is pushed back {inches} in."
        effects.append(Propose("knockback", target.id, reason, (("inches", inches), ("by", attacker.id))))
    always_knocks_down = weapon.has_effect("knockdown") or attacker.has_feature("knockdown")
    critical_knocks_down = weapon.has_effect("knockdown_on_critical") and suffered.critical
    if (always_knocks_down or critical_knocks_down) and not target.has(Condition.PRONE):
        effects.append(_gain(target, Condition.PRONE, weapon.name))
    return tuple(effects)


def stun_model(target: Fighter) -> tuple[Effect, ...]:
    """Incapacitate the model: it misses its next activation and recovers in the Upkeep of that turn.

    Its engagements end. The value is 1 once it has missed an activation. Rules: CB-COND-03, CB-COND-04,
    CB-WEAP-29.
    """
    stun = _gain(target, Condition.INCAPACITATED, "stunned")
    return (stun, *end_conditions(target, Event.WENT_DOWN), *release_engagements(target))


def _gain(target: Fighter, condition: Condition, source: str) -> Gain:
    return Gain(target.id, condition, until=LASTS_UNTIL.get(condition, Until.FREED), source=source)


def end_attacker_conditions(attacker: Fighter, *, overwatch: bool = False) -> tuple[Effect, ...]:
    """Return what the attacker loses by attacking: being Hidden, and Overwatch if that was the shot.

    Rules: CB-HIDE-08, CB-HIDE-09, CB-OVER-02, CB-CHARGE-08.
    """
    return end_conditions(attacker, Event.OVERWATCH_SHOT if overwatch else Event.ATTACKED)


# ---------------------------------------------------------------- healing


def can_be_healed_by(patient: Profile, skill: str) -> bool:
    """Return whether Medical or Engineering helps this model. Rules: CB-CAS-04, CB-STAT-10."""
    if skill == "medicine":
        return patient.is_living
    return skill == "engineering" and patient.is_mechanical


def apply_healing(patient: Fighter, successes: int, skill: str) -> tuple[Effect, ...]:
    """Restore Life by successes of the right kind; a model that was down stands up with as much Life.

    Damage beyond 0 Life is wiped; a vehicle may suffer Critical Damage again. Raises Forbidden where the
    skill does not help this kind of model. Rules: CB-CAS-04, CB-STAT-09, CB-STAT-10, CB-BAG-09, CB-VEH-31.
    """
    if not can_be_healed_by(patient.profile, skill):
        healers = " or ".join(
            word for key, word in HEALING_SKILLS.items() if can_be_healed_by(patient.profile, key)
        )
        raise Forbidden(f"Treat {patient.name} with {healers} instead.", "CB-CAS-04")
    if successes < 1:
        return ()
    excess_damage = max(0, patient.damage - patient.profile.life)
    healed_damage = min(patient.damage, excess_damage + successes)
    if healed_damage == 0:
        return ()
    effects: list[Effect] = [Mend(patient.id, healed_damage)]
    if patient.is_down:
        counters_to_clear = (Counter.DOWN, *((Counter.CRITICAL,) if patient.count(Counter.CRITICAL) else ()))
        effects += [Assign("model", patient.id, counter, 0) for counter in counters_to_clear]
    return tuple(effects)


# ---------------------------------------------------------------- Upkeep


def is_due_for_removal(model: Fighter, turn: int, settings: Settings = DEFAULTS) -> bool:
    """Return whether a model that is down leaves play in step 1 of this turn's Upkeep.

    A disabled vehicle that burns stays until it is put out. Rules: CB-CAS-03, CB-TURN-04, CB-VEH-35.
    """
    if not model.is_down or (model.profile.is_vehicle and model.has(Condition.BURNING)):
        return False
    return settings.down_grace == "same_turn" or model.count(Counter.DOWN) < turn


def remove_casualties(
    models: tuple[Fighter, ...], turn: int, settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Return step 1 of Upkeep: unhealed models leave play as casualties, with everyone riding in one.

    Rules: CB-CAS-03, CB-CAS-07, CB-TURN-04, CB-VEH-07.
    """
    removable = [model for model in models if is_due_for_removal(model, turn, settings)]
    leaving_ids = {model.id for model in removable}
    passengers = [
        model for model in models if model.count(Counter.RIDES) in leaving_ids and model.id not in leaving_ids
    ]
    return tuple(Leave(model.id, CASUALTY) for model in (*removable, *passengers))


def recover_stunned(models: tuple[Fighter, ...]) -> tuple[Effect, ...]:
    """Step 4 of Upkeep: stunned models recover that missed an activation. Rules: CB-WEAP-29, CB-COND-04."""
    return tuple(
        Lose(model.id, Condition.INCAPACITATED)
        for model in models
        if model.has(Condition.INCAPACITATED) and model.grade(Condition.INCAPACITATED) > 0
    )


def miss_activation(model: Fighter) -> tuple[Effect, ...]:
    """Skip the activation of a stunned model, which recovers in the next Upkeep. Rules: CB-WEAP-29."""
    if not model.has(Condition.INCAPACITATED):
        return ()
    return (Gain(model.id, Condition.INCAPACITATED, 1, Until.UPKEEP, "stunned"),)


def find_category(model: Fighter, removal: str) -> Category:
    """Return how a removed model is counted after the game.

    removal: how it left, "fled" or "casualty". Severely wounded from Life + level of damage on.
    Rules: CB-CAS-05, CB-CASU-01.
    """
    if removal == FLED:
        return "fled"
    if removal != CASUALTY:
        return ""
    is_severe = model.damage >= model.profile.life + model.profile.level
    return "severely wounded" if is_severe else "wounded"


def reach_table_edge(model: Fighter) -> tuple[Effect, ...]:
    """Remove a Panicked model at the table edge, or stop any other. Rules: CB-CAS-06, CB-MOVE-02."""
    return (Leave(model.id, FLED),) if model.has(Condition.PANICKED) else ()
