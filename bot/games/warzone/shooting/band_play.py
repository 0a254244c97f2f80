"""Which range band a distance is, and what lies behind a vehicle."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.core.common import settings
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from rules.systems.warzone.ranged import band_of, in_rear_arc


@dataclass(frozen=True, slots=True)
class Band(Action):
    """Which range band, and is it the rear?

    bearing: from which a vehicle is seen.
    """

    command = "wz.band"
    typed = "wz check band"
    titled = "Which range band"
    decision_of = ANYONE

    distance: float = fields.inches("Inches", 0.0, 200.0, default=0.0, needed=True)
    bearing: int = fields.whole("Degrees off a vehicle's front", 0, 360, default=-1)


@handles(Band)
def band(act: Act, action: Band) -> Reply:
    """Rules: WZ-RANGE-01, WZ-VEH-01."""
    found = band_of(action.distance)
    lines = [f"{action.distance:g} in is {'base contact' if found == 'CC' else found}."]
    if action.bearing >= 0:
        rear = in_rear_arc(action.bearing, settings(act))
        lines.append(f"{action.bearing} degrees off its front is {'' if rear else 'not '}its rear.")
    return Reply(tuple(lines), private=True)
