"""Supernatural powers: channelling, waking, and how they strike back."""
