"""Rolls and deeds in steps: what fear asks first, what they cost, what is thrown, what may be let pass."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Protocol, TypeVar, cast

from bot.actions import Action
from bot.games.warzone.common import Telling, pay
from bot.games.warzone.fear import (
    NERVE_TEST,
    NERVE_TEST_TITLE,
    NO_PRECONDITIONS,
    Preconditions,
    describe_ld_roller,
    find_preconditions,
    report_ld_test,
    report_nerve_test,
    require_deed,
)
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.steps import Chances, Rolled, Steps, Weighed
from bot.table.throw_purposes import Cast, Throw, Whose, cast_of
from rules.dice import Dice, Odds
from rules.modifiers import Modifier
from rules.refusals import Forbidden, refuse_typed
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import ATTACKS, NON_MOVES, SYSTEM_HITS, UNHINGED, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import Bearing, Undertaken, ld_limit, ld_modifiers, undertake
from rules.systems.warzone.vehicles import system_works
from rules.wording import times

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
    hurdle: Preconditions = NO_PRECONDITIONS


class WarzoneWeighed(Weighed[A, P], Generic[A, P]):
    """What is weighed like any other of Warzone."""

    def closing(self, chances: Chances) -> tuple[str, ...]:
        return (*chances.not_yet, *super().closing(replace(chances, not_yet=())))


class Rolling(WarzoneWeighed[A, P], Rolled[A, P, O, Telling], Generic[A, P, O]):
    """Rolls that are told like any other of Warzone."""

    def tell(self, act: Act, action: A, ready: P, telling: Telling) -> Reply:
        return telling.reply()


class Throwing(Rolling[A, P, O], Steps[A, P, O, Telling], Generic[A, P, O]):
    """One roll."""


@dataclass(frozen=True, slots=True)
class CountedRoll(Generic[R]):
    """The result of a roll and the number of its throws, so that each roll is told with its own."""

    result: R
    throws: int


def roll_counted(
    act: Act, thrower: Whose | Cast, rule: Callable[..., R], *args: Any, **keywords: Any
) -> CountedRoll[R]:
    """Return one roll of several, which are told later."""
    throws_before = len(act.dice.trace)
    result = act.roll(thrower, rule, *args, **keywords)
    return CountedRoll(result, len(act.dice.trace) - throws_before)


def build_test_chances(
    title: str,
    limit: int,
    words: tuple[str, str],
    odds: Odds[Grade],
    hurdle: Preconditions = NO_PRECONDITIONS,
) -> Chances:
    """Return the chances of a characteristic test. words: what passing and failing it mean."""
    pass_chance = odds.chance(lambda grade: grade.passed)
    lines = (f"{title}: {limit} or less", *bars([(words[0], pass_chance), (words[1], 1 - pass_chance)]))
    return Chances((*lines, *hurdle.lines), words[0], pass_chance, (odds,), not_yet=hurdle.not_yet)


@dataclass(frozen=True, slots=True)
class DeedStart:
    """How a deed begins. nerve: modifiers of the LD test that comes first, None where it needs none.

    hurdle: what stands before it, where only its chances are asked. actions: how many it costs.
    hidden: the player says that no enemy is in its line of sight.
    """

    model: Model
    deed: Deed
    nerve: tuple[Modifier, ...] | None = None
    hurdle: Preconditions = NO_PRECONDITIONS
    actions: int = 1
    hidden: bool = False

    @property
    def limit(self) -> int | None:
        """Return the highest d20 result that passes that test."""
        return None if self.nerve is None else ld_limit(self.model, self.nerve)


def begin(
    act: ActView,
    model: Model,
    deed: Deed,
    *,
    bearing: Bearing = "other",
    actions: int = 1,
    hidden: bool = False,
) -> DeedStart:
    """See that a deed may be done now; nothing is rolled or paid. hidden: no enemy is in its line of sight.

    Raises Forbidden, which an organiser may override. Rules: as `fear.require_deed`.
    """
    if act.action.looks:
        preconditions = find_preconditions(act, model, deed, bearing=bearing, actions=actions, hidden=hidden)
        return DeedStart(model, deed, hurdle=preconditions, actions=actions)
    needs_nerve_test = require_deed(act, model, deed, bearing=bearing, actions=actions)
    if not needs_nerve_test and deed in (Deed.MOVE, Deed.MINIMIZE, Deed.STAND):
        refuse_typed(
            f'Untick "The model sees no enemy". {model.name} doesn\'t need a nerve test for this.', hidden
        )
    nerve_modifiers = ld_modifiers(model, enemy_in_sight=not hidden) if needs_nerve_test else None
    return DeedStart(model, deed, nerve_modifiers, actions=actions, hidden=hidden)


def roll_nerve_test(act: Act, start: DeedStart) -> Grade | None:
    """Return the LD test that a deed takes; None where it takes none."""
    if start.nerve is None or start.limit is None:
        return None
    return act.roll(
        describe_ld_roller(start.model, start.nerve, NERVE_TEST), check, start.limit, label="leadership"
    )


def report_nerve_and_pay(telling: Telling, start: DeedStart, grade: Grade | None) -> bool:
    """Report an action's nerve test and pay for the action if it is passed; return whether it is."""
    if start.nerve is not None and grade is not None:
        report_ld_test(telling, start.model, start.nerve, NERVE_TEST_TITLE)
        if not report_nerve_test(telling, start.model, grade):
            return False
    elif start.hidden:
        telling.why.append(f"{start.model.name} sees no enemy, but this action needs no nerve test.")
    telling.note(pay(telling.act, start.model, start.deed, start.actions))
    return True


