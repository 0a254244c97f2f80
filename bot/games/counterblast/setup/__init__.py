"""Before the first turn: terrain, deployment, infiltrators, leaders, what the table plays by."""
