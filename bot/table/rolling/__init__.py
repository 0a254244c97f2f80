"""Rolls outside a game, and real dice."""
