"""Missions and the score."""
