"""A small bot on the real client, with one command for every kind of traffic."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import discord
from discord import app_commands, ui


class Panel(ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="Draw", custom_id="panel:draw")
    async def draw(self, interaction: discord.Interaction, _: ui.Button[Panel]) -> None:
        await interaction.response.edit_message(content="drawn")

    @ui.button(label="Ask", custom_id="panel:ask")
    async def ask(self, interaction: discord.Interaction, _: ui.Button[Panel]) -> None:
        await interaction.response.send_modal(Form())

    @ui.button(label="Later", custom_id="panel:later")
    async def later(self, interaction: discord.Interaction, _: ui.Button[Panel]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="later")

    @ui.select(
        placeholder="Pick",
        custom_id="panel:pick",
        max_values=2,
        options=[discord.SelectOption(label=each, value=each.lower()) for each in ("Ann", "Bo", "Cy")],
    )
    async def pick(self, interaction: discord.Interaction, select: ui.Select[Panel]) -> None:
        await interaction.response.send_message(" ".join(select.values), ephemeral=True)


class Form(ui.Modal, title="How many?"):
    amount: ui.TextInput[Form] = ui.TextInput(label="Amount", custom_id="amount", max_length=3)
    reason: ui.Label[Form] = ui.Label(
        text="Reason",
        component=ui.Select(
            custom_id="reason",
            options=[discord.SelectOption(label="Wound"), discord.SelectOption(label="Fear")],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        select = self.reason.component
        assert isinstance(select, ui.Select)
        await interaction.response.send_message(f"{self.amount.value} {select.values[0]}", ephemeral=True)


class SampleBot(discord.Client):
    def __init__(self, intents: discord.Intents | None = None, **options: Any) -> None:
        super().__init__(
            intents=intents or discord.Intents(guilds=True, guild_messages=True),
            guild_ready_timeout=0.02,
            **options,
        )
        self.tree = app_commands.CommandTree(self)
        self.errors: list[BaseException] = []
        self.seen: list[discord.Message] = []
        self.resumed = 0
        self.tree.error(self._failed)
        _commands(self.tree)

    async def _failed(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        self.errors.append(getattr(error, "original", error))

    async def setup_hook(self) -> None:
        self.add_view(Panel())
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        return

    async def on_message(self, message: discord.Message) -> None:
        self.seen.append(message)

    async def on_resumed(self) -> None:
        self.resumed += 1


def _commands(tree: app_commands.CommandTree[Any]) -> None:
    @tree.command(description="Every kind of option")
    @app_commands.choices(
        colour=[app_commands.Choice(name="Red", value="r"), app_commands.Choice(name="Blue", value="b")]
    )
    async def every(
        interaction: discord.Interaction,
        text: app_commands.Range[str, 2, 10],
        count: app_commands.Range[int, 1, 6],
        factor: app_commands.Range[float, 0.0, 2.0],
        hidden: bool,
        who: discord.Member,
        where: discord.TextChannel,
        role: discord.Role,
        anyone: discord.Member | discord.Role,
        paper: discord.Attachment,
        colour: str = "r",
    ) -> None:
        size = len(await paper.read())
        await interaction.response.send_message(
            f"{text} {count} {factor} {hidden} {who.display_name} {where.name} {role.name} {anyone.id} "
            f"{size} {colour}",
            ephemeral=hidden,
        )

    group = app_commands.Group(name="bag", description="The bag")
    inner = app_commands.Group(name="token", description="Its tokens", parent=group)
    tree.add_command(group)

    @group.command(description="Draw from the bag")
    async def draw(interaction: discord.Interaction, amount: int = 1) -> None:
        await interaction.response.send_message(f"{amount} drawn")

    @inner.command(description="Add tokens")
    async def add(interaction: discord.Interaction, side: str) -> None:
        await interaction.response.send_message(f"{side} added")

    @add.autocomplete("side")
    async def sides(_: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        names = ["Salt", "Sulphur", "Mercury"]
        return [
            app_commands.Choice(name=each, value=each.lower()) for each in names if each.startswith(current)
        ]

    @tree.command(description="Embed, file and buttons")
    async def panel(interaction: discord.Interaction) -> None:
        embed = discord.Embed(title="Panel", description="press").set_image(url="attachment://map.png")
        file = discord.File(io.BytesIO(b"\x89PNG"), "map.png", description="the map")
        view = Panel()
        await interaction.response.send_message("press", embed=embed, file=file, view=view)
        view.stop()

    @tree.command(description="Defer, then answer in parts")
    async def slow(interaction: discord.Interaction, hidden: bool = False) -> None:
        await interaction.response.defer(ephemeral=hidden)
        await interaction.followup.send("first")
        await interaction.followup.send("second", ephemeral=True)
        await interaction.edit_original_response(content="first, edited")
        assert (await interaction.original_response()).content == "first, edited"

    @tree.command(description="Never answers")
    async def mute(interaction: discord.Interaction) -> None:
        return

    @tree.command(description="Waits")
    async def wait(interaction: discord.Interaction, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await interaction.response.send_message("waited")

    @tree.command(description="Writes into the channel")
    async def write(interaction: discord.Interaction, text: str) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        assert isinstance(interaction.channel, discord.abc.Messageable)
        message = await interaction.channel.send(text)
        await message.edit(content=text + "!")
        await interaction.delete_original_response()

    @tree.command(description="The second layout")
    async def layout(interaction: discord.Interaction) -> None:
        view = ui.LayoutView(timeout=None)
        button: ui.Button[Any] = ui.Button(label="Draw", custom_id="panel:draw2")
        view.add_item(
            ui.Container(
                ui.Section("**Sal** shoots", accessory=button), ui.Separator(), ui.TextDisplay("hit")
            )
        )
        await interaction.response.send_message(view=view)

    @tree.command(description="Hosts only")
    @app_commands.default_permissions(manage_guild=True)
    async def host(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("host")
