"""Figures of the questions that several tools are asked."""

from __future__ import annotations

TARGET, MODIFIER = 7, 1
POWER, SHIELDS = 5, 4
VALUE_A, VALUE_B = 14, 12
DEPTH = 12
"""Bonus dice that may follow one die."""
