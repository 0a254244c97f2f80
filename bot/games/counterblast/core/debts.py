"""Debts that must be settled before the first turn, and after attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.state.table_state import EncounterState
from bot.replies.reply import Button, Menu, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, Actor
from bot.table.answering import Answered
from bot.table.encounter import Encounter, EncounterView
from bot.table.handlers import handles
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE, player_of
from bot.table.realdice import ask_instead, ask_waiting_roll_first
from bot.table.session import preparations
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

WAIVED_WORDS: dict[CounterKind, str] = {}
"""For each kind of counter what is said when it is waived, after the model's name."""


def register_finder(finder: Finder) -> Finder:
    """Register a function that finds what is left to settle of one kind."""
    FINDERS.append(finder)
    return finder


def list_counters(encounter: Encounter, kind: CounterKind) -> Iterable[tuple[ModelRow, str, int]]:
    """Yield every model, also one that left, with a counter of this kind: its name, and its value."""
    for row in encounter.models(gone=True):
        for key, value in sorted(row.counters.items()):
            if kind.counts(key) and value:
                yield row, key, value


def list_debts(act: Act) -> list[Debt]:
    """Return everything that is left to settle."""
    with act.passing():  # what an organiser ignored for an action that waits
        return [debt for finder in FINDERS for debt in finder(act)]


def find_first_debt(encounter: Encounter) -> Debt | None:
    """Return what has to be settled first, as everyone may read it, or None."""

    def find() -> Debt | None:
        row = encounter.row
        nobody = Actor(0, "", row.guild_id, row.channel_id)
        return next(iter(list_debts(Looking(encounter.book, nobody).act(ShowOwed()))), None)

    return encounter.worked_out(find_first_debt, find)


def ask_about_debts(act: Act) -> Reply | None:
    """Return the question that has to be answered before the game goes on; None where nothing is left.

    Everyone sees it if another player has to answer. Real dice that are owed come last. Rules: CB-WEAP-23,
    CB-FEAT-27, CB-GEAR-51, CB-FIGHT-03, CB-CHARGE-06.
    """
    debts = list_debts(act)
    if not debts:
        return ask_waiting_roll_first(act)
    lines = [debt.line for debt in debts]
    buttons = tuple(button for debt in debts for button in debt.buttons)
    menus = next((debt.menus for debt in debts if debt.menus), ())
    is_private = all(act.plays_on(debt.side) for debt in debts)
    return Reply(("Resolve this first:", *lines), private=is_private, buttons=buttons, menus=menus)


def settle_debts_first(act: Act) -> Reply | None:
    """Ask the same before an action is carried out, which then waits."""
    reply = ask_about_debts(act)
    return ask_instead(act, reply) if reply is not None else None


@handles(Waive)
def waive(act: Act, action: Waive) -> Reply:
    """Waive a debt, by the model's player."""
    row = act.encounter.model(action.model)
    act.require_model(row)
    kind = next((counter_kind for counter_kind in WAIVED_WORDS if counter_kind.counts(action.key)), None)
    if kind is None or not row.counters.pop(as_kept(action.key), 0):
        raise Answered("This has already been resolved. Nothing was changed.")
    return Reply((f"{row.name} {WAIVED_WORDS[kind]}",))


@handles(ShowOwed)
def show_owed(act: Act, action: ShowOwed) -> Reply:
    """Show the question again after it has scrolled away."""
    reply = ask_about_debts(act)
    if reply is None:
        raise Answered("There is nothing left to resolve. Nothing was changed.")
    return replace(reply, private=True)


def is_upkeep_open(encounter: EncounterView) -> bool:
    """Return whether an Upkeep is proposed and not confirmed."""
    return bool(EncounterState(encounter.row).upkeep)


ANYTIME = frozenset(
    {
        # looked at
        "bag.peek", "cb.casualties", "cb.compare", "cb.cover", "cb.crews", "cb.field", "cb.gear.show",
        "cb.score", "mission.show", "upkeep", "act", "bag.act", "bag.draw", "bag.lead",
        "bag.let", "bag.pass", "bag.redraw", "bag.with",
        # the table and its terrain
        "cb.area", "cb.area.drop", "cb.fire.end", "cb.fire.start", "cb.structure",
        "cb.structure.drop", "cb.table", "cb.task.drop", "cb.terrain", "cb.terrain.piece",
        # deployment, and what belongs to a crew before it plays
        "cb.deploy", "cb.deploy.order", "cb.gear", "cb.gear.pair", "cb.leader", "cb.no-leader", "cb.nominate",
        "cb.placed", "cb.psi.know", "cb.reserve", "cb.score.hunt", "cb.scout", "cb.spot.check",
        "cb.veh.board", "cb.veh.out", "cb.watch", "mission.ask", "mission.captive",
        "mission.choose", "mission.pick", "mission.places", "mission.plans", "mission.reveal", "mission.trap",
        # told or settled by hand
        "cb.check", "cb.dispute", "cb.engage", "cb.height", "cb.score.points", "cb.score.squares", "cb.waive",
        "cb.water", "mission.stop", "mission.token",
    }
)  # fmt: skip
"""Commands of Counterblast that do not wait for the first turn; the bag's say themselves that it has not
begun."""

RULE = "CB-TURN-02"


def require_begun(act: Act, action: Action) -> None:
    """Refuse, before the first turn, what a model does in its activation; an organiser may let it pass.

    Raises Barred. Rules: CB-TURN-02, CB-COND-07.
    """
    preparations.require_begun(act, action, ANYTIME, RULE)
