"""Vehicles: driving, riding, running into things, Critical Damage."""
