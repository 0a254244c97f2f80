"""What fields name of a game's rosters: statblocks, and pieces of equipment by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bot.store.rows import ProfileRow
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking
from bot.table.game import Equips, Game
from bot.table.names import checked_name, find
from bot.table.rosters.statblocks import Statblock, statblock_meant, statblocks
from rules.refusals import InvalidInput

Played = Callable[[Asking], Game]
"""The game whose roster is meant. Raises InvalidInput where none is."""


def statblock(about: str, played: Played, kept: Callable[[Asking], Iterable[ProfileRow]], **more: Any) -> Any:
    """A statblock by its name, or typed: printed ones, then those that the server keeps.

    A typed one without a name has that which the action's `called` says.
    """

    def names(asking: Asking) -> Sequence[str]:
        return [one.name for one in statblocks(played(asking), kept(asking))]

    def found(asking: Asking, text: str) -> Statblock:
        called = getattr(asking.act.action, "called", "")
        return statblock_meant(played(asking), kept(asking), text, checked_name(called) if called else "")

    return fields.sought(about, names, found, written=lambda one: one.said or one.name, needed=True, **more)


def piece(about: str, played: Played) -> Any:
    """A piece of equipment, by its name."""
    return fields.among(about, lambda asking: _sold(played(asking)), what="piece of equipment", needed=True)


def pieces(about: str, played: Played, *, needed: bool = False) -> Any:
    """Pieces of equipment with commas between them: a tuple of their names."""

    def names(asking: Asking) -> Sequence[str]:
        game = played(asking)
        return game.equipment() if isinstance(game, Equips) else ()

    def found(asking: Asking, text: str) -> str:
        return find(text, _sold(played(asking)), str, "piece of equipment")

    return fields.several(about, offering.completing(names), found, wire=str, any_order=0, needed=needed)


def _sold(played: Game) -> Sequence[str]:
    if not isinstance(played, Equips):
        raise InvalidInput(f"{played.name} has no equipment to add.")
    return played.equipment()
