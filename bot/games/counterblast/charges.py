"""A charge: what was declared, the blows that it leads to, and the one that waits for the target's player."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast import pending
from bot.games.counterblast.arms import melee_arm
from bot.games.counterblast.common import named, settings
from bot.games.counterblast.melees import Melee, Pairing, flat, taken_up
from bot.table.act import Act
from rules.systems.counterblast.fighter import Fighter

NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Charge(Action):
    """A model charges. inches: to the target along the way; terrain: inches that it costs; rugged: ratings of
    the Rugged ground touched; ground: dangerous places and hazards touched, by name; burrow: underground.

    gap: inches left between the bases, for Reach. helpers: who steps in, or nobody; empty: ask. impassable:
    the way crosses such ground.
    """

    command = "cb.charge"
    facts = frozenset({"inches", "terrain"})

    charger: str = ""
    target: str = ""
    inches: float = 0.0
    weapon: str = ""
    terrain: float = 0.0
    gap: float = 0.0
    order: bool = False
    helpers: str = ""
    odds: bool = False
    rugged: tuple[int, ...] = ()
    burrow: bool = False
    ground: tuple[str, ...] = ()
    impassable: bool = False

    @property
    def involved(self) -> tuple[int, ...]:
        """Charger and target, once they are numbers."""
        return (int(self.charger[1:]), int(self.target[1:]))


def blows(act: Act, action: Charge) -> Melee:
    """The melee that the charge leads to."""
    charger, target = named(act, action.charger), named(act, action.target)
    arm = melee_arm(charger, action.weapon, settings(act))
    pairing = Pairing(charger.id, target.id, 0, arm, round(action.gap * 10))
    return taken_up(act, Melee("charge", flat([pairing]), (charger.id,) if action.order else ()))


def waiting(act: Act, row: int) -> tuple[Charge, Fighter, Fighter]:
    """The charge that waits, for somebody who may answer for its target."""
    declared = pending.waiting(act, row, Charge)
    charger, target = named(act, declared.charger), named(act, declared.target)
    return declared, charger, target
