"""Whose dice are to be thrown, in words for the players who throw real ones; knows no action."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.act import Owner
from rules.dice import Compared, Entry, Thrown

SAVES = ("shield", "tough")
"""How the labels of dice begin that stop wounds."""


def at(striker: str, struck: str, beside: str = "") -> Owner:
    """Who throws in one attack: the striker its attack and damage, the struck its
    defence, escape and shields.

    beside: whom the dice that stray seek, who throws the shields against them. Rules: CB-SHOOT-10.
    """

    def owner(label: str, before: Sequence[Entry]) -> str:
        strayed = any(isinstance(one, Thrown | Compared) and one.label.startswith("stray") for one in before)
        if label.startswith(SAVES):
            return f"{beside if strayed else struck}, {label}"
        if label.startswith(("defence", "escape")):
            return f"{struck}, {label}"
        return f"{striker}, {label} at {beside if label.startswith('stray') else struck}"

    return owner
