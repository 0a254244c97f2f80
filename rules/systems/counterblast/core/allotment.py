"""Dice that a model shares out among several opponents before anything is rolled.

Owns how a pool is split and how an advantage that holds against one opponent only joins its share. It knows
no attacks.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import USUAL, Faces, Prepared, counting_edges, prepare
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice that a model has to share out: its sources of dice, and advantages that hold in general."""

    dice: tuple[Modifier, ...]
    edges: tuple[Modifier, ...] = ()
    advantage_stacks: bool = True

    @property
    def size(self) -> int:
        """Dice after advantages and disadvantages; may be 0 or less. Rules: CB-CHECK-07."""
        return total(self.dice) + total(counting_edges(self.edges, advantage_stacks=self.advantage_stacks))

    @property
    def available(self) -> int:
        """Dice to allot: at least 1, which stands for the lower of two dice. Rules: CB-CHECK-05."""
        return max(1, self.size)

    def share(self, dice: tuple[int, ...], name: str, *, all_dice: bool = True) -> tuple[int, ...]:
        """Check a division of the dice; a single share of 0 means all of them.

        all_dice: none may be held back. Raises Forbidden when the sum is wrong, InvalidInput for negatives.
        Rules: CB-FIGHT-02, CB-FIGHT-03, CB-SHOOT-06.
        """
        if dice == (0,) and all_dice:
            return (self.available,)
        if any(share < 0 for share in dice):
            raise InvalidInput("Allot 0 dice or more.")
        if sum(dice) > self.available or (all_dice and sum(dice) < self.available):
            raise Forbidden(
                f"{name} has {times(self.available, 'die', 'dice')} to allot, and {sum(dice)} are allotted.",
                "CB-FIGHT-02",
            )
        return dice


def even_shares(dice: int, ways: int) -> tuple[int, ...]:
    """Dice split as evenly as they go, the first shares the larger. Rules: CB-FIGHT-02, CB-FIGHT-03."""
    if ways < 1:
        return ()
    each, over = divmod(dice, ways)
    return tuple(each + (1 if place < over else 0) for place in range(ways))


def allotted(
    pool: Pool,
    dice: int,
    *,
    edges: tuple[Modifier, ...] = (),
    lent: tuple[Modifier, ...] = (),
    modifiers: tuple[Modifier, ...] = (),
    targets: tuple[Modifier, ...] = (),
    faces: Faces = USUAL,
    lucky: bool = False,
) -> Prepared:
    """Prepare the check of one share of a pool.

    dice: the share, 1 or more. edges: advantages against this opponent only, which change its share alone.
    lent: dice that allies add to this share. lucky: a critical failure is a plain one.
    Rules: CB-FIGHT-04, CB-FIGHT-13, CB-CHECK-07.
    """
    whole = dice == pool.available
    general = counting_edges(pool.edges, advantage_stacks=pool.advantage_stacks)
    if whole:
        return prepare(
            (*pool.dice, *lent),
            (*general, *edges),
            modifiers,
            targets,
            advantage_stacks=pool.advantage_stacks,
            faces=faces,
            lucky=lucky,
        )
    signs = set() if pool.advantage_stacks else {edge.amount > 0 for edge in general}
    own = tuple(edge for edge in edges if (edge.amount > 0) not in signs)
    return prepare(
        (Modifier(dice, "dice allotted", "CB-FIGHT-02"), *lent),
        own,
        modifiers,
        targets,
        advantage_stacks=pool.advantage_stacks,
        faces=faces,
        lucky=lucky,
    )
