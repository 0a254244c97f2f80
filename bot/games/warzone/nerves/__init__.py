"""Morale, rallies, Dire effects, and what the charts make of models that lost their nerve."""
