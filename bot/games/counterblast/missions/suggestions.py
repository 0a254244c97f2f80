"""What is suggested in fields of this room: places to search, and tokens."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.suggestions import game_of, kept
from bot.games.counterblast.core.tokens import tokens
from bot.games.counterblast.missions.mission_state import places
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import model_said

any_token = kept(lambda encounter: [row.name for row in tokens(encounter)])


def searched_place(asking: Asking) -> Sequence[str]:
    """Places of the side of the model that was said."""
    encounter, row = game_of(asking), model_said(asking, "worker")
    return [one.name for one in places(encounter, row.side if row else 0)] if encounter else []
