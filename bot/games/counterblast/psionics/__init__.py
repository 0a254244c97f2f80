"""Psionic powers: their targets, dice and effects."""
