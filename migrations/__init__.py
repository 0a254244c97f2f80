"""The database's history: one step for each change of its tables."""
