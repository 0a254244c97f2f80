"""/inf roll, f2f, jump, fall, terrain: dice and figures without an Order."""

from __future__ import annotations

from typing import Literal

from discord import app_commands

from bot.commands.infinity_options import Inches, my_trooper
from bot.commands.options import It
from bot.games.infinity.calc_play import Area, FaceToFaceRoll, FallDown, Jump, RollD20, Ways
from bot.panels.answer import answer

Burst = app_commands.Range[int, 1, 10]
Value = app_commands.Range[int, -12, 42]
Height = app_commands.Range[float, -200, 200]


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /inf."""
    _add_rolls(group)
    _add_moves(group)
    _add_ground(group)


def _add_rolls(group: app_commands.Group) -> None:
    @group.command(name="roll", description="A Normal Roll against an Attribute")
    @app_commands.describe(
        value="The value to roll",
        burst="How many dice",
        mod="MOD to the value",
        odds="Show odds, roll nothing",
    )
    async def roll(
        interaction: It,
        value: app_commands.Range[int, 0, 30],
        burst: Burst = 1,
        mod: int = 0,
        odds: bool = False,
    ) -> None:
        await answer(interaction, RollD20(value, burst, mod, odds))

    @group.command(name="f2f", description="A Face to Face Roll of bare figures")
    @app_commands.describe(
        burst="Dice of the first",
        against_burst="Dice of the second",
        damage="DAM of the first",
        against_damage="DAM of the second",
        against_armour="ARM of the second, with cover",
        odds="Show odds, roll nothing",
        value="First side, with MODs",
        against="Second side",
        armour="ARM of the first, with cover",
    )
    async def f2f(
        interaction: It,
        value: Value,
        against: Value,
        burst: Burst = 1,
        against_burst: Burst = 1,
        damage: app_commands.Range[int, 0, 40] = 13,
        armour: app_commands.Range[int, 0, 20] = 0,
        against_damage: app_commands.Range[int, 0, 40] = 13,
        against_armour: app_commands.Range[int, 0, 20] = 0,
        odds: bool = False,
    ) -> None:
        action = FaceToFaceRoll(
            value, against, burst, against_burst, damage, armour, against_damage, against_armour, odds
        )
        await answer(interaction, action)


def _add_moves(group: app_commands.Group) -> None:
    @group.command(name="jump", description="How far it jumps and falls, to you alone")
    @app_commands.describe(
        model="Who",
        declared="Declared as",
        cover="It ends in cover",
        start="Height it leaves",
        up="Height gained; below 0 down",
        landing="Height below the end",
        lands="It reaches a place to stand",
        obstacle="Height of an obstacle",
        height="Its own height",
    )
    @app_commands.autocomplete(model=my_trooper)
    async def jump(
        interaction: It,
        model: str,
        declared: Literal["entire order", "first short skill", "second short skill"] = "entire order",
        start: Height = 0.0,
        up: Height = 0.0,
        landing: Height = 0.0,
        lands: bool = False,
        cover: bool = False,
        obstacle: Inches = 0.0,
        height: Inches = 0.0,
    ) -> None:
        action = Jump(model, declared, start, up, landing, lands, cover, obstacle, height)
        await answer(interaction, action)


def _add_ground(group: app_commands.Group) -> None:
    @group.command(name="fall", description="Roll a fall, or see its odds")
    @app_commands.describe(model="Who", inches="How far down", odds="Show odds, roll nothing")
    @app_commands.autocomplete(model=my_trooper)
    async def fall(interaction: It, model: str, inches: Inches, odds: bool = False) -> None:
        await answer(interaction, FallDown(model, inches, odds))

    @group.command(name="area", description="Zone of Control and Sensor Area, to you alone")
    @app_commands.describe(distance="Inches between them", sniffers="Inches to allied Sniffers, by comma")
    async def area(interaction: It, distance: Inches, sniffers: str = "") -> None:
        await answer(interaction, Area(distance, sniffers))

    @group.command(name="terrain", description="How far an Order moves it, to you alone")
    @app_commands.describe(model="Who", ground="The ground", kind="Type of the terrain: Mountain ...")
    @app_commands.autocomplete(model=my_trooper)
    async def terrain(
        interaction: It,
        model: str,
        ground: Literal["open", "difficult", "very difficult"],
        kind: str = "",
    ) -> None:
        await answer(interaction, Ways(model, ground, kind))
