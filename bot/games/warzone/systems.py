"""What a damaged vehicle has to roll before it turns or moves, wherever it means to."""

from __future__ import annotations

from typing import Literal

from bot.games.warzone.telling import Telling
from bot.table.rolling.throws import Whose
from rules.systems.warzone.model import SYSTEM, Model
from rules.systems.warzone.vehicles import system_works

_NEEDS = {1: "10 or less", 2: "5 or less"}


def works(telling: Telling, model: Model, system: Literal["steering", "transmission"]) -> bool:
    """Whether a damaged vehicle may turn or move; rolled where it must be. Rules: WZ-SYS-02, WZ-SYS-05."""
    hits = model.count(f"{SYSTEM}{system}")
    if not hits:
        return True
    need = _NEEDS.get(hits, "never works")
    whose = Whose(model.name, system, f"to work, {need}")
    done = telling.act.roll(whose, system_works, system, hits)
    telling.thrown(f"{system.capitalize()}, {hits} hit{'s' if hits > 1 else ''}: {need}")
    return done
