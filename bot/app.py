"""Puts the bot together: which games and commands it has, its store, its desk and its client."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any, cast

import discord
from discord import app_commands
from sqlalchemy.engine import URL

from bot.client import Adjutant, ShardedAdjutant
from bot.commands import do_command, guide, message_menu
from bot.commands.typed import add_typed
from bot.config import Config
from bot.games import PLAYED
from bot.panels.answer import Host
from bot.panels.board import PAUSE_SECONDS, PanelKeeper
from bot.store.engine import make_engines
from bot.store.reads import CardPlace
from bot.store.store import Store
from bot.table.bringing import list_export, list_import
from bot.table.campaign import (
    administration,
    campaign_crews,
    campaign_games,
    campaign_luck,
    campaign_report,
    campaign_views,
    campaigns,
    corrections,
    fixture_dates,
    records,
    season,
    story,
)
from bot.table.complete import register_game
from bot.table.desk import Desk
from bot.table.encounter import Encounter
from bot.table.game import Game
from bot.table.journal import history, log
from bot.table.luck import luck_actions
from bot.table.odds import best, comparing, matchup, targets
from bot.table.referee import film, replay_story
from bot.table.rolling import dice_settings, entering, rolls
from bot.table.rosters import builder, crews, gate, printing, statblocks
from bot.table.session import (
    arrivals,
    board_actions,
    encounters,
    games,
    joining,
    lesson,
    models,
    possible_actions,
    preparations,
    privacy,
    reactions,
    saved_tables,
    seats,
    settings,
    whereabouts,
)
from bot.table.session.card import MAX_RESULTS, GameCard, make_game_card, read_results

ALL_GAMES: tuple[Game, ...] = tuple(register_game(import_module(f"bot.games.{key}").GAME) for key in PLAYED)
"""Every game that is played; one that lacks something stops the bot here, and says what."""

builder.make_custom_forms(ALL_GAMES)
list_import.make_fill_forms(ALL_GAMES)

HANDLER_MODULES = (
    arrivals,
    best,
    board_actions,
    builder,
    comparing,
    crews,
    dice_settings,
    encounters,
    entering,
    film,
    games,
    gate,
    guide,
    history,
    joining,
    lesson,
    list_export,
    list_import,
    log,
    luck_actions,
    matchup,
    models,
    possible_actions,
    preparations,
    printing,
    privacy,
    reactions,
    replay_story,
    rolls,
    saved_tables,
    seats,
    settings,
    statblocks,
    targets,
    whereabouts,
)
CAMPAIGN_MODULES = (
    administration,
    campaign_crews,
    campaign_games,
    campaign_luck,
    campaign_report,
    campaign_views,
    campaigns,
    corrections,
    fixture_dates,
    records,
    season,
    story,
)
"""Modules that register their handlers when they are imported."""


def now_ms() -> int:
    """Return the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def open_desk(
    url: URL, new_seed: Callable[[], bytes] | None = None, clock: Callable[[], int] = now_ms
) -> AsyncIterator[Desk]:
    """Open a desk on a database that is at this version; the database is closed afterwards."""
    store = Store(*make_engines(url), clock)
    try:
        yield Desk(store, new_seed) if new_seed else Desk(store)
    finally:
        await store.close()


def add_commands(tree: app_commands.CommandTree[Any]) -> None:
    """Put every command into a tree."""
    add_typed(tree)
    do_command.add(tree)
    message_menu.add(tree)


def make_client(
    desk: Desk, config: Config, *, pause: float = PAUSE_SECONDS, guilds: Sequence[int] = (), **options: Any
) -> Adjutant:
    """Return a client on a desk. pause: least seconds between edits of a panel. options: for the client."""

    async def draw(scope: int) -> tuple[CardPlace | None, GameCard] | None:
        loaded = await desk.store.load(scope)
        if loaded is None or not loaded.snapshot.get("encounters"):
            return None
        # The version would change with secret entries too, and an edited card would tell of them.
        moved_at = loaded.scope.moved
        place, entries = await desk.store.card(scope, moved_at, MAX_RESULTS)
        encounter = Encounter(desk.store.book_seen(loaded))
        over_ms = await reactions.time_over_ms(desk.store, scope, encounter)
        return place, make_game_card(
            encounter, moved_at, tuple(read_results(entries)), over_ms, desk.store.now()
        )

    def panels(client: discord.Client) -> PanelKeeper:
        host = cast(Host, client)
        return PanelKeeper(
            client,
            desk.store,
            draw,
            now_ms,
            config.panel_minutes,
            pause,
            answering=lambda: host.under_way,
            faces=lambda: host.faces,
        )

    if config.shards == 1:
        return Adjutant(desk, add_commands, panels, guilds or config.guilds, **options)
    options = {"shard_count": config.shards or None, "shard_ids": list(config.shard_ids) or None, **options}
    return ShardedAdjutant(desk, add_commands, panels, guilds or config.guilds, **options)
