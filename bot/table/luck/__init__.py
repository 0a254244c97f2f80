"""Was that luck? What rolls of a finished game were worth, within their own chances."""
