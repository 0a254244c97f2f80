"""The database tables: the state's from the row classes, and those the store keeps for itself.

Portable between SQLite and PostgreSQL: integers of 64 bits, text, booleans, no server-side defaults.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    event,
)

from bot.store.rows import ROWS, Row, layout

MIGRATIONS = Path(__file__).parents[2] / "migrations"

CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=CONVENTION)

_Id = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite numbers rows only in a column that is declared INTEGER."""


def _state_table(kind: type[Row]) -> Table:
    shape = layout(kind.table)
    columns = []
    for name, column_type in zip(shape.names, shape.types, strict=True):
        sort = BigInteger() if column_type is int else Boolean() if column_type is bool else Text()
        key = name in kind.key_fields
        columns.append(Column(name, sort, primary_key=key, nullable=False, autoincrement=False))
    return Table(kind.table, metadata, *columns)


STATE = {name: _state_table(kind) for name, kind in ROWS.items()}
"""The tables of the state, by name."""

_running = STATE["encounters"].c.status != "ended"
_one_in_a_channel = Index(
    "uq_encounters_running", STATE["encounters"].c.channel_id, unique=True, sqlite_where=_running
)
"""At most one running encounter in a channel."""


@event.listens_for(metadata, "before_create")
def _on_other_databases(target: MetaData, connection: Connection, **_: object) -> None:
    """The same there; said only there, since saying it loads all that is known of PostgreSQL."""
    if connection.dialect.name == "postgresql":
        for index in (_one_in_a_channel, *_one_of_a_kind):
            index.dialect_kwargs["postgresql_where"] = index.dialect_kwargs["sqlite_where"]


Index("ix_crews_guild_id", STATE["crews"].c.guild_id, STATE["crews"].c.system)
Index("ix_encounters_guild_id", STATE["encounters"].c.guild_id)
Index("ix_campaigns_guild_id", STATE["campaigns"].c.guild_id)

scopes = Table(
    "scopes",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("tip", BigInteger, nullable=False),
    Column("rolls", BigInteger, nullable=False),
    Column("open_dice", BigInteger, nullable=False),
    Column("chain", Text, nullable=False),
    Column("moved", BigInteger, nullable=False),
    Column("shown", Text, nullable=False),
    Index("ix_scopes_channel_id", "channel_id"),
)
"""version: entries in the scope's journal; tip: the entry whose outcome stands; rolls: roll numbers used up;
open_dice: undone rolls whose faces wait for a repeat; chain: hash over all entries; moved: the last entry
that makes what was offered before it stale; shown: the chain after the last entry that is not secret."""

_one_of_a_kind = [
    Index(f"uq_scopes_{kind}", scopes.c[whose], unique=True, sqlite_where=scopes.c.kind == kind)
    for kind, whose in (("channel", "channel_id"), ("library", "guild_id"))
]
"""At most one scope for the dice of a channel, and one for the library of a server."""

seeds = Table(
    "seeds",
    metadata,
    Column("scope", BigInteger, primary_key=True, autoincrement=False),
    Column("seed", Text, nullable=False),
)
"""The secret seed of each encounter's dice: beside the state, so that no journal and no export holds it."""