def build_nerve_chances(act: ActView, title: str, success_word: str, preconditions: Preconditions) -> Chances:
    """Return the chances of what is done wherever the nerve that it takes holds."""
    lines = (title, *preconditions.lines)
    if preconditions.limit is None:
        return Chances(lines, success_word, 1.0, not_yet=preconditions.not_yet)
    odds = act.solve(check, preconditions.limit)
    pass_chance = odds.chance(lambda grade: grade.passed)
    return Chances(lines, success_word, pass_chance, (odds,), not_yet=preconditions.not_yet)


class HasDeedStart(Hashable, Protocol):
    """The parts that every deed prepares apart from the numbers of its own rule."""

    @property
    def begin(self) -> DeedStart:
        """Return how it begins."""


B = TypeVar("B", bound=HasDeedStart)


class DeedSteps(Rolling[A, B, Undertaken[O]], Generic[A, B, O]):
    """A deed of one model for an action, with its nerve test."""

    @abstractmethod
    def done(self, telling: Telling, action: A, ready: B, result: O) -> None:
        """Alter rows by what the deed came to, and tell it."""

    def settle(self, act: Act, action: A, ready: B, outcome: Undertaken[O]) -> Telling:
        telling = Telling(act)
        if report_nerve_and_pay(telling, ready.begin, outcome.nerve):
            self.done(telling, action, ready, cast(O, outcome.result))
        return telling

    def tell(self, act: Act, action: A, ready: B, telling: Telling) -> Reply:
        return telling.closing(ready.begin.model, *telling.more)


class MultiRollDeed(DeedSteps[A, B, O], Generic[A, B, O]):
    """A deed of several rolls, or of one that not always falls."""

    @abstractmethod
    def rolls(self, act: Act, action: A, ready: B) -> O:
        """Roll for the action itself; the rolls change nothing."""

    def thrown(self, act: Act, action: A, ready: B) -> Undertaken[O]:
        grade = roll_nerve_test(act, ready.begin)
        if grade is not None and not grade.passed:
            return Undertaken(grade, None)
        return Undertaken(grade, self.rolls(act, action, ready))


class DeedWithoutRoll(MultiRollDeed[A, B, bool], Generic[A, B]):
    """A deed that throws no dice but those of the nerve that it takes."""

    label = "Do it"

    def rolls(self, act: Act, action: A, ready: B) -> bool:
        return True

    def chances(self, act: ActView, action: A, ready: B) -> Chances:
        title = f"{ready.begin.model.name} can {ready.begin.deed.value}."
        return build_nerve_chances(act, title, "succeeds", ready.begin.hurdle)


