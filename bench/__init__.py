"""Speed, measured side by side with peers in one run. Not tests: nothing here asserts a time."""
