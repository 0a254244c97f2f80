from tests.bot.conftest import elsewhere, file, house, migrated, postgres, table  # noqa: F401
