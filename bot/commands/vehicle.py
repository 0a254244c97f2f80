"""/vehicle: driving, Maneuvers, collisions, passengers and damage of Counterblast's vehicles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from discord import app_commands

from bot.commands.counterblast_combat import next_name
from bot.commands.counterblast_options import ODDS, ORDER, Inches, ground_in, names_in
from bot.commands.options import Choices, It, any_model, choices, own_model
from bot.games.counterblast.vehicles.vehicle_crash import Ram
from bot.games.counterblast.vehicles.vehicle_damage import BurnRiders, CriticalDamage
from bot.games.counterblast.vehicles.vehicle_play import Drive, Maneuver
from bot.games.counterblast.vehicles.vehicle_riders import Alight, Board
from bot.panels.answer import answer, send
from bot.replies.reply import say
from bot.table.names import suggestions
from rules.systems.counterblast.core.library import load

Moves = app_commands.Range[int, 1, 2]


async def _maneuver_names(interaction: It, typed: str) -> Choices:
    """Maneuvers; the last of several is completed."""
    before, comma, last = typed.rpartition(",")
    head = f"{before}{comma} " if comma else ""
    return choices(head + name for name in suggestions(last, [note.name for note in load().maneuvers]))


def degrees(text: str) -> tuple[int, ...] | None:
    """Turns typed with spaces or commas; None where one is no number of degrees."""
    parts = text.replace(",", " ").split()
    if len(parts) > 6 or not all(part.lstrip("-").isdecimal() and abs(int(part)) <= 180 for part in parts):
        return None
    return tuple(int(part) for part in parts)


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="vehicle", description="Counterblast: vehicles", guild_only=True)
    _add_driving(group)
    _add_harm(group)
    _add_damage(group)
    _add_riding(group)
    tree.add_command(group)


def _add_driving(group: app_commands.Group) -> None:
    @group.command(name="drive", description="Drive: the whole path of an activation")
    @app_commands.describe(
        vehicle="Which",
        inches="How far in all",
        moves="Move actions; none: as many as it takes",
        turns="Degrees of each turn: 45 90",
        maneuvers="Maneuvers used, with commas",
        edge="Inches to the table edge ahead",
        rugged="Rugged ground, by rating or place: 1 2, slick",
        impassable="The way crosses Impassable ground",
        end="What it ends on, where that is not free",
    )
    @app_commands.autocomplete(vehicle=own_model, maneuvers=_maneuver_names)
    async def drive(
        interaction: It,
        vehicle: str,
        inches: Inches,
        moves: Moves | None = None,
        turns: str = "",
        maneuvers: str = "",
        edge: Inches = 0.0,
        rugged: str = "",
        impassable: bool = False,
        end: Literal["on a model", "on impassable ground"] | None = None,
    ) -> None:
        turned, (ratings, ground) = degrees(turns), ground_in(rugged)
        if turned is None:
            await send(interaction, say("Turns are degrees up to 180: 45 90.", private=True))
            return
        drive = Drive(vehicle, inches, moves or 0, turned, names_in(maneuvers), edge, ratings)
        await answer(interaction, replace(drive, impassable=impassable, end=end or "", ground=ground))

    @group.command(name="maneuver", description="A Maneuver check: points for this turn's path")
    @app_commands.describe(vehicle="Which", left="Inches it can still travel", order=ORDER, odds=ODDS)
    @app_commands.autocomplete(vehicle=own_model)
    async def maneuver(
        interaction: It, vehicle: str, left: Inches = 0.0, order: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, Maneuver(vehicle, left, order, odds))


def _add_harm(group: app_commands.Group) -> None:
    @group.command(name="ram", description="It touches models or terrain after so many inches")
    @app_commands.describe(
        vehicle="Which",
        inches="Inches driven before contact",
        models="Whom, with commas",
        power_ram="It rams, as its attack",
        footprint="Its area divided by theirs, if measured",
        odds=ODDS,
    )
    @app_commands.autocomplete(vehicle=own_model, models=next_name)
    async def ram(
        interaction: It,
        vehicle: str,
        inches: Inches,
        models: str = "",
        power_ram: bool = False,
        footprint: app_commands.Range[float, 0, 100] = 0.0,
        odds: bool = False,
    ) -> None:
        await answer(interaction, Ram(vehicle, inches, names_in(models), power_ram, footprint, odds))


def _add_damage(group: app_commands.Group) -> None:
    @group.command(name="critical", description="Critical Damage of a vehicle that was disabled")
    @app_commands.describe(vehicle="Which", odds=ODDS)
    @app_commands.autocomplete(vehicle=any_model)
    async def critical(interaction: It, vehicle: str, odds: bool = False) -> None:
        await answer(interaction, CriticalDamage(vehicle, odds))

    @group.command(name="burn", description="Passengers of a burning vehicle, as a turn starts")
    @app_commands.describe(vehicle="Which", odds=ODDS)
    @app_commands.autocomplete(vehicle=any_model)
    async def burning(interaction: It, vehicle: str, odds: bool = False) -> None:
        await answer(interaction, BurnRiders(vehicle, odds))


def _add_riding(group: app_commands.Group) -> None:
    @group.command(name="board", description="A model gets in or on")
    @app_commands.describe(vehicle="Which", passenger="Who", capacity="How many it carries, once agreed")
    @app_commands.autocomplete(vehicle=own_model, passenger=own_model)
    async def board(
        interaction: It,
        vehicle: str,
        passenger: str,
        capacity: app_commands.Range[int, 1, 20] | None = None,
    ) -> None:
        await answer(interaction, Board(vehicle, passenger, capacity or 0))

    @group.command(name="leave", description="A passenger gets out, or leaps off while it moves")
    @app_commands.describe(
        passenger="Who", inches="Inches driven when it leaps; none: after the path", odds=ODDS
    )
    @app_commands.autocomplete(passenger=own_model)
    async def leave(interaction: It, passenger: str, inches: Inches = 0.0, odds: bool = False) -> None:
        await answer(interaction, Alight(passenger, inches, odds))
