"""/cb shoot, check, template, panic, rally, casualty: the rolls that every game needs."""

from __future__ import annotations

from typing import Literal

from discord import app_commands

from bot.commands.counterblast_combat import next_name
from bot.commands.counterblast_options import ODDS, ORDER, Cover, Dice, Inches, any_cloud, carried_weapon
from bot.commands.options import It, any_model, own_model
from bot.games.counterblast.shooting.recalled import AS_BEFORE
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_play import Template
from bot.games.counterblast.upkeep.casualty_play import Casualties
from bot.panels.answer import answer

Ability = Literal["STR", "AGL", "INT", "PSI", "initiative", "engineering", "medical", "technology"]
Target = app_commands.Range[int, 1, 15]
Edge = app_commands.Range[int, -5, 5]
Level = app_commands.Range[int, 1, 60]
Bearing = app_commands.Range[float, -180, 180]


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /cb."""
    _add_attacks(group)
    _add_nerves(group)


def _add_attacks(group: app_commands.Group) -> None:
    @group.command(name="shoot", description="Shoot at a model")
    @app_commands.describe(
        shooter="Who shoots",
        target="At whom",
        distance="Inches between them; none: as before",
        cover="The target's cover, 0 to 3; none: as before",
        weapon="With what; none: its first",
        how="Aim, Run and Gun ...",
        order=ORDER,
        friend="Whom misses hit, in a melee",
        dice="Dice at the first target; none: an even share",
        also="Further targets: Smap 2 at 7 cover 1, Trapper at 9 with Slugger",
        bearing="Degrees off the middle of its field",
        mount="How it is mounted; kept from then on",
        cloud="A cloud in the way, and how it lies",
        odds=ODDS,
    )
    @app_commands.autocomplete(
        shooter=own_model,
        target=any_model,
        weapon=carried_weapon,
        friend=own_model,
        also=next_name,
        cloud=any_cloud,
    )
    async def shoot(
        interaction: It,
        shooter: str,
        target: str,
        distance: Inches | None = None,
        cover: Cover | None = None,
        weapon: str = "",
        how: Literal["shoot", "aim", "run and gun", "full auto", "overwatch", "snap"] = "shoot",
        order: bool = False,
        friend: str = "",
        dice: Dice | None = None,
        also: str = "",
        bearing: Bearing = 0.0,
        mount: Literal["pintle", "turret"] | None = None,
        cloud: str = "",
        odds: bool = False,
    ) -> None:
        action = Shoot(
            shooter,
            target,
            AS_BEFORE if distance is None else distance,
            AS_BEFORE if cover is None else cover,
            weapon,
            how,
            order,
            friend,
            dice=dice or 0,
            odds=odds,
            bearing=bearing,
            mount=mount or "",
            cloud=cloud,
            also=also,
        )
        await answer(interaction, action)

    @group.command(name="template", description="Fire a spray, a line or a round template")
    @app_commands.describe(
        firer="Who fires",
        distance="Inches to the spot",
        weapon="With what; none: the first with a template",
        under="Who is wholly under it, with commas",
        partly="Who is partly under it, with commas",
        sight="In sight, seen by a spotter, or blind",
        spotter="The crew mate who sees the spot",
        cover="Their cover, 0 to 3",
        landed="Fired before: roll for those under it",
        bearing="Degrees off the middle of its field",
        mount="How it is mounted; kept from then on",
        how="Aim, or fire from Overwatch",
        target="From Overwatch: the enemy at whom",
        cloud="A cloud in the way, and how it lies",
        covers="Cover of single models: Smap=2, Trapper=1",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(
        firer=own_model, weapon=carried_weapon, spotter=own_model, target=any_model, cloud=any_cloud
    )
    async def template(
        interaction: It,
        firer: str,
        distance: Inches = 0.0,
        weapon: str = "",
        under: str = "",
        partly: str = "",
        sight: Literal["in sight", "spotter", "blind"] = "in sight",
        spotter: str = "",
        cover: Cover = 0,
        landed: bool = False,
        bearing: Bearing = 0.0,
        mount: Literal["pintle", "turret"] | None = None,
        how: Literal["shoot", "aim", "overwatch"] = "shoot",
        target: str = "",
        cloud: str = "",
        covers: str = "",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        seen = (sight, spotter, order, under, partly, cover, landed, odds, bearing, mount or "")
        action = Template(firer, weapon, distance, *seen, how, target, cloud, covers)
        await answer(interaction, action)


def _add_nerves(group: app_commands.Group) -> None:
    @group.command(name="casualty", description="Show who is down or lost, to you alone")
    async def casualty(interaction: It) -> None:
        await answer(interaction, Casualties())
