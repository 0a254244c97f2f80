from tests.bot.conftest import file, house, migrated, table

__all__ = ["file", "house", "migrated", "table"]
