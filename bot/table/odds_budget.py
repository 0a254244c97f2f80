"""How long odds may be computed: solved while there is time, then sampled, with a note on exactness."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from random import Random
from typing import Any, TypeVar

from rules.dice import Odds, Solver, TooLarge, sample, sampled
from rules.refusals import InvalidInput

R = TypeVar("R", bound=Hashable)

SOLVER_WORK = 3_000_000
"""Possibilities that odds are worked out from; beyond them they are sampled, on every machine."""

MIN_SOLVING_SECONDS = 0.3
"""Seconds of the processor's own time that odds are solved for however late it is, so that what is small is
exact on a busy machine too: for all odds of one question together, and for all who ask at once."""

WHOLE_WORK = 40_000
"""Possibilities up to which those too are worked out that hardly ever come about."""

FEW_WORK = WHOLE_WORK // 8
"""Possibilities up to which nothing is left out from the start. Where the others alone are more, those that
hardly ever come about are at least eight times as many, and are not even tried."""

SAMPLES = 20_000
"""Most throws that a chance is sampled from."""

MIN_SAMPLES = 2_000
"""Throws that a chance is sampled from however late it is; with fewer, nothing is told."""

MAX_SAMPLING, MAX_SAMPLING_ASIDE = 0.6, 0.25
"""Seconds of processor time that samples may take, for all who ask at once together; a question that needs
more is too large.

The second is for odds without a thread of their own, while all players wait.
"""

PATIENCE = 0.7
"""Seconds until an answer to a question is due."""

SECONDS_PER_ASKER, MAX_WAITING = 0.05, 6
"""Seconds before the end of the time from which on nothing more is thought about: for each who asks, up to so
many."""

ASIDE_WORK, ASIDE_SAMPLES = 150_000, MIN_SAMPLES
"""Possibilities for odds that accompany another reply, while all players wait, and samples beyond them."""

FOR_EXACT, FOR_SAMPLES = 0.45, 0.5
"""The part of the time left that is solved for; and, of what is then left, sampled for."""

SLICE, REST = 0.002, 0.0002
"""Seconds that a thread thinks before others have their turn, and those it then rests."""

_turn = threading.Lock()

_asking: set[int] = set()
"""The threads that think just now, or wait for their turn."""

_stopped: ContextVar[bool] = ContextVar("stopped", default=False)


def now() -> float:
    """Return seconds by the clock that thinking is timed by."""
    return 0.0 if _stopped.get() else time.monotonic()


def measure_work() -> float:
    """Return seconds that the processor gave to this thread."""
    return time.thread_time()


@contextmanager
def stop_clock() -> Iterator[None]:
    """Stop the clock while no one waits, so that all odds that can be computed are shown."""
    token = _stopped.set(True)
    try:
        yield
    finally:
        _stopped.reset(token)


@contextmanager
def count_asker() -> Iterator[None]:
    """Count this thread's work while it computes or draws odds that a person asked for."""
    thread = threading.get_ident()
    if thread in _asking:
        yield
        return
    _asking.add(thread)
    try:
        yield
    finally:
        _asking.discard(thread)


class OddsTooLarge(InvalidInput):
    """The question can neither be solved nor sampled in the time there is."""

    def __init__(self) -> None:
        super().__init__("Choose fewer dice or models; this has too many possible results.")


class _Late(TooLarge):
    """The time for solving is over."""


