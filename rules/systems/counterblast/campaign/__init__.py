"""Between encounters."""
