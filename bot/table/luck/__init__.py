"""How lucky the rolls of a finished game were."""
