"""/game: before the first turn of Counterblast, and what the game is worth."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands.counterblast_options import ODDS, ORDER, hunted
from bot.commands.options import It, any_side, gone_model, own_model
from bot.games.counterblast.missions.score_play import ChooseHunt, ScorePoints, ScoreSquares, ShowScore
from bot.games.counterblast.setup.infiltrate_play import CallIn, Reserve, Scout, Spot, Watch
from bot.games.counterblast.setup.lead_play import NominateLeader
from bot.games.counterblast.setup.setup_play import CrewCheck, Deploy, Dispute, PlacePiece, Terrain
from bot.panels.answer import answer

Pieces = app_commands.Range[int, 1, 3]
Feet = app_commands.Range[int, 1, 12]
Limit = app_commands.Range[int, 0, 10000]
Points = app_commands.Range[int, -99, 99]
Squares = app_commands.Range[int, 0, 144]
Away = app_commands.Range[float, 0, 200]


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree: the group /cb is as large as Discord lets it be."""
    game = app_commands.Group(
        name="game", description="Counterblast: before the first turn; points", guild_only=True
    )
    _add_table(game)
    _add_infiltrators(game)
    _add_score(game)
    tree.add_command(game)


def _add_table(game: app_commands.Group) -> None:
    @game.command(name="terrain", description="How many pieces, and who places first")
    @app_commands.describe(width="Feet", depth="Feet", average="Do not roll the number", odds=ODDS)
    async def terrain(
        interaction: It, width: Feet = 4, depth: Feet = 4, average: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, Terrain(width, depth, average, odds))

    @game.command(name="piece", description="A piece of terrain was placed")
    @app_commands.describe(counts="As how many pieces")
    async def piece(interaction: It, counts: Pieces = 1) -> None:
        await answer(interaction, PlacePiece(counts))

    @game.command(name="deploy", description="Roll who chooses who deploys first")
    async def deploy(interaction: It) -> None:
        await answer(interaction, Deploy())

    @game.command(name="dispute", description="A roll-off decides a question of rules")
    async def dispute(interaction: It) -> None:
        await answer(interaction, Dispute())

    @game.command(name="leader", description="Name a crew's leader, before the game or when one is lost")
    @app_commands.describe(model="Who, or nobody")
    @app_commands.autocomplete(model=own_model)
    async def leader(interaction: It, model: str) -> None:
        await answer(interaction, NominateLeader(model))

    @game.command(name="crews", description="Compare the crews with what was agreed")
    @app_commands.describe(limit="Points agreed")
    async def crews(interaction: It, limit: Limit = 0) -> None:
        await answer(interaction, CrewCheck(limit))


def _add_infiltrators(game: app_commands.Group) -> None:
    @game.command(name="spot", description="May a model be set up there?")
    @app_commands.describe(
        model="Who",
        inside="Within its own zone",
        zone="Inches to an enemy zone",
        enemy="Inches to an enemy",
        objective="Inches to an objective",
        middle="Inches to the middle of its table edge",
        corner="Inches to the corner of an Escort",
    )
    @app_commands.autocomplete(model=own_model)
    async def spot(
        interaction: It,
        model: str,
        inside: bool = False,
        zone: Away | None = None,
        enemy: Away | None = None,
        objective: Away | None = None,
        middle: Away | None = None,
        corner: Away | None = None,
    ) -> None:
        given = (zone, enemy, objective, middle, corner)
        near = (-1.0 if inches is None else inches for inches in given)
        await answer(interaction, Spot(model, inside, *near))

    @game.command(name="scout", description="Scouting makes a model an Infiltrator")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=own_model)
    async def scout(interaction: It, model: str) -> None:
        await answer(interaction, Scout(model))

    @game.command(name="watch", description="An Infiltrator starts on Overwatch")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=own_model)
    async def watch(interaction: It, model: str) -> None:
        await answer(interaction, Watch(model))

    @game.command(name="reserve", description="An Infiltrator waits in reserve")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=own_model)
    async def reserve(interaction: It, model: str) -> None:
        await answer(interaction, Reserve(model))

    @game.command(name="call", description="Call a model in from reserve")
    @app_commands.describe(model="Who", order=ORDER, odds=ODDS)
    @app_commands.autocomplete(model=gone_model)
    async def call(interaction: It, model: str, order: bool = False, odds: bool = False) -> None:
        await answer(interaction, CallIn(model, order, odds))


def _add_score(game: app_commands.Group) -> None:
    @game.command(name="score", description="The standings")
    async def score(interaction: It) -> None:
        await answer(interaction, ShowScore())

    @game.command(name="points", description="Objective points")
    @app_commands.describe(side="Whose", points="How many")
    @app_commands.autocomplete(side=any_side)
    async def points(interaction: It, side: str, points: Points = 1) -> None:
        await answer(interaction, ScorePoints(side, points))

    @game.command(name="squares", description="Squares a Survey Team holds")
    @app_commands.describe(side="Whose", squares="How many")
    @app_commands.autocomplete(side=any_side)
    async def squares(interaction: It, side: str, squares: Squares) -> None:
        await answer(interaction, ScoreSquares(side, squares))

    @game.command(name="hunt", description="What a Hunting Party hunts")
    @app_commands.describe(side="Whose", kind="What kind")
    @app_commands.autocomplete(side=any_side, kind=hunted)
    async def hunt(interaction: It, side: str, kind: str) -> None:
        await answer(interaction, ChooseHunt(side, kind))
