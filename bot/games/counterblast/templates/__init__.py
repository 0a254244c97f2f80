"""Templates and bombs: where they land, who lies under them, what they do."""
