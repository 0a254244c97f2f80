"""Gear and its uses: relics, breaching, salvage, skills and work."""
