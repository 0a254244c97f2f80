"""The accounts of a campaign, and what a game adds to them. Imports no action of campaigns."""
