"""The time zone of a campaign, what people want to be reminded of, and what they were reminded of.

Revision: 0012, after 0011.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Campaigns of before have no time zone, and nobody has asked for anything."""
    column = sa.Column("zone", sa.Text(), nullable=False, server_default="")
    with op.batch_alter_table("campaigns", schema=None) as batch_op:
        batch_op.add_column(column)
    with op.batch_alter_table("campaigns", schema=None) as batch_op:
        batch_op.alter_column("zone", server_default=None)
    op.create_table(
        "reminders",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("before", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ping", sa.Boolean(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "id", name=op.f("pk_reminders")),
    )
    op.create_table(
        "reminded",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("reminder", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "reminder", "about", name=op.f("pk_reminded")),
    )


def downgrade() -> None:
    """Reminders and the time zone are lost."""
    op.drop_table("reminded")
    op.drop_table("reminders")
    with op.batch_alter_table("campaigns", schema=None) as batch_op:
        batch_op.drop_column("zone")
