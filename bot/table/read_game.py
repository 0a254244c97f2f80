"""Which game is read: the one below which a button was pressed, else what runs here or ran here last."""

from __future__ import annotations

from bot.store.rows import EncounterRow
from bot.store.store import Store
from bot.table.act import Actor


async def game_read(store: Store, actor: Actor) -> int:
    """The scope of the game that somebody reads in a channel, or 0."""
    scope = await game_pressed(store, actor) or await store.running_encounter(actor.channel_id)
    return scope or await store.last_in_channel(actor.channel_id, kind="encounter")


async def game_pressed(store: Store, actor: Actor) -> int:
    """The scope of the game below which the button stood, if it was played in this channel; or 0."""
    loaded = await store.load(actor.pressed) if actor.pressed else None
    row = loaded.book().get(EncounterRow) if loaded is not None else None
    if loaded is None or row is None:
        return 0
    is_here = (loaded.scope.guild_id, row.channel_id) == (actor.guild_id, actor.channel_id)
    return actor.pressed if is_here else 0
