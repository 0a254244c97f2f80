"""What was done: undone, done again, asked about, told, exported."""
