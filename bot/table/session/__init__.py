"""A game and its people: started, led on, ended; who joins and leaves; models and settings."""
