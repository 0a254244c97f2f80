"""Campaigns: set up, played, settled and reported."""
