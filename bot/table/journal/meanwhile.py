"""What happened in a game since something was shown, for who comes too late: what /log tells everybody."""

from __future__ import annotations

from collections.abc import Sequence

from bot.store.scope import Loaded
from bot.store.store import Store

MOST_TOLD = 3
"""Steps that are told; the last ones."""

LOOKED_AT = 50
"""Steps that are looked through."""


async def meanwhile(store: Store, loaded: Loaded, version: int) -> Sequence[str]:
    """The last steps of a game that everybody saw and that came behind this version, a line for each."""
    since = await _since(store, loaded, version)
    lines = since[-MOST_TOLD:]
    more = len(since) - len(lines)
    return (*([f"{more} steps before that: /log."] if more > 1 else []), *lines) if lines else ()


async def lately(store: Store, loaded: Loaded) -> Sequence[str]:
    """The last steps of a game that everybody saw, a line for each, under a head; nothing where there are
    none."""
    lines = (await _since(store, loaded, 0))[-MOST_TOLD:]
    return ("The last steps:", *lines) if lines else ()


async def _since(store: Store, loaded: Loaded, version: int) -> Sequence[str]:
    """All that everybody saw behind a version, as far as it is looked through: who did what."""
    if loaded.scope.kind != "encounter":
        return ()
    entries = await store.latest(loaded.scope.id, LOOKED_AT, minor=False)
    seen = (entry for entry in entries if not entry.quiet and entry.kind != "aside")
    return [f"{entry.actor}: {entry.title}" for entry in seen if entry.seq > version]
