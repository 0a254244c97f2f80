"""Faults as a campaign that can be repeated: everything seeded, counted, and reported (`make faults`)."""
