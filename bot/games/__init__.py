"""The games at the table: what each adds to the common commands, one package for each rule system."""

PLAYED = ("counterblast", "infinity", "warzone", "soluna", "fracd_earth")
"""The packages of the games that are played here, in the order in which they are offered: a line for each."""
