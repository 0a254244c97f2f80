"""Table layouts that a server stores by name, so that every game there can use them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action, Raw, declared
from bot.replies.reply import Reply
from bot.store.rows import ProfileRow
from bot.store.store import Store, running_game
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.asking.server_kinds import Elsewhere
from bot.table.board.layouts import exported
from bot.table.board.surface import NO_BOARD, board_of
from bot.table.encounter import Encounter
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import check_name, find
from bot.table.owners import LIBRARY, PLAYER
from bot.table.rosters.statblocks import filter_by_game, load_library_rows
from bot.table.session.board_actions import import_layout
from rules.refusals import InvalidInput

LAYOUT = "board"
"""The word that the row of a layout has in place of the key of a game."""
MAX_SAVED = 50


async def _saved(store: Store, actor: Actor) -> list[ProfileRow]:
    """Return the layouts of a server."""
    return filter_by_game(await load_library_rows(store, actor), LAYOUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLayouts(Elsewhere):
    """A layout of the server by its name: the layout itself, so that a game can be replayed without it."""

    async def located(self, store: Store, actor: Actor, typed: str) -> Raw:
        """Return the layout of that name. Raises InvalidInput."""
        rows = await _saved(store, actor)
        if not rows:
            raise InvalidInput("There are no saved tables here yet. Save one with /board save.")
        return find(typed, rows, lambda row: row.name, "saved table").text

    async def names(self, store: Store, actor: Actor) -> Sequence[str]:
        """Return the names of the layouts."""
        return [row.name for row in await _saved(store, actor)]


def _rows_here(asking: Asking) -> Sequence[ProfileRow]:
    return filter_by_game(asking.act.book.all(ProfileRow), LAYOUT)


@dataclass(frozen=True, slots=True)
class SaveTable(Action):
    """Save the table and its terrain for every game on this server."""

    command = "board.save"
    typed = "board save"
    titled = "Save the table"
    decision_of = LIBRARY

    name: str = fields.text("Name of the table", 40, needed=True)


@dataclass(frozen=True, slots=True)
class LoadTable(Action):
    """Set up a table that was saved on this server."""

    command = "board.load"
    typed = "board load"
    titled = "Load a saved table"
    waits_for_dice = True
    decision_of = PLAYER

    layout: str = declared(SavedLayouts(help="Saved table", called="table", needed=True), "")


@dataclass(frozen=True, slots=True)
class DropTable(Action):
    """Delete a saved table from this server."""

    command = "board.drop"
    typed = "board drop"
    titled = "Delete a saved table"
    decision_of = LIBRARY

    name: ProfileRow = fields.among(
        "Saved table to delete", _rows_here, lambda row: row.name, what="saved table", needed=True
    )


async def _layout_here(store: Store, actor: Actor, action: Action) -> str:
    """Return the layout of the table in the channel; empty without one."""
    loaded = await running_game(store, actor.channel_id)
    board = board_of(Encounter(loaded.book())) if loaded is not None else None
    return exported(board, getattr(action, "name", "")) if board is not None else ""


@handles(SaveTable, Place.LIBRARY, beforehand=_layout_here)
def save_table(act: Act, action: SaveTable) -> Reply:
    """Save the layout under a name, in place of the same person's layout of that name."""
    if not act.extra:
        raise InvalidInput(NO_BOARD)
    name, rows = check_name(action.name), filter_by_game(act.book.all(ProfileRow), LAYOUT)
    row = next((row for row in rows if row.name.casefold() == name.casefold()), None)
    if row is None:
        if len(rows) >= MAX_SAVED:
            raise InvalidInput(f"Delete a saved table first; a server can have at most {MAX_SAVED} tables.")
        number = act.book.next_id(ProfileRow)
        act.book.add(ProfileRow(act.book.scope, number, LAYOUT, name, act.extra, 0, act.actor.user_id))
    else:
        _require_own(act, row)
        row.text, row.name = act.extra, name
    return Reply((f"{name} has been saved. Set it up in any game here with /board load.",), buttons=(UNDO,))


def _require_own(act: Act, row: ProfileRow) -> None:
    if row.author_id != act.actor.user_id and not act.actor.manages:
        raise NotAllowed(
            f"Choose another name or table. Only the person who saved {row.name} or a channel manager can "
            "change or delete it."
        )


@handles(LoadTable)
def load_table(act: Act, action: LoadTable) -> Reply:
    """Set up the layout in place of the table."""
    return import_layout(act, action.layout)


@handles(DropTable, Place.LIBRARY)
def drop_table(act: Act, action: DropTable) -> Reply:
    """Delete a layout; games that use it keep theirs."""
    _require_own(act, action.name)
    act.book.remove(action.name)
    return Reply((f"{action.name.name} has been deleted.",), buttons=(UNDO,))
