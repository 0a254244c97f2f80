"""Turns: which models act, with which actions, and when."""
