"""Ranged attacks."""
