"""Rules of skirmish wargames, written once and then rolled, solved exactly, or fed with real dice.

A rule is a plain function whose first argument is a source of chance:

>>> import rules
>>> hit = rules.Die(("hits",), tuple(rules.Facet("hit" if face > 6 else "miss", (int(face > 6),))
...                                  for face in range(1, 11)))
>>> def volley(dice: rules.Dice, shots: int) -> int:
...     return dice.pool(shots, hit, "volley")[0]

Solved, it gives every outcome with its chance; questions that are too large raise `TooLarge`, and `estimate`
answers them by sampling:

>>> odds = rules.solve(volley, 3)
>>> [f"{n}: {odds.chances[n]:.3f}" for n in range(4)]
['0: 0.216', '1: 0.432', '2: 0.288', '3: 0.064']
>>> round(odds.chance(lambda hits: hits >= 2), 3)
0.352
>>> rules.Solver(exact=True).solve(volley, 2).chances[2]
Fraction(4, 25)

Rolled, it leaves a trace of every die. Here the source of faces are fair dice, which anybody can check once
the seed is told:

>>> seed = bytes(32)
>>> rules.commitment(seed)[:16]
'66687aadf862bd77'
>>> hits, roller = rules.roll(volley, rules.FairDice(seed, ["for luck"], 0), 3)
>>> roller.trace[0].words()
(((1, 'miss'), (3, 'miss'), (7, 'hit')),)
>>> hits
1
>>> rules.estimate(volley, rules.FairDice(seed, [], 1), 1000, 3).rolls
1000

Fed with the faces of real dice, it says which are missing:

>>> rules.roll(volley, rules.Entered([9, 2, 7]), 3)[0]
2
>>> rules.roll(volley, rules.Entered([9]), 3)
Traceback (most recent call last):
    ...
rules.dice.MoreDice: volley: throw 2 d10

Dice expressions are rules too:

>>> expression = rules.parse("3d10 vs 7")
>>> round(rules.solve(rules.evaluate, expression).chance(lambda outcome: outcome.value >= 2), 3)
0.352

The systems of the games are packages of their own below `rules.systems`; nothing here knows them. This module
owns no rule: it gathers what other programs need.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate

from rules.dice import Dice, DiceError, Die, Facet, MoreDice, P, R, Ranks, Roller, Source, Stop
from rules.expression import describe, evaluate, lines, parse
from rules.faces import Entered, Recorded
from rules.fair import FairDice, commitment
from rules.odds import Estimate, Odds, Solver, TooLarge, estimate, solve
from rules.refusals import Forbidden, InvalidInput


def roll(
    rule: Callable[Concatenate[Dice, P], R], source: Source, *args: P.args, **kwargs: P.kwargs
) -> tuple[R, Roller]:
    """Roll a rule with the faces of a source; gives its outcome, and the roller with trace and record."""
    roller = Roller(source)
    return rule(roller, *args, **kwargs), roller


__all__ = [
    "Dice",
    "DiceError",
    "Die",
    "Entered",
    "Estimate",
    "Facet",
    "FairDice",
    "Forbidden",
    "InvalidInput",
    "MoreDice",
    "Odds",
    "Ranks",
    "Recorded",
    "Roller",
    "Solver",
    "Source",
    "Stop",
    "TooLarge",
    "commitment",
    "describe",
    "estimate",
    "evaluate",
    "lines",
    "parse",
    "roll",
    "solve",
]
