"""Slash commands, one module for each group: typed options in, an action to the desk, nothing more."""
