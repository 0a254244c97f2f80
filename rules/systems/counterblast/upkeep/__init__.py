"""The end of a turn."""
