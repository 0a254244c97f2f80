"""/cb: fighting, charging, leaving a melee, hiding, Overwatch, shooting together."""

from __future__ import annotations

from discord import app_commands

from bot.commands.counterblast_options import (
    ODDS,
    ORDER,
    SYSTEM,
    Inches,
    carried_weapon,
    ground_in,
)
from bot.commands.options import LONGEST_TYPED, Choices, It, any_model, choices, encounter_of, own_model
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.shooting.overwatch_play import Overwatch
from bot.games.counterblast.shooting.watching import Interrupt
from bot.panels.answer import answer
from bot.table.names import suggestions


async def next_name(interaction: It, typed: str) -> Choices:
    """Names of models for the end of a list: Sally>Smap, Angus>..."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    cut = max(typed.rfind(","), typed.rfind(">")) + 1
    kept, last = typed[:cut], typed[cut:].strip()
    blank = " " if kept.endswith(",") else ""
    found = suggestions(last, [model.name for model in encounter.models()])
    return choices([kept + blank + name for name in found if len(kept) + len(name) < LONGEST_TYPED])


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /cb."""
    _add_charge(group)
    _add_waiting(group)


def _add_charge(group: app_commands.Group) -> None:
    @group.command(name="charge", description="Charge a model: move into contact and attack")
    @app_commands.describe(
        charger="Who charges",
        target="Whom",
        distance="Inches to the target",
        weapon="With what; none: its best for melee",
        terrain="Inches that barriers cost",
        rugged="Rugged ground, by rating or place: 2 1, slick",
        burrow="Underground",
        impassable="The way crosses Impassable ground",
        gap="Inches left between the bases, with Reach",
        helpers="Who steps in within 1 in, or nobody; none: ask",
        also="Who charges too: Skip at 5, HOpR at 7",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(
        charger=own_model, target=any_model, weapon=carried_weapon, helpers=next_name, also=next_name
    )
    async def charge(
        interaction: It,
        charger: str,
        target: str,
        distance: Inches,
        weapon: str = "",
        terrain: Inches = 0.0,
        gap: Inches = 0.0,
        helpers: str = "",
        rugged: str = "",
        burrow: bool = False,
        impassable: bool = False,
        also: str = "",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        ratings, ground = ground_in(rugged)
        way = (ratings, burrow, ground, impassable)
        action = Charge(charger, target, distance, weapon, terrain, gap, order, helpers, odds, *way, also)
        await answer(interaction, action)


def _add_waiting(group: app_commands.Group) -> None:
    @group.command(name="overwatch", description="Go on Overwatch; without a model: fire from it")
    @app_commands.describe(model="Who waits; none: show who may fire now")
    @app_commands.autocomplete(model=own_model)
    async def overwatch(interaction: It, model: str = "") -> None:
        await answer(interaction, Overwatch(model) if model else Interrupt())
