"""Actions with dice are handled in four steps, of which only the second rolls.

`prepare` reads the table, refuses what is not allowed and freezes what the rule needs; `rule` is the rule
itself; `settle` changes rows by its outcome; `tell` makes the reply. Everything that asks what an action
would do goes through the same `prepare`: legal actions, odds, odds with a token, comparisons, previews. An
action that first asks another player is prepared and weighed in the same way (`Weighed`), and rolls its dice
after the answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar, cast

from bot.actions import ODDS, Action, has_chances, parts
from bot.replies.chances import exactness, percent
from bot.replies.fit import has_room
from bot.replies.reply import Button, Note, Reply
from bot.table.act import Act, ActView
from bot.table.asking.kinds import Token
from bot.table.handlers import HANDLERS, Beforehand, Handler, May, Place, may_ask_odds
from bot.table.offers.comparisons import Compare, can_be_compared, encode_action
from bot.table.offers.forms import make_change_buttons
from bot.table.throw_purposes import Cast, Whose
from rules.dice import Dice, Odds
from rules.refusals import Forbidden, InvalidInput
from rules.sections import remove_rules

A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hurt:
    """The expected harm to a model that is attacked.

    model: its number. down: the chance that it goes down, 0 to 1. wounds: its average loss.
    """

    model: int
    down: float
    wounds: float


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances of a roll.

    lines: shown before it is rolled. solved: the odds that they come from. aim: the hoped-for result, in
    words (`goes down`); chance: its chance, between 0 and 1, by which rolls are compared. apart: lines below
    the one about a token. brief: the line in a comparison, if that is more than its aim. not_yet: why it
    can't be done just now; then it has no button. hurts: the expected harm to each target, the first target
    first. meant: the values of fields that were left blank.
    """

    lines: tuple[str, ...]
    aim: str = ""
    chance: float = 0.0
    solved: tuple[Odds[Any], ...] = ()
    apart: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    not_yet: tuple[str, ...] = ()
    hurts: tuple[Hurt, ...] = ()
    meant: tuple[tuple[str, Any], ...] = ()

    def other_way(self, label: str) -> list[str]:
        """Return what is told of it beside the way that was asked. label: `With an order token`."""
        brief = self.brief or (f"{self.aim} {percent(self.chance).strip()}",)
        return (
            [f"{label}: {brief[0]}"] if len(brief) == 1 else [f"{label}:", *(f"  {line}" for line in brief)]
        )


class Weighed(ABC, Generic[A, P]):
    """The handling of an action that is prepared, and then done or asked for its chances.

    For an action that rolls at once there is `Rolled`; this one alone is for an action that first asks
    another player. label: the word on the button that does it.
    """

    label: ClassVar[str] = "Roll"

    @abstractmethod
    def prepare(self, act: ActView, action: A) -> P:
        """Return what the rule needs, frozen; changes nothing. Raises InvalidInput and Forbidden."""

    def asks(self, act: Act, action: A, ready: P) -> Reply | None:
        """Return a question for a player before anything is rolled or paid; None for none."""
        return None

    @abstractmethod
    def do(self, act: Act, action: A, ready: P) -> Reply:
        """Do what was prepared."""

    @abstractmethod
    def chances(self, act: ActView, action: A, ready: P) -> Chances:
        """Return what it may come to, solved with `act.solve` from the rules that `rule` throws."""

    # ------------------------------------------------------------- carried through

    def run(self, act: Act, action: A) -> Reply:
        """Do it, or show its possible results if odds are asked."""
        ready = self.prepared(act, action)
        if act.action.looks:
            return self.odds(act, action, ready)
        return self.asks(act, action, ready) or self.do(act, action, ready)

    def prepared(self, act: ActView, action: A) -> P:
        """Return the first step, which alters nothing."""
        touched = act.book.is_touched
        ready = self.prepare(act, action)
        assert touched or not act.book.is_touched, f"{action.command} alters rows before it is rolled"
        return ready

    def odds(self, act: ActView, action: A, ready: P) -> Reply:
        """Show the chances to the person, without and with a token, and buttons that do it."""
        plain = cast(A, as_done(act.canonical))
        chances = self.chances(act, action, ready)
        lines = list(map(remove_rules, chances.lines))
        label, turned = self.labelled(plain, ready), self.turned(plain, ready)
        variants = [(f"{label} with an order token" if has_token(plain) else label, plain)]
        other = self._chances_of(act, turned) if turned is not None else None
        if turned is not None and other is not None:
            lines += other.other_way("Without the order token" if has_token(plain) else "With an order token")
            variants.append((label if has_token(plain) else f"{label} with an order token", turned))
        doing = [
            Button(word, button_action, "plain" if n else "main")
            for n, (word, button_action) in enumerate(variants)
        ]
        doing += self.more(act, plain, ready)
        may_ask = not act.tries and may_ask_odds(act, plain)
        if chances.not_yet or not may_ask:
            doing = []
        compared = _comparing(act, plain) if chances.aim else []
        buttons = (*doing, *compared, *(_changing(act, plain) if may_ask else ()))
        return Reply((*lines, *self.closing(chances)), private=True, buttons=buttons)

    def weighed(self, act: ActView, action: A) -> Chances:
        """Return what it may come to; alters nothing. Raises what `prepare` raises."""
        return self.chances(act, action, self.prepared(act, action))

    def _chances_of(self, act: ActView, action: A) -> Chances | None:
        """Return the chances of another way to do it, or None if it is not possible."""
        canonical = act.canonical
        try:
            return self.weighed(act, action)
        except (InvalidInput, Forbidden):
            return None
        finally:
            act.canonical = canonical

    def labelled(self, plain: A, ready: P) -> str:
        """Return the word on the button that does it."""
        return self.label

    def turned(self, plain: A, ready: P) -> A | None:
        """Return the same with a token or without; None where none would change anything."""
        return otherwise(plain)

    def closing(self, chances: Chances) -> tuple[str, ...]:
        """Return the last lines of odds: how exact, that nothing is rolled, why it cannot be done now."""
        exact = (exactness(*chances.solved),) if chances.solved else ()
        return (*exact, *chances.apart, Note("No dice were rolled."), *chances.not_yet)

    def more(self, act: ActView, plain: A, ready: P) -> Sequence[Button]:
        """Return further buttons below the odds. plain: the action itself, in its normal form."""
        return ()


