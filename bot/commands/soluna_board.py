"""sol'una: /sol board and /sol model."""

from __future__ import annotations

from typing import Literal, TypeAlias

from discord import app_commands

from bot.commands.options import It, any_model, any_side, own_model
from bot.commands.soluna_options import any_object, value_key
from bot.games.soluna.board_play import AddObject, ChangeObject, NewBoard, Surround
from bot.games.soluna.look_play import ShowBoard
from bot.games.soluna.roster_play import AddModel, SetValue, WriteModel
from bot.panels.answer import answer
from bot.panels.typed import as_typed

Body: TypeAlias = app_commands.Range[int, 1, 99]
AnyBody: TypeAlias = app_commands.Range[int, 0, 99]
Gravity: TypeAlias = app_commands.Range[int, 0, 20]


def add_to(group: app_commands.Group) -> None:
    """Put the sub-groups into the game's group."""
    board = app_commands.Group(name="board", description="The board", parent=group)
    _add_board(board)
    model = app_commands.Group(name="model", description="Profiles and values", parent=group)
    _add_model(model)


def _add_board(group: app_commands.Group) -> None:
    @group.command(name="show", description="The board, to you alone")
    @app_commands.describe(around="A square or a model in the middle of the text", share="To everybody")
    @app_commands.autocomplete(around=any_model)
    async def show(interaction: It, around: str = "", share: bool = False) -> None:
        await answer(interaction, ShowBoard(around, share))

    @group.command(name="new", description="Lay a board")
    @app_commands.describe(size="Columns by rows: 16x12; none: the sample board")
    async def new(interaction: It, size: str = "") -> None:
        await answer(interaction, NewBoard(size))

    @group.command(name="add", description="Put an object on the board")
    @app_commands.describe(
        squares="3,4 or from corner to corner: 3,4-6,4",
        body="Its Body: soft 4-6, hard 7-12, more: impenetrable",
        name="What it is",
        artifact="An Artifact with this Health instead",
    )
    async def add(
        interaction: It, squares: str, body: Body = 7, name: str = "", artifact: bool = False
    ) -> None:
        await answer(interaction, AddObject(name, squares, body, artifact))

    @group.command(name="change", description="Change an object, or take it away")
    @app_commands.describe(name="Which", body="Its Body now, 0: debris; none: take it away")
    @app_commands.autocomplete(name=any_object)
    async def change(interaction: It, name: str, body: AnyBody | None = None) -> None:
        await answer(interaction, ChangeObject(name, -1 if body is None else body))

    @group.command(name="light", description="Light, weather and gravity")
    @app_commands.describe(light="Light", weather="Visibility", gravity="0 to 20", direction="Of gravity")
    async def light(
        interaction: It,
        light: Literal["normal", "dark", "total dark", "bright", "extreme bright"] | None = None,
        weather: Literal["none", "poor", "abysmal"] | None = None,
        gravity: Gravity | None = None,
        direction: Literal["down", "north", "east", "south", "west"] | None = None,
    ) -> None:
        action = Surround(light or "", weather or "", -1 if gravity is None else gravity, direction or "")
        await answer(interaction, action)


def _add_model(group: app_commands.Group) -> None:
    @group.command(name="add", description="Add a model from a profile you type", extras=as_typed("profile"))
    @app_commands.describe(profile="The profile as JSON; none: a form to type it", side="On which side")
    @app_commands.autocomplete(side=any_side)
    async def add(interaction: It, profile: str = "", side: str = "") -> None:
        await answer(interaction, AddModel(profile, side))

    @group.command(name="write", description="Write a profile out")
    @app_commands.describe(model="Whose", json="As JSON")
    @app_commands.autocomplete(model=any_model)
    async def write(interaction: It, model: str, json: bool = False) -> None:
        await answer(interaction, WriteModel(model, json))

    @group.command(name="value", description="Set a value by hand")
    @app_commands.describe(model="Whose", what="A location or a carried thing", value="Its value now")
    @app_commands.autocomplete(model=own_model, what=value_key)
    async def value(interaction: It, model: str, what: str, value: AnyBody) -> None:
        await answer(interaction, SetValue(model, what, value))
