"""Counterblast: skirmishes of Heroes and Lackeys with pools of d10."""
