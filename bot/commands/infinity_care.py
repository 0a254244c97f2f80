"""/inf guts, heal, hide and the like: what happens around the attacks."""

from __future__ import annotations

from typing import Literal

from discord import app_commands

from bot.commands.infinity_options import Inches, Mod, Paid, Path, Stands, my_trooper
from bot.commands.options import It, any_model, any_side
from bot.games.infinity.care_play import Heal, Prone, Reconnect
from bot.games.infinity.debts import Guts
from bot.games.infinity.hide_play import NO_SENSOR, Appoint, Hide, Mine, Reveal
from bot.games.infinity.turn_play import UseStrategos
from bot.panels.answer import answer


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /inf."""
    _add_care(group)
    _add_hiding(group)


def _add_care(group: app_commands.Group) -> None:
    @group.command(name="guts", description="The Guts Roll that a trooper owes")
    @app_commands.describe(
        model="Who",
        how="Roll, or decided",
        odds="Show odds, roll nothing",
        ground="What it stands on",
        terrain="Its type: Mountain ...",
    )
    @app_commands.autocomplete(model=my_trooper)
    async def guts(
        interaction: It,
        model: str,
        how: Literal["roll", "fail", "pass"] = "roll",
        odds: bool = False,
        ground: Stands = "open",
        terrain: Path = "",
    ) -> None:
        await answer(interaction, Guts(model, how, odds, ground, terrain))

    @group.command(name="heal", description="Heal or repair an Unconscious trooper")
    @app_commands.describe(
        patient="Who is tended",
        means="With what; none: as the profiles say",
        mod="Further MOD",
        order="Which Order pays",
        odds="Show odds, roll nothing",
        healer="Who tends it; none: itself",
    )
    @app_commands.autocomplete(patient=any_model, healer=my_trooper)
    async def heal(
        interaction: It,
        patient: str,
        healer: str = "",
        means: Literal["doctor", "engineer", "medikit", "automedikit", "regeneration"] | None = None,
        mod: Mod = 0,
        order: Paid = "auto",
        odds: bool = False,
    ) -> None:
        await answer(interaction, Heal(patient, healer, means or "", mod, order, odds))

    @group.command(name="reconnect", description="An Engineer ends Isolated")
    @app_commands.describe(
        engineer="Which Engineer",
        patient="Who is tended",
        mod="Further MOD",
        order="Which Order pays",
        odds="Show odds, roll nothing",
    )
    @app_commands.autocomplete(engineer=my_trooper, patient=any_model)
    async def reconnect(
        interaction: It,
        engineer: str,
        patient: str,
        mod: Mod = 0,
        order: Paid = "auto",
        odds: bool = False,
    ) -> None:
        await answer(interaction, Reconnect(engineer, patient, mod, order, odds))

    @group.command(name="prone", description="Go Prone, or stand up")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=my_trooper)
    async def prone(interaction: It, model: str) -> None:
        await answer(interaction, Prone(model))


def _add_hiding(group: app_commands.Group) -> None:
    @group.command(name="hide", description="Deploy hidden, in secret; in the game: become a Marker")
    @app_commands.describe(
        model="Who",
        order="Which Order pays",
        state="How; none: as well as it can",
        sensor="Inches to an enemy with Sensor",
    )
    @app_commands.autocomplete(model=my_trooper)
    async def hide(
        interaction: It,
        model: str,
        state: Literal["hidden", "camouflaged", "to", "impersonation", "figure"] | None = None,
        sensor: Inches | None = None,
        order: Paid = "auto",
    ) -> None:
        await answer(interaction, Hide(model, state or "", NO_SENSOR if sensor is None else sensor, order))

    @group.command(name="reveal", description="Show the figure of a Marker, or place who is hidden")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=my_trooper)
    async def reveal(interaction: It, model: str) -> None:
        await answer(interaction, Reveal(model))

    @group.command(name="mine", description="What only your side knows, to you alone")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=my_trooper)
    async def mine(interaction: It, model: str = "") -> None:
        await answer(interaction, Mine(model))

    @group.command(name="lieutenant", description="Name your Lieutenant, in secret")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=my_trooper)
    async def lieutenant(interaction: It, model: str) -> None:
        await answer(interaction, Appoint(model))

    @group.command(name="strategos", description="Whether Strategos L1 is used at the next count")
    @app_commands.describe(use="Whether it is used", side="Whose")
    @app_commands.autocomplete(side=any_side)
    async def strategos(interaction: It, use: bool, side: str = "") -> None:
        await answer(interaction, UseStrategos(side, use))
