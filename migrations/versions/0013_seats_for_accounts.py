"""Who plays a seat in the place of the person whose it is, and the codes by which seats are given.

Revision: 0013, after 0012.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Everybody plays the own seat at first."""
    op.create_table(
        "stand_ins",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("as_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("as_name", sa.Text(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "user_id", name=op.f("pk_stand_ins")),
    )
    op.create_table(
        "seat_codes",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("as_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("as_name", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("until_ms", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "as_id", name=op.f("pk_seat_codes")),
    )


def downgrade() -> None:
    """Seats go back to those whose they are."""
    op.drop_table("seat_codes")
    op.drop_table("stand_ins")