panels = Table(
    "panels",
    metadata,
    Column("scope", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("posted_ms", BigInteger, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("activation", Text, nullable=False),
    Column("awaited", Text, nullable=False),
    Column("awaited_ms", BigInteger, nullable=False),
    Column("changes_ms", BigInteger, nullable=False),
    Column("seal", Text, nullable=False),
)
"""The place of each encounter's card in Discord, its contents, and the person who was last waited for."""

reminded = Table(
    "reminded",
    metadata,
    Column("scope", BigInteger, primary_key=True, autoincrement=False),
    Column("reminder", BigInteger, primary_key=True, autoincrement=False),
    Column("about", Text, primary_key=True, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Column("told", Boolean, nullable=False),
)
"""The reminders of people. about: the fixture with its day, or the report; since_ms: the first attempt
to send it; told: Discord has received it, or it can no longer be sent.
"""

pictures = Table(
    "pictures",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", Text, primary_key=True, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
"""The pictures that people add to stories, each under whose it is, as small JPEGs; at_ms: when it came."""

registrations = Table(
    "registrations",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("before", Text, nullable=False),
    Column("taken", Text, nullable=False),
    Column("made_ms", Text, nullable=False),
    Column("tries", BigInteger, nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Column("problem", Text, nullable=False),
)
"""Each server's own commands on Discord; the columns are described in `bot.store.side_tables`."""

journal = Table(
    "journal",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("scope", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("minor", Boolean, nullable=False),
    Column("parent", BigInteger, nullable=False),
    Column("target", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("interaction_id", BigInteger, nullable=False),
    Column("actor_id", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("command", Text, nullable=False),
    Column("input", Text, nullable=False),
    Column("action_key", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("dice", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("repeats", BigInteger, nullable=False),
    Column("faces", Text, nullable=False),
    Column("touches", Text, nullable=False),
    Column("changes", Text, nullable=False),
    Column("reply", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("took", Text, nullable=False),
    Column("quiet", Boolean, nullable=False),
    Column("seal", Text, nullable=False),
    Column("asked", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("stood", Text, nullable=False),
    UniqueConstraint("interaction_id"),
    UniqueConstraint("scope", "seq"),
    Index("ix_journal_scope_parent", "scope", "parent"),
    Index("ix_journal_channel_id", "channel_id", "id"),
)
"""One row for each action: who, which interaction, what was asked, the faces, every change, the reply.

kind: do, undo, redo or aside; an aside is not a step of the game, and no undo touches it. parent: the tip
before a `do` or an `aside`. target: the entry that an undo or redo is about. took: the entries that it took
back or did again, as ',3,7,'. minor: belongs to the next entry that is not. dice: '', bot, real or repeat;
number: the roll's own number; action_key: a hash of command and input; repeats: the undone entry whose faces
were used again. touches: the models changed, as ',3,7,'. quiet: what was offered before stays good. seal: a
hash of what the chain does not cover. asked: the request, the person, and what was looked up elsewhere;
version: of the rules; both empty in old entries. stood: the chain after the entry as it was first written, if
a name has been removed from it since; empty otherwise.
"""

undelivered = Table(
    "undelivered",
    metadata,
    Column("interaction_id", BigInteger, primary_key=True, autoincrement=False),
    Column("scope", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Index("ix_undelivered_scope", "scope"),
)
"""The entries whose answers have not arrived: each is added with its entry and removed when someone has
read the answer.
"""

undone = Table(
    "undone",
    metadata,
    Column("scope", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("action_key", Text, nullable=False),
    Column("open", Boolean, nullable=False),
)
"""The entries undone at present. open: its faces will be used again if the same action is repeated."""

people = Table(
    "people",
    metadata,
    Column("alias", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False),
    Column("salt", Text, nullable=False),
    UniqueConstraint("user_id"),
)
"""Who is meant by the aliases that stand everywhere else; see `bot.store.people`."""

names = Table(
    "names",
    metadata,
    Column("token", Text, primary_key=True),
    Column("alias", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("word", Boolean, nullable=False),
    UniqueConstraint("alias", "name"),
)
"""Which names are meant by the tokens that stand everywhere else. word: the program says it too."""

departures = Table(
    "departures",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("left_ms", BigInteger, nullable=False),
)
"""The servers that the bot has left, and when; what is kept of them goes some time later."""

forgettings = Table(
    "forgettings",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("count", BigInteger, nullable=False),
)
"""How often people or servers were removed, in one row that the first removal makes. By it every process
knows whether names in its memory may be of people who have been removed.
"""


def revisions() -> list[str]:
    """Return every revision, oldest first; each migration's file name begins with its own."""
    return sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def head() -> str:
    """Return the revision that this program works with."""
    return revisions()[-1]


def known(revision: str) -> bool:
    """Return whether a revision is one of this program or of a version before."""
    return revision in revisions()
