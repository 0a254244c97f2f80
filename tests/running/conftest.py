from tests.bot.conftest import file, house, migrated, table  # noqa: F401
