"""/wz move, presence, jump, terrain, model, vehicle, check: what happens on the ground."""

from __future__ import annotations

from typing import Literal, TypeAlias

from discord import app_commands

from bot.commands.options import It, any_model, any_side, gone_model, own_model
from bot.commands.warzone_options import any_squad, carried_weapon, model_list, obstacle_kinds, terrain_kinds
from bot.games.warzone.chart_play import Dominate
from bot.games.warzone.check_play import AttackTerrain, Band, Gap, InCommand
from bot.games.warzone.dire_play import InDire
from bot.games.warzone.fight_play import SetContact
from bot.games.warzone.jump_play import FallDown, Jump
from bot.games.warzone.move_play import Move, SetPresence
from bot.games.warzone.power_play import Wake
from bot.games.warzone.roster_play import AddModels, ExportModel, FormSquad
from bot.games.warzone.spot_play import Conceal
from bot.games.warzone.vehicle_play import Board, Explosion
from bot.panels.answer import answer
from bot.panels.typed import as_typed

Inches: TypeAlias = app_commands.Range[float, 0, 200]
Degrees: TypeAlias = app_commands.Range[int, 0, 360]
Count: TypeAlias = app_commands.Range[int, 1, 20]
Level: TypeAlias = app_commands.Range[int, 0, 10]
Levels: TypeAlias = app_commands.Range[int, -20, 20]


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /wz."""
    _add_moves(group)
    _add_jumps(group)
    _add_models(group)
    _add_states(group)
    _add_checks(group)


def _add_moves(group: app_commands.Group) -> None:
    @group.command(name="move", description="A move action")
    @app_commands.describe(
        model="Who moves",
        terrain="The worst ground; several with +",
        how="Move, crawl or climb",
        toward="Seen from what frightened it",
        turn="Degrees a vehicle turns",
        reverse="Backwards",
        obstacle="Inches of the highest obstacle",
        deep="The water is impassable",
        hidden="No enemy in its sight",
        odds="Only the chances",
    )
    @app_commands.autocomplete(model=own_model, terrain=terrain_kinds)
    async def move(
        interaction: It,
        model: str,
        terrain: str = "normal",
        how: Literal["move", "crawl", "climb"] = "move",
        toward: Literal["away", "nearer", "other"] = "other",
        turn: Degrees = 0,
        reverse: bool = False,
        obstacle: Inches | None = None,
        deep: bool = False,
        hidden: bool = False,
        odds: bool = False,
    ) -> None:
        height = -1.0 if obstacle is None else obstacle
        move = Move(model, terrain, how, toward, turn, reverse, height, deep, hidden, odds)
        await answer(interaction, move)

    @group.command(name="presence", description="Stand, minimize presence or go prone")
    @app_commands.describe(
        model="Who", to="Which", knocked="Knocked prone: no action", hidden="No enemy in its sight"
    )
    @app_commands.autocomplete(model=own_model)
    async def presence(
        interaction: It,
        model: str,
        to: Literal["standing", "minimized", "prone"],
        knocked: bool = False,
        hidden: bool = False,
    ) -> None:
        await answer(interaction, SetPresence(model, to, knocked, hidden))


def _add_jumps(group: app_commands.Group) -> None:
    @group.command(name="jump", description="Jump across a gap, or down")
    @app_commands.describe(
        model="Who jumps",
        across="Inches of the gap",
        down="Or inches of height",
        depth="Inches the gap is deep",
        toward="Seen from what frightened it",
        hidden="No enemy in its sight",
        odds="Only the chances",
    )
    @app_commands.autocomplete(model=own_model)
    async def jump(
        interaction: It,
        model: str,
        across: Inches = 0.0,
        down: Inches = 0.0,
        depth: Inches = 0.0,
        toward: Literal["away", "nearer", "other"] = "other",
        hidden: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, Jump(model, across, down, depth, toward, hidden, odds))

    @group.command(name="fall", description="A model falls")
    @app_commands.describe(model="Who falls", height="Inches", odds="Only the chances")
    @app_commands.autocomplete(model=own_model)
    async def fall(interaction: It, model: str, height: Inches, odds: bool = False) -> None:
        await answer(interaction, FallDown(model, height, odds))

    @group.command(name="terrain", description="Attack a piece of terrain")
    @app_commands.describe(
        attacker="Who",
        kind="What it is",
        weapon="With what",
        piece="Its number among those of its kind",
        hidden="No enemy in its sight",
        odds="Only the chances",
    )
    @app_commands.autocomplete(attacker=own_model, kind=obstacle_kinds, weapon=carried_weapon)
    async def terrain(
        interaction: It,
        attacker: str,
        kind: str,
        weapon: str = "",
        piece: Count = 1,
        hidden: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, AttackTerrain(attacker, kind, weapon, piece, hidden, odds))


def _add_models(group: app_commands.Group) -> None:
    model = app_commands.Group(name="model", description="Models, squads and their marks", parent=group)

    @model.command(name="add", description="Add models from a profile you type", extras=as_typed("text"))
    @app_commands.describe(
        text="The profile; none: a form",
        squad="Their squad",
        count="How many",
        side="Whose they are",
        name="What to call them",
    )
    @app_commands.autocomplete(squad=any_squad, side=any_side)
    async def add(
        interaction: It, text: str = "", squad: str = "", count: Count = 1, side: str = "", name: str = ""
    ) -> None:
        await answer(interaction, AddModels(text, squad, count, side, name))

    @model.command(name="squad", description="Make models a squad")
    @app_commands.describe(name="Its name", models="Who, with commas", leader="Who leads")
    @app_commands.autocomplete(name=any_squad, models=model_list, leader=own_model)
    async def squad(interaction: It, name: str, models: str, leader: str = "") -> None:
        await answer(interaction, FormSquad(name, models, leader))

    @model.command(name="export", description="Show a profile as it is typed")
    @app_commands.describe(model="Whose", json="As JSON")
    @app_commands.autocomplete(model=any_model)
    async def export(interaction: It, model: str, json: bool = False) -> None:
        await answer(interaction, ExportModel(model, json))

    @model.command(name="board", description="Get into a vehicle, or out")
    @app_commands.describe(model="Who", vehicle="Which", crew="As its crew", leave="Out of it")
    @app_commands.autocomplete(model=own_model, vehicle=own_model)
    async def board(
        interaction: It, model: str, vehicle: str = "", crew: bool = False, leave: bool = False
    ) -> None:
        await answer(interaction, Board(model, vehicle, crew, leave))


def _add_states(group: app_commands.Group) -> None:
    state = app_commands.Group(name="state", description="What the table saw", parent=group)

    @state.command(name="hide", description="A model conceals itself")
    @app_commands.describe(model="Who", reveal="It is in the open again")
    @app_commands.autocomplete(model=own_model)
    async def hide(interaction: It, model: str, reveal: bool = False) -> None:
        await answer(interaction, Conceal(model, reveal))

    @state.command(name="contact", description="Two models touch, or one is free")
    @app_commands.describe(model="Who", other="Whom", apart="No longer")
    @app_commands.autocomplete(model=own_model, other=any_model)
    async def contact(interaction: It, model: str, other: str, apart: bool = False) -> None:
        await answer(interaction, SetContact(model, other, apart))

    @state.command(name="dominate", description="The summoner dominates his model")
    @app_commands.describe(model="Whom")
    @app_commands.autocomplete(model=own_model)
    async def dominate(interaction: It, model: str) -> None:
        await answer(interaction, Dominate(model))

    @state.command(name="dire", description="Who stands in a Dire effect: LD less its level")
    @app_commands.describe(models="Who, with commas", level="Its level; 0: no longer")
    @app_commands.autocomplete(models=model_list)
    async def dire(interaction: It, models: str, level: Level) -> None:
        await answer(interaction, InDire(models, level))

    @state.command(name="wake", description="Wake from Mind Surge")
    @app_commands.describe(
        model="Who sleeps", friend="Who wakes him; none: a test", hidden="No enemy in sight", odds="Chances"
    )
    @app_commands.autocomplete(model=own_model, friend=own_model)
    async def wake(
        interaction: It, model: str, friend: str = "", hidden: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, Wake(model, friend, hidden, odds))

    @state.command(name="explode", description="A wreck blows up")
    @app_commands.describe(
        wreck="Which",
        near="Within 1 in, with commas",
        soft="In soft cover",
        hard="In hard cover",
        hidden="No enemy in their sight",
        odds="Only the chances",
    )
    @app_commands.autocomplete(
        wreck=gone_model, near=model_list, soft=model_list, hard=model_list, hidden=model_list
    )
    async def explode(
        interaction: It,
        wreck: str,
        near: str = "",
        soft: str = "",
        hard: str = "",
        hidden: str = "",
        odds: bool = False,
    ) -> None:
        action = Explosion(
            roll=True,
            wreck=wreck,
            near_names=near,
            soft_names=soft,
            hard_names=hard,
            hidden_names=hidden,
            odds=odds,
        )
        await answer(interaction, action)


def _add_checks(group: app_commands.Group) -> None:
    check = app_commands.Group(name="check", description="Distances, without a roll", parent=group)

    @check.command(name="command", description="Is a model in command? It is remembered")
    @app_commands.describe(
        model="Who", distance="Inches to its leader", of="Another commander", altitude="Levels between flyers"
    )
    @app_commands.autocomplete(model=own_model, of=own_model)
    async def command(
        interaction: It, model: str, distance: Inches, of: str = "", altitude: Levels = 0
    ) -> None:
        await answer(interaction, InCommand(model, distance, of, altitude))

    @check.command(name="band", description="Which range band, and is it the rear?")
    @app_commands.describe(distance="Inches", bearing="Degrees off a vehicle's front")
    async def band(interaction: It, distance: Inches, bearing: Degrees | None = None) -> None:
        await answer(interaction, Band(distance, -1 if bearing is None else bearing))

    @check.command(name="gap", description="May a model pass?")
    @app_commands.describe(between="Whom", inches="How wide", overlap="Bases would overlap at the end")
    async def gap(
        interaction: It,
        between: Literal["same_squad", "friends", "enemies"],
        inches: Inches,
        overlap: bool = False,
    ) -> None:
        await answer(interaction, Gap(between, inches, overlap))
