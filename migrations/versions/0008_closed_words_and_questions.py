"""Words for the dice that are closed until a game begins; entries that are questioned.

Revision: 0008, after 0007.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Words of games that run are open, and stay."""
    op.create_table(
        "seals",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seal", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("opened", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "id", name=op.f("pk_seals")),
    )
    op.create_table(
        "questions",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("ruling", sa.Text(), nullable=False),
        sa.Column("ruled_by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "id", name=op.f("pk_questions")),
    )


def downgrade() -> None:
    """Closed words and questions are forgotten."""
    op.drop_table("questions")
    op.drop_table("seals")
