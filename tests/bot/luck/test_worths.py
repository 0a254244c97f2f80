"""What rolls are worth: where another question is asked instead, it comes to the same and is small."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import bot.games  # noqa: F401
from bot.table.luck.outcome_values import find_worth
from bot.table.luck.replayed_rolls import MAX_OF_ONE
from rules.dice import Solver
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.impacts import Impact
from rules.systems.counterblast.melee.bouts import Bout, melee
from rules.systems.counterblast.melee.engagement import disengage
from rules.systems.counterblast.shooting.shots import Shot, volley
from rules.systems.counterblast.shooting.templates import Victim, blast, line
from rules.systems.infinity.rolls import Side, dodge_all
from rules.systems.warzone.templates import TemplateAttack, template_attack


def impact(count: int) -> Impact:
    """What each suffers; two have a shield less, so that all that may fall is soon walked."""
    return Impact(power=6, damage=2, shields=1 if count == 2 else 2)


def bouts(count: int) -> tuple[Bout, ...]:
    attacks = [Throw(1 + place % 3, place % 2, 7) for place in range(count)]
    return tuple(Bout(place, attack, Throw(1, 1, 7), impact(count)) for place, attack in enumerate(attacks))


def shots(count: int) -> tuple[Shot, ...]:
    return tuple(Shot(place, (Throw(1 + place % 3, 1, 7),), impact(count)) for place in range(count))


def victims(count: int) -> tuple[Victim, ...]:
    escapes = None, Throw(1, 0, 7)
    return tuple(
        Victim(place, escapes[place % 2], Throw(2, place % 3, 7), impact(count)) for place in range(count)
    )


def enemies(count: int) -> tuple[Throw, ...]:
    return tuple(Throw(1 + place % 2, place % 3, 7) for place in range(count))


def sides(count: int) -> tuple[Side, ...]:
    return tuple(Side(1 + place % 3, 9 + place) for place in range(count))


def armours(count: int) -> tuple[int, ...]:
    return tuple(14 + place % 9 for place in range(count))


Asking = Callable[[int], tuple[Any, ...]]
ASKED: list[tuple[Any, Asking, int]] = [
    (melee, lambda count: (bouts(count),), 12),
    (volley, lambda count: (shots(count),), 12),
    (blast, lambda count: (victims(count),), 12),
    (line, lambda count: (victims(count),), 8),
    (disengage, lambda count: (Throw(3, 0, 7), enemies(count)), 8),
    (dodge_all, lambda count: (12, sides(count)), 10),
    (template_attack, lambda count: (TemplateAttack(12, 12, armours(count), hits=2),), 25),
]
named = pytest.mark.parametrize(("rule", "asking", "many"), ASKED, ids=[rule.__name__ for rule, *_ in ASKED])


@pytest.mark.parametrize("count", [1, 2])
@named
def test_the_question_asked_instead_comes_to_the_same(
    rule: Any, asking: Asking, many: int, count: int
) -> None:
    args = asking(count)
    whole = Solver(cut=0).solve(rule, *args)
    worth = find_worth(rule, next(iter(whole.chances)))
    assert worth is not None
    assert worth.asked is not None
    asked, its = worth.asked(*args)
    found = Solver(cut=0).solve(asked, *its).chances
    expected = whole.map(worth.of).chances
    assert {float(value) for value in found} == {float(value) for value in expected}
    for value, chance in expected.items():
        assert float(found[value]) == pytest.approx(float(chance), abs=1e-12)


@named
def test_it_is_small_however_many_take_part(rule: Any, asking: Asking, many: int) -> None:
    """By counted work, not by time: a blast over twelve is weighed like any other roll."""
    worth = find_worth(rule, None)
    assert worth is not None
    assert worth.asked is not None
    asked, its = worth.asked(*asking(many))
    odds = Solver(work=MAX_OF_ONE).solve(asked, *its)
    assert sum(map(Fraction, odds.chances.values())) == pytest.approx(1)
