"""The ground: dangerous places, hazards, fire, structures."""
