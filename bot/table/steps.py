"""Actions that throw dice, handled in four steps, of which only the second throws.

`prepare` reads the table, refuses what is not allowed and freezes what the rule needs; `rule` is the rule
itself; `settle` alters rows by its outcome; `tell` makes the reply. Whatever asks what an action would do
goes through the same `prepare`: what is legal now, odds, odds with a token, comparisons, previews. Where
others answer before the dice fall, an action is only `Weighed`: what it does after `prepare` is its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from bot.actions import Action, parts
from bot.replies.chances import exactness, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking.kinds import Token
from bot.table.handlers import HANDLERS, Beforehand, Handler, May, Place
from bot.table.rolling.throws import Cast, Whose
from rules.dice import Dice
from rules.odds import Odds
from rules.refusals import Forbidden, InvalidInput

A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome
T = TypeVar("T")
W = TypeVar("W", bound="Weighed[Any, Any]")


@dataclass(frozen=True, slots=True)
class Chances:
    """What a roll may come to. lines: told before it is rolled. solved: the odds that they come from.

    aim: what is hoped for, in words (`goes down`); chance: of that, between 0 and 1; rolls are compared by
    it. apart: lines below the one that tells of a token. not_yet: why it cannot be done just
    now; then no button does it.
    """

    lines: tuple[str, ...]
    aim: str
    chance: float
    solved: tuple[Odds[Any], ...] = ()
    apart: tuple[str, ...] = ()
    not_yet: tuple[str, ...] = ()


class Weighed(ABC, Generic[A, P]):
    """How an action is handled whose chances can be told before it is done, whenever its dice fall.

    label: the word on the button that does it.
    """

    label: ClassVar[str] = "Roll"

    @abstractmethod
    def prepare(self, act: Act, action: A) -> P:
        """What it needs, frozen; alters nothing. Raises InvalidInput, and Forbidden: not allowed."""

    @abstractmethod
    def do(self, act: Act, action: A, ready: P) -> Reply:
        """Do it, and tell."""

    @abstractmethod
    def chances(self, act: Act, action: A, ready: P) -> Chances:
        """What it may come to, solved with `act.solve` from the rules that are thrown."""

    # ------------------------------------------------------------- carried through

    def run(self, act: Act, action: A) -> Reply:
        """All steps, or what they may come to where odds are asked."""
        ready = self.prepared(act, action)
        return self.odds(act, action, ready) if act.looks else self.do(act, action, ready)

    def prepared(self, act: Act, action: A) -> P:
        """The first step, which alters nothing."""
        touched = act.book.is_touched
        ready = self.prepare(act, action)
        assert touched or not act.book.is_touched, f"{action.command} alters rows before it is rolled"
        return ready

    def odds(self, act: Act, action: A, ready: P) -> Reply:
        """The chances to the person who asks, without and with a token, and buttons that do it."""
        found = self.chances(act, action, ready)
        lines = list(found.lines)
        plain, label = self.plainly(act, action), self.labelled(ready)
        ways = [(f"{label} with order" if has_token(plain) else label, plain)]
        turned = otherwise(plain)
        other = self._chances_of(act, turned) if turned is not None else None
        if turned is not None and other is not None:
            how = "Without the order" if has_token(plain) else "With an order"
            lines.append(f"{how}: {other.aim} {percent(other.chance).strip()}")
            ways.append((label if has_token(plain) else f"{label} with order", turned))
        buttons = [Button(word, asked, "plain" if n else "main") for n, (word, asked) in enumerate(ways)]
        buttons += self.more(act, plain)
        return Reply(
            (*lines, *self.closing(found), *found.not_yet),
            private=True,
            buttons=() if found.not_yet else tuple(buttons),
        )

    def _chances_of(self, act: Act, action: A) -> Chances | None:
        """The chances of another way to do it; None where that is not possible."""
        try:
            return self.chances(act, action, self.prepared(act, action))
        except (InvalidInput, Forbidden):
            return None

    def labelled(self, ready: P) -> str:
        """The word on the button that does it."""
        return self.label

    def plainly(self, act: Act, action: A) -> A:
        """The action that the buttons below its odds do."""
        return as_done(action)

    def closing(self, found: Chances) -> tuple[str, ...]:
        """The last lines of odds: how exact they are, and that nothing is rolled."""
        exact = (exactness(*found.solved),) if found.solved else ()
        return (*exact, *found.apart, "Nothing is rolled.")

    def more(self, act: Act, action: A) -> Sequence[Button]:
        """Further buttons below the odds."""
        return ()


class Steps(Weighed[A, P], Generic[A, P, O, T]):
    """How an action is handled that throws its dice when it is done."""

    @abstractmethod
    def rule(self, dice: Dice, ready: P) -> O:
        """The rule: throws the dice, looks at nothing but what was prepared."""

    @abstractmethod
    def settle(self, act: Act, action: A, ready: P, outcome: O) -> T:
        """Alter rows by the outcome; gives what is to be told of it."""

    @abstractmethod
    def tell(self, act: Act, action: A, ready: P, told: T) -> Reply:
        """The reply."""

    @abstractmethod
    def whose(self, action: A, ready: P) -> Whose | Cast:
        """Whose dice are thrown, what for and against what, for who throws real ones."""

    def do(self, act: Act, action: A, ready: P) -> Reply:
        """Throw the dice, alter rows by what they show, and tell."""
        outcome = act.roll(self.whose(action, ready), self.rule, ready)
        return self.tell(act, action, ready, self.settle(act, action, ready, outcome))


def as_done(action: A) -> A:
    """The action itself, where its odds were asked."""
    said: dict[str, Any] = {"odds": False} if action.looks else {}
    return replace(action, **said)


def _token(action: Action) -> str:
    """The field that tells whether a token is spent; empty where there is none."""
    return next((part.name for part in parts(action.command) if isinstance(part.kind, Token)), "")


def has_token(action: Action) -> bool:
    """Whether a token is spent for a better chance."""
    return bool(_token(action)) and bool(getattr(action, _token(action)))


def otherwise(action: A) -> A | None:
    """The same the other way, with a token or without; None where the action knows none."""
    name = _token(action)
    return replace(action, **{name: not getattr(action, name)}) if name else None


def in_steps(
    kind: type[Action],
    place: Place = Place.ENCOUNTER,
    *,
    may: May | None = None,
    beforehand: Beforehand | None = None,
    bot_dice: bool = False,
) -> Callable[[type[W]], type[W]]:
    """Register the class below as the one that handles an action. See `handles`."""

    def register(made: type[W]) -> type[W]:
        if kind.command in HANDLERS:
            raise ValueError(f"{kind.command} has a handler already")
        steps = made()
        HANDLERS[kind.command] = Handler(
            steps.run,
            place,
            beforehand,
            bot_dice,
            home=made.__module__,
            may=may,
            prepare=steps.prepared,
        )
        return made

    return register
