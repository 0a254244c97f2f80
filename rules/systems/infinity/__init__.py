"""Infinity, third edition: Face to Face Rolls, saves, states, Orders and the special skills."""
