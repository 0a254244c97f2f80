"""Frac'd Earth: figures and crews, resolved with two decks of cards instead of dice."""
