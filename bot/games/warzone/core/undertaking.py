"""Deeds that throw dice, in steps: what fear asks first, what they cost, then what they throw.

A deed without dice of its own is `Quiet`: the nerve that it takes is thrown and weighed all the same.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar, cast

from bot.actions import Action
from bot.games.warzone.core.common import pay
from bot.games.warzone.core.fear import (
    FREELY,
    NERVE,
    NERVE_TEST,
    Hurdle,
    after_nerve,
    by_ld,
    require,
    tell_ld,
    weigh,
)
from bot.games.warzone.core.telling import Telling
from bot.games.warzone.core.throwing import Rolling, Throwing
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.rolling.throws import Cast, Throw, Whose, cast_of
from bot.table.steps import Chances
from rules.dice import Dice
from rules.modifiers import Modifier
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import Bearing, Undertaken, ld_limit, ld_modifiers, undertake


@dataclass(frozen=True, slots=True)
class Begin:
    """How a deed begins. nerve: modifiers of the LD test that comes first, None where it needs none.

    hurdle: what stands before it, where only its chances are asked. actions: how many it costs.
    """

    model: Model
    deed: Deed
    nerve: tuple[Modifier, ...] | None = None
    hurdle: Hurdle = FREELY
    actions: int = 1

    @property
    def limit(self) -> int | None:
        """What the d20 of that test must not exceed."""
        return None if self.nerve is None else ld_limit(self.model, self.nerve)


def begin(
    act: Act, model: Model, deed: Deed, *, bearing: Bearing = "other", actions: int = 1, hidden: bool = False
) -> Begin:
    """See that a deed may be done now; nothing is rolled or paid. hidden: no enemy is in its line of sight.

    Raises Forbidden, which an organiser may override. Rules: as `nerves.require`.
    """
    if act.looks:
        hurdle = weigh(act, model, deed, bearing=bearing, actions=actions, hidden=hidden)
        return Begin(model, deed, hurdle=hurdle, actions=actions)
    tested = require(act, model, deed, bearing=bearing, actions=actions)
    nerve = ld_modifiers(model, enemy_in_sight=not hidden) if tested else None
    return Begin(model, deed, nerve, actions=actions)


def throw_nerve(act: Act, begun: Begin) -> Grade | None:
    """The LD test that a deed takes; None where it takes none."""
    if begun.nerve is None or begun.limit is None:
        return None
    return act.roll(by_ld(begun.model, begun.nerve, NERVE_TEST), check, begun.limit, label="leadership")


def dared(telling: Telling, begun: Begin, grade: Grade | None) -> bool:
    """Tell the nerve that a deed took; where it held the deed is paid for. Whether it held."""
    if begun.nerve is not None and grade is not None:
        tell_ld(telling, begun.model, begun.nerve, NERVE)
        if not after_nerve(telling, begun.model, grade):
            return False
    telling.note(pay(telling.act, begun.model, begun.deed, begun.actions))
    return True


def daring(act: Act, title: str, aim: str, hurdle: Hurdle) -> Chances:
    """The chances of what is done wherever the nerve that it takes holds."""
    lines = (title, *hurdle.lines)
    if hurdle.limit is None:
        return Chances(lines, aim, 1.0, not_yet=hurdle.not_yet)
    odds = act.solve(check, hurdle.limit)
    passes = odds.chance(lambda grade: grade.passed)
    return Chances(lines, aim, passes, (odds,), not_yet=hurdle.not_yet)


class HasBegin(Hashable, Protocol):
    """What every deed prepares besides the numbers of its own rule."""

    @property
    def begin(self) -> Begin:
        """How it begins."""


A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=HasBegin)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome


class Undertaking(Rolling[A, P, Undertaken[O]], Generic[A, P, O]):
    """A deed of one model for an action, with the nerve that it takes: settled and told alike."""

    @abstractmethod
    def done(self, telling: Telling, action: A, ready: P, result: O) -> None:
        """Alter rows by what the deed came to, and tell it."""

    def settle(self, act: Act, action: A, ready: P, outcome: Undertaken[O]) -> Telling:
        """Where the nerve held it is paid for and done."""
        telling = Telling(act)
        if dared(telling, ready.begin, outcome.nerve):
            self.done(telling, action, ready, cast(O, outcome.result))
        return telling

    def tell(self, act: Act, action: A, ready: P, told: Telling) -> Reply:
        """With what is left to it, or who acts next."""
        return told.closing(ready.begin.model, *told.more)


class Performing(Undertaking[A, P, O], Generic[A, P, O]):
    """A deed of several rolls, or of one that not always falls."""

    @abstractmethod
    def rolls(self, act: Act, action: A, ready: P) -> O:
        """The rolls of the deed itself, which alter nothing."""

    def thrown(self, act: Act, action: A, ready: P) -> Undertaken[O]:
        """The nerve, then the deed."""
        grade = throw_nerve(act, ready.begin)
        if grade is not None and not grade.passed:
            return Undertaken(grade, None)
        return Undertaken(grade, self.rolls(act, action, ready))


class Quiet(Performing[A, P, bool], Generic[A, P]):
    """A deed that throws no dice but those of the nerve that it takes."""

    label = "Do it"

    def rolls(self, act: Act, action: A, ready: P) -> bool:
        """None."""
        return True

    def chances(self, act: Act, action: A, ready: P) -> Chances:
        """It is done, where the nerve holds."""
        title = f"{ready.begin.model.name} may {ready.begin.deed.value}."
        return daring(act, title, "done", ready.begin.hurdle)


class Doing(Undertaking[A, P, O], Throwing[A, P, Undertaken[O]], Generic[A, P, O]):
    """A deed of one roll."""

    @abstractmethod
    def throw(self, dice: Dice, ready: P) -> O:
        """The rule of the deed itself."""

    @abstractmethod
    def thrower(self, action: A, ready: P) -> Whose | Cast:
        """Whose dice that rule throws."""

    def whose(self, action: A, ready: P) -> Whose | Cast:
        """The nerve's, then the deed's."""
        begun, then = ready.begin, cast_of(self.thrower(action, ready))
        if begun.nerve is None:
            return then
        nerve = by_ld(begun.model, begun.nerve, NERVE_TEST)

        def of(throw: Throw) -> Whose:
            return then(replace(throw, before=throw.before[1:])) if throw.before else nerve

        return of

    def rule(self, dice: Dice, ready: P) -> Undertaken[O]:
        """The nerve, then the deed."""
        return undertake(dice, ready.begin.limit, self.throw, ready)
