"""Entries that were not answered; seals over what the chain of hashes does not cover.

Revision: 0005, after 0004.
"""

import json
from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SEALED = (
    "scope",
    "seq",
    "channel_id",
    "interaction_id",
    "actor_id",
    "action_key",
    "touches",
    "reply",
    "at_ms",
    "took",
    "quiet",
)


def upgrade() -> None:
    """All entries so far count as answered."""
    for table, columns in (
        ("journal", [sa.Column("quiet", sa.Boolean(), nullable=False, server_default=sa.false())]),
        ("journal", [sa.Column("seal", sa.Text(), nullable=False, server_default="")]),
        ("panels", [sa.Column("seal", sa.Text(), nullable=False, server_default="")]),
    ):
        with op.batch_alter_table(table, schema=None) as batch_op:
            for column in columns:
                batch_op.add_column(column)
        with op.batch_alter_table(table, schema=None) as batch_op:
            for column in columns:
                batch_op.alter_column(column.name, server_default=None)
    op.create_table(
        "undelivered",
        sa.Column("interaction_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("interaction_id", name=op.f("pk_undelivered")),
    )
    op.create_index("ix_undelivered_scope", "undelivered", ["scope"])
    _seal(op.get_bind())


def _seal(connection: sa.Connection) -> None:
    journal = sa.table("journal", *map(sa.column, ("id", "seal", *SEALED)))
    scopes = sa.table("scopes", *map(sa.column, ("id", "kind", "guild_id", "moved")))
    panels = sa.table("panels", *map(sa.column, ("scope", "channel_id", "message_id", "posted_ms", "seal")))
    for scope in connection.execute(sa.select(scopes)).all():
        mine = journal.c.scope == scope.id
        quiet = sa.update(journal).where(mine, journal.c.seq > scope.moved).values(quiet=sa.true())
        connection.execute(quiet)
        found = connection.execute(sa.select(journal).where(mine)).mappings().all()
        of_all = [
            [scope.kind, scope.guild_id, *(row[name] for name in SEALED[:-1]), bool(row["quiet"])]
            for row in found
        ]
        sealed = [
            {"the_id": row["id"], "seal": _hash(values)} for row, values in zip(found, of_all, strict=True)
        ]
        one = sa.update(journal).where(journal.c.id == sa.bindparam("the_id"))
        if sealed:
            connection.execute(one.values(seal=sa.bindparam("seal")), sealed)
    for panel in connection.execute(sa.select(panels)).all():
        seal = _hash([panel.scope, panel.channel_id, panel.message_id, panel.posted_ms])
        connection.execute(sa.update(panels).where(panels.c.scope == panel.scope).values(seal=seal))


def _hash(values: list[object]) -> str:
    written = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(written.encode()).hexdigest()[:32]


def downgrade() -> None:
    """What was not answered is forgotten."""
    op.drop_index("ix_undelivered_scope", "undelivered")
    op.drop_table("undelivered")
    for table, names in (("journal", ("seal", "quiet")), ("panels", ("seal",))):
        with op.batch_alter_table(table, schema=None) as batch_op:
            for name in names:
                batch_op.drop_column(name)