class Rolled(Weighed[A, P], Generic[A, P, O, T]):
    """How an action that throws dice is handled, in one roll (see `Steps`) or in several."""

    @abstractmethod
    def thrown(self, act: Act, action: A, ready: P) -> O:
        """Return the second step: rolls rules, which look at nothing but what was prepared."""

    @abstractmethod
    def settle(self, act: Act, action: A, ready: P, outcome: O) -> T:
        """Alter rows by the outcome; gives what is to be told of it."""

    @abstractmethod
    def tell(self, act: Act, action: A, ready: P, told: T) -> Reply:
        """Return the reply."""

    def do(self, act: Act, action: A, ready: P) -> Reply:
        """Roll, settle and report."""
        outcome = self.thrown(act, action, ready)
        return self.tell(act, action, ready, self.settle(act, action, ready, outcome))


class Steps(Rolled[A, P, O, T]):
    """How an action is handled that is one roll of one rule."""

    @abstractmethod
    def rule(self, dice: Dice, ready: P) -> O:
        """Return the rule: throws the dice, looks at nothing but what was prepared."""

    @abstractmethod
    def whose(self, action: A, ready: P) -> Whose | Cast:
        """Return whose dice are thrown, what for and against what, for who throws real ones."""

    def thrown(self, act: Act, action: A, ready: P) -> O:
        """Return one roll."""
        return act.roll(self.whose(action, ready), self.rule, ready)


def _comparing(act: ActView, plain: Action) -> list[Button]:
    """Return the button that compares its variants, if there are any and its id has room."""
    in_game = act.has_encounter and HANDLERS[plain.command].place is Place.ENCOUNTER
    if act.tries or not in_game or not can_be_compared(act, plain):
        return []
    button = Button("Compare", Compare(encode_action(plain)), anytime=True)
    return [button] if has_room(button) else []


def _changing(act: ActView, plain: Action) -> list[Button]:
    """Return the button that opens its form, filled in as for its odds."""
    of_the_game = act.has_encounter and HANDLERS[plain.command].place is Place.ENCOUNTER
    return make_change_buttons(as_asked(plain)) if of_the_game else []


def as_asked(action: A) -> A:
    """Return the action so that its odds are asked."""
    changes: dict[str, Any] = {ODDS: True} if has_chances(action.command) else {}
    return replace(action, **changes)


def as_done(action: A) -> A:
    """Return the action itself, where its odds were asked."""
    changes: dict[str, Any] = {ODDS: False} if action.looks else {}
    return replace(action, **changes)


def _token(action: Action) -> str:
    """Return the field that says whether a token is spent, or ""."""
    return next((part.name for part in parts(action.command) if isinstance(part.kind, Token)), "")


def has_token(action: Action) -> bool:
    """Return whether a token is spent for a better chance."""
    return bool(_token(action)) and bool(getattr(action, _token(action)))


def otherwise(action: A) -> A | None:
    """Return the same the other way, with a token or without; None where the action knows none."""
    name = _token(action)
    return replace(action, **{name: not getattr(action, name)}) if name else None


def in_steps(
    kind: type[A],
    place: Place = Place.ENCOUNTER,
    *,
    may: May | None = None,
    beforehand: Beforehand | None = None,
    bot_dice: bool = False,
    also: Sequence[type[A]] = (),
) -> Callable[[type[Weighed[A, Any]]], type[Weighed[A, Any]]]:
    """Register the class below as the one that handles an action, and others of its kind. See `handles`."""

    def register(steps_class: type[Weighed[A, Any]]) -> type[Weighed[A, Any]]:
        steps = steps_class()
        for action_kind in (kind, *also):
            if action_kind.command in HANDLERS:
                raise ValueError(f"there is already a handler for {action_kind.command}")
            HANDLERS[action_kind.command] = Handler(
                steps.run,
                place,
                beforehand,
                bot_dice,
                home=steps_class.__module__,
                may=may,
                prepare=steps.prepared,
                asks=steps.asks,
                weigh=steps.weighed,
            )
        return steps_class

    return register
