"""/cb field and /cb fire: the ground, structures, the whole table, fire and acid."""

from __future__ import annotations

from typing import Literal

from discord import app_commands

from bot.commands.counterblast_options import (
    ODDS,
    ORDER,
    Grade,
    Inches,
    Rating,
    any_area,
    any_fire,
    any_structure,
    carried_weapon,
    cover_kind,
    placed_area,
    structure_kind,
)
from bot.commands.options import It, any_model, own_model
from bot.games.counterblast.ground.field_play import Enter, MendGear, RandomHazard
from bot.games.counterblast.ground.fire_play import EndFire, InFire, PutOut, StartFire, WashOff
from bot.games.counterblast.ground.ground_places import AddArea, DropArea
from bot.games.counterblast.ground.structure_play import AddStructure, Breach, DropStructure
from bot.games.counterblast.setup.table_play import InWater, SetTable, ShowCover, ShowField
from bot.panels.answer import answer

Percent = app_commands.Range[int, 0, 100]
Power = app_commands.Range[int, 0, 10]
Across = app_commands.Range[int, 1, 200]
Turns = app_commands.Range[int, 0, 50]
Kind = Literal["dangerous", "acid", "toxic", "slick", "heat_or_cold"]


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /cb."""
    field = app_commands.Group(name="field", description="Ground, structures, the table", parent=group)
    _add_places(field)
    _add_table(field)
    _add_structures(field)
    _add_fire(app_commands.Group(name="fire", description="Fire and acid", parent=group))


def _add_places(field: app_commands.Group) -> None:
    @field.command(name="enter", description="A model touches a dangerous place")
    @app_commands.describe(
        model="Who",
        area="The place, or a kind of danger",
        grade="Of a danger without a name",
        power="The same, 5",
        air="Gas or radiation",
        anew="It was moved onto the model",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(model=own_model, area=any_area)
    async def enter(
        interaction: It,
        model: str,
        area: str,
        grade: Grade = 1,
        power: Power = 0,
        air: bool = False,
        anew: bool = False,
        order: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, Enter(model, area, grade, power, air, anew, order, odds))

    @field.command(name="add", description="Keep a dangerous place")
    @app_commands.describe(kind="What it is", grade="1 to 3", name="What to call it", power="For shields")
    async def add_area(
        interaction: It, kind: Kind, grade: Grade = 1, name: str = "", power: Power = 0
    ) -> None:
        await answer(interaction, AddArea(name, kind, grade, power))

    @field.command(name="drop", description="Take a place off the table")
    @app_commands.describe(name="Its name")
    @app_commands.autocomplete(name=placed_area)
    async def drop_area(interaction: It, name: str) -> None:
        await answer(interaction, DropArea(name))

    @field.command(name="hazard", description="Roll a random hazard on a model")
    @app_commands.describe(model="Who", odds=ODDS)
    @app_commands.autocomplete(model=own_model)
    async def hazard(interaction: It, model: str, odds: bool = False) -> None:
        await answer(interaction, RandomHazard(model, odds))

    @field.command(name="gear", description="Gear eaten by acid is mended")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=own_model)
    async def gear(interaction: It, model: str) -> None:
        await answer(interaction, MendGear(model))


def _add_table(field: app_commands.Group) -> None:
    @field.command(name="show", description="All that is kept of the ground")
    async def show(interaction: It) -> None:
        await answer(interaction, ShowField())

    @field.command(name="cover", description="How much cover something gives")
    @app_commands.describe(kind="What kind", hidden="Percent of the model that is hidden")
    @app_commands.autocomplete(kind=cover_kind)
    async def cover(interaction: It, kind: str = "", hidden: Percent = 100) -> None:
        await answer(interaction, ShowCover(kind, hidden))

    @field.command(name="table", description="What holds for the whole table")
    @app_commands.describe(
        dark="In the dark",
        vacuum="Without air",
        underwater="Under water",
        gravity="Low Gravity rating",
        climate="Grade of heat or cold",
    )
    async def table(
        interaction: It,
        dark: bool | None = None,
        vacuum: bool | None = None,
        underwater: bool | None = None,
        gravity: Rating | None = None,
        climate: Rating | None = None,
    ) -> None:
        given = (dark, vacuum, underwater, gravity, climate)
        await answer(interaction, SetTable(*(-1 if value is None else int(value) for value in given)))

    @field.command(name="water", description="A model is in water, or out of it")
    @app_commands.describe(model="Who", depth="Inches; 0: out", tall="Its own height")
    @app_commands.autocomplete(model=own_model)
    async def water(interaction: It, model: str, depth: Inches, tall: Inches = 1.5) -> None:
        await answer(interaction, InWater(model, depth, tall))


def _add_structures(field: app_commands.Group) -> None:
    @field.command(name="wall", description="Keep a wall or door, or drop it")
    @app_commands.describe(kind="What it is", name="What to call it", drop="Take it off the table")
    @app_commands.autocomplete(kind=structure_kind, name=any_structure)
    async def wall(interaction: It, kind: str = "", name: str = "", drop: bool = False) -> None:
        await answer(interaction, DropStructure(name) if drop else AddStructure(name, kind))

    @field.command(name="breach", description="Attack a wall or door")
    @app_commands.describe(
        attacker="Who",
        wall="Which",
        distance="Inches; 0: in contact",
        weapon="None: its first",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(attacker=own_model, wall=any_structure, weapon=carried_weapon)
    async def breach(
        interaction: It,
        attacker: str,
        wall: str,
        distance: Inches = 0.0,
        weapon: str = "",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, Breach(attacker, wall, distance, weapon, order, odds))


def _add_fire(fire: app_commands.Group) -> None:
    @fire.command(name="out", description="Put out a model or an area")
    @app_commands.describe(
        worker="Who",
        model="Who burns; none: itself",
        area="Or a burning area",
        whole="With all its actions",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(worker=own_model, model=any_model, area=any_fire)
    async def out(
        interaction: It,
        worker: str,
        model: str = "",
        area: str = "",
        whole: bool = False,
        order: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, PutOut(worker, model, area, whole, order, odds=odds))

    @fire.command(name="hit", description="A model is in fire or acid")
    @app_commands.describe(kind="What kind", model="Who", outside="It left the area but burns", odds=ODDS)
    @app_commands.autocomplete(model=own_model)
    async def hit(
        interaction: It,
        model: str,
        kind: Literal["fire", "acid"] = "fire",
        outside: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, InFire(model, kind, outside, odds))

    @fire.command(name="start", description="A place burns")
    @app_commands.describe(
        name="Its name", kind="What kind", inches="Its R number", lasts="Turns; 0: until it ends by itself"
    )
    async def start(
        interaction: It,
        name: str = "fire",
        inches: Across = 3,
        kind: Literal["fire", "acid"] = "fire",
        lasts: Turns = 0,
    ) -> None:
        await answer(interaction, StartFire(name, inches, kind, lasts))

    @fire.command(name="end", description="Take a fire off the table")
    @app_commands.describe(name="Its name", hem="It stays, but cannot grow")
    @app_commands.autocomplete(name=any_fire)
    async def end(interaction: It, name: str, hem: bool = False) -> None:
        await answer(interaction, EndFire(name, hem))

    @fire.command(name="wash", description="Wash acid off")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=own_model)
    async def wash(interaction: It, model: str) -> None:
        await answer(interaction, WashOff(model))
