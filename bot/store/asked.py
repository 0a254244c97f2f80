"""Queries that every command asks, built once: to build one takes as long as its answer.

What differs from one asking to the next is named in them, and given when they are asked.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Select, and_, bindparam, false, or_, select, true

from bot.store.people import is_person
from bot.store.schema import STATE, journal, panels, scopes, undone

_ENCOUNTERS, _CREWS = STATE["encounters"], STATE["crews"]
_CAMPAIGNS, _ENTRANTS = STATE["campaigns"], STATE["entrants"]
_PENDINGS = STATE["pendings"]
_GUILD: BindParameter[int] = bindparam("guild_id")
_CHANNEL: BindParameter[int] = bindparam("channel_id")

RUNNING = select(_ENCOUNTERS.c.scope).where(
    _ENCOUNTERS.c.channel_id == _CHANNEL, _ENCOUNTERS.c.status != "ended"
)
"""The encounter that runs in a channel."""

LIBRARY = (
    select(scopes.c.id)
    .where(scopes.c.guild_id == _GUILD, scopes.c.kind == "library")
    .order_by(scopes.c.id)
    .limit(1)
)
"""The scope of what a server keeps for all its channels."""

CREWS = (
    select(_CREWS.c.scope, _CREWS.c.name, _CREWS.c.system, _CREWS.c.owner_id)
    .where(_CREWS.c.guild_id == _GUILD, _CREWS.c.status == "kept")
    .order_by(_CREWS.c.scope)
)
"""The crews kept in a guild."""

CREWS_OF_A_GAME = CREWS.where(_CREWS.c.system == bindparam("system"))

CAMPAIGNS = (
    select(_CAMPAIGNS.c.scope, _CAMPAIGNS.c.name, _CAMPAIGNS.c.status, _CAMPAIGNS.c.archived)
    .where(_CAMPAIGNS.c.guild_id == _GUILD)
    .order_by(_CAMPAIGNS.c.scope)
)
"""The campaigns of a guild."""

CAMPAIGNS_OF_A_CREW = (
    select(
        _CAMPAIGNS.c.scope,
        _CAMPAIGNS.c.name,
        _CAMPAIGNS.c.status,
        _ENTRANTS.c.id,
        _ENTRANTS.c.status.label("how"),
        _CAMPAIGNS.c.archived,
    )
    .join(_ENTRANTS, _ENTRANTS.c.scope == _CAMPAIGNS.c.scope)
    .where(_CAMPAIGNS.c.guild_id == _GUILD, _ENTRANTS.c.crew == bindparam("crew"))
    .order_by(_CAMPAIGNS.c.scope, _ENTRANTS.c.id)
)
"""The campaigns that a crew joined."""

ANSWERED = select(journal).where(journal.c.interaction_id == bindparam("interaction"))
"""The entry of an interaction."""

ENTRY = select(journal).where(journal.c.scope == bindparam("scope"), journal.c.seq == bindparam("seq"))
"""One entry of a scope's journal."""

OPEN_DICE = (
    select(journal)
    .join(undone, and_(undone.c.scope == journal.c.scope, undone.c.seq == journal.c.seq))
    .where(undone.c.scope == bindparam("scope"), undone.c.open)
    .order_by(journal.c.seq)
)
"""The undone entries whose faces wait to be used again."""

REPEATS = select(journal.c.seq, journal.c.repeats).where(
    journal.c.scope == bindparam("scope"), journal.c.repeats != 0
)
"""Every entry that used the faces of another again, with that one."""

UNDONE_KEYS = select(undone.c.seq, undone.c.action_key).where(undone.c.scope == bindparam("scope"))
"""Every undone entry, with what tells its decision from others."""

UNDONE_FROM = select(undone.c.seq).where(
    undone.c.scope == bindparam("scope"), undone.c.seq >= bindparam("first")
)
"""Which entries, from one on, are undone."""


CHANNEL_SCOPE = (
    select(scopes.c.id).where(scopes.c.channel_id == _CHANNEL, scopes.c.kind == "channel").limit(1)
)
"""The scope of a channel for what is rolled there without an encounter."""

LAST_ROLL = (
    select(journal.c.seq)
    .where(journal.c.scope == bindparam("scope"), journal.c.faces != "[]")
    .order_by(journal.c.seq.desc())
    .limit(1)
)
"""The last entry in which dice fell."""

