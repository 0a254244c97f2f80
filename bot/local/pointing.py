"""Points the discord.py clients of this process at a local server instead of Discord.

Owns the three undocumented attributes of the library that hold Discord's addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import yarl
from discord import asset, gateway, http

API = "/api/v10"
GATEWAY = "/gateway"
FILES = "/cdn"
TOKEN = "local.table.token"  # noqa: S105 - made up; nothing but a local server accepts it


def gateway_url(url: str) -> str:
    """Return the websocket address that belongs to a server's `url`."""
    return str(yarl.URL(url).with_scheme("ws").with_path(GATEWAY))


@contextmanager
def client_settings(url: str) -> Iterator[None]:
    """Point every client of this process at the server at `url`; what was set before comes back at the end.

    Enter it before `Client.start(token)` and leave it after `Client.close()`.
    """
    old_settings = http.Route.BASE, gateway.DiscordWebSocket.DEFAULT_GATEWAY, asset.Asset.BASE
    http.Route.BASE = url + API
    gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url(url))
    asset.Asset.BASE = url + FILES
    try:
        yield
    finally:
        http.Route.BASE, gateway.DiscordWebSocket.DEFAULT_GATEWAY, asset.Asset.BASE = old_settings
