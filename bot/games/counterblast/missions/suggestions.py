"""What is suggested in fields of this room: missions, places, tokens, what is sought or hunted."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.suggestions import game_of, kept
from bot.games.counterblast.core.tokens import tokens
from bot.games.counterblast.missions.mission_state import AWAY, places
from bot.store.rows import ThingRow
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import model_said
from bot.table.encounter import Encounter
from rules.systems.counterblast.core.library import load

any_place = kept(lambda encounter: [row.name for row in places(encounter)])
any_token = kept(lambda encounter: [row.name for row in tokens(encounter)])


def _captives(encounter: Encounter) -> list[str]:
    return [row.name for row in encounter.book.all(ThingRow) if row.kind == AWAY]


def searched_place(asking: Asking) -> Sequence[str]:
    """Places of the side of the model that was said."""
    encounter, row = game_of(asking), model_said(asking, "worker")
    return [one.name for one in places(encounter, row.side if row else 0)] if encounter else []


def sought(asking: Asking) -> Sequence[str]:
    """What a Recovery may look for: captives, then models, weapons and gear."""
    encounter, library = game_of(asking), load()
    names = [one.name for one in (*library.profiles, *library.weapons, *library.gear)]
    return list(dict.fromkeys([*(_captives(encounter) if encounter else ()), *names]))
