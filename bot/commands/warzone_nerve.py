"""/wz morale, rally, ld, spot, channel, chart: nerves, eyes and powers."""

from __future__ import annotations

from typing import Literal, TypeAlias

from discord import app_commands

from bot.commands.options import It, any_model, own_model
from bot.commands.warzone_options import any_squad
from bot.games.warzone.hand_play import RollChart
from bot.games.warzone.nerve_play import LdTest, Morale, Rally
from bot.games.warzone.power_play import Channel, Concentrate
from bot.games.warzone.spot_play import Spot
from bot.panels.answer import answer

Dire: TypeAlias = app_commands.Range[int, 0, 10]
Magnitude: TypeAlias = app_commands.Range[int, 0, 40]
Cost: TypeAlias = app_commands.Range[int, 1, 10]
Modifier: TypeAlias = app_commands.Range[int, -20, 20]
Inches: TypeAlias = app_commands.Range[float, 0, 200]


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /wz."""
    _add_morale(group)
    _add_tests(group)
    _add_powers(group)


def _add_morale(group: app_commands.Group) -> None:
    @group.command(name="morale", description="A morale test")
    @app_commands.describe(
        squad="Which squad, for its losses",
        model="Or one model, for an effect on it",
        dire="Level of the Dire effect there",
        hidden="No enemy in its sight",
        effect="The ability or power that calls for it",
        odds="Only the chances",
    )
    @app_commands.autocomplete(squad=any_squad, model=any_model)
    async def morale(
        interaction: It,
        squad: str = "",
        model: str = "",
        dire: Dire = 0,
        hidden: bool = False,
        effect: str = "",
        odds: bool = False,
    ) -> None:
        await answer(interaction, Morale(squad, model, dire, hidden, effect=effect, odds=odds))

    @group.command(name="rally", description="A leader rallies a squad")
    @app_commands.describe(
        leader="Who rallies",
        squad="Whom; none: his own",
        lender="A friend whose better LD he borrows",
        distance="Inches to the squad's farthest",
        lender_distance="Inches to the lender",
        dire="Level of the Dire effect there",
        hidden="No enemy in his sight",
        odds="Only the chances",
    )
    @app_commands.autocomplete(leader=own_model, squad=any_squad, lender=own_model)
    async def rally(
        interaction: It,
        leader: str,
        squad: str = "",
        lender: str = "",
        distance: Inches = 0.0,
        lender_distance: Inches | None = None,
        dire: Dire = 0,
        hidden: bool = False,
        odds: bool = False,
    ) -> None:
        lent_from = -1.0 if lender_distance is None else lender_distance
        await answer(interaction, Rally(leader, squad, lender, distance, lent_from, dire, hidden, odds))


def _add_tests(group: app_commands.Group) -> None:
    @group.command(name="ld", description="Any other LD test")
    @app_commands.describe(
        model="Who tests",
        modifier="Of the situation",
        reason="What it is for",
        dire="Level of the Dire effect there",
        hidden="No enemy in its sight",
        odds="Only the chances",
    )
    @app_commands.autocomplete(model=own_model)
    async def ld(
        interaction: It,
        model: str,
        modifier: Modifier = 0,
        reason: str = "",
        dire: Dire = 0,
        hidden: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, LdTest(model, modifier, reason, dire, hidden, odds))

    @group.command(name="spot", description="Spot a concealed model")
    @app_commands.describe(
        spotter="Who looks", target="For whom", afraid="Under Fear, Dire or the like", odds="Only the chances"
    )
    @app_commands.autocomplete(spotter=own_model, target=any_model)
    async def spot(
        interaction: It, spotter: str, target: str, afraid: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, Spot(spotter, target, afraid, odds))

    @group.command(name="chart", description="Roll on a chart, with all that follows")
    @app_commands.describe(
        chart="Which",
        model="For whom",
        magnitude="Of the power (backlash)",
        summoner="Whose it is (rampage)",
        odds="Only the chances",
    )
    @app_commands.autocomplete(model=any_model, summoner=any_model)
    async def chart(
        interaction: It,
        chart: Literal["unhinged", "amok", "backlash", "rampage", "wreck", "passenger", "system"],
        model: str,
        magnitude: Magnitude = 0,
        summoner: str = "",
        odds: bool = False,
    ) -> None:
        await answer(interaction, RollChart(chart, model, magnitude, summoner, odds))


def _add_powers(group: app_commands.Group) -> None:
    @group.command(name="channel", description="Channel a supernatural power")
    @app_commands.describe(
        model="Who channels",
        magnitude="How hard it is",
        cost="Actions it takes",
        target="At whom",
        power="What it is called",
        odds="Only the chances",
    )
    @app_commands.autocomplete(model=own_model, target=any_model)
    async def channel(
        interaction: It,
        model: str,
        magnitude: Magnitude,
        cost: Cost = 1,
        target: str = "",
        power: str = "",
        odds: bool = False,
    ) -> None:
        await answer(interaction, Channel(model, magnitude, cost, target, power, odds))

    @group.command(name="concentrate", description="+2 PW for the next action")
    @app_commands.describe(model="Who concentrates", hidden="No enemy in its sight")
    @app_commands.autocomplete(model=own_model)
    async def concentrate(interaction: It, model: str, hidden: bool = False) -> None:
        await answer(interaction, Concentrate(model, hidden))
