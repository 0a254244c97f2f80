"""ARM and BTS Rolls: from surviving hits to lost points of Wounds or STR, and a whole exchange at once.

Owns the save and what ammunition does to the number of rolls; knows no profiles and no states.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rules.dice import Dice, Die, Facet
from rules.refusals import InvalidInput
from rules.systems.infinity.rolls import (
    SIDES,
    Hits,
    Side,
    attack_dodged,
    best_rank,
    dodge_die,
    face_to_face,
    normal_rolls,
)

COVER_SAVE = 3
"""The bonus of Partial Cover to the saves of the trooper behind it. Rules: INF-BS-04."""

AMMUNITION_ROLLS = {"N": 1, "DA": 2, "EXP": 3}
"""Saves per hit by ammunition; any other kind causes one. Rules: INF-ROLL-06."""

MAX_ROLLS = 5
MAX_DAMAGE = 200


@dataclass(frozen=True, slots=True)
class Save:
    """The figures of a hit's save: Damage 0 to 200, the total armour, saves per hit 1 to 5.

    armour: ARM or BTS, whichever the attack says, with Cover and other bonuses added.
    Raises InvalidInput beyond these ranges. Rules: INF-ARM-01, INF-ARM-04, INF-ROLL-06.
    """

    damage: int
    armour: int
    rolls: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.damage <= MAX_DAMAGE:
            raise InvalidInput(f"Damage must be between 0 and {MAX_DAMAGE} (you entered {self.damage}).")
        if not 1 <= self.rolls <= MAX_ROLLS:
            raise InvalidInput(f"A hit must cause 1 to {MAX_ROLLS} saves (you entered {self.rolls}).")

    @property
    def limit(self) -> int:
        """Return the highest die that fails: Damage less armour. Rules: INF-ARM-01."""
        return self.damage - self.armour


@cache
def save_die(limit: int) -> Die:
    """Return the d20 of a save that fails at the limit or lower, with the tally wounds. Rules: INF-ARM-01."""
    passed, failed = Facet("saved", (0,)), Facet("wound", (1,))
    return Die(("wounds",), tuple(failed if face <= limit else passed for face in range(1, SIDES + 1)))


def saves(dice: Dice, rolls: int, limit: int, *, label: str = "armour") -> int:
    """Roll the points lost in so many saves against Damage less armour; no dice where the outcome is certain.

    Rules: INF-ARM-01, INF-ARM-02, INF-ARM-03.
    """
    if rolls <= 0 or limit <= 0:
        return 0
    if limit >= SIDES:
        return rolls
    return dice.pool(rolls, save_die(limit), label)[0]


def wounds(dice: Dice, hits: Hits, save: Save, *, label: str = "armour") -> int:
    """Return the points lost to hits: one at once for each Critical in place of its first save, then saves.

    Rules: INF-ROLL-06, INF-F2F-05, INF-ARM-01, INF-ARM-02, INF-ARM-03.
    """
    rolls = hits.plain * save.rolls + hits.critical * (save.rolls - 1)
    return hits.critical + saves(dice, rolls, save.limit, label=label)


@dataclass(frozen=True, slots=True)
class Losses:
    """Points of Wounds or STR that each side of an exchange loses."""

    a: int = 0
    b: int = 0


def exchange(dice: Dice, a: Side, b: Side, save_a: Save, save_b: Save) -> Losses:
    """Make a Face to Face Roll and the saves it causes. save_a is rolled by side a, when b hits it.

    Rules: INF-F2F-02 to INF-F2F-06, INF-ROLL-06, INF-ARM-01 to INF-ARM-03, INF-TRX-04.
    """
    outcome = dice.call(face_to_face, a, b)
    if outcome.a and a.attacks:
        return Losses(b=wounds(dice, outcome.a, save_b))
    if outcome.b and b.attacks:
        return Losses(a=wounds(dice, outcome.b, save_a))
    return Losses()


def attack(dice: Dice, side: Side, save: Save, *, label: str = "attack") -> int:
    """Roll an unopposed attack and its saves: the points the target loses.

    Rules: INF-F2F-01, INF-TRX-02, INF-ROLL-06, INF-ARM-01.
    """
    return wounds(dice, normal_rolls(dice, side.burst, side.value, label=label), save)


def unopposed(dice: Dice, a: Side, b: Side, save_a: Save, save_b: Save) -> Losses:
    """Roll two Skills that do not meet: both sides make Normal Rolls, and both take effect.

    A side that does not attack, or has no dice, does nothing. Rules: INF-F2F-01, INF-CCS-11.
    """
    lost_b = dice.call(attack, a, save_b) if a.attacks and a.thrown else 0
    lost_a = dice.call(attack, b, save_a) if b.attacks and b.thrown else 0
    return Losses(lost_a, lost_b)


def under_template(dice: Dice, attack: Side, answer: Side, dodge: int, save: Save) -> int:
    """Roll the points that a trooper under a template loses if it is not the target.

    answer: what opposes the attack at the target itself, no dice where nothing does. dodge: modified PH of
    the trooper's own Dodge, 0 where it does not dodge. Rules: INF-BS-08, INF-DOD-01, INF-ROLL-06.
    """
    best = max(dice.call(best_rank, answer), dice.call(dodge_die, dodge))
    return dice.call(_after_dodge, attack, save, best)


def _after_dodge(dice: Dice, side: Side, save: Save, worth: int) -> int:
    hits, critical, _ = attack_dodged(dice, side, worth)
    return wounds(dice, Hits(hits, critical), save)


def _attacks_after(dice: Dice, attacks: tuple[tuple[Side, Save], ...], worth: int) -> int:
    if not attacks:
        return 0
    earlier_wounds = dice.call(_attacks_after, attacks[:-1], worth) if len(attacks) > 1 else 0
    return earlier_wounds + dice.call(_after_dodge, *attacks[-1], worth)


def dodge_attacks(dice: Dice, dodge: int, attacks: tuple[tuple[Side, Save], ...]) -> int:
    """Roll one Dodge (modified PH) against every attack of an Order; points the dodger loses in all.

    Rules: INF-DOD-01, INF-F2F-06, INF-F2F-08.
    """
    return dice.call(_attacks_after, attacks, dodge_die(dice, dodge))
