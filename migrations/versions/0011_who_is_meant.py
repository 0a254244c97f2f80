"""Aliases and names of people stand by themselves; entries without a name; servers that were left.

Revision: 0011, after 0010.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What was written before names people by their numbers and names, and stays so until somebody asks."""
    op.create_table(
        "people",
        sa.Column("alias", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("alias", name=op.f("pk_people")),
        sa.UniqueConstraint("user_id", name=op.f("uq_people_user_id")),
    )
    op.create_table(
        "names",
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("alias", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("word", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_names")),
        sa.UniqueConstraint("alias", "name", name=op.f("uq_names_alias_name")),
    )
    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("left_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_departures")),
    )
    with op.batch_alter_table("journal", schema=None) as batch_op:
        batch_op.add_column(sa.Column("stood", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("journal", schema=None) as batch_op:
        batch_op.alter_column("stood", server_default=None)


def downgrade() -> None:
    """Whom the aliases and tokens mean is lost: take the copy from before the upgrade instead."""
    with op.batch_alter_table("journal", schema=None) as batch_op:
        batch_op.drop_column("stood")
    op.drop_table("departures")
    op.drop_table("names")
    op.drop_table("people")
