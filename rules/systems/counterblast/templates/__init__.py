"""Templates, bursts, voids."""
