"""Rolls wait for real dice between games too, and know which dice were asked for last.

Revision: 0003, after 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NUMBERS = ("sides", "told", "asked")


def upgrade() -> None:
    """Rolls that wait already are asked for anew with the next face."""
    for name in NUMBERS:
        with op.batch_alter_table("pendings", schema=None) as batch_op:
            batch_op.add_column(
                sa.Column(name, sa.BigInteger(), autoincrement=False, nullable=False, server_default="0")
            )
        with op.batch_alter_table("pendings", schema=None) as batch_op:
            batch_op.alter_column(name, server_default=None)
    op.create_table(
        "throwers",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("dice", sa.Text(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "id", name=op.f("pk_throwers")),
    )


def downgrade() -> None:
    """Whose dice are thrown between games is lost, and every roll that waits there."""
    op.drop_table("throwers")
    op.execute("DELETE FROM pendings WHERE scope IN (SELECT id FROM scopes WHERE kind <> 'encounter')")
    for name in NUMBERS:
        with op.batch_alter_table("pendings", schema=None) as batch_op:
            batch_op.drop_column(name)
