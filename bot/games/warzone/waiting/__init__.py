"""Models on wait, and what they do when an enemy gives them cause."""
