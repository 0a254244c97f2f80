"""What a damaged vehicle has to roll before it turns or moves, wherever it means to."""

from __future__ import annotations

from typing import Literal

from bot.games.warzone.core.telling import Telling
from bot.games.warzone.core.throwing import Fell, rolled
from bot.table.act import Act
from bot.table.rolling.throws import Whose
from rules.systems.warzone.model import SYSTEM, Model
from rules.systems.warzone.vehicles import system_works

_NEEDS = {1: "10 or less", 2: "5 or less"}


System = Literal["steering", "transmission"]


def throw_system(act: Act, model: Model, system: System) -> Fell[bool] | None:
    """The roll whether a damaged vehicle may turn or move; None where none is needed.

    Rules: WZ-SYS-02, WZ-SYS-05.
    """
    hits = model.count(SYSTEM.of(system))
    if not hits:
        return None
    return rolled(act, Whose(model.name, system, f"to work, {_need(hits)}"), system_works, system, hits)


def tell_system(telling: Telling, model: Model, system: System, fell: Fell[bool] | None) -> bool:
    """Tell that roll; whether the vehicle may turn or move."""
    if fell is None:
        return True
    hits = model.count(SYSTEM.of(system))
    title = f"{system.capitalize()}, {hits} hit{'s' if hits > 1 else ''}"
    telling.thrown(f"{title}: {_need(hits)}", throws=fell.throws)
    return fell.result


def _need(hits: int) -> str:
    return _NEEDS.get(hits, "never works")
