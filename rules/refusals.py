"""How a rule says no, in sentences written for the player who asked.

Owns the two refusals that every rule system raises, and what lets some of them pass; knows no game and no way
of showing them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Forbidden(Exception):
    """The rules do not allow this: `sentence` says why and what would be right, `rule` is the ledger's id.

    waivable: the table may agree to let it pass, since what was asked for still makes sense. asks: the
    player may still do it by choosing an option that the sentence names.
    """

    def __init__(self, sentence: str, rule: str = "", *, waivable: bool = False, asks: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.rule = rule
        self.waivable = waivable
        self.asks = asks


class InvalidInput(Exception):
    """A value lies outside what the game knows: `sentence` names the range."""

    asks = False

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Missing(InvalidInput):
    """Something that the player has to say is missing or cannot be read: `sentence` asks for it."""

    asks = True


@dataclass(slots=True)
class Passing:
    """The refusals that are ignored: all those of `forbid`, noted in `passed`, and some rules silently.

    rules: the ids of those that were let pass before, for what is still going on. measured: distances that
    no one entered, because a board measures them.
    """

    passed: list[Forbidden]
    everything: bool = False
    rules: set[str] = field(default_factory=set)
    measured: set[float] = field(default_factory=set)

    def told(self, sentence: str) -> str:
        """Return a sentence that says of a measured distance that the board measures it."""

        def by_board(match: re.Match[str]) -> str:
            is_measured = any(f"{inches:g}" == match[1] for inches in self.measured)
            return f"(the board measures {match[1]} in)" if is_measured else match[0]

        return _ENTERED_DISTANCE.sub(by_board, sentence)


_ENTERED_DISTANCE = re.compile(r"\(you entered ([\d.]+)(?: in)?\)")


_CURRENT_PASSING: ContextVar[Passing | None] = ContextVar("passing", default=None)


def forbid(sentence: str, rule: str = "") -> None:
    """Refuse, with Forbidden; where the table lets it pass, go on as if it were allowed.

    For what is still well defined without the rule. Anything else is raised, and nothing lets it pass.
    """
    passing = _CURRENT_PASSING.get()
    if passing is None or not (passing.everything or rule in passing.rules):
        raise Forbidden(sentence, rule, waivable=True)
    if passing.everything:
        passing.passed.append(Forbidden(passing.told(sentence), rule, waivable=True))


class LettingPass:
    """Inside, `forbid` refuses only what does not pass; None: everything is refused as usual.

    A refusal of a measured distance says that the board measures it.
    Entered once for each try, so it is not a generator.
    """

    __slots__ = ("_passing", "_token")

    def __init__(self, passing: Passing | None) -> None:
        self._passing = passing

    def __enter__(self) -> None:
        self._token = _CURRENT_PASSING.set(self._passing)

    def __exit__(self, kind: object, refusal: object, trace: object) -> None:
        _CURRENT_PASSING.reset(self._token)
        if self._passing is not None and isinstance(refusal, Forbidden | InvalidInput):
            refusal.sentence = self._passing.told(refusal.sentence)


def if_allowed(rule: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R | None:
    """Return what the rules prepare, or None if they don't allow it; no refusal is ignored here."""
    with LettingPass(None):
        try:
            return rule(*args, **kwargs)
        except (Forbidden, InvalidInput):
            return None


def is_allowed(rule: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
    """Return whether the rules allow something, with no refusal ignored."""
    with LettingPass(None):
        try:
            rule(*args, **kwargs)
        except (Forbidden, InvalidInput):
            return False
    return True


def require_one(attempts: Iterable[Callable[[], object]]) -> None:
    """Refuse, with what refuses the first of these, where each is refused; nothing where there is none.

    What is kept of a refusal holds nothing of the place that raised it.
    """
    first_refusal: Forbidden | None = None
    for attempt in attempts:
        try:
            attempt()
        except Forbidden as refusal:
            first_refusal = first_refusal or refusal.with_traceback(None)
        else:
            return
    if first_refusal is not None:
        raise first_refusal


def refuse_typed(sentence: str, *typed_values: object) -> None:
    """Refuse options that would do nothing here: whatever was typed has an effect, or is refused.

    typed_values: what was typed into them; whatever is false was left out. Raises InvalidInput.
    """
    if any(typed_values):
        raise InvalidInput(sentence)
