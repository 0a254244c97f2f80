"""The action economy of one activation: Main, Move, Compatible, Free actions and reactions.

Owns the frozen `Activation` and what each action takes from it. What is used up may be let pass at the table:
the action then takes what it takes all the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.refusals import InvalidInput, forbid
from rules.systems.fracd_earth.movement import Pace

MainUse = Literal["basic", "focused", "teamwork"]
Halves = Literal["stand", "lock", "mount", "cross", "jump"]

FREE_ACTIONS = ("drop item", "fall prone", "switch weapon", "alertness")
COMPATIBLE_ACTIONS = ("notice", "command", "short action")


@dataclass(frozen=True, slots=True)
class Activation:
    """What a figure has used in its activation. `main` and `pace` are empty while unused; `halves` counts
    Half-Move actions; `frees` and `reactions` are counted for the record.
    """

    main: Literal["", "basic", "focused", "teamwork"] = ""
    pace: Literal["", "move", "run", "rush", "crawl"] = ""
    halves: int = 0
    compatible: str = ""
    frees: int = 0
    reactions: int = 0

    @property
    def passed(self) -> bool:
        """Whether the figure has taken no action. Rules: FE-TURN-03."""
        return self == Activation()

    @property
    def idle(self) -> bool:
        """Whether it has used nothing of its own activation: reactions and Free actions aside."""
        return not (self.main or self.moved or self.compatible)

    @property
    def moved(self) -> bool:
        """Whether any of the Move action is used."""
        return bool(self.pace or self.halves)


def attack(activation: Activation, use: MainUse, *, opponent_near: bool = True) -> Activation:
    """Use the Main action: a Basic or Focused attack, or Teamwork for another's attack.

    opponent_near: for Teamwork after a Run, the opponent is in range or reach. Raises Forbidden.
    Rules: FE-ACT-01, FE-ACT-03, FE-ACT-04, FE-ACT-06, FE-CMB-03, FE-MOV-02, FE-MOV-03.
    """
    if use not in ("basic", "focused", "teamwork"):
        raise InvalidInput("A Main action is basic, focused or teamwork.")
    if activation.main:
        forbid("The Main action is used.", "FE-ACT-01")
    if activation.pace == "rush":
        forbid("A Rush takes the Main action: no attack, no Teamwork.", "FE-MOV-03")
    if use == "focused" and activation.moved:
        forbid("A Focused attack takes the Move action too: stand still for it.", "FE-ACT-04")
    if use == "teamwork" and activation.pace == "run" and not opponent_near:
        forbid("After a Run, Teamwork needs the opponent in range or reach.", "FE-MOV-02")
    return replace(activation, main=use)


def move(activation: Activation, pace: Pace) -> Activation:
    """Use the Move action, or what one Half-Move action left of it. Raises Forbidden.

    Rules: FE-ACT-01, FE-ACT-04, FE-MOV-03, FE-MOV-04, FE-MOV-05.
    """
    if pace not in ("move", "run", "rush", "crawl"):
        raise InvalidInput("A figure moves, runs, rushes or crawls.")
    _move_free(activation)
    if activation.pace or activation.halves > 1:
        forbid("The Move action is used.", "FE-ACT-01")
    if pace == "rush" and activation.main:
        forbid("A Rush takes the Main action, which is used.", "FE-MOV-03")
    if pace == "crawl" and activation.halves:
        forbid("A Crawl takes the whole Move action.", "FE-MOV-04")
    return replace(activation, pace=pace)


def half_move(activation: Activation, what: Halves) -> Activation:
    """Use a Half-Move action: two of them, or one and half a Move, Run or Rush. Raises Forbidden.

    Rules: FE-MOV-05, FE-MOV-07, FE-OBS-01, FE-OBS-09.
    """
    if what not in ("stand", "lock", "mount", "cross", "jump"):
        raise InvalidInput("A Half-Move stands up, locks, mounts, crosses or jumps.")
    _move_free(activation)
    if activation.halves + int(bool(activation.pace)) > 1 or activation.pace == "crawl":
        forbid("Both halves of the Move action are used.", "FE-MOV-05")
    return replace(activation, halves=activation.halves + 1)


def whole_move(activation: Activation) -> Activation:
    """Use the whole Move action for something that is no pace: a tall obstacle, climbing, swimming.

    Raises Forbidden. Rules: FE-ACT-01, FE-MOV-05, FE-OBS-02, FE-OBS-09.
    """
    _move_free(activation)
    if activation.pace:
        forbid("The Move action is used.", "FE-ACT-01")
    if activation.halves:
        forbid("That takes a whole Move; half of it is used.", "FE-MOV-05")
    return replace(activation, halves=2)


def _move_free(activation: Activation) -> None:
    if activation.main == "focused":
        forbid("The Focused attack took the Move action: stand still.", "FE-ACT-04")


def compatible(activation: Activation, what: str) -> Activation:
    """Use the one Compatible action, beside a Main or Move action. Raises Forbidden for a second one.

    Rules: FE-ACT-01, FE-ACT-08, FE-DET-02.
    """
    if what not in COMPATIBLE_ACTIONS:
        raise InvalidInput(f"A Compatible action is one of {', '.join(COMPATIBLE_ACTIONS)}.")
    if activation.compatible:
        forbid("Only one Compatible action in an activation.", "FE-ACT-08")
    return replace(activation, compatible=what)


def free(activation: Activation, what: str) -> Activation:
    """A Free action: any number, beside everything else. Raises InvalidInput. Rules: FE-ACT-01, FE-ACT-09."""
    if what not in FREE_ACTIONS:
        raise InvalidInput(f"A Free action is one of {', '.join(FREE_ACTIONS)}.")
    return replace(activation, frees=activation.frees + 1)


def react(activation: Activation) -> Activation:
    """A reaction to a trigger, a Quick attack or a defence: any number.

    Rules: FE-ACT-01, FE-ACT-05, FE-ACT-10.
    """
    return replace(activation, reactions=activation.reactions + 1)


def half_paced(activation: Activation) -> bool:
    """Whether the pace goes at half distance, because a Half-Move action took the other half.

    Rules: FE-MOV-05.
    """
    return bool(activation.pace) and activation.halves > 0