class SingleRollDeed(DeedSteps[A, B, O], Throwing[A, B, Undertaken[O]], Generic[A, B, O]):
    """A deed of one roll."""

    @abstractmethod
    def throw(self, dice: Dice, ready: B) -> O:
        """Return the rule of the deed itself."""

    @abstractmethod
    def thrower(self, action: A, ready: B) -> Whose | Cast:
        """Return who throws the dice of that rule."""

    def whose(self, action: A, ready: B) -> Whose | Cast:
        start, deed_thrower = ready.begin, cast_of(self.thrower(action, ready))
        if start.nerve is None:
            return deed_thrower
        nerve_thrower = describe_ld_roller(start.model, start.nerve, NERVE_TEST)

        def of(throw: Throw) -> Whose:
            return deed_thrower(replace(throw, before=throw.before[1:])) if throw.before else nerve_thrower

        return of

    def rule(self, dice: Dice, ready: B) -> Undertaken[O]:
        return undertake(dice, ready.begin.limit, self.throw, ready)


T = TypeVar("T")

_OVERRIDABLE_CONDITIONS = frozenset(
    {
        Condition.PRONE,
        Condition.UNCONSCIOUS,
        Condition.BLINDED,
        Condition.CLIMBING,
        Condition.ENGAGED,
        Condition.SCRAMBLED,
    }
)
_NERVE_CONDITIONS = frozenset({Condition.PANICKED, Condition.BROKEN, *UNHINGED})


def remove_conditions(model: Model, conditions: frozenset[Condition]) -> Model:
    """Return the model as if it were not under these, and had done nothing yet that is counted."""
    return replace(
        model,
        conditions=frozenset(pair for pair in model.conditions if pair[0] not in conditions),
        counters=frozenset(pair for pair in model.counters if pair[0] not in (ATTACKS, NON_MOVES)),
    )


def as_revealed(target: Model) -> Model:
    """Return the target as if it were not concealed."""
    return remove_conditions(target, frozenset({Condition.CONCEALED}))


def apply_rule(act: ActView, rule: Callable[[Model, bool], T], model: Model) -> T:
    """Return what a rule gives for this model, also if an organiser overrides its refusal.

    rule: takes the model and whether it is overridden. Raises Forbidden.
    """
    try:
        return rule(model, False)
    except Forbidden as refusal:
        with act.overridable():
            _raise(refusal)
    try:
        return rule(remove_conditions(model, _OVERRIDABLE_CONDITIONS), True)
    except Forbidden:
        return rule(remove_conditions(model, _OVERRIDABLE_CONDITIONS | _NERVE_CONDITIONS), True)


def _raise(refusal: Forbidden) -> None:
    """Raise a refusal where it may be overridden."""
    raise refusal


_NEEDED_BY_HITS = {1: "10 or less", 2: "5 or less"}


System = Literal["steering", "transmission"]


def roll_system(act: Act, model: Model, system: System) -> CountedRoll[bool] | None:
    """Roll whether a damaged vehicle may turn or move; None if no roll is needed.

    Rules: WZ-SYS-02, WZ-SYS-05.
    """
    hits = model.count(SYSTEM_HITS.of(system))
    if not hits:
        return None
    return roll_counted(
        act, Whose(model.name, system, f"to work ({_describe_needed_roll(hits)})"), system_works, system, hits
    )


def report_system_roll(
    telling: Telling, model: Model, system: System, system_roll: CountedRoll[bool] | None
) -> bool:
    """Report that roll, and return whether the vehicle may turn or move."""
    if system_roll is None:
        return True
    hits = model.count(SYSTEM_HITS.of(system))
    title = f"{system.capitalize()} ({times(hits, 'hit')})"
    telling.thrown(f"{title}: {_describe_needed_roll(hits)}", throws=system_roll.throws)
    return system_roll.result


def _describe_needed_roll(hits: int) -> str:
    return _NEEDED_BY_HITS.get(hits, "can't work")
