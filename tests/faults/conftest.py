from tests.bot.conftest import elsewhere, file, house, migrated, postgres, table

__all__ = ["elsewhere", "file", "house", "migrated", "postgres", "table"]
