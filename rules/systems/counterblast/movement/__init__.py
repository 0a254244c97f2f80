"""Moving, falling, drifting, hiding."""
