"""The table without Discord: a strict Discord-compatible server on loopback, and the people who sit at it."""
