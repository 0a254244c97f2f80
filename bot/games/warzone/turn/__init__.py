"""Whose turn it is: initiative, units and their models one after another, orders, command distance."""
