"""The state of a game of Counterblast: models, sides, and what is on the table."""
