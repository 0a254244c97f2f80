"""Shots at models: alone, together, out of turn, with arc weapons, through clouds."""
