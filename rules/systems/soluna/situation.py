"""One attack as a player declares it: who, with what, at which square, and what else bears on it.

Owns the frozen description that targeting, Power and Accuracy read; decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.modifiers import Modifier, total
from rules.refusals import InvalidInput
from rules.systems.soluna.board import Board
from rules.systems.soluna.combat_points import Payment
from rules.systems.soluna.geometry import Point
from rules.systems.soluna.models import Condition, Model
from rules.systems.soluna.phases import Clock
from rules.systems.soluna.profile import Weapon
from rules.systems.soluna.visibility import Eyes

UNARMED_REACH = 1


@dataclass(frozen=True, slots=True)
class Situation:
    """One attack as declared.

    target: the model attacked, None for a square, cover or Artifact. weapon: place among the attacker's
    weapons, None for bare hands. origin: where an area effect comes from, None for a plain attack.
    The tuples of modifiers are what abilities, Artifacts and surroundings give. dice: fewer dice than the
    Power, None for all. ignored: locations the attack passes over. names: (model id, name) of those who
    may stand in the way, for replies. lunge: the attacker moves up before it strikes. Rules: SU-TGT-06.
    """

    board: Board
    attacker: Model
    square: Point
    target: Model | None
    weapon: int | None
    clock: Clock
    payment: Payment | None = None
    low_power: bool = False
    dice: int | None = None
    power_effects: tuple[Modifier, ...] = ()
    accuracy_effects: tuple[Modifier, ...] = ()
    target_reach_effects: tuple[Modifier, ...] = ()
    weapon_reach_effects: tuple[Modifier, ...] = ()
    ignored: frozenset[str] = frozenset()
    origin: Point | None = None
    names: tuple[tuple[int, str], ...] = ()
    lunge: bool = False

    @property
    def gear(self) -> Weapon | None:
        """The weapon, None for bare hands. Raises InvalidInput for a place that holds none."""
        if self.weapon is None:
            return None
        if not 0 <= self.weapon < len(self.attacker.profile.weapons):
            raise InvalidInput(f"{self.attacker.name} has no such weapon.")
        return self.attacker.profile.weapons[self.weapon]

    @property
    def melee(self) -> bool:
        """A melee weapon or bare hands. Rules: SU-TGT-05."""
        return self.gear is None or self.gear.melee

    @property
    def source(self) -> Point:
        """The square the attack comes from: the area's origin or the attacker's own."""
        return self.board.piece(self.attacker.id).square if self.origin is None else self.origin

    @property
    def weapon_reach(self) -> int:
        """Reach of the weapon with effects in play, at least 1; bare hands 1. Rules: SU-VIS-09, SU-TGT-05."""
        if self.gear is None:
            return UNARMED_REACH
        return max(1, self.gear.reach + total(self.weapon_reach_effects))

    @property
    def eyes(self) -> Eyes:
        """How the attacker sees this target."""
        traits = self.attacker.profile.traits
        return Eyes(
            sees_in_dark="sees in dark" in traits,
            sightless="sightless" in traits,
            blinded=self.attacker.has(Condition.BLINDED),
            target_lit=self.target is not None and self.target.has(Condition.LIT),
        )
