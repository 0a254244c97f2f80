"""Campaigns: agreed, played, settled, reported."""
