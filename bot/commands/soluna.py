"""sol'una: the group /sol."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from discord import app_commands

from bot.commands import soluna_board
from bot.commands.options import It, any_model, own_model
from bot.commands.soluna_options import (
    any_target,
    carried_thing,
    carried_weapon,
    facing,
    location,
    own_square,
    several_models,
)
from bot.games.soluna.close_play import BreakFree, Grapple, Lunge
from bot.games.soluna.fall_play import ModeTest
from bot.games.soluna.flip_play import MakeFlips
from bot.games.soluna.look_play import Look
from bot.games.soluna.move_play import Move, Pass, PlaceModel, StandUp, Turn
from bot.games.soluna.plans import Attack
from bot.panels.answer import answer
from bot.panels.typed import as_typed

Dice: TypeAlias = app_commands.Range[int, 1, 30]
Cost: TypeAlias = app_commands.Range[int, 1, 20]
Flips: TypeAlias = app_commands.Range[int, 0, 10]
Location: TypeAlias = Literal["best", "mind", "health", "body", "shield", "arsenal", "speed", "none"]


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="sol", description="sol'una", guild_only=True)
    _add_attack(group)
    _add_close(group)
    _add_moves(group)
    _add_tests(group)
    soluna_board.add_to(group)
    tree.add_command(group)


def _add_attack(group: app_commands.Group) -> None:
    @group.command(name="attack", description="Attack a model, cover, an Artifact or a square")
    @app_commands.describe(
        attacker="Who attacks",
        target="A model, an object, or a square: 3,4",
        weapon="With what; none: the first that can",
        dice="Fewer dice than its Power",
        force="Force Combat Points it lacks: -2 each",
        low="The weapon is low on power",
        cost="Combat Points of a special attack",
        extra="power+1 accuracy-2 range+1 ignore shield",
        item="Arsenal hits go to this",
        aim="Chances for this location",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(
        attacker=own_model, target=any_target, weapon=carried_weapon, item=carried_thing, aim=location
    )
    async def attack(
        interaction: It,
        attacker: str,
        target: str,
        weapon: str = "",
        dice: Dice | None = None,
        force: bool = False,
        low: bool = False,
        cost: Cost = 1,
        extra: str = "",
        item: str = "",
        aim: str = "",
        odds: bool = False,
    ) -> None:
        action = Attack(
            attacker, target, weapon, dice or 0, force, low, cost, extra, item, aim, odds or bool(aim)
        )
        await answer(interaction, action)

    @group.command(
        name="flip", description="Choose the flips of the attack that waits", extras=as_typed("turns")
    )
    @app_commands.describe(place="The best flips, of all or for a location", turns="Die by die: 5>3 4>1")
    async def flip(interaction: It, place: Location = "none", turns: str = "") -> None:
        await answer(interaction, MakeFlips(0, place, turns))


def _add_close(group: app_commands.Group) -> None:
    @group.command(name="lunge", description="Move next to a target and attack it")
    @app_commands.describe(
        attacker="Who lunges",
        target="At whom",
        square="Where to; none: the nearest",
        weapon="With what; none: the first that can",
        dice="Fewer dice than its Power",
        force="Force the Combat Point: -2",
        extra="power+1 accuracy-2 ignore shield",
        item="Arsenal hits go to this",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(
        attacker=own_model, target=any_model, weapon=carried_weapon, item=carried_thing
    )
    async def lunge(
        interaction: It,
        attacker: str,
        target: str,
        square: str = "",
        weapon: str = "",
        dice: Dice | None = None,
        force: bool = False,
        extra: str = "",
        item: str = "",
        odds: bool = False,
    ) -> None:
        action = Lunge(attacker, target, square, weapon, dice or 0, force, extra, item, odds)
        await answer(interaction, action)

    @group.command(name="grapple", description="Take hold of a model next to you")
    @app_commands.describe(
        attacker="Who grapples",
        target="Whom",
        helpers="Others next to it, with commas",
        force="Force the Combat Point",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(attacker=own_model, target=any_model, helpers=several_models)
    async def grapple(
        interaction: It,
        attacker: str,
        target: str,
        helpers: str = "",
        force: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, Grapple(attacker, target, helpers, force, odds))

    @group.command(name="break", description="Break free of a grapple")
    @app_commands.describe(
        model="Who is held",
        helpers="Others next to it, with commas",
        force="Force the Combat Point",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(model=own_model, helpers=several_models)
    async def break_free(
        interaction: It, model: str, helpers: str = "", force: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, BreakFree(model, helpers, force, odds))


def _add_moves(group: app_commands.Group) -> None:
    @group.command(name="move", description="Move a model")
    @app_commands.describe(
        model="Who moves", to="The square: 3,4; or every square of the way", face="Which way it looks then"
    )
    @app_commands.autocomplete(model=own_model, to=own_square, face=facing)
    async def move(interaction: It, model: str, to: str, face: str = "") -> None:
        await answer(interaction, Move(model, to, face))

    @group.command(name="turn", description="Turn a model on the spot")
    @app_commands.describe(model="Who turns", face="North, east, south, west, a square or a model")
    @app_commands.autocomplete(model=own_model, face=facing)
    async def turn(interaction: It, model: str, face: str) -> None:
        await answer(interaction, Turn(model, face))

    @group.command(name="stand", description="A prone model stands up")
    @app_commands.describe(model="Who stands up")
    @app_commands.autocomplete(model=own_model)
    async def stand(interaction: It, model: str) -> None:
        await answer(interaction, StandUp(model))

    @group.command(name="pass", description="A model lets this phase pass")
    @app_commands.describe(model="Who; none: your next one", every="All of yours")
    @app_commands.autocomplete(model=own_model)
    async def let_pass(interaction: It, model: str = "", every: bool = False) -> None:
        await answer(interaction, Pass(model, every))

    @group.command(name="place", description="Put a model on the board, or take it off")
    @app_commands.describe(model="Who", square="Where: 3,4; none: off the board", face="Which way it looks")
    @app_commands.autocomplete(model=own_model, face=facing)
    async def place(interaction: It, model: str, square: str = "", face: str = "") -> None:
        await answer(interaction, PlaceModel(model, square, face))

    @group.command(name="look", description="What a model reaches, sees, or can walk to")
    @app_commands.describe(
        model="Who looks", target="A model or a square: the sight lines to it", steps="Where it can go"
    )
    @app_commands.autocomplete(model=own_model, target=any_model)
    async def look(interaction: It, model: str, target: str = "", steps: bool = False) -> None:
        await answer(interaction, Look(model, target, steps))


def _add_tests(group: app_commands.Group) -> None:
    @group.command(name="test", description="A Mode test: like faces")
    @app_commands.describe(
        model="Who tests",
        difficulty="Like faces needed",
        dice="How many dice; none: its Mind",
        flips="Flips, for two dice each",
        falls="Who fails is prone",
        psionic="A test of psionics",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(model=own_model)
    async def test(
        interaction: It,
        model: str,
        difficulty: Cost = 2,
        dice: Dice | None = None,
        flips: Flips = 0,
        falls: bool = False,
        psionic: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, ModeTest(model, difficulty, dice or 0, flips, falls, psionic, odds))
