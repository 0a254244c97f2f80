"""What a melee is before it is rolled: the blows as they are declared, and each ready to be rolled.

How they are prepared is in `fighting`, which weapon serves best in `arming`, the dice in `bouts`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.modifiers import Modifier
from rules.systems.counterblast.core.checks import Prepared
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.weapons import PreparedImpact, melee_weapon
from rules.systems.counterblast.melee.bouts import Bout


@dataclass(frozen=True, slots=True)
class Blow:
    """One attacker's dice against one defender, and the defender's dice against them.

    `dice` 0 means all of the attacker's dice (then it has one blow only); `defence` None in all blows against
    a defender means its dice shared evenly. `lenders` are allies of the defender who lend a die here.
    `inches` is the gap between the bases, 0 in contact. `weapon` is the attacker's.
    """

    attacker: Fighter
    defender: Fighter
    weapon: Weapon | None = None
    dice: int = 0
    defence: int | None = None
    lenders: tuple[Fighter, ...] = ()
    inches: float = 0
    charging: bool = False
    defence_weapon: Weapon | None = None

    @property
    def arm(self) -> Weapon:
        """The weapon attacked with."""
        return self.weapon or melee_weapon(self.attacker)


@dataclass(frozen=True, slots=True)
class Melee:
    """A melee as it is declared: all blows struck together, and what holds for them.

    `orders` are ids of attackers and defenders who spend an order token. `outnumbering` are the sides whose
    models outnumber the other in this melee. `halved` are ids of defenders who fight with half their dice.
    `group` says that the attackers were activated together. `attack_modifiers` and `attack_edges` are further
    ones, named by the calling rule or the table.
    """

    blows: tuple[Blow, ...]
    dark: bool = False
    vacuum: bool = False
    underwater: bool = False
    orders: frozenset[int] = frozenset()
    outnumbering: frozenset[int] = frozenset()
    halved: frozenset[int] = frozenset()
    group: bool = True
    must_be_engaged: bool = True
    attack_modifiers: tuple[Modifier, ...] = ()
    attack_edges: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedBlow:
    """A pairing ready to be rolled, with its reasons."""

    bout: Bout
    attacker: Fighter
    defender: Fighter
    weapon: Weapon
    attack: Prepared
    defence: Prepared | None
    impact: PreparedImpact


@dataclass(frozen=True, slots=True)
class PreparedMelee:
    """A melee ready to be rolled; `bouts` are the arguments of `melee`."""

    blows: tuple[PreparedBlow, ...]

    @property
    def bouts(self) -> tuple[Bout, ...]:
        """The pairings in the order declared."""
        return tuple(blow.bout for blow in self.blows)
