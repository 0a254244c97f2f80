"""Campaigns: how they are set up, played, settled and reported."""
