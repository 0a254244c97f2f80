"""What is rolled in Warzone, in steps: how its reply and its chances look, whatever the rule.

Who says what must be prepared is each handler; what fear makes of a deed is `deeds`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.warzone.nerves import FREELY, Hurdle
from bot.games.warzone.telling import Telling
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.steps import Chances, Steps
from rules.modifiers import Modifier
from rules.odds import Odds
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.model import Model

A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome


@dataclass(frozen=True, slots=True)
class ReadyTest:
    """A test of one model. limit: what its d20 must not exceed. hurdle: what stands before it, for odds."""

    model: Model
    modifiers: tuple[Modifier, ...]
    limit: int
    hurdle: Hurdle = FREELY


class Throwing(Steps[A, P, O, Telling], Generic[A, P, O]):
    """A roll that is told like any other of Warzone."""

    def tell(self, act: Act, action: A, ready: P, told: Telling) -> Reply:
        """What happened, the dice, what follows."""
        return told.reply()

    def closing(self, found: Chances) -> tuple[str, ...]:
        """Why it cannot be done just now stands before how exact the chances are."""
        return (*found.not_yet, *super().closing(replace(found, not_yet=())))


def passing(
    title: str, limit: int, words: tuple[str, str], odds: Odds[Grade], hurdle: Hurdle = FREELY
) -> Chances:
    """The chances of a characteristic test. words: what passing and failing it mean."""
    passed = odds.chance(lambda grade: grade.passed)
    lines = (f"{title}: {limit} or less", *bars([(words[0], passed), (words[1], 1 - passed)]))
    return Chances((*lines, *hurdle.lines), words[0], passed, (odds,), not_yet=hurdle.not_yet)
