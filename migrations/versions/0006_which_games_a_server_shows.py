"""Which games a server shows, and what Discord has of its commands.

Revision: 0006, after 0005.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A server in which games were played, or crews kept, goes on to show these games."""
    op.create_table(
        "shown_games",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("systems", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("scope", name=op.f("pk_shown_games")),
    )
    op.create_table(
        "registrations",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("taken", sa.Text(), nullable=False),
        sa.Column("made_ms", sa.Text(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("due_ms", sa.BigInteger(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_registrations")),
    )
    op.create_index("ix_encounters_guild_id", "encounters", ["guild_id"])
    _note(op.get_bind())


def _note(connection: sa.Connection) -> None:
    played: dict[int, set[str]] = {}
    for name in ("encounters", "crews"):
        table = sa.table(name, sa.column("guild_id"), sa.column("system"))
        for guild, system in connection.execute(sa.select(table.c.guild_id, table.c.system).distinct()):
            played.setdefault(guild, set()).add(system)
    registrations = sa.table(
        "registrations",
        *map(sa.column, ("guild_id", "before", "taken", "made_ms", "tries", "due_ms", "problem")),
    )
    for guild, systems in sorted(played.items()):
        row = {"guild_id": guild, "before": ",".join(sorted(systems)), "taken": "{}", "made_ms": "[]"}
        connection.execute(sa.insert(registrations), row | {"tries": 0, "due_ms": 0, "problem": ""})


def downgrade() -> None:
    """What was chosen is forgotten."""
    op.drop_index("ix_encounters_guild_id", "encounters")
    op.drop_table("registrations")
    op.drop_table("shown_games")
