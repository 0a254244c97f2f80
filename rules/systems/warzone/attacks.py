"""The attack: d20s against a limit, then armour saves for every hit, as one rule.

Ranged and close combat prepare its numbers; it knows no models and no reasons.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Effect, Gain, Lose
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.damage import saves
from rules.systems.warzone.model import Condition, Model

FUMBLED = -4
"""On the next attack roll after a natural 20."""

CRITICAL_DM = 4
"""DM that a natural 1 adds to a shot."""


@dataclass(frozen=True, slots=True)
class Attack:
    """The numbers of one attack action.

    shots: attack rolls, 1 or more. limit: what each must not exceed, without the penalty after a fumble.
    dm, ar: of the hit and of the target. hits: separate hits of each success. critical_dm: added to DM on a
    natural 1. fumbled: the attacker's last attack roll was a natural 20. automatic: no attack roll is made.
    """

    shots: int
    limit: int
    dm: int
    ar: int
    hits: int = 1
    critical_dm: int = CRITICAL_DM
    fumbled: bool = False
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class AttackResult:
    """Successes (critical ones among them), critical ones, wounds, and whether the last roll was a fumble."""

    hits: int
    criticals: int
    wounds: int
    fumbled: bool


def attack_roll(dice: Dice, limit: int, fumbled: int, label: str = "attack") -> Grade:
    """One attack roll; `fumbled` (0 or 1) lowers it by 4. Rules: WZ-RC-01, WZ-CC-01, WZ-CRIT-04."""
    return check(dice, limit + FUMBLED * fumbled, label=label)


def attack_rolls(dice: Dice, shots: int, limit: int, fumbled: int) -> tuple[int, int, int]:
    """Attack rolls one after another: successes, critical ones among them, 1 when the last was a fumble.

    A natural 20 lowers the roll after it by 4. Rules: WZ-RC-01, WZ-CRIT-01, WZ-CRIT-04, WZ-RC-12, WZ-CC-07.
    """
    hits = criticals = 0
    if shots > 1:
        # totalled once: equal tallies of the earlier shots merge, and the trace gets no heading per shot
        hits, criticals, fumbled = dice.total(1, attack_rolls, shots - 1, limit, fumbled)
    grade = attack_roll(dice, limit, fumbled)
    return hits + grade.passed, criticals + (grade is Grade.CRITICAL), int(grade is Grade.FUMBLE)


def attack(dice: Dice, numbers: Attack) -> AttackResult:
    """Attack rolls, then an armour save for every hit; critical hits are saved for apart.

    Rules: WZ-RC-01, WZ-CC-01, WZ-CRIT-01, WZ-CRIT-03, WZ-CRIT-04, WZ-DMG-01, WZ-DMG-06.
    """
    if numbers.automatic:
        hits, criticals, fumbled = numbers.shots, 0, int(numbers.fumbled)
    else:
        hits, criticals, fumbled = dice.call(attack_rolls, numbers.shots, numbers.limit, int(numbers.fumbled))
    plain = (hits - criticals) * numbers.hits
    wounds = saves(dice, plain, numbers.ar, numbers.dm)
    critical = criticals * numbers.hits
    wounds += saves(dice, critical, numbers.ar, numbers.dm + numbers.critical_dm, label="armour, critical")
    return AttackResult(hits, criticals, wounds, bool(fumbled))


def after_attack_roll(attacker: Model, *, fumbled: bool) -> tuple[Effect, ...]:
    """The mark of a fumble stays until the next attack roll. Rules: WZ-CRIT-04."""
    if fumbled:
        return (Gain(attacker.id, Condition.FUMBLED, 0, "next attack roll"),)
    return (Lose(attacker.id, Condition.FUMBLED),) if attacker.has(Condition.FUMBLED) else ()
