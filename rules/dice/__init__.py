"""Write the rule of a dice game once; roll it, solve it exactly, or feed it with the faces of real dice.

A rule is a plain function whose first argument is a source of chance (`Dice`):

>>> from rules import dice
>>> hit = dice.Die(("hits",), tuple(dice.Facet("hit" if face > 6 else "miss", (int(face > 6),))
...                                 for face in range(1, 11)))
>>> def volley(table: dice.Dice, shots: int) -> int:
...     return table.pool(shots, hit, "volley")[0]

`solve` gives every outcome with its chance. A question that is too large raises `TooLarge`; `estimate`
answers it by throwing dice:

>>> odds = dice.solve(volley, 3)
>>> [f"{n}: {odds.chances[n]:.3f}" for n in range(4)]
['0: 0.216', '1: 0.432', '2: 0.288', '3: 0.064']
>>> round(odds.chance(lambda hits: hits >= 2), 3)
0.352
>>> dice.Solver(exact=True).solve(volley, 2).chances[2]
Fraction(4, 25)
>>> dice.estimate(volley, dice.FairDice(bytes(32), [], 1), 1000, 3).rolls
1000

`roll` keeps a trace of every die. `FairDice` are dice that anyone can check once their seed is revealed:

>>> seed = bytes(32)
>>> dice.commitment(seed)[:16]
'66687aadf862bd77'
>>> hits, roller = dice.roll(volley, dice.FairDice(seed, ["for luck"], 0), 3)
>>> hits, roller.trace[0].words()
(1, (((1, 'miss'), (3, 'miss'), (7, 'hit')),))

`Entered` takes the faces of real dice, and says which are missing:

>>> dice.roll(volley, dice.Entered([9, 2, 7]), 3)[0]
2
>>> dice.roll(volley, dice.Entered([9]), 3)
Traceback (most recent call last):
    ...
rules.dice.seam.MoreDice: volley: throw 2 d10

The package needs the standard library only and imports nothing else of this repository. README.md beside this
file has longer examples.
"""

from __future__ import annotations

from .luck import Fall, Luck, luck_of
from .odds import HARDLY, Distribution, Estimate, Number, Odds, Share, at_least, estimate, sampled
from .sampler import Sampler, sample
from .seam import (
    BONUS_WAVES,
    MAX_DICE,
    Bound,
    Compared,
    Dice,
    DiceError,
    Die,
    Drawn,
    Entry,
    Faces,
    Facet,
    Hand,
    Heading,
    MoreDice,
    P,
    R,
    Ranks,
    Roller,
    S,
    Shown,
    Source,
    Step,
    Stop,
    Tally,
    Thrown,
    add,
    at_most,
    roll,
)
from .solver import Part, Solver, add_up, answers, best_of, solve
from .sources import SEED_BYTES, Entered, FairDice, Recorded, commitment
from .sums import CUT, TooLarge, pack, unpacked

__all__ = [
    "BONUS_WAVES",
    "CUT",
    "HARDLY",
    "MAX_DICE",
    "SEED_BYTES",
    "Bound",
    "Compared",
    "Dice",
    "DiceError",
    "Die",
    "Distribution",
    "Drawn",
    "Entered",
    "Entry",
    "Estimate",
    "Faces",
    "Facet",
    "FairDice",
    "Fall",
    "Hand",
    "Heading",
    "Luck",
    "MoreDice",
    "Number",
    "Odds",
    "P",
    "Part",
    "R",
    "Ranks",
    "Recorded",
    "Roller",
    "S",
    "Sampler",
    "Share",
    "Shown",
    "Solver",
    "Source",
    "Step",
    "Stop",
    "Tally",
    "Thrown",
    "TooLarge",
    "add",
    "add_up",
    "answers",
    "at_least",
    "at_most",
    "best_of",
    "commitment",
    "estimate",
    "luck_of",
    "pack",
    "roll",
    "sample",
    "sampled",
    "solve",
    "unpacked",
]
