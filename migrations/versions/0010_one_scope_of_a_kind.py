"""One scope for the dice of a channel, one for the library of a server, whichever processes make them.

Revision: 0010, after 0009.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

OF_ONE = (("channel", "channel_id"), ("library", "guild_id"))


def upgrade() -> None:
    """Where two stand, one was made for an action that was then refused, and is empty."""
    scopes = sa.table("scopes", *map(sa.column, ("id", "kind", "version", "channel_id", "guild_id")))
    other = scopes.alias()
    for kind, whose in OF_ONE:
        older = sa.select(other.c.id).where(other.c.kind == kind, other.c.version > 0)
        older = older.where(other.c[whose] == scopes.c[whose])
        op.execute(sa.delete(scopes).where(scopes.c.kind == kind, scopes.c.version == 0, sa.exists(older)))
        of_this_kind = sa.text(f"kind = '{kind}'")
        op.create_index(
            f"uq_scopes_{kind}",
            "scopes",
            [whose],
            unique=True,
            sqlite_where=of_this_kind,
            postgresql_where=of_this_kind,
        )


def downgrade() -> None:
    """Any number may stand."""
    for kind, _ in reversed(OF_ONE):
        op.drop_index(f"uq_scopes_{kind}", "scopes")
