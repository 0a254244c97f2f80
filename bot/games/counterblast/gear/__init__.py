"""What models carry and can do with it: gear, relics, breaching, salvage, skills and work."""
