"""What fields of Counterblast's actions are, beside those of every game: see `bot.table.asking.fields`."""

from __future__ import annotations

from typing import Any

from bot.actions import declared
from bot.games.counterblast.core.fighters import fighter
from bot.table.asking import fields
from bot.table.asking.things import Models, own_first


def who(about: str = "Who", **more: Any) -> Any:
    """The model that acts, as the rules see it; only who plays it may name it, unless odds are asked."""
    return declared(Models(help=about, view=fighter, order=own_first, mine=True, needed=True, **more), None)


def order(about: str = "An order token for +1") -> Any:
    """Whether an order token is spent for +1."""
    return fields.token(about)
