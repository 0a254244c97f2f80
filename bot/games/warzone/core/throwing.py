"""What is rolled in Warzone, in steps: how its reply and its chances look, whatever the rule.

Who says what must be prepared is each handler; what fear makes of a deed is `deeds`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from bot.actions import Action
from bot.games.warzone.core.fear import FREELY, Hurdle
from bot.games.warzone.core.telling import Telling
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.rolling.throws import Cast, Whose
from bot.table.steps import Chances, Rolled, Steps, Weighed
from rules.dice import Odds
from rules.modifiers import Modifier
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.model import Model

A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome
R = TypeVar("R", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ReadyTest:
    """A test of one model. limit: what its d20 must not exceed. hurdle: what stands before it, for odds."""

    model: Model
    modifiers: tuple[Modifier, ...]
    limit: int
    hurdle: Hurdle = FREELY


class Offered(Weighed[A, P], Generic[A, P]):
    """What is weighed like any other of Warzone."""

    def closing(self, found: Chances) -> tuple[str, ...]:
        """Why it cannot be done just now stands before how exact the chances are."""
        return (*found.not_yet, *super().closing(replace(found, not_yet=())))


class Rolling(Offered[A, P], Rolled[A, P, O, Telling], Generic[A, P, O]):
    """Rolls that are told like any other of Warzone."""

    def tell(self, act: Act, action: A, ready: P, told: Telling) -> Reply:
        """What happened, the dice, what follows."""
        return told.reply()


class Throwing(Rolling[A, P, O], Steps[A, P, O, Telling], Generic[A, P, O]):
    """One roll."""


@dataclass(frozen=True, slots=True)
class Fell(Generic[R]):
    """What a roll came to, and how many throws it took: so that each roll is told with its own."""

    result: R
    throws: int


def rolled(act: Act, whose: Whose | Cast, rule: Callable[..., R], *args: Any, **more: Any) -> Fell[R]:
    """One roll of several, which are told later."""
    before = len(act.dice.trace)
    result = act.roll(whose, rule, *args, **more)
    return Fell(result, len(act.dice.trace) - before)


def passing(
    title: str, limit: int, words: tuple[str, str], odds: Odds[Grade], hurdle: Hurdle = FREELY
) -> Chances:
    """The chances of a characteristic test. words: what passing and failing it mean."""
    passed = odds.chance(lambda grade: grade.passed)
    lines = (f"{title}: {limit} or less", *bars([(words[0], passed), (words[1], 1 - passed)]))
    return Chances((*lines, *hurdle.lines), words[0], passed, (odds,), not_yet=hurdle.not_yet)
