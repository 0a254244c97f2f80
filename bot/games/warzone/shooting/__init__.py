"""Shots at models and terrain: aiming, spotting who is concealed, range bands."""
