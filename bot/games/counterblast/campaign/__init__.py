"""Campaigns: what an encounter leaves, what is built and bought between encounters."""
