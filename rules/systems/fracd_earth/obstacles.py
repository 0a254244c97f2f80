"""Obstacles: what they cost to cross, and what they give to whoever stands behind them.

Owns the kinds of obstacles. Where they stand is told.
"""

from __future__ import annotations

from typing import Literal, get_args

from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput

ObstacleKind = Literal["soft", "dense", "hard"]
Cover = Literal["none", "soft", "hard"]
Ground = Literal["clear", "rough", "difficult", "impassable"]
Cost = Literal["half_move", "move"]

OBSTACLES: tuple[ObstacleKind, ...] = get_args(ObstacleKind)
THINGS: dict[str, Ground | ObstacleKind] = {
    **dict.fromkeys(("bush", "smoke"), "soft"),
    **dict.fromkeys(("hedge", "hedgerow", "jungle"), "dense"),
    **dict.fromkeys(("wall", "fence", "barrier", "barricade", "door"), "hard"),
    **dict.fromkeys(("stairs", "orchard", "furnished room", "shallow water"), "rough"),
    **dict.fromkeys(("swamp", "mud", "ice", "forest", "ladder"), "difficult"),
    **dict.fromkeys(("cliff", "chasm", "lava", "waterfall"), "impassable"),
}
"""What stands on a table, by one of its names. Rules: FE-OBS-03 to FE-OBS-05, FE-TER-02 to FE-TER-04."""

SHORT_SIZE = 2
TALL_SIZE = 4


def crossing_cost(size: int) -> Cost:
    """What crossing costs: half a Move up to size 2, a whole Move for 3 and 4.

    Raises Forbidden for larger ones, which are climbed or Impassable. Rules: FE-OBS-01, FE-OBS-02.
    """
    if size < 1:
        raise InvalidInput("An obstacle's size is 1 or more.")
    if size <= SHORT_SIZE:
        return "half_move"
    if size <= TALL_SIZE:
        return "move"
    raise Forbidden(f"An obstacle of size {size} is climbed, or Impassable.", "FE-OBS-02")


def ground_of(kind: ObstacleKind) -> Ground:
    """The ground inside it: soft Rough, dense Difficult. Raises InvalidInput for a hard one.

    Rules: FE-OBS-03, FE-OBS-04.
    """
    if kind == "hard":
        raise InvalidInput("Nobody moves through a hard obstacle: cross it (/fe half), or climb it.")
    return "rough" if kind == "soft" else "difficult"


def cover_from(kind: ObstacleKind, *, adjacent_and_sees: bool = False) -> Cover:
    """What an obstacle that the attack's line crosses gives: concealment (soft), or also Hard Cover (hard).

    A dense one gives what the players agree on: they then call it soft. adjacent_and_sees: the attacker
    stands next to it and sees over or around. Of several the best counts.
    Rules: FE-OBS-03, FE-OBS-05, FE-OBS-07, FE-OBS-08, FE-TER-07.
    """
    if adjacent_and_sees or kind == "dense":
        return "none"
    return kind


def protection_mark(cover: Cover) -> Modifier:
    """The card that Hard Cover gives on the Protection Check. Rules: FE-PRO-02, FE-CMB-02, FE-OBS-05."""
    return Modifier(1 if cover == "hard" else 0, "Hard Cover", "FE-PRO-02")


def blocks_detection(cover: Cover, *, fully_covered: bool, looking_out: bool) -> bool:
    """Whether cover may be declared Blocking for detection: hard, whole, and nobody looks out.

    Rules: FE-OBS-06.
    """
    return cover == "hard" and fully_covered and not looking_out
