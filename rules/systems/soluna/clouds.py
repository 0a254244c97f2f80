"""Clouds: how long an area stays and where it drifts.

Owns the life of clouds phase by phase; what they do to sight is in `visibility`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rules.dice import Dice
from rules.refusals import InvalidInput
from rules.systems.soluna.board import Board, Cloud
from rules.systems.soluna.geometry import Point
from rules.systems.soluna.profile import Weapon
from rules.systems.soluna.settings import Settings

SIDES = 10
Due = Literal["nothing", "drift", "gone"]


def place(
    number: int, squares: frozenset[Point], weapon: Weapon, now: int, settings: Settings
) -> Cloud | None:
    """The cloud that an area weapon leaves behind, None when its area ends with the phase.

    now: phases since the game's start. Rules: SU-AREA-03, SU-CLOUD-01, SU-CLOUD-03.
    """
    if not weapon.cloud:
        return None
    return Cloud(number, squares, now, weapon.cloud, weapon.smoke or settings.smoke_factor)


def last_phase(cloud: Cloud, settings: Settings) -> int:
    """The last phase the cloud is there. Rules: SU-CLOUD-01."""
    return cloud.placed + cloud.life - (1 if settings.cloud_first_phase else 0)


def due(cloud: Cloud, now: int, settings: Settings) -> Due:
    """What the cloud does at the start of phase `now`: nothing yet, a drift roll, or it is gone.

    Rules: SU-CLOUD-01, SU-CLOUD-02.
    """
    if now > last_phase(cloud, settings):
        return "gone"
    return "drift" if now > cloud.placed else "nothing"


def drift_roll(dice: Dice, label: str = "drift") -> int:
    """Roll the D10 of a cloud: 0 to 9, the die's 10 is 0. Rules: SU-CLOUD-02."""
    return dice.face(SIDES, label) % SIDES


def drift(cloud: Cloud, roll: int, board: Board, settings: Settings) -> Cloud | None:
    """The cloud after its roll: gone on 0 or when all of it left the board, shifted, or held by an obstacle.

    roll: 0 to 9. Raises InvalidInput. Rules: SU-CLOUD-02.
    """
    if not 0 <= roll <= 9:
        raise InvalidInput("A drift roll is 0 to 9.")
    if roll == 0:
        return None
    dx, dy = settings.cloud_directions[roll - 1]
    moved = frozenset((x + dx, y + dy) for x, y in cloud.squares)
    if moved & board.walls().keys():
        return cloud
    left = frozenset(filter(board.holds, moved))
    return replace(cloud, squares=left) if left else None
