"""Odds beyond those of one action: the best attack, match-ups, luck."""
