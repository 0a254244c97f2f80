"""A collision told by names, as it is typed."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.vehicle_play import Crash, crashes
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import handles


@dataclass(frozen=True, slots=True)
class Ram(Action):
    """A vehicle touches models, by name, after so many inches; ram: with its Power Ram."""

    command = "cb.veh.ram"

    vehicle: str = ""
    inches: float = 0.0
    models: tuple[str, ...] = ()
    ram: bool = False


@handles(Ram)
def rams(act: Act, action: Ram) -> Reply:
    """As a collision of those models. Rules: CB-VEH-21."""
    vehicle = act.encounter.find_model(action.vehicle)
    struck = tuple(act.encounter.find_model(name).id for name in action.models)
    crash = Crash(vehicle.id, action.inches, struck, ram=action.ram)
    act.canonical = crash
    return crashes(act, crash)
