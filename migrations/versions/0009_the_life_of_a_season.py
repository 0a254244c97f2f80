"""A second organiser, house rules, the archive, days of fixtures, what people tell of a game.

Revision: 0009, after 0008.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

NEW = (
    ("campaigns", sa.Column("second_id", sa.BigInteger(), nullable=False, server_default="0")),
    ("campaigns", sa.Column("archived", sa.Boolean(), nullable=False, server_default=sa.false())),
    ("campaigns", sa.Column("house", sa.Text(), nullable=False, server_default="{}")),
    ("fixtures", sa.Column("day", sa.BigInteger(), nullable=False, server_default="0")),
)


def upgrade() -> None:
    """Campaigns of before have none of it."""
    for table, column in NEW:
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(column)
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.alter_column(column.name, server_default=None)
    op.create_table(
        "tales",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("fixture", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entrant", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "id", name=op.f("pk_tales")),
    )


def downgrade() -> None:
    """Tales, days and house rules are lost; what was archived is there again."""
    op.drop_table("tales")
    for table, column in reversed(NEW):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column(column.name)
