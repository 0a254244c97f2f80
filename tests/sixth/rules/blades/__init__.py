"""Blades: a duel of two figures with one die. No rule but the blow."""
