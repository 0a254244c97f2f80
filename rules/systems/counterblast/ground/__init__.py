"""Terrain, hazards, fire, and who is safe from them."""