NEWEST_CHILD = (
    select(journal)
    .where(journal.c.scope == bindparam("scope"), journal.c.parent == bindparam("parent"))
    .where(journal.c.kind == "do")
    .order_by(journal.c.seq.desc())
    .limit(1)
)
"""The latest action that was done on top of an entry."""

TAKEN_BACK_WITH = (
    select(journal.c.seq)
    .where(journal.c.scope == bindparam("scope"), journal.c.kind == "undo")
    .where(journal.c.took.contains(bindparam("one")))
    .order_by(journal.c.seq.desc())
    .limit(1)
)
"""The last undo that took an entry back."""

OPEN_CAMPAIGNS = (
    select(_CAMPAIGNS.c.name, _CAMPAIGNS.c.start_points)
    .where(_CAMPAIGNS.c.guild_id == _GUILD, _CAMPAIGNS.c.system == bindparam("system"))
    .where(_CAMPAIGNS.c.status == "open", _CAMPAIGNS.c.start_points > 0, ~_CAMPAIGNS.c.archived)
    .order_by(_CAMPAIGNS.c.scope)
    .limit(3)
)
"""The campaigns that crews of a game may join and that limit them."""

WAITING_ROLL = (
    select(_PENDINGS.c.scope)
    .join(scopes, scopes.c.id == _PENDINGS.c.scope)
    .where(scopes.c.guild_id == _GUILD, or_(scopes.c.kind == "crew", scopes.c.kind == "campaign"))
    .outerjoin(
        _ENTRANTS,
        and_(_ENTRANTS.c.scope == _PENDINGS.c.scope, _ENTRANTS.c.owner == _PENDINGS.c.thrower),
    )
    .where(
        or_(
            is_person(_PENDINGS.c.user_id, bindparam("user_id")),
            is_person(_ENTRANTS.c.owner_id, bindparam("user_id")),
        )
    )
    .order_by(_PENDINGS.c.scope.desc())
    .limit(1)
)
"""The crew or campaign of a guild where a roll waits for dice of a person, the latest."""

PANEL = select(panels.c.channel_id, panels.c.message_id, panels.c.posted_ms).where(
    panels.c.scope == bindparam("scope")
)
"""Where the panel of an encounter stands."""


@cache
def latest(*, before: bool, of_model: bool, minor: bool) -> Select[Any]:
    """The last entries, newest first. before: another; of_model: that touched one; minor: those too."""
    query = select(journal).where(journal.c.scope == bindparam("scope"))
    if not minor:
        query = query.where(journal.c.minor.is_(False))
    if before:
        query = query.where(journal.c.seq < bindparam("before"))
    if of_model:
        query = query.where(journal.c.touches.contains(bindparam("touched")))
    return query.order_by(journal.c.seq.desc()).limit(bindparam("count"))


@cache
def last_of_kind(kinds: tuple[str, ...]) -> Select[Any]:
    """The last entry of these kinds."""
    query = select(journal).where(journal.c.scope == bindparam("scope"))
    query = query.where(or_(false(), *(journal.c.kind == kind for kind in kinds)))
    return query.order_by(journal.c.seq.desc()).limit(1)


@cache
def minor_entries(commands: tuple[str, ...]) -> Select[tuple[int]]:
    """The places of the minor entries that these commands made, in order."""
    query = select(journal.c.seq).where(journal.c.scope == bindparam("scope"), journal.c.minor)
    return query.where(or_(false(), *(journal.c.command == one for one in commands))).order_by(journal.c.seq)


@cache
def last_in_channel(own: tuple[str, ...], *, of_a_kind: bool) -> Select[tuple[int]]:
    """The scope that was last acted upon in a channel: of the kinds `own`, by that user.

    of_a_kind: among the scopes of one kind alone.
    """
    by_whom = is_person(journal.c.actor_id, bindparam("user_id"))
    query = (
        select(journal.c.scope)
        .join(scopes, scopes.c.id == journal.c.scope)
        .where(journal.c.channel_id == _CHANNEL, journal.c.kind != "aside")
        .where(or_(and_(true(), *(scopes.c.kind != one for one in own)), by_whom))
        .order_by(journal.c.id.desc())
        .limit(1)
    )
    return query.where(scopes.c.kind == bindparam("kind")) if of_a_kind else query
