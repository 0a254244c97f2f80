"""/cb heal, repair, tech and move; /cb field and fire have a module of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from discord import app_commands

from bot.commands import counterblast_ground
from bot.commands.counterblast_options import (
    ODDS,
    ORDER,
    Inches,
    Rating,
    any_task,
    ground_in,
    names_in,
)
from bot.commands.options import It, any_model, own_model
from bot.games.counterblast.gear.skill_play import Treat
from bot.games.counterblast.gear.task_play import DropTask, Work
from bot.games.counterblast.movement.fall_play import TakeFall
from bot.games.counterblast.movement.move_play import AtEdge, Flee, Move
from bot.panels.answer import answer

Moves = app_commands.Range[int, 1, 2]
Target = app_commands.Range[int, 2, 15]
Needed = app_commands.Range[int, 1, 50]


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /cb."""
    _add_skills(group)
    _add_moves(group)
    counterblast_ground.add_to(group)


def _add_skills(group: app_commands.Group) -> None:
    @group.command(name="heal", description="Treat a living model")
    @app_commands.describe(
        medic="Who treats", patient="Whom", team="Helpers, with commas", order=ORDER, odds=ODDS
    )
    @app_commands.autocomplete(medic=own_model, patient=any_model)
    async def heal(
        interaction: It, medic: str, patient: str, team: str = "", order: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, Treat(medic, "medicine", order, names_in(team), odds=odds, patient=patient))

    @group.command(name="repair", description="Repair a machine")
    @app_commands.describe(
        worker="Who repairs", patient="What", team="Helpers, with commas", order=ORDER, odds=ODDS
    )
    @app_commands.autocomplete(worker=own_model, patient=any_model)
    async def repair(
        interaction: It, worker: str, patient: str, team: str = "", order: bool = False, odds: bool = False
    ) -> None:
        action = Treat(worker, "engineering", order, names_in(team), odds=odds, patient=patient)
        await answer(interaction, action)

    @group.command(name="tech", description="Work at a task; successes add up")
    @app_commands.describe(
        worker="Who works",
        task="Its name; a new one begins it",
        skill="Of a new task",
        target="Of a new task, 7",
        needed="Successes of a new task, 1",
        purpose="What for",
        team="Helpers, with commas",
        drop="Take the task off the table",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(worker=own_model, task=any_task)
    async def tech(
        interaction: It,
        worker: str,
        task: str,
        skill: Literal["technology", "engineering", "medicine"] = "technology",
        target: Target | None = None,
        needed: Needed | None = None,
        purpose: Literal["objective", "salvage", "build", "lock"] | None = None,
        team: str = "",
        drop: bool = False,
        order: bool = False,
        odds: bool = False,
    ) -> None:
        if drop:
            await answer(interaction, DropTask(task))
            return
        helpers = names_in(team)
        action = Work(
            worker, skill, order, helpers, False, 0, odds, task, target or 0, needed or 0, purpose or ""
        )
        await answer(interaction, action)


def _add_moves(group: app_commands.Group) -> None:
    move = app_commands.Group(name="move", description="Moving, climbing, falling", parent=group)

    @move.command(name="go", description="Move, and how far that is")
    @app_commands.describe(
        model="Who",
        moves="1 or 2",
        rugged="Rugged ground, by rating or place: 2 1, slick",
        height="Of a barrier crossed",
        depth="Of the barrier",
        barrier="The barrier's Rugged rating",
        contact="Inches carried together",
        helper="Who carries the heavy weapon too",
        tall="How tall it is, to step over a barrier",
        base="How wide its base is, to step over",
        impassable="The way crosses Impassable ground",
        end="What it ends on, where that is not free",
        carry="Whom a flyer takes along, half as far",
        burrow="Underground: how the Move ends",
        on="What it goes on, from now on",
        inches="How far, in low gravity",
        order=ORDER,
        odds="Only show how far",
    )
    @app_commands.autocomplete(model=own_model, carry=own_model, helper=own_model)
    async def go(
        interaction: It,
        model: str,
        moves: Moves = 1,
        rugged: str = "",
        height: Inches = 0.0,
        depth: Inches = 0.0,
        barrier: Rating = 0,
        contact: Inches = 0.0,
        inches: Inches = 0.0,
        carry: str = "",
        burrow: Literal["come up", "stay under"] | None = None,
        on: Literal["legs", "wheels", "tracks"] | None = None,
        helper: str = "",
        tall: Inches = 0.0,
        base: Inches = 0.0,
        impassable: bool = False,
        end: Literal["on a model", "on impassable ground"] | None = None,
        order: bool = False,
        odds: bool = False,
    ) -> None:
        ratings, ground = ground_in(rugged)
        action = Move(model, moves, ratings, height, depth, barrier, contact, inches, order, odds, carry)
        action = replace(action, burrow=burrow or "", goes_on=on or "", helper=helper, tall=tall, base=base)
        action = replace(action, impassable=impassable, end=end or "", ground=ground)
        await answer(interaction, action)

    @move.command(name="flee", description="A panicked model runs for the edge")
    @app_commands.describe(model="Who", edge="It reaches the table edge")
    @app_commands.autocomplete(model=own_model)
    async def flee(interaction: It, model: str, edge: bool = False) -> None:
        await answer(interaction, AtEdge(model) if edge else Flee(model))

    _add_falls(move)


def _add_falls(move: app_commands.Group) -> None:
    @move.command(name="fall", description="Fall, and strike who is below")
    @app_commands.describe(model="Who", height="Inches", onto="Ask who is below", odds=ODDS)
    @app_commands.autocomplete(model=own_model)
    async def fall(
        interaction: It, model: str, height: Inches = 0.0, onto: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, TakeFall(model, height, ask=onto and not odds, odds=odds))
