"""Pictures that people add to a story: what they say in the state, the pictures themselves beside it.

Revision: 0014, after 0013.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No story of before has pictures."""
    op.create_table(
        "shots",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("fixture", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entrant", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("author", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("words", sa.Text(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.Text(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "id", name=op.f("pk_shots")),
    )
    op.create_table(
        "pictures",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "digest", name=op.f("pk_pictures")),
    )


def downgrade() -> None:
    """The pictures are lost."""
    op.drop_table("pictures")
    op.drop_table("shots")
