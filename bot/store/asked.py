"""Queries that every command asks, built once: to build one takes as long as its answer.

What differs from one asking to the next is named in them, and given when they are asked.
"""

from __future__ import annotations

from functools import cache

from sqlalchemy import BindParameter, Select, and_, bindparam, or_, select, true

from bot.store.people import is_person
from bot.store.schema import STATE, journal, scopes, undone

_ENCOUNTERS, _CREWS = STATE["encounters"], STATE["crews"]
_CAMPAIGNS, _ENTRANTS = STATE["campaigns"], STATE["entrants"]
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

UNDONE_FROM = select(undone.c.seq).where(
    undone.c.scope == bindparam("scope"), undone.c.seq >= bindparam("first")
)
"""Which entries, from one on, are undone."""


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
