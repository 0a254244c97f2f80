"""Requests of people and the answers to them, and how both are stored so that they can be replayed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from bot.actions import Action, decision_json, from_json, full_and_decision_json, to_json
from bot.replies.reply import Blank, Reply, form, reply_to_json
from bot.store.book import Loaded
from bot.store.journal import NewEntry, compact, key_of
from bot.store.rows import Columns
from bot.store.store import Store
from bot.table.act import Actor
from bot.table.channels import EarlierThread, NoChannels
from bot.version import rules_version

MAX_OUTSIDE = 200_000
"""Letters of what was looked up elsewhere that an entry keeps; of more it only says that it was too much."""


@dataclass(slots=True, eq=False)
class Witness:
    """One request, and what was looked up for it.

    said: how it was asked, empty if no person asked. outside: other scopes that were read. games: what was
    read of the encounters of a campaign. clock: the time that was read, 0 for none. thread: the Discord
    number of a thread that was made for it, or 0.
    """

    said: Mapping[str, Any] = field(default_factory=dict)
    outside: dict[int, Loaded] = field(default_factory=dict)
    games: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    clock: int = 0
    thread: int = 0

    @classmethod
    def of(cls, action: Action, actor: Actor, reason: str) -> Witness:
        """Return the witness of a request."""
        document: dict[str, Any] = {
            "do": [action.command, to_json(action)],
            "who": [actor.user_id, actor.name],
            "where": [actor.guild_id, actor.channel_id],
        }
        if actor.manages:
            document["manages"] = True
        if reason:
            document["why"] = reason
        return cls(document)

    def begin_again(self) -> None:
        """Begin another try. Everything that was looked up may have changed."""
        self.outside.clear()
        self.games.clear()

    def looking(self, store: Store, own_scope: int) -> Store:
        """Return the store, seen by what looks something up for an action on a scope of its own."""
        return cast(Store, _Looking(store, own_scope, self))

    def written(self) -> str:
        """Return all of it as canonical JSON; empty if no person asked."""
        if not self.said:
            return ""
        document = dict(self.said)
        if self.clock:
            document["clock"] = self.clock
        if self.thread:
            document["thread"] = self.thread
        if self.games:
            document["games"] = self.games
        if self.outside:
            document["outside"] = [_scope(loaded) for _, loaded in sorted(self.outside.items())]
            if len(compact(document["outside"])) > MAX_OUTSIDE:
                document["outside"] = []
        return compact(document)


def _scope(loaded: Loaded) -> list[Any]:
    scope = loaded.scope
    tables = {
        name: [list(rows[key]) for key in sorted(rows)] for name, rows in loaded.snapshot.items() if rows
    }
    return [scope.id, scope.kind, scope.guild_id, scope.channel_id, tables]


class _Looking:
    """A store that tells a witness what is read."""

    def __init__(self, store: Store, own_scope: int, witness: Witness) -> None:
        self._store = store
        self._own = own_scope
        self._witness = witness

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def load(self, scope: int) -> Loaded | None:
        """See `Store.load`."""
        loaded = await self._store.load(scope)
        if loaded is not None and scope != self._own:
            self._witness.outside[scope] = loaded
        return loaded

    async def encounters_with(self, guild_id: int, key: str, value: str) -> list[dict[str, str]]:
        """See `Reads.encounters_with`."""
        scopes = await self._store.encounters_with(guild_id, key, value)
        self._witness.games[f"{key}={value}"] = scopes
        return scopes

    def now(self) -> int:
        """See `Store.now`."""
        self._witness.clock = self._store.now()
        return self._witness.clock


# ------------------------------------------------------------------------------------ read again


@dataclass(frozen=True, slots=True)
class Outside:
    """Another scope as it was when it was read."""

    scope: int
    kind: str
    guild_id: int
    channel_id: int
    rows: Mapping[str, list[Columns]]


@dataclass(frozen=True, slots=True)
class Testimony:
    """The stored form of a request. complete: it has everything that was looked up elsewhere."""

    action: Action
    actor: Actor
    reason: str = ""
    clock: int = 0
    outside: tuple[Outside, ...] = ()
    games: Mapping[str, list[dict[str, str]]] = field(default_factory=dict)
    complete: bool = True


def testimony(text: str) -> Testimony:
    """Return the testimony from its stored form.

    Raises ValueError, KeyError or TypeError if it is malformed.
    """
    document = json.loads(text)
    (user_id, name), (guild_id, channel_id) = document["who"], document["where"]
    channels = EarlierThread(int(document["thread"])) if "thread" in document else NoChannels()
    outside = tuple(
        Outside(
            scope,
            kind,
            guild,
            channel,
            {table: [tuple(row) for row in rows] for table, rows in tables.items()},
        )
        for scope, kind, guild, channel, tables in document.get("outside", ())
    )
    return Testimony(
        from_json(*document["do"]),
        Actor(user_id, name, guild_id, channel_id, bool(document.get("manages")), channels=channels),
        document.get("why", ""),
        document.get("clock", 0),
        outside,
        document.get("games", {}),
        complete="outside" not in document or bool(outside),
    )


OVERRIDE_BLANK = "override_reason"
"""The field of the form for the organiser's reason; it is not a field of the action."""

OVERRIDE = "Override..."
"""The button by which an organiser lets a refusal pass, and says why; or first fills in what is refused."""

OVERRIDE_FORM = form("override", "Override", Blank(OVERRIDE_BLANK, "Reason (everyone can read it)"))

MAX_REASON_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Request:
    """A person's request: an action, from a command or a button.

    interaction: the id that lets it happen only once. scope and version: from the button, 0 and -1 for a
    command. reason: why an organiser overrides. witness: what the journal stores about how it was asked.
    """

    action: Action
    actor: Actor
    interaction: int
    scope: int = 0
    version: int = -1
    reason: str = ""
    witness: Witness = field(default_factory=Witness)


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply, and the scope after it.

    version -1: its buttons are always valid. changed: something was written. repeated: the interaction was
    answered before, with this. loud: the panel is shown again for everyone to notice, although the reply is
    private. refusal: the kind of refusal, empty if there was none.
    """

    reply: Reply
    scope: int = 0
    version: int = -1
    changed: bool = False
    repeated: bool = False
    loud: bool = False
    refusal: str = ""


IN_PRIVATE = "something told in private"
"""The log's text for a private reply: not even the command is shown."""


def draft(request: Request, action: Action, reply: Reply) -> NewEntry:
    """Return the journal's entry of an action that gave this reply, nothing rolled."""
    asked_action, decided = full_and_decision_json(action)
    return NewEntry(
        interaction=request.interaction,
        channel=request.actor.channel_id,
        actor_id=request.actor.user_id,
        actor=request.actor.name,
        command=action.command,
        input=asked_action,
        decision=decided,
        title=IN_PRIVATE if reply.private or not reply.lines else reply.lines[0],
        reply=reply_to_json(reply),
        reason=request.reason,
        again=request.version >= 0,
        asked=request.witness.written(),
        outside=tuple(request.witness.outside.values()),
        version=rules_version(),
    )


def action_key(action: Action) -> str:
    """Return a key that tells equal decisions from different ones."""
    return key_of(action.command, decision_json(action))
