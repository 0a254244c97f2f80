"""Charges, fights, leaving them."""
