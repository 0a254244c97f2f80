"""What is suggested in fields of this room: dangerous places, structures, cover."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.fighters import kept
from bot.games.counterblast.ground.areas import KINDS, area_names, kind_words
from bot.games.counterblast.ground.structures import structure_names
from bot.table.asking.kinds import Asking
from rules.systems.counterblast.movement.ground import COVER_KINDS

any_area = kept(lambda encounter: [*area_names(encounter), *map(kind_words, KINDS)])
placed_area = kept(area_names)
any_structure = kept(structure_names)


def cover_kind(asking: Asking) -> Sequence[str]:
    """What gives cover."""
    return list(COVER_KINDS)
