"""What is still to be settled before anybody goes on: an arc, a free attack, a bomb, a template that landed.

Kept as counters of the model that it belongs to, so that a restart loses nothing. The modules of the actions
register how their own counters are asked about; this one knows no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.replies.reply import Button, Menu, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, Actor
from bot.table.answering import Answered
from bot.table.asking.legal import Looking
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.owners import ANYONE, player_of
from bot.table.rolling.realdice import asked_instead, thrown_first
from rules.counters import CounterKind, as_kept


@dataclass(frozen=True, slots=True)
class Debt:
    """Something to be settled by a side: the line that says it, and what settles it."""

    side: int
    line: str
    buttons: tuple[Button, ...] = ()
    menus: tuple[Menu, ...] = ()


@dataclass(frozen=True, slots=True)
class Waive(Action):
    """A model lets go what it might still do. key: the counter that keeps it."""

    command = "cb.waive"
    decision_of = player_of("model")

    model: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class ShowOwed(Action):
    """What is to be settled first, to the person who asks alone."""

    command = "cb.owed"
    decision_of = ANYONE


Finder = Callable[[Act], Iterable[Debt]]

FINDERS: list[Finder] = []
"""One for each kind of thing that may be left to settle."""

WAIVED: dict[CounterKind, str] = {}
"""For each kind of counter what is said when it is waived, after the model's name."""


def finds(finder: Finder) -> Finder:
    """Register a function that finds what is left to settle of one kind."""
    FINDERS.append(finder)
    return finder


def counted(encounter: Encounter, kind: CounterKind) -> Iterable[tuple[ModelRow, str, int]]:
    """Every model, also one that left, with a counter of this kind: its name, and its value."""
    for row in encounter.models(gone=True):
        for key, value in sorted(row.counters.items()):
            if kind.counts(key) and value:
                yield row, key, value


def left(act: Act) -> list[Debt]:
    """Everything that is left to settle."""
    return [debt for finder in FINDERS for debt in finder(act)]


def first_owed(encounter: Encounter) -> Debt | None:
    """What has to be settled first, as everybody may read it; None where nothing is left."""

    def found() -> Debt | None:
        row = encounter.row
        nobody = Actor(0, "", row.guild_id, row.channel_id)
        return next(iter(left(Looking(encounter.book, nobody).act(ShowOwed()))), None)

    return encounter.worked_out(first_owed, found)


def unsettled(act: Act) -> Reply | None:
    """The question that has to be answered before the game goes on; None where nothing is left.

    To everybody where somebody else has to answer. Real dice that are owed come last.
    Rules: CB-WEAP-23, CB-FEAT-27, CB-GEAR-51, CB-FIGHT-03, CB-CHARGE-06.
    """
    debts = left(act)
    if not debts:
        return thrown_first(act)
    lines = [debt.line for debt in debts]
    buttons = tuple(button for debt in debts for button in debt.buttons)
    menus = next((debt.menus for debt in debts if debt.menus), ())
    mine = all(act.plays_on(debt.side) for debt in debts)
    return Reply(("First, before going on:", *lines), private=mine, buttons=buttons, menus=menus)


def settled_first(act: Act) -> Reply | None:
    """The same before anything is done, which then waits."""
    asked = unsettled(act)
    return asked_instead(act, asked) if asked is not None else None


@handles(Waive)
def waive(act: Act, action: Waive) -> Reply:
    """Said by whoever plays the model."""
    row = act.encounter.model(action.model)
    act.require_model(row)
    kind = next((one for one in WAIVED if one.counts(action.key)), None)
    if kind is None or not row.counters.pop(as_kept(action.key), 0):
        raise Answered("That is settled already. Nothing was changed.")
    return Reply((f"{row.name} {WAIVED[kind]}",))


@handles(ShowOwed)
def show_owed(act: Act, action: ShowOwed) -> Reply:
    """The question anew, where it has scrolled away."""
    asked = unsettled(act)
    if asked is None:
        raise Answered("Nothing is left to settle. Nothing was changed.")
    return replace(asked, private=True)
