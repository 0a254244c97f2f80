"""What the dice on the table could become: the best flips for each location with the damage that follows.

Owns the ranking of choices; flips and damage are those of their own modules. Only advice: players choose.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.systems.soluna.attack import aims
from rules.systems.soluna.damage import Damage, Target, damage
from rules.systems.soluna.flips import Flipped, best_flips
from rules.systems.soluna.grid import Counts
from rules.systems.soluna.settings import Settings


@dataclass(frozen=True, slots=True)
class Choice:
    """Flips made for one location ("" for none at all) and what the attack then does."""

    location: str
    flipped: Flipped
    damage: Damage


def worth(harm: Damage, target: Target) -> tuple[bool, bool, int, int]:
    """Ranks damage: a kill, then Mind to 0, then points of Health and Mind, then all points."""
    values = target.present()
    killed = 0 < values.get("health", 0) <= harm.of("health")
    out = 0 < values.get("mind", 0) <= harm.of("mind")
    return killed, out, harm.of("health") + harm.of("mind"), harm.total


def choices(
    counts: Counts, accuracy: int, target: Target, named: tuple[str, ...], settings: Settings
) -> tuple[Choice, ...]:
    """The choices of whoever flips, best first: the attacker, or with Accuracy below 0 the target.

    Each is the best use of all flips for one location; the target leaves out those that would only move the
    harm elsewhere. The last resort, no flips, is among them.
    named: see `damage`. Rules: SU-FLIP-02, SU-FLIP-03, SU-DMG-05.
    """
    plain = Flipped(counts, (), 0)
    found = [Choice("", plain, damage(counts, target, named, settings))]
    for aim in aims(target, settings):
        # fewer flips help nobody but the target, for whom every die turned away lands somewhere else
        fewest = accuracy if accuracy >= 0 else -1
        tries = []
        for flips in range(max(accuracy, -2 * sum(counts)), fewest + 1):
            flipped = best_flips(counts, flips, aim.faces)
            tries.append(Choice(aim.location, flipped, damage(flipped.counts, target, named, settings)))
        best = min(tries, key=lambda choice: worth(choice.damage, target))
        if best.flipped.flips:
            found.append(best)
    return tuple(sorted(found, key=lambda choice: worth(choice.damage, target), reverse=accuracy >= 0))
