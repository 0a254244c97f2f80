"""Template weapons: who lies under them, and where they land that went astray."""
