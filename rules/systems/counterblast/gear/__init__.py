"""Items, relics, salvage, breaching, skills."""
