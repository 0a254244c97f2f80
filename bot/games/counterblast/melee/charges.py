"""A charge: what was declared, the blows that it leads to, and the one that waits for the target's player."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core import pending
from bot.games.counterblast.core.arms import melee_arm
from bot.games.counterblast.core.common import named, settings
from bot.games.counterblast.core.fields import order
from bot.games.counterblast.core.suggestions import blade, next_name
from bot.games.counterblast.ground.areas import Ground
from bot.games.counterblast.melee.melees import Melee, Pairing, flat, taken_up
from bot.games.counterblast.movement.ground_moves import apart, crosses_impassable, touched
from bot.table.act import Act
from bot.table.asking import fields, offering
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter

NOBODY = "nobody"

MOST_CHARGERS = 6
HOW = "Write who charges too as in: Skip at 5, HOpR at 7 with Sword"
_TOO = re.compile(r"^(.+?)\s+at\s+(\d{1,3}(?:\.\d+)?)(?:\s*in)?(?:\s+with\s+(.+))?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Charge(Action):
    """Charge a model: move into contact and attack.

    inches: along the way. rugged: ratings of the Rugged ground touched; ground: dangerous places and hazards
    touched, by name; typed, the ratings stand among them. helpers: empty: ask. also: who of the group charges
    too, as in: Skip at 5, HOpR at 7 with Sword; their inches contain what the ground costs. more: the same as
    numbers, three for each: the model, tenths of an inch, the weapon.
    """

    command = "cb.charge"
    typed = "cb charge"
    said_first = (
        *("charger", "target", "inches", "weapon", "terrain", "gap", "helpers", "ground", "burrow"),
        *("impassable", "also", "order", "odds"),
    )

    charger: str = fields.words("Who charges", offering.own_model, needed=True, called="model")
    target: str = fields.words("Whom", offering.foe, needed=True)
    inches: float = fields.inches(
        "Inches to the target", default=0.0, needed=True, fact=True, called="distance"
    )
    weapon: str = fields.words("With what; none: its best for melee", blade)
    terrain: float = fields.inches("Inches that barriers cost", default=0.0, fact=True)
    gap: float = fields.inches("Inches left between the bases, with Reach", default=0.0)
    order: bool = order()
    helpers: str = fields.words("Who steps in within 1 in, or nobody; none: ask", next_name)
    odds: bool = fields.odds()
    rugged: tuple[int, ...] = ()
    burrow: bool = fields.switch("Underground")
    ground: tuple[Ground, ...] = touched()
    impassable: bool = crosses_impassable()
    also: str = fields.words("Who charges too: Skip at 5, HOpR at 7", next_name)
    more: tuple[int, ...] = ()

    def when_typed(self) -> Charge:
        """With the ratings apart from the places."""
        return apart(self)

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
