"""A charge: what was declared, the blows that it leads to, and the one that waits for the target's player."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core import pending
from bot.games.counterblast.core.arms import melee_arm
from bot.games.counterblast.core.common import named, settings
from bot.games.counterblast.melee.melees import Melee, Pairing, flat, taken_up
from bot.table.act import Act
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter

NOBODY = "nobody"

MOST_CHARGERS = 6
HOW = "Write who charges too as in: Skip at 5, HOpR at 7 with Sword"
_TOO = re.compile(r"^(.+?)\s+at\s+(\d{1,3}(?:\.\d+)?)(?:\s*in)?(?:\s+with\s+(.+))?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Charge(Action):
    """A model charges. inches: to the target along the way; terrain: inches that it costs; rugged: ratings of
    the Rugged ground touched; ground: dangerous places and hazards touched, by name; burrow: underground.

    gap: inches left between the bases, for Reach. helpers: who steps in, or nobody; empty: ask. impassable:
    the way crosses such ground. also: who of the group charges too, as in: Skip at 5, HOpR at 7 with Sword;
    their inches contain what the ground costs. more: the same as numbers, three for each: the model, tenths
    of an inch, the weapon.
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
    also: str = ""
    more: tuple[int, ...] = ()

    @property
    def each(self) -> tuple[Charge, ...]:
        """Every model's own charge, in the order declared; `joined` is the way back."""
        alone = replace(self, more=())
        too = replace(alone, terrain=0.0, rugged=(), ground=(), gap=0.0, order=False)
        too = replace(too, burrow=False, impassable=False)
        threes = zip(self.more[::3], self.more[1::3], self.more[2::3], strict=True)
        others = [
            replace(too, charger=f"#{model}", inches=tenths / 10, weapon=f"@{arm}" if arm else "")
            for model, tenths, arm in threes
        ]
        return (alone, *others)

    def without(self, charger: int) -> Charge | None:
        """The charge of the others, where one of them comes no farther; None where nobody is left."""
        left = [one for one in self.each if one.charger != f"#{charger}"]
        return joined(left) if left else None

    @property
    def involved(self) -> tuple[int, ...]:
        """Charger and target, once they are numbers."""
        return (int(self.charger[1:]), int(self.target[1:]))


def blows(act: Act, action: Charge) -> Melee:
    """The melee that the charge leads to, of all who charge together."""
    target, pairings, orders = named(act, action.target), [], []
    for one in action.each:
        charger = named(act, one.charger)
        arm = melee_arm(charger, one.weapon, settings(act))
        pairings.append(Pairing(charger.id, target.id, 0, arm, round(one.gap * 10)))
        orders += [charger.id] if one.order else []
    return taken_up(act, Melee("charge", flat(pairings), tuple(orders)))


def joined(charges: Iterable[Charge]) -> Charge:
    """Charges of single models, numbers and weapons named, as one; the first leads."""
    first, *others = charges
    more = [(int(one.charger[1:]), round(one.inches * 10), int(one.weapon[1:] or 0)) for one in others]
    return replace(first, more=tuple(number for three in more for number in three), also="")


def read_also(act: Act, action: Charge) -> tuple[int, ...]:
    """Who charges too, as typed or as kept. Raises InvalidInput. Rules: CB-ACT-08."""
    found = list(action.more)
    for part in filter(None, (part.strip() for part in re.split(r"[,;\n]", action.also))):
        read = _TOO.match(part)
        if read is None:
            raise InvalidInput(f"{HOW}.")
        model = named(act, read[1])
        found += [model.id, round(float(read[2]) * 10), melee_arm(model, read[3] or "", settings(act))]
    if len(found) % 3 or len(found) // 3 >= MOST_CHARGERS:
        raise InvalidInput(f"{HOW}." if len(found) % 3 else f"At most {MOST_CHARGERS} charge together.")
    return tuple(found)


def waiting(act: Act, row: int) -> tuple[Charge, Fighter, Fighter]:
    """The charge that waits, for somebody who may answer for its target."""
    declared = pending.waiting(act, row, Charge)
    charger, target = named(act, declared.charger), named(act, declared.target)
    return declared, charger, target
