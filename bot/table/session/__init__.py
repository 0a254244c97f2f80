"""A game and its people: start, lead, end, join and leave; models and settings."""
