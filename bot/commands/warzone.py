"""/wz: what players of Ultimate Warzone do."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from discord import app_commands

from bot.commands import warzone_field, warzone_nerve
from bot.commands.options import It, any_model, own_model
from bot.commands.warzone_options import (
    Cover,
    any_squad,
    carried_weapon,
    model_list,
    reach,
    terrain_kinds,
)
from bot.games.warzone.break_play import BreakAway
from bot.games.warzone.fight_play import Charge, Fight
from bot.games.warzone.shoot_play import Aim, Shoot
from bot.games.warzone.template_play import Template
from bot.games.warzone.turn_actions import Activate, Done
from bot.games.warzone.wait_actions import React, Wait
from bot.panels.answer import answer

Smoke: TypeAlias = app_commands.Range[int, 0, 20]
Angle: TypeAlias = app_commands.Range[int, 0, 180]
Number: TypeAlias = app_commands.Range[int, 1, 20]
Inches: TypeAlias = app_commands.Range[float, 0, 200]


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="wz", description="Ultimate Warzone", guild_only=True)
    _add_turn(group)
    _add_shooting(group)
    _add_fighting(group)
    _add_waiting(group)
    warzone_nerve.add_to(group)
    warzone_field.add_to(group)
    tree.add_command(group)


def _add_turn(group: app_commands.Group) -> None:
    @group.command(name="activate", description="A unit acts")
    @app_commands.describe(
        unit="Which unit", by="The commander who orders it out of turn", hidden="No enemy in his sight"
    )
    @app_commands.autocomplete(unit=any_squad, by=own_model)
    async def activate(interaction: It, unit: str, by: str = "", hidden: bool = False) -> None:
        await answer(interaction, Activate(unit, by, hidden))

    @group.command(name="done", description="The acting unit has finished")
    @app_commands.describe(model="Only this model of it", step="Acting together: go on to this")
    @app_commands.autocomplete(model=own_model)
    async def done(interaction: It, model: str = "", step: Literal["attacks", "rest"] | None = None) -> None:
        await answer(interaction, Done(model, step or ""))


def _add_shooting(group: app_commands.Group) -> None:
    @group.command(name="shoot", description="Shoot at a model")
    @app_commands.describe(
        firer="Who shoots",
        target="At whom",
        distance="Inches, or a band: PB, SR, MR, LR, ER",
        cover="What the target is in",
        weapon="With what; none: its first",
        smoke="Highest smoke level in the line",
        angle="Degrees off the firer's front",
        gap="Inches between friends in the way",
        gunner="It serves a mounted weapon",
        rear="From behind a vehicle",
        hidden="No enemy in its sight",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(firer=own_model, target=any_model, distance=reach, weapon=carried_weapon)
    async def shoot(
        interaction: It,
        firer: str,
        target: str,
        distance: str,
        cover: Cover = "none",
        weapon: str = "",
        smoke: Smoke = 0,
        angle: Angle = 0,
        gap: Inches | None = None,
        gunner: bool = False,
        rear: bool = False,
        hidden: bool = False,
        odds: bool = False,
    ) -> None:
        action = Shoot(
            firer,
            target,
            distance,
            cover,
            weapon,
            smoke,
            angle,
            -1.0 if gap is None else gap,
            gunner,
            rear,
            hidden,
            odds,
        )
        await answer(interaction, action)

    @group.command(name="template", description="Fire a template weapon")
    @app_commands.describe(
        firer="Who fires",
        target="The aiming point",
        distance="Inches, or a band",
        under="All under it, with commas; none: the target",
        partly="Covered in part, with commas",
        cover="What the target is in",
        weapon="With what",
        smoke="Highest smoke level in the line",
        angle="Degrees off the firer's front",
        gap="Inches between friends in the way",
        gunner="It serves a mounted weapon",
        rear="From behind a vehicle",
        hidden="No enemy in its sight",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(
        firer=own_model,
        target=any_model,
        distance=reach,
        under=model_list,
        partly=model_list,
        weapon=carried_weapon,
    )
    async def template(
        interaction: It,
        firer: str,
        target: str,
        distance: str,
        under: str = "",
        partly: str = "",
        cover: Cover = "none",
        weapon: str = "",
        smoke: Smoke = 0,
        angle: Angle = 0,
        gap: Inches | None = None,
        gunner: bool = False,
        rear: bool = False,
        hidden: bool = False,
        odds: bool = False,
    ) -> None:
        action = Template(
            firer,
            target,
            distance,
            under,
            partly,
            cover,
            weapon,
            smoke,
            angle,
            -1.0 if gap is None else gap,
            gunner,
            rear,
            hidden,
            odds=odds,
        )
        await answer(interaction, action)

    @group.command(name="aim", description="Aim at one target: +3")
    @app_commands.describe(firer="Who aims", target="At whom")
    @app_commands.autocomplete(firer=own_model, target=any_model)
    async def aim(interaction: It, firer: str, target: str) -> None:
        await answer(interaction, Aim(firer, target))


def _add_fighting(group: app_commands.Group) -> None:
    @group.command(name="charge", description="Charge an enemy")
    @app_commands.describe(
        model="Who charges",
        target="Whom",
        cover="Across cover: no bonus",
        distance="Inches",
        terrain="The worst ground; several with +",
        odds="Only the first strike's chances",
    )
    @app_commands.autocomplete(model=own_model, target=any_model, terrain=terrain_kinds)
    async def charge(
        interaction: It,
        model: str,
        target: str,
        cover: bool = False,
        distance: Inches | None = None,
        terrain: str = "normal",
        odds: bool = False,
    ) -> None:
        inches = -1.0 if distance is None else distance
        await answer(interaction, Charge(model, target, cover, inches, terrain, odds))

    @group.command(name="fight", description="Strike in close combat")
    @app_commands.describe(
        attacker="Who strikes",
        target="Whom",
        weapon="With what; none: its first",
        attackers="How many attack it; none: counted",
        place="Where the target stands",
        secondary="The extra attack of a second weapon",
        rear="From behind a vehicle",
        hidden="No enemy in its sight",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(attacker=own_model, target=any_model, weapon=carried_weapon)
    async def fight(
        interaction: It,
        attacker: str,
        target: str,
        weapon: str = "",
        attackers: Number | None = None,
        place: Literal["open", "wall", "doorway"] = "open",
        secondary: bool = False,
        rear: bool = False,
        hidden: bool = False,
        odds: bool = False,
    ) -> None:
        action = Fight(
            attacker, target, weapon, attackers or 0, place, secondary, rear, hidden=hidden, odds=odds
        )
        await answer(interaction, action)

    @group.command(name="break", description="Break away from close combat")
    @app_commands.describe(model="Who leaves", let_go="The enemy lets it go", odds="Only the chances")
    @app_commands.autocomplete(model=own_model)
    async def break_away(interaction: It, model: str, let_go: bool = False, odds: bool = False) -> None:
        await answer(interaction, BreakAway(model, let_go, odds))


def _add_waiting(group: app_commands.Group) -> None:
    @group.command(name="wait", description="Keep the last action for later")
    @app_commands.describe(model="Who waits")
    @app_commands.autocomplete(model=own_model)
    async def wait(interaction: It, model: str) -> None:
        await answer(interaction, Wait(model))

    @group.command(name="react", description="A model on wait reacts")
    @app_commands.describe(
        model="Who reacts",
        how="What it does",
        enemy="To whom",
        to="What the enemy does",
        hidden="No enemy in its sight",
        odds="Only the chances",
    )
    @app_commands.autocomplete(model=own_model, enemy=any_model)
    async def react(
        interaction: It,
        model: str,
        how: Literal["fire", "spot", "dive", "countercharge", "brace", "withdraw"],
        enemy: str,
        to: Literal["move", "charge", "template"] = "move",
        hidden: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, React(model, how, enemy, to, hidden, odds))
