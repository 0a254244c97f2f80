"""What waits for another player's answer: kept in the encounter's rows, so that a restart loses nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar, cast

from bot.actions import Action, from_json, to_json
from bot.games.counterblast.core.fighters import fighter
from bot.store.rows import SecretRow
from bot.table.act import Act
from bot.table.answering import Answered
from bot.table.asking.reading import read
from bot.table.encounter import Encounter
from rules.refusals import InvalidInput
from rules.wording import possessive

A = TypeVar("A", bound=Action)

PENDING = "cb.pending"
"""Kind of the rows; each holds the action that waits, and the rules that were let pass for it."""


class Waits(Protocol):
    """An action that may wait: it names the models that it is about, and those of them that attack."""

    @property
    def involved(self) -> tuple[int, ...]:
        """The models' numbers, the one that acts first."""
        ...

    @property
    def attackers(self) -> tuple[int, ...]:
        """The numbers of the models that do it: once all of them are down, nothing waits any more."""
        ...


def keep(act: Act, side: int, action: Action, *, hidden: bool = False) -> int:
    """Keep an action of a side until it is answered; gives its number, which never comes again.

    One of this side that can be answered no more, because a model left, is dropped. Raises InvalidInput while
    another one waits.
    """
    require_answered(act, side)
    for row in _of_side(act, side):
        act.book.remove(row)
    number = max(act.entry, act.book.next_id(SecretRow))
    content = _written(action, sorted({refusal.rule for refusal in act.overridden}))
    row = SecretRow(act.book.scope, number, act.actor.user_id, side, PENDING, content, revealed=not hidden)
    act.book.add(row)
    return number


def require_answered(act: Act, side: int) -> None:
    """A side does nothing further while an attack of its own waits. Raises InvalidInput while one does."""
    for row in _of_side(act, side):
        names = names_in(act.encounter, row)
        if names:
            first, *others = names
            raise InvalidInput(
                f"{first} still waits for the answer of {', '.join(others)}. Answer or undo that first."
            )


def _of_side(act: Act, side: int) -> list[SecretRow]:
    return [row for row in act.book.all(SecretRow) if row.kind == PENDING and row.side == side]


def _written(action: Action, rules: Iterable[str]) -> str:
    return " ".join((action.command, *filter(None, rules), to_json(action)))


def _read(row: SecretRow) -> tuple[Action, list[str]]:
    """The action that waits, and the rules that were let pass for it."""
    head, brace, text = row.content.partition("{")
    command, *rules = head.split()
    return from_json(command, brace + text), rules


def names_in(encounter: Encounter, row: SecretRow) -> tuple[str, ...]:
    """The models that a waiting action is about; none if one of them left play, or its attackers are down."""
    action = cast(Waits, _read(row)[0])
    models = {model.id: model for model in encounter.models()}
    if not models.keys() >= set(action.involved):
        return ()
    able = [
        number
        for number in action.attackers
        if number in models and not fighter(encounter, models[number]).is_incapacitated
    ]
    if not able:
        return ()
    first, *others = action.involved
    numbers = (first if first in able else able[0], *others)
    return tuple(models[number].name for number in numbers)


def answers(encounter: Encounter) -> list[tuple[str, int]]:
    """Whose attack waits for an answer, and the side that gives it: that of whom it attacks, oldest first."""
    found = []
    sides = {model.name: model.side for model in encounter.models()}
    for row in encounter.book.all(SecretRow):
        names = names_in(encounter, row) if row.kind == PENDING else ()
        if len(names) > 1:
            found.append((f"{possessive(names[0])} attack", sides[names[1]]))
    return found


def waiting(act: Act, number: int, kind: type[A]) -> A:
    """The action that waits under a number, read; what an organiser let pass for it passes from here on.

    Raises Answered where it was, or was dropped.
    """
    row = act.book.get(SecretRow, number)
    if row is None or row.kind != PENDING:
        raise Answered("This was answered already, or given up. Nothing was changed.")
    found, rules = _read(row)
    if not isinstance(found, kind):
        raise Answered("The game has moved on since this was shown. Nothing was changed.")
    act.let_pass(rules)
    return read(act, found, kept=True)


def rows(act: Act, kind: type[Action]) -> list[int]:
    """The numbers under which actions of a kind wait, oldest first."""
    return [
        row.id
        for row in act.book.all(SecretRow)
        if row.kind == PENDING and row.content.split(" ", 1)[0] == kind.command
    ]


def is_answerable(act: Act, number: int) -> bool:
    """Whether all models that a waiting action is about are still in play."""
    row = act.book.get(SecretRow, number)
    return row is not None and bool(names_in(act.encounter, row))


def change(act: Act, number: int, action: Action) -> None:
    """Keep an action in place of the one that waits."""
    row = act.book.get(SecretRow, number)
    assert row is not None, "it waits"
    row.content = _written(action, _read(row)[1])


def settle(act: Act, number: int) -> None:
    """It has been answered: nothing waits any more."""
    row = act.book.get(SecretRow, number)
    if row is not None:
        act.book.remove(row)


def is_hidden(act: Act, number: int) -> bool:
    """Whether only the side that declared it may see it."""
    row = act.book.get(SecretRow, number)
    return row is not None and not row.revealed
