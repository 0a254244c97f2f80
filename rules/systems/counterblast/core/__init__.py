"""Checks, models and their figures, conditions, wounds and nerves: what every other room asks."""
