"""People who watch, who has played for which side, what waits for somebody's word; asides in the journal.

Revision: 0004, after 0003.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NEW = {
    "scopes": sa.Column("moved", sa.BigInteger(), nullable=False, server_default="0"),
    "journal": sa.Column("took", sa.Text(), nullable=False, server_default=""),
    "seats": sa.Column("since", sa.BigInteger(), autoincrement=False, nullable=False, server_default="0"),
}


def upgrade() -> None:
    """What was offered before stays good where nothing has happened since."""
    for table, column in NEW.items():
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(column)
    op.execute("UPDATE scopes SET moved = version")
    for table, column in NEW.items():
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.alter_column(column.name, server_default=None)
    op.create_table(
        "watchers",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "user_id", name=op.f("pk_watchers")),
    )
    op.create_table(
        "ties",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "user_id", "side", "name", name=op.f("pk_ties")),
    )
    op.create_table(
        "asks",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("action", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("entry", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("about", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("of", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("refused", sa.Boolean(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "user_id", name=op.f("pk_asks")),
    )


def downgrade() -> None:
    """Who watches and what waits for somebody's word is lost."""
    for table in ("asks", "ties", "watchers"):
        op.drop_table(table)
    for table, column in NEW.items():
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column(column.name)
