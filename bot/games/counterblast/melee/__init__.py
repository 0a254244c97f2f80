"""Charges, fights, leaving them, and what blows leave behind."""
