"""How models move, climb, fall, drift and hide."""
