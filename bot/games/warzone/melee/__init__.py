"""Charges, strikes in close combat, and breaking away from it."""
