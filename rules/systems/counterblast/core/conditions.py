"""What each condition changes in a roll, what it forbids, and what ends it.

Owns the advantages and disadvantages that conditions give and the events that end them; rolls nothing.
"""

from __future__ import annotations

from enum import StrEnum

from rules.effects import Effect, Lose
from rules.modifiers import Modifier
from rules.refusals import forbid
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until

PANICKED = Modifier(-1, "panicked", "CB-PANIC-11")
BLINDED = Modifier(-1, "blinded", "CB-COND-02")
SHAKEN = Modifier(-1, "shaken by its panic test", "CB-PANIC-07")
FROM_HIDING = Modifier(1, "attack from hiding", "CB-HIDE-08")
SHOOTING_PRONE = Modifier(1, "shooting while Prone", "CB-MOVE-10")
TARGET_BLINDED = Modifier(1, "target blinded", "CB-COND-02")
TARGET_PRONE_MELEE = Modifier(1, "target Prone", "CB-MOVE-11")
TARGET_PRONE_SHOT = Modifier(-1, "target Prone", "CB-MOVE-11")


class Event(StrEnum):
    """What happens to a model that may end one of its conditions."""

    ACTIVATED = "activated"
    ATTACKED = "its attack is completed"
    ENGAGED = "engaged"
    WOUNDED = "wounded"
    MOVED_INTO_VIEW = "moved into view"
    MOVED_TWICE = "moved twice"
    SPOTTED = "spotted"
    STOOD_UP = "stood up"
    FREED = "freed"
    RALLIED = "rallied"
    WENT_DOWN = "went down"
    OVERWATCH_SHOT = "overwatch shot"
    INT_CHECKED = "INT check made"
    ACTIVATION_ENDED = "activation ended"
    FIRE_OUT = "fire put out"
    CAUSE_ENDED = "cause ended"


ENDS: dict[Condition, frozenset[Event]] = {
    Condition.ACTIVE: frozenset({Event.ACTIVATION_ENDED, Event.WENT_DOWN}),
    Condition.BLINDED: frozenset({Event.CAUSE_ENDED}),
    Condition.BURNING: frozenset({Event.FIRE_OUT}),
    Condition.HIDDEN: frozenset(
        {
            Event.ATTACKED,
            Event.MOVED_INTO_VIEW,
            Event.MOVED_TWICE,
            Event.SPOTTED,
            Event.OVERWATCH_SHOT,
        }
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

LASTS: dict[Condition, Until] = {
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
"""What a player is told ends a condition."""


def ended_by(fighter: Fighter, event: Event) -> tuple[Effect, ...]:
    """The conditions of a model that an event ends.

    Rules: CB-COND-01, CB-COND-07, CB-OVER-03, CB-HIDE-03, CB-HIDE-07, CB-HIDE-08, CB-PANIC-07, CB-PANIC-09.
    """
    return tuple(
        Lose(fighter.id, condition)
        for condition, events in ENDS.items()
        if event in events and fighter.has(condition)
    )


# ---------------------------------------------------------------- advantages and disadvantages


def check_edges(fighter: Fighter, *, intellect: bool, needs_sight: bool) -> tuple[Modifier, ...]:
    """What a model's conditions do to a check that is no attack.

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


def attacker_edges(fighter: Fighter, *, melee: bool) -> tuple[Modifier, ...]:
    """What the attacker's own conditions do to its attack dice, whatever it attacks.

    Rules: CB-FIGHT-12, CB-SHOOT-09, CB-COND-02, CB-MOVE-10, CB-HIDE-08, CB-HIDE-09, CB-PANIC-11.
    """
    edges = list(check_edges(fighter, intellect=False, needs_sight=True))
    if fighter.has(Condition.HIDDEN):
        edges.append(FROM_HIDING)
    if not melee and fighter.has(Condition.PRONE):
        edges.append(SHOOTING_PRONE)
    return tuple(edges)


def target_edges(target: Fighter, *, melee: bool) -> tuple[Modifier, ...]:
    """What a target's conditions do to the dice allotted to it.

    Rules: CB-FIGHT-12, CB-SHOOT-09, CB-COND-02, CB-MOVE-11.
    """
    edges = []
    if target.has(Condition.BLINDED):
        edges.append(TARGET_BLINDED)
    if target.has(Condition.PRONE):
        edges.append(TARGET_PRONE_MELEE if melee else TARGET_PRONE_SHOT)
    return tuple(edges)


# ---------------------------------------------------------------- what is forbidden


def must_be_able(fighter: Fighter) -> None:
    """Raise Forbidden for a model that may make no check and no action. Rules: CB-COND-04, CB-COND-05."""
    if fighter.is_down:
        forbid(f"{fighter.name} is down: an ally must heal or repair it first.", "CB-COND-05")
    if fighter.has(Condition.INCAPACITATED):
        forbid(f"{fighter.name} is Incapacitated and can do nothing.", "CB-COND-04")


def must_be_targetable(target: Fighter) -> None:
    """Raise Forbidden for a model that no attack may name. Rules: CB-COND-04, CB-COND-05, CB-HIDE-02."""
    if target.is_incapacitated:
        forbid(f"{target.name} is Incapacitated: choose another target.", "CB-COND-04")
    if target.has(Condition.HIDDEN):
        forbid(f"{target.name} is Hidden: spot it first (/cb spot).", "CB-HIDE-02")
