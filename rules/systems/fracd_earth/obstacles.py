"""Obstacles: what they cost to cross, and what they give to whoever stands behind them.

Owns the kinds of obstacles. Where they stand is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput

ObstacleKind = Literal["soft", "dense", "hard"]
Cover = Literal["none", "soft", "hard"]
Ground = Literal["clear", "rough", "difficult", "impassable"]
Cost = Literal["half_move", "move"]

SHORT_SIZE = 2
TALL_SIZE = 4


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An obstacle: its kind, and its size, 1 to 20, where it must be crossed.

    `conceals`: soft and hard ones always, dense ones where the players agreed.
    """

    kind: ObstacleKind
    size: int = SHORT_SIZE
    agreed_concealment: bool = False

    def __post_init__(self) -> None:
        if self.kind not in ("soft", "dense", "hard") or not 1 <= self.size <= 20:
            raise InvalidInput("An obstacle is soft, dense or hard, and of size 1 to 20.")


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


def ground_of(obstacle: Obstacle) -> Ground:
    """The ground inside it: soft Rough, dense Difficult; a hard one is not moved through.

    Rules: FE-OBS-03, FE-OBS-04.
    """
    grounds: dict[ObstacleKind, Ground] = {"soft": "rough", "dense": "difficult", "hard": "impassable"}
    return grounds[obstacle.kind]


def cover_from(
    obstacles: tuple[Obstacle, ...], *, line_crosses: bool = True, adjacent_and_sees: bool = False
) -> Cover:
    """What the obstacles on the line of sight give: concealment (soft), or concealment and Hard Cover (hard).

    line_crosses: the attack's line goes into or through them. adjacent_and_sees: the attacker stands next to
    them and sees over or around. Several give no more than the best.
    Rules: FE-OBS-03, FE-OBS-05, FE-OBS-07, FE-OBS-08, FE-TER-07.
    """
    if not line_crosses or adjacent_and_sees:
        return "none"
    if any(obstacle.kind == "hard" for obstacle in obstacles):
        return "hard"
    soft = any(obstacle.kind == "soft" or obstacle.agreed_concealment for obstacle in obstacles)
    return "soft" if soft else "none"


def stops_attacks(obstacle: Obstacle) -> bool:
    """Whether an attack may be stopped by it; soft ones let everything through.

    Rules: FE-OBS-03, FE-OBS-05.
    """
    return obstacle.kind == "hard"


def protection_mark(cover: Cover) -> Modifier:
    """The card that Hard Cover gives on the Protection Check. Rules: FE-PRO-02, FE-CMB-02, FE-OBS-05."""
    return Modifier(1 if cover == "hard" else 0, "Hard Cover", "FE-PRO-02")


def blocks_detection(cover: Cover, *, fully_covered: bool, looking_out: bool, declared: bool) -> bool:
    """Whether cover was rightly declared Blocking for detection: hard, whole, and nobody looks out.

    Rules: FE-OBS-06.
    """
    return declared and cover == "hard" and fully_covered and not looking_out
