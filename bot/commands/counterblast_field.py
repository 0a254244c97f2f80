"""/cb heal, repair, tech and move; /cb field and fire have a module of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from discord import app_commands

from bot.commands import counterblast_ground
from bot.commands.counterblast_options import (
    ODDS,
    ORDER,
    Grade,
    Inches,
    Rating,
    Whole,
    any_task,
    ground_in,
    names_in,
)
from bot.commands.options import It, any_model, own_model
from bot.games.counterblast.gear.skill_play import Treat
from bot.games.counterblast.gear.task_play import DropTask, Work
from bot.games.counterblast.melee.contact import Pounce
from bot.games.counterblast.movement.climb_play import Climb, Leap, SetHeight
from bot.games.counterblast.movement.fall_play import HoldOn, TakeFall
from bot.games.counterblast.movement.move_play import AtEdge, Flee, LieDown, Move, StandUp
from bot.panels.answer import answer

Moves = app_commands.Range[int, 1, 2]
Target = app_commands.Range[int, 2, 15]
Needed = app_commands.Range[int, 1, 50]
Climbed = app_commands.Range[int, -20, 20]


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

    @move.command(name="pounce", description="Leap at an enemy, 6 in: Hidden or an Infiltrator")
    @app_commands.describe(model="Who", target="At whom", distance="Inches")
    @app_commands.autocomplete(model=own_model, target=any_model)
    async def pounce(interaction: It, model: str, target: str, distance: Inches) -> None:
        await answer(interaction, Pounce(model, target, distance))

    @move.command(name="prone", description="Lie down")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=own_model)
    async def prone(interaction: It, model: str) -> None:
        await answer(interaction, LieDown(model))

    @move.command(name="stand", description="Get up")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=own_model)
    async def stand(interaction: It, model: str) -> None:
        await answer(interaction, StandUp(model))

    @move.command(name="flee", description="A panicked model runs for the edge")
    @app_commands.describe(model="Who", edge="It reaches the table edge")
    @app_commands.autocomplete(model=own_model)
    async def flee(interaction: It, model: str, edge: bool = False) -> None:
        await answer(interaction, AtEdge(model) if edge else Flee(model))

    _add_falls(move)
    _add_climbing(move)


def _add_falls(move: app_commands.Group) -> None:
    @move.command(name="fall", description="Fall, and strike who is below")
    @app_commands.describe(model="Who", height="Inches", onto="Ask who is below", odds=ODDS)
    @app_commands.autocomplete(model=own_model)
    async def fall(
        interaction: It, model: str, height: Inches = 0.0, onto: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, TakeFall(model, height, ask=onto and not odds, odds=odds))

    @move.command(name="hold", description="Hurt at an edge: try not to fall")
    @app_commands.describe(model="Who", height="Inches up", order=ORDER, odds=ODDS)
    @app_commands.autocomplete(model=own_model)
    async def hold(
        interaction: It, model: str, height: Inches = 0.0, order: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, HoldOn(model, height, order, odds))


def _add_climbing(move: app_commands.Group) -> None:
    @move.command(name="climb", description="Climb for one Move")
    @app_commands.describe(
        model="Who", inches="Up; down below 0", rugged="3 where not made for it", order=ORDER, odds=ODDS
    )
    @app_commands.autocomplete(model=own_model)
    async def climb(
        interaction: It,
        model: str,
        inches: Climbed,
        rugged: Grade = 3,
        order: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, Climb(model, inches, rugged, order, odds))

    @move.command(name="jump", description="Jump over a gap")
    @app_commands.describe(
        model="Who",
        gap="Inches across",
        drop="Inches down at the edge",
        rise="Inches that the far side is higher",
        on="What it goes on",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(model=own_model)
    async def jump(
        interaction: It,
        model: str,
        gap: Inches,
        drop: Whole = 0,
        rise: Inches = 0.0,
        on: Literal["legs", "wheels", "tracks"] | None = None,
        order: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, Leap(model, gap, drop, rise, on or "", order, odds))

    @move.command(name="height", description="Say how high a model stands")
    @app_commands.describe(model="Who", inches="How high")
    @app_commands.autocomplete(model=own_model)
    async def height(interaction: It, model: str, inches: Whole) -> None:
        await answer(interaction, SetHeight(model, inches))
