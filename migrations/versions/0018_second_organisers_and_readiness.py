"""A second organiser of a game, and which sides are ready to begin.

Revision: 0018, after 0017.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Existing games have one organiser, and nobody has said that they are ready."""
    with op.batch_alter_table("encounters", schema=None) as batch_op:
        column = sa.Column("second_id", sa.BigInteger(), nullable=False, server_default="0")
        batch_op.add_column(column)
    with op.batch_alter_table("encounters", schema=None) as batch_op:
        batch_op.alter_column("second_id", server_default=None)
    op.create_table(
        "readies",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "user_id", name=op.f("pk_readies")),
    )


def downgrade() -> None:
    """Games have one organiser again."""
    op.drop_table("readies")
    with op.batch_alter_table("encounters", schema=None) as batch_op:
        batch_op.drop_column("second_id")
