"""Psionic powers."""
