"""Whose dice are thrown, real ones too, and rolls outside a game."""
