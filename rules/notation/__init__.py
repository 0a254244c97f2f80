"""Dice notation: `4d6 keep 3`, `4d10+1 vs 7`, `3x 2d6+3 >= 8`, read, explained, rolled, solved.

>>> from rules.dice import solve
>>> from rules.notation import describe, evaluate, parse
>>> expression = parse("4d6kh3")
>>> describe(expression)
'4d6 keep 3'
>>> expression.reading
'Read as: 4d6, keep the highest 3.'
>>> round(solve(evaluate, parse("3d10 vs 7")).chance(lambda outcome: outcome.value >= 2), 3)
0.352

Depends on `rules.dice`, on `rules.refusals` and on the parser library parsimonious; knows no game.
"""

from __future__ import annotations

from rules.notation.evaluation import Outcome, evaluate, kind, once, parse, summed, value_of, value_reader
from rules.notation.extremes import bounds
from rules.notation.faces import lines
from rules.notation.nodes import MAX_LENGTH, Expression, Judged, Term, Versus
from rules.notation.spelling import describe, explain

__all__ = [
    "MAX_LENGTH",
    "Expression",
    "Judged",
    "Outcome",
    "Term",
    "Versus",
    "bounds",
    "describe",
    "evaluate",
    "explain",
    "kind",
    "lines",
    "once",
    "parse",
    "summed",
    "value_of",
    "value_reader",
]
