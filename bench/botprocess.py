"""A bot in a process of its own on a local server, for the load benchmark: URL DATABASE.

It starts as `python -m bot run` does, serves another server and has one command more, `/constant`.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discord import Interaction
    from discord.app_commands import CommandTree


class Everything:
    """Holds whatever is asked for."""

    def __contains__(self, command: object) -> bool:
        return True


def shoot_at_any_time() -> None:
    """Let models shoot in a game that has not begun: no activation bounds how many shots are measured."""
    from bot.games.counterblast.core import debts

    vars(debts)["ANYTIME"] = Everything()


def add_constant(tree: CommandTree[Any]) -> None:
    """A command that Discord's library answers by itself, as quickly as it can."""
    from discord import app_commands

    @app_commands.command(name="constant", description="Answers a constant.")
    async def constant(interaction: Interaction) -> None:
        await interaction.response.send_message("As ever.", ephemeral=True)

    tree.add_command(constant)


async def main(url: str, database: str) -> None:
    """Serve until a signal; one line on standard output tells that it is ready."""
    from bot import logs
    from bot.app import make_client, open_desk
    from bot.config import Config
    from bot.local.pointing import TOKEN, client_settings
    from bot.store.engine import database_url
    from bot.store.migration import migrate

    logs.set_up("error", "text")
    await migrate(database_url(database))
    shoot_at_any_time()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with open_desk(database_url(database)) as desk:
        gc.freeze()
        with client_settings(url):
            client = make_client(desk, Config(), everything=True, guild_ready_timeout=0.05)
            add_constant(client.tree)
            async with client:
                await client.login(TOKEN)
                running = asyncio.create_task(client.connect())
                await client.wait_until_ready()
                print("ready", flush=True)
                await stop.wait()
                await client.close()
                await running


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
