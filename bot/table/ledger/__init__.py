"""The accounts of a campaign, and what a game adds to them. This room imports no campaign actions."""
