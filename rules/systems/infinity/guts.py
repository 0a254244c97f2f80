"""The Guts Roll at the end of an Order: who makes it, who may choose, and what failure asks for.

Owns no saves; it comes after all of them and before a Transmutation.
"""

from __future__ import annotations

from enum import StrEnum

from rules.dice import Dice
from rules.effects import Effect, Gain, Propose
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.rolls import Reading, normal_roll
from rules.systems.infinity.settings import DEFAULT, Settings
from rules.systems.infinity.states import STANDING, State
from rules.systems.infinity.terrain import Ground, reactive_inches
from rules.systems.infinity.trooper import Condition, Trooper

GUTS_INCHES = 2


class GutsChoice(StrEnum):
    """How the owner takes a Guts Roll."""

    ROLL = "roll"
    FAIL = "fail"
    PASS = "pass"  # noqa: S105  a word of the game


def guts_due(trooper: Trooper, attacks_survived: int, state_after: State = State.NORMAL) -> bool:
    """Whether the trooper owes its one Guts Roll for the Order, however many attacks it survived.

    state_after: what the Order's wounds made of it. Rules: INF-GUT-01, INF-GUT-04, INF-TRA-05.
    """
    if attacks_survived <= 0 or trooper.has(Condition.CLOSE_COMBAT):
        return False
    return state_after in STANDING and not trooper.is_null


def guts_choices(trooper: Trooper, settings: Settings = DEFAULT) -> tuple[GutsChoice, ...]:
    """What the owner may do: roll, fail at will, and with Courage pass at will.

    Rules: INF-GUT-03, INF-VAL-01.
    """
    brave = (GutsChoice.PASS,) if 1 in trooper.levels(Skill.VALOR, settings) else ()
    return (GutsChoice.ROLL, GutsChoice.FAIL, *brave)


def guts(dice: Dice, value: int) -> bool:
    """One Normal WIP Roll: True where the trooper stands its ground. Rules: INF-GUT-01."""
    return normal_roll(dice, value, label="guts") is not Reading.FAILURE


def after_guts(
    trooper: Trooper, *, stood: bool, can_move: bool, can_go_prone: bool, ground: Ground = Ground.OPEN
) -> tuple[Effect, ...]:
    """What a failed Guts Roll asks for: a move to safety, else Prone, else nothing.

    The move is up to 2 inches (1 in Difficult Terrain), to Cover where there is any, neither towards the
    attacker nor into base contact with an enemy. Rules: INF-GUT-02, INF-TER-02, INF-TER-03.
    """
    if stood:
        return ()
    if can_move:
        inches = reactive_inches(GUTS_INCHES, ground)
        reason = f"failed Guts: move up to {inches} in to safety, not towards the attacker"
        return (Propose("move", trooper.id, reason, (("inches", inches),)),)
    return (Gain(trooper.id, Condition.PRONE),) if can_go_prone else ()