class Aside:
    """Odds that accompany an entry of the journal: the same on every machine, however busy it is.

    Their cost is counted in possibilities, for all of them together, and no clock is used.
    """

    __slots__ = ("_known", "_left")

    late = False
    """Whether hardly any time is left."""

    def __init__(self) -> None:
        self._left = ASIDE_WORK
        self._known: dict[Any, Odds[Any]] = {}

    def odds(self, rule: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Odds[R]:
        """Return the odds of a rule: solved, or sampled where it is too large."""
        question = rule, args, tuple(sorted(kwargs.items()))
        if question not in self._known:
            self._known[question] = self._answer(rule, args, kwargs)
        return self._known[question]

    def _answer(self, rule: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Odds[R]:
        solver = Solver(work=self._left)
        try:
            return _work_out(
                solver, Solver(work=WHOLE_WORK, cut=0), lambda engine: engine.solve(rule, *args, **kwargs)
            )
        except TooLarge:
            return sampled(
                sample(rule, Random(0).random, lambda rolls: rolls >= ASIDE_SAMPLES, *args, **kwargs)
            )
        finally:
            self._left -= min(self._left, solver.spent)

    @contextmanager
    def sharing(self, part: float) -> Iterator[None]:
        """See `Thinking.sharing`; here all share what is left."""
        yield


def _work_out(quick: Solver, thorough: Solver, solve: Callable[[Solver], Odds[R]]) -> Odds[R]:
    """Return the odds, and where that is quickly done those too of what hardly ever comes about."""
    thorough.work = FEW_WORK
    try:
        return solve(thorough.anew())
    except TooLarge:
        odds = solve(quick.anew())
    if odds.whole or quick.spent > FEW_WORK:
        return odds
    thorough.work = WHOLE_WORK
    try:
        return solve(thorough.anew())
    except TooLarge:
        return odds


class Thinking:
    """The odds of one question. seconds: until its answer is due. clock: tells seconds, `now` where none is.

    spent: possibilities that were counted for them so far.
    apart: whether it is thought about in a thread of its own, which takes turns with the others.
    """

    __slots__ = (
        "_among",
        "_apart",
        "_clock",
        "_due",
        "_known",
        "_since",
        "_solvers",
        "_stop",
        "_used",
        "_woke",
        "spent",
    )

    def __init__(
        self, seconds: float, *, apart: bool = False, clock: Callable[[], float] | None = None
    ) -> None:
        self._clock = clock or now
        self._due = self._clock() + seconds
        self._apart = apart
        self._stop = self._woke = 0.0
        self.spent = 0
        self._used = self._since = 0.0
        self._among = 1
        self._solvers: tuple[Solver, Solver] | None = None
        self._known: dict[Any, Odds[Any]] = {}

    def odds(self, rule: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Odds[R]:
        """Return the odds of a rule: solved, or sampled if it is too large or takes too long.

        Raises OddsTooLarge if it cannot be sampled in time either.
        """
        if not self._apart:
            return self._answer(rule, args, kwargs)
        with self._at_work():
            return self._answer(rule, args, kwargs)

    def _answer(self, rule: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Odds[R]:
        self._stop = self._share(FOR_EXACT)
        try:
            return self._solved(rule, args, kwargs)
        except TooLarge:
            self._stop = self._share(FOR_SAMPLES)
            self._since = measure_work()
            return sampled(sample(rule, Random().random, self._enough, *args, **kwargs))

    @property
    def late(self) -> bool:
        """Return whether hardly any time is left: what would be thought about now would be a guess.

        Of several who ask at once each has its words and its picture to make, one after another.
        """
        return self._clock() > self._due - SECONDS_PER_ASKER * min(MAX_WAITING, max(1, len(_asking)))

    @contextmanager
    def sharing(self, part: float) -> Iterator[None]:
        """Share the remaining time among several questions."""
        share, self._due = self._due, self._share(min(part, 1.0))
        try:
            yield
        finally:
            self._due = share

    def _solved(self, rule: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Odds[R]:
        if self._solvers is None:
            quick = Solver(work=SOLVER_WORK, watch=self._watch)
            self._solvers = quick, Solver(work=WHOLE_WORK, cut=0, watch=self._watch)
        question = rule, args, tuple(sorted(kwargs.items()))
        solution = self._known.get(question)
        if solution is None:
            quick, thorough = self._solvers
            quick.anew()
            self._since = measure_work()
            try:
                solution = self._known[question] = _work_out(
                    quick, thorough, lambda solver: solver.solve(rule, *args, **kwargs)
                )
            finally:
                self.spent += quick.spent + thorough.spent
                self._used += measure_work() - self._since
        return solution

    def _share(self, part: float) -> float:
        start = self._clock()
        return start + max(0.0, self._due - start) * part

    def _watch(self) -> None:
        if self._rested() < self._stop:
            return
        self._among = max(self._among, len(_asking))
        if (self._used + measure_work() - self._since) * self._among > MIN_SOLVING_SECONDS:
            raise _Late("time is up")

    def _enough(self, rolls: int) -> bool:
        if rolls >= SAMPLES:
            return True
        is_over = self._rested() >= self._stop
        if is_over and rolls < MIN_SAMPLES:
            limit = MAX_SAMPLING if self._apart else MAX_SAMPLING_ASIDE
            if (measure_work() - self._since) * max(1, len(_asking)) > limit:
                raise OddsTooLarge
        return is_over and rolls >= MIN_SAMPLES

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        with count_asker(), _turn:
            self._woke = self._clock()
            yield

    def _rested(self) -> float:
        """Return the time, after the others had their turn where this thread has thought for its slice."""
        moment = self._clock()
        if self._apart and moment - self._woke >= SLICE:
            _turn.release()
            try:
                time.sleep(REST)
            finally:
                _turn.acquire()
            moment = self._woke = self._clock()
        return moment
