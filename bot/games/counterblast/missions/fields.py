"""What fields of this room's actions are: a mission, places, who is near, captives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.games.counterblast.core.fighters import fighter, settings_of
from bot.games.counterblast.core.suggestions import game_of
from bot.games.counterblast.missions.mission_state import AWAY, HELD_BY, OWNER, own_sides, places
from bot.store.rows import ThingRow
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, Names
from bot.table.names import find
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.profile import Note
from rules.systems.counterblast.core.settings import DEFAULTS
from rules.systems.counterblast.missions.missions import offered


def mission() -> Any:
    """A mission that may be chosen."""
    return fields.among("Which", _missions, lambda note: note.name, what="mission", needed=True)


def _missions(asking: Asking) -> Sequence[Note]:
    encounter = game_of(asking)
    return offered(settings_of(encounter) if encounter else DEFAULTS)


def near(about: str) -> Any:
    """Several models with commas between them, as the rules see them."""
    return fields.models(about, offering.completing(offering.any_model), view=fighter, fact=True)


def place(about: str, names: Names, side: Callable[[Asking], int] = lambda asking: 0) -> Any:
    """A place of a mission by its name, or how that begins. side: whose it has to be, 0 for anybody's."""

    def found(asking: Asking, text: str) -> ThingRow:
        return _place(asking, text, side(asking))

    return fields.sought(about, names, found, written=lambda row: row.name, needed=True)


def _place(asking: Asking, text: str, side: int) -> ThingRow:
    encounter = asking.act.encounter
    wanted = text.strip().casefold()
    mine = [row for row in places(encounter, side) if row.name.casefold().startswith(wanted)]
    found = find(text, mine or places(encounter), lambda row: row.name, "place")
    owner = found.counters.get(OWNER, 0)
    if side and owner != side:
        whose = encounter.side(owner).name
        raise InvalidInput(f"{found.name} is a place of {whose}, for their mission.")
    return found


def captive() -> Any:
    """A captive that a side of the person who asks holds."""
    return fields.sought("Whom", _captives, _captive, written=lambda row: row.name, needed=True)


def _held(asking: Asking) -> list[ThingRow]:
    mine = {side.id for side in own_sides(asking.act)}
    rows = asking.act.encounter.book.all(ThingRow)
    return [row for row in rows if row.kind == AWAY and row.counters.get(HELD_BY) in mine]


def _captives(asking: Asking) -> Sequence[str]:
    return [row.name for row in _held(asking)] if game_of(asking) else []


def _captive(asking: Asking, text: str) -> ThingRow:
    held = _held(asking)
    if not held:
        raise InvalidInput("Your crew holds no captive.")
    return find(text, held, lambda row: row.name, "captive")
