"""Replies as values: text first, then buttons, menus and pictures.

Knows Discord's limits, not its client.
"""
