"""What a campaign keeps, and what a game adds to it. Imports no action of campaigns."""
