"""A sixth game, registered for these tests alone: two figures with a blade each, and one die."""
